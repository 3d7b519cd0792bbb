"""Canonical ids of laws outside Spain, from their ELI, Akoma Ntoso or other official address."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from corpus.identifiers import slug
from corpus.languages import COUNTRIES, OFFICIAL, country_code, language_code

_ADDRESS = re.compile(r"(?:https?://(?P<host>[^/\s]+))?/?(?P<path>[^?#\s]*)")
# What addresses add to a work to name one of its states or forms.
_FORMS = {
    "", "jo", "oj", "con", "consolide", "consolidated", "ajantasa", "alkup", "enacted", "made", "main", "main-text",
    "xml", "html", "pdf", "akn",
}  # fmt: skip
_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")
_EXPRESSION = re.compile(r"(?P<language>[a-z]{2,3})(?:[@:](?P<day>[\d-]*))?")
_YEAR = re.compile(r"(?P<year>1\d{3}|20\d{2}|21\d{2})(?:-\d{2}-\d{2})?")
_COUNTER = re.compile(r"n\d+")
# One collection of law under the name that the country's ELI has for it.
_SAME = {("fi", "statute-consolidated"): "sd", ("fi", "statute"): "sd", ("fi", "sdk"): "sd"}
_SHAPE = re.compile(rf"(?:x[a-z]|{'|'.join(sorted(COUNTRIES))})(?:-[a-z]+)+(?:-[0-9a-z]+)*")


@dataclass(frozen=True)
class Work:
    """A law as its address names it: `id` without a language, and the language and day of a state, if it names one."""

    country: str
    id: str
    language: str = ""
    on: date | None = None

    def law_id(self, language: str = "") -> str:
        """Give the canonical id in a language: it goes unsaid where the country's law has only that one.

        >>> read_work("https://fedlex.data.admin.ch/eli/cc/2024/620").law_id("fr")
        'ch-cc-620-2024-fr'
        """
        spoken = language or self.language
        return self.id if OFFICIAL.get(self.country) == (spoken,) or not spoken else f"{self.id}-{spoken}"


def read_work(address: str, country: str = "") -> Work | None:
    """Read an official address; `country` is that of one that does not tell. None if it names no law.

    The shape is that of Spanish ids: jurisdiction, type, number and year. A number that only counts the acts of one
    day keeps the day; an address without a year keeps its order.

    >>> read_work("http://data.legilux.public.lu/eli/etat/leg/loi/2022/05/27/a250/jo/fr").law_id()
    'lu-loi-a250-2022'
    >>> read_work("/akn/fi/act/statute-consolidated/2024/224/fin@2024-05-03/!main")
    Work(country='fi', id='fi-sd-224-2024', language='fi', on=datetime.date(2024, 5, 3))
    >>> read_work("https://www.fedlex.admin.ch/eli/cc/24/233_245_233/20250101/de").id
    'ch-cc-24-233-245-233'
    >>> read_work("/eli/etat/leg/loi/1998/04/28/n2/jo", "lu").id
    'lu-loi-n2-1998-04-28'
    """
    found = _ADDRESS.fullmatch(address.strip())
    if found is None or not found["path"]:
        return None
    place, segments = _placed(found["path"].lower().split("/"), _host_country(found["host"] or "") or country)
    segments, language, on = _trimmed(segments)
    if not place or not segments or not any(character.isdigit() for character in segments[-1]):
        return None
    named = _named(segments, place)
    return Work(place, f"{place}-{named}", language, on) if named else None


def expressions(law_id: str) -> tuple[str, ...]:
    """Give the ids under which the corpus may hold a work in one language or another.

    >>> expressions("fi-sd-224-2024"), expressions("lu-loi-a250-2022"), expressions("ley-58-2003")
    (('fi-sd-224-2024-fi', 'fi-sd-224-2024-sv'), (), ())
    """
    languages = OFFICIAL.get(law_id[:2], ()) if is_law_id(law_id) else ()
    return tuple(f"{law_id}-{language}" for language in languages) if len(languages) > 1 else ()


def is_law_id(text: str) -> bool:
    """Whether a text has the shape of such an id.

    >>> [is_law_id(text) for text in ("ch-cc-620-2024-de", "lu-loi-a250-2022", "es-decir", "co-2-emisiones")]
    [True, True, False, False]
    """
    return bool(_SHAPE.fullmatch(text)) and any(character.isdigit() for character in text) and not text.startswith("es")


def _host_country(host: str) -> str:
    return country_code(host.split(":")[0].rsplit(".", 1)[-1])


def _placed(segments: list[str], country: str) -> tuple[str, list[str]]:
    """Give country and the segments that name the law inside its collection."""
    for mark in ("akn", "eli"):
        if mark in segments:
            segments = segments[segments.index(mark) + 1 :]
            is_told = bool(segments) and (mark == "akn" or country in ("", country_code(segments[0].split("-")[0])))
            told = country_code(segments[0].split("-")[0]) if is_told else ""
            return (told, segments[1:]) if told else (country, segments)
    if country in segments:
        return country, segments[segments.index(country) + 1 :]
    return country, segments


def _trimmed(segments: list[str]) -> tuple[list[str], str, date | None]:
    """Take off what names a state or a form of the law, and give its language and day."""
    language, on = "", None
    left = list(segments)
    while len(left) > 1:
        last = left[-1].removeprefix("!")
        expression = _EXPRESSION.fullmatch(last.split("!")[0].rstrip("."))
        code = language_code(expression["language"]) if expression else ""
        day = _day(expression["day"] or "") if expression and code else _day(last) if len(left) > 2 else None
        if not (code or day or last.split(".")[0] in _FORMS):
            break
        language, on = language or code, on or day
        left.pop()
    return left, language, on


def _day(text: str) -> date | None:
    found = _DAY.fullmatch(text)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


def _named(segments: list[str], country: str) -> str:
    """Give type, number and year in that order; a number is all that follows the year and its day."""
    at = next((place for place, one in enumerate(segments[:-1]) if _YEAR.fullmatch(one)), None)
    if at is None:
        return slug("-".join(segments))
    year, rest = segments[at], segments[at + 1 :]
    day: list[str] = []
    if len(rest) > 2 and all(re.fullmatch(r"\d{2}", one) for one in rest[:2]):
        day, rest = rest[:2], rest[2:]
    kind = segments[at - 1] if at else ""
    if not kind and len(rest) > 1:
        kind, rest = rest[0], rest[1:]
    is_counter = len(rest) == 1 and bool(_COUNTER.fullmatch(rest[0]))
    when = [year, *day] if is_counter else [year[:4]]
    return slug("-".join(filter(None, [_SAME.get((country, kind), kind), *rest, *when])))

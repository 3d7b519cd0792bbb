"""The day of the text that a citation speaks of: "redacción vigente a 28 de febrero de 2020", "@2020-02-28"."""

from __future__ import annotations

import re
from datetime import date
from typing import NamedTuple

from search.citations.folding import Folded
from search.citations.spanish.lexicon import MONTH, MONTHS, spaced

_DAY = (
    rf"(?:(?P<day>\d{{1,2}}|uno|primero)(?:\.?[ºo])? (?:de )?(?P<month>{MONTH}) (?:de |del (?:año )?)?"
    r"(?P<year>\d{4}|\d\.\d{3})(?!\d)"
    r"|(?P<number>\d{1,2}(?P<sign>[/.-])\d{1,2}(?P=sign)\d{4})(?!\d)|(?P<iso>\d{4}-\d{2}-\d{2})(?!\d))"
)
_TEXT = (
    r"(?:(?:en|segun|conforme a|con) )?(?:(?:su|la|el) )?(?:redaccion|version|texto)"
    r"(?: (?:consolidad[oa]|legal|original))?(?:,? (?:que (?:estaba|era) )?(?:vigente|en vigor|aplicable))?"
)
_FORCE = r"(?:que (?:estaba|era) )?(?:vigente|en vigor)"
_ON = r"(?:a|al|en|el)(?: (?:la|el|dia|fecha|de|del)){0,4}"
_SINCE = r"(?:desde|hasta)(?: (?:la|el|dia|fecha|de|del)){0,4}"
# A month or a year alone fixes no redaction.
_VAGUE = rf"(?:año |mes de )?(?P<vague>(?:{MONTH} del? )?(?:1[89]|20)\d\d)(?![\d/]|[.-]\d)"
_SAID = re.compile(
    spaced(
        rf"_[,(\[]?_(?:(?:{_TEXT} (?:{_ON}|{_SINCE}|del?)|{_FORCE} {_ON}|a fecha(?: de(?:l dia)?)?) {_DAY}"
        rf"|{_TEXT}(?: (?:{_ON}|{_SINCE}|del?))? {_VAGUE})(?:_[)\]])?"
    )
    + r"|[ ]?@[ ]?(?P<pinned>\d[\d/-]*)(?![\w.])"
)
_LONGEST = 160
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_CLOSED = re.compile(r"[\s.,;:»\"')\]!-]*$")


class SaidDay(NamedTuple):
    """A day as it was said, from `start` to `end` with the words around it; `on` is None if no calendar has it."""

    on: date | None
    written: str
    start: int
    end: int


def read_said_day(text: Folded, start: int) -> SaidDay | None:
    """Read the day said right behind a citation that ends at `start`.

    >>> from search.citations.folding import fold
    >>> read_said_day(fold("art. 27 LGT, redacción vigente a 28 de febrero de 2020"), 11).on
    datetime.date(2020, 2, 28)
    >>> read_said_day(fold("art. 27 LGT (en vigor el 31/02/2020)"), 11)[:2]
    (None, '31/02/2020')
    """
    match = _SAID.match(text.lower, start)
    return _said(text, match) if match else None


def read_last_day(text: Folded) -> SaidDay | None:
    """Read the day said at the very end of a text."""
    at, end = text.lower.rfind("@"), len(text.lower.rstrip())
    pinned = text.lower[at + 1 :].strip()
    if at >= 0 and pinned and not re.search(r"\s", pinned):
        begin = text.lower.index(pinned, at)
        written = text.slice(begin, begin + len(pinned))
        return SaidDay(_of_id(pinned), written, len(text.lower[:at].rstrip()), begin + len(pinned))
    last = None
    for match in _SAID.finditer(text.lower, max(0, end - _LONGEST), end):
        last = match
    return _said(text, last) if last and _CLOSED.match(text.lower, last.end()) else None


def _said(text: Folded, match: re.Match[str]) -> SaidDay:
    first = next(name for name in ("day", "number", "iso", "vague", "pinned") if match[name])
    written = text.slice(match.start(first), match.end("year" if first == "day" else first))
    return SaidDay(_date(match), written, *match.span())


def _date(match: re.Match[str]) -> date | None:
    if match["day"]:
        day = int(match["day"]) if match["day"].isdigit() else 1
        return _on(int(match["year"].replace(".", "")), MONTHS[match["month"]], day)
    if match["number"]:
        day, month, year = map(int, re.findall(r"\d+", match["number"]))
        return _on(year, month, day)
    return None if match["vague"] else _of_id(match["iso"] or match["pinned"])


def _of_id(written: str) -> date | None:
    return _on(*map(int, written.split("-"))) if _ISO.fullmatch(written) else None


def _on(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None

"""Reads the titles of Spanish provisions: kind, citation key, label as printed, and heading."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from corpus.identifiers import SUFFIXES, slug
from corpus.ordinals import read_number, roman, to_roman
from corpus.records import ArticleKind

MAX_GROUP = 500

_SUFFIX_SPELLINGS = {name: name for name in SUFFIXES} | {
    "cuater": "quater", "quarter": "quater", "quinques": "quinquies", "quinquiens": "quinquies", "sexties": "sexies",
    "novies": "nonies", "tredecies": "terdecies", "quinquedecies": "quindecies", "sedecies": "sexdecies",
    "septendecies": "septdecies", "duodevicies": "octodecies", "nonodecies": "novodecies",
    "undevicies": "novodecies",
}  # fmt: skip
_DISPOSITIONS: dict[str, tuple[ArticleKind, str]] = {
    "adicional": ("additional", "da"),
    "transitoria": ("transitional", "dt"),
    "final": ("final", "df"),
    "derogatoria": ("repealing", "dd"),
}
_PREFIXES: dict[ArticleKind, str] = {"article": "art", "other": "apartado", **dict(_DISPOSITIONS.values())}
# One-letter annexes: I, V and X are numbers; C, D, L and M are letters, since no law has a hundred annexes.
_ROMAN_LETTERS = {"I", "V", "X"}
_LEVELS = {"parte": 1, "libro": 2, "titulo": 3, "capitulo": 4, "seccion": 5, "subseccion": 6}

_ABBREVIATED = {
    "da": "adicional", "dt": "transitoria", "df": "final", "dd": "derogatoria",
    "adic": "adicional", "trans": "transitoria", "fin": "final", "derog": "derogatoria",
}  # fmt: skip
_ARTICLE = re.compile(r"(?:art[ií]culo(?P<plural>s)?|arts?\.)(?=[\s\d])\s*", re.IGNORECASE)
_DISPOSITION = re.compile(
    r"(?:disp(?:\.|osici[oó]n(?P<plural>es)?)\s*"
    r"(?P<name>adicional|transitoria|final|derogatoria|adic|trans|fin|derog)(?:es|s)?(?:\s+(?P=name))?"
    r"|(?P<initials>D\.?\s?[ATFD])(?=[.\s\d]))\b\.?\s*",
    re.IGNORECASE,
)
_OTHER_DISPOSITION = re.compile(r"disposici[oó]n\s+(?P<name>[^\W\d_]+)\b\s*", re.IGNORECASE)
_ANNEX = re.compile(r"(?P<noun>anexo|anejo|ap[eé]ndice)\b(?:\s+(?:n[uú]m(?:ero|\.)?|n\.?[ºo°])\s*)?\s*", re.IGNORECASE)
_NUMBERED_NOUN = re.compile(
    r"(?P<noun>norma|regla|base|instrucci[oó]n|cl[aá]usula|apartado|criterio|punto|principio|declaraci[oó]n)\b\s*"
    r"(?=[\d\w])",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(r"\W*(?:pre[aá]mbulo|exposici[oó]n de motivos)\b\W*", re.IGNORECASE)
_GROUP_HEADING = re.compile(r"disposiciones\s+(adicional|transitoria|final|derogatoria)(?:es|s)\b", re.IGNORECASE)

_DIGITS = re.compile(r"(?P<number>\d{1,3}(?:\.\d{3})+(?!\d)|\d+)(?:\s?\.?\s?[ºª°](?!\w)|\.?(?:er|[oa])(?!\w))?")
_WORDS = re.compile(r"[^\W\d_]+(?:\s+[^\W\d_]+){0,6}")
_ROMAN = re.compile(r"[IVXLCDM]+(?!\w)|[ivxlcdm]{1,6}(?!\w)")
_PARTS = re.compile(r"(?:\s?[/-]\s?\d+|\.\d+(?=[.\s]|$))+")
_SUFFIX = re.compile(r"[\s.-]+(?P<word>[^\W\d_]+)(?!\w)(?:\s(?P<number>\d+)(?=[.\s:]|$))?")
_LETTER = re.compile(r"[\s-]?(?P<letter>[A-ZÑ])(?=\s*(?:[.:;–—]|$|\())")
_ANNEX_PARTS = re.compile(
    r"(?:\.(?:\d+|[A-Za-z](?!\w))|\s?[-/]\s?(?:\d+|[A-Z](?!\w))|(?<=[\dA-Z])\d+(?!\w)|\s[A-Z](?=\s*(?:[.:]|$)))+"
)
_JOINT = re.compile(r"\s*,\s*(?:y\s+)?|\s+(?P<word>al?|y|e)\s+", re.IGNORECASE)
_SEPARATOR = re.compile(r"[\s.:;,)\u2013\u2014-]*")
_RUNS_ON = re.compile(r"\s+(?:de|del|que|quedan?|se|y|e|o|u|al?|en|por|con|para|ser[aá]n?)\b")


@dataclass(frozen=True)
class Heading:
    """What a title says: `key` is the unit of a citation id, `label` the name as printed, `heading` the rest.

    `offset` is where the rest begins in the title, its white space joined.
    """

    kind: ArticleKind
    key: str
    label: str
    heading: str = ""
    offset: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class _Designation:
    """A number read at the head of some text: its part of the key, and where it ends."""

    key: str
    end: int
    number: int | None = None
    suffix: str = ""


def classify(title: str, within: ArticleKind | None = None) -> Heading | None:
    """Read the title of one provision; None for anything else, headings of a structure and groups included.

    `within` is the kind of the section a bare ordinal stands in ("Primera." below "DISPOSICIONES ADICIONALES");
    without it a bare ordinal is no title.

    >>> classify("Artículo 16 A. Objeto.")
    Heading(kind='article', key='art-16-a', label='Artículo 16 A', heading='Objeto')
    >>> [classify(title).key for title in ("Disposición adicional décimo octava", "DISPOSICIÓN FINAL", "Anexo 2")]
    ['da-18', 'df-unica', 'anexo-ii']
    """
    found = classify_all(title, within)
    return found[0] if len(found) == 1 else None


def classify_all(title: str, within: ArticleKind | None = None) -> tuple[Heading, ...]:
    """Read a title that may name several provisions at once; empty if it names none.

    >>> [heading.key for heading in classify_all("Artículos 35 a 38.")]
    ['art-35', 'art-36', 'art-37', 'art-38']
    """
    text = " ".join(re.split(r"[ \t\r\n]+", unicodedata.normalize("NFC", title))).strip(" ")
    for read in (_articles, _dispositions, _annex, _numbered_noun, _other_disposition, _preamble):
        found = read(text)
        if found:
            return found
    return _bare_ordinal(text, within) if within else ()


def section_level(title: str) -> int | None:
    """Give the depth of a heading of the structure, from part and book down to subsection; None if it is none.

    >>> section_level("TÍTULO PRELIMINAR"), section_level("Sección 1.ª"), section_level("Titulación exigida")
    (3, 5, None)
    """
    word = re.match(r"[^\W\d_]+", title.strip())
    return _LEVELS.get(slug(word[0])) if word else None


def group_kind(title: str) -> ArticleKind | None:
    """Give the kind of the provisions below a heading such as "DISPOSICIONES ADICIONALES"; None for any other."""
    found = _GROUP_HEADING.match(title.strip())
    return _DISPOSITIONS[found[1].lower()][0] if found else None


def _articles(text: str) -> tuple[Heading, ...]:
    view = _plain_spaces(text)
    noun = _ARTICLE.match(view)
    if noun is None:
        return ()
    return _named(text, noun.end(), kind="article", prefix="art", is_plural=bool(noun["plural"]))


def _dispositions(text: str) -> tuple[Heading, ...]:
    view = _plain_spaces(text)
    noun = _DISPOSITION.match(view)
    if noun is None:
        return ()
    initials = re.sub(r"\W", "", noun["initials"] or "").lower()
    name = (noun["name"] or "").lower()
    kind, prefix = _DISPOSITIONS[_ABBREVIATED.get(initials or name, name)]
    found = _named(text, noun.end(), kind=kind, prefix=prefix, is_plural=bool(noun["plural"]))
    if found or noun["plural"] or initials:
        return found
    return _unnumbered(text, noun.end(), kind, f"{prefix}-unica")


def _unnumbered(text: str, end: int, kind: ArticleKind, key: str) -> tuple[Heading, ...]:
    """Name the sole provision of a kind; one that mixes two kinds ("final derogatoria") goes by its own words."""
    second = re.match(r"(?:y\s+)?(adicional|transitoria|final|derogatoria)\b", _plain_spaces(text)[end:], re.IGNORECASE)
    if second:
        end += second.end()
        key, kind = slug(text[:end]), "repealing" if "derogatoria" in text[:end].lower() else kind
    return () if _RUNS_ON.match(" " + _plain_spaces(text)[end:]) else (_heading(text, end, kind, key),)


def _annex(text: str) -> tuple[Heading, ...]:
    view = _plain_spaces(text)
    noun = _ANNEX.match(view)
    if noun is None:
        return ()
    kind: ArticleKind = "appendix" if noun["noun"].lower().startswith("ap") else "annex"
    name = "apendice" if kind == "appendix" else "anexo"
    number = _annex_number(view, noun.end())
    if number is None:
        end = noun.start() + len(noun["noun"])
        return (_heading(text, end, kind, name),)
    return (_heading(text, number.end, kind, f"{name}-{number.key}"),)


def _annex_number(view: str, start: int) -> _Designation | None:
    main = _annex_main(view, start)
    if main is None:
        return None
    parts = _ANNEX_PARTS.match(view, main.end)
    key, end = main.key, main.end
    if parts:
        key, end = "-".join([key, *re.findall(r"\d+|[a-z]", parts[0].lower())]), parts.end()
    suffix = _suffix(view, end)
    return _Designation(f"{key}-{suffix.key}", suffix.end) if suffix else _Designation(key, end)


def _annex_main(view: str, start: int) -> _Designation | None:
    numeral = _ROMAN.match(view, start)
    if numeral and roman(numeral[0]) and (len(numeral[0]) > 1 or numeral[0].upper() in _ROMAN_LETTERS):
        return _Designation(numeral[0].lower(), numeral.end())
    digits = _DIGITS.match(view, start)
    if digits and 0 < int(digits["number"].replace(".", "")) < 4000:
        return _Designation(to_roman(int(digits["number"].replace(".", ""))).lower(), digits.end())
    letter = re.compile(r"[«\"“]?(?P<letter>[A-ZÑ])[»\"”]?(?=\d|\s*[.:\-/–—]|\s*$|\s+[A-ZÁÉÍÓÚÑ][^\W\d_])").match(
        view, start
    )
    if letter:
        return _Designation(letter["letter"].lower(), letter.end())
    worded = _worded(view, start)
    if worded and worded.number:
        return _Designation(to_roman(worded.number).lower(), worded.end)
    return worded


def _numbered_noun(text: str) -> tuple[Heading, ...]:
    view = _plain_spaces(text)
    noun = _NUMBERED_NOUN.match(view)
    return _named(text, noun.end(), kind="other", prefix=slug(noun["noun"]), is_plural=False) if noun else ()


def _other_disposition(text: str) -> tuple[Heading, ...]:
    view = _plain_spaces(text)
    noun = _OTHER_DISPOSITION.match(view)
    if noun is None:
        return ()
    prefix = f"disposicion-{slug(noun['name'])}"
    found = _named(text, noun.end(), kind="other", prefix=prefix, is_plural=False)
    end = noun.start() + len(noun[0].rstrip())
    return found or (() if _RUNS_ON.match(view, end) else (_heading(text, end, "other", prefix),))


def _preamble(text: str) -> tuple[Heading, ...]:
    return (
        (Heading("preamble", "preambulo", "Preámbulo" if text.startswith("[") else text.strip(". ")),)
        if _PREAMBLE.fullmatch(text)
        else ()
    )


def _bare_ordinal(text: str, within: ArticleKind) -> tuple[Heading, ...]:
    prefix = _PREFIXES.get(within)
    return _named(text, 0, kind=within, prefix=prefix, is_plural=False) if prefix else ()


def _named(text: str, start: int, *, kind: ArticleKind, prefix: str, is_plural: bool) -> tuple[Heading, ...]:
    """Read one designation, or the several of a group, after the noun that ends at `start`."""
    view = _plain_spaces(text)
    first = _designation(view, start)
    if first is None:
        return ()
    numbers = _group(view, first)
    if len(numbers) > 1:
        noun = _singular(view[:start])
        rest, offset = _rest(text, numbers[-1].end)
        labels = [f"{noun} {_as_printed(number)}".strip() for number in numbers]
        keys = [f"{prefix}-{number.key}" for number in numbers]
        return tuple(Heading(kind, key, label, rest, offset) for key, label in zip(keys, labels, strict=True))
    if _RUNS_ON.match(view, first.end):
        return ()
    return (_heading(text, first.end, kind, f"{prefix}-{first.key}"),)


def _group(view: str, first: _Designation) -> list[_Designation]:
    """Read "35 a 41", "8, 9 bis y 10": every number between, up to `MAX_GROUP`; just the first if it is no group."""
    numbers, end = [first], first.end
    while joint := _JOINT.match(view, end):
        following = _designation(view, joint.end())
        if following is None or following.number is None:
            break
        is_range = (joint["word"] or "").lower() in {"a", "al"}
        numbers += _between(numbers[-1], following) if is_range else []
        numbers.append(following)
        end = following.end
    is_group = len(numbers) > 1 and not _RUNS_ON.match(view, end)
    return numbers if is_group and len(numbers) <= MAX_GROUP else [first]


def _between(first: _Designation, last: _Designation) -> list[_Designation]:
    if first.number is None or last.number is None:
        return []
    if first.number == last.number and first.suffix and last.suffix:
        names = SUFFIXES[SUFFIXES.index(first.suffix) + 1 : SUFFIXES.index(last.suffix)]
        return [_Designation(f"{first.number}-{name}", last.end, first.number, name) for name in names]
    return [
        _Designation(str(n), last.end, n) for n in range(first.number + 1, min(last.number, first.number + MAX_GROUP))
    ]


def _designation(view: str, start: int) -> _Designation | None:
    """Read a number with what belongs to it: parts ("10/1"), Latin suffix, letter."""
    main = _main_number(view, start)
    if main is None:
        return None
    key, end, suffix_name = main.key, main.end, ""
    parts = _PARTS.match(view, end)
    if parts:
        key, end = "-".join([key, *re.findall(r"\d+", parts[0])]), parts.end()
    suffix = _suffix(view, end)
    if suffix:
        key, end, suffix_name = f"{key}-{suffix.key}", suffix.end, suffix.suffix
    letter = _LETTER.match(view, end)
    if letter:
        key, end = f"{key}-{letter['letter'].lower()}", letter.end()
    return _Designation(key, end, main.number, suffix_name)


def _main_number(view: str, start: int) -> _Designation | None:
    digits = _DIGITS.match(view, start)
    if digits:
        number = int(digits["number"].replace(".", ""))
        return _Designation(str(number), digits.end(), number)
    numeral = _ROMAN.match(view, start)
    value = roman(numeral[0]) if numeral and numeral[0].isupper() else None
    if numeral and value:
        return _Designation(str(value), numeral.end(), value)
    return _worded(view, start)


def _worded(view: str, start: int) -> _Designation | None:
    """Read the longest run of words that is a number, or "único"."""
    words = _WORDS.match(view, start)
    if words is None:
        return None
    ends = [start + found.end() for found in re.finditer(r"[^\W\d_]+", words[0])]
    for end in reversed(ends):
        number = read_number(view[start:end])
        if number is not None:
            return _Designation(str(number), end, number)
    first = slug(view[start : ends[0]])
    return _Designation(first, ends[0]) if first in {"unico", "unica"} else None


def _suffix(view: str, start: int) -> _Designation | None:
    found = _SUFFIX.match(view, start)
    name = _SUFFIX_SPELLINGS.get(slug(found["word"])) if found else None
    if found is None or name is None:
        return None
    number = f"-{found['number']}" if found["number"] else ""
    end = found.end() if number else found.end("word")
    return _Designation(f"{name}{number}", end, suffix=name)


def _heading(text: str, end: int, kind: ArticleKind, key: str) -> Heading:
    label = _plain_spaces(text[:end]).strip().rstrip(".")
    rest, offset = _rest(text, end)
    return Heading(kind, key, label, rest, offset)


def _rest(text: str, end: int) -> tuple[str, int]:
    """Give what follows the label, without its final stop, and where it begins."""
    separator = _SEPARATOR.match(text, end)
    offset = separator.end() if separator else end
    rest = text[offset:].strip(" ")
    return rest[:-1] if rest.endswith(".") and not rest.endswith("..") else rest, offset


def _singular(noun: str) -> str:
    noun = re.sub(r"(?i)^(art[ií]culo)s\b", r"\1", noun.strip())
    return re.sub(r"(?i)^disposiciones (adicional|transitoria|derogatoria|final)(?:es|s)\b", r"Disposición \1", noun)


def _as_printed(number: _Designation) -> str:
    return number.key.replace("-", " ")


def _plain_spaces(text: str) -> str:
    """Give the text with every kind of space as a plain one, at the same offsets."""
    return re.sub(r"[\u00a0\u2000-\u200a\u202f\u3000]", " ", text)


_NO_VERBS = r"(?:albarán|alquitrán|azafrán|pacharán|refrán)"
_FINITE = re.compile(
    rf"(?:(?<!\bde)(?<!\bdel)(?<!\bel)(?<!\bla)(?<!\blos)(?<!\blas)(?<!\bun)(?<!\by)\s|^)(?!{_NO_VERBS}\b)"
    r"(?:\w{2,}(?:rá|rán)|(?-i:es|son)|está|están|debe|deben|puede|pueden|tiene|tienen|queda|quedan|se \w{2,}[ae]n?|"
    r"corresponde|corresponden|constituye|constituyen)(?=[\s,.;:])",
    re.IGNORECASE,
)
_SUBORDINATES = re.compile(
    r"\b(?:que|quien(?:es)?|donde|cuando|cuy[oa]s?|como|si|cual(?:es)?|mientras|en tanto|aunque)\b", re.IGNORECASE
)
_FOR_PURPOSES = re.compile(r"(?:a|para) (?:los? )?(?:solos )?efectos\b", re.IGNORECASE)
_ASIDE = re.compile(r"\([^)]*\)|«[^»]*»|“[^”]*”|\"[^\"]*\"")
_STOP = re.compile(r"[.:] +(?=[A-ZÁÉÍÓÚÑ¿«])")


def heading_length(rest: str) -> int:
    """Tell how much of what follows a label is heading: nothing where the text itself begins there.

    Headings are noun phrases: their verbs stand in subordinate clauses. A heading may be followed by the text on
    the same line.

    >>> heading_length("A los efectos de esta Ley..."), heading_length("Quedan derogados:")
    (0, 0)
    >>> heading_length("Personas que podrán votar"), heading_length("Junta. La Junta tendrá tres miembros.")
    (25, 5)
    """
    start = 0
    for end in [*(found.start() for found in _STOP.finditer(rest)), len(rest)]:
        if _is_sentence(rest[start:end].lstrip(".: ")):
            return start
        start = end
    return len(rest)


def _is_sentence(words: str) -> bool:
    bare = _ASIDE.sub(lambda found: "·" * len(found[0]), words)
    if _FOR_PURPOSES.match(bare):
        return True
    verb = _FINITE.search(bare)
    return verb is not None and not _SUBORDINATES.search(bare[: verb.start()])

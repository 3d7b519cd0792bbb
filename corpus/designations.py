"""Reads the numbers that provisions go by: "16 A", "9 bis", "111-1", "vigésima primera", "35 a 41", "II.B", "A"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from corpus.identifiers import SUFFIX_SPELLINGS, SUFFIXES, slug
from corpus.ordinals import read_number, roman, to_roman

MAX_GROUP = 500

# One-letter annexes: I, V and X are numbers; C, D, L and M are letters, since no law has a hundred annexes.
_ROMAN_LETTERS = {"I", "V", "X"}

_DIGITS = re.compile(r"(?P<number>\d{1,3}(?:\.\d{3})+(?!\d)|\d+)(?:\s?\.?\s?[ºª°](?!\w)|\.?(?:er|[oa])(?!\w))?")
_WORDS = re.compile(r"[^\W\d_]+(?:(?:\s+|\s?-\s?)[^\W\d_]+){0,6}")
_ROMAN = re.compile(r"[IVXLCDM]+(?!\w)|[ivxlcdm]{1,6}(?!\w)")
_PARTS = re.compile(r"(?:\s?[/-]\s?\d+|\.\d+(?=[.\s/-]|$))+")
_SUFFIX = re.compile(r"(?:,\s|[\s.-]+|(?<=\d))(?P<word>[^\W\d_]+)(?!\w)(?:[\s-](?P<number>\d+)(?=[.\s:]|$))?")
_PARTS_AFTER_SUFFIX = re.compile(r"[. ]\s?(?P<parts>\d+-\d+)(?=\.(?:\s|$)|\s*$)")  # Catalan: "3 bis. 2-4"
# Asturian and some older laws go on from "bis" with "tercero" or "dos", always in small letters; Balearic ones with
# Latin far beyond what there are names for ("duoquadragies").
_WORD_SUFFIX = re.compile(
    r"\s(?P<word>(?:decimo)?(?:segund|tercer|cuart|quint|sext|s[eé]ptim|octav|noven)[oa]|(?:un|duo)?d[eé]cim[oa]"
    r"|dos|tres|cuatro|cinco|[a-z]{3,}ies)(?=\s*(?:[.:]|$))"
)
_LETTER = re.compile(r"[\s.-]?(?P<letter>[A-ZÑ])(?=\s*(?:[.:;–—]|$|\())")
_SOLE_LETTER = re.compile(r"[«\"“]?(?P<letter>[A-ZÑ])[»\"”]?(?=\s*(?:[.:;–—]|$|\())")
_LETTER_BEFORE_SUFFIX = re.compile(rf"[\s.-]?(?P<letter>[A-ZÑ])(?=[\s.-](?:{'|'.join(SUFFIX_SPELLINGS)})\b)")
_TRANSITORY = re.compile(r"\s(?P<word>transitori[oa])(?=\s*(?:[.:(]|$))")
_SMALL_LETTER = re.compile(r"[\s.-](?P<letter>[a-zñ])(?=\s*(?:[.:;)–—]|$))")
_ANNEX_PARTS = re.compile(
    r"(?:\.(?:\d+|[A-Za-z](?!\w))|\s?[-/]\s?(?:\d+|[A-Z](?!\w))|(?<=[\dA-Z])\d+(?!\w)|\s[A-Z](?=\s*(?:[.:]|$)))+"
)
_ANNEX_LETTER = re.compile(r"[«\"“]?(?P<letter>[A-ZÑ])[»\"”]?(?=\d|\s*[.:\-/–—]|\s*$|\s+[A-ZÁÉÍÓÚÑ][^\W\d_])")
_LAST_PART = re.compile(r"(?P<before>\d+(?:-\d+)*)-(?P<part>\d+)")
_HYPHENED = re.compile(r"(?P<first>\d+)\s?[-–—]\s?(?P<last>\d+)(?=\W*(?:\s|$))")
_JOINT = re.compile(r"\s*,\s*(?:y\s+)?|\s+(?P<word>al?|y|e|i)\s+", re.IGNORECASE)


_SOLE_WORDS = {"unico": "unico", "unica": "unica", "unic": "unico", "preliminar": "preliminar"}


@dataclass(frozen=True)
class Designation:
    """A number that was read: its part of a key, where it ends, and what ranges need to count on from it."""

    key: str
    end: int
    number: int | None = None
    suffix: str = ""


def read_designation(view: str, start: int) -> Designation | None:
    """Read the number at `start` with what belongs to it: parts, Latin suffix, letter; None if there is no number.

    >>> [read_designation(text, 0).key for text in ("16 A.", "16.B.", "9 bis", "111-1", "vigésima primera", "XIV")]
    ['16-a', '16-b', '9-bis', '111-1', '21', '14']
    >>> [read_designation(text, 0).key for text in ("64 quinto. Exenciones", "15 Segundo análisis", "12. segundo")]
    ['64-quinto', '15', '12']
    >>> [read_designation(text, 0).key for text in ("9bis.", "5 A bis", "décimo-cuarto", "primero transitorio")]
    ['9-bis', '5-a-bis', '14', '1-transitorio']
    """
    main = _main_number(view, start)
    if main is None:
        return None
    read = _with_all_of_it(view, main)
    transitory = _TRANSITORY.match(view, read.end)
    return replace(read, key=f"{read.key}-transitorio", end=transitory.end()) if transitory else read


def _with_all_of_it(view: str, main: Designation) -> Designation:
    key, end, suffix_name = main.key, main.end, ""
    parts = _PARTS.match(view, end)
    if parts:
        key, end = "-".join([key, *re.findall(r"\d+", parts[0])]), parts.end()
    suffix = _suffix(view, end)
    if suffix:
        key, end, suffix_name = f"{key}-{suffix.key}", suffix.end, suffix.suffix
    parts = _PARTS_AFTER_SUFFIX.match(view, end) if suffix else None
    if parts:
        key, end = f"{key}-{parts['parts']}", parts.end()
    word = _WORD_SUFFIX.match(view, end) if view[end - 1 : end].isdigit() or suffix else None
    if word:
        key, end = f"{key}-{slug(word['word'])}", word.end()
    is_small_allowed = suffix or view[end : end + 1] in {"-", "."}
    letter = _LETTER.match(view, end) or (_SMALL_LETTER.match(view, end) if is_small_allowed else None)
    if letter:
        key, end = f"{key}-{letter['letter'].lower()}", letter.end()
    elif not suffix:
        key, end = _with_letter_and_suffix(view, key, end)
    return Designation(key, end, main.number, suffix_name)


def read_letter(view: str, start: int) -> Designation | None:
    """Read the one letter that a provision goes by instead of a number: "Artículo A. Obligaciones".

    >>> [read_letter(text, 0) and read_letter(text, 0).key for text in ("A. Obligaciones", "B", "A los efectos")]
    ['a', 'b', None]
    """
    letter = _SOLE_LETTER.match(view, start)
    return Designation(slug(letter["letter"].lower()), letter.end()) if letter else None


def read_group(view: str, first: Designation) -> list[Designation]:
    """Read "35 a 41", "8, 9 bis y 10" on from the first number: each one named or between, up to `MAX_GROUP`.

    >>> view = "35 a 37 y 40 bis."
    >>> [number.key for number in read_group(view, read_designation(view, 0))]
    ['35', '36', '37', '40-bis']
    """
    numbers, end = [first], first.end
    while joint := _JOINT.match(view, end):
        following = read_designation(view, joint.end())
        if following is None or following.number is None:
            break
        is_range = (joint["word"] or "").lower() in {"a", "al"}
        numbers += _between(numbers[-1], following) if is_range else []
        numbers.append(following)
        end = following.end
    return numbers if len(numbers) <= MAX_GROUP else [first]


def read_hyphened_range(view: str, start: int) -> list[Designation]:
    """Read "5-7" as the numbers from the first to the last, as it is meant after a plural noun.

    >>> [number.key for number in read_hyphened_range("5-7. (Suprimidos)", 0)], read_hyphened_range("7-5", 0)
    (['5', '6', '7'], [])
    """
    found = _HYPHENED.match(view, start)
    if found is None or not 0 < int(found["last"]) - int(found["first"]) < MAX_GROUP:
        return []
    return [Designation(str(n), found.end(), n) for n in range(int(found["first"]), int(found["last"]) + 1)]


def read_annex(view: str, start: int) -> Designation | None:
    """Read the number of an annex at `start`: roman, arabic, a word or a letter, with parts; all numbers as roman.

    >>> [read_annex(text, 0).key for text in ("II", "2", "primero", "C", "XII.2", "I-B")]
    ['ii', 'ii', 'i', 'c', 'xii-2', 'i-b']
    """
    main = _annex_main(view, start)
    if main is None:
        return None
    parts = _ANNEX_PARTS.match(view, main.end)
    key, end = main.key, main.end
    if parts:
        key, end = "-".join([key, *re.findall(r"\d+|[a-z]", parts[0].lower())]), parts.end()
    suffix = _suffix(view, end)
    return Designation(f"{key}-{suffix.key}", suffix.end) if suffix else Designation(key, end)


def plain_spaces(text: str) -> str:
    """Give the text with every kind of space as a plain one, at the same offsets."""
    return re.sub(r"[\u00a0\u2000-\u200a\u202f\u3000]", " ", text)


def _main_number(view: str, start: int) -> Designation | None:
    digits = _DIGITS.match(view, start)
    if digits:
        number = int(digits["number"].replace(".", ""))
        return Designation(str(number), digits.end(), number)
    numeral = _ROMAN.match(view, start)
    value = roman(numeral[0]) if numeral and numeral[0].isupper() else None
    if numeral and value:
        return Designation(str(value), numeral.end(), value)
    return _worded(view, start)


def _worded(view: str, start: int) -> Designation | None:
    """Read the longest run of words that is a number, or "único"."""
    words = _WORDS.match(view, start)
    if words is None:
        return None
    ends = [start + found.end() for found in re.finditer(r"[^\W\d_]+", words[0])]
    for end in reversed(ends):
        number = read_number(view[start:end])
        if number is not None:
            return Designation(str(number), end, number)
    first = slug(view[start : ends[0]])
    return Designation(_SOLE_WORDS[first], ends[0]) if first in _SOLE_WORDS else None


def _suffix(view: str, start: int) -> Designation | None:
    found = _SUFFIX.match(view, start)
    name = SUFFIX_SPELLINGS.get(slug(found["word"])) if found else None
    if found is None or name is None:
        return None
    number = f"-{found['number']}" if found["number"] else ""
    end = found.end() if number else found.end("word")
    return Designation(f"{name}{number}", end, suffix=name)


def _between(first: Designation, last: Designation) -> list[Designation]:
    """Give what a range names without saying so: every number, the 8 of a last "8 ter" too, and its "8 bis"."""
    if first.number is None or last.number is None:
        return []
    if first.number == last.number:
        return _parts_between(first, last) or _suffixes_between(first, last)
    end = last.number + bool(last.suffix)
    numbers = [Designation(str(n), last.end, n) for n in range(first.number + 1, min(end, first.number + MAX_GROUP))]
    return numbers + _suffixes_between(Designation(str(last.number), last.end, last.number), last)


def _suffixes_between(first: Designation, last: Designation) -> list[Designation]:
    if not last.suffix:
        return []
    names = SUFFIXES[SUFFIXES.index(first.suffix) + 1 if first.suffix else 0 : SUFFIXES.index(last.suffix)]
    return [Designation(f"{first.number}-{name}", last.end, first.number, name) for name in names]


def _parts_between(first: Designation, last: Designation) -> list[Designation]:
    """Count on from "112-1" to "112-4"."""
    known, end = _LAST_PART.fullmatch(first.key), _LAST_PART.fullmatch(last.key)
    if not known or not end or known["before"] != end["before"]:
        return []
    parts = range(int(known["part"]) + 1, min(int(end["part"]), int(known["part"]) + MAX_GROUP))
    return [Designation(f"{known['before']}-{part}", last.end, last.number) for part in parts]


def _with_letter_and_suffix(view: str, key: str, end: int) -> tuple[str, int]:
    letter = _LETTER_BEFORE_SUFFIX.match(view, end)
    suffix = _suffix(view, letter.end()) if letter else None
    return (f"{key}-{letter['letter'].lower()}-{suffix.key}", suffix.end) if letter and suffix else (key, end)


def _annex_main(view: str, start: int) -> Designation | None:
    numeral = _ROMAN.match(view, start)
    if numeral and roman(numeral[0]) and (len(numeral[0]) > 1 or numeral[0].upper() in _ROMAN_LETTERS):
        return Designation(numeral[0].lower(), numeral.end())
    digits = _DIGITS.match(view, start)
    if digits and 0 < int(digits["number"].replace(".", "")) < 4000:
        return Designation(to_roman(int(digits["number"].replace(".", ""))).lower(), digits.end())
    letter = _ANNEX_LETTER.match(view, start)
    if letter:
        return Designation(letter["letter"].lower(), letter.end())
    worded = _worded(view, start)
    if worded and worded.number:
        return Designation(to_roman(worded.number).lower(), worded.end)
    return worded

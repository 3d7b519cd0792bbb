"""The marks that number the parts of a provision: "1.", "Uno.", "2.º", "3 bis.", "a)", "ñ)", "iv)", "4.1"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from corpus.identifiers import SUFFIX_SPELLINGS, SUFFIXES, slug
from corpus.ordinals import read_number, roman

LETTERS = (*"abc", "ch", *"defghijkl", "ll", *"mnñopqrstuvwxyz")
"""The alphabet in which letras run; those of `SKIPPED` are often left out."""
SKIPPED = {"ch", "k", "ll", "ñ", "w"}

_SUFFIXES = "|".join([*sorted(SUFFIX_SPELLINGS, key=len, reverse=True), "quáter"])
_SUFFIX = rf"(?:[ \xa0.]{{0,2}}(?P<suffix>{_SUFFIXES}))?"
_LATE_SUFFIX = rf"(?:[ \xa0](?P<late>{_SUFFIXES})\b[.)]?)?"
_THEN = r"(?=[\s«“\"¿*(A-ZÁÉÍÓÚÑ]|$)"
_DOT = rf"[ \xa0]?(?:\.[ \xa0]?[-–—]?|[-–—]\.?){_LATE_SUFFIX}{_THEN}"
_PAREN = rf"[ \xa0]?\)[.-]?{_LATE_SUFFIX}"
_LETTER = r"(?P<{}>ch|ll|aa|[a-zñ]{{1,2}})"
_UPPER = "(?P<letter>[A-ZÑ])"

_PATTERNS = {
    "1.": rf"(?P<number>\d{{1,3}}){_SUFFIX}{_DOT}",
    "1)": rf"(?P<number>\d{{1,3}}){_SUFFIX}{_PAREN}",
    "(1)": rf"\((?P<number>\d{{1,3}}){_SUFFIX}\)",
    "1.º": rf"(?P<number>\d{{1,3}})[ \xa0]?(?:\.?[º°]|\.o(?=[\s.]|$)){_SUFFIX}[.)]{{0,2}}[-–—]?{_THEN}",
    "1.ª": rf"(?P<number>\d{{1,3}})[ \xa0]?(?:\.?ª|\.a(?=[\s.]|$)){_SUFFIX}[.)]{{0,2}}[-–—]?{_THEN}",
    "uno": rf"(?P<words>[^\W\d_]{{3,}}(?:[ \xa0][^\W\d_]+){{0,3}}?){_SUFFIX}[.:][-–—]?(?=[\s*(]|$)",
    "1.1": r"(?P<within>(?:[1-9]\d?\.){1,4})(?P<number>[1-9]\d?)[.)]?[-–—]?(?=\s)",
    "a)": rf"{_LETTER.format('letter')}{_SUFFIX}{_PAREN}",
    "(a)": rf"\({_LETTER.format('letter')}{_SUFFIX}\)",
    "a')": r"(?P<letter>[a-zñ])[ \xa0]?['’´`′]{1,2}[ \xa0]?\)",
    "a.": rf"(?P<letter>[a-zñ]){_SUFFIX}{_DOT}",
    "A)": rf"{_UPPER}{_SUFFIX}{_PAREN}",
    "A.": rf"{_UPPER}{_SUFFIX}{_DOT}",
    "i)": r"(?P<roman>[ivx]{1,6})[ \xa0]?\)",
    "(i)": r"\((?P<roman>[ivx]{1,6})\)",
    "i.": r"(?P<roman>[ivx]{1,6})\.[-–—]?(?=\s)",
    "I)": r"(?P<roman>[IVX]{1,6})[ \xa0]?\)",
    "I.": r"(?P<roman>[IVX]{1,6})\.[-–—]?(?=\s)",
}
_STYLES = {style: re.compile(pattern) for style, pattern in _PATTERNS.items()}


@dataclass(frozen=True, eq=False)
class Marker:
    """One reading of the mark a line begins with.

    `style` is its looks ("1." or "a)"), `number` its place in its own row, `suffix` 0 for none, 1 for bis and so on;
    `segment` is what it adds to a citation path, `label` what is printed, `length` how far the mark goes. `family`
    is what kind of number it is, whatever signs stand around it; `within` the numbers before its own in "4.1".
    """

    style: str
    number: int
    suffix: int
    segment: str
    label: str
    length: int
    family: str
    within: tuple[str, ...] = ()

    @property
    def is_first(self) -> bool:
        """Whether a row of such marks begins here."""
        return self.number == 1 and not self.suffix

    @property
    def is_heading(self) -> bool:
        """Whether it numbers a centred title, and so stands above every ordinary mark."""
        return self.style.startswith("#")

    def follows(self, last: Marker) -> bool:
        """Tell whether this is the next mark of a row after `last`.

        >>> [follows] = [read("o) x")[0].follows(read("n) x")[0])]
        >>> follows, read("2 bis. x")[0].follows(read("2. x")[0]), read("4. x")[0].follows(read("2. x")[0])
        (True, True, False)
        """
        if self.number == last.number:
            return self.suffix == last.suffix + 1
        between = range(last.number + 1, self.number)
        return not self.suffix and self.number > last.number and all(map(self._may_be_skipped, between))

    def _may_be_skipped(self, number: int) -> bool:
        return self.family.lower() == "a" and LETTERS[(number - 1) % len(LETTERS)] in SKIPPED


def read(line: str) -> list[Marker]:
    """Read the mark that `line` begins with, in every way it can be understood; nothing where there is none.

    >>> [(marker.style, marker.segment, marker.label) for marker in read("2 bis. Los obligados")]
    [('1.', '2-bis', '2 bis.')]
    >>> [(marker.style, marker.segment) for line in ("Vigésima primera. X", "Uno. X") for marker in read(line)]
    [('primero', '21'), ('uno', '1')]
    >>> [(marker.style, marker.number) for marker in read("i) texto")]
    [('a)', 10), ('i)', 1)]
    """
    return [
        marker
        for style, pattern in _begun_by(line[:1])
        if (found := pattern.match(line)) and (style != "uno" or read_number(found["words"]))
        for marker in _mark(style, found)
    ]


@cache
def _begun_by(sign: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Give the styles of which a mark can begin with that character."""
    own = _class_of(sign)
    return tuple(
        (style, pattern)
        for style, pattern in _STYLES.items()
        if own == _class_of(style[0]) or (style == "uno" and sign.isalpha())
    )


def _class_of(sign: str) -> str:
    """Tell digits, small and capital letters apart; a bracket is its own class."""
    return "0" if sign.isdigit() else "a" if sign.islower() else "A" if sign.isupper() else sign


def _mark(style: str, found: re.Match[str]) -> Iterator[Marker]:
    groups = {name: value or "" for name, value in found.groupdict().items()}
    number, segment = _place(groups)
    if not number:
        return
    written = slug(groups.get("suffix") or groups.get("late") or "")
    suffix = SUFFIX_SPELLINGS.get(written, "")
    if style == "uno" and _is_ordinal(groups["words"]):
        style = "primero"
    yield Marker(
        style=style,
        number=number,
        suffix=SUFFIXES.index(suffix) + 1 if suffix else 0,
        segment=f"{segment}-{suffix}" if suffix else segment,
        label=found[0].strip(),
        length=len(found.string) - len(found.string[found.end() :].lstrip()),
        family=style.strip("().'ºª"),
        within=tuple(groups.get("within", "").split(".")[:-1]),
    )


def _place(groups: dict[str, str]) -> tuple[int | None, str]:
    """Give a mark's place in its row and its path segment."""
    if "roman" in groups:
        return roman(groups["roman"]), groups["roman"].lower()
    if "letter" in groups:
        return _rank(groups["letter"].lower()), groups["letter"].lower()
    number = read_number(groups.get("number") or groups["words"])
    return number, str(number)


@cache
def _rank(letter: str) -> int | None:
    """Give a letra's place: a to z, then "aa", "ab" or "bb" and so on."""
    if letter in LETTERS:
        return LETTERS.index(letter) + 1
    if letter[0] in ("a", letter[1]):
        return len(LETTERS) + LETTERS.index(letter[1]) + 1
    return None


def _is_ordinal(words: str) -> bool:
    """Tell "Primero" and "Vigésima primera", which have two genders, from "Dos" and "Veintiuno"."""
    stem, ending = words[:-1], words[-1].lower()
    return not stem.lower().endswith("un") and read_number(stem + {"o": "a", "a": "o"}.get(ending, "")) is not None

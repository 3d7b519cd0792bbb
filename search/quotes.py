"""Whether words are quoted verbatim: white space, quotation marks and divided words aside, nothing is folded."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

_DOUBLE = "«»“”„‟＂〝〞"
_SINGLE = "‘’‚‛‹›"
_MARKS = {**dict.fromkeys(_DOUBLE, '"'), **dict.fromkeys(_SINGLE, "'")}
_CLOSING = {"«": "»", "“": "”", "„": "“", "‘": "’", "‹": "›", '"': '"', "'": "'"}
# What has no width, as copies from web pages have it.
_INVISIBLE = "\u200b\u200c\u200d\u2060\ufeff"
# A soft hyphen at the end of a line takes the break along: it only says where the word may be parted.
_ADORNMENT = re.compile(rf"\u00ad(?:[^\S\n]*\n\s*)?|[{_INVISIBLE}]|\s+|[{_DOUBLE}{_SINGLE}]")
_DOTS = r"(?:…|\.{3,}|\.\s\.\s\.)"
_ELISION = re.compile(rf"\s*(?:\(\s*{_DOTS}\s*\)|\[\s*{_DOTS}\s*\]|<\s*{_DOTS}\s*>|{_DOTS})\s*")
_DIVIDED = re.compile(r"(?<!\w)(\w+)[-\u2010\u00ad]\s+(\w+)")
_AFTER_CLOSING = ".,;:"
_IN_NUMBER = ".,/"
# So many lines of a printed page fit into the longest quote; each text is looked up for every word that is divided.
MOST_DIVIDED = 400
# Shorter words are another word when they are cut ("deducible" in "indeducible"); longer ones were cut by who quoted.
LONG = 30

Span = tuple[int, int]


@dataclass(frozen=True)
class Wording:
    r"""A text made ready to be compared, with the way back to its offsets.

    >>> wording = Wording.of("Los  «recar\u00adgos»\nde la ley")
    >>> wording.plain
    'Los "recargos" de la ley'
    >>> wording.original_span((5, 13))
    (6, 15)
    """

    text: str
    plain: str
    shifts: Sequence[tuple[int, int]] = ()

    @classmethod
    def of(cls, text: str) -> Wording:
        """Make single spaces and straight marks of a text in NFC, and drop its soft hyphens."""
        pieces: list[str] = []
        shifts: list[tuple[int, int]] = []
        cursor = length = 0
        for match in _ADORNMENT.finditer(text):
            plain = _plain(match[0])
            pieces += (text[cursor : match.start()], plain)
            length += match.start() - cursor + len(plain)
            cursor = match.end()
            if len(plain) != len(match[0]):
                shifts.append((length, cursor))
        pieces.append(text[cursor:])
        return cls(text, "".join(pieces), shifts)

    def original_span(self, span: Span) -> Span:
        """Give where a stretch of the plain text stands in the original."""
        return self._at(span[0]), self._at(span[1] - 1) + 1

    def _at(self, place: int) -> int:
        found = bisect_right(self._starts, place) - 1
        plain, original = self.shifts[found] if found >= 0 else (0, 0)
        return original + place - plain

    @cached_property
    def _starts(self) -> list[int]:
        return [plain for plain, _ in self.shifts]


def occurrences(wording: Wording, quoted: str, start: int = 0) -> Iterator[Span]:
    """Give where plain words stand in a text, in its order; numbers are never cut, words only by a long quote.

    >>> list(occurrences(Wording.of("Del 15 por ciento, o el 1,5 por ciento."), "5 por ciento"))
    []
    >>> list(occurrences(Wording.of("Es indeducible."), "deducible"))
    []
    """
    while quoted and (at := wording.plain.find(quoted, start)) >= 0:
        end = at + len(quoted)
        is_cut = cuts_number(wording.plain, at) or cuts_number(wording.plain, end)
        if not is_cut and (len(quoted) >= LONG or not cuts_words(wording, (at, end))):
            yield at, end
        start = at + 1


def cuts_words(wording: Wording, span: Span) -> bool:
    """Whether a stretch of the plain text begins or ends inside a word."""
    return any(
        0 < at < len(wording.plain) and _is_of_word(wording.plain[at - 1]) and _is_of_word(wording.plain[at])
        for at in span
    )


def cuts_number(plain: str, at: int) -> bool:
    """Whether a place parts a number, such as 15, 1.065 or 39/2015."""
    if not 0 < at < len(plain):
        return False
    before, after = plain[at - 1], plain[at]
    if before.isdigit() and after.isdigit():
        return True
    goes_on = after in _IN_NUMBER and before.isdigit() and plain[at + 1 : at + 2].isdigit()
    began = before in _IN_NUMBER and after.isdigit() and plain[at - 2 : at - 1].isdigit()
    return goes_on or began


def plain_quote(quote: str) -> str:
    """Make a quote ready to be looked for: in NFC, without space around it.

    >>> plain_quote("  «Los\u00a0recargos» ")
    '"Los recargos"'
    """
    return Wording.of(unicodedata.normalize("NFC", quote)).plain.strip()


def rejoined(quote: str, text: str) -> str:
    r"""Join the words that a copy of a printed page has divided, each as a text has it; others stay as they are.

    >>> rejoined("los tribu-\nnales y el decreto-\nley, pre- y poslaborales", "Los tribunales y el decreto-ley.")
    'los tribunales y el decreto-ley, pre- y poslaborales'
    """
    return _DIVIDED.sub(lambda found: _joined(found, text), quote)


def undivided(quoted: str) -> str:
    """Give the longest stretch of a quote that has no divided word.

    >>> undivided("los tribu- nales ordinarios de justicia")
    ' ordinarios de justicia'
    """
    return max(_DIVIDED.split(quoted)[::3], key=len)


def divides(quote: str) -> bool:
    """Whether a quote has what looks like words divided, no more of them than a copy of printed pages has."""
    return 0 < sum(1 for _ in islice(_DIVIDED.finditer(quote), MOST_DIVIDED + 1)) <= MOST_DIVIDED


def _joined(found: re.Match[str], text: str) -> str:
    whole = (found[1] + found[2], f"{found[1]}-{found[2]}")
    return next((word for word in whole if word in text), found[0])


def without_marks(quote: str) -> str:
    """Take off the marks that a quote stands between, if it does, with the sign that closes the sentence around it.

    >>> without_marks("«Los “recargos”»"), without_marks("«Uno» y «dos»"), without_marks('"Uno" y "dos"')
    ('Los “recargos”', '«Uno» y «dos»', '"Uno" y "dos"')
    >>> without_marks("«Los recargos»."), without_marks("«Uno» y «dos»."), without_marks("Uno.")
    ('Los recargos', '«Uno» y «dos».', 'Uno.')
    """
    ended = quote.strip()
    bare = ended.rstrip(_AFTER_CLOSING)
    inner = _between_marks(bare)
    return ended if inner == bare else inner


def _between_marks(quote: str) -> str:
    inner = quote.strip()
    if len(inner) < 2 or _CLOSING.get(inner[0]) != inner[-1]:
        return inner
    opening, closing = inner[0], inner[-1]
    if opening == closing:
        return inner if opening in inner[1:-1] else inner[1:-1].strip()
    depth = 0
    for character in inner[:-1]:
        depth += (character == opening) - (character == closing)
        if depth == 0:
            return inner
    return inner[1:-1].strip()


def elided(quoted: str) -> list[str]:
    """Part a plain quote where it says that something is left out; nothing where it does not.

    >>> elided("Los recargos (...) del 15 por ciento […].")
    ['Los recargos', 'del 15 por ciento']
    >>> elided("Los recargos.")
    []
    """
    parts = _ELISION.split(quoted)
    if len(parts) == 1:
        return []
    return [part for part in parts if any(character.isalnum() for character in part)]


def in_order(wording: Wording, parts: Sequence[str]) -> list[Span]:
    """Give where the parts stand one after the other; nothing unless all do."""
    found: list[Span] = []
    for part in parts:
        after = found[-1][1] if found else 0
        span = next(occurrences(wording, part, after), None)
        if span is None:
            return []
        found.append(span)
    return found


def _plain(adornment: str) -> str:
    if adornment[0] == "\u00ad" or adornment in _INVISIBLE:
        return ""
    return _MARKS.get(adornment, " ")


def _is_of_word(character: str) -> bool:
    return character.isalnum() or bool(unicodedata.combining(character))

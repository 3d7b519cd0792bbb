"""The numbers of annexes, in roman or arabic digits, a letter or words: each annex has one name in roman digits."""

from __future__ import annotations

import re

from corpus.ordinals import roman, to_roman
from search.citations.folding import Folded
from search.citations.spanish.counting import number_in_words
from search.citations.spanish.levels import suffix_of
from search.citations.spanish.lexicon import BLANK, NUMBER_MARK, SIGN, SOLE, SUFFIX

_ROMAN = re.compile(rf"{NUMBER_MARK}(?P<roman>[ivxlcdm]+)(?![a-z0-9ñ])")
_DIGITS = re.compile(rf"{NUMBER_MARK}(?P<number>\d{{1,4}})(?!\d){SIGN}?")
_LETTER = re.compile(r"(?P<letter>[a-z])(?![a-z0-9ñ)ºª])")
_ENDS = re.compile(r"[^a-z0-9]*$|[.,;:)\]»\"/]|[ \n]+(?:del?|y|o|u|en)(?![a-z])")
_SOLE = re.compile(SOLE)
_SUFFIX = re.compile(rf"{BLANK}(?P<suffix>{SUFFIX})")


def annex_number(text: Folded, start: int, *, is_loose: bool = False) -> tuple[str, int] | None:
    """Read an annex's number from `start` on as its key has it, with its Latin suffix, and where it ends.

    >>> from search.citations.folding import fold
    >>> annex_number(fold("2 bis"), 0), annex_number(fold("segundo"), 0), annex_number(fold("de la Ley"), 0)
    (('ii-bis', 5), ('ii', 7), None)
    """
    found = _numeral(text, start, is_loose) or _digits(text, start) or _letter(text, start, is_loose)
    found = found or _word(text, start)
    suffix = _SUFFIX.match(text.lower, found[1]) if found else None
    return (found[0] + suffix_of(suffix["suffix"]), suffix.end()) if found and suffix else found


def _numeral(text: Folded, start: int, is_loose: bool) -> tuple[str, int] | None:
    """Read a roman numeral; of single letters only I, V and X are numbers, as no law has a hundred annexes."""
    match = _ROMAN.match(text.lower, start)
    if match is None or not roman(match["roman"]):
        return None
    is_capital = text.plain[match.start("roman")].isupper()
    is_number = len(match["roman"]) > 1 or (match["roman"] in "ivx" and (is_loose or is_capital))
    return (match["roman"], match.end()) if is_number else None


def _digits(text: Folded, start: int) -> tuple[str, int] | None:
    match = _DIGITS.match(text.lower, start)
    is_number = match is not None and 0 < int(match["number"]) < 4000
    return (to_roman(int(match["number"])).lower(), match.end()) if match and is_number else None


def _letter(text: Folded, start: int, is_loose: bool) -> tuple[str, int] | None:
    match = _LETTER.match(text.lower, start)
    if match is None or not (text.plain[start].isupper() or (is_loose and _ENDS.match(text.lower, match.end()))):
        return None
    return match["letter"], match.end()


def _word(text: Folded, start: int) -> tuple[str, int] | None:
    sole = _SOLE.match(text.lower, start)
    if sole:
        return "unico", sole.end()
    words = number_in_words(text.lower, start)
    return (to_roman(words.value).lower(), words.end) if words and 0 < words.value < 4000 else None

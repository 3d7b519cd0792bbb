"""Numbers in words as they stand in running Spanish text: the longest run of words that is one number."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from corpus.ordinals import read_number

# Others are too like Spanish words: "dese traslado" is no tenth.
_CATALAN = (
    "(?:segona?|quarta?|(?:cinqu|sis|vuit|des|onz|dotz|tretz|catorz|quinz|setz|disset|divuit|dinov|vint|trent)ena)"
)
_STEM = (
    r"(?:un(?:o|a|dec|$|(?![a-z]))|dos|doc|duo|duc|tre[sic]|tri|terc|cua|cinc|seis|siet|och|oct|onc|nuev|nov|non|die"
    r"|deci|quin|vei|vig|cien|cent|prim|segu|sext|sexa|sexc|sept|seti|sete|sese|mil"
    rf"|{_CATALAN}(?![a-z]))"
)
_WORDS = re.compile(rf"{_STEM}[a-z]*+(?:(?:[ ]y[ ]|[ -]|\n){_STEM}[a-z]*+){{0,6}}")
_WORD_END = re.compile(r"[a-z]+")


class Worded(NamedTuple):
    """A number in words and where it ends."""

    value: int
    end: int


def number_in_words(lower: str, start: int) -> Worded | None:
    """Read the longest number in words that begins at `start` of folded lower-case text.

    >>> number_in_words("ciento cincuenta y cinco de la ley", 0)
    Worded(value=155, end=24)
    >>> number_in_words("primera y segunda", 0), number_in_words("única", 0)
    (Worded(value=1, end=7), None)
    """
    words = _WORDS.match(lower, start)
    if words is None:
        return None
    value, length = _longest(words[0])
    return Worded(value, start + length) if length else None


@lru_cache(maxsize=4096)
def _longest(words: str) -> tuple[int, int]:
    for end in sorted((found.end() for found in _WORD_END.finditer(words)), reverse=True):
        value = read_number(words[:end])
        if value is not None:
            return value, end
    return 0, 0

"""The wording of a text that comes nearest to a quote, and word by word what differs: in bounded time."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

_WORD = re.compile(r"\d+(?:[.,/]\d+)*|\w+|[^\w\s]")
# Of a longer quote only so many words are compared.
MOST_WORDS = 4_000
_MARGIN = 12
# A word of the text between matching ones costs a quarter of what a matching one is worth.
_GAP = 0.25

Op = Literal["equal", "delete", "insert", "replace"]


@dataclass(frozen=True)
class Difference:
    """A stretch that is equal, or that only the quote has ("delete"), only the text has ("insert"), or each its own."""

    op: Op
    quote: str
    text: str


@dataclass(frozen=True)
class Nearest:
    """The stretch `text[start:end]` that is nearest, how alike it is (1 is equal word by word), and what differs."""

    start: int
    end: int
    similarity: float
    differences: tuple[Difference, ...]


@dataclass(frozen=True)
class Words:
    """The words, numbers and signs of a text, with their places."""

    text: str

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each stands."""
        return [match.span() for match in _WORD.finditer(self.text)]

    @cached_property
    def written(self) -> list[str]:
        """Each as it is written."""
        return [self.text[start:end] for start, end in self.spans]

    @cached_property
    def folded(self) -> list[str]:
        """Each without case and accents: to find the place, never to compare."""
        return [_folded(word) for word in self.written]

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """A number for each folded word."""
        return {word: number for number, word in enumerate(dict.fromkeys(self.folded))}

    @cached_property
    def numbers(self) -> NDArray[np.int64]:
        """The number of each word, in the order of the text."""
        return np.array([self.vocabulary[word] for word in self.folded], dtype=np.int64)

    def stretch(self, first: int, last: int) -> str:
        """Give the text from one word to before another, with what stands between."""
        end = self.spans[last][0] if last < len(self.spans) else len(self.text)
        return self.text[self.spans[first][0] : end] if first < last else ""


def nearest(words: Words, quote: str) -> Nearest | None:
    """Find the stretch of a text that is nearest to a quote; None if they share no word.

    >>> found = nearest(Words("1. Se reconoce la gran incapacidad. 2. Otros."), "se reconoce la gran invalidez")
    >>> [(one.op, one.quote, one.text) for one in found.differences][-1]
    ('replace', 'invalidez', 'incapacidad')
    """
    quoted = Words(quote)
    sought = quoted.written[:MOST_WORDS]
    around = _likely(words, quoted.folded[:MOST_WORDS])
    if around is None:
        return None
    alike = common_subsequence(quoted.folded[:MOST_WORDS], words.folded[slice(*around)])
    first, last = _tightened(alike, len(sought), around)
    start, end = words.spans[first][0], words.spans[last - 1][1]
    found = Words(words.text[start:end])
    matches = common_subsequence(sought, found.written)
    similarity = round(2 * len(matches) / (len(sought) + last - first), 4)
    return Nearest(start, end, similarity, tuple(_differences(quoted, len(sought), found, matches)))


def _likely(words: Words, sought: Sequence[str]) -> tuple[int, int] | None:
    """Give the words around the stretch as long as the quote that shares most with it, rare words counting more."""
    shared = [number for word in set(sought) if (number := words.vocabulary.get(word)) is not None]
    if not shared:
        return None
    frequency = np.bincount(words.numbers)
    worth = np.zeros(len(frequency))
    worth[shared] = 1 / np.sqrt(frequency[shared])
    sums = np.concatenate(([0.0], np.cumsum(worth[words.numbers])))
    length = min(len(sought), len(words.numbers))
    best = int(np.argmax(sums[length:] - sums[: len(sums) - length]))
    margin = _MARGIN + length // 4
    return max(0, best - margin), min(len(words.numbers), best + length + margin)


def _tightened(matches: Sequence[tuple[int, int]], length: int, around: tuple[int, int]) -> tuple[int, int]:
    """Give the stretch in which matching words lie densest: single words far off are none of it.

    It goes on at both ends by as many words as the quote, of that `length`, has there without a match.
    """
    best = (0.0, 0, -1)
    worth, begin = 0.0, 0
    for place, (_one, other) in enumerate(matches):
        worth -= _GAP * (other - matches[place - 1][1] - 1) if place else 0
        if worth <= 0:
            worth, begin = 0.0, place
        worth += 1
        if worth > best[0]:
            best = (worth, begin, place)
    (before, first), (last_matched, last) = matches[best[1]], matches[best[2]]
    start, end = first - before, last + length - last_matched
    return max(around[0], around[0] + start), min(around[1], around[0] + end)


def common_subsequence(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Give the places of a longest common subsequence.

    Bit-parallel (Hyyrö, 2004): a row of the table is one integer, in which a bit is 0 where the length grows.
    """
    places: dict[str, int] = {}
    for place, word in enumerate(one):
        places[word] = places.get(word, 0) | 1 << place
    full = (1 << len(one)) - 1
    rows = [row := full]
    for word in other:
        common = row & places.get(word, 0)
        row = (row + common | row - common) & full
        rows.append(row)
    found: list[tuple[int, int]] = []
    at, row_number = len(one), len(other)
    while at and row_number:
        if rows[row_number] >> (at - 1) & 1:
            at -= 1
        elif rows[row_number - 1] >> (at - 1) & 1:
            at, row_number = at - 1, row_number - 1
            found.append((at, row_number))
        else:
            row_number -= 1
    return found[::-1]


def _differences(quoted: Words, length: int, found: Words, matches: Sequence[tuple[int, int]]) -> Iterator[Difference]:
    """Give the differences between the first words of a quote and what was found, all of both in their order."""
    at = place = 0
    runs = groupby(enumerate(matches), key=lambda pair: (pair[1][0] - pair[0], pair[1][1] - pair[0]))
    for stretch in ([match for _, match in run] for _, run in runs):
        one, other = stretch[0]
        yield from _own(quoted, found, (at, one), (place, other))
        at, place = one + len(stretch), other + len(stretch)
        yield Difference("equal", quoted.stretch(one, at), found.stretch(other, place))
    yield from _own(quoted, found, (at, length), (place, len(found.spans)))


def _own(quoted: Words, words: Words, of_quote: tuple[int, int], of_text: tuple[int, int]) -> Iterator[Difference]:
    quote, text = quoted.stretch(*of_quote), words.stretch(*of_text)
    if quote or text:
        yield Difference("replace" if quote and text else "delete" if quote else "insert", quote, text)


@lru_cache(maxsize=20_000)
def _folded(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(c))

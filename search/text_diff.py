"""What changed from one text to another, word by word and with offsets: never in quadratic time."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from search.word_diff import common_subsequence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from search.word_diff import Op

# Two stretches are compared piece with piece if the product of their lengths is at most this.
LARGEST_TABLE = 250_000
# Between two changes, equal letters up to so many and no more than either change has are read as changed too.
SHORTEST_EQUAL = 12
_DEEPEST = 8
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
# A word, number or sign with the spaces before it; every other white space is a piece of its own.
_PIECE = re.compile(r"[^\S\n\t]*(?:\d+(?:[.,/]\d+)*|\w+|[^\w\s])|\s")


@dataclass(frozen=True)
class Change:
    """What becomes of `before[from_start:from_end]`: it stays, goes, or gives way to `after[to_start:to_end]`.

    What only comes ("insert") has nothing before; the changes of two texts cover both without a gap.
    """

    op: Op
    from_start: int
    from_end: int
    to_start: int
    to_end: int


class _Block(NamedTuple):
    """So many letters, from one place in each text on, that are the same."""

    at: int
    to: int
    length: int


class _Gap(NamedTuple):
    """A stretch of each of two sequences: of letters, or of pieces."""

    first: int
    last: int
    start: int
    end: int


def changes(before: str, after: str) -> list[Change]:
    """Tell what changed from one text to the other, in order.

    >>> [(one.op, "la gran incapacidad."[one.to_start : one.to_end]) for one in
    ...  changes("la gran invalidez.", "la gran incapacidad.")]
    [('equal', 'la gran'), ('replace', ' incapacidad'), ('equal', '.')]
    """
    whole = _Gap(0, len(before), 0, len(after))
    lines = _joined(_same(_LINE, before, after, whole))
    words = [block for gap in _gaps(lines, whole) for block in _same(_PIECE, before, after, gap)]
    blocks = _legible(_joined(sorted([*lines, *words])), whole)
    return list(_changes(blocks, whole))


def _same(piece: re.Pattern[str], before: str, after: str, gap: _Gap) -> list[_Block]:
    """Give the pieces that are the same in a stretch of both texts, in order."""
    one, other = list(piece.finditer(before, *gap[:2])), list(piece.finditer(after, *gap[2:]))
    pairs = _aligned([match[0] for match in one], [match[0] for match in other])
    return [_Block(one[at].start(), other[to].start(), len(one[at][0])) for at, to in pairs]


def _joined(blocks: Iterable[_Block]) -> list[_Block]:
    """Join blocks that touch in both texts."""
    joined: list[_Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last and (block.at, block.to) == (last.at + last.length, last.to + last.length):
            joined[-1] = last._replace(length=last.length + block.length)
        else:
            joined.append(block)
    return joined


def _gaps(blocks: Sequence[_Block], whole: _Gap) -> Iterator[_Gap]:
    """Give what lies between the blocks and is not empty on both sides."""
    at, to = whole.first, whole.start
    for block in (*blocks, _Block(whole.last, whole.end, 0)):
        if block.at > at or block.to > to:
            yield _Gap(at, block.at, to, block.to)
        at, to = block.at + block.length, block.to + block.length


def _legible(blocks: Sequence[_Block], whole: _Gap) -> list[_Block]:
    """Leave out the odd word that is the same amid words that are not: it parts what reads as one change."""
    kept: list[_Block] = []
    following = [*blocks[1:], _Block(whole.last, whole.end, 0)]
    for block, after in zip(blocks, following, strict=False):
        last = kept[-1] if kept else _Block(whole.first, whole.start, 0)
        changed = min(_longer_side(last, block), _longer_side(block, after))
        if block.length > min(SHORTEST_EQUAL, changed):
            kept.append(block)
    return kept


def _longer_side(one: _Block, other: _Block) -> int:
    return max(other.at - one.at - one.length, other.to - one.to - one.length)


def _changes(blocks: Sequence[_Block], whole: _Gap) -> Iterator[Change]:
    equal = {block.at: block for block in blocks}
    stretches = [*_gaps(blocks, whole), *(_Gap(at, at + size, to, to + size) for at, to, size in blocks)]
    for stretch in sorted(stretches):
        first, last, start, end = stretch
        is_equal = first in equal and last > first and equal[first].to == start
        changed: Op = "replace" if last > first and end > start else "delete" if last > first else "insert"
        yield Change("equal" if is_equal else changed, *stretch)


def _aligned(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Give the places of pieces that are the same, in order.

    Pieces that both have once hold the rest together (patience diff, Cohen); what lies between them is aligned in
    the same way, down to stretches short enough for a table of all against all. Longer ones with nothing to hold
    on to count as changed.
    """
    found: list[tuple[int, int]] = []
    waiting = [(_Gap(0, len(before), 0, len(after)), 0)]
    while waiting:
        gap, depth = waiting.pop()
        gap = _trimmed(before, after, gap, found)
        first, last, start, end = gap
        if (last - first) * (end - start) <= LARGEST_TABLE:
            common = common_subsequence(before[first:last], after[start:end])
            found += [(first + one, start + other) for one, other in common]
        elif depth < _DEEPEST and (anchors := _ascending(_once_in_both(before, after, gap))):
            found += anchors
            waiting += [(between, depth + 1) for between in _between(anchors, gap)]
    return sorted(found)


def _trimmed(before: Sequence[str], after: Sequence[str], gap: _Gap, found: list[tuple[int, int]]) -> _Gap:
    """Take what both have at the beginning and at the end of a gap; give what is left of it."""
    first, last, start, end = gap
    while first < last and start < end and before[first] == after[start]:
        found.append((first, start))
        first, start = first + 1, start + 1
    while first < last and start < end and before[last - 1] == after[end - 1]:
        last, end = last - 1, end - 1
        found.append((last, end))
    return _Gap(first, last, start, end)


def _once_in_both(before: Sequence[str], after: Sequence[str], gap: _Gap) -> Iterator[tuple[int, int]]:
    first, last, start, end = gap
    often, there = Counter(before[first:last]), Counter(after[start:end])
    places = {after[place]: place for place in range(start, end)}
    for place in range(first, last):
        if often[before[place]] == 1 == there[before[place]]:
            yield place, places[before[place]]


def _between(anchors: Iterable[tuple[int, int]], gap: _Gap) -> Iterator[_Gap]:
    first, start = gap.first, gap.start
    for one, other in (*anchors, (gap.last, gap.end)):
        yield _Gap(first, one, start, other)
        first, start = one + 1, other + 1


def _ascending(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Keep a longest row of pairs that ascend on both sides; they come in the order of the first.

    >>> _ascending([(0, 5), (1, 2), (2, 3)])
    [(1, 2), (2, 3)]
    """
    given = list(pairs)
    ends: list[int] = []
    lasts: list[int] = []
    before: list[int] = []
    for number, (_one, other) in enumerate(given):
        place = bisect_left(ends, other)
        before.append(lasts[place - 1] if place else -1)
        ends[place : place + 1], lasts[place : place + 1] = [other], [number]
    row = []
    at = lasts[-1] if lasts else -1
    while at >= 0:
        row.append(given[at])
        at = before[at]
    return row[::-1]

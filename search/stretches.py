"""Stretches of days as terms of an index, so that "on this day" is looked up and not compared.

The days are the leaves of a binary tree. A stretch is the few nodes that just cover it, a day lies below one node of
each level: a stretch holds a day exactly if they share a node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.filters import FIRST_DAY, LAST_DAY

if TYPE_CHECKING:
    from collections.abc import Iterator

LEVELS = 22
_END = (1 << LEVELS) - 1


def covering(first: int, last: int) -> list[str]:
    """Give the nodes that cover the days from `first` to `last`, both included; none if that is no day.

    A stretch without beginning or end reaches that of the tree, which keeps it to a few nodes.

    >>> covering(6, 11)
    ['1.3', '2.2']
    """
    if first > last:
        return []
    return list(_covering(first if first > FIRST_DAY else 0, last if last < LAST_DAY else _END))


def above(day: int) -> list[str]:
    """Give the nodes that a day lies below, itself included.

    >>> set(above(10)) & set(covering(6, 11))
    {'2.2'}
    """
    return [_name(level, day >> level) for level in range(LEVELS + 1)]


def _covering(first: int, last: int) -> Iterator[str]:
    """Climb from both ends: a node whose sibling is outside stands for itself."""
    for level in range(LEVELS + 1):
        if first > last:
            return
        if first & 1:
            yield _name(level, first)
        if last >= first + (first & 1) and not last & 1:
            yield _name(level, last)
        first, last = (first + 1) >> 1, (last - 1) >> 1


def _name(level: int, place: int) -> str:
    return f"{level:x}.{place:x}"

"""Finds the part of a provision that a path names among the parts its text has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus.structure import SubUnit

Path = tuple[str, ...]


@dataclass(frozen=True)
class Located:
    """Where a path leads: `depth` levels of it were found, in one unit or, where numbering restarts, in several.

    No units and depth 0 is the whole provision.
    """

    depth: int
    units: tuple[SubUnit, ...] = ()


def locate(units: Sequence[SubUnit], path: Path) -> Located:
    r"""Follow a path as far down as the text goes.

    >>> from corpus.structure import sub_units
    >>> units = sub_units("1. Son:\na) Uno.\nb) Dos.\n2. Fin.")
    >>> [locate(units, path).depth for path in (("1", "b"), ("1", "c"), ("3",), ())]
    [2, 1, 0, 0]
    """
    for depth in range(len(path), 0, -1):
        found = tuple(unit for unit in units if unit.path == path[:depth])
        if found:
            return Located(depth, found)
    return Located(0)


def marks(units: Sequence[SubUnit], unit: SubUnit) -> list[str]:
    """Give the marks printed on the way down to a unit, its own last."""
    above = (other for other in units if other.start <= unit.start and unit.end <= other.end)
    chain = {other.path: other.label for other in above if unit.path[: len(other.path)] == other.path}
    return [chain.get(unit.path[:depth]) or unit.path[depth - 1] for depth in range(1, len(unit.path) + 1)]


def between(units: Sequence[SubUnit], first: Path, last: Path) -> list[SubUnit]:
    r"""Give the units from one path to another below the same level, in the order of the text; empty if there is none.

    >>> from corpus.structure import sub_units
    >>> units = sub_units("1. A.\n1 bis. B.\n2. C.\n3. D.")
    >>> [unit.label for unit in between(units, ("1",), ("2",))]
    ['1.', '1 bis.', '2.']
    """
    beside = [unit for unit in units if unit.path[:-1] == first[:-1]]
    paths = [unit.path for unit in beside]
    if first[:-1] != last[:-1] or paths.count(first) != 1 or paths.count(last) != 1:
        return []
    return beside[paths.index(first) : paths.index(last) + 1]


def ending_in(units: Sequence[SubUnit], path: Path, limit: int) -> list[SubUnit]:
    """Give the units whose path ends in `path`: what one may mean who left out a level."""
    return [unit for unit in units if len(unit.path) > len(path) and unit.path[-len(path) :] == path][:limit]

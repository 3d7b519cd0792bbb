"""Finds the part of a provision that a path names among the parts its text has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from search.citations import UnitMention

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus.structure import SubUnit

Path = tuple[str, ...]

_TYPED_SIGN = re.compile(r"\d+[ .]?a")


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


def in_order(units: Sequence[SubUnit], mention: UnitMention) -> UnitMention:
    r"""Give a mention with its levels in the order that the text has them in; as it is where the text has none whole.

    >>> from corpus.structure import sub_units
    >>> from search.citations import parse
    >>> units = sub_units("Son:\na) Estas:\n1.\u00ba Uno.\n2.\u00ba Dos.\nb) Otras.")
    >>> in_order(units, parse("n\u00famero 2.\u00ba, letra a), del art\u00edculo 7").units[0]).path
    ('a', '2')
    """
    others = (other for other in mention.alternatives if isinstance(other, UnitMention) and other.key == mention.key)
    return next((one for one in (mention, *others) if _has(units, one)), mention)


def _has(units: Sequence[SubUnit], mention: UnitMention) -> bool:
    """Whether the text has what is mentioned to its last level; "18a" is the 18.ª only where that sign is printed."""
    place = locate(units, mention.path)
    is_signed = bool(mention.labels) and _TYPED_SIGN.fullmatch(mention.labels[-1]) is not None
    return place.depth == len(mention.path) and (not is_signed or all("ª" in unit.label for unit in place.units))


def marks(units: Sequence[SubUnit], unit: SubUnit) -> list[str]:
    """Give the marks printed on the way down to a unit, its own last."""
    above = (other for other in units if other.start <= unit.start and unit.end <= other.end)
    chain = {other.path: other.label for other in above if unit.path[: len(other.path)] == other.path}
    return [chain.get(unit.path[:depth]) or unit.path[depth - 1] for depth in range(1, len(unit.path) + 1)]


def between(units: Sequence[SubUnit], first: Path, last: Path) -> list[SubUnit]:
    r"""Give the units from one path to another, the largest that lie wholly between, in the order of the text.

    An empty path is the beginning, or the end, of the provision. Empty if an end is missing, or is there twice.

    >>> from corpus.structure import sub_units
    >>> units = sub_units("1. A.\n1 bis. B.\n2. C:\na) D.\nb) E.\n3. F:\na) G.\nb) H.")
    >>> [unit.label for unit in between(units, ("1",), ("2",))]
    ['1.', '1 bis.', '2.']
    >>> [".".join(unit.path) for unit in between(units, ("2", "b"), ("3", "a"))]
    ['2.b', '3.a']
    >>> [".".join(unit.path) for unit in between(units, ("2",), ())], between(units, ("4",), ())
    (['2', '3'], [])
    """
    begins = [unit.start for unit in units if unit.path == first] if first else [0]
    ends = [unit.end for unit in units if unit.path == last] if last else [max((unit.end for unit in units), default=0)]
    if len(begins) != 1 or len(ends) != 1:
        return []
    inside = [unit for unit in units if begins[0] <= unit.start and unit.end <= ends[0]]
    return [one for one in inside if not any(_holds(other, one) for other in inside)]


def _holds(outer: SubUnit, inner: SubUnit) -> bool:
    """Whether a unit has another among its own parts."""
    return len(outer.path) < len(inner.path) and outer.start <= inner.start and inner.end <= outer.end


def ending_in(units: Sequence[SubUnit], path: Path, limit: int) -> list[SubUnit]:
    """Give the units whose path ends in `path`: what one may mean who left out a level."""
    return [unit for unit in units if len(unit.path) > len(path) and unit.path[-len(path) :] == path][:limit]

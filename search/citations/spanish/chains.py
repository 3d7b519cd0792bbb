"""Levels written out one beside the other, which only the law's own text puts in order: "número 1.º, letra p)"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, permutations, product
from typing import NamedTuple

from search.citations.spanish.levels import Group, Part, Span
from search.citations.spanish.unit_values import Through, Unit

MAX_LEVELS = 30
_MOST_IN_ANY_ORDER = 4
_MOST_ORDERS = 24
_LONGEST_SIGN = 3
Row = tuple[Group, ...]


class Chain(NamedTuple):
    """Levels below one provision, as written: rows parted by "de", inner first, each of levels parted by commas.

    A row may be written from the outside in or from the inside out; behind the provision (`is_behind`) the former.
    """

    rows: tuple[Row, ...]
    is_behind: bool = False

    @property
    def length(self) -> int:
        """How many levels it has."""
        return sum(map(len, self.rows))

    @property
    def groups(self) -> Row:
        """The levels from the innermost out, in the likeliest order."""
        return tuple(group for row in self.rows for group in self._inward(row)[::-1])

    @property
    def orders(self) -> Iterator[Row]:
        """The levels from the outermost in, in every order that they may be meant in, the likeliest first."""
        numbered = [tuple(group for group in row if group.spans) for row in reversed(self.rows)]
        for rows in product(*(_orders(self._inward(row)) for row in numbered)):
            yield tuple(group for row in rows for group in row)

    def within(self, outer: Group) -> Chain:
        """Put a level around all."""
        return self._replace(rows=(*self.rows, (outer,)))

    def beside(self, group: Group) -> Chain:
        """Put a level beside the last one written."""
        return self._replace(rows=(*self.rows[:-1], (*self.rows[-1], group)))

    @property
    def parted(self) -> tuple[Chain | None, Chain]:
        """The chain without the last thing that its last level lists, and with that alone: "apartados 2 | y 3"."""
        *rows, row = self.rows
        last = row[-1]
        if len(last.spans) < 2:
            return None, self
        before, alone = last._replace(spans=last.spans[:-1]), last._replace(spans=last.spans[-1:])
        return self._replace(rows=(*rows, (*row[:-1], before))), self._replace(rows=(*rows, (*row[:-1], alone)))

    def is_in_line(self, group: Group) -> bool:
        """Whether a level behind a comma is the next one, further in or out: "letra a), apartado 2", not "y 3"."""
        is_apartado = group.level.startswith("ap") and not group.level.endswith("s")
        has_apartado = any(one.level.startswith("ap") for one in self.groups)
        return _is_deeper(group, self.groups[0]) or (is_apartado and not has_apartado)

    def _inward(self, row: Row) -> Row:
        """Take a row as written from the outside in, unless it ends in the apartado, which is around all else."""
        is_outward = len(row) > 1 and _is_apartado(row[-1]) and not row[0].level.startswith("ap")
        return row[::-1] if is_outward and not self.is_behind else row

    def completed(self, last: Chain) -> Chain:
        """Lend "letra a)" the apartado of "y letra b) del apartado 2"."""
        groups, others = self.groups, last.groups
        is_alike = len(groups) < len(others) and groups[-1].level[:3] == others[len(groups) - 1].level[:3]
        return Chain((*self.rows, *((group,) for group in others[len(groups) :]))) if is_alike else self


def below(unit: Unit, chain: Chain) -> Iterator[Unit | Through]:
    """Give what a chain of levels names below a unit, each with what it may be besides, were the order another."""
    first, *others = islice(chain.orders, _MOST_ORDERS)
    for picked in _picked(first):
        levels = [span.parts for span in picked]
        if picked and picked[-1].last:
            last = [*levels[:-1], picked[-1].last]
            yield Through(_deeper(unit, levels), _deeper(unit, last))
            continue
        by_place = {group.start: span.parts for group, span in zip(first, picked, strict=True)}
        found = _deeper(unit, levels)
        turned = [_deeper(unit, [by_place[group.start] for group in order]) for order in others]
        if unit.parts and levels:
            around = unit._replace(parts=(), others=())
            cuts = [0, *(cut for cut in range(1, len(unit.parts)) if _is_apart(unit.parts[cut - 1], unit.parts[cut]))]
            turned += [_deeper(around, [unit.parts[:cut], *levels, unit.parts[cut:]]) for cut in cuts]
        yield found._replace(others=(*found.others, *_others_than(found, turned)))


def _others_than(found: Unit, turned: Iterable[Unit]) -> Iterator[Unit]:
    """Give the readings that lead elsewhere, each once."""
    seen = {tuple(part.segment for part in found.parts)}
    for one in turned:
        path = tuple(part.segment for part in one.parts)
        if path not in seen:
            seen.add(path)
            yield one._replace(others=())


def _is_apart(outer: Part, inner: Part) -> bool:
    """Whether a level is written out by itself: "14.6, número 1.º", not "14.6.1.º"."""
    return inner.start - outer.end > _LONGEST_SIGN


def deeper(unit: Unit, parts: tuple[Part, ...]) -> Unit:
    """Put levels below a unit, and below its other readings."""
    if not parts:
        return unit
    others = tuple(other._replace(parts=other.parts + parts) for other in unit.others if isinstance(other, Unit))
    start, end = min(unit.start, parts[0].start), max(unit.end, parts[-1].end)
    return unit._replace(parts=unit.parts + parts, start=start, end=end, others=others)


def _deeper(unit: Unit, levels: Iterable[tuple[Part, ...]]) -> Unit:
    for parts in levels:
        unit = deeper(unit, parts)
    return unit


def _picked(levels: Sequence[Group], before: tuple[Span, ...] = ()) -> Iterator[tuple[Span, ...]]:
    """Pick one thing listed from every level; below a range nothing more is picked."""
    if not levels:
        yield before
        return
    for span in levels[0].spans:
        if span.last:
            yield (*before, span)
        else:
            yield from _picked(levels[1:], (*before, span))


def _orders(likeliest: Row) -> Iterator[Row]:
    yield likeliest
    if len(likeliest) <= _MOST_IN_ANY_ORDER:
        yield from (order for order in permutations(likeliest) if order != likeliest)
    else:
        yield likeliest[::-1]


def _is_apartado(group: Group) -> bool:
    return group.level.startswith("ap") and bool(group.spans) and group.spans[0].parts[0].segment[0].isdigit()


def _is_deeper(inner: Group, outer: Group) -> bool:
    is_lettered = bool(inner.spans) and inner.spans[0].parts[0].segment[0].isalpha()
    is_below = not inner.level.startswith("ap") or (is_lettered and outer.level.startswith("num"))
    return inner.level[:3] != outer.level[:3] and is_below

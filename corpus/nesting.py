"""Decides which numbered part of a provision each of its lines begins or belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple

from corpus.numbering import Marker

_OF_THE_ITEM = re.compile(
    r"\b(?:este|presente|esta) (?:párrafo|letra|número|ordinal|inciso|guion|punto)\b|^A (?:estos|tales) efectos\b",
    re.IGNORECASE,
)
_OF_THE_WHOLE = re.compile(
    r"\b(?:este|presente) (?:apartado|artículo)\b|\b(?:letras|párrafos|ordinales|números) (?:[a-z]\)|\d|anterior)",
    re.IGNORECASE,
)
_DASH = re.compile(r"[-–—•·*]|[^\W\d_A-ZÁÉÍÓÚÑ]{2}")

# What a reading of the text costs: the cheapest whole reading is taken, so that each mark is judged by what follows.
_OPEN = 1.0
_OPEN_ASIDE = 1.0  # a new row beside the list before it, not inside its last item
_OPEN_LATE = 4.0  # a row that does not begin with one
_OTHER_SIGNS = 2.0  # "c." after "b)"
_GAP = 3.0
_WIDEST_GAP = 12
_BACK = 3.5
_NOT_A_MARK = 4.0
# These only settle what no mark settles, so however many they are they must not outweigh one of the above.
_LEAVE_LIST = 0.001
_LEAVE_MORE = 0.0001
_STAY_IN_LIST = 0.002
_NESTED_AGAIN = 1.5
_STRAY_PRIME = 1.0  # "a')" under no letra
_KEPT_READINGS = 12

_COST = attrgetter("cost")
_LIST_STYLES = {"a)", "(a)", "a')", "a.", "i)", "(i)", "i."}


@dataclass(frozen=True)
class Line:
    """A line, or the rest of one after a mark, with every way its own mark can be read.

    `is_announced`: the line before ends in a colon. `goes_on`: whatever it says, it is no part of a row. `is_heading`:
    a centred title inside the provision.
    """

    start: int
    end: int
    text: str = ""
    markers: tuple[Marker, ...] = ()
    is_heading: bool = False
    is_announced: bool = False
    goes_on: bool = False

    @cached_property
    def is_continuation(self) -> bool:
        """Whether, without a mark, it goes on with the item it follows."""
        return self.goes_on or self.is_announced or bool(_DASH.match(self.text) or _OF_THE_ITEM.search(self.text))

    @cached_property
    def is_closing(self) -> bool:
        """Whether, without a mark, it speaks of the whole list it follows."""
        return bool(_OF_THE_WHOLE.search(self.text))


class Level(NamedTuple):
    """An open row of marks: the mark it stands at, and whether it lists what a sentence before it announced."""

    marker: Marker
    is_list: bool


Stack = tuple[Level, ...]


class Step(NamedTuple):
    """One way to understand the lines so far; `opened` says which mark the last line opened."""

    cost: float
    stack: Stack
    opened: bool
    before: Step | None


def nested(lines: Sequence[Line]) -> list[Step]:
    """Read the lines in the least costly way and give the reading after each of them."""
    readings = [Step(0, (), False, None)]
    for line in lines:
        found: dict[tuple[Stack, bool], Step] = {}
        is_plain = not line.markers and not line.is_heading
        for reading in readings:
            stays = is_plain and not (reading.stack and reading.stack[-1].is_list)
            for cost, stack, opened in ((0.0, reading.stack, False),) if stays else _moves(reading.stack, line):
                total = reading.cost + cost
                known = found.get((stack, opened))
                if known is None or total < known.cost:
                    found[stack, opened] = Step(total, stack, opened, reading)
        readings = sorted(found.values(), key=_COST)[:_KEPT_READINGS]
    steps: list[Step] = []
    last: Step | None = readings[0]
    while last is not None and last.before is not None:
        steps.append(last)
        last = last.before
    return steps[::-1]


def _moves(stack: Stack, line: Line) -> list[tuple[float, Stack, bool]]:
    """Give what a line may do: go on in an open row, open one, or only add its text."""
    if not line.markers:
        return [(cost, stack[:depth], False) for cost, depth in _leavings(stack, line)]
    moves = [
        (cost, (*stack[:depth], Level(marker, is_list)), True)
        for marker in line.markers
        for cost, depth, is_list in _places(stack, marker, line)
    ]
    return moves + [(_NOT_A_MARK + cost, stack[:depth], False) for cost, depth in _leavings(stack, line)]


def _places(stack: Stack, marker: Marker, line: Line) -> Iterator[tuple[float, int, bool]]:
    """Give each depth at which a mark can stand, with its cost and whether its row is a list."""
    alike = -1
    for depth, level in enumerate(stack):
        if level.marker.style == marker.style:
            alike = depth
        cost = _cost_to_go_on(level.marker, marker)
        if cost is not None and (not marker.within or _is_within(stack[:depth], marker)):
            yield cost, depth, level.is_list
    if marker.number > _WIDEST_GAP:
        return
    is_list = line.is_announced or marker.style in _LIST_STYLES
    again = 0.0 if alike < 0 else _NESTED_AGAIN
    for depth in range(0 if alike < 0 else alike + 2, len(stack) + 1):
        if marker.within and not _is_within(stack[:depth], marker):
            continue
        if not (line.is_heading and _has_ordinary(stack[:depth])):
            yield _cost_to_open(stack, depth, marker, line) + again, depth, is_list


def _is_within(above: Stack, marker: Marker) -> bool:
    """Whether the numbers that the mark itself puts before its own are those of the rows above."""
    return tuple(level.marker.segment for level in above)[-len(marker.within) :] == marker.within


def _has_ordinary(above: Stack) -> bool:
    return not all(level.marker.is_heading for level in above)


def _cost_to_go_on(last: Marker, marker: Marker) -> float | None:
    if marker.style == last.style:
        if marker.follows(last):
            return 0.0
        if (marker.number, marker.suffix) < (last.number, last.suffix):
            return _BACK
        return _GAP if marker.number - last.number <= _WIDEST_GAP else None
    return _OTHER_SIGNS if marker.family == last.family and marker.follows(last) else None


def _cost_to_open(stack: Stack, depth: int, marker: Marker, line: Line) -> float:
    """Give the cost of a new row at a depth."""
    cost = _OPEN
    if not marker.is_first:
        cost += _OPEN_LATE
    if depth < len(stack) and not line.is_heading:
        cost += _OPEN_ASIDE
    if marker.style == "a')" and not (depth and stack[depth - 1].marker.family == "a"):
        cost += _STRAY_PRIME
    return cost


def _leavings(stack: Stack, line: Line) -> Iterable[tuple[float, int]]:
    """Give each depth at which a line without a mark can stand: after a list, most often in what announced it."""
    depth = len(stack)
    if line.is_heading:
        left = [(0.0, depth) for depth in range(len(stack)) if not _has_ordinary(stack[:depth])]
        return [*left, (_STAY_IN_LIST, len(stack))]
    lists = 0
    while lists < depth and stack[depth - 1 - lists].is_list:
        lists += 1
    if not lists or line.is_continuation:
        return ((0.0, depth),)
    places = [
        (_LEAVE_LIST + _LEAVE_MORE * (lists - left if line.is_closing else left), depth - left)
        for left in range(1, lists + 1)
    ]
    return [*places, (_STAY_IN_LIST, depth)]

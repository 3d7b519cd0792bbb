"""Decides which numbered part of a provision each of its lines begins or belongs to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from corpus.numbering import Marker

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

_LIST_STYLES = {"a)", "(a)", "a')", "a.", "i)", "(i)", "i."}


@dataclass(frozen=True)
class Line:
    """A line, or the rest of one after a mark, with every way its own mark can be read.

    `is_announced`: the line before ends in a colon. `is_continuation`: without a mark it goes on with the item it
    follows; `is_closing`: it speaks of the whole list. `is_heading`: a centred title inside the provision.
    """

    start: int
    end: int
    markers: tuple[Marker, ...] = ()
    is_heading: bool = False
    is_announced: bool = False
    is_continuation: bool = False
    is_closing: bool = False


class Level(NamedTuple):
    """An open row of marks: the mark it stands at, and whether it lists what a sentence before it announced."""

    marker: Marker
    is_list: bool


Stack = tuple[Level, ...]


@dataclass(frozen=True)
class Step:
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
        for reading in readings:
            for cost, stack, opened in _moves(reading.stack, line):
                total = reading.cost + cost
                if (stack, opened) not in found or total < found[stack, opened].cost:
                    found[stack, opened] = Step(total, stack, opened, reading)
        readings = sorted(found.values(), key=lambda reading: reading.cost)[:_KEPT_READINGS]
    steps: list[Step] = []
    last: Step | None = readings[0]
    while last is not None and last.before is not None:
        steps.append(last)
        last = last.before
    return steps[::-1]


def _moves(stack: Stack, line: Line) -> Iterator[tuple[float, Stack, bool]]:
    """Give what a line may do: go on in an open row, open one, or only add its text."""
    for marker in line.markers:
        for cost, depth, is_list in _places(stack, marker, line):
            yield cost, (*stack[:depth], Level(marker, is_list)), True
    ignored = _NOT_A_MARK if line.markers else 0.0
    for cost, depth in _leavings(stack, line):
        yield ignored + cost, stack[:depth], False


def _places(stack: Stack, marker: Marker, line: Line) -> Iterator[tuple[float, int, bool]]:
    """Give each depth at which a mark can stand, with its cost and whether its row is a list."""
    for depth, level in enumerate(stack):
        cost = _cost_to_go_on(level.marker, marker)
        if cost is not None and _is_within(stack[:depth], marker):
            yield cost, depth, level.is_list
    if marker.number > _WIDEST_GAP:
        return
    is_list = line.is_announced or marker.style in _LIST_STYLES
    alike = [depth for depth, level in enumerate(stack) if level.marker.style == marker.style]
    for depth in range(alike[-1] + 2 if alike else 0, len(stack) + 1):
        if _is_within(stack[:depth], marker) and not (line.is_heading and _has_ordinary(stack[:depth])):
            yield _cost_to_open(stack, depth, marker, line) + (_NESTED_AGAIN if alike else 0.0), depth, is_list


def _is_within(above: Stack, marker: Marker) -> bool:
    """Whether the numbers that the mark itself puts before its own are those of the rows above."""
    if not marker.within:
        return True
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


def _leavings(stack: Stack, line: Line) -> Iterator[tuple[float, int]]:
    """Give each depth at which a line without a mark can stand: after a list, most often in what announced it."""
    if line.is_heading:
        yield from ((0.0, depth) for depth in range(len(stack)) if not _has_ordinary(stack[:depth]))
        yield _STAY_IN_LIST, len(stack)
        return
    lists = 0
    while lists < len(stack) and stack[-1 - lists].is_list:
        lists += 1
    if not lists or line.is_continuation:
        yield 0.0, len(stack)
        return
    for left in range(1, lists + 1):
        yield _LEAVE_LIST + _LEAVE_MORE * (lists - left if line.is_closing else left), len(stack) - left
    yield _STAY_IN_LIST, len(stack)

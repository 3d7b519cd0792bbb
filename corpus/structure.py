"""Slices the text of a version into its numbered parts: apartados, números, letras and what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from corpus import numbering
from corpus.numbering import Marker
from corpus.quotation import quoted

# What a reading of the text costs: the cheapest whole reading is taken, so that each mark is judged by what follows.
_OPEN = 1.0
_OPEN_ASIDE = 1.0  # a new row beside the list before it, not inside its last item
_OPEN_LATE = 4.0  # a row that does not begin with one
_OTHER_SIGNS = 2.0  # "c." after "b)"
_GAP = 3.0
_WIDEST_GAP = 12
_BACK = 3.5
_NOT_A_MARK = 4.0
_LEAVE_LIST = 0.5
_STAY_IN_LIST = 1.0
_NESTED_AGAIN = 1.5
_KEPT_READINGS = 24

_LIST_STYLES = {"a)", "(a)", "a')", "a.", "i)", "(i)", "i."}
_OF_THE_ITEM = re.compile(
    r"\b(?:este|presente|esta) (?:párrafo|letra|número|ordinal|inciso|guion|punto)\b", re.IGNORECASE
)
_PRINTED = re.compile(r"\S[^\n]*(?<=\S)")
_DASH = re.compile(r"[-–—•·*]|[^\W\d_A-ZÁÉÍÓÚÑ]{2}")


@dataclass(frozen=True)
class SubUnit:
    """A numbered part of a provision: `text[start:end]`, with all it holds and nothing after it.

    `path` is its place as a citation writes it, `label` the mark as printed.
    """

    path: tuple[str, ...]
    label: str
    start: int
    end: int


@dataclass(frozen=True)
class _Line:
    """A line, or the rest of one after a mark, with every way its own mark can be read."""

    start: int
    end: int
    markers: tuple[Marker, ...] = ()
    is_heading: bool = False
    is_announced: bool = False
    is_continuation: bool = False


@dataclass(frozen=True)
class _Level:
    """An open row of marks: the mark it stands at, and whether it lists what a sentence before it announced."""

    marker: Marker
    is_list: bool


_Stack = tuple[_Level, ...]


@dataclass(frozen=True)
class _Reading:
    """One way to understand the lines so far; `opened` says which mark the last line opened."""

    cost: float
    stack: _Stack
    opened: bool
    before: _Reading | None


def sub_units(text: str, blocks: Sequence[Mapping[str, Any]] = ()) -> tuple[SubUnit, ...]:
    r"""Find the numbered parts of a provision in the order they stand, each before those inside it.

    `blocks` are the version's (`corpus.records.Block` as dictionaries); without them every line is a paragraph.
    Quoted text opens no part of its host. A path comes twice where the numbering restarts.

    >>> text = "1. Son tributos:\na) Las tasas.\nb) Los impuestos.\nTodos se pagan.\n2. Fin."
    >>> [(".".join(unit.path), text[unit.start : unit.end]) for unit in sub_units(text)][1:]
    [('1.a', 'a) Las tasas.'), ('1.b', 'b) Los impuestos.'), ('2', '2. Fin.')]
    """
    lines = _lines(text, blocks)
    if not any(line.markers for line in lines):
        return ()
    return tuple(_spans(lines, _cheapest(lines)))


def _lines(text: str, blocks: Sequence[Mapping[str, Any]]) -> list[_Line]:
    spans = list(_paragraphs(text, blocks))
    inside = quoted([text[start:end] for _, start, end in spans])
    lines: list[_Line] = []
    previous = ""
    for (kind, start, end), is_quoted in zip(spans, inside, strict=True):
        printed = text[start:end]
        is_announced = previous.endswith(":")
        if is_quoted or kind not in ("paragraph", "heading"):
            lines.append(_Line(start, end, is_continuation=True))
        else:
            plain = _Line(
                start,
                end,
                is_heading=kind == "heading",
                is_announced=is_announced,
                is_continuation=is_announced or bool(_DASH.match(printed) or _OF_THE_ITEM.search(printed)),
            )
            lines.extend(_with_markers(plain, printed))
        previous = printed.rstrip()
    return lines


def _paragraphs(text: str, blocks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, int, int]]:
    """Give kind, start and end of every line; a table is one."""
    for block in blocks or [{"kind": "paragraph", "start": 0, "end": len(text)}]:
        kind, start, end = block["kind"], block["start"], block["end"]
        if kind in ("table", "image"):
            yield kind, start, end
            continue
        for found in _PRINTED.finditer(text, start, end):
            yield kind, found.start(), found.end()


def _with_markers(line: _Line, printed: str) -> Iterator[_Line]:
    """Give the line with its mark, and its rest too where that begins a row at once ("1. a) ...")."""
    markers = tuple(numbering.read(printed))
    if line.is_heading:
        yield replace(line, markers=tuple(replace(marker, style="#" + marker.style) for marker in markers))
        return
    yield replace(line, markers=markers)
    if markers:
        length = markers[0].length
        first = tuple(marker for marker in numbering.read(printed[length:]) if marker.is_first)
        if first:
            yield _Line(line.start + length, line.end, first, is_continuation=True)


def _cheapest(lines: Sequence[_Line]) -> list[_Reading]:
    """Read the lines in the least costly way and give the reading after each of them."""
    readings = [_Reading(0, (), False, None)]
    for line in lines:
        found: dict[tuple[_Stack, bool], _Reading] = {}
        for reading in readings:
            for cost, stack, opened in _moves(reading.stack, line):
                total = reading.cost + cost
                if (stack, opened) not in found or total < found[stack, opened].cost:
                    found[stack, opened] = _Reading(total, stack, opened, reading)
        readings = sorted(found.values(), key=lambda reading: reading.cost)[:_KEPT_READINGS]
    steps: list[_Reading] = []
    last: _Reading | None = readings[0]
    while last is not None and last.before is not None:
        steps.append(last)
        last = last.before
    return steps[::-1]


def _moves(stack: _Stack, line: _Line) -> Iterator[tuple[float, _Stack, bool]]:
    """Give what a line may do: go on in an open row, open one, or only add its text."""
    for marker in line.markers:
        for cost, depth, is_list in _places(stack, marker, line):
            yield cost, (*stack[:depth], _Level(marker, is_list)), True
    ignored = _NOT_A_MARK if line.markers else 0.0
    for cost, depth in _leavings(stack, line):
        yield ignored + cost, stack[:depth], False


def _places(stack: _Stack, marker: Marker, line: _Line) -> Iterator[tuple[float, int, bool]]:
    """Give each depth at which a mark can stand, with its cost."""
    for depth in range(len(stack), -1, -1):
        if (
            marker.within
            and tuple(level.marker.segment for level in stack[:depth])[-len(marker.within) :] != marker.within
        ):
            continue
        if depth < len(stack):
            cost = _cost_to_go_on(stack[depth].marker, marker)
            if cost is not None:
                yield cost, depth, stack[depth].is_list
        cost = _cost_to_open(stack, depth, marker, line)
        if cost is not None:
            yield cost, depth, line.is_announced or marker.style in _LIST_STYLES


def _cost_to_go_on(last: Marker, marker: Marker) -> float | None:
    if marker.style == last.style:
        if marker.follows(last):
            return 0.0
        if (marker.number, marker.suffix) < (last.number, last.suffix):
            return _BACK
        return _GAP if marker.number - last.number <= _WIDEST_GAP else None
    return _OTHER_SIGNS if marker.family == last.family and marker.follows(last) else None


def _cost_to_open(stack: _Stack, depth: int, marker: Marker, line: _Line) -> float | None:
    """Give the cost of a new row at a depth; none inside, or instead of, a row of the same looks."""
    if marker.number > _WIDEST_GAP or any(level.marker.style == marker.style for level in stack[max(depth - 1, 0) :]):
        return None
    if line.is_heading and not all(level.marker.is_heading for level in stack[:depth]):
        return None
    is_aside = depth < len(stack) and not line.is_heading
    is_nested_again = any(level.marker.style == marker.style for level in stack[:depth])
    return (
        _OPEN
        + (0.0 if marker.is_first else _OPEN_LATE)
        + (_OPEN_ASIDE if is_aside else 0.0)
        + (_NESTED_AGAIN if is_nested_again else 0.0)
    )


def _leavings(stack: _Stack, line: _Line) -> Iterator[tuple[float, int]]:
    """Give each depth at which a line without a mark can stand: after a list, most often in what announced it."""
    if line.is_heading:
        yield from (
            (0.0, depth) for depth in range(len(stack)) if all(level.marker.is_heading for level in stack[:depth])
        )
        yield _STAY_IN_LIST, len(stack)
        return
    lists = 0
    while lists < len(stack) and stack[-1 - lists].is_list:
        lists += 1
    if not lists or line.is_continuation:
        yield 0.0, len(stack)
        return
    for left in range(lists, 0, -1):
        yield _LEAVE_LIST, len(stack) - left
    yield _STAY_IN_LIST, len(stack)


def _spans(lines: Sequence[_Line], steps: Sequence[_Reading]) -> Iterator[SubUnit]:
    starts: list[tuple[tuple[str, ...], str, int]] = []
    ends: list[int] = []
    open_units: list[int] = []
    for line, step in zip(lines, steps, strict=True):
        depth = len(step.stack)
        del open_units[depth - 1 if step.opened else depth :]
        if step.opened:
            path = tuple(level.marker.segment for level in step.stack)
            open_units.append(len(starts))
            starts.append((path, step.stack[-1].marker.label, line.start))
            ends.append(line.end)
        for unit in open_units:
            ends[unit] = line.end
    for (path, label, start), end in zip(starts, ends, strict=True):
        yield SubUnit(path, label, start, end)

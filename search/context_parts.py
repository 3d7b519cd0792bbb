"""Cuts a provision for reading: whole paragraphs, its sub-units, or all of it; never inside a sentence."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from corpus.structure import SubUnit

_LINE = re.compile(r"\S[^\n]*(?<=\S)")
Stretch = tuple[int, int]


class Part(NamedTuple):
    """`text[start:end]` of a provision; `path` names it, or the smallest sub-unit that holds it if not `is_citable`."""

    start: int
    end: int
    path: tuple[str, ...] = ()
    is_citable: bool = True


@dataclass
class _Node:
    part: Part
    children: list[_Node] = field(default_factory=list)


@dataclass(frozen=True)
class Cut:
    """What may be shown of a provision, each selection larger than the one before it; the last is the whole.

    `core` is the place of the smallest selection of whole sub-units that holds all that was found.
    """

    selections: list[list[Part]]
    core: int


def cut(
    text: str,
    units: Sequence[SubUnit],
    tables: Sequence[Mapping[str, Any]],
    passage: Stretch,
    marks: Sequence[int] = (),
) -> Cut:
    r"""Give the selections that hold `passage`, or where that is too much the part of it with most `marks`.

    `tables` are blocks that are shown whole. `marks` are where the text speaks of what was asked.

    >>> from corpus.structure import sub_units
    >>> text = "1. Uno:\na) A.\nb) B.\n2. Dos."
    >>> found = cut(text, sub_units(text), [], (14, 19))
    >>> [[".".join(part.path) for part in selection] for selection in found.selections]
    [['1.b'], ['1'], ['']]
    """
    root = _tree(units, len(text))
    lines = list(_paragraphs(text, tables))
    node, (start, end) = root, passage
    selections = [[root.part]]
    core: int | None = None
    while True:
        if core is None and start <= node.part.start and node.part.end <= end:
            core = len(selections) - 1
        inside = [child for child in node.children if _touches(child.part, (start, end))]
        if len(inside) == 1 and inside[0].part.start <= start and end <= inside[0].part.end:
            node = inside[0]
            selections.append([node.part])
            continue
        core = len(selections) if core is None else core
        if len(inside) < 2:
            break
        selections.append([child.part for child in inside])
        node = max(inside, key=lambda child: _marked(child.part, marks))
        start, end = max(start, node.part.start), min(end, node.part.end)
        selections.append([node.part])
    touched = [line for line in lines if _touches(line, node.part) and _touches(line, (start, end))]
    selections += [_stretch(touched, node), _stretch([max(touched, key=lambda line: _marked(line, marks))], node)]
    distinct = [one for one, before in zip(selections[1:], selections, strict=False) if one and one != before]
    return _smallest_first([selections[0], *distinct], core)


def together(cuts: Sequence[Cut]) -> Cut:
    r"""Give the selections for several passages of one provision: those of the first, then the cores of all as one.

    >>> from corpus.structure import sub_units
    >>> text = "1. Uno.\n2. Dos.\n3. Tres."
    >>> cuts = [cut(text, sub_units(text), [], stretch) for stretch in ((0, 7), (16, 24))]
    >>> [[".".join(part.path) for part in selection] for selection in together(cuts).selections]
    [['1'], ['1', '3'], ['']]
    """
    first = cuts[0]
    parts = sorted(
        {part for one in cuts for part in one.selections[one.core]}, key=lambda part: (part.start, -part.end)
    )
    joined: list[Part] = []
    for part in parts:
        if not joined or part.start >= joined[-1].end:
            joined.append(part)
    if joined in first.selections:
        return Cut(first.selections, first.selections.index(joined))
    smaller = first.selections[: first.core + 1]
    larger = [one for one in first.selections[first.core + 1 :] if _size(one) > _size(joined)]
    return Cut([*smaller, joined, *larger], len(smaller))


def lead_ins(text: str, units: Sequence[SubUnit], part: Part) -> list[Part]:
    r"""Give the lines that announce a part, outermost first: those before the first sub-unit that end in a colon.

    >>> from corpus.structure import sub_units
    >>> text = "Son:\n1. Uno, si:\na) A.\nb) B."
    >>> [text[one.start : one.end] for one in lead_ins(text, sub_units(text), Part(23, 28, ("1", "b")))]
    ['Son:', '1. Uno, si:']
    """
    found = []
    node = _tree(units, len(text))
    while node.children:
        before = text[node.part.start : node.children[0].part.start].rstrip()
        start = node.part.start + before.rfind("\n") + 1
        end = node.part.start + len(before)
        if before.endswith(":") and not part.start <= start < part.end:
            found.append(Part(start, end, node.part.path, is_citable=False))
        below = next((one for one in node.children if one.part.start <= part.start and part.end <= one.part.end), None)
        if below is None or below.part[:2] == part[:2]:
            return found
        node = below
    return found


def _smallest_first(selections: list[list[Part]], core: int | None) -> Cut:
    last = len(selections) - 1
    return Cut(selections[::-1], max(0, last - (last if core is None else min(core, last))))


def _tree(units: Sequence[SubUnit], length: int) -> _Node:
    """Nest the sub-units that a citation can name; those whose numbering restarts belong to what holds them."""
    times = Counter(unit.path for unit in units)
    root = _Node(Part(0, length))
    above = [root]
    for unit in units:
        if times[unit.path] > 1:
            continue
        while not (above[-1].part.start <= unit.start and unit.end <= above[-1].part.end):
            above.pop()
        node = _Node(Part(unit.start, unit.end, unit.path))
        above[-1].children.append(node)
        above.append(node)
    return root


def _paragraphs(text: str, tables: Sequence[Mapping[str, Any]]) -> Iterator[Stretch]:
    bounds = [0, *(bound for table in tables for bound in (table["start"], table["end"])), len(text)]
    whole = {(table["start"], table["end"]) for table in tables}
    for start, end in pairwise(bounds):
        if (start, end) in whole:
            yield start, end
        else:
            yield from ((line.start(), line.end()) for line in _LINE.finditer(text, start, end))


def _stretch(lines: Sequence[Stretch], node: _Node) -> list[Part]:
    """Give neighbouring paragraphs of a node as one part: the node itself if they are all of it."""
    part = Part(max(lines[0][0], node.part.start), lines[-1][1], node.part.path, is_citable=False)
    return [node.part] if part[:2] == node.part[:2] else [part]


def _touches(one: Stretch | Part, other: Stretch | Part) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _size(selection: Sequence[Part]) -> int:
    return sum(part.end - part.start for part in selection)


def _marked(stretch: Stretch | Part, marks: Sequence[int]) -> int:
    return sum(stretch[0] <= mark < stretch[1] for mark in marks)

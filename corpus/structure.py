"""Slices the text of a version into its numbered parts: apartados, números, letras and what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from corpus import numbering
from corpus.nesting import Line, Step, nested
from corpus.quotation import quoted

_QUOTED_STYLES = {"cita", "cita_con_pleca", "sangrado", "sangrado_2", "sangrado_articulo"}  # the BOE's
_OPENS, _INSIDE = "opens", "inside"
_PRINTED = re.compile(r"\S[^\n]*(?<=\S)")


@dataclass(frozen=True)
class SubUnit:
    """A numbered part of a provision: `text[start:end]`, with all it holds and nothing after it.

    `path` is its place as a citation writes it, `label` the mark as printed.
    """

    path: tuple[str, ...]
    label: str
    start: int
    end: int


def sub_units(text: str, blocks: Sequence[Mapping[str, Any]] = ()) -> tuple[SubUnit, ...]:
    r"""Find the numbered parts of a provision in the order they stand, each before those inside it.

    `blocks` are the version's (`corpus.records.Block` as dictionaries); without them every line is a paragraph. Where
    their source marks the parts (`opening_style`), those are the parts.
    Quoted text opens no part of its host. A path comes twice where the numbering restarts.

    >>> text = "1. Son tributos:\na) Las tasas.\nb) Los impuestos.\nTodos se pagan.\n2. Fin."
    >>> [(".".join(unit.path), text[unit.start : unit.end]) for unit in sub_units(text)][1:]
    [('1.a', 'a) Las tasas.'), ('1.b', 'b) Los impuestos.'), ('2', '2. Fin.')]
    """
    if any(block.get("style", "").startswith(_OPENS) for block in blocks):
        return tuple(_given(blocks))
    lines = _lines(text, blocks)
    if not any(line.markers for line in lines):
        return ()
    return tuple(_spans(lines, nested(lines)))


def opening_style(path: str, printed: str) -> str:
    """Give the style of a block that opens a part which its source marks, under the number printed there."""
    return f"{_OPENS} {path} {printed}".rstrip()


def inside_style(path: str) -> str:
    """Give the style of a block that goes on in a part which its source marks."""
    return f"{_INSIDE} {path}"


def _given(blocks: Sequence[Mapping[str, Any]]) -> Iterator[SubUnit]:
    """Give the parts that the source itself marks; nothing is read from signs where it does."""
    opened: list[tuple[tuple[str, ...], str, int]] = []
    ends: dict[int, int] = {}
    current: list[int] = []
    for block in blocks:
        role, _, rest = (block.get("style") or "").partition(" ")
        path, _, printed = rest.partition(" ") if role in (_OPENS, _INSIDE) else ("", "", "")
        levels = tuple(path.split(".")) if path else ()
        current = [one for one in current if levels[: len(opened[one][0])] == opened[one][0]]
        if role == _OPENS:
            current = [one for one in current if opened[one][0] != levels]
            current.append(len(opened))
            opened.append((levels, printed, block["start"]))
        ends.update(dict.fromkeys(current, block["end"]))
    for number, (levels, printed, start) in enumerate(opened):
        yield SubUnit(levels, printed, start, ends[number])


def _lines(text: str, blocks: Sequence[Mapping[str, Any]]) -> list[Line]:
    spans = list(_paragraphs(text, blocks))
    inside = quoted([text[start:end] for _, start, end in spans])
    lines: list[Line] = []
    previous = ""
    for (kind, start, end), is_quoted in zip(spans, inside, strict=True):
        printed = text[start:end]
        if is_quoted or kind not in ("paragraph", "heading"):
            lines.append(Line(start, end, goes_on=True))
        else:
            is_announced = previous.endswith(":")
            lines.extend(_with_markers(start, end, printed, is_heading=kind == "heading", is_announced=is_announced))
        previous = printed.rstrip()
    return lines


def _paragraphs(text: str, blocks: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, int, int]]:
    """Give kind, start and end of every line; a table is one."""
    for block in blocks or [{"kind": "paragraph", "start": 0, "end": len(text)}]:
        kind, start, end = block["kind"], block["start"], block["end"]
        if block.get("style") in _QUOTED_STYLES:
            kind = "quote"
        if kind in ("table", "image"):
            yield kind, start, end
            continue
        for found in _PRINTED.finditer(text, start, end):
            yield kind, found.start(), found.end()


def _with_markers(start: int, end: int, printed: str, *, is_heading: bool, is_announced: bool) -> Iterator[Line]:
    """Give a line with its mark, and its rest too where that begins a row at once ("1. a) ...")."""
    markers = tuple(numbering.read(printed))
    if is_heading:
        titles = tuple(replace(marker, style="#" + marker.style) for marker in markers)
        yield Line(start, end, printed, titles, is_heading=True, is_announced=is_announced)
        return
    yield Line(start, end, printed, markers, is_announced=is_announced)
    if markers:
        length = markers[0].length
        rest = printed[length:]
        first = tuple(marker for marker in numbering.read(rest) if marker.is_first and marker.length < len(rest))
        if first:
            yield Line(start + length, end, rest, first, goes_on=True)


def _spans(lines: Sequence[Line], steps: Sequence[Step]) -> Iterator[SubUnit]:
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

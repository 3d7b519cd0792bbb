"""Slices the text of a version into its numbered parts: apartados, números, letras and what they hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from corpus import numbering
from corpus.nesting import Line, Step, nested
from corpus.quotation import quoted

_OF_THE_ITEM = re.compile(
    r"\b(?:este|presente|esta) (?:párrafo|letra|número|ordinal|inciso|guion|punto)\b|^A (?:estos|tales) efectos\b",
    re.IGNORECASE,
)
_OF_THE_WHOLE = re.compile(
    r"\b(?:este|presente) (?:apartado|artículo)\b|\b(?:letras|párrafos|ordinales|números) (?:[a-z]\)|\d|anterior)",
    re.IGNORECASE,
)
_QUOTED_STYLES = {"cita", "cita_con_pleca", "sangrado", "sangrado_2", "sangrado_articulo"}  # the BOE's
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
    return tuple(_spans(lines, nested(lines)))


def _lines(text: str, blocks: Sequence[Mapping[str, Any]]) -> list[Line]:
    spans = list(_paragraphs(text, blocks))
    inside = quoted([text[start:end] for _, start, end in spans])
    lines: list[Line] = []
    previous = ""
    for (kind, start, end), is_quoted in zip(spans, inside, strict=True):
        printed = text[start:end]
        is_announced = previous.endswith(":")
        if is_quoted or kind not in ("paragraph", "heading"):
            lines.append(Line(start, end, is_continuation=True))
        else:
            plain = Line(
                start,
                end,
                is_heading=kind == "heading",
                is_announced=is_announced,
                is_closing=bool(_OF_THE_WHOLE.search(printed)),
                is_continuation=is_announced or bool(_DASH.match(printed) or _OF_THE_ITEM.search(printed)),
            )
            lines.extend(_with_markers(plain, printed))
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


def _with_markers(line: Line, printed: str) -> Iterator[Line]:
    """Give the line with its mark, and its rest too where that begins a row at once ("1. a) ...")."""
    markers = tuple(numbering.read(printed))
    if line.is_heading:
        yield replace(line, markers=tuple(replace(marker, style="#" + marker.style) for marker in markers))
        return
    yield replace(line, markers=markers)
    if markers:
        length = markers[0].length
        rest = printed[length:]
        first = tuple(marker for marker in numbering.read(rest) if marker.is_first and marker.length < len(rest))
        if first:
            yield Line(line.start + length, line.end, first, is_continuation=True)


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

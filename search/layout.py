"""How the verbatim text of a provision is laid out: paragraphs, tables and sub-units in their nests, nothing lost."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any

from corpus.records import Block, Cell, Mark
from search.laid_out import Item, Link, Paragraph, Run, Table, TableCell, Unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corpus.structure import SubUnit

QUOTED_STYLES = {"cita", "cita_con_pleca", "sangrado", "sangrado_2", "sangrado_articulo"}


@dataclass
class _Open:
    """A sub-unit still being filled; the root's path is empty."""

    path: tuple[str, ...]
    anchor: str
    end: int
    items: list[Item] = field(default_factory=list)


def lay_out(
    text: str,
    blocks: Sequence[Mapping[str, Any]],
    units: Sequence[SubUnit],
    within: tuple[int, int] | None = None,
    links: Sequence[Link] = (),
) -> tuple[Item, ...]:
    """Lay out `text`, or the part `within` two offsets, as lines and tables nested in their sub-units.

    A sub-unit that fills whole lines becomes a `Unit`; one that begins inside a line is an anchor there. One that
    goes on past the end is shown as far as it reaches. Of `links` that overlap the first counts.
    """
    start, end = within or (0, len(text))
    shown = [replace(unit, end=min(unit.end, end)) for unit in units if start <= unit.start < end]
    anchors = _anchors(shown)
    lines = list(_lines(text, blocks, start, end))
    nested = _whole_line_units(shown, lines, text)
    apart = _apart(links)
    root = _Open((), "", end)
    stack = [root]
    for line in lines:
        while len(stack) > 1 and line.start >= stack[-1].end:
            _close(stack)
        begun = nested.pop(line.start, ())
        stack.extend(_Open(unit.path, anchors[id(unit)], unit.end) for unit in begun)
        stack[-1].items.append(_show(text, line, shown, anchors, _within(apart, line.start, line.end)))
    while len(stack) > 1:
        _close(stack)
    return tuple(root.items)


def lead_ins(text: str, units: Sequence[SubUnit], path: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Give the stretches that introduce a sub-unit: of the provision, then of each level above, up to its first part.

    They are what a reader needs to understand "b) the taxpayer": the words before letter a).
    """
    found = []
    for depth in range(len(path)):
        above = path[:depth]
        own = next((unit for unit in units if unit.path == above), None)
        start = own.start if own else 0
        if depth and own is None:
            continue
        below = [unit.start for unit in units if unit.path[:depth] == above and len(unit.path) > depth]
        if below and text[start : min(below)].strip():
            found.append((start, min(below)))
    return tuple(found)


def _anchors(units: Iterable[SubUnit]) -> dict[int, str]:
    """Name every sub-unit by its path; only the first of a repeated path is named."""
    seen: set[str] = set()
    names = {}
    for unit in units:
        name = ".".join(unit.path)
        names[id(unit)] = "" if name in seen else name
        seen.add(name)
    return names


def _lines(text: str, blocks: Sequence[Mapping[str, Any]], start: int, end: int) -> Iterator[Block]:
    """Give the blocks between two offsets, clipped to them, and plain lines for whatever no block covers."""
    cursor = start
    for block in sorted(map(_block, blocks), key=lambda block: block.start):
        if block.end <= cursor or block.start >= end:
            continue
        yield from _plain_lines(text, cursor, block.start)
        is_whole = block.kind == "table" or (cursor <= block.start and block.end <= end)
        yield block if is_whole else _clipped(block, max(block.start, cursor), min(block.end, end))
        cursor = min(block.end, end)
    yield from _plain_lines(text, cursor, end)


def _plain_lines(text: str, start: int, end: int) -> Iterator[Block]:
    for line in text[start:end].split("\n") if start < end else ():
        if line.strip():
            yield Block("paragraph", start, start + len(line))
        start += len(line) + 1


def _clipped(block: Block, start: int, end: int) -> Block:
    return Block(block.kind, start, end, block.style, marks=block.marks)


def _block(stored: Mapping[str, Any]) -> Block:
    rows = tuple(tuple(Cell(**cell) for cell in row) for row in stored.get("rows", ()))
    marks = tuple(Mark(**mark) for mark in stored.get("marks", ()))
    return Block(stored["kind"], stored["start"], stored["end"], stored.get("style", ""), rows, marks)


def _whole_line_units(units: Sequence[SubUnit], lines: Sequence[Block], text: str) -> dict[int, list[SubUnit]]:
    """Group by first offset, outermost first, the sub-units that begin and end where lines do."""
    starts = {line.start for line in lines}
    ends = {line.end for line in lines}
    found: dict[int, list[SubUnit]] = {}
    for unit in sorted(units, key=lambda unit: (unit.start, -unit.end, len(unit.path))):
        last = unit.start + len(text[unit.start : unit.end].rstrip())
        if unit.start in starts and (last in ends or unit.end in ends):
            found.setdefault(unit.start, []).append(unit)
    return found


def _close(stack: list[_Open]) -> None:
    done = stack.pop()
    stack[-1].items.append(Unit(done.path, done.anchor, tuple(done.items)))


def _apart(links: Iterable[Link]) -> list[Link]:
    """Give the links in order, without those that begin inside one before them."""
    kept: list[Link] = []
    for link in sorted(links, key=lambda link: (link.start, -link.end)):
        if not kept or link.start >= kept[-1].end:
            kept.append(link)
    return kept


def _within(links: Sequence[Link], start: int, end: int) -> list[Link]:
    """Give those of some links in order that reach into a stretch."""
    first = bisect_right(links, start, key=lambda link: link.end)
    return list(takewhile(lambda link: link.start < end, links[first:]))


def _show(
    text: str, line: Block, units: Sequence[SubUnit], anchors: Mapping[int, str], links: Sequence[Link]
) -> Paragraph | Table:
    if line.kind == "table":
        return _table(text, line, links)
    return Paragraph(tuple(_runs(text, line, units, anchors, links)), _look(line))


def _look(line: Block) -> str:
    if line.kind in ("heading", "quote", "image"):
        return line.kind
    if line.style.startswith("centro"):
        return "centred"
    if line.style.startswith("firma"):
        return "signature"
    return "quote" if line.style in QUOTED_STYLES else "plain"


def _runs(
    text: str, line: Block, units: Sequence[SubUnit], anchors: Mapping[int, str], links: Sequence[Link]
) -> Iterator[Run]:
    begun = {unit.start: unit for unit in units if line.start <= unit.start < line.end}
    labels = {
        (unit.start, unit.start + len(unit.label))
        for unit in begun.values()
        if unit.label and text.startswith(unit.label, unit.start)
    }
    cuts = {line.start, line.end, *begun}
    marks = ((mark.start, mark.end) for mark in line.marks)
    for span in (*labels, *marks, *((link.start, link.end) for link in links)):
        cuts.update(offset for offset in span if line.start < offset < line.end)
    for start, end in pairwise(sorted(cuts)):
        tags = tuple(mark.tag for mark in line.marks if mark.start <= start and end <= mark.end)
        inside = start in begun and start != line.start
        anchor = anchors[id(begun[start])] if inside else ""
        is_label = any(first <= start and end <= last for first, last in labels)
        link = next((link for link in links if link.start <= start and end <= link.end), None)
        yield Run(text[start:end], tags, anchor, is_label, link)


def _table(text: str, line: Block, links: Sequence[Link]) -> Table:
    rows = [tuple(_cell(text, cell, links) for cell in row) for row in line.rows]
    depth = 0
    while depth < len(rows) - 1 and all(cell.is_header for cell in rows[depth]):
        depth += 1
    if not depth and _reads_as_header(rows):
        depth = 1
    return Table(tuple(map(_as_header, rows[:depth])), tuple(rows[depth:]))


def _cell(text: str, cell: Cell, links: Sequence[Link]) -> TableCell:
    written = text[cell.start : cell.end]
    start = cell.start + len(written) - len(written.lstrip())
    shown = Block("paragraph", start, start + len(written.strip()))
    inside = _within(links, shown.start, shown.end)
    linked = tuple(_runs(text, shown, (), {}, inside)) if inside else ()
    return TableCell(written.strip(), cell.is_header, cell.colspan, cell.rowspan, linked)


def _reads_as_header(rows: Sequence[Sequence[TableCell]]) -> bool:
    """Whether an unmarked first row names the columns: words only, over rows with figures."""
    if len(rows) < 2 or any(cell.is_header for row in rows for cell in row):
        return False
    first_has_words = all(cell.text and not any(c.isdigit() for c in cell.text) for cell in rows[0])
    return first_has_words and any(c.isdigit() for row in rows[1:] for cell in row for c in cell.text)


def _as_header(row: Sequence[TableCell]) -> tuple[TableCell, ...]:
    return tuple(replace(cell, is_header=True) for cell in row)

"""Splits the text of a version into passages that are embedded, and composes what the embedder gets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus.structure import SubUnit

MAX_CHARACTERS = 1200
MAX_HEADER_CHARACTERS = 300
# Tables are figures and signs: 2.4 characters a token at worst, where prose has 4 to 5.
TABLE_SHARE = 0.5

_LINE = re.compile(r"\S[^\n]*")
_SENTENCE_END = re.compile(r"(?<=\w\w\w)[.!?…][\"'»”)\]]*\s+(?=[\"'«“(\[¡¿]*[^\W\d_a-zà-ÿ])")
_CLAUSE_END = re.compile(r"[;:]\s+|\t")
_COMMA = re.compile(r",\s+")
_SPACE = re.compile(r"\s+")
_INK = re.compile(r"\S")


@dataclass(frozen=True)
class Passage:
    """`text[start:end]` of a version, with the smallest sub-unit that holds it and the table header it continues."""

    start: int
    end: int
    sub_unit: str = ""
    header: str = ""


@dataclass(frozen=True)
class _Piece:
    """A line, or a part of one, that passages are put together from, `gap` characters after the piece before it.

    `holds_next` keeps it with what it announces.
    """

    start: int
    end: int
    gap: int
    holds_next: bool = False
    weight: float = 1.0

    @property
    def size(self) -> float:
        return (self.end - self.start) * self.weight + self.gap


@dataclass(frozen=True)
class _Table:
    start: int
    end: int
    header_end: int


def chunk(
    text: str,
    *,
    heading: str = "",
    blocks: Sequence[Mapping[str, Any]] = (),
    units: Sequence[SubUnit] = (),
    max_characters: int = MAX_CHARACTERS,
) -> list[Passage]:
    r"""Cover every line of `text` with passages of whole lines, about equally long and at most `max_characters`.

    A line that is longer is parted at its sentence ends. A heading, and a line that ends in a colon, stay with what
    follows. Passages neither overlap nor hold outer white space; the room of `heading`, which is embedded with each
    of them, is taken off their length. With `units` (`structure.sub_units`) each passage says which of them it lies in.

    >>> chunk("Uno dos.\nTres cuatro.", max_characters=14)
    [Passage(start=0, end=8, sub_unit='', header=''), Passage(start=9, end=21, sub_unit='', header='')]
    """
    room = max(max_characters - len(heading), max_characters // 2)
    tables = [_table(block) for block in blocks if block["kind"] == "table"]
    headings = {block["start"] for block in blocks if block["kind"] == "heading"}
    if len(text) <= room and not tables:
        spans = [(first.start(), len(text.rstrip()))] if (first := _INK.search(text)) else []
    else:
        pieces = [part for line in _lines(text, tables, headings) for part in _parts(text, line, room)]
        spans = [(group[0].start, group[-1].end) for group in _packed(_joined(pieces, room), room)]
    return placed([Passage(start, end, header=_header(text, tables, start)) for start, end in spans], units)


def placed(passages: Sequence[Passage], units: Sequence[SubUnit]) -> list[Passage]:
    """Say of each passage which of the sub-units of its text it lies in."""
    if not units:
        return list(passages)
    unique = _citable(units)
    return [replace(passage, sub_unit=_sub_unit(unique, passage.start, passage.end)) for passage in passages]


def embedded_text(label: str, heading: str, passage_text: str, header: str = "") -> str:
    r"""Compose what the embedder gets for a passage, without any prefix: its name, what its table says, its text.

    >>> embedded_text("Artículo 27", "Recargos", "13 meses\t15 %", "Retraso\tRecargo")
    'Artículo 27. Recargos\nRetraso | Recargo\n13 meses | 15 %'
    """
    name = ". ".join(part.strip().rstrip(".") for part in (label, heading) if part.strip())
    return "\n".join(part for part in (name, header, passage_text) if part).replace("\t", " | ")


def table_header(text: str, blocks: Sequence[Mapping[str, Any]], start: int) -> str:
    """Give the header rows of the table that a passage at `start` continues, or nothing."""
    return _header(text, [_table(block) for block in blocks if block["kind"] == "table"], start)


def _citable(units: Sequence[SubUnit]) -> list[SubUnit]:
    times = Counter(unit.path for unit in units)
    return [unit for unit in units if times[unit.path] == 1]


def _sub_unit(units: Sequence[SubUnit], start: int, end: int) -> str:
    """Find the deepest unit that holds the span: units stand before those inside them."""
    holding = (unit for unit in reversed(units) if unit.start <= start and end <= unit.end)
    return next((".".join(unit.path) for unit in holding), "")


def _table(block: Mapping[str, Any]) -> _Table:
    header_end = block["start"]
    for row in block.get("rows", ()):
        if not row or not all(cell["is_header"] for cell in row):
            break
        header_end = row[-1]["end"]
    return _Table(block["start"], block["end"], header_end)


def _table_at(tables: Sequence[_Table], offset: int) -> _Table | None:
    before = bisect_right(tables, offset, key=lambda table: table.start)
    return tables[before - 1] if before and offset < tables[before - 1].end else None


def _header(text: str, tables: Sequence[_Table], start: int) -> str:
    table = _table_at(tables, start)
    if table is None or start < table.header_end:
        return ""
    return text[table.start : min(table.header_end, table.start + MAX_HEADER_CHARACTERS)].strip()


def _lines(text: str, tables: Sequence[_Table], headings: set[int]) -> Iterator[_Piece]:
    end = 0
    for found in _LINE.finditer(text):
        gap, start, end = found.start() - end, found.start(), found.start() + len(found[0].rstrip())
        table = _table_at(tables, start)
        is_header = table is not None and start < table.header_end
        holds_next = is_header or start in headings or text[end - 1] == ":"
        yield _Piece(start, end, gap, holds_next, 1 / TABLE_SHARE if table else 1.0)


def _parts(text: str, line: _Piece, room: int) -> Iterator[_Piece]:
    """Cut a line that is too long at the best place of the second half of each stretch."""
    start, gap, length = line.start, line.gap, max(2, int(room / line.weight))
    while line.end - start > length:
        cut = _cut(text, start + length // 2, start + length)
        end = start + len(text[start:cut].rstrip())
        yield _Piece(start, end, gap, weight=line.weight)
        start = next(_INK.finditer(text, cut)).start()
        gap = start - end
    yield _Piece(start, line.end, gap, line.holds_next, line.weight)


def _cut(text: str, low: int, high: int) -> int:
    for pattern in (_SENTENCE_END, _CLAUSE_END, _COMMA, _SPACE):
        ends = [found.end() for found in pattern.finditer(text, low, high)]
        if ends:
            return ends[-1]
    return high


def _joined(pieces: Sequence[_Piece], room: int) -> Iterator[tuple[_Piece, ...]]:
    """Tie pieces that announce the next one to it, as far as the room goes."""
    tied: tuple[_Piece, ...] = ()
    for piece in pieces:
        if tied and not (tied[-1].holds_next and _size((*tied, piece)) <= room):
            yield tied
            tied = ()
        tied = (*tied, piece)
    if tied:
        yield tied


def _packed(units: Iterator[tuple[_Piece, ...]], room: int) -> Iterator[tuple[_Piece, ...]]:
    """Fill passages evenly: as many as the room demands, none much shorter than the others."""
    waiting = list(units)
    left = sum(map(_size, waiting))
    group: tuple[_Piece, ...] = ()
    for unit in waiting:
        filled = _size(group)
        share = (filled + left) / max(1, -(-(filled + left) // room))
        if group and (filled + _size(unit) > room or filled + _size(unit) / 2 > share):
            yield group
            group = ()
        group = (*group, *unit)
        left -= _size(unit)
    if group:
        yield group


def _size(pieces: Sequence[_Piece]) -> float:
    return sum(piece.size for piece in pieces)

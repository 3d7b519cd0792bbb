"""Reads the tables of Markdown: rows between bars, and tables written in HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from corpus.importers.boe_text import Item, read_text, text_of, visible
from corpus.importers.flow import Line
from corpus.importers.legalize_lines import BREAK, read_line
from corpus.records import Cell

_DELIMITER = re.compile(r":?-{3,}:?|:-+:?|-+:")
_BAR = re.compile(r"(?<!\\)\|")
_OPENS = re.compile(r"<table\b", re.IGNORECASE)
_CLOSES = re.compile(r"</table\s*>", re.IGNORECASE)
_WHOLE = re.compile(r"<table\b.*</table\s*>", re.IGNORECASE | re.DOTALL)


def with_whole_tables(lines: Sequence[str]) -> Iterator[str]:
    r"""Give lines as they are, but each table in HTML as one; what is never closed is no table.

    >>> [*with_whole_tables(["Tarifa:", "<table><tr>", "<td>1</td></tr></table>", "Fin.", "<table>"])]
    ['Tarifa:', '<table><tr>\n<td>1</td></tr></table>', 'Fin.', '<table>']
    """
    held: list[str] = []
    depth = 0
    for line in lines:
        if not held and not _OPENS.match(line.strip()):
            yield line
            continue
        held.append(line)
        depth += len(_OPENS.findall(line)) - len(_CLOSES.findall(line))
        if depth <= 0:
            yield "\n".join(held)
            held, depth = [], 0
    yield from held


def is_html(line: str) -> bool:
    """Whether a line is a table in HTML."""
    return bool(_WHOLE.match(line))


def read_html(written: str) -> tuple[list[Item], int]:
    """Read a table in HTML, and what stands beside it; give how many visible characters the source has there.

    One that the parser does not read to its end stays the text that it is.
    """
    parser = etree.HTMLParser(no_network=True, huge_tree=False, remove_comments=True, remove_pis=True, encoding="utf-8")
    root = etree.fromstring(written.encode(), parser)
    if parser.error_log.filter_from_fatals():
        return [Item(Line(written))], visible(written)
    items, _notes = read_text(root)
    return items, visible(text_of(root))


def read_bars(rows: Sequence[str]) -> tuple[Item, int]:
    """Read the rows of a table between bars; give how many visible characters the source has there."""
    cells = [_cells(row) for row in rows]
    has_header = len(cells) > 1 and all(map(_DELIMITER.fullmatch, cells[1]))
    body = [row for row in cells if not all(map(_DELIMITER.fullmatch, row))]
    lines = [[read_line(BREAK.sub(" ", cell)) for cell in row] for row in body]
    placed = tuple(
        tuple((line, Cell(0, 0, has_header and number == 0)) for line in row) for number, row in enumerate(lines)
    )
    return Item(kind="table", rows=placed), sum(visible(line.text) - line.added for row in lines for line in row)


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in _BAR.split(inner)]

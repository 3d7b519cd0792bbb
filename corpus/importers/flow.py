"""Turns marked-up paragraphs and tables into verbatim text with the offsets of its blocks, cells and inline marks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from lxml import etree

from corpus.importers.markup import normalised
from corpus.records import Block, BlockKind, Cell, Mark

MARKS = {"sub": "sub", "sup": "sup", "em": "em", "i": "em", "strong": "strong", "b": "strong"}
_IMAGE_IN = {"de": "Bild", "es": "Imagen", "fi": "Kuva", "it": "Immagine", "pt": "Imagem", "sv": "Bild"}
_BLOCK_TAGS = {
    "address", "article", "blockquote", "caption", "center", "dd", "div", "dl", "dt", "figure", "h1", "h2", "h3", "h4",
    "h5", "h6", "li", "ol", "p", "pre", "section", "table", "ul", "img",
}  # fmt: skip
_TABLE_PARTS = {"thead", "tbody", "tfoot", "tr"}
_IN_ITS_PLACE = {"td", "th", "caption", "col", "colgroup"}
_MARKUP_SPACE = " \t\r\n\f"
_SPACES = re.compile(rf"[{_MARKUP_SPACE}]+")
MAX_SPAN = 1000

Skip = Callable[[etree._Element], bool]


def _nothing(_: etree._Element) -> bool:
    return False


@dataclass(frozen=True)
class Run:
    """A stretch of characters with the inline marks around it; `is_added`: the words are ours, not the source's."""

    text: str
    tags: tuple[str, ...] = ()
    is_added: bool = False


@dataclass(frozen=True)
class Line:
    """A paragraph's text with its marks, at offsets of its own."""

    text: str = ""
    marks: tuple[Mark, ...] = ()
    added: int = 0

    def after(self, start: int) -> Line:
        """Give what remains from `start` on."""
        moved = (replace(mark, start=max(mark.start - start, 0), end=mark.end - start) for mark in self.marks)
        return Line(self.text[start:], tuple(mark for mark in moved if mark.end > 0), self.added)

    def behind(self, lead: str, added: int = 0) -> Line:
        """Give the line with `lead` before it, of which `added` visible characters are not the source's."""
        moved = (replace(mark, start=mark.start + len(lead), end=mark.end + len(lead)) for mark in self.marks)
        return Line(lead + self.text, tuple(moved), self.added + added)


@dataclass
class Flow:
    """Text under construction: lines parted by a line break, each block with its offsets."""

    parts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    length: int = 0
    added: int = 0

    @property
    def text(self) -> str:
        """The whole text so far."""
        return "\n".join(self.parts)

    def line(self, line: Line, kind: BlockKind = "paragraph", style: str = "") -> None:
        """Append a paragraph; one without a visible character is dropped."""
        if not line.text.strip():
            return
        start = self._append(line.text)
        marks = tuple(replace(mark, start=mark.start + start, end=mark.end + start) for mark in line.marks)
        self.blocks.append(Block(kind, start, start + len(line.text), style, marks=marks))
        self.added += line.added

    def table(self, rows: list[list[tuple[Line, Cell]]], style: str = "") -> None:
        """Append a table: cells parted by a tab, rows by a line break."""
        rows = [row for row in rows if any(line.text.strip() for line, _ in row)]
        if not rows:
            return
        start = self.length + 1 if self.parts else 0
        placed: list[tuple[Cell, ...]] = []
        marks: list[Mark] = []
        written: list[str] = []
        offset = start
        for row in rows:
            cells = []
            for line, cell in row:
                cells.append(replace(cell, start=offset, end=offset + len(line.text)))
                marks += (replace(mark, start=mark.start + offset, end=mark.end + offset) for mark in line.marks)
                self.added += line.added
                offset += len(line.text) + 1
            placed.append(tuple(cells))
            written.append("\t".join(line.text for line, _ in row))
        text = "\n".join(written)
        self._append(text)
        self.blocks.append(Block("table", start, start + len(text), style, tuple(placed), tuple(marks)))

    def _append(self, text: str) -> int:
        start = self.length + 1 if self.parts else 0
        self.parts.append(text)
        self.length = start + len(text)
        return start


def has_blocks(element: etree._Element) -> bool:
    """Whether paragraphs or tables stand inside the element, so that it is no paragraph itself."""
    return any(child.tag in _BLOCK_TAGS and child.tag != "img" for child in element)


def line_of(runs: Iterator[Run]) -> Line:
    """Join runs to one line: white space of the markup becomes one space, and goes at both ends."""
    text, marks, added = "", [], 0
    for run in runs:
        words = "\n".join(_SPACES.sub(" ", part) for part in normalised(run.text).split("\v"))
        if not text or text[-1] in " \n":
            words = words.lstrip(" ")
        if words.startswith("\n"):
            text = text.rstrip(" ")
        marks += [Mark(len(text), len(text) + len(words), tag) for tag in run.tags]
        text += words
        added += len("".join(words.split())) if run.is_added else 0
    text = text.rstrip(_MARKUP_SPACE)
    whole = normalised(text)
    if whole != text:
        return Line(whole, (), added)
    return Line(text, tuple(_tidy(marks, text)), added)


def _tidy(marks: list[Mark], text: str) -> Iterator[Mark]:
    """Cut marks to the text and drop those around nothing."""
    for mark in marks:
        marked = text[mark.start : mark.end]
        if marked.strip():
            start = mark.start + len(marked) - len(marked.lstrip())
            yield replace(mark, start=start, end=start + len(marked.strip()))


def runs_of(element: etree._Element, tags: tuple[str, ...] = (), skip: Skip = _nothing) -> Iterator[Run]:
    """Give the characters inside an element in order, line breaks as vertical tabs, images as described placeholders.

    What stands inside an element that `skip` holds for is left out.
    """
    if element.tag == "img":
        yield Run(image_text(element), tags, is_added=True)
    if element.text:
        yield Run(element.text, tags)
    for child in element:
        if child.tag == "br":
            yield Run("\v", tags)
        elif not skip(child):
            own = MARKS.get(str(child.tag))
            yield from runs_of(child, (*tags, own) if own and own not in tags else tags, skip)
        if child.tail:
            yield Run(child.tail, tags)


def image_text(image: etree._Element) -> str:
    """Describe an image by what the source says of it, in the language that its `lang` names.

    >>> image_text(etree.fromstring('<img alt="Fórmula del recargo" src="/x.png"/>'))
    '[Imagen: Fórmula del recargo]'
    """
    said = " ".join((image.get("alt") or image.get("title") or "").split())
    said = re.sub(r"^imagen:?\s*", "", said, flags=re.IGNORECASE)
    word = _IMAGE_IN.get(image.get("lang") or "es", "Image")
    return f"[{word}]" if not said or re.search(r"/|\.(?:png|jpe?g|gif)$", said) else f"[{word}: {said}]"


def table_rows(table: etree._Element) -> list[list[tuple[Line, Cell]]]:
    """Read the rows of a table in order of header, body and footer; a table in a cell becomes words of that cell."""
    return [[_cell(cell) for cell in row if cell.tag in ("td", "th")] for row in _rows(table)]


def strays(part: etree._Element) -> Iterator[str | etree._Element]:
    """Give what stands in a table and in no cell of it: words, and elements without a row."""
    words = [" ".join(text.split()) for text in (part.text, *(child.tail for child in part)) if text and text.strip()]
    if words:
        yield " ".join(words)
    for child in part:
        if child.tag in _TABLE_PARTS:
            yield from strays(child)
        elif child.tag not in _IN_ITS_PLACE and child.find(".//tr") is None:
            yield child


def _rows(table: etree._Element) -> list[etree._Element]:
    own = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    section = {"thead": 0, "tfoot": 2}
    return sorted(own, key=lambda row: section.get(str(row.getparent().tag), 1))  # type: ignore[union-attr]


def _cell(cell: etree._Element) -> tuple[Line, Cell]:
    line = line_of(_cell_runs(cell))
    line = Line("", (), line.added) if not line.text.strip() else replace(line, text=line.text.replace("\n", " "))
    is_header = cell.tag == "th" or next(cell.iterancestors("thead"), None) is not None or _is_head_class(cell)
    return line, Cell(0, 0, is_header, _span(cell, "colspan"), _span(cell, "rowspan"))


def _is_head_class(cell: etree._Element) -> bool:
    classes = [child.get("class", "") for child in cell] or [cell.get("class", "")]
    return all(name.startswith("cabeza_tabla") for name in classes)


def _cell_runs(cell: etree._Element) -> Iterator[Run]:
    """Give the characters of a cell with a space wherever a paragraph or an inner cell begins."""
    for run in runs_of(cell) if not has_blocks(cell) else _parted_runs(cell, ()):
        yield replace(run, text=run.text.replace("\v", " "))


def _parted_runs(element: etree._Element, tags: tuple[str, ...]) -> Iterator[Run]:
    if element.tag == "img":
        yield Run(image_text(element), tags, is_added=True)
    if element.text:
        yield Run(element.text, tags)
    for child in element:
        parts = child.tag in _BLOCK_TAGS or child.tag in ("td", "th", "tr")
        yield Run(" ") if parts else Run("")
        own = MARKS.get(str(child.tag))
        if child.tag == "br":
            yield Run(" ")
        else:
            yield from _parted_runs(child, (*tags, own) if own else tags)
        if child.tail:
            yield Run(f" {child.tail}" if parts else child.tail, tags)


def _span(cell: etree._Element, name: str) -> int:
    value = (cell.get(name) or "1").strip()
    return min(int(value), MAX_SPAN) if value.isascii() and value.isdigit() and int(value) > 0 else 1

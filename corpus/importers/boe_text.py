"""Reads what is inside a `<version>` of the BOE: paragraphs, tables and images of the text, editorial notes apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import dropwhile

from lxml import etree

from corpus.importers.flow import MARKS, Flow, Line, Run, has_blocks, line_of, runs_of, strays, table_rows
from corpus.importers.list_marks import html_marks, is_written
from corpus.quotation import quoted
from corpus.records import BlockKind, Cell, Note

CENTRED = re.compile(r"centro_\w+")
_HEADING_CLASS = re.compile(r"(?:articulo|libro|parte|titulo|capitulo|seccion|subseccion|anexo|apendice)(?:_\w+)?")
_EDITORIAL_PARAGRAPH = re.compile(r"nota_pie\w*|textoCompleto|inforel|docrel")
_EDITORIAL_BOX = re.compile(r"noDesde\w*|soloTexto|siempreSeVe|nota_pie\w*|docrel|textoCompleto|nota\w*")
_QUOTE_CLASS = re.compile(r"cita|sangrado_articulo")
_OPENS = re.compile(r"[«“\"]")
_QUOTATION = re.compile(r"(?:«[^»]*»|“[^”]*”|\"[^\"]*\")[.,;:)]*")
_FOOTNOTE = re.compile(r"\(?\*+\)?")
_REFERENCE = re.compile(r"\b[A-Z]{2,5}-[A-Za-z]-\d{4}-\d+\b")
_INLINE = {
    "a", "abbr", "acronym", "b", "bdo", "big", "br", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd",
    "math", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "svg", "tt", "u", "var",
}  # fmt: skip
_CONTAINERS = {"div", "section", "article", "center", "ul", "ol", "dl", "figure", "address", "tbody"}


@dataclass(frozen=True)
class Item:
    """One paragraph or table of a redaction, before it has its place in the text."""

    line: Line = field(default_factory=Line)
    kind: BlockKind = "paragraph"
    style: str = ""
    rows: tuple[tuple[tuple[Line, Cell], ...], ...] = ()


def read_text(version: etree._Element) -> tuple[list[Item], list[Note]]:
    """Read the paragraphs and tables of a redaction in order, and its editorial notes."""
    reader = _Reader()
    reader.read(version)
    return reader.items, reader.notes


def compose(items: Iterable[Item]) -> Flow:
    """Put paragraphs and tables together to a text with offsets."""
    flow = Flow()
    for item in items:
        if item.rows:
            flow.table([list(row) for row in item.rows], item.style)
        else:
            flow.line(item.line, item.kind, item.style)
    return flow


def text_of(element: etree._Element) -> str:
    """Give all characters inside an element, as XML has them."""
    return "".join(map(str, element.itertext()))


def visible(text: str) -> int:
    """Count the characters that are no white space."""
    return len("".join(text.split()))


def with_quotes(items: Sequence[Item]) -> Iterator[Item]:
    """Mark what a quotation of several paragraphs holds, and paragraphs that are nothing but one."""
    lines = [item.line.text for item in items]
    inside = quoted(lines)
    for index, item in enumerate(items):
        goes_on = index + 1 < len(items) and inside[index + 1] and not inside[index]
        is_quotation = (goes_on and bool(_OPENS.match(lines[index]))) or bool(_QUOTATION.fullmatch(lines[index]))
        is_quoted = (inside[index] or is_quotation) and item.kind in {"paragraph", "heading"}
        yield replace(item, kind="quote") if is_quoted else item


@dataclass
class _Reader:
    """Collects the items and notes of one redaction in document order."""

    items: list[Item] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)

    def read(self, parent: etree._Element, kind: BlockKind = "paragraph") -> None:
        """Read everything inside `parent`; words that stand outside any paragraph are one of their own."""
        loose, marks = [Run(parent.text or "")], html_marks(parent)
        for child in parent:
            if _is_reference(child):
                self._child(child, kind)
            elif _is_loose(child):
                loose += runs_of(child, (MARKS[child.tag],) if child.tag in MARKS else (), _is_reference)
                loose += [Run("\v")] if child.tag == "br" else []
            else:
                self._loose(loose, kind)
                loose, first = [], len(self.items)
                self._child(child, kind)
                if child.tag == "li":
                    self._mark(first, next(marks))
            loose.append(Run(child.tail or ""))
        self._loose(loose, kind)

    def _mark(self, first: int, mark: str) -> None:
        """Put the number of a list's item before what was read of it, unless the source itself has written one."""
        if not mark or first == len(self.items) or is_written(mark, self.items[first].line.text):
            return
        item, added = self.items[first], visible(mark)
        if item.line.text:
            self.items[first] = replace(item, line=item.line.behind(f"{mark} ", added))
        else:
            self.items.insert(first, Item(Line(mark, added=added)))

    def _loose(self, runs: Sequence[Run], kind: BlockKind) -> None:
        line = line_of(dropwhile(lambda run: not run.text.strip(), runs))
        if line.text:
            self.items.append(Item(line, kind))

    def _child(self, child: etree._Element, kind: BlockKind) -> None:
        style = child.get("class", "")
        if child.tag == "table":
            self._table(child, style)
        elif child.tag == "blockquote":
            self._box(child, style)
        elif _is_reference(child):
            self._note([child])
        elif child.tag in _CONTAINERS or has_blocks(child) or _is_structure(child):
            self.read(child, kind)
        elif _EDITORIAL_PARAGRAPH.fullmatch(style):
            self._note([child], continues=style == "nota_pie_2")
        else:
            self._paragraph(child, kind, style)

    def _table(self, table: etree._Element, style: str) -> None:
        for caption in table.findall("caption"):
            self._paragraph(caption, "paragraph", "caption")
        # Before the table, as browsers show it.
        for stray in strays(table):
            if isinstance(stray, str):
                self._loose([Run(stray)], "paragraph")
            else:
                self._child(stray, "paragraph")
        rows = tuple(tuple(row) for row in table_rows(table))
        self.items.append(Item(kind="table", style=style, rows=rows))

    def _box(self, box: etree._Element, style: str) -> None:
        """Read a `<blockquote>`: the BOE's notes stand in them, and so does quoted text of amended norms."""
        paragraphs = [child.get("class", "") for child in box.iter("p")]
        if _EDITORIAL_BOX.fullmatch(style) or box.get("caduca") is not None:
            self._note([box])
        elif any(map(_EDITORIAL_PARAGRAPH.fullmatch, paragraphs)):
            for child in box:
                self._note([child], continues=child.get("class") == "nota_pie_2")
        else:
            self.read(box, "quote")

    def _paragraph(self, paragraph: etree._Element, kind: BlockKind, style: str) -> None:
        anchors = [anchor for anchor in paragraph.iter("a") if _is_reference(anchor)]
        line = line_of(runs_of(paragraph, skip=_is_reference))
        if style.startswith("cita_con_pleca") and _FOOTNOTE.match(line.text):
            self._note([paragraph])
            return
        self.items.append(Item(line, _kind(paragraph, line, kind, style), _image_source(paragraph) or style))
        for anchor in anchors:
            self._note([anchor])

    def _note(self, elements: Sequence[etree._Element], *, continues: bool = False) -> None:
        reader = _NoteReader()
        for element in elements:
            reader.child(element)
        text = compose(reader.items).text
        if not text.strip():
            return
        references = tuple(dict.fromkeys(_REFERENCE.findall(text)))
        if continues and self.notes:
            last = self.notes[-1]
            together = tuple(dict.fromkeys((*last.references, *references)))
            self.notes[-1] = replace(last, text=f"{last.text}\n{text}", references=together)
        else:
            self.notes.append(Note(text, references))


class _NoteReader(_Reader):
    """Collects everything as text: inside a note nothing is editorial any more."""

    def child(self, element: etree._Element) -> None:
        """Read one element of a note."""
        if element.tag == "table":
            self._table(element, "")
        elif has_blocks(element):
            self.read(element)
        else:
            self.items.append(Item(line_of(runs_of(element))))

    def _child(self, child: etree._Element, kind: BlockKind) -> None:
        self.child(child)


def _is_reference(element: etree._Element) -> bool:
    """Whether the element is an anchor of the BOE's viewer to the norm that made a change."""
    return element.tag == "a" and element.get("class", "").startswith("ref")


def _is_loose(element: etree._Element) -> bool:
    """Whether the element only marks words, and those stand outside any paragraph."""
    return element.tag in _INLINE and not element.get("class") and not has_blocks(element)


def _is_structure(element: etree._Element) -> bool:
    """Whether an element of a name that we do not know holds elements and no words of its own."""
    if element.tag in {*_INLINE, "p", "img"} or not len(element):
        return False
    own = (element.text, *(child.tail for child in element))
    return not any(text and text.strip() for text in own) and not all(child.tag in _INLINE for child in element)


def _kind(paragraph: etree._Element, line: Line, kind: BlockKind, style: str) -> BlockKind:
    if kind == "quote" or _QUOTE_CLASS.match(style):
        return "quote"
    images = paragraph.tag == "img" or (paragraph.find(".//img") is not None and not visible(text_of(paragraph)))
    if images:
        return "image"
    is_title = _HEADING_CLASS.fullmatch(style) or (CENTRED.fullmatch(style) and "=" not in line.text)
    return "heading" if is_title else kind


def _image_source(paragraph: etree._Element) -> str:
    """Give the address of a paragraph's only image; an image that is in the file itself has none."""
    images = [paragraph] if paragraph.tag == "img" else paragraph.findall(".//img")
    source = images[0].get("src", "") if len(images) == 1 else ""
    return "" if source.startswith("data:") or visible(text_of(paragraph)) else source

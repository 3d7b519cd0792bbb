"""Reads what is inside a provision of an Akoma Ntoso law: numbered parts, lists, tables, quoted structures, notes.

Source: OASIS LegalDocML, "Akoma Ntoso Version 1.0. Part 1: XML Vocabulary" (2018), and the files of its publishers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lxml import etree

from corpus.importers.akn_numbers import segment
from corpus.importers.boe_text import Item, compose, text_of, visible, with_quotes
from corpus.importers.flow import MARKS, Run, image_text, line_of, strays, table_rows
from corpus.importers.list_marks import list_mark
from corpus.records import BlockKind, Note
from corpus.structure import inside_style, opening_style

HIERARCHY = frozenset({
    "alinea", "article", "book", "chapter", "clause", "division", "hcontainer", "indent", "level", "list", "paragraph",
    "part", "point", "proviso", "rule", "section", "subchapter", "subclause", "subdivision", "sublist", "subparagraph",
    "subpart", "subrule", "subsection", "subtitle", "title", "tome",
})  # fmt: skip
QUOTING = frozenset({"quotedStructure", "embeddedStructure"})
_NUMBERED = HIERARCHY | {"item", "li"}
_LISTS = {"ol", "ul"}
_CONTAINERS = HIERARCHY | {
    "blockContainer", "blockList", "body", "collectionBody", "component", "componentData", "conclusions", "container",
    "content", "div", "doc", "foreign", "formula", "interstitial", "intro", "item", "li", "longTitle", "mainBody",
    "preamble", "preface", "recital", "recitals", "citation", "citations", "tblock", "toc", "wrap", "wrapUp", "ol",
    "ul", "attachment", "attachments", "components", "coverPage", "header",
}  # fmt: skip
_PARAGRAPHS = {"p", "block", "listIntroduction", "listWrapUp", "tocItem", "caption", "listConclusion", "signature"}
_HEADINGS = {"heading", "subheading", "crossHeading", "listHeading", "docTitle"}
_BLOCKS = _CONTAINERS | _PARAGRAPHS | QUOTING | {"table", "crossHeading", "subFlow"}
_NOTES = {"authorialNote", "remark", "note", "del"}
# Inline elements that stand on a line of their own in print.
_APART = {"shortTitle", "person", "role", "docDate", "organization"}
_BREAKS = {"br", "eol"}
_STEP = re.compile(r"_(\d+)$")


@dataclass
class Content:
    """What a provision holds: paragraphs and tables in order, and the notes that stand in it."""

    items: list[Item] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


def read_content(element: etree._Element, language: str) -> Content:
    """Read all inside a provision but its own number and heading; its notes are lifted out of the tree."""
    for image in element.iter("img"):
        image.set("lang", language)
    content = Content(notes=lifted(element))
    reader = _Reader(content.items)
    if element.tag in _PARAGRAPHS:
        reader.child(element)
    else:
        reader.loose(element.text)
        for child in element:
            if child.tag not in ("num", "heading", "subheading"):
                reader.child(child)
            reader.loose(child.tail)
    if language == "es":
        content.items = list(with_quotes(content.items))
    return content


def lifted(element: etree._Element) -> list[Note]:
    """Take the notes, and what an amendment struck out, away from a tree, and give them as notes."""
    found = [one for one in element.iter(*_NOTES) if not _is_inside_note(one, element)]
    notes = [_note(one) for one in found]
    for one in found:
        _drop(one)
    return [note for note in notes if note.text.strip()]


def line_text(element: etree._Element | None) -> str:
    """Give the words of a number or heading as one line."""
    if element is None:
        return ""
    return line_of(_runs(element)).text.replace("\n", " ")


def whole_text(element: etree._Element) -> str:
    """Give everything inside an element as lines, notes included."""
    items: list[Item] = []
    reader = _Reader(items)
    if element.tag in _PARAGRAPHS:
        reader.child(element)
    else:
        reader.read(element)
    return compose(items).text


@dataclass
class _Reader:
    """Walks the parts of a provision in order; a number waits for the first words of its part."""

    items: list[Item]
    path: tuple[str, ...] = ()
    kind: BlockKind = "paragraph"
    waiting: str = ""
    opens: bool = False

    def read(self, element: etree._Element) -> None:
        """Read everything inside an element."""
        self.loose(element.text)
        for child in element:
            self.child(child)
            self.loose(child.tail)

    def loose(self, text: str | None) -> None:
        """Keep words that stand outside any paragraph as one of their own."""
        if text and text.strip():
            self._line([Run(text)])

    def child(self, element: etree._Element) -> None:
        """Read one element."""
        tag = str(element.tag)
        if tag in _LISTS:
            self._enumerated(element)
        elif tag in QUOTING:
            self._quoted(element)
        elif tag in _NUMBERED:
            self._part(element)
        elif tag == "table":
            self._table(element)
        elif tag in _HEADINGS:
            self._mixed(element, "heading")
        elif tag in _CONTAINERS and not _is_line(element):
            self.read(element)
        elif tag != "num":
            self._mixed(element)

    def _part(self, element: etree._Element, printed: str | None = None) -> None:
        """Read a numbered part: its number stands before its first words."""
        own = line_text(element.find("num")) if printed is None else printed
        step = "" if self.kind == "quote" else segment(own) if own else _ordinal(element)
        self._flush()
        outer, self.path = self.path, (*self.path, step) if step else self.path
        self.waiting, self.opens = own, bool(step)
        if _is_line(element) and element.find("num") is None:
            self._mixed(element)
        else:
            self.read(element)
        self._flush()
        self.path, self.opens = outer, False

    def _flush(self) -> None:
        if self.waiting:
            self._line([])

    def _enumerated(self, element: etree._Element) -> None:
        """Read an HTML list, whose marks the source only describes ("1°" or "a)", and where they start)."""
        symbol, first = attribute(element, "symbol"), attribute(element, "start")
        start = int(first) if first.isascii() and first.isdigit() and len(first) < 6 else 1
        for number, child in enumerate(element.findall("li"), start=start):
            mark = list_mark(symbol, number) if element.tag == "ol" else ""
            had = len(self.items)
            self._part(child, mark)
            if mark and len(self.items) > had and self.items[had].line.text.startswith(mark):
                first_item = self.items[had]
                added = first_item.line.added + visible(mark)
                self.items[had] = replace(first_item, line=replace(first_item.line, added=added))

    def _quoted(self, element: etree._Element) -> None:
        """Read the words of another text, which open no part of the one they stand in."""
        outer, self.kind = self.kind, "quote"
        before = len(self.items)
        self.read(element)
        self.kind = outer
        added = self.items[before:]
        if added and not added[0].rows:
            self.items[before] = _with_mark(added[0], element.get("startQuote", ""), at_start=True)
            self.items[-1] = _with_mark(self.items[-1], element.get("endQuote", ""), at_start=False)

    def _table(self, table: etree._Element) -> None:
        self._flush()
        for caption in table.findall("caption"):
            self._mixed(caption)
        for stray in strays(table):
            if isinstance(stray, str):
                self.loose(stray)
            else:
                self.child(stray)
        rows = tuple(tuple(row) for row in table_rows(table))
        self.items.append(Item(kind="table", style=self._style(""), rows=rows))

    def _mixed(self, element: etree._Element, kind: BlockKind | None = None) -> None:
        """Read a paragraph, parted where a structure stands inside it."""
        runs: list[Run] = []
        for piece in _pieces(element):
            if isinstance(piece, Run):
                runs.append(piece)
                continue
            self._line(runs, kind)
            runs = []
            self.child(piece)
        if "".join(run.text for run in runs).strip():
            self._line(runs, kind)

    def _line(self, runs: list[Run], kind: BlockKind | None = None) -> None:
        line = line_of(iter(runs))
        if not (line.text or self.waiting):
            return
        printed, self.waiting = self.waiting, ""
        if printed:
            gap = "" if not line.text or line.text[0].isspace() else " "
            line = line.behind(printed + gap)
        is_image = bool(runs) and all(run.is_added or not run.text.strip() for run in runs) and bool(line.added)
        own = "image" if is_image else kind if kind and self.kind == "paragraph" else self.kind
        self.items.append(Item(line, own, self._style(printed)))

    def _style(self, printed: str) -> str:
        if not self.path:
            return ""
        path = ".".join(self.path)
        opens, self.opens = self.opens, False
        return opening_style(path, printed) if opens else inside_style(path)


def _with_mark(item: Item, mark: str, *, at_start: bool) -> Item:
    """Put a quotation mark that the source only describes before or after a paragraph."""
    if not mark or item.rows:
        return item
    line, added = item.line, visible(mark)
    if at_start:
        return replace(item, line=line.behind(mark, added))
    return replace(item, line=replace(line, text=line.text + mark, added=line.added + added))


def _is_line(element: etree._Element) -> bool:
    """Whether an element holds words and inline marks only, and so is a line itself."""
    return not any(child.tag in _BLOCKS or child.tag in ("num", "heading", "subheading") for child in element)


def _runs(element: etree._Element, tags: tuple[str, ...] = ()) -> Iterator[Run]:
    return (piece for piece in _pieces(element, tags) if isinstance(piece, Run))


def _pieces(element: etree._Element, tags: tuple[str, ...] = ()) -> Iterator[Run | etree._Element]:
    """Give the characters of a paragraph in order, and the structures that part it."""
    if element.text:
        yield Run(element.text, tags)
    for child in element:
        tag = str(child.tag)
        if tag in _BREAKS:
            yield Run("\v", tags)
        elif tag == "img":
            yield Run(image_text(child), tags, is_added=True)
        elif tag in _BLOCKS:
            yield child
        else:
            own = MARKS.get(tag)
            yield from _inline(child, (*tags, own) if own and own not in tags else tags)
        if child.tail:
            yield Run(child.tail, tags)


def _inline(element: etree._Element, tags: tuple[str, ...]) -> Iterator[Run | etree._Element]:
    """Give what is inside an inline element, with the quotation marks that the source only describes."""
    for name, where in (("startQuote", "before"), ("endQuote", "after")):
        if where == "after":
            yield from _pieces(element, tags)
        if mark := element.get(name):
            yield Run(mark, tags, is_added=True)
    if element.tag in _APART and element.getnext() is not None:
        yield Run(" ")


def _ordinal(element: etree._Element) -> str:
    """Give the place of an unnumbered subsection among several, as its eId counts it (`sec_2__subsec_3`)."""
    parent = element.getparent()
    beside = [one for one in parent.findall("subsection") if one.find("num") is None] if parent is not None else []
    found = _STEP.search(identifier(element)) if element.tag == "subsection" and len(beside) > 1 else None
    return found[1] if found else ""


def identifier(element: etree._Element) -> str:
    """Give the source's own name for an element: `eId`, or `id` before version 3."""
    return element.get("eId") or element.get("id") or ""


def attribute(element: etree._Element, name: str) -> str:
    """Give an attribute of any namespace."""
    return next((str(value) for key, value in element.items() if str(key).rpartition("}")[2] == name), "")


def _note(element: etree._Element) -> Note:
    references = tuple(dict.fromkeys(one.get("href", "") for one in element.iter("ref", "rref", "mref")))
    about = "del" if element.tag == "del" else ""
    return Note(whole_text(element), tuple(filter(None, references)), about)


def _is_inside_note(element: etree._Element, root: etree._Element) -> bool:
    for above in element.iterancestors():
        if above is root:
            return False
        if above.tag in _NOTES:
            return True
    return False


def _drop(element: etree._Element) -> None:
    """Take an element out of the tree; the words behind it stay."""
    parent, tail, before = element.getparent(), element.tail, element.getprevious()
    if parent is None:
        return
    parent.remove(element)
    if not tail:
        return
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail


def characters(element: etree._Element) -> int:
    """Count the visible characters inside an element."""
    return visible(text_of(element))

"""Reads laws in Akoma Ntoso (OASIS LegalDocML 3.0, and the drafts and version 2 that publishers still use).

A file is one expression: a law in one language, mostly as it stands on one day. `history` says so, and no version has
a first day, unless the file itself tells the periods of its provisions (`temporalData`) or is the law as enacted.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from lxml import etree

from corpus.importers import akn_labels
from corpus.importers.akn_metadata import Metadata
from corpus.importers.akn_outline import Outline, Provision, outline
from corpus.importers.akn_text import Content, characters, lifted, read_content, whole_text
from corpus.importers.boe_text import compose, visible
from corpus.importers.markup import ImportRefused, line_number, parse
from corpus.records import ArticleRecord, History, LawRecord, Note, SourceWarning, VersionRecord
from corpus.validity import in_order

SOURCE = "akn"
ROOT = "akomaNtoso"
_HEAD = re.compile(rb"<(?:\w+:)?akomaNtoso\b")
_PIECE = 65_536
_NOTE_REFERENCES = ("noteRef",)


def is_akn(head: bytes) -> bool:
    """Whether the first bytes of a file are those of an Akoma Ntoso document, whatever its name.

    >>> is_akn(b'<?xml version="1.0"?><akomaNtoso xmlns="x"><act>'), is_akn(b"<response><data>")
    (True, False)
    """
    return bool(_HEAD.search(head.replace(b"\0", b"")))


def updated_at(data: bytes) -> tuple[str, datetime | None]:
    """Give the canonical id of the law and the day of its text, from the metadata alone; nothing where they fail."""
    parser = etree.XMLPullParser(("end",), resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        for start in range(0, len(data), _PIECE):
            parser.feed(data[start : start + _PIECE])
            document = next(
                (parent for _, one in parser.read_events() if (parent := _parent_of_meta(one)) is not None), None
            )
            if document is not None:
                _name_locally(document)
                metadata = Metadata(document, "")
                return metadata.id, metadata.updated_at
    except (etree.XMLSyntaxError, ImportRefused):
        pass
    return "", None


def _parent_of_meta(element: Any) -> etree._Element | None:
    is_meta = isinstance(element, etree._Element) and etree.QName(element).localname == "meta"
    return element.getparent() if is_meta else None


def read(path: Path, data: bytes) -> LawRecord:
    """Read the law that a file holds; raise `ImportRefused` if it is not whole and sound."""
    markup = parse(data, path)
    document = _document(markup.root, path)
    metadata = Metadata(document, path)
    reading = _Reading(metadata)
    total = sum(characters(child) for child in document if child.tag != "meta")
    _place_notes(document)
    found = outline(document, metadata.language)
    articles = reading.articles(found)
    notes = list(reading.notes(found))
    if not articles:
        raise ImportRefused(path, "no provision with text", line_number(document))
    kept = min(total, reading.kept + found.titles)
    is_full = any(version.valid_from or version.valid_to for one in articles for version in one.versions)
    history: History = "full" if is_full and metadata.periods else "current_only"
    record = LawRecord(
        id=metadata.id,
        title=metadata.title,
        rank=metadata.rank,
        jurisdiction=metadata.jurisdiction,
        language=metadata.language,
        eli=metadata.eli,
        number=metadata.number,
        short_title=metadata.short_title,
        department=metadata.department,
        enacted=metadata.enacted,
        published=metadata.published,
        valid_from=metadata.valid_from,
        valid_to=metadata.valid_to,
        status=metadata.status,
        history=history,
        source=SOURCE,
        source_url=metadata.source_url,
        source_updated_at=metadata.updated_at,
        source_sha256=hashlib.sha256(data).hexdigest(),
        notes=tuple(notes),
        articles=tuple(articles),
        characters_in_source=total,
        characters_kept=kept,
    )
    return replace(record, warnings=(*markup.warnings, *metadata.warnings, *reading.warnings))


def _document(root: etree._Element, file: Path | str) -> etree._Element:
    """Give the one document of a file, its elements by their local names."""
    _name_locally(root)
    if root.tag != ROOT:
        raise ImportRefused(file, f"not Akoma Ntoso: its root is <{root.tag}>", line_number(root))
    documents = [child for child in root if child.find("meta") is not None]
    if not documents:
        raise ImportRefused(file, "no document with <meta>", line_number(root))
    return documents[0]


def _name_locally(root: etree._Element) -> None:
    for element in root.iter(etree.Element):
        element.tag = etree.QName(element).localname


def _place_notes(document: etree._Element) -> None:
    """Put the notes of the metadata where the text refers to them; those it does not mention stay out of the law."""
    notes = {one.get("eId") or one.get("id"): one for one in document.iterfind("meta/notes/note")}
    for mark in list(document.iter(*_NOTE_REFERENCES)):
        note = notes.pop((mark.get("href") or "").lstrip("#"), None)
        if note is not None:
            mark.append(note)
            mark.tag = "authorialNote"


@dataclass
class _Reading:
    """Makes articles of provisions, and counts what is kept of each."""

    metadata: Metadata
    kept: int = 0
    warnings: list[SourceWarning] = field(default_factory=list)

    def articles(self, found: Outline) -> list[ArticleRecord]:
        """Give one article per key, in order; one number in several periods is one article with its versions."""
        drafts: dict[str, tuple[Provision, list[VersionRecord]]] = {}
        for provision in found.provisions:
            version = self._version(provision)
            for key in provision.keys:
                held = drafts.get(key)
                if held and provision.element.get("period") and held[0].element.get("period"):
                    drafts[key] = (provision, [*held[1], version])
                else:
                    drafts[self._free(key, drafts, provision)] = (provision, [version])
        return [self._settled(key, *draft, number) for number, (key, draft) in enumerate(drafts.items(), start=1)]

    def _free(self, key: str, taken: dict[str, tuple[Provision, list[VersionRecord]]], provision: Provision) -> str:
        """Give the key, or the next `key~n` that no other provision has."""
        if key not in taken:
            return key
        number = 2
        while f"{key}~{number}" in taken:
            number += 1
        detail = f"{provision.label!r} is the name of another provision too; it goes by {key}~{number}"
        self.warnings.append(SourceWarning("repeated-key", provision.block or key, detail))
        return f"{key}~{number}"

    def _version(self, provision: Provision) -> VersionRecord:
        element = provision.element
        source = characters(element)
        content = read_content(element, self.metadata.language)
        flow = compose(content.items)
        self._enter(provision, source, content, flow.text, flow.added)
        is_gone = element.get("status") == "removed" or akn_labels.says_gone(flow.text, self.metadata.language)
        first, last = self.metadata.period(element.get("period", ""))
        return VersionRecord(
            text=flow.text,
            heading=provision.heading,
            blocks=tuple(flow.blocks),
            notes=tuple(content.notes),
            valid_from=first or self.metadata.original_from,
            valid_to=last,
            status="repealed" if is_gone else "in_force",
        )

    def _enter(self, provision: Provision, source: int, content: Content, text: str, added: int) -> None:
        heads = sum(characters(child) for child in provision.element if child.tag in ("num", "heading", "subheading"))
        notes = sum(visible(note.text) for note in content.notes)
        kept = min(source, heads + notes + visible(text) - added)
        self.kept += kept
        if kept < source:
            detail = f"{source - kept} characters of {provision.label!r}"
            self.warnings.append(SourceWarning("text-not-kept", provision.block or provision.keys[0], detail))

    def _settled(self, key: str, provision: Provision, versions: list[VersionRecord], position: int) -> ArticleRecord:
        ordered = versions
        if len(versions) > 1:
            ordered, overtaken = in_order(versions)
            for one in overtaken:
                detail = f"{key}: two texts begin on {one.valid_from}; the one that stands last in the file counts"
                self.warnings.append(SourceWarning("overtaken-version", provision.block, detail))
        return ArticleRecord(
            key=key,
            kind=provision.kind,
            label=self._label(key, provision),
            position=position,
            path=provision.path,
            source_block=provision.block,
            versions=tuple(ordered),
        )

    def _label(self, key: str, provision: Provision) -> str:
        """Name one of several provisions that stand under one number by its own."""
        if len(provision.keys) == 1:
            return provision.label
        number = key.rsplit("-", 1)[-1]
        return re.sub(r"\d+\s*[–—]\s*\d+", number, provision.label, count=1)

    def notes(self, found: Outline) -> Iterator[Note]:
        """Give what belongs to the law as a whole: title page, signatures, and what is told of its making."""
        for element in found.asides:
            source = characters(element)
            own = lifted(element)
            notes = [Note(text, about=str(element.tag))] if (text := whole_text(element)) else []
            kept = sum(visible(note.text) for note in (*notes, *own))
            self.kept += min(source, kept)
            if kept < source:
                detail = f"{source - kept} characters of <{element.tag}>"
                self.warnings.append(SourceWarning("text-not-kept", str(element.tag), detail))
            yield from (*notes, *own)

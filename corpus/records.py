"""What an importer hands over: one law with every provision and version, as plain values."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

ArticleKind = Literal[
    "article", "additional", "transitional", "final", "repealing", "annex", "appendix", "preamble", "other"
]
Status = Literal["in_force", "repealed", "annulled", "expired", "not_yet_in_force"]
History = Literal["full", "current_only"]
BlockKind = Literal["paragraph", "heading", "quote", "table", "image"]


@dataclass(frozen=True)
class Mark:
    """Inline markup of `text[start:end]`: sub, sup, em or strong."""

    start: int
    end: int
    tag: str


@dataclass(frozen=True)
class Cell:
    """One table cell, `text[start:end]`."""

    start: int
    end: int
    is_header: bool = False
    colspan: int = 1
    rowspan: int = 1


@dataclass(frozen=True)
class Block:
    """One paragraph, table or image of a version: `text[start:end]`, with the source's class for layout.

    A table's text holds its cells parted by a tab and its rows by a line break; `rows` points into it.
    """

    kind: BlockKind
    start: int
    end: int
    style: str = ""
    rows: tuple[tuple[Cell, ...], ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True)
class Note:
    """An editorial note of the source, kept out of the text, with the BOE ids it refers to.

    `about` names the heading it stands below, where that is no provision ("TÍTULO X").
    """

    text: str
    references: tuple[str, ...] = ()
    about: str = ""


@dataclass(frozen=True)
class VersionRecord:
    """One redaction of a provision.

    `text` is the verbatim NFC body, paragraphs parted by a line break, without label, heading or notes.
    `status` other than `in_force` marks a redaction that only says the provision is gone.
    Days are inclusive; `valid_from` None means unknown, `valid_to` None means open.
    """

    text: str
    heading: str = ""
    blocks: tuple[Block, ...] = ()
    notes: tuple[Note, ...] = ()
    valid_from: date | None = None
    valid_to: date | None = None
    published: date | None = None
    amended_by: str = ""
    status: Status = "in_force"

    @property
    def sha256(self) -> str:
        """Hash of the UTF-8 of `text`, in hexadecimal."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class ArticleRecord:
    """One provision with its versions, oldest first by validity; `key` is its unit, unique in the law."""

    key: str
    kind: ArticleKind
    label: str
    position: int
    path: tuple[str, ...] = ()
    source_block: str = ""
    versions: tuple[VersionRecord, ...] = ()


@dataclass(frozen=True)
class SourceWarning:
    """Something odd in the source that was survived; `kind` is a stable slug, `block` names the place."""

    kind: str
    block: str
    detail: str


@dataclass(frozen=True)
class LawRecord:
    """One law as its source tells it."""

    id: str
    title: str
    rank: str
    jurisdiction: str = "es"
    language: str = "es"
    boe_id: str = ""
    eli: str = ""
    number: str = ""
    short_title: str = ""
    department: str = ""
    enacted: date | None = None
    published: date | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    status: Status = "in_force"
    history: History = "full"
    source: str = ""
    source_url: str = ""
    source_updated_at: datetime | None = None
    source_sha256: str = ""
    subjects: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    articles: tuple[ArticleRecord, ...] = field(default=())
    warnings: tuple[SourceWarning, ...] = field(default=())
    characters_in_source: int = 0
    characters_kept: int = 0


def completeness(kept: int, source: int) -> float | None:
    """Give the part of a source's characters that is kept; None of a source that has none."""
    return kept / source if source else None

"""Turns a law's record into the column values of its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from corpus.identifiers import CitationId, InvalidCitationId
from corpus.records import ArticleRecord, Block, Cell, LawRecord, VersionRecord
from corpus.validity import ended

Values = dict[str, Any]

LAW_FIELDS = (
    "eli", "title", "short_title", "rank", "number", "jurisdiction", "language", "department", "enacted", "published",
    "valid_from", "valid_to", "status", "history", "source", "source_url", "characters_in_source", "characters_kept",
)  # fmt: skip
ARTICLE_FIELDS = ("kind", "label", "heading", "path", "position", "source_block")
VERSION_FIELDS = (
    "position", "heading", "text", "sha256", "blocks", "notes", "valid_from", "valid_to", "published", "amended_by",
    "status",
)  # fmt: skip
LONGEST = {
    "law": {"key": 120, "boe_id": 40, "eli": 200, "rank": 60, "number": 60, "jurisdiction": 20, "language": 10},
    "article": {"key": 160, "source_block": 80},
    "version": {"amended_by": 40},
}
"""How many characters the columns of each table hold that a source fills."""
_SHOWN = 40


class Unstorable(ValueError):
    """A law that the corpus cannot hold; the message says why."""


def law_values(record: LawRecord) -> Values:
    """Give the columns of the law that tell what it says and is; raise `Unstorable` if they cannot be kept."""
    try:
        CitationId.parse(record.id)
    except InvalidCitationId as error:
        raise Unstorable(f"{record.id!r} is no id of a law") from error
    values: Values = {name: getattr(record, name) for name in LAW_FIELDS} | {
        "key": record.id,
        "boe_id": record.boe_id or None,
        "subjects": list(record.subjects),
        "notes": _plain([asdict(note) for note in record.notes]),
        "warnings": [asdict(warning) for warning in record.warnings],
    }
    return _fitting("law", values, record.id)


def article_values(article: ArticleRecord, record: LawRecord, today: date) -> Values:
    """Give the columns of an article; its heading is that of the redaction of today."""
    _fitting("article", {"key": article.key, "source_block": article.source_block}, article.label)
    current = _current(_closed(article, record), today)
    return {
        "kind": article.kind,
        "label": article.label,
        "heading": current.heading if current else "",
        "path": list(article.path),
        "position": article.position,
        "source_block": article.source_block,
    }


def version_values(article: ArticleRecord, record: LawRecord) -> list[Values]:
    """Give the columns of each redaction, oldest first; a law that is at an end ends what ran."""
    return [
        {
            "position": position,
            "heading": version.heading,
            "text": version.text,
            "sha256": version.sha256,
            "blocks": list(map(block_values, version.blocks)),
            "notes": _plain([asdict(note) for note in version.notes]) if version.notes else [],
            "valid_from": version.valid_from,
            "valid_to": version.valid_to,
            "published": version.published,
            "amended_by": _fitting("version", {"amended_by": version.amended_by}, article.label)["amended_by"],
            "status": version.status,
        }
        for position, version in enumerate(_closed(article, record), start=1)
    ]


def block_values(block: Block) -> Values:
    """Give a block as it is stored: a law has many, so what is as usual is left out.

    >>> block_values(Block("paragraph", 0, 12))
    {'kind': 'paragraph', 'start': 0, 'end': 12}
    """
    values: Values = {"kind": block.kind, "start": block.start, "end": block.end}
    if block.style:
        values["style"] = block.style
    if block.rows:
        values["rows"] = [[_cell_values(cell) for cell in row] for row in block.rows]
    if block.marks:
        values["marks"] = [{"start": mark.start, "end": mark.end, "tag": mark.tag} for mark in block.marks]
    return values


def _cell_values(cell: Cell) -> Values:
    values: Values = {"start": cell.start, "end": cell.end, "is_header": cell.is_header}
    if cell.colspan != 1:
        values["colspan"] = cell.colspan
    if cell.rowspan != 1:
        values["rowspan"] = cell.rowspan
    return values


def _fitting(table: str, values: Values, place: str) -> Values:
    """Give values as they are; raise `Unstorable` for one that is longer than its column."""
    for name, longest in LONGEST[table].items():
        value = values[name]
        if value is not None and len(value) > longest:
            shown = f"{place[:_SHOWN]}: {name} {value[:_SHOWN]!r}..."
            raise Unstorable(f"{shown} has {len(value)} characters, more than the {longest} that are kept")
    return values


def assign(row: Any, values: Values) -> list[str]:
    """Set what differs on a row, and name it."""
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, values[name])
    return changed


def _closed(article: ArticleRecord, record: LawRecord) -> list[VersionRecord]:
    return ended(article.versions, record.valid_to) if record.valid_to else list(article.versions)


def _current(versions: Sequence[VersionRecord], today: date) -> VersionRecord | None:
    """Choose the redaction whose heading an article shows: today's, or the last real text that had begun."""
    begun = [one for one in versions if one.valid_from is None or one.valid_from <= today] or list(versions[:1])
    real = [one for one in begun if one.status == "in_force"]
    return next(reversed(real or begun), None)


def _plain(value: Any) -> Any:
    """Give lists where a dataclass had tuples, as JSON reads them back."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value

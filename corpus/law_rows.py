"""Makes of a law's record every row that a corpus without that law needs: all but the ids of the rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from corpus.chunking import chunk, embedded_text, placed
from corpus.columns import ARTICLE_FIELDS, VERSION_FIELDS, Values, article_values, law_values, version_values
from corpus.records import ArticleRecord, LawRecord
from corpus.structure import sub_units

CHUNK_FIELDS = ("position", "start", "end", "sub_unit", "sha256")


class ChunkValues(NamedTuple):
    """The columns of a chunk, in the order of `CHUNK_FIELDS`."""

    position: int
    start: int
    end: int
    sub_unit: str
    sha256: str


@dataclass(frozen=True)
class VersionRow:
    """A redaction: its columns in the order of `VERSION_FIELDS`, JSON as text, and its chunks."""

    values: tuple[Any, ...]
    chunks: tuple[ChunkValues, ...]


@dataclass(frozen=True)
class ArticleRow:
    """A provision: its columns in the order of `key` and `ARTICLE_FIELDS`, arrays as text, and its redactions."""

    values: tuple[Any, ...]
    versions: tuple[VersionRow, ...]


@dataclass(frozen=True)
class LawRows:
    """A whole law as rows, with what its source says of itself; `characters` is how much text it holds."""

    law: Values
    articles: tuple[ArticleRow, ...]
    source_updated_at: datetime | None
    source_sha256: str
    warnings: tuple[dict[str, str], ...]
    characters: int

    @property
    def keys(self) -> list[str]:
        """The keys of its provisions, in order."""
        return [article.values[0] for article in self.articles]


def rows_of(record: LawRecord, today: date) -> LawRows:
    """Make the rows of a law as it is read on a day."""
    return LawRows(
        law=law_values(record),
        articles=tuple(_article_row(article, record, today) for article in record.articles),
        source_updated_at=record.source_updated_at,
        source_sha256=record.source_sha256,
        warnings=tuple(asdict(warning) for warning in record.warnings),
        characters=sum(len(version.text) for article in record.articles for version in article.versions),
    )


def chunk_values(label: str, heading: str, text: str, blocks: Sequence[Mapping[str, Any]]) -> tuple[ChunkValues, ...]:
    """Split the text of a redaction; only where that gives several passages is each told its sub-unit."""
    passages = chunk(text, heading=heading, blocks=blocks)
    if len(passages) > 1:
        passages = placed(passages, sub_units(text, blocks))
    return tuple(
        ChunkValues(
            position,
            passage.start,
            passage.end,
            passage.sub_unit,
            _sha256(embedded_text(label, heading, text[passage.start : passage.end], passage.header)),
        )
        for position, passage in enumerate(passages, start=1)
    )


def _article_row(article: ArticleRecord, record: LawRecord, today: date) -> ArticleRow:
    values = article_values(article, record, today)
    values["path"] = _array(tuple(values["path"]))
    versions = tuple(_version_row(article.label, version) for version in version_values(article, record))
    return ArticleRow((article.key, *(values[name] for name in ARTICLE_FIELDS)), versions)


def _version_row(label: str, values: Values) -> VersionRow:
    """Make a row; a redaction that only says the provision is gone has nothing to find."""
    chunks: tuple[ChunkValues, ...] = ()
    if values["status"] == "in_force":
        chunks = chunk_values(label, values["heading"], values["text"], values["blocks"])
    written = values | {name: json.dumps(values[name], ensure_ascii=False) for name in ("blocks", "notes")}
    return VersionRow(tuple(written[name] for name in VERSION_FIELDS), chunks)


@lru_cache(maxsize=64)
def _array(items: tuple[str, ...]) -> str:
    r"""Write an array of texts as PostgreSQL reads it.

    >>> print(_array(('TÍTULO "I"', "a\\b")))
    {"TÍTULO \"I\"","a\\b"}
    """
    quoted = (item.replace("\\", "\\\\").replace('"', '\\"') for item in items)
    return "{" + ",".join(f'"{item}"' for item in quoted) + "}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()

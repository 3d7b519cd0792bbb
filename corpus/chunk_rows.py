"""Makes the chunks of versions, and keeps those that stay as they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corpus.law_rows import chunk_values
from corpus.models import ArticleVersion, Chunk

BATCH = 2000


def insert(versions: Iterable[ArticleVersion]) -> None:
    """Make the chunks of versions that have none."""
    Chunk.objects.bulk_create((row for version in versions for row in _rows(version)), batch_size=BATCH)


def replace(versions: Sequence[ArticleVersion]) -> set[int]:
    """Make the chunks of versions what their texts demand, keeping equal rows; give the versions that changed."""
    if not versions:
        return set()
    known = {_identity(row): row for row in Chunk.objects.filter(version__in=versions)}
    wanted = {_identity(row): row for version in versions for row in _rows(version)}
    gone = [row for identity, row in known.items() if identity not in wanted]
    new = [row for identity, row in wanted.items() if identity not in known]
    Chunk.objects.filter(pk__in=[row.pk for row in gone]).delete()
    Chunk.objects.bulk_create(new, batch_size=BATCH)
    return {row.version_id for row in (*gone, *new)}


def _rows(version: ArticleVersion) -> Iterator[Chunk]:
    """Split real text; a redaction that only says the provision is gone has nothing to find."""
    if version.status != "in_force":
        return
    for values in chunk_values(version.article.label, version.heading, version.text, version.blocks):
        yield Chunk(version=version, **values._asdict())


def _identity(row: Chunk) -> tuple[Any, ...]:
    return row.version_id, row.position, row.start, row.end, row.sub_unit, row.sha256

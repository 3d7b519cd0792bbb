"""Stores what a record says of a law, in one transaction: an older or poorer source changes nothing unless forced."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from django.db import connection, transaction

from corpus import chunk_rows
from corpus.columns import Values, assign, law_values
from corpus.models import ArticleVersion, CorpusChange, Law
from corpus.reconciling import Changes, insert_articles, reconcile
from corpus.records import LawRecord

Outcome = Literal["created", "updated", "unchanged", "skipped"]

# Raise it when a release reads the same bytes differently: laws read by another are read again.
IMPORTER_VERSION = 1
_CHANGE_LOG_LOCK = (0x46554E, 1)
_LAW_LOCK = 0x4C4157
_COUNTS = {"characters_in_source", "characters_kept", "warnings"}


class KeyTaken(ValueError):
    """Another law of the corpus already goes by this id."""


@dataclass(frozen=True)
class Stored:
    """What became of a record; `detail` says why one was skipped."""

    outcome: Outcome
    law: Law
    changes: Changes
    detail: str = ""


@transaction.atomic
def store(record: LawRecord, *, fetched_at: datetime, force: bool = False) -> Stored:
    """Make the corpus hold the law as `record` has it; raise `KeyTaken` if another law has its id."""
    _lock_law(record.id)
    law = _known(record)
    if law is None:
        return _created(record, fetched_at)
    reason = "" if force else _inferiority(record, law)
    if reason:
        return Stored("skipped", law, Changes(), reason)
    changes, touched = reconcile(law, record)
    written = assign(law, law_values(record))
    changes.law = [name for name in written if name not in _COUNTS]
    written += assign(law, _source_values(record, fetched_at))
    law.save(update_fields=written)
    _log(law.pk, touched, whole=bool(changes.law))
    return Stored("updated" if changes else "unchanged", law, changes)


@transaction.atomic
def remove(law: Law) -> None:
    """Delete a law with everything below it, and log that it is gone."""
    identifier = law.pk
    law.delete()
    _log(identifier, [], whole=True)


@transaction.atomic
def rechunk(law: Law) -> int:
    """Make the chunks of a law what this release makes of its texts; log and count the articles that changed."""
    _lock_law(law.key)
    versions = {row.pk: row for row in ArticleVersion.objects.filter(article__law=law).select_related("article")}
    articles = {versions[changed].article_id for changed in chunk_rows.replace(list(versions.values()))}
    _log(law.pk, sorted(articles), whole=False)
    return len(articles)


def held(boe_id: str, source_sha256: str) -> Law | None:
    """Give the law that the corpus holds from these very bytes, as this release reads them."""
    same = {"source_sha256": source_sha256, "importer_version": IMPORTER_VERSION}
    return Law.objects.filter(boe_id=boe_id, **same).first() if boe_id else None


def is_current(boe_id: str, source_sha256: str) -> bool:
    """Whether the corpus holds a law from these very bytes, as this release reads them."""
    return held(boe_id, source_sha256) is not None


def _lock_law(key: str) -> None:
    """Let one process at a time store a law, so that two never create it both."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LAW_LOCK, key])


def _known(record: LawRecord) -> Law | None:
    """Find the law by its BOE id, or by its key where no other law has it."""
    by_key = Law.objects.select_for_update().filter(key=record.id).first()
    if not record.boe_id:
        return by_key
    by_source = Law.objects.select_for_update().filter(boe_id=record.boe_id).first()
    if by_key is not None and by_key.boe_id and by_key.boe_id != record.boe_id:
        raise KeyTaken(f"{record.boe_id} would be {record.id}, which is {by_key.boe_id}")
    return by_source or by_key


def _inferiority(record: LawRecord, law: Law) -> str:
    """Say why a source must not replace what is held; empty if it may."""
    if law.history == "full" and record.history != "full":
        return "the corpus holds this law with its whole history, this source has only the current text"
    known, new = law.source_updated_at, record.source_updated_at
    if known and new and new < known:
        return f"the source is of {new:%Y-%m-%d}, the corpus of {known:%Y-%m-%d}"
    return ""


def _created(record: LawRecord, fetched_at: datetime) -> Stored:
    law = Law(**law_values(record), **_source_values(record, fetched_at))
    law.save(force_insert=True)
    insert_articles(law, record, record.articles)
    _log(law.pk, [], whole=True)
    return Stored("created", law, Changes(articles_added=[article.key for article in record.articles]))


def _source_values(record: LawRecord, fetched_at: datetime) -> Values:
    """Give the columns that tell where a record comes from; what came with older bytes is forgotten."""
    return {
        "fetched_from": "",
        "source_etag": "",
        "source_last_modified": "",
        "source_updated_at": record.source_updated_at,
        "source_sha256": record.source_sha256,
        "fetched_at": fetched_at,
        "importer_version": IMPORTER_VERSION,
    }


def _log(law_id: int, article_ids: Iterable[int], *, whole: bool) -> None:
    """Write change log entries under the lock that makes revisions grow in commit order."""
    entries = [CorpusChange(law_id=law_id)] if whole else []
    entries += [CorpusChange(law_id=law_id, article_id=article_id) for article_id in dict.fromkeys(article_ids)]
    if not entries:
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", _CHANGE_LOG_LOCK)
    CorpusChange.objects.bulk_create(entries)

"""Stores what a record says of a law, in one transaction: an older or poorer source changes nothing unless forced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.signals import post_delete
from django.dispatch import receiver

from corpus import chunk_rows, clock, ranks
from corpus.columns import ARTICLE_FIELDS, VERSION_FIELDS, Unstorable, Values, assign, law_values
from corpus.copying import copy, new_ids
from corpus.law_rows import CHUNK_FIELDS, LawRows, rows_of
from corpus.models import Article, ArticleVersion, Chunk, CorpusChange, Law
from corpus.reconciling import Changes, reconcile
from corpus.records import LawRecord

Outcome = Literal["created", "updated", "unchanged", "skipped"]

# Raise it when a release reads the same bytes differently: laws read by another are read again.
IMPORTER_VERSION = 5
_CHANGE_LOG_LOCK = (0x46554E, 1)
_LAW_LOCK = 0x4C4157
_COUNTS = {"characters_in_source", "characters_kept", "warnings"}


class KeyTaken(Unstorable):
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
    """Make the corpus hold the law as `record` has it; raise `Unstorable` if it cannot, as another law has its id."""
    _lock_law(record.id)
    law = _known(record)
    if law is None:
        return _created(record, fetched_at)
    reason = "" if force else _inferiority(record, law)
    if reason:
        return Stored("skipped", law, Changes(), reason)
    known_since = law.known_since
    changes, touched = reconcile(law, record)
    written = assign(law, law_values(record) | ({} if record.boe_id else {"boe_id": law.boe_id}))
    changes.law = [name for name in written if name not in _COUNTS]
    written += assign(law, _source_values(record, fetched_at))
    law.save(update_fields=written)
    # Answers hang on the day too from which the text is known, though it is no change of the law.
    _log(law.pk, touched, whole=bool(changes.law) or law.known_since != known_since)
    return Stored("updated" if changes else "unchanged", law, changes)


@transaction.atomic
def create(laws: Sequence[LawRows], *, fetched_at: datetime) -> list[Law | None]:
    """Store laws that the corpus does not hold, in one transaction; None for each that it does, or whose id is taken.

    Of several that would have one id the first is stored.
    """
    _lock_laws(rows.law["key"] for rows in laws)
    taken = _taken(laws)
    made: list[Law | None] = []
    for rows in laws:
        names = {rows.law["key"], rows.law["boe_id"]} - {None}
        is_free = not names & taken
        taken |= names
        made.append(Law(**rows.law, **_source_values(rows, fetched_at)) if is_free else None)
    Law.objects.bulk_create([law for law in made if law])
    _copy_articles([(law, rows) for law, rows in zip(made, laws, strict=True) if law])
    _log_laws([law.pk for law in made if law])
    return made


@receiver(post_delete, sender=Law)
def _log_removed(instance: Law, **_: Any) -> None:
    """Log that a law is gone, whoever deleted it: all that follows the corpus goes by the log."""
    _log(instance.pk, [], whole=True)


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


def held_sources(boe_ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Give key and source hash of each law that is held, by its BOE id, or by its key where it has none.

    No hash where another release read it.
    """
    names = list(boe_ids)
    columns = ("boe_id", "key", "source_sha256", "importer_version")
    rows = Law.objects.filter(Q(boe_id__in=names) | Q(boe_id=None, key__in=names)).values_list(*columns)
    return {
        boe_id or key: (key, sha256 if version == IMPORTER_VERSION else "") for boe_id, key, sha256, version in rows
    }


def is_current(boe_id: str, source_sha256: str) -> bool:
    """Whether the corpus holds a law from these very bytes, as this release reads them."""
    return held(boe_id, source_sha256) is not None


def _lock_law(key: str) -> None:
    """Let one process at a time store a law, so that two never create it both."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LAW_LOCK, key])


def _lock_laws(keys: Iterable[str]) -> None:
    """Lock many laws, in an order that is the same for all, so that no two processes wait for each other."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_advisory_xact_lock(%s, number) FROM "
            "(SELECT DISTINCT hashtext(key) AS number FROM unnest(%s::text[]) AS key ORDER BY number) AS numbers",
            [_LAW_LOCK, list(keys)],
        )


def _taken(laws: Sequence[LawRows]) -> set[str]:
    """Give those of the ids of some laws by which the corpus holds a law already."""
    keys = [rows.law["key"] for rows in laws]
    sources = [rows.law["boe_id"] for rows in laws if rows.law["boe_id"]]
    found = Law.objects.filter(Q(key__in=keys) | Q(boe_id__in=sources)).values_list("key", "boe_id")
    return {name for names in found for name in names if name}


def _copy_articles(laws: Sequence[tuple[Law, LawRows]]) -> None:
    articles = [(law.pk, article) for law, rows in laws for article in rows.articles]
    article_ids = new_ids(Article, len(articles))
    versions = [
        (article_id, version)
        for article_id, (_, article) in zip(article_ids, articles, strict=True)
        for version in article.versions
    ]
    version_ids = new_ids(ArticleVersion, len(versions))
    copy(
        Article,
        ("id", "law", "key", *ARTICLE_FIELDS),
        ((own, law, *article.values) for own, (law, article) in zip(article_ids, articles, strict=True)),
    )
    copy(
        ArticleVersion,
        ("id", "article", *VERSION_FIELDS),
        ((own, article, *version.values) for own, (article, version) in zip(version_ids, versions, strict=True)),
    )
    copy(
        Chunk,
        ("version", *CHUNK_FIELDS),
        ((own, *chunk) for own, (_, version) in zip(version_ids, versions, strict=True) for chunk in version.chunks),
    )


def _known(record: LawRecord) -> Law | None:
    """Find the law by its BOE id, or by its key where no other law has it."""
    by_key = Law.objects.select_for_update().filter(key=record.id).first()
    if not record.boe_id:
        if by_key is not None and _are_of_two_laws(by_key.eli, record.eli):
            raise KeyTaken(f"{record.eli} would be {record.id}, which is {by_key.eli}")
        return by_key
    by_source = Law.objects.select_for_update().filter(boe_id=record.boe_id).first()
    if by_key is not None and by_key.boe_id and by_key.boe_id != record.boe_id:
        raise KeyTaken(f"{record.boe_id} would be {record.id}, which is {by_key.boe_id}")
    return by_source or by_key


def _are_of_two_laws(one: str, other: str) -> bool:
    """Whether two addresses name two laws; those of Spain may go on in a state of one."""
    if not one or not other or one == other:
        return False
    return ranks.read_eli(one) is None or ranks.read_eli(one) != ranks.read_eli(other)


def _inferiority(record: LawRecord, law: Law) -> str:
    """Say why a source must not replace what is held; empty if it may."""
    if law.history == "full" and record.history != "full":
        return "the corpus holds this law with its whole history, this source has only the current text"
    known, new = law.source_updated_at, record.source_updated_at
    if known and new and new < known:
        return f"the source is of {new:%Y-%m-%d}, the corpus of {known:%Y-%m-%d}"
    return ""


def _created(record: LawRecord, fetched_at: datetime) -> Stored:
    rows = rows_of(record, clock.today())
    law = Law(**rows.law, **_source_values(rows, fetched_at))
    law.save(force_insert=True)
    _copy_articles([(law, rows)])
    _log(law.pk, [], whole=True)
    return Stored("created", law, Changes(articles_added=rows.keys))


def _source_values(record: LawRecord | LawRows, fetched_at: datetime) -> Values:
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
    _log_entries(entries)


def _log_laws(law_ids: Iterable[int]) -> None:
    _log_entries([CorpusChange(law_id=law_id) for law_id in law_ids])


def _log_entries(entries: Sequence[CorpusChange]) -> None:
    if not entries:
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", _CHANGE_LOG_LOCK)
    CorpusChange.objects.bulk_create(entries)

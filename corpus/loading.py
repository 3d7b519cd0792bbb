"""Brings the corpus to what a record says of a law: keeps rows that stay true, replaces the others, logs changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from django.db import connection, transaction
from django.db.models import F

from corpus import clock
from corpus.chunking import chunk, embedded_text
from corpus.models import Article, ArticleVersion, Chunk, CorpusChange, Law
from corpus.records import ArticleRecord, LawRecord, VersionRecord
from corpus.structure import sub_units
from corpus.validity import ended

Outcome = Literal["created", "updated", "unchanged", "skipped"]
Values = dict[str, Any]

# Of what is stored for equal bytes; raise it when a release reads the same source differently.
IMPORTER_VERSION = 1
_CHANGE_LOG_LOCK = (0x46554E, 1)
_LAW_LOCK = 0x4C4157
_ASIDE = 1_000_000
_SOURCE_FIELDS = ("source_updated_at", "source_sha256", "fetched_at", "importer_version")
_LAW_FIELDS = (
    "key", "boe_id", "eli", "title", "short_title", "rank", "number", "jurisdiction", "language", "department",
    "subjects", "enacted", "published", "valid_from", "valid_to", "status", "history", "source", "source_url",
    "characters_in_source", "characters_kept", "notes", "warnings",
)  # fmt: skip
_ARTICLE_FIELDS = ("kind", "label", "heading", "path", "position", "source_block")
_VERSION_FIELDS = (
    "position", "heading", "text", "sha256", "blocks", "notes", "valid_from", "valid_to", "published", "amended_by",
    "status",
)  # fmt: skip


class KeyTaken(ValueError):
    """Another law of the corpus already goes by this id."""


@dataclass
class Changes:
    """What an import changed, by citation key: articles that came or went, redactions by the day they begin."""

    law: list[str] = field(default_factory=list)
    articles_added: list[str] = field(default_factory=list)
    articles_removed: list[str] = field(default_factory=list)
    articles_changed: list[str] = field(default_factory=list)
    versions_added: dict[str, list[str]] = field(default_factory=dict)
    versions_removed: dict[str, list[str]] = field(default_factory=dict)
    versions_changed: dict[str, list[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(vars(self).values())


@dataclass(frozen=True)
class Stored:
    """What became of a record; `detail` says why one was skipped."""

    outcome: Outcome
    law: Law
    changes: Changes
    detail: str = ""


@transaction.atomic
def store(record: LawRecord, *, fetched_at: datetime, force: bool = False) -> Stored:
    """Make the corpus hold the law as `record` has it; an older or poorer source changes nothing unless forced.

    Raise `KeyTaken` if another law has its id.
    """
    _lock_law(record.id)
    law = _known(record)
    if law is None:
        return _created(record, fetched_at)
    reason = "" if force else _inferiority(record, law)
    if reason:
        return Stored("skipped", law, Changes(), reason)
    update = _Update(law, record)
    update.apply()
    _write_law(law, record, fetched_at, update.changes)
    _log(law.pk, update.touched, whole=bool(update.changes.law))
    return Stored("updated" if update.changes else "unchanged", law, update.changes)


@transaction.atomic
def remove(law: Law) -> None:
    """Delete a law with everything below it, and log that it is gone."""
    identifier = law.pk
    law.delete()
    _log(identifier, [], whole=True)


def held(boe_id: str, source_sha256: str) -> Law | None:
    """Give the law that the corpus holds from these very bytes, as this release reads them."""
    same = {"source_sha256": source_sha256, "importer_version": IMPORTER_VERSION}
    return Law.objects.filter(boe_id=boe_id, **same).first() if boe_id else None


def is_current(boe_id: str, source_sha256: str) -> bool:
    """Whether the corpus holds a law from these very bytes, as this release reads them."""
    return held(boe_id, source_sha256) is not None


def _lock_law(key: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LAW_LOCK, key])


def _known(record: LawRecord) -> Law | None:
    """Find the law by its BOE id or its key; a key derived differently by an older release is replaced later."""
    by_key = Law.objects.select_for_update().filter(key=record.id).first()
    if not record.boe_id:
        return by_key
    by_source = Law.objects.select_for_update().filter(boe_id=record.boe_id).first()
    if by_key is not None and by_key.boe_id and by_key.boe_id != record.boe_id:
        raise KeyTaken(f"{record.boe_id} would be {record.id}, which is {by_key.boe_id}")
    return by_source or by_key


def _inferiority(record: LawRecord, law: Law) -> str:
    if law.history == "full" and record.history != "full":
        return "the corpus holds this law with its whole history, this source has only the current text"
    if law.source_updated_at and record.source_updated_at and record.source_updated_at < law.source_updated_at:
        return f"the source is of {record.source_updated_at:%Y-%m-%d}, the corpus of {law.source_updated_at:%Y-%m-%d}"
    return ""


def _created(record: LawRecord, fetched_at: datetime) -> Stored:
    law = Law(**_law_values(record), **_source_values(record, fetched_at))
    law.save(force_insert=True)
    changes = Changes(articles_added=[article.key for article in record.articles])
    _insert_articles(law, record, record.articles)
    _log(law.pk, [], whole=True)
    return Stored("created", law, changes)


def _law_values(record: LawRecord) -> Values:
    values = {name: getattr(record, name, None) for name in _LAW_FIELDS}
    return values | {
        "key": record.id,
        "boe_id": record.boe_id or None,
        "subjects": list(record.subjects),
        "notes": _plain([asdict(note) for note in record.notes]),
        "warnings": [asdict(warning) for warning in record.warnings],
    }


def _source_values(record: LawRecord, fetched_at: datetime) -> Values:
    return {
        "source_updated_at": record.source_updated_at,
        "source_sha256": record.source_sha256,
        "fetched_at": fetched_at,
        "importer_version": IMPORTER_VERSION,
    }


def _write_law(law: Law, record: LawRecord, fetched_at: datetime, changes: Changes) -> None:
    changes.law = _assign(law, _law_values(record))
    _assign(law, _source_values(record, fetched_at))
    law.save(update_fields=[*changes.law, *_SOURCE_FIELDS])


def _assign(row: Any, values: Values) -> list[str]:
    """Set what differs and name it."""
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    for name in changed:
        setattr(row, name, values[name])
    return changed


def _insert_articles(law: Law, record: LawRecord, articles: Sequence[ArticleRecord]) -> list[Article]:
    rows = Article.objects.bulk_create(
        Article(law=law, key=article.key, **_article_values(article, record)) for article in articles
    )
    versions = [
        ArticleVersion(article=row, **values)
        for row, article in zip(rows, articles, strict=True)
        for values in _version_values(article, record)
    ]
    ArticleVersion.objects.bulk_create(versions, batch_size=500)
    _insert_chunks(versions)
    return rows


def _article_values(article: ArticleRecord, record: LawRecord) -> Values:
    current = _current(_closed(article, record))
    return {
        "kind": article.kind,
        "label": article.label,
        "heading": current.heading if current else "",
        "path": list(article.path),
        "position": article.position,
        "source_block": article.source_block,
    }


def _current(versions: Sequence[VersionRecord]) -> VersionRecord | None:
    """Choose the redaction whose heading an article shows: today's, or the last real text that had begun."""
    today = clock.today()
    begun = [one for one in versions if one.valid_from is None or one.valid_from <= today] or list(versions[:1])
    real = [one for one in begun if one.status == "in_force"]
    return next(reversed(real or begun), None)


def _closed(article: ArticleRecord, record: LawRecord) -> list[VersionRecord]:
    """End the texts of a law that is itself at an end."""
    return ended(article.versions, record.valid_to) if record.valid_to else list(article.versions)


def _version_values(article: ArticleRecord, record: LawRecord) -> list[Values]:
    return [
        {
            "position": position,
            "heading": version.heading,
            "text": version.text,
            "sha256": version.sha256,
            "blocks": _plain([asdict(block) for block in version.blocks]),
            "notes": _plain([asdict(note) for note in version.notes]),
            "valid_from": version.valid_from,
            "valid_to": version.valid_to,
            "published": version.published,
            "amended_by": version.amended_by,
            "status": version.status,
        }
        for position, version in enumerate(_closed(article, record), start=1)
    ]


def _plain(value: Any) -> Any:
    """Give lists where a dataclass had tuples, as JSON reads them back."""
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


class _Update:
    """Brings the articles of a known law to those of a record, row by row."""

    def __init__(self, law: Law, record: LawRecord) -> None:
        self.law, self.record = law, record
        self.changes = Changes()
        self.touched: list[int] = []
        self.rows = {row.key: row for row in law.articles.all()}
        self.versions: dict[int, list[ArticleVersion]] = {row.pk: [] for row in self.rows.values()}
        for version in ArticleVersion.objects.filter(article__law=law).order_by("article", "position"):
            self.versions[version.article_id].append(version)
        self.changed_articles: list[Article] = []
        self.changed_versions: list[ArticleVersion] = []
        self.new_versions: list[ArticleVersion] = []
        self.gone_versions: list[int] = []
        self.to_chunk: list[ArticleVersion] = []

    def apply(self) -> None:
        """Find what differs, then write it in a few statements."""
        wanted = {article.key: article for article in self.record.articles}
        gone = [row for key, row in self.rows.items() if key not in wanted]
        for key, article in wanted.items():
            if key in self.rows:
                self._compare(self.rows[key], article)
        self._write()
        added = [article for key, article in wanted.items() if key not in self.rows]
        self.touched += [row.pk for row in _insert_articles(self.law, self.record, added)]
        self.changes.articles_added = [article.key for article in added]
        self.touched += [row.pk for row in gone]
        self.changes.articles_removed = [row.key for row in gone]
        Article.objects.filter(pk__in=[row.pk for row in gone]).delete()

    def _compare(self, row: Article, article: ArticleRecord) -> None:
        changed = _assign(row, _article_values(article, self.record))
        if changed:
            self.changed_articles.append(row)
            if changed != ["position"]:
                self.changes.articles_changed.append(row.key)
        versions_differ = self._compare_versions(row, article, relabelled="label" in changed)
        if changed or versions_differ:
            self.touched.append(row.pk)

    def _compare_versions(self, row: Article, article: ArticleRecord, *, relabelled: bool) -> bool:
        unmatched = list(self.versions[row.pk])
        added, changed = [], []
        for values in _version_values(article, self.record):
            known = _match(unmatched, values)
            if known is None:
                fresh = ArticleVersion(article=row, **values)
                self.new_versions.append(fresh)
                added.append(_day(values["valid_from"]))
                continue
            unmatched.remove(known)
            known.article = row
            differing = _assign(known, values)
            if differing:
                self.changed_versions.append(known)
            if set(differing) - {"position"}:
                changed.append(_day(known.valid_from))
            if relabelled or {"text", "heading", "blocks", "status"} & set(differing):
                self.to_chunk.append(known)
        self.gone_versions += [version.pk for version in unmatched]
        for log, days in (
            (self.changes.versions_added, added),
            (self.changes.versions_changed, changed),
            (self.changes.versions_removed, [_day(version.valid_from) for version in unmatched]),
        ):
            if days:
                log[row.key] = days
        return bool(added or changed or unmatched)

    def _write(self) -> None:
        ArticleVersion.objects.filter(pk__in=self.gone_versions).delete()
        if self.changed_articles:
            Article.objects.bulk_update(self.changed_articles, _ARTICLE_FIELDS, batch_size=500)
        moved = [version.pk for version in self.changed_versions]
        ArticleVersion.objects.filter(pk__in=moved).update(position=F("position") + _ASIDE)
        if self.changed_versions:
            ArticleVersion.objects.bulk_update(self.changed_versions, _VERSION_FIELDS, batch_size=200)
        ArticleVersion.objects.bulk_create(self.new_versions, batch_size=500)
        _replace_chunks(self.to_chunk)
        _insert_chunks(self.new_versions)


def _match(known: Iterable[ArticleVersion], values: Values) -> ArticleVersion | None:
    """Find the row of the same redaction: by the norm and day that made it, else by its very text."""
    rows = list(known)
    made = [row for row in rows if (row.amended_by, row.published) == (values["amended_by"], values["published"])]
    same_text = [row for row in rows if row.sha256 == values["sha256"]]
    both = [row for row in made if row.sha256 == values["sha256"]]
    return next(iter(both or made or [row for row in same_text if row.valid_from == values["valid_from"]]), None)


def _day(day: Any) -> str:
    return day.isoformat() if day else ""


def _chunks(version: ArticleVersion) -> list[Chunk]:
    """Split real text for the embedder; a redaction that only says the provision is gone has nothing to find."""
    if version.status != "in_force":
        return []
    units = sub_units(version.text, version.blocks)
    label, heading = version.article.label, version.heading
    made = []
    for position, passage in enumerate(chunk(version.text, heading=heading, blocks=version.blocks, units=units), 1):
        text = embedded_text(label, heading, version.text[passage.start : passage.end], passage.header)
        made.append(
            Chunk(
                version=version, position=position, start=passage.start, end=passage.end, sub_unit=passage.sub_unit,
                sha256=_sha256(text),
            )
        )  # fmt: skip
    return made


def _sha256(text: str) -> str:
    return VersionRecord(text).sha256


def _insert_chunks(versions: Iterable[ArticleVersion]) -> None:
    Chunk.objects.bulk_create((made for version in versions for made in _chunks(version)), batch_size=2000)


def _replace_chunks(versions: Sequence[ArticleVersion]) -> None:
    """Keep the chunks that stay as they are, so that their rows and vectors live on."""
    known: dict[tuple[Any, ...], Chunk] = {
        _identity(row): row for row in Chunk.objects.filter(version__in=versions) if versions
    }
    wanted = {_identity(made): made for version in versions for made in _chunks(version)}
    Chunk.objects.filter(pk__in=[row.pk for identity, row in known.items() if identity not in wanted]).delete()
    Chunk.objects.bulk_create(made for identity, made in wanted.items() if identity not in known)


def _identity(row: Chunk) -> tuple[Any, ...]:
    return row.version_id, row.position, row.start, row.end, row.sub_unit, row.sha256


def _log(law_id: int, article_ids: Iterable[int], *, whole: bool) -> None:
    """Write change log entries under the lock that makes revisions grow in commit order."""
    entries = [CorpusChange(law_id=law_id)] if whole else []
    entries += [CorpusChange(law_id=law_id, article_id=article_id) for article_id in dict.fromkeys(article_ids)]
    if not entries:
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", _CHANGE_LOG_LOCK)
    CorpusChange.objects.bulk_create(entries)

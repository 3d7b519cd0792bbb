"""Brings the articles and versions of a known law to those of a record, changing only the rows that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import F

from corpus import chunk_rows, clock
from corpus.columns import ARTICLE_FIELDS, VERSION_FIELDS, Values, article_values, assign, version_values
from corpus.models import Article, ArticleVersion, Law
from corpus.records import ArticleRecord, LawRecord
from corpus.validity import ONE_DAY

BATCH = 500
# Positions are unique: rows that move step aside first.
_ASIDE = 1_000_000
_CHUNKED_FIELDS = {"text", "heading", "blocks", "status"}


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


def insert_articles(law: Law, record: LawRecord, articles: Sequence[ArticleRecord]) -> list[Article]:
    """Make the rows of articles that the corpus does not hold."""
    rows = Article.objects.bulk_create(
        (Article(law=law, key=article.key, **article_values(article, record, clock.today())) for article in articles),
        batch_size=BATCH,
    )
    versions = [
        ArticleVersion(article=row, **values)
        for row, article in zip(rows, articles, strict=True)
        for values in version_values(article, record)
    ]
    ArticleVersion.objects.bulk_create(versions, batch_size=BATCH)
    chunk_rows.insert(versions)
    return rows


def reconcile(law: Law, record: LawRecord) -> tuple[Changes, list[int]]:
    """Make the articles of `law` those of `record`; give what changed, and the ids of every article it touched."""
    update = _Update(law, record)
    update.apply()
    return update.changes, update.touched


class _Update:
    """Compares row by row, then writes what differs in a few statements."""

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
        """Find what differs and write it."""
        wanted = {article.key: article for article in self.record.articles}
        gone = [row for key, row in self.rows.items() if key not in wanted]
        for key, article in wanted.items():
            if key in self.rows:
                self._compare(self.rows[key], article)
        self._write()
        added = [article for key, article in wanted.items() if key not in self.rows]
        self.touched += [row.pk for row in insert_articles(self.law, self.record, added)]
        self.changes.articles_added = [article.key for article in added]
        self.touched += [row.pk for row in gone]
        self.changes.articles_removed = [row.key for row in gone]
        Article.objects.filter(pk__in=[row.pk for row in gone]).delete()

    def _compare(self, row: Article, article: ArticleRecord) -> None:
        changed = assign(row, article_values(article, self.record, clock.today()))
        if changed:
            self.changed_articles.append(row)
            if changed != ["position"]:
                self.changes.articles_changed.append(row.key)
        differ = self._compare_versions(row, self._wanted_versions(row, article), relabelled="label" in changed)
        if changed or differ:
            self.touched.append(row.pk)

    def _wanted_versions(self, row: Article, article: ArticleRecord) -> list[Values]:
        wanted = version_values(article, self.record)
        is_snapshot = self.law.history == self.record.history == "current_only"
        return _with_past(self.versions[row.pk], wanted, self._day()) if is_snapshot else wanted

    def _day(self) -> date:
        updated = self.record.source_updated_at
        return updated.astimezone(clock.MADRID).date() if updated else clock.today()

    def _compare_versions(self, row: Article, wanted: Sequence[Values], *, relabelled: bool) -> bool:
        unmatched = list(self.versions[row.pk])
        added, changed = [], []
        for values in wanted:
            known = _match(unmatched, values)
            if known is None:
                self.new_versions.append(ArticleVersion(article=row, **values))
                added.append(_written(values["valid_from"]))
                continue
            unmatched.remove(known)
            if self._amend(known, row, values, relabelled=relabelled):
                changed.append(_written(known.valid_from))
        self.gone_versions += [version.pk for version in unmatched]
        for log, days in (
            (self.changes.versions_added, added),
            (self.changes.versions_changed, changed),
            (self.changes.versions_removed, [_written(version.valid_from) for version in unmatched]),
        ):
            if days:
                log[row.key] = days
        return bool(added or changed or unmatched)

    def _amend(self, known: ArticleVersion, row: Article, values: Values, *, relabelled: bool) -> bool:
        """Note what differs in a row; whether more does than its place in the order."""
        known.article = row
        differing = set(assign(known, values))
        if differing:
            self.changed_versions.append(known)
        if relabelled or differing & _CHUNKED_FIELDS:
            self.to_chunk.append(known)
        return bool(differing - {"position"})

    def _write(self) -> None:
        ArticleVersion.objects.filter(pk__in=self.gone_versions).delete()
        if self.changed_articles:
            Article.objects.bulk_update(self.changed_articles, ARTICLE_FIELDS, batch_size=BATCH)
        moved = [version.pk for version in self.changed_versions]
        ArticleVersion.objects.filter(pk__in=moved).update(position=F("position") + _ASIDE)
        if self.changed_versions:
            ArticleVersion.objects.bulk_update(self.changed_versions, VERSION_FIELDS, batch_size=BATCH)
        ArticleVersion.objects.bulk_create(self.new_versions, batch_size=BATCH)
        chunk_rows.replace(self.to_chunk)
        chunk_rows.insert(self.new_versions)


def _match(known: Sequence[ArticleVersion], values: Values) -> ArticleVersion | None:
    """Find the row of the same redaction: by the norm and day that made it, else by its very text."""
    made = [row for row in known if (row.amended_by, row.published) == (values["amended_by"], values["published"])]
    exact = [row for row in made if (row.sha256, row.valid_from) == (values["sha256"], values["valid_from"])]
    same_text = [row for row in known if row.sha256 == values["sha256"]]
    same_start = [row for row in made if row.valid_from == values["valid_from"]]
    return next(iter(exact or [row for row in made if row in same_text] or same_start or made or same_text), None)


def _with_past(known: Sequence[ArticleVersion], wanted: Sequence[Values], day: date) -> list[Values]:
    """Keep the texts of a source that only gives today's: one that changed ends the day before `day`."""
    if not known or len(wanted) != 1:
        return list(wanted)
    *past, last = [_values(row) for row in known]
    current = dict(wanted[0])
    if last["sha256"] != current["sha256"] and (last["valid_from"] is None or last["valid_from"] < day):
        past.append(last | {"valid_to": day - ONE_DAY})
        current["valid_from"] = day
    else:
        current["valid_from"] = last["valid_from"]
    return [values | {"position": position} for position, values in enumerate([*past, current], start=1)]


def _values(row: ArticleVersion) -> Values:
    return {name: getattr(row, name) for name in VERSION_FIELDS}


def _written(day: Any) -> str:
    return day.isoformat() if day else ""

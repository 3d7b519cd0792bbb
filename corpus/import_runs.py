"""Runs an import over files and folders, one transaction a law, and records what became of each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone

from corpus.importers.markup import ImportRefused
from corpus.importers.sources import Found, Source, find
from corpus.loading import KeyTaken, Stored, held, store
from corpus.models import ImportEntry, ImportRun
from corpus.records import LawRecord

_COUNTED = ("created", "updated", "unchanged", "failed")
_RUN_LOCK = 0x52554E


@dataclass(frozen=True)
class Report:
    """What one import did to one law, with its size and the source's oddities by kind."""

    path: str
    outcome: str
    law: str = ""
    detail: str = ""
    articles: int = 0
    versions: int = 0
    completeness: float | None = None
    warnings: dict[str, int] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)
    seconds: float = 0.0


Reporter = Callable[[Report, int, int], None]


def run(
    paths: Sequence[Path], *, force: bool = False, report: Reporter | None = None
) -> tuple[ImportRun, list[Report]]:
    """Import every law of some files and folders; a law that is refused leaves the others and the corpus as they were.

    `report` is called after each law with its number and how many there are.
    """
    with opened(", ".join(map(str, paths)), force=force, report=report) as importing:
        importing.import_all(find(paths))
    return importing.record, importing.reports


@contextmanager
def opened(source: str, *, force: bool = False, report: Reporter | None = None) -> Iterator[Run]:
    """Record a run while its laws are imported, and how it ended: as failed if any law did."""
    _close_abandoned()
    record = ImportRun.objects.create(source=source)
    _claim(record)
    try:
        yield Run(record, force=force, report=report)
        record.state = ImportRun.State.FAILED if record.failed else ImportRun.State.DONE
    except KeyboardInterrupt:
        record.state = ImportRun.State.CANCELLED
        raise
    except BaseException:
        record.state = ImportRun.State.FAILED
        raise
    finally:
        record.finished_at = timezone.now()
        record.save()
        _release(record)


def _claim(record: ImportRun) -> bool:
    """Hold a run for as long as this connection lives; false if another process holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [_RUN_LOCK, record.pk])
        row = cursor.fetchone()
    return bool(row and row[0])


def _release(record: ImportRun) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [_RUN_LOCK, record.pk])


def _close_abandoned() -> None:
    """Mark as failed the runs whose process is gone; the laws that each had imported are whole."""
    for record in ImportRun.objects.filter(state=ImportRun.State.RUNNING):
        if _claim(record):
            record.state, record.finished_at = ImportRun.State.FAILED, timezone.now()
            record.save(update_fields=["state", "finished_at"])
            _release(record)


class Run:
    """One run under way: its record, and what it did so far."""

    def __init__(self, record: ImportRun, *, force: bool, report: Reporter | None) -> None:
        self.record, self.force, self.report = record, force, report
        self.reports: list[Report] = []

    def import_all(self, found: Found) -> None:
        """Import what was found, and note what was not."""
        total = len(found.sources) + len(found.refused) + len(found.older)
        for refusal in found.refused:
            self.note(refused(refusal, 0.0), total)
        older: dict[str, list[Source]] = {}
        for source in found.older:
            older.setdefault(source.boe_id, []).append(source)
        for source in found.sources:
            self._import_newest([source, *older.get(source.boe_id, ())], total)

    def _import_newest(self, states: Sequence[Source], total: int) -> None:
        """Import the newest state of one law that is sound; those older than it are left."""
        is_done = False
        for source in states:
            if is_done:
                detail = f"a newer file of {source.boe_id} lies beside it"
                self.note(Report(str(source.path), "skipped", source.boe_id, detail), total)
                continue
            done, warnings = self._import_one(source)
            self.note(done, total, warnings)
            is_done = done.outcome != "failed"

    def _import_one(self, source: Source) -> tuple[Report, list[dict[str, str]]]:
        started = time.monotonic()
        known = None if self.force else held(source.boe_id, source.sha256)
        if known is not None:
            return Report(str(source.path), "unchanged", known.key, seconds=time.monotonic() - started), []
        try:
            law = source.read()
            stored = store(law, fetched_at=timezone.now(), force=self.force)
        except ImportRefused as error:
            return refused(error, time.monotonic() - started), []
        except (KeyTaken, DatabaseError) as error:
            return Report(str(source.path), "failed", detail=str(error), seconds=time.monotonic() - started), []
        return imported(str(source.path), law, stored, time.monotonic() - started), list(map(asdict, law.warnings))

    def note(self, done: Report, total: int, warnings: Sequence[dict[str, str]] = ()) -> None:
        """Record what became of a law, and tell it."""
        ImportEntry.objects.create(
            run=self.record, path=done.path, law_key=done.law, outcome=done.outcome, detail=done.detail,
            changes=done.changes, warnings=list(warnings),
        )  # fmt: skip
        if done.outcome in _COUNTED:
            setattr(self.record, done.outcome, getattr(self.record, done.outcome) + 1)
        self.reports.append(done)
        if self.report:
            self.report(done, len(self.reports), total)


def refused(error: ImportRefused, seconds: float) -> Report:
    """Report a source that is refused."""
    return Report(error.file, "failed", detail=str(error), seconds=seconds)


def imported(path: str, law: LawRecord, stored: Stored, seconds: float) -> Report:
    """Report what became of a record that was read from `path`."""
    changes = {name: value for name, value in vars(stored.changes).items() if value}
    return Report(
        path=path,
        outcome=stored.outcome,
        law=law.id,
        detail=stored.detail,
        articles=len(law.articles),
        versions=sum(len(article.versions) for article in law.articles),
        completeness=law.characters_kept / law.characters_in_source if law.characters_in_source else None,
        warnings=dict(Counter(warning.kind for warning in law.warnings)),
        changes={} if stored.outcome == "created" else changes,
        seconds=seconds,
    )

"""Runs an import over files and folders, one transaction a law, and records what became of each."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.db import DatabaseError
from django.utils import timezone

from corpus.importers.markup import ImportRefused
from corpus.importers.sources import Found, Source, find
from corpus.loading import KeyTaken, Stored, is_current, store
from corpus.models import ImportEntry, ImportRun
from corpus.records import LawRecord

_COUNTED = ("created", "updated", "unchanged", "failed")


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
    record = ImportRun.objects.create(source=", ".join(map(str, paths)))
    reports: list[Report] = []
    try:
        _import_all(record, find(paths), reports, force=force, report=report)
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
    return record, reports


def _import_all(
    record: ImportRun, found: Found, reports: list[Report], *, force: bool, report: Reporter | None
) -> None:
    total = len(found.sources) + len(found.refused)
    for number, refusal in enumerate(found.refused, start=1):
        _note(record, reports, _refused(refusal, 0.0), [], report, (number, total))
    for number, source in enumerate(found.sources, start=len(found.refused) + 1):
        done, warnings = _import_one(source, force=force)
        _note(record, reports, done, warnings, report, (number, total))
    for path, reason in found.skipped:
        ImportEntry.objects.create(run=record, path=str(path), outcome="skipped", detail=reason)
        reports.append(Report(str(path), "skipped", detail=reason))


def _note(
    record: ImportRun,
    reports: list[Report],
    done: Report,
    warnings: list[dict[str, str]],
    report: Reporter | None,
    place: tuple[int, int],
) -> None:
    ImportEntry.objects.create(
        run=record, path=done.path, law_key=done.law, outcome=done.outcome, detail=done.detail, changes=done.changes,
        warnings=warnings,
    )  # fmt: skip
    if done.outcome in _COUNTED:
        setattr(record, done.outcome, getattr(record, done.outcome) + 1)
    reports.append(done)
    if report:
        report(done, *place)


def _import_one(source: Source, *, force: bool) -> tuple[Report, list[dict[str, str]]]:
    started = time.monotonic()
    if not force and is_current(source.boe_id, source.sha256):
        return Report(str(source.path), "unchanged", source.boe_id, seconds=time.monotonic() - started), []
    try:
        record = source.read()
        stored = store(record, fetched_at=timezone.now(), force=force)
    except ImportRefused as error:
        return _refused(error, time.monotonic() - started), []
    except (KeyTaken, DatabaseError) as error:
        return Report(str(source.path), "failed", detail=str(error), seconds=time.monotonic() - started), []
    return _stored(source, record, stored, time.monotonic() - started), list(map(asdict, record.warnings))


def _refused(error: ImportRefused, seconds: float) -> Report:
    return Report(error.file, "failed", detail=str(error), seconds=seconds)


def _stored(source: Source, record: LawRecord, stored: Stored, seconds: float) -> Report:
    changes = {name: value for name, value in vars(stored.changes).items() if value}
    return Report(
        path=str(source.path),
        outcome=stored.outcome,
        law=record.id,
        detail=stored.detail,
        articles=len(record.articles),
        versions=sum(len(article.versions) for article in record.articles),
        completeness=record.characters_kept / record.characters_in_source if record.characters_in_source else None,
        warnings=dict(Counter(warning.kind for warning in record.warnings)),
        changes={} if stored.outcome == "created" else changes,
        seconds=seconds,
    )

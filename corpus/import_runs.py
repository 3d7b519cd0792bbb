"""Runs an import over files and folders, whole laws a transaction, and records what became of each."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection
from django.utils import timezone

from corpus import clock, coverage
from corpus.columns import Unstorable
from corpus.importers.markup import ImportRefused, name_of
from corpus.importers.sources import Found, Source, find
from corpus.loading import Stored, create, held_sources, store
from corpus.models import ImportEntry, ImportRun
from corpus.progress import Stopped
from corpus.reading import Order, Reading, read_all
from corpus.records import LawRecord, completeness

logger = logging.getLogger(__name__)

BATCH_CHARACTERS = 4_000_000
BATCH_LAWS = 200
BATCH_SECONDS = 1.0
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
Noted = tuple[Report, Sequence[dict[str, str]]]


def run(
    paths: Sequence[Path], *, force: bool = False, report: Reporter | None = None
) -> tuple[ImportRun, list[Report]]:
    """Import every law of some files and folders; a law that is refused leaves the others and the corpus as they were.

    `report` is called after each law with its number and how many there are; by `Stopped` it ends the run there.
    """
    with opened(", ".join(map(name_of, paths)), force=force, report=report) as importing:
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
    except (KeyboardInterrupt, Stopped):
        record.state = ImportRun.State.CANCELLED
        raise
    except BaseException:
        record.state = ImportRun.State.FAILED
        raise
    finally:
        record.finished_at = timezone.now()
        record.save()
        _release(record)
    coverage.catch_up()


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
        self.total = 0

    def import_all(self, found: Found) -> None:
        """Import what was found, and note what was not."""
        missed = [left_aside(file, reason) for file, reason in found.missed]
        self.total = len(found.sources) + len(found.refused) + len(found.older) + len(missed)
        self._note_all([(report, ()) for report in (*(refused(refusal, 0.0) for refusal in found.refused), *missed)])
        older: dict[str, list[Source]] = {}
        for source in found.older:
            older.setdefault(source.boe_id, []).append(source)
        with closing(self._readings(found.sources)) as readings:
            for batch in _batches(readings):
                noted: list[Noted] = []
                for reading, outcome in zip(batch, self._store(batch), strict=True):
                    noted += (outcome, *self._import_older(older.get(reading.source.boe_id, ()), outcome[0]))
                self._note_all(noted)

    def _readings(self, sources: Sequence[Source]) -> Generator[Reading]:
        """Read, in order, what the corpus does not hold from these very bytes."""
        held = held_sources(one.boe_id for one in sources)
        current = set() if self.force else {boe for boe, (_, sha256) in held.items() if sha256}
        is_same = [one.boe_id in current and held[one.boe_id][1] == one.sha256 for one in sources]
        orders = [
            Order(one, is_new=one.boe_id not in held) for one, same in zip(sources, is_same, strict=True) if not same
        ]
        with closing(read_all(orders, clock.today())) as readings:
            for source, same in zip(sources, is_same, strict=True):
                yield Reading(source, key=held[source.boe_id][0]) if same else next(readings)

    def _store(self, batch: Sequence[Reading]) -> list[Noted]:
        """Store new laws together, and one by one those that are known or that make trouble."""
        new = [reading.rows for reading in batch if reading.rows]
        try:
            made = iter(create(new, fetched_at=timezone.now()) if new else [])
        except DatabaseError:
            logger.warning(
                "%s new laws could not be stored together and are stored one by one", len(new), exc_info=True
            )
            made = iter([None] * len(new))
        return [_created(reading) if reading.rows and next(made) else self._settle(reading) for reading in batch]

    def _settle(self, reading: Reading) -> Noted:
        source, started = reading.source, time.monotonic()
        if reading.fault:
            logger.error("%s\n%s", reading.refusal, reading.fault)
        if reading.refusal:
            return Report(source.name, "failed", detail=reading.refusal, seconds=reading.seconds), ()
        if reading.key:
            return Report(source.name, "unchanged", reading.key), ()
        try:
            law = reading.record or source.read()
            stored = store(law, fetched_at=timezone.now(), force=self.force)
        except ImportRefused as error:
            return refused(error, time.monotonic() - started), ()
        except (Unstorable, DatabaseError) as error:
            return refused(ImportRefused(source.path, in_a_line(error)), time.monotonic() - started), ()
        seconds = reading.seconds + time.monotonic() - started
        return imported(source.name, law, stored, seconds), list(map(asdict, law.warnings))

    def _import_older(self, states: Sequence[Source], newest: Report) -> Iterator[Noted]:
        """Leave the older states of a law whose newest is sound, else import the newest of them that is."""
        is_done = newest.outcome != "failed"
        for source in states:
            if is_done:
                detail = f"a newer or richer file of {source.boe_id} lies beside it"
                yield Report(source.name, "skipped", source.boe_id, detail), ()
                continue
            noted = self._settle(next(self._readings([source])))
            is_done = noted[0].outcome != "failed"
            yield noted

    def note(self, done: Report, total: int, warnings: Sequence[dict[str, str]] = ()) -> None:
        """Record what became of a law, and tell it."""
        self.total = total
        self._note_all([(done, warnings)])

    def _note_all(self, noted: Sequence[Noted]) -> None:
        ImportEntry.objects.bulk_create(
            ImportEntry(
                run=self.record, path=done.path, law_key=done.law, outcome=done.outcome, detail=done.detail,
                changes=done.changes, warnings=list(warnings),
            )
            for done, warnings in noted
        )  # fmt: skip
        for done, _ in noted:
            setattr(self.record, done.outcome, getattr(self.record, done.outcome) + 1)
        first = len(self.reports) + 1
        self.reports += [done for done, _ in noted]
        for number, (done, _) in enumerate(noted, first):
            if self.report:
                self.report(done, number, self.total)


def _batches(readings: Iterable[Reading]) -> Iterator[list[Reading]]:
    """Gather what is stored in one transaction: as much text as is worth one, and not so long that nobody hears."""
    batch: list[Reading] = []
    characters, begun = 0, time.monotonic()
    for reading in readings:
        batch.append(reading)
        characters += reading.rows.characters if reading.rows else 0
        if characters >= BATCH_CHARACTERS or len(batch) >= BATCH_LAWS or time.monotonic() - begun >= BATCH_SECONDS:
            yield batch
            batch, characters, begun = [], 0, time.monotonic()
    if batch:
        yield batch


def _created(reading: Reading) -> Noted:
    rows = reading.rows
    assert rows is not None  # noqa: S101 (the caller has looked)
    report = Report(
        path=reading.source.name,
        outcome="created",
        law=rows.law["key"],
        articles=len(rows.articles),
        versions=sum(len(article.versions) for article in rows.articles),
        completeness=completeness(rows.law["characters_kept"], rows.law["characters_in_source"]),
        warnings=dict(Counter(warning["kind"] for warning in rows.warnings)),
        seconds=reading.seconds,
    )
    return report, rows.warnings


def in_a_line(error: Exception) -> str:
    """Say what went wrong, without the statement that a database's error goes on with."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


def refused(error: ImportRefused, seconds: float) -> Report:
    """Report a source that is refused."""
    return Report(error.file, "failed", detail=str(error), seconds=seconds)


def left_aside(file: Path, reason: str) -> Report:
    """Report a file that is no law by itself."""
    return Report(name_of(file), "skipped", detail=reason)


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
        completeness=completeness(law.characters_kept, law.characters_in_source),
        warnings=dict(Counter(warning.kind for warning in law.warnings)),
        changes={} if stored.outcome == "created" else changes,
        seconds=seconds,
    )

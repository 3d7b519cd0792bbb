"""The jobs that change the texts: uploaded files and laws of the BOE imported, laws deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef, TextField, Value
from django.db.models.functions import Replace

from corpus import boe_sync, import_runs, jobs, uploads
from corpus.import_runs import Report, left_aside
from corpus.importers import sources
from corpus.importers.markup import ImportRefused
from corpus.jobs import Running, State, Task
from corpus.models import Chunk, ChunkEmbedding, ImportEntry, ImportRun, Law

if TYPE_CHECKING:
    from pathlib import Path

    from corpus.importers.sources import Found


@jobs.carries_out(Task.IMPORT_FILES)
def import_files(running: Running) -> State:
    """Import what an upload holds: each law whole, each file that is not taken named."""
    asked = running.arguments
    upload = uploads.prepare(asked["upload"])
    reporter = import_runs.opened(", ".join(asked["names"]), force=asked.get("force", False), report=_telling(running))
    with reporter as importing:
        _belongs(running, importing.record)
        try:
            found = _found(upload)
            importing.import_all(found)
            aside = [Report(name, "skipped", detail="no XML or Markdown") for name in upload.left_aside]
            for report in (*aside, *(left_aside(file, reason) for file, reason in found.fragments)):
                importing.note(report, running.job.total or 0)
        finally:
            _name_by_upload(importing.record, upload.folder)
    if not importing.record.failed:
        uploads.forget(asked["upload"])
    return _ended(running, importing.record)


@jobs.carries_out(Task.IMPORT_BOE)
def import_boe(running: Running) -> State:
    """Fetch the laws asked for by their ids, or those that changed since the last time."""
    asked = running.arguments
    if "ids" in asked:
        running.expect(len(asked["ids"]))
        run = boe_sync.import_ids(asked["ids"], force=asked.get("force", False), report=_telling(running))
    else:
        run = boe_sync.sync(report=_telling(running))
    _belongs(running, run.record)
    return _ended(running, run.record)


def _ended(running: Running, record: ImportRun) -> State:
    if running.arguments.get("embed"):
        jobs.ask_once(Task.EMBED, user=running.job.requested_by)
    return State.FAILED if record.failed else State.DONE


def _found(upload: uploads.Prepared) -> Found:
    """Find the laws of an upload.

    What is none is refused if somebody chose it, or may have meant it as one; else it came along in an archive.
    """
    if not any(upload.folder.rglob("*.*")):
        return sources.Found(refused=upload.refused)
    found = sources.find([upload.folder])
    missed = {*found.missed, *(one for one in found.fragments if one[0].parent == upload.folder)}
    beside = tuple(one for one in found.fragments if one not in missed)
    fragments = (ImportRefused(file, reason) for file, reason in sorted(missed))
    return sources.Found(found.sources, found.older, beside, (*upload.refused, *found.refused, *fragments))


def _name_by_upload(record: ImportRun, folder: Path) -> None:
    """Name files as they were uploaded, not as they lay here."""
    ours = Value(f"{folder}/")
    ImportEntry.objects.filter(run=record).update(
        path=Replace("path", ours, Value("")),
        detail=Replace("detail", ours, Value(""), output_field=TextField()),
    )


def _belongs(running: Running, record: ImportRun) -> None:
    running.job.run = record
    running.job.save(update_fields=["run"])


def _telling(running: Running) -> import_runs.Reporter:
    def tell(report: Report, number: int, total: int) -> None:
        if running.job.run is None and (entry := ImportEntry.objects.filter(path=report.path).last()):
            _belongs(running, entry.run)
        running.reach(number, max(number, total))

    return tell


@jobs.carries_out(Task.DELETE_LAWS)
def delete_laws(running: Running) -> None:
    """Delete laws one by one, with the vectors that only their passages need."""
    keys = running.arguments["laws"]
    running.expect(len(keys))
    for key in keys:
        law = Law.objects.filter(key=key).first()
        if law is not None:
            _delete(law)
        running.advance()


@transaction.atomic
def _delete(law: Law) -> None:
    hashes = set(Chunk.objects.filter(version__article__law=law).values_list("sha256", flat=True))
    law.delete()
    needed = Chunk.objects.filter(sha256=OuterRef("sha256"))
    ChunkEmbedding.objects.filter(~Exists(needed), sha256__in=hashes).delete()

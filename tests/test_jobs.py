"""Background jobs: asked for, carried out, told, stopped between two laws, and taken up again after a kill."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from procrastinate.contrib.django.models import ProcrastinateJob
from procrastinate.exceptions import JobAborted

from corpus import jobs, uploads, vectors
from corpus.embedding import get_embedder
from corpus.importers.markup import ImportRefused
from corpus.jobs import Running, State, Task
from corpus.models import Chunk, ChunkEmbedding, CorpusChange, ImportEntry, ImportRun, Job, Law
from tests import other_process
from tests.boe_server import boe_server
from tests.law_builder import add_law

if TYPE_CHECKING:
    from corpus.jobs import Work

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _own_uploads(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path / "uploads"


def upload_of(folder: Path, *names: str, **more: bytes) -> dict[str, object]:
    """Keep files of a folder, and others by name, as an upload; give the arguments of its import."""
    files = {name: (folder / name).read_bytes() for name in names} | more
    kept = uploads.keep([SimpleUploadedFile(name, data) for name, data in files.items()])
    return {"upload": kept, "names": list(files)}


def carried_out(job: Job, work: Work | None = None) -> Job:
    """Carry a job out here and now, as the worker would."""
    from corpus import jobs_of_texts, jobs_of_vectors
    from search import jobs as jobs_of_search

    works = {
        Task.IMPORT_FILES: jobs_of_texts.import_files,
        Task.IMPORT_BOE: jobs_of_texts.import_boe,
        Task.DELETE_LAWS: jobs_of_texts.delete_laws,
        Task.EMBED: jobs_of_search.embed,
        Task.EMBED_ANEW: jobs_of_vectors.embed_anew,
        Task.REBUILD_INDEXES: jobs_of_search.rebuild_indexes,
        Task.LINK_CITATIONS: jobs_of_search.link_citations,
    }
    jobs.carry_out(job.pk, work or works[Task(job.task)])
    job.refresh_from_db()
    return job


def run_of(job: Job) -> ImportRun:
    assert job.run
    return job.run


def test_a_job_is_queued_with_the_transaction_that_asks_for_it():
    with transaction.atomic():
        jobs.ask(Task.EMBED)
        transaction.set_rollback(True)
    assert not Job.objects.exists()
    assert not ProcrastinateJob.objects.exists()
    job = jobs.ask(Task.EMBED)
    assert (job.state, ProcrastinateJob.objects.get().args) == (State.QUEUED, {"job_id": job.pk})


def test_an_upload_is_imported_and_its_files_are_let_go(examples_dir: Path):
    job = carried_out(jobs.ask(Task.IMPORT_FILES, upload_of(examples_dir, "ley-990-2019.xml", "rd-9991-2020.xml")))
    assert (job.state, job.done, job.total, run_of(job).created) == (State.DONE, 2, 2, 2)
    assert set(Law.objects.values_list("key", flat=True)) == {"ley-990-2019", "rd-9991-2020"}
    assert set(ImportEntry.objects.values_list("path", flat=True)) == {"ley-990-2019.xml", "rd-9991-2020.xml"}
    with pytest.raises(FileNotFoundError, match="not kept"):
        uploads.prepare(job.arguments["upload"])


def test_what_is_refused_is_named_and_the_rest_imported(examples_dir: Path):
    bad = {"roto.xml": b"<response><data>", "nota.md": b"# Una nota sin cabecera\n"}
    job = carried_out(jobs.ask(Task.IMPORT_FILES, upload_of(examples_dir, "ley-990-2019.xml", **bad)))
    assert (job.state, run_of(job).created, run_of(job).failed) == (State.FAILED, 1, 2)
    refused = dict(ImportEntry.objects.filter(outcome="failed").values_list("path", "detail"))
    assert refused.keys() == {"roto.xml", "nota.md"}
    assert refused["nota.md"] == "nota.md: no law: it begins without front matter"
    assert uploads.prepare(job.arguments["upload"]).folder.is_dir()


def test_parts_that_an_archive_has_beside_their_law_are_no_failure(examples_dir: Path):
    whole = (examples_dir / "ley-990-2019.xml").read_text()
    start = whole.partition("<data>")[0]
    members = {
        "ley/full.xml": whole,
        "ley/metadatos.xml": f"{whole.partition('</metadatos>')[0]}</metadatos></data></response>",
        "ley/texto.xml": f"{start}<data><texto>{whole.rpartition('<texto>')[2]}",
        "ley/indice.xml": f"{start}<data/></response>",
        "ley/LEAME.md": "# Una nota",
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, written in members.items():
            archive.writestr(name, written)
    job = carried_out(jobs.ask(Task.IMPORT_FILES, upload_of(examples_dir, **{"normas.zip": packed.getvalue()})))
    told = dict(ImportEntry.objects.values_list("path", "outcome"))
    assert told.pop("normas.zip/ley/full.xml") == "created"
    assert told == {f"normas.zip/{name}": "skipped" for name in members if name != "ley/full.xml"}
    assert (job.state, run_of(job).skipped) == (State.DONE, 4)


def test_laws_of_the_boe_are_fetched_and_what_is_not_there_is_named(examples_dir: Path, settings: Any):
    with boe_server({"BOE-A-2019-99001": (examples_dir / "ley-990-2019.xml").read_bytes()}) as server:
        settings.BOE_API = {**settings.BOE_API, "url": server.url, "seconds_between": 0.0}
        job = carried_out(jobs.ask(Task.IMPORT_BOE, {"ids": ["BOE-A-2019-99001"], "embed": True}))
        again = carried_out(jobs.ask(Task.IMPORT_BOE, {"ids": ["BOE-A-2019-99001", "BOE-A-2001-1"]}))
    assert (job.state, run_of(job).created, Law.objects.get().key) == (State.DONE, 1, "ley-990-2019")
    assert (again.state, run_of(again).unchanged, run_of(again).failed) == (State.FAILED, 1, 1)
    assert Job.objects.filter(task=Task.EMBED, state=State.QUEUED).count() == 1


def test_a_sync_with_nothing_to_go_on_from_says_so():
    job = carried_out(jobs.ask_once(Task.IMPORT_BOE))
    assert (job.state, job.detail.startswith("no earlier sync or import of everything to go on from")) == (
        State.FAILED,
        True,
    )


def test_a_retry_imports_again_what_had_failed(examples_dir: Path, monkeypatch: pytest.MonkeyPatch):
    job = jobs.ask(Task.IMPORT_FILES, upload_of(examples_dir, "ley-990-2019.xml"))

    def refuse(running: Running) -> None:
        raise ImportRefused("ley-990-2019.xml", "not today")

    assert carried_out(job, refuse).detail == "ley-990-2019.xml: not today"
    again = carried_out(jobs.ask_again(job))
    assert (job.state, again.state, Law.objects.count()) == (State.FAILED, State.DONE, 1)


def test_a_cancelled_import_leaves_whole_laws(examples_dir: Path):
    files = sorted(path.name for path in examples_dir.glob("*.xml"))
    job = jobs.ask(Task.IMPORT_FILES, upload_of(examples_dir, *files))
    jobs.TOLD_SECONDS, told = 0.0, jobs.TOLD_SECONDS
    real = Running.reach

    def cancel_at_two(self: Running, done: int, total: int | None) -> None:
        if done == 2:
            jobs.cancel(job)
        real(self, done, total)

    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Running, "reach", cancel_at_two)
            carried_out(job)
    finally:
        jobs.TOLD_SECONDS = told
    assert (job.state, run_of(job).state) == (State.CANCELLED, ImportRun.State.CANCELLED)
    assert 2 <= Law.objects.count() <= len(files)
    assert all(
        law.articles.exists() and CorpusChange.objects.filter(law_id=law.pk).exists() for law in Law.objects.all()
    )


def test_a_waiting_job_is_cancelled_at_once():
    job = jobs.ask(Task.EMBED)
    assert jobs.cancel(job)
    assert not ProcrastinateJob.objects.exists()
    assert carried_out(job).state == State.CANCELLED
    assert not jobs.cancel(job)


def test_a_job_that_fails_says_why():
    def fail(running: Running) -> None:
        raise OSError("no room\nleft")

    job = carried_out(jobs.ask(Task.EMBED), fail)
    assert (job.state, job.detail) == (State.FAILED, "no room left")


def test_a_worker_that_ends_puts_its_job_back():
    class Context:
        def should_abort(self) -> bool:
            return True

    job = jobs.ask(Task.EMBED)
    with pytest.raises(JobAborted):
        jobs.carry_out(job.pk, lambda running: running.advance(), Context())  # type: ignore[arg-type]
    job.refresh_from_db()
    assert job.state == State.QUEUED


def test_a_deleted_law_takes_along_only_its_own_vectors():
    add_law("ley-1-2001", {"art-1": "Texto común.", "art-2": "Texto propio."})
    add_law("ley-2-2001", {"art-1": "Texto común."})
    carried_out(jobs.ask(Task.EMBED))
    assert ChunkEmbedding.objects.count() == 2
    job = carried_out(jobs.ask(Task.DELETE_LAWS, {"laws": ["ley-1-2001", "ley-9-1999"]}))
    assert (job.state, job.done, job.total) == (State.DONE, 2, 2)
    assert list(ChunkEmbedding.objects.values_list("sha256", flat=True)) == [Chunk.objects.get().sha256]


def test_vectors_are_made_anew_of_the_laws_chosen_and_of_no_other():
    add_law("ley-1-2001", {"art-1": "Uno."})
    add_law("ley-2-2001", {"art-1": "Dos."})
    carried_out(jobs.ask(Task.EMBED))
    before = dict(ChunkEmbedding.objects.values_list("sha256", "pk"))
    job = carried_out(jobs.ask(Task.EMBED_ANEW, {"laws": ["ley-2-2001"]}))
    after = dict(ChunkEmbedding.objects.values_list("sha256", "pk"))
    changed = Chunk.objects.get(version__article__law__key="ley-2-2001").sha256
    assert (job.state, job.done) == (State.DONE, 1)
    assert {sha256 for sha256 in after if after[sha256] != before[sha256]} == {changed}


@pytest.mark.usefixtures("indexes")
def test_indexes_and_citations_are_built_by_jobs():
    add_law("ley-1-2001", {"art-1": "Véase el artículo 2 de esta ley.", "art-2": "Fin."})
    rebuilt, linked = carried_out(jobs.ask(Task.REBUILD_INDEXES)), carried_out(jobs.ask(Task.LINK_CITATIONS))
    assert (rebuilt.state, rebuilt.done, rebuilt.total) == (State.DONE, 2, 2)
    assert (linked.state, linked.done) == (State.DONE, 2)


def test_vectors_are_asked_for_once():
    assert jobs.ask_once(Task.EMBED) == jobs.ask_once(Task.EMBED)
    assert vectors.register(get_embedder()).state == "active"


DIE_AT_ONCE = """
import os
from corpus import jobs, vectors
jobs.LIVES = 2
vectors.register = lambda _: os.kill(os.getpid(), 9)
"""
# Goes on after the first batch only once the worker is told to stop.
EMBED_SLOWLY = """
import time
from corpus import jobs
jobs.TOLD_SECONDS = 0.0
real = jobs.Running.reach
def reach(running, done, total):
    while running.job.done and not running.is_worker_stopping():
        time.sleep(0.02)
    real(running, done, total)
jobs.Running.reach = reach
"""
STICK_AT_THE_FIRST_LAW = """
import time
from corpus import import_runs
import_runs.Run.import_all = lambda *_: time.sleep(600)
"""


@pytest.mark.django_db(transaction=True)
def test_what_a_killed_worker_left_is_taken_up_by_the_next(examples_dir: Path):
    job = jobs.ask(Task.IMPORT_FILES, upload_of(examples_dir, "ley-990-2019.xml"))
    first = other_process.start("run_jobs", before=STICK_AT_THE_FIRST_LAW)
    other_process.wait_until(lambda: ImportRun.objects.exists())
    first.kill()
    first.communicate()
    other_process.wait_until(lambda: jobs._is_unclaimed(job.pk))  # as soon as the database sees that it is gone
    job.refresh_from_db()
    assert (job.state, ProcrastinateJob.objects.get().status) == (State.RUNNING, "doing")
    other_process.run("run_jobs", "--once")
    job.refresh_from_db()
    assert (job.state, Law.objects.count(), ProcrastinateJob.objects.count()) == (State.DONE, 1, 0)
    assert list(ImportRun.objects.order_by("pk").values_list("state", flat=True)) == ["failed", "done"]


@pytest.mark.django_db(transaction=True)
def test_a_worker_told_to_stop_puts_its_job_back_and_ends_with_its_parent():
    add_law("ley-1-2001", {f"art-{number}": f"Texto {number}." for number in range(1, 400)})
    job = jobs.ask(Task.EMBED)
    worker = other_process.start("run_jobs", "--until-input-ends", before=EMBED_SLOWLY)
    other_process.wait_until(lambda: Job.objects.get().done)
    worker.communicate("", timeout=other_process.PATIENCE_SECONDS)
    job.refresh_from_db()
    assert (worker.returncode, job.state, ProcrastinateJob.objects.get().status) == (0, State.QUEUED, "todo")


@pytest.mark.django_db(transaction=True)
def test_a_job_that_keeps_killing_its_worker_is_given_up():
    job = jobs.ask(Task.EMBED)
    for _ in range(3):
        dying = other_process.start("run_jobs", "--once", before=DIE_AT_ONCE)
        dying.communicate(timeout=other_process.PATIENCE_SECONDS)
    other_process.run("run_jobs", "--once", before="from corpus import jobs; jobs.LIVES = 2")
    job.refresh_from_db()
    assert (job.state, job.detail) == (State.FAILED, "its worker died each time it was tried")
    assert not ProcrastinateJob.objects.exists()

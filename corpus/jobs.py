"""Background jobs: asked for by requests, carried out by the worker, told as they go, stopped, resumed after a kill.

The row of a `Job` is what is known of it; procrastinate's queue, in the same PostgreSQL, says whose turn it is. Whoever
carries a job out holds an advisory lock on it, so a job whose worker was killed is known at once.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.utils import timezone
from procrastinate import RetryStrategy
from procrastinate.contrib.django import app
from procrastinate.contrib.django.django_connector import DjangoConnector
from procrastinate.contrib.django.models import ProcrastinateJob, ProcrastinateWorker
from procrastinate.exceptions import JobAborted
from procrastinate.manager import JobManager
from procrastinate.tasks import configure_task

from corpus.models import Job
from corpus.progress import Stopped

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from procrastinate import JobContext

logger = logging.getLogger(__name__)

Task = Job.Task
State = Job.State
TOLD_SECONDS = 0.5
HEARTBEAT_SECONDS = 10
SETTLE_SECONDS = 1.0
# A job that has cost its worker's life so often is not tried again by itself.
LIVES = 5
RESUMED = RetryStrategy(retry_exceptions=[JobAborted])
_CLAIM = 0x4A4F42
# Jobs of one name wait for each other; the others may run beside them.
_ONE_AT_A_TIME = {
    Task.IMPORT_FILES: "texts",
    Task.IMPORT_BOE: "texts",
    Task.DELETE_LAWS: "texts",
    Task.EMBED: "vectors",
    Task.EMBED_ANEW: "vectors",
    Task.REBUILD_INDEXES: "indexes",
    Task.LINK_CITATIONS: "citations",
}
# Through Django's own connection: a job is queued if, and only if, the transaction that asks for it commits.
_queue = JobManager(DjangoConnector())


def ask(task: Job.Task, arguments: Mapping[str, Any] | None = None, *, user: User | None = None) -> Job:
    """Queue a job for the worker."""
    with transaction.atomic():
        job = Job.objects.create(task=task, arguments=dict(arguments or {}), requested_by=user)
        _enqueue(job)
    return job


def ask_once(task: Job.Task, *, user: User | None = None) -> Job:
    """Queue a job that takes no arguments, unless one like it waits already."""
    waiting = Job.objects.filter(task=task, state=State.QUEUED, arguments={}).first()
    return waiting or ask(task, user=user)


def ask_again(job: Job, *, user: User | None = None) -> Job:
    """Queue a job like one that is over."""
    return ask(Task(job.task), job.arguments, user=user)


@transaction.atomic
def cancel(job: Job) -> bool:
    """Stop a job: at once while it waits, else after the law or batch that is under way; false if it is over."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.is_over:
        return False
    if job.state == State.QUEUED:
        job.state, job.finished_at = State.CANCELLED, timezone.now()
        if job.queued_as is not None:
            _queue.cancel_job_by_id(job.queued_as, delete_job=True)
    job.is_stopping = True
    job.save(update_fields=["state", "finished_at", "is_stopping"])
    return True


def is_worker_alive() -> bool:
    """Whether some worker has lately shown that it lives."""
    since = timezone.now() - timedelta(seconds=3 * HEARTBEAT_SECONDS)
    return ProcrastinateWorker.objects.filter(last_heartbeat__gt=since).exists()


class Running:
    """A job under way: the work tells it how far it has come, and hears by `Stopped` that it must end."""

    def __init__(self, job: Job, is_worker_stopping: Callable[[], bool] = lambda: False) -> None:
        self.job = job
        self.arguments: dict[str, Any] = job.arguments
        self.is_worker_stopping = is_worker_stopping
        self._told = 0.0

    def expect(self, total: int) -> None:
        """Say how much there is to do."""
        self.job.total = total
        self._tell()

    def advance(self, count: int = 1) -> None:
        """Count `count` more as done; raise `Stopped` if the job is to end here."""
        self.reach(self.job.done + count, self.job.total)

    def reach(self, done: int, total: int | None) -> None:
        """Say that `done` of `total` are done; raise `Stopped` if the job is to end here."""
        self.job.done, self.job.total = done, total
        if self.is_worker_stopping():
            raise Stopped
        if time.monotonic() - self._told >= TOLD_SECONDS:
            self._tell()

    def _tell(self) -> None:
        self._told = time.monotonic()
        self.job.save(update_fields=["done", "total"])
        if Job.objects.filter(pk=self.job.pk, is_stopping=True).exists():
            raise Stopped


Work = Callable[[Running], State | None]
"""Does a job; gives how it ended if that is not simply "done"."""


def carry_out(job_id: int, work: Work, context: JobContext | None = None) -> None:
    """Do the work of a job and keep what became of it; what the worker's own end interrupts is queued again."""
    with _claimed(job_id) as is_ours:
        job = _started(job_id) if is_ours else None
        if job is None:
            return
        running = Running(job, context.should_abort if context else lambda: False)
        try:
            _finish(job, work(running) or State.DONE)
        except Stopped:
            if not running.is_worker_stopping():
                _finish(job, State.CANCELLED)
                return
            Job.objects.filter(pk=job.pk).update(state=State.QUEUED, done=job.done)
            raise JobAborted from None
        except Exception as error:
            logger.exception("job %s (%s) failed", job.pk, job.task)
            job.detail = " ".join(str(error).split()) or type(error).__name__
            _finish(job, State.FAILED)


def carries_out(task: Job.Task) -> Callable[[Work], Work]:
    """Let the worker do the jobs of a kind by the work that is decorated."""

    def register(work: Work) -> Work:
        @app.task(name=task.value, pass_context=True, retry=RESUMED)
        def carry(context: JobContext, job_id: int) -> None:
            carry_out(job_id, work, context)

        return work

    return register


def resume() -> int:
    """Queue again the jobs whose worker is gone, and count them; a job that keeps killing its worker fails."""
    lost = _lost()
    if lost:
        # Between being taken and being claimed, and between being done and leaving the queue, a job looks lost.
        time.sleep(SETTLE_SECONDS)
        lost &= _lost()
    count = 0
    for job_id in sorted(lost):
        with _claimed(job_id) as is_ours:
            count += is_ours and _resume(job_id)
    return count


def _lost() -> set[int]:
    """Give the jobs that the queue says are being done, or does not know, and nobody has claimed."""
    doing = ProcrastinateJob.objects.filter(status="doing").values_list("args__job_id", flat=True)
    waiting = Job.objects.filter(state__in=[State.QUEUED, State.RUNNING])
    unknown = waiting.exclude(queued_as__in=ProcrastinateJob.objects.values("pk")).values_list("pk", flat=True)
    return {job_id for job_id in {*doing, *unknown} if _is_unclaimed(job_id)}


@transaction.atomic
def _resume(job_id: int) -> bool:
    """Put a lost job back into the queue, whence one that is over only disappears."""
    job = Job.objects.filter(pk=job_id, state__in=[State.QUEUED, State.RUNNING]).first()
    queued = ProcrastinateJob.objects.filter(status="doing", args__job_id=job_id).first()
    if job is not None and queued is not None and queued.attempts >= LIVES:
        job.detail = "its worker died each time it was tried"
        _finish(job, State.FAILED)
        job = None
    if queued is not None:
        _queue.retry_job_by_id(queued.pk, timezone.now())
    if job is None:
        return False
    job.state = State.QUEUED
    job.save(update_fields=["state"])
    if queued is None:
        _enqueue(job)
    return True


def _enqueue(job: Job) -> None:
    lock = _ONE_AT_A_TIME[Task(job.task)]
    job.queued_as = configure_task(name=job.task, job_manager=_queue, lock=lock).defer(job_id=job.pk)
    job.save(update_fields=["queued_as"])


@transaction.atomic
def _started(job_id: int) -> Job | None:
    """Give the job as one that runs; None if there is nothing to do."""
    job = Job.objects.select_for_update().filter(pk=job_id).first()
    if job is None or job.is_over:
        return None
    if job.is_stopping:
        _finish(job, State.CANCELLED)
        return None
    job.state, job.started_at, job.done, job.total = State.RUNNING, timezone.now(), 0, None
    job.save(update_fields=["state", "started_at", "done", "total"])
    return job


def _finish(job: Job, state: State) -> None:
    job.state, job.finished_at = state, timezone.now()
    job.save(update_fields=["state", "finished_at", "done", "total", "detail", "run"])


@contextmanager
def _claimed(job_id: int) -> Iterator[bool]:
    """Hold a job for as long as this connection lives; yield false if another process holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [_CLAIM, job_id])
        is_ours = bool(cursor.fetchone()[0])
    try:
        yield is_ours
    finally:
        if is_ours:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [_CLAIM, job_id])


def _is_unclaimed(job_id: int) -> bool:
    with _claimed(job_id) as is_ours:
        return is_ours

"""Queues jobs for the worker, noting the key that asked, and says how they stand."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from ninja import Schema, Status

from corpus import jobs

if TYPE_CHECKING:
    from django.http import HttpRequest

    from corpus.models import Job

ACCEPTED = "The job waits or is under way: follow it at `/jobs/{job}`."


class JobState(Schema):
    """A job: how far it is (`done` of `total`, null while that is not known), and what came of it."""

    id: int
    task: str
    state: str
    requested_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    done: int
    total: int | None
    detail: str


def queued(request: HttpRequest, task: Job.Task, arguments: dict[str, Any]) -> Status[JobState]:
    """Queue a job, noting the key that asked for it."""
    caller = request.auth  # type: ignore[attr-defined]
    return Status(202, state_of(jobs.ask(task, arguments | {"key": caller.key.prefix})))


def state_of(job: Job) -> JobState:
    """Say how a job stands."""
    return JobState(**{name: getattr(job, name) for name in JobState.model_fields})

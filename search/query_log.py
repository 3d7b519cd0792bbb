"""Keeps what was asked and how it was answered, where QUERY_LOG is on: off the way of the answers, and for a time."""

from __future__ import annotations

import logging
import queue
import threading
import time
from dataclasses import asdict, fields
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import DatabaseError, connection
from django.utils import timezone

from search.models import QueryLog
from search.requests import RetrievalRequest

if TYPE_CHECKING:
    from search.responses import RetrievalResponse

logger = logging.getLogger(__name__)

Choice = tuple[UUID, int]

# More than this waits to be written only while the database does not answer; then the log has gaps, not the answers.
MOST_WAITING = 10_000
LONGEST_QUERY = 1_000
WRITE_EVERY_SECONDS = 1.0
PRUNE_EVERY_SECONDS = 3600.0

_ASKED_ANYWAY = {"query", "mode", "limit", "offset", "explain"}
_waiting: queue.Queue[QueryLog | Choice] = queue.Queue(MOST_WAITING)
_starting = threading.Lock()
_writer: threading.Thread | None = None


def note(request: RetrievalRequest, answer: RetrievalResponse, channel: str) -> UUID | None:
    """Have an answer written down soon, by a thread of its own; give the id by which `choose` knows it.

    None, and nothing written, where the log is off or too much waits to be written.
    """
    if not settings.QUERY_LOG:
        return None
    row = QueryLog(
        id=uuid4(),
        at=timezone.now(),
        channel=channel,
        query=answer.query[:LONGEST_QUERY],
        asked_mode=request.mode,
        mode=answer.mode,
        missing=answer.degraded.missing if answer.degraded else "",
        filters=_filters(request),
        corpus_revision=answer.corpus_revision,
        milliseconds=answer.took_ms,
        total=answer.total,
        confidence=answer.confidence,
        first_rank=answer.offset + 1,
        hits=[hit.citation for hit in answer.hits],
    )
    return row.id if _put(row) else None


def choose(asked: UUID, rank: int) -> None:
    """Have written down that the hit of this rank was opened; the first that is, counts."""
    if settings.QUERY_LOG:
        _put((asked, rank))


def flush() -> int:
    """Write what waits, and count it."""
    waiting = []
    while True:
        try:
            waiting.append(_waiting.get_nowait())
        except queue.Empty:
            break
    QueryLog.objects.bulk_create([row for row in waiting if isinstance(row, QueryLog)])
    for choice in waiting:
        if not isinstance(choice, QueryLog):
            _mark(*choice)
    return len(waiting)


def prune() -> int:
    """Delete what is older than QUERY_LOG_DAYS, and count it."""
    before = timezone.now() - timedelta(days=settings.QUERY_LOG_DAYS)
    return QueryLog.objects.filter(at__lt=before).delete()[0]


def _filters(request: RetrievalRequest) -> dict[str, Any]:
    """Give what the request sets beside the question and its page, as JSON holds it."""
    asked = asdict(request)
    return {
        field.name: str(value) if isinstance(value := asked[field.name], date) else value
        for field in fields(RetrievalRequest)
        if field.name not in _ASKED_ANYWAY and asked[field.name] != field.default
    }


def _put(what: QueryLog | Choice) -> bool:
    try:
        _waiting.put_nowait(what)
    except queue.Full:
        return False
    _start_writer()
    return True


def _start_writer() -> None:
    global _writer
    with _starting:
        if _writer is None or not _writer.is_alive():
            _writer = threading.Thread(target=_write_on, name="query-log", daemon=True)
            _writer.start()


def _write_on() -> None:
    """Write what has come, again and again; of what the process did not live to write, a second's worth is lost."""
    pruned_at = 0.0
    while True:
        time.sleep(WRITE_EVERY_SECONDS)
        try:
            if time.monotonic() - pruned_at > PRUNE_EVERY_SECONDS:
                prune()
                pruned_at = time.monotonic()
            flush()
        except DatabaseError as error:
            logger.warning("the query log has a gap: %s", error)
        finally:
            connection.close()


def _mark(asked: UUID, rank: int) -> None:
    row = QueryLog.objects.filter(pk=asked, chosen_rank=None).only("first_rank", "hits").first()
    if row is not None and row.first_rank <= rank < row.first_rank + len(row.hits):
        QueryLog.objects.filter(pk=asked, chosen_rank=None).update(chosen_rank=rank)

"""What the query log tells: which questions found nothing or little, how long answers took, in which modes."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection
from django.db.models import Count, Max, Q
from django.db.models.functions import Lower, TruncDate
from django.utils import timezone

from search.confidence import LOW
from search.models import QueryLog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

MOST_LISTED = 50
COLUMNS = (
    "at", "channel", "query", "asked_mode", "mode", "missing", "filters", "corpus_revision", "milliseconds", "total",
    "confidence", "hits", "chosen_rank",
)  # fmt: skip
_NOTHING, _LITTLE = Q(total=0), Q(total__gt=0, confidence__lt=LOW)
# A spreadsheet would take a cell that begins so for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_LATENCIES = """
    SELECT mode, count(*), percentile_cont(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY milliseconds)
    FROM search_querylog WHERE at >= %s GROUP BY mode ORDER BY count(*) DESC, mode
"""


class Latency(NamedTuple):
    """How long the answers of a mode took, in milliseconds."""

    mode: str
    answers: int
    p50: float
    p95: float
    p99: float


class AskedOften(NamedTuple):
    """A question, however it was capitalised, how often it was asked, and when last."""

    query: str
    times: int
    last: datetime


@dataclass(frozen=True)
class Statistics:
    """The log of the last `days` days; `by_day` counts the answers of each day by mode, in the order of `modes`."""

    days: int
    asked: int
    without_hits: int
    unsure: int
    degraded: int
    chosen: int
    latencies: list[Latency]
    modes: list[str]
    by_day: list[tuple[date, list[int]]]
    finding_nothing: list[AskedOften]
    finding_little: list[AskedOften]


def statistics(days: int) -> Statistics:
    """Work out what the log of the last days tells: five queries."""
    since = timezone.now() - timedelta(days=days)
    rows = QueryLog.objects.filter(at__gte=since)
    counts: dict[str, Any] = rows.aggregate(
        asked=Count("pk"),
        without_hits=Count("pk", filter=_NOTHING),
        unsure=Count("pk", filter=_LITTLE),
        degraded=Count("pk", filter=~Q(missing="")),
        chosen=Count("pk", filter=Q(chosen_rank__isnull=False)),
    )
    latencies = _latencies(since)
    modes = [latency.mode for latency in latencies]
    return Statistics(
        days=days,
        latencies=latencies,
        modes=modes,
        by_day=_by_day(rows, modes),
        finding_nothing=_often(rows.filter(_NOTHING)),
        finding_little=_often(rows.filter(_LITTLE)),
        **counts,
    )


class Unanswered(NamedTuple):
    """How many questions were asked, found nothing or were answered with little confidence; which found nothing."""

    asked: int
    without_hits: int
    unsure: int
    finding_nothing: list[AskedOften]


def unanswered(days: int, listed: int) -> Unanswered:
    """Say what the last days' questions did not find, the `listed` asked most often by name: two queries."""
    rows = QueryLog.objects.filter(at__gte=timezone.now() - timedelta(days=days))
    counts: dict[str, int] = rows.aggregate(
        asked=Count("pk"), without_hits=Count("pk", filter=_NOTHING), unsure=Count("pk", filter=_LITTLE)
    )
    return Unanswered(finding_nothing=_often(rows.filter(_NOTHING))[:listed], **counts)


def table() -> Iterator[list[str]]:
    """Give the whole log as rows of a table, the names of its columns first, the newest question next."""
    yield list(COLUMNS)
    for row in QueryLog.objects.values_list(*COLUMNS).iterator(chunk_size=1_000):
        yield [_cell(value) for value in row]


class Line:
    """A file for `csv.writer` that gives back what is written."""

    def write(self, line: str) -> str:
        """Give the line."""
        return line


def csv_lines() -> Iterator[str]:
    """Give the log as CSV, line by line."""
    writer = csv.writer(Line())
    return (writer.writerow(row) for row in table())


def _latencies(since: datetime) -> list[Latency]:
    with connection.cursor() as cursor:
        cursor.execute(_LATENCIES, [since])
        return [Latency(mode, count, *percentiles) for mode, count, percentiles in cursor.fetchall()]


def _by_day(rows: QuerySet[QueryLog], modes: list[str]) -> list[tuple[date, list[int]]]:
    found: dict[date, list[int]] = {}
    counted = rows.order_by().values_list(TruncDate("at"), "mode").annotate(count=Count("pk"))
    for day, mode, count in sorted(counted):
        found.setdefault(day, [0] * len(modes))[modes.index(mode)] = count
    return list(found.items())


def _often(rows: QuerySet[QueryLog]) -> list[AskedOften]:
    asked = rows.order_by().values_list(Lower("query")).annotate(count=Count("pk"), last=Max("at"))
    return [AskedOften(*row) for row in asked.order_by("-count", "-last")[:MOST_LISTED]]


def _cell(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    written = "" if value is None else " ".join(value) if isinstance(value, list) else str(value)
    return f"'{written}" if written.startswith(_FORMULA) else written

"""Writes what an import did: a line for each law as it is done, and at the end a table, or JSON for programs."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict

from corpus.import_runs import Report
from corpus.models import ImportRun
from corpus.progress import Stream, duration

_COLUMNS = ("law", "outcome", "articles", "versions", "kept", "seconds", "warnings")
_SHOWN_IN_TABLE = 200


class Lines:
    """Writes a line for each law that is done, with the time that is left."""

    def __init__(self, stream: Stream) -> None:
        self._stream, self._started = stream, time.monotonic()

    def __call__(self, report: Report, number: int, total: int) -> None:
        """Tell what became of law `number` of `total`."""
        name = report.law or report.path
        detail = f": {report.detail}" if report.detail else ""
        left = (time.monotonic() - self._started) / number * (total - number)
        told = f", {duration(left)} left" if left >= 1 else ""
        self._stream.write(f"[{number}/{total}] {name} {report.outcome}{detail} ({report.seconds:.2f} s{told})")


def counts(record: ImportRun, reports: Sequence[Report]) -> dict[str, int]:
    """Count outcomes, with the laws that a listing told to be unchanged and nothing was asked of."""
    counted = Counter(report.outcome for report in reports)
    counted["unchanged"] += record.unchanged - counted["unchanged"]
    return {outcome: number for outcome, number in sorted(counted.items()) if number}


def as_json(record: ImportRun, reports: Sequence[Report]) -> str:
    """Write a summary for programs."""
    summary = {
        "run": record.pk,
        "state": record.state,
        "listed": record.listed,
        "covers_until": record.covers_until.isoformat() if record.covers_until else None,
        "counts": counts(record, reports),
        "laws": [asdict(report) for report in reports],
    }
    return json.dumps(summary, ensure_ascii=False, indent=2)


def as_text(record: ImportRun, reports: Sequence[Report]) -> str:
    """Write a table of the laws, and how many met which end; of very many only those that changed or failed."""
    worth = [report for report in reports if report.outcome != "unchanged"]
    shown = reports if len(reports) <= _SHOWN_IN_TABLE else worth
    said = ", ".join(f"{number} {outcome}" for outcome, number in counts(record, reports).items())
    return "\n".join([*(_table(shown) if shown else []), said or "nothing to do"])


def _table(reports: Sequence[Report]) -> list[str]:
    rows = [_COLUMNS, *map(_row, reports)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _row(report: Report) -> tuple[str, ...]:
    warnings = ", ".join(f"{kind} {number}" for kind, number in sorted(report.warnings.items()))
    return (
        report.law or report.path,
        report.outcome,
        str(report.articles or ""),
        str(report.versions or ""),
        f"{report.completeness:.2%}" if report.completeness is not None else "",
        f"{report.seconds:.2f}",
        warnings or (report.detail if report.outcome in {"failed", "skipped"} else ""),
    )

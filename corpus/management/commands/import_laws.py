"""import_laws: brings laws from files and folders into the corpus."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from corpus import import_runs
from corpus.import_runs import Report

_COLUMNS = ("law", "outcome", "articles", "versions", "kept", "seconds", "warnings")


class Command(BaseCommand):
    """Import laws from BOE XML: a whole response, or its parts in a folder; exit code 1 if any is refused."""

    help = "Import laws from BOE XML files or folders, one transaction a law. Run it again at will: it is idempotent."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a folder of them")
        parser.add_argument("--force", action="store_true", help="let an older or poorer source replace what is held")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run, and say what became of each law."""
        record, reports = import_runs.run(options["paths"], force=options["force"], report=self._progress)
        counts = dict(Counter(report.outcome for report in reports))
        if options["json"]:
            summary = {"run": record.pk, "counts": counts, "laws": [asdict(report) for report in reports]}
            self.stdout.write(json.dumps(summary, ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(_table(reports)))
            self.stdout.write(", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items())))
        if record.failed:
            sys.exit(1)

    def _progress(self, report: Report, number: int, total: int) -> None:
        name = report.law or report.path
        detail = f": {report.detail}" if report.detail else ""
        self.stderr.write(f"[{number}/{total}] {name} {report.outcome}{detail} ({report.seconds:.2f} s)")


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

"""import_laws: brings laws into the corpus from files and folders, or from the BOE's open-data API."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus import boe_sync, import_reports, import_runs
from corpus.importers.boe_api import AskedToWait
from corpus.importers.markup import ImportRefused
from corpus.models import ImportRun

INTERRUPTED = 130


class Command(BaseCommand):
    """Import laws, one transaction a law; exit code 1 if any is refused, 130 if interrupted."""

    help = (
        "Import laws from files or folders of BOE XML, Akoma Ntoso or Markdown with front matter, or from the BOE's "
        "open-data API, each whole or not at all. Run it again at will: what is held already is passed over, so an "
        "interrupted run goes on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="a file, or a folder of them")
        parser.add_argument("--boe", nargs="+", metavar="ID", help="fetch these laws from the BOE's API")
        parser.add_argument("--boe-all", action="store_true", help="fetch every law that the BOE's API lists")
        parser.add_argument("--force", action="store_true", help="let an older or poorer source replace what is held")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run, and say what became of each law."""
        record, reports = self._run(options)
        write = import_reports.as_json if options["json"] else import_reports.as_text
        self.stdout.write(write(record, reports))
        if record.failed:
            sys.exit(1)

    def _run(self, options: dict[str, Any]) -> tuple[ImportRun, list[import_runs.Report]]:
        if sum(map(bool, (options["paths"], options["boe"], options["boe_all"]))) != 1:
            raise CommandError("name what to import: either paths, or --boe with BOE ids, or --boe-all")
        asked = {"force": options["force"], "report": import_reports.Lines(self.stderr)}
        try:
            if options["paths"]:
                return import_runs.run(options["paths"], **asked)
            run = boe_sync.import_all(**asked) if options["boe_all"] else boe_sync.import_ids(options["boe"], **asked)
        except (ImportRefused, AskedToWait, ValueError) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.stderr.write("interrupted: run it again to go on")
            sys.exit(INTERRUPTED)
        return run.record, run.reports

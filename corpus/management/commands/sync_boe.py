"""sync_boe: brings the laws that changed, as the BOE's open-data API tells them, into the corpus."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus import boe_sync, import_reports
from corpus.importers.boe_api import AskedToWait
from corpus.importers.markup import ImportRefused

INTERRUPTED = 130


class Command(BaseCommand):
    """Import what changed since a day; exit code 1 if any law is refused, 130 if interrupted."""

    help = (
        "Import the laws that the BOE updated since a day, by default since the last sync or --boe-all that went well. "
        "Run it again at will: what is held already is passed over, so an interrupted run goes on."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--since", type=_day, metavar="DATE", help="first day of updates to ask for, as 2026-06-30")
        parser.add_argument("--held", action="store_true", help="only laws that the corpus holds, no new ones")
        parser.add_argument("--force", action="store_true", help="let an older or poorer source replace what is held")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run, and say what became of each law."""
        try:
            run = boe_sync.sync(
                options["since"],
                only_held=options["held"],
                force=options["force"],
                report=import_reports.Lines(self.stderr),
            )
        except (ImportRefused, AskedToWait, ValueError) as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            self.stderr.write("interrupted: run it again to go on")
            sys.exit(INTERRUPTED)
        write = import_reports.as_json if options["json"] else import_reports.as_text
        self.stdout.write(write(run.record, run.reports))
        if run.record.failed:
            sys.exit(1)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day such as 2026-06-30") from None

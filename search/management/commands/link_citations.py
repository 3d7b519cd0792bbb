"""link_citations: reads what the texts cite and resolves it; goes on where it was interrupted."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from typing import Any

from django.core.management.base import BaseCommand

from corpus.models import CorpusChange
from corpus.progress import Progress, duration
from search import citation_linking

INTERRUPTED = 130


@dataclass(frozen=True)
class Summary:
    """What one run did, and the citations that are held now by what became of them."""

    versions: int
    targets: int
    resolved: int
    law_absent: int
    unresolved: int
    revision: int
    seconds: float


class Command(BaseCommand):
    """Link the citations of what changed in the corpus."""

    help = "Read what changed texts cite and resolve it; --rebuild reads every text again, beside what is held."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--rebuild", action="store_true", help="read every text again")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run; exit code 130 if interrupted, with all that was read kept."""
        rebuild = options["rebuild"]
        total = citation_linking.backlog(rebuild=rebuild)
        progress = Progress("versions", total, options.get("stderr") or sys.stderr)
        try:
            done = citation_linking.link(rebuild=rebuild, advance=progress.advance)
        except KeyboardInterrupt:
            self.stderr.write("interrupted: what was read is kept; run it again to go on")
            sys.exit(INTERRUPTED)
        finally:
            progress.finish()
        summary = Summary(
            versions=done.versions if done else 0,
            targets=done.targets if done else 0,
            **citation_linking.summary(),
            revision=CorpusChange.newest(),
            seconds=round(progress.seconds, 2),
        )
        self.stdout.write(json.dumps(asdict(summary)) if options["json"] else _readable(summary))


def _readable(summary: Summary) -> str:
    total = summary.resolved + summary.law_absent + summary.unresolved
    held = (
        f"{total:,} citations are held: {summary.resolved:,} resolved, {summary.law_absent:,} of laws that are not in "
        f"the corpus, {summary.unresolved:,} unresolved; revision {summary.revision}"
    )
    if not summary.versions and not summary.targets:
        return f"Nothing changed. {held}"
    return f"{summary.versions:,} versions read in {duration(summary.seconds)}. {held}"

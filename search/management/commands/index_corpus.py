"""index_corpus: brings the indexes of words and of vectors to the corpus, or builds them anew aside and swaps."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict, dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.progress import Progress, duration
from search import indexing, semantic
from search.lexical import lexical_index

INTERRUPTED = 130


@dataclass(frozen=True)
class Summary:
    """What one run did: `versions` were read, the index is now at `revision` of the corpus."""

    versions: int
    rebuilt: bool
    revision: int
    seconds: float


class Command(BaseCommand):
    """Index what changed in the corpus; a whole rebuild serves nobody until it is complete."""

    help = "Index what changed in the corpus since the last time; --rebuild makes the whole index anew, beside the old."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--rebuild", action="store_true", help="build the whole index aside and swap it in")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run; exit code 130 if interrupted, with the index as it was before."""
        rebuild = options["rebuild"]
        total = indexing.count_versions() if rebuild else indexing.backlog()
        progress = Progress("versions", total, options.get("stderr") or sys.stderr)
        try:
            done = (indexing.rebuild if rebuild else indexing.catch_up)(advance=progress.advance)
            semantic.refresh(rebuild=rebuild)
        except KeyboardInterrupt:
            self.stderr.write("interrupted: the index is as it was; run it again to begin anew")
            sys.exit(INTERRUPTED)
        except (OSError, ValueError) as error:
            raise CommandError(f"an index cannot be written: {error}") from error
        finally:
            progress.finish()
        state = lexical_index().state()
        summary = Summary(
            versions=done.versions if done else 0,
            rebuilt=bool(done and done.is_rebuilt),
            revision=state.revision if state else 0,
            seconds=round(progress.seconds, 2),
        )
        self.stdout.write(json.dumps(asdict(summary)) if options["json"] else _readable(summary))


def _readable(summary: Summary) -> str:
    if not summary.versions and not summary.rebuilt:
        return f"The index is at revision {summary.revision} already."
    how = "the index was built anew" if summary.rebuilt else "what changed was indexed"
    return f"{summary.versions:,} versions read in {duration(summary.seconds)}, {how}; revision {summary.revision}"

"""embed_chunks: makes the vectors that chunks miss; may be stopped, resumed, and run twice at once."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import asdict, dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus import loading, vectors
from corpus.embedding import Embedder, EmbedderUnavailable, get_embedder
from corpus.models import EmbeddingModel, Law
from corpus.progress import Progress, Stream, duration
from search.embedding_order import most_cited_first

BATCH = 32
ROUND = 20_000
INTERRUPTED = 130


@dataclass
class Summary:
    """What one run did, and what is left; `missing` counts distinct passages."""

    model: str
    state: str
    embedded: int
    missing: int
    pruned: int
    seconds: float
    interrupted: bool


class Command(BaseCommand):
    """Make the vectors that chunks miss, each committed in small batches, and let the model answer when complete."""

    help = "Make the vectors that chunks miss, texts in force first. Stop it at any time; run it again to go on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--limit", type=_positive, help="embed at most so many passages")
        parser.add_argument("--batch", type=_positive, default=BATCH, help="passages per commit (default %(default)s)")
        parser.add_argument("--rechunk", action="store_true", help="first split every text anew, as this release does")
        parser.add_argument("--prune", action="store_true", help="delete vectors no chunk needs, and retired models")
        parser.add_argument("--json", action="store_true", help="print the summary as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run; exit code 130 if interrupted, 1 if the embedder fails."""
        try:
            embedder = get_embedder()
            if options["rechunk"]:
                _rechunk(options.get("stderr") or sys.stderr)
            model = vectors.register(embedder)
            summary = self._run(model, embedder, options)
        except (EmbedderUnavailable, vectors.StaleChunks) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(json.dumps(asdict(summary)) if options["json"] else _readable(summary))
        if summary.interrupted:
            sys.exit(INTERRUPTED)

    def _run(self, model: EmbeddingModel, embedder: Embedder, options: dict[str, Any]) -> Summary:
        missing = vectors.count_missing(model)
        goal = missing if options["limit"] is None else min(options["limit"], missing)
        progress = Progress("passages", goal, options.get("stderr") or sys.stderr)
        interrupted = False
        try:
            _embed_until(progress, model, embedder, options["batch"])
        except KeyboardInterrupt:
            interrupted = True
        finally:
            progress.finish()
        pruned = vectors.prune() if options["prune"] and not interrupted else 0
        vectors.activate_if_complete(model)
        missing = vectors.count_missing(model)
        return Summary(
            model.fingerprint, model.state, progress.done, missing, pruned, round(progress.seconds, 1), interrupted
        )


def _rechunk(stream: Stream) -> None:
    progress = Progress("laws", Law.objects.count(), stream)
    for law in Law.objects.only("key").iterator():
        loading.rechunk(law)
        progress.advance()
    progress.finish()


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a number above zero")
    return int(text)


def _embed_until(progress: Progress, model: EmbeddingModel, embedder: Embedder, batch: int) -> None:
    """Embed round by round, so that what is imported meanwhile takes its place in the order of worth."""
    while progress.done < progress.total:
        before = progress.done
        waiting = vectors.worth_most(model, min(ROUND, progress.total - progress.done), among_equals=most_cited_first())
        for start in range(0, len(waiting), batch):
            progress.advance(vectors.embed(model, embedder, waiting[start : start + batch]))
        if progress.done == before:
            return


def _readable(summary: Summary) -> str:
    rate = summary.embedded / summary.seconds if summary.seconds else 0
    said = [
        f"{summary.embedded:,} passages embedded in {duration(summary.seconds)} ({rate:.1f} a second)",
        f"{summary.missing:,} still without a vector" if summary.missing else "every passage has its vector",
        f"model {summary.model} is {summary.state}",
    ]
    if summary.pruned:
        said.append(f"{summary.pruned:,} vectors pruned")
    if summary.interrupted:
        said.append("interrupted: run it again to go on")
    return "\n".join(said)

"""train_reranker: teaches the built-in reranker from labelled questions."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.progress import Progress
from search import evaluation_runs, training_runs
from search.evaluation import load
from search.reranking import MODELS
from search.training_runs import PENALTY, Gathered

MODES = ("hybrid", "lexical", "semantic")


class Command(BaseCommand):
    """Learn a model for each mode, print how it does on what it has not seen, and keep it."""

    help = f"Teach the built-in reranker from labelled questions, and write {MODELS.name} unless --dry-run."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument(
            "--set", action="append", nargs="+", type=Path, required=True, metavar="DIR [LAWS]",
            help="labelled questions in BEIR layout, and the list of BOE ids to search; may be repeated",
        )  # fmt: skip
        parser.add_argument(
            "--unanswerable", nargs="+", type=Path, metavar="DIR [LAWS]",
            help="questions that no law answers, to learn from what makes an answer likely",
        )  # fmt: skip
        parser.add_argument("--mode", action="append", choices=MODES, help="only this mode; may be repeated")
        parser.add_argument("--penalty", type=float, default=PENALTY, help=f"of large weights (default {PENALTY:g})")
        parser.add_argument("--ablation", action="store_true", help="say what each feature is worth; takes long")
        parser.add_argument("--dry-run", action="store_true", help="write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        """Learn; refuse a set that cannot be read before any question is asked."""
        given_sets = [*options["set"], options["unanswerable"] or []]
        if any(len(given) > 2 for given in given_sets):
            raise CommandError("--set and --unanswerable take a folder and at most one list of laws")
        try:
            *sets, nothing = [(load(given[0]), _laws(given[1:])) if given else None for given in given_sets]
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        for mode in options["mode"] or MODES:
            gathered = Gathered(mode)
            for labelled, laws in filter(None, sets):
                progress = Progress(f"questions of {labelled.name}, {mode}", len(labelled.judgements), sys.stderr)
                gathered.add(labelled, laws, progress.advance)
                progress.finish()
            if nothing:
                gathered.add_unanswerable(*nothing)
            self._teach(gathered, options)

    def _teach(self, gathered: Gathered, options: dict[str, Any]) -> None:
        try:
            model = training_runs.teach(gathered, penalty=options["penalty"])
        except ValueError as error:
            raise CommandError(f"{gathered.mode}: {error}") from error
        for name in ("fused", "unseen_questions", "unseen_sets", "seen"):
            figures = "  ".join(f"{group} {score:.4f}" for group, score in model.metrics[name].items())
            self.stdout.write(f"{gathered.mode:<9} {name:<17} {figures}")
        for name, weight in sorted(model.weights.items(), key=lambda item: -abs(item[1])):
            self.stdout.write(f"  {name:<22}{weight:8.3f}", ending="\n")
        if options["ablation"]:
            for name, lost in training_runs.without_each(gathered, penalty=options["penalty"]).items():
                self.stdout.write(
                    f"  without {name:<26}" + "  ".join(f"{group} {-x:+.4f}" for group, x in lost.items())
                )
        if gathered.unanswerable:
            model = replace(model, confidence=training_runs.teach_confidence(gathered, model))
            self.stdout.write(f"{gathered.mode:<9} confidence        {model.confidence}")
        if not options["dry_run"]:
            training_runs.keep([model])


def _laws(given: list[Path]) -> list[str]:
    return evaluation_runs.law_keys(given[0].read_text().split())[0] if given else []

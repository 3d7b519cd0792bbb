"""evaluate_search: measures retrieval on labelled questions, mode by mode."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpus.progress import Progress
from search import evaluation_history, evaluation_runs
from search.errors import InputError
from search.evaluation import MEASURES, Interval, LabelledSet, load
from search.evaluation_runs import Labels, Scores
from search.requests import FUSIONS, RetrievalRequest, check

MODES = ("lexical", "semantic", "hybrid")
ANY_QUESTION = "¿?"
_NAMED = 20


class Command(BaseCommand):
    """Ask every labelled question in every mode and print what came of it."""

    help = "Measure retrieval on labelled questions in BEIR layout: nDCG, hits, recall and time, for each mode."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("folders", nargs="+", type=Path, metavar="DIR", help="with queries.jsonl and qrels.tsv")
        parser.add_argument("--laws", type=Path, metavar="FILE", help="search only the laws of this list of BOE ids")
        parser.add_argument("--mode", action="append", choices=("auto", *MODES), help="only this mode; may be repeated")
        parser.add_argument("--limit", type=int, help="ask only so many questions of each set")
        parser.add_argument("--save", type=Path, metavar="FILE", help="write the run, question by question, as JSON")
        parser.add_argument(
            "--against", type=Path, metavar="FILE", help="compare with a saved run, question by question"
        )
        parser.add_argument("--keep", action="store_true", help="keep the figures for the admin's page of runs")
        parser.add_argument("--no-rerank", action="store_true", help="leave the fused order as it is")
        parser.add_argument("--fusion", choices=FUSIONS, default="auto", help="fuse by this formula")
        parser.add_argument("--semantic-weight", type=float, help="the semantic arm's share, from 0 to 1")
        parser.add_argument("--include-repealed", action="store_true", help="search what has no force any more, too")
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run; refuse a set or a saved run that cannot be read before any question is asked."""
        try:
            sets = [load(folder) for folder in options["folders"]]
            before = json.loads(options["against"].read_text()) if options["against"] else None
            laws = self._laws(options["laws"])
        except (OSError, ValueError) as error:
            raise CommandError(str(error)) from error
        run: dict[str, dict[str, Any]] = {}
        for labelled in sets:
            labels = _first(evaluation_runs.resolved(labelled), options["limit"])
            self._name_unresolved(labelled, labels)
            run[labelled.name] = {}
            for mode in options["mode"] or MODES:
                scores = self._ask(labelled, labels, _asked(mode, laws, options), options)
                run[labelled.name][mode] = evaluation_runs.plain(scores)
                if not options["json"]:
                    self.stdout.write(_line(labelled.name, mode, scores))
        if options["keep"]:
            evaluation_history.keep(run, laws=len(laws))
        if options["save"]:
            options["save"].write_text(json.dumps(run))
        self._conclude(run, before, as_json=options["json"])

    def _ask(self, labelled: LabelledSet, labels: Labels, asked: RetrievalRequest, options: dict[str, Any]) -> Scores:
        progress = Progress(
            f"questions of {labelled.name}, {asked.mode}", len(labels.judgements), options.get("stderr") or sys.stderr
        )
        try:
            return evaluation_runs.run(labelled, labels, asked, progress.advance)
        finally:
            progress.finish()

    def _laws(self, listed: Path | None) -> list[str]:
        if listed is None:
            return []
        held, absent = evaluation_runs.law_keys(listed.read_text().split())
        if absent:
            self.stderr.write(f"{len(absent)} laws of {listed.name} are not in the corpus: {_some(absent)}")
        if not held:
            raise CommandError(f"the corpus has no law of {listed.name}")
        return held

    def _name_unresolved(self, labelled: LabelledSet, labels: Labels) -> None:
        if labels.unresolved:
            self.stderr.write(
                f"{labelled.name}: {len(labels.unresolved)} corpus ids unresolved: {_some(labels.unresolved)}"
            )

    def _conclude(self, run: dict[str, Any], before: dict[str, Any] | None, *, as_json: bool) -> None:
        compared = evaluation_runs.compared(run, before) if before is not None else {}
        if as_json:
            figures = {
                name: {mode: _without_questions(scores) for mode, scores in modes.items()}
                for name, modes in run.items()
            }
            self.stdout.write(json.dumps({"sets": figures, "against": _plain(compared)}, indent=2))
            return
        for name, modes in compared.items():
            for mode, change in modes.items():
                self.stdout.write(
                    f"{name:<28}{mode:<10}ndcg@10 {change.mean:+.4f} [{change.low:+.4f}, {change.high:+.4f}]"
                )


def _asked(mode: str, laws: list[str], options: dict[str, Any]) -> RetrievalRequest:
    """Give the conditions under which every question is asked; without any, what a reader gets."""
    request = RetrievalRequest(
        ANY_QUESTION,
        mode=mode,
        laws=tuple(laws),
        fusion=options["fusion"],
        semantic_weight=options["semantic_weight"],
        include_repealed=options["include_repealed"],
        rerank=False if options["no_rerank"] else None,
    )
    try:
        check(request)
    except InputError as error:
        raise CommandError(str(error)) from error
    return request


def _first(labels: Labels, limit: int | None) -> Labels:
    return Labels(dict(list(labels.judgements.items())[:limit]), labels.unresolved)


def _line(name: str, mode: str, scores: Scores) -> str:
    interval = scores.means["ndcg@10"]
    measured = "  ".join(f"{measure} {scores.means[measure].mean:.3f}" for measure in MEASURES if measure != "ndcg@10")
    return (
        f"{name:<28}{mode:<10}{scores.questions:>4} questions  ndcg@10 {interval.mean:.4f} "
        f"[{interval.low:.3f}, {interval.high:.3f}]  {measured}  p50 {scores.p50_ms:.1f} ms  p95 {scores.p95_ms:.1f} ms"
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:_NAMED]) + (" ..." if len(names) > _NAMED else "")


def _without_questions(scores: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in scores.items() if name != "per_question"}


def _plain(compared: Mapping[str, Mapping[str, Interval]]) -> dict[str, dict[str, dict[str, float]]]:
    return {name: {mode: vars(change) for mode, change in modes.items()} for name, modes in compared.items()}

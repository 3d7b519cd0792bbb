"""Measures rankings against labelled questions: sets in BEIR layout, graded judgements, and how sure the means are."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import ir_measures
import numpy as np
from ir_measures import RR, R, Success, nDCG

if TYPE_CHECKING:
    from pathlib import Path

    from ir_measures.measures import Measure

MEASURES: dict[str, Measure] = {
    "ndcg@10": nDCG @ 10,
    "hit@1": Success @ 1,
    "hit@10": Success @ 10,
    "mrr@10": RR @ 10,
    "recall@50": R @ 50,
    "recall@100": R @ 100,
}
RESAMPLES = 10_000
CONFIDENCE = 0.95
_SEED = 20_031_218


@dataclass(frozen=True)
class LabelledSet:
    """Questions by id, and for each the grade of what it was judged against; 0 is not relevant."""

    name: str
    questions: dict[str, str]
    judgements: dict[str, dict[str, int]]


@dataclass(frozen=True)
class Interval:
    """A mean with the bounds of its bootstrap confidence interval."""

    mean: float
    low: float
    high: float


def load(folder: Path) -> LabelledSet:
    """Read `queries.jsonl` and `qrels.tsv`. Raise `ValueError` naming the file and line that cannot be read."""
    questions: dict[str, str] = {}
    path = folder / "queries.jsonl"
    for number, line in enumerate(path.read_text().splitlines(), start=1):
        try:
            query = json.loads(line)
            questions[query["_id"]] = query["text"]
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}, line {number}: no question with _id and text") from error
    return LabelledSet(folder.name, questions, _judgements(folder / "qrels.tsv"))


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    with path.open(newline="") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t"), start=2):
            try:
                found.setdefault(row["query-id"], {})[row["corpus-id"]] = int(row["score"])
            except (KeyError, TypeError, ValueError) as error:
                raise ValueError(f"{path}, line {number}: no query-id, corpus-id and score") from error
    return found


def measure(
    rankings: Mapping[str, Sequence[str]], judgements: Mapping[str, Mapping[str, int]]
) -> dict[str, dict[str, float]]:
    """Give each measure of each judged question; one without anything relevant is left out.

    >>> scores = measure({"q": ["b", "a"]}, {"q": {"a": 1}})
    >>> scores["hit@1"], scores["hit@10"], scores["mrr@10"], round(scores["ndcg@10"]["q"], 2)
    ({'q': 0.0}, {'q': 1.0}, {'q': 0.5}, 0.63)
    """
    answerable = {query: grades for query, grades in judgements.items() if any(grades.values())}
    qrels = [
        ir_measures.Qrel(query, doc, grade) for query, grades in answerable.items() for doc, grade in grades.items()
    ]
    run = [
        ir_measures.ScoredDoc(query, doc, -place)
        for query in answerable
        for place, doc in enumerate(rankings.get(query, ()))
    ]
    names = {measured: name for name, measured in MEASURES.items()}
    scores: dict[str, dict[str, float]] = {name: dict.fromkeys(answerable, 0.0) for name in MEASURES}
    for metric in ir_measures.iter_calc(list(names), qrels, run):
        scores[names[metric.measure]][metric.query_id] = float(metric.value)
    return scores


def interval(values: Iterable[float]) -> Interval:
    """Give the mean of per-question values with its percentile bootstrap interval.

    >>> interval([1.0, 1.0])
    Interval(mean=1.0, low=1.0, high=1.0)
    """
    sample = np.fromiter(values, float)
    if not len(sample):
        return Interval(0.0, 0.0, 0.0)
    drawn = np.random.default_rng(_SEED).integers(0, len(sample), (RESAMPLES, len(sample)))
    means = sample[drawn].mean(axis=1)
    low, high = np.quantile(means, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(float(sample.mean()), float(low), float(high))


def difference(after: Mapping[str, float], before: Mapping[str, float]) -> Interval:
    """Give how much better `after` is on the questions that both have, question by question."""
    return interval(after[query] - before[query] for query in sorted(after.keys() & before.keys()))


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value that `share` of the values do not exceed; 0 of none."""
    return float(np.quantile(values, share)) if values else 0.0

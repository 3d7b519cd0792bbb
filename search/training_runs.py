"""Teaches the built-in reranker: puts labelled questions to the product, learns from their pools, keeps the model."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from search import evaluation_runs, training
from search.confidence import FACTS, LOW, facts
from search.evaluation import measure
from search.features import NAMES, features
from search.reordering import head, known
from search.requests import RetrievalRequest
from search.reranking import MODELS, Model, stems_of
from search.retrieval import pool_of
from search.training import Example

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from search.evaluation import LabelledSet
    from search.features import Asked, Entry

PENALTY = 1.0
CONFIDENCE_PENALTY = 3.0
_SEED = 20261130
MEASURE = "ndcg@10"


class Gathered:
    """The pools of labelled questions as examples, and what is needed to say how well an order of them does."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.examples: list[Example] = []
        self.fingerprint = ""
        self._citations: dict[tuple[str, str], list[str]] = {}
        self._named: dict[tuple[str, str], NDArray[np.bool_]] = {}
        self._judgements: dict[str, dict[str, dict[str, int]]] = {}
        self._pools: dict[tuple[str, str], tuple[Asked, list[Entry]]] = {}
        self.unanswerable: list[tuple[Asked, list[Entry], NDArray[np.float64]]] = []

    def add(self, labelled: LabelledSet, laws: Sequence[str], advance: Callable[[int], None]) -> None:
        """Put every judged question of a set to the arms, and keep the pool that a reranker would be given."""
        judgements = evaluation_runs.resolved(labelled).judgements
        self._judgements[labelled.name] = judgements
        for query, grades in judgements.items():
            question, pool = pool_of(RetrievalRequest(labelled.questions[query], mode=self.mode, laws=tuple(laws)))
            advance(1)
            if pool.mode != self.mode:
                continue
            self.fingerprint = self.fingerprint or pool.fingerprint
            entries = head(pool)
            asked, pooled = known(question, pool, entries)
            values = features(asked, pooled, stems_of)
            key = labelled.name, query
            self._pools[key] = asked, pooled
            self._citations[key] = [pool.provisions[one.version_id].citation for one in entries]
            self._named[key] = np.array([one.article_id in pool.named for one in entries], bool)
            graded = np.array([grades.get(citation, 0) for citation in self._citations[key]], float)
            self.examples.append(Example(*key, values, graded))

    def add_unanswerable(self, labelled: LabelledSet, laws: Sequence[str]) -> None:
        """Put questions that no law answers to the arms, and keep their pools."""
        for text in labelled.questions.values():
            question, pool = pool_of(RetrievalRequest(text, mode=self.mode, laws=tuple(laws)))
            asked, pooled = known(question, pool, head(pool))
            self.unanswerable.append((asked, pooled, features(asked, pooled, stems_of)))

    def facts(self, totals: Mapping[tuple[str, str], NDArray[np.float64]]) -> NDArray[np.float64]:
        """Give the facts of every answerable pool, in the order of the examples: float64[n, len(FACTS)]."""
        keys = [(one.group, one.query) for one in self.examples]
        return np.array(
            [facts(*self._pools[key], one.features, totals[key]) for key, one in zip(keys, self.examples, strict=True)]
        )

    def score(self, totals: Mapping[tuple[str, str], NDArray[np.float64]]) -> dict[str, float]:
        """Give the mean nDCG@10 of each set when its pools stand in the order of these totals, named entries first."""
        scores = {}
        for name, judgements in self._judgements.items():
            rankings = {
                query: self._order((group, query), values) for (group, query), values in totals.items() if group == name
            }
            known = {query: judgements[query] for query in rankings}
            per_question = measure(rankings, known)[MEASURE]
            scores[name] = round(float(np.mean(list(per_question.values()))), 4) if per_question else 0.0
        return scores

    def as_fused(self) -> dict[tuple[str, str], NDArray[np.float64]]:
        """Give totals that leave every pool in its fused order."""
        return {(one.group, one.query): -np.arange(len(one.grades), dtype=float) for one in self.examples}

    def _order(self, key: tuple[str, str], totals: NDArray[np.float64]) -> list[str]:
        places = np.lexsort((-totals, ~self._named[key]))
        return [self._citations[key][place] for place in places]


def teach(gathered: Gathered, *, penalty: float = PENALTY) -> Model:
    """Learn from all examples; say how the same does on questions and on sets that it has not learnt from."""
    examples = gathered.examples
    weights = training.fit(examples, penalty=penalty)
    totals = np.concatenate([one.features @ weights for one in examples])
    slope, intercept = training.calibrate(totals, np.concatenate([one.grades > 0 for one in examples]))
    sets = sorted({one.group for one in examples})
    return Model(
        arms=gathered.mode,
        fingerprint=_family(gathered.fingerprint),
        weights={name: round(float(weight), 3) for name, weight in zip(NAMES, weights, strict=True)},
        slope=round(slope, 4),
        intercept=round(intercept, 4),
        metrics={
            "measure": MEASURE,
            "penalty": penalty,
            "questions": {name: sum(one.group == name for one in examples) for name in sets},
            "fused": gathered.score(gathered.as_fused()),
            "unseen_questions": gathered.score(training.unseen(examples, penalty=penalty)),
            "unseen_sets": _unseen_sets(gathered, sets, penalty) if len(sets) > 1 else {},
            "seen": gathered.score({(one.group, one.query): one.features @ weights for one in examples}),
        },
    )


def teach_confidence(gathered: Gathered, model: Model) -> dict[str, Any]:
    """Learn which answers hold what was asked for: the labelled questions have one, the unanswerable none.

    Say how well questions not learnt from are told apart (area under the curve), and what share of either kind
    falls below `LOW`.
    """
    answered = gathered.facts(training.unseen(gathered.examples, penalty=model.metrics["penalty"]))
    nothing = np.array(
        [facts(asked, pool, values, values @ model.vector) for asked, pool, values in gathered.unanswerable]
    )
    values = np.concatenate([answered, nothing])
    is_answered = np.arange(len(values)) < len(answered)
    weights, intercept = training.separate(values, is_answered, penalty=CONFIDENCE_PENALTY)
    chances = np.zeros(len(values))
    folds = np.random.default_rng(_SEED).permutation(len(values)) % training.FOLDS
    for fold in range(training.FOLDS):
        own = folds == fold
        line, start = training.separate(values[~own], is_answered[~own], penalty=CONFIDENCE_PENALTY)
        chances[own] = 1 / (1 + np.exp(-(values[own] @ line + start)))
    return {
        "weights": {name: round(float(weight), 4) for name, weight in zip(FACTS, weights, strict=True)},
        "intercept": round(intercept, 4),
        "metrics": {
            "answerable": int(is_answered.sum()),
            "unanswerable": int((~is_answered).sum()),
            "auc": round(training.area_under_curve(chances, is_answered), 4),
            "answerable_below_low": round(float((chances[is_answered] < LOW).mean()), 4),
            "unanswerable_below_low": round(float((chances[~is_answered] < LOW).mean()), 4),
        },
    }


def without_each(gathered: Gathered, *, penalty: float = PENALTY) -> dict[str, dict[str, float]]:
    """Give, by feature, what unseen questions lose when it is left out (an ablation)."""
    whole = gathered.score(training.unseen(gathered.examples, penalty=penalty))
    lost = {}
    for place, name in enumerate(NAMES):
        blind = [_without(one, place) for one in gathered.examples]
        scores = gathered.score(training.unseen(blind, penalty=penalty))
        lost[name] = {group: round(whole[group] - scores[group], 4) for group in whole}
    return lost


def keep(models: Iterable[Model]) -> None:
    """Write models in the place of those for the same arms and embedder."""
    known = json.loads(MODELS.read_text())["models"] if MODELS.exists() else []
    by_use = {(model["arms"], model["fingerprint"]): model for model in known}
    by_use |= {(model.arms, model.fingerprint): asdict(model) for model in models}
    kept: dict[str, Any] = {"features": list(NAMES), "models": [by_use[use] for use in sorted(by_use)]}
    MODELS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")


def _unseen_sets(gathered: Gathered, sets: Sequence[str], penalty: float) -> dict[str, float]:
    totals: dict[tuple[str, str], NDArray[np.float64]] = {}
    for name in sets:
        weights = training.fit([one for one in gathered.examples if one.group != name], penalty=penalty)
        totals |= {(one.group, one.query): one.features @ weights for one in gathered.examples if one.group == name}
    return gathered.score(totals)


def _without(example: Example, place: int) -> Example:
    values = example.features.copy()
    values[:, place] = 0.0
    return Example(example.group, example.query, values, example.grades)


def _family(fingerprint: str) -> str:
    """Give the part of a fingerprint that vectors alike share: its first word."""
    return f"{fingerprint.partition('-')[0]}-" if fingerprint else ""

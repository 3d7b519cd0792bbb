"""How likely it is that an answer holds what was asked for: a calibrated line over facts of the whole pool."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Any

import numpy as np

from search.features import NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from search.features import Asked, Entry

FACTS = ("ahead", "lead", "nearest", "words", "heading", "agreement")
# Below this an answer is shown with a warning; how many questions of either kind it parts is among the metrics.
LOW = 0.5
# BM25 counts at most this many times the worth of a word.
MOST_PER_WORD = 3.0
HEAD = 5
_HEADING = NAMES.index("heading")


@dataclass(frozen=True)
class Line:
    """Weights of the facts and an intercept: the log odds that one of the first ten hits is relevant."""

    weights: Mapping[str, float]
    intercept: float
    metrics: Mapping[str, Any]

    def of(self, facts: Sequence[float]) -> float:
        """Give the probability, from 0 to 1."""
        odds = self.intercept + sum(self.weights[name] * fact for name, fact in zip(FACTS, facts, strict=True))
        return round(1 / (1 + exp(-max(-30.0, min(30.0, odds)))), 4)


def facts(
    asked: Asked, entries: Sequence[Entry], features: NDArray[np.float64], totals: NDArray[np.float64]
) -> tuple[float, ...]:
    """Give the facts of a pool, in the order of `FACTS`; of an empty one all are 0.

    How far the best total stands above the pool's median and leads the fifth; the nearest cosine; the best lexical
    score as a share of what all the words could count; how much of the question the best headings say; whether both
    arms put one entry first.
    """
    if not entries:
        return (0.0,) * len(FACTS)
    best = np.argsort(-totals, kind="stable")[:HEAD]
    worth = max((sum(worths.values()) for worths in asked.worths.values()), default=0.0)
    lexical = max((entry.lexical[1] for entry in entries if entry.lexical), default=0.0)
    return (
        float(totals[best[0]] - np.median(totals)),
        float(totals[best[0]] - totals[best[-1]]),
        max((entry.semantic[1] for entry in entries if entry.semantic), default=0.0),
        min(1.0, lexical / (MOST_PER_WORD * worth)) if worth else 0.0,
        float(features[best, _HEADING].max()),
        float(any(_leads(entry.lexical) and _leads(entry.semantic) for entry in entries)),
    )


def _leads(place: tuple[int, float] | None) -> bool:
    return place is not None and place[0] == 1

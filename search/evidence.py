"""What the index and the citations say of the entries of a pool, beyond their places in the arms."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from search.candidates import ArmUnavailable
from search.lexical import lexical_index

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from search.hydration import Provision
    from search.questions import Question
    from search.semantic import Nearness


class Evidence(NamedTuple):
    """Of one entry: which other articles of the pool it cites, and how far words stand together in it as asked.

    `pairs` is the share of the question's neighbouring words that do, from 0 to 1. `nearness` is the mean cosine of its
    nearest passages; None where that is not known.
    """

    cites: frozenset[int] = frozenset()
    pairs: float = 0.0
    nearness: float | None = None


def evidence(question: Question, provisions: Sequence[Provision], nearness: Nearness) -> list[Evidence]:
    """Give the evidence of every provision of a pool, in their order: one query of the index."""
    articles = {one.article_id for one in provisions}
    versions = [one.version_id for one in provisions]
    pairs, near = _pairs(question, versions), nearness(versions)
    return [
        Evidence((one.cites & articles) - {one.article_id}, pairs.get(one.version_id, 0.0), near.get(one.version_id))
        for one in provisions
    ]


def _pairs(question: Question, versions: Collection[int]) -> dict[int, float]:
    try:
        return lexical_index().pairs(question, versions)
    except ArmUnavailable:
        return {}

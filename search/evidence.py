"""What the index and the citations say of the entries of a pool, beyond their places in the arms."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from search.candidates import ArmUnavailable
from search.lexical import lexical_index
from search.models import Citation

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from search.questions import Question
    from search.ranking import Ranked


@dataclass(frozen=True)
class Evidence:
    """Of one entry: which other articles of the pool it cites, and how far words stand together in it as asked.

    `pairs` is the share of the question's neighbouring words that do, from 0 to 1.
    """

    cites: frozenset[int] = frozenset()
    pairs: float = 0.0


def evidence(question: Question, entries: Sequence[Ranked]) -> list[Evidence]:
    """Give the evidence of every entry, in their order: one query of the database, one of the index."""
    articles, versions = [one.article_id for one in entries], [one.version_id for one in entries]
    cites, pairs = _cites(articles, versions), _pairs(question, versions)
    return [
        Evidence(frozenset(cites[version]) - {article}, pairs.get(version, 0.0))
        for article, version in zip(articles, versions, strict=True)
    ]


def _cites(articles: Collection[int], versions: Collection[int]) -> defaultdict[int, set[int]]:
    """Give, by version, which of the articles it cites."""
    found = Citation.objects.filter(version__in=versions, target__articles__in=articles).order_by()
    cites: defaultdict[int, set[int]] = defaultdict(set)
    for version, article in found.values_list("version_id", "target__articles"):
        cites[version].add(article)
    return cites


def _pairs(question: Question, versions: Collection[int]) -> dict[int, float]:
    try:
        return lexical_index().pairs(question, versions)
    except ArmUnavailable:
        return {}

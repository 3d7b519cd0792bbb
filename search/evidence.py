"""What the index and the citations say of the entries of a pool, beyond their places in the arms."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection

from search.candidates import ArmUnavailable
from search.lexical import lexical_index
from search.models import Citation, CitedTarget

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from search.questions import Question
    from search.ranking import Ranked

# Asked with every question: as a query set, with a parameter for each id, it takes four times as long.
_CITES = f"""
    SELECT citation.version_id, cited.article_id
    FROM {Citation._meta.db_table} citation
    JOIN {CitedTarget.articles.through._meta.db_table} cited ON cited.citedtarget_id = citation.target_id
    WHERE citation.version_id = ANY(%s) AND cited.article_id = ANY(%s)
"""  # noqa: S608


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


def _cites(articles: list[int], versions: list[int]) -> defaultdict[int, set[int]]:
    """Give, by version, which of the articles it cites."""
    cites: defaultdict[int, set[int]] = defaultdict(set)
    with connection.cursor() as cursor:
        cursor.execute(_CITES, [versions, articles])
        for version, article in cursor.fetchall():
            cites[version].add(article)
    return cites


def _pairs(question: Question, versions: Collection[int]) -> dict[int, float]:
    try:
        return lexical_index().pairs(question, versions)
    except ArmUnavailable:
        return {}

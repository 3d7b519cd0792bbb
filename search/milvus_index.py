"""The vectors in Milvus, for those who outgrow one PostgreSQL: filters and nearness in one request."""

from __future__ import annotations

import json
import time
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from search.candidates import ArmUnavailable, Candidate
from search.filters import ENDED, FIRST_DAY, IN_FORCE, LAST_DAY, NOT_YET_IN_FORCE, Filters
from search.milvus_server import MOST_ROWS
from search.vector_index import Capabilities, article_count, first_articles

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corpus.embedding import Vectors
    from search.milvus_server import Manifest, Milvus

# So few rows are compared one by one: a walk through the graph loses rows where few of those it meets are wanted.
NARROW_ROWS = 2_000
# Twice what Milvus lets the replicas of a collection with bounded staleness lag.
SETTLED_SECONDS = 10.0
_SCORE_DECIMALS = 6
_COUNTS = 64


class MilvusIndex:
    """A collection that is published; its rows hold all that filters ask, and Milvus filters before its limit."""

    capabilities = Capabilities(filters="before", is_exact=False)

    def __init__(self, milvus: Milvus, manifest: Manifest) -> None:
        self.horizon = manifest.horizon
        self._milvus, self._collection = milvus, manifest.collection
        self._since = time.monotonic()
        # It says only which way to look, and people leaf through one answer.
        self._count = lru_cache(_COUNTS)(self._counted)

    def __len__(self) -> int:
        """Count none: of what there is, only what changed is ever written anew."""
        return 0

    @property
    def is_settled(self) -> bool:
        """Whether every replica of a cluster has by now what was written."""
        return time.monotonic() - self._since > SETTLED_SECONDS

    def search(self, vector: Vectors, filters: Filters, depth: int) -> list[Candidate]:
        """Give passages by falling cosine, until they are of `depth` articles or no more match.

        Raise `ArmUnavailable` where Milvus does not answer.
        """
        try:
            return self._search(vector, filters, depth)
        except ArmUnavailable:
            manifest = self._milvus.manifest(self.horizon)
            if manifest is None or manifest.collection == self._collection:
                raise
            # The collection was built anew in the meantime.
            self._collection = manifest.collection
            return self._search(vector, filters, depth)

    def _search(self, vector: Vectors, filters: Filters, depth: int) -> list[Candidate]:
        where, count = expression(filters), min(4 * depth, MOST_ROWS)
        while True:
            rows = self._nearest(vector, filters, where, count)
            ranked = sorted(map(_candidate, rows), key=_place)
            found = first_articles(ranked, depth)
            if len(ranked) < count or count == MOST_ROWS:
                return found
            # What ties with the last row may be missing: which of them come first is not left to chance.
            if article_count(found) >= depth and ranked[-1].score < found[-1].score:
                return found
            count = min(4 * count, MOST_ROWS)

    def _nearest(self, vector: Vectors, filters: Filters, where: str, count: int) -> list[dict[str, Any]]:
        if _may_be_narrow(filters) and self._count(where) <= NARROW_ROWS:
            return self._milvus.compared(self._collection, vector, where)
        rows = self._milvus.nearest(self._collection, vector, where, count)
        if len(rows) < count and len(rows) < self._count(where):
            return self._milvus.compared(self._collection, vector, where)
        return rows

    def _counted(self, where: str) -> int:
        return self._milvus.count(self._collection, where)


def expression(filters: Filters) -> str:
    """Write filters as Milvus reads them, with everything that they ask for.

    >>> from datetime import date
    >>> expression(Filters(date(2026, 1, 1), laws=("ce", "cc")))
    '(first_day <= 739617 and last_day >= 739617) and law in ["ce", "cc"]'
    """
    earliest, latest = filters.begins_between
    parts = [_statuses(filters)]
    if earliest > FIRST_DAY:
        parts.append(f"first_day >= {earliest}")
    if latest < LAST_DAY:
        parts.append(f"first_day <= {latest}")
    lists = {
        "law": filters.laws, "rank": filters.ranks, "jurisdiction": filters.jurisdictions, "kind": filters.kinds,
    }  # fmt: skip
    parts += [among(column, values) for column, values in lists.items() if values]
    return " and ".join(parts)


def among(column: str, values: Iterable[object]) -> str:
    """Write that a column has one of these values.

    >>> among("article", [3, 5])
    'article in [3, 5]'
    """
    return f"{column} in {json.dumps(list(values), ensure_ascii=False)}"


def _may_be_narrow(filters: Filters) -> bool:
    return filters != Filters(filters.on, include_repealed=filters.include_repealed)


def _statuses(filters: Filters) -> str:
    day, wanted = filters.day, filters.wanted_statuses
    found = []
    if IN_FORCE in wanted:
        found.append(f"(first_day <= {day} and last_day >= {day})")
    if NOT_YET_IN_FORCE in wanted:
        found.append(f"first_day > {day}")
    if ended := [status for status in ENDED if status in wanted]:
        found.append(
            f"(last_day < {day} and first_day <= {day} and shown_until >= {day} and {among('ended_as', ended)})"
        )
    return found[0] if len(found) == 1 else f"({' or '.join(found)})"


def _candidate(row: dict[str, Any]) -> Candidate:
    said = row["entity"]
    score = round(float(row["distance"]), _SCORE_DECIMALS)
    return Candidate(said["article"], said["version"], score, said["text_start"], said["text_end"], said["digest"])


def _place(one: Candidate) -> tuple[float, int, int, int]:
    return -one.score, one.article_id, one.version_id, one.start

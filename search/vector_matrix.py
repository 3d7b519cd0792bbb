"""The default index: every vector in one memory-mapped matrix, compared exactly, with the filters as masks."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from search.candidates import Candidate
from search.vector_index import Capabilities, first_articles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from corpus.embedding import Vectors
    from search.filters import Filters
    from search.vector_store import Generation

# Below this share of the vectors, comparing only the wanted ones is faster than comparing all.
NARROW = 0.1
# Comparing so many takes one core some milliseconds; more are shared out.
SHARED_OUT = 50_000
_SCORE_DECIMALS = 6
_MASKS = 8


def cosines(vectors: Vectors, vector: Vectors) -> NDArray[np.float32]:
    """Compare unit vectors float32[n, d] with one: float32[n].

    Not by BLAS: on busy cores its threads, which spin while they wait for each other, take a hundred times longer.
    """
    found = np.empty(len(vectors), np.float32)
    parts = max(1, min(os.cpu_count() or 1, len(vectors) // SHARED_OUT))
    bounds = np.linspace(0, len(vectors), parts + 1, dtype=int)

    def compare(start: int, end: int) -> None:
        np.vecdot(vectors[start:end], vector, out=found[start:end])

    shared = [_pool().submit(compare, *bounds[part : part + 2]) for part in range(1, parts)]
    compare(bounds[0], bounds[1])
    for part in shared:
        part.result()
    return found


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1), "cosines")


class Matrix:
    """One generation of the matrix, ready to be asked."""

    capabilities = Capabilities(filters="before", is_exact=True)

    def __init__(self, generation: Generation) -> None:
        self.horizon = generation.manifest.horizon
        self.rows = generation.rows
        self.vectors = generation.vectors
        self._admitted = lru_cache(_MASKS)(generation.rows.admitted)

    def search(self, vector: Vectors, filters: Filters, depth: int) -> list[Candidate]:
        """Give passages by falling cosine, until they are of `depth` articles or no more match."""
        places = self._admitted(filters)
        scores = self._scores(vector, places)
        count = min(4 * depth, len(places))
        while True:
            found = first_articles(self._best(places, scores, count), depth)
            if count >= len(places) or len({candidate.article_id for candidate in found}) >= depth:
                return found
            count = min(4 * count, len(places))

    def _scores(self, vector: Vectors, places: NDArray[np.intp]) -> NDArray[np.float32]:
        wanted = self.rows["vector"][places]
        if len(wanted) < NARROW * len(self.vectors):
            return cosines(self.vectors[wanted], vector)
        scores: NDArray[np.float32] = cosines(self.vectors, vector)[wanted]
        return scores

    def _best(self, places: NDArray[np.intp], scores: NDArray[np.float32], count: int) -> list[Candidate]:
        """Give the best `count` in order; which of those that tie at the end are among them is no accident either."""
        if not count:
            return []
        last = np.partition(scores, len(scores) - count)[len(scores) - count]
        best = np.flatnonzero(scores >= last - 10.0**-_SCORE_DECIMALS)
        rounded = np.round(scores[best].astype(float), _SCORE_DECIMALS)
        names = ("article", "version", "start", "end", "digest")
        article, version, start, end, digest = (self.rows[name][places[best]] for name in names)
        order = np.lexsort((start, version, article, -rounded))[:count]
        columns = (article, version, rounded, start, end, digest)
        return [Candidate(*values) for values in zip(*(column[order].tolist() for column in columns), strict=True)]

"""The default index: every vector in memory-mapped files, with the filters as masks; exact unless very many."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from search import vector_codes, vector_signs
from search.candidates import Candidate
from search.vector_index import Capabilities, article_count, first_articles, mean_of_nearest

if TYPE_CHECKING:
    from collections.abc import Collection

    from numpy.typing import NDArray

    from corpus.embedding import Vectors
    from search.filters import Filters
    from search.vector_store import Generation

# So few vectors are compared as they are.
FEW = 1_000
# Below this share of the vectors, comparing only the wanted ones is faster than comparing all.
NARROW = 0.1
# The largest of so many values tells whether any of them may be among the best.
BLOCK = 256
_SCORE_DECIMALS = 6
_MASKS = 8


class Matrix:
    """One generation of the matrix, ready to be asked."""

    def __init__(self, generation: Generation) -> None:
        self.horizon = generation.manifest.horizon
        self.rows = generation.rows
        self.table = generation.table
        self._middle = vector_signs.centre(self.table.vectors) if len(self.table.signs) else None
        self._admitted = lru_cache(_MASKS)(self._read_admitted)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def capabilities(self) -> Capabilities:
        """Every condition is met; what is nearest is found surely if all are compared, and nearly always if not."""
        return Capabilities(filters="before", is_exact=self._middle is None)

    def search(self, vector: Vectors, filters: Filters, depth: int) -> list[Candidate]:
        """Give passages by falling cosine, until they are of `depth` articles or no more match."""
        places, wanted = self._admitted(filters)
        if self._middle is not None and len(wanted) >= NARROW * len(self.table):
            asked = vector_signs.signs_of_one(vector, self._middle)
            close = vector_signs.closest(self.table.signs, asked, wanted, vector_signs.CLOSE)
            found = _Asked(self, vector, places[close], wanted[close]).nearest(depth)
            if article_count(found) >= depth:
                return found
        return _Asked(self, vector, places, wanted).nearest(depth)

    def nearness(self, vector: Vectors, version_ids: Collection[int]) -> dict[int, float]:
        """Give how near those versions are that have a vector: the mean cosine of the nearest passages of each."""
        order, versions = self._by_version
        wanted = np.unique(np.fromiter(version_ids, np.int64, len(version_ids)))
        first, end = (np.searchsorted(versions, wanted, side) for side in ("left", "right"))
        places = order[_ranges(first, end)]
        cosines = cosines_of(self.table.vectors, self.rows["vector"][places], vector)
        return mean_of_nearest(self.rows["version"][places], cosines)

    @cached_property
    def _by_version(self) -> tuple[NDArray[np.intp], NDArray[np.integer[Any]]]:
        """The places of all rows by their version, and the version of each."""
        versions = self.rows["version"]
        order = np.argsort(versions, kind="stable")
        return order, versions[order]

    def _read_admitted(self, filters: Filters) -> tuple[NDArray[np.intp], NDArray[np.integer[Any]]]:
        """Give the places of the rows that meet the filters, and of their vectors."""
        places = self.rows.admitted(filters)
        return places, self.rows["vector"][places]


class _Asked:
    """One question put to the rows at `places`: about the cosine of each, and how far off one may be.

    `wanted` are the places of their vectors in the table.
    """

    def __init__(
        self, matrix: Matrix, vector: Vectors, places: NDArray[np.intp], wanted: NDArray[np.integer[Any]]
    ) -> None:
        self._matrix, self._vector, self.places, self._wanted = matrix, vector, places, wanted
        table = matrix.table
        if len(wanted) <= FEW:
            self._near, self._error = self._cosines(np.arange(len(wanted))), 0.0
        elif len(wanted) < NARROW * len(table):
            codes, scales = table.codes.take(wanted, axis=0), table.scales.take(wanted)
            self._near, self._error = vector_codes.compare(codes, scales, table.residual, vector)
        else:
            near, self._error = vector_codes.compare(table.codes, table.scales, table.residual, vector)
            self._near = near.take(wanted)

    def nearest(self, depth: int) -> list[Candidate]:
        """Give passages in order, until they are of `depth` articles or there are no more."""
        count = min(4 * depth, len(self.places))
        while True:
            found = first_articles(self.best(count), depth)
            if count >= len(self.places) or article_count(found) >= depth:
                return found
            count = min(4 * count, len(self.places))

    def best(self, count: int) -> list[Candidate]:
        """Give the best `count` in order; which of those that tie at the end are among them is no accident either."""
        if not count:
            return []
        least = self._cosines(largest(self._near, count)).min() - 10.0**-_SCORE_DECIMALS
        # Whatever is as good as the worst of these looks nearly as good.
        best = np.flatnonzero(self._near >= least - self._error)
        rounded = np.round(self._cosines(best).astype(float), _SCORE_DECIMALS)
        names = ("article", "version", "start", "end", "digest")
        article, version, start, end, digest = (self._matrix.rows[name][self.places[best]] for name in names)
        order = np.lexsort((start, version, article, -rounded))[:count]
        columns = (article, version, rounded, start, end, digest)
        return [Candidate(*values) for values in zip(*(column[order].tolist() for column in columns), strict=True)]

    def _cosines(self, some: NDArray[np.intp]) -> NDArray[np.float32]:
        """Compare the vectors of some of the places as they are."""
        return cosines_of(self._matrix.table.vectors, self._wanted[some], self._vector)


def cosines_of(vectors: Vectors, places: NDArray[np.integer[Any]], vector: Vectors) -> NDArray[np.float32]:
    """Compare the vectors at some places as they are.

    Not by BLAS: on busy cores its threads, which spin while they wait for each other, take a hundred times longer.
    """
    cosines: NDArray[np.float32] = np.vecdot(vectors.take(places, axis=0), vector)
    return cosines


def _ranges(first: NDArray[np.intp], end: NDArray[np.intp]) -> NDArray[np.intp]:
    """Give every number from each `first` up to before its `end`, in order.

    >>> _ranges(np.array([4, 9, 9]), np.array([6, 9, 10])).tolist()
    [4, 5, 9]
    """
    lengths = end - first
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    ranges: NDArray[np.intp] = np.repeat(first, lengths) + within
    return ranges


def largest(values: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Give the places of the `count` largest values, in no order; of those equal to the least of them, any.

    >>> sorted(largest(np.array([0.5, 0.1, 0.9, 0.7], np.float32), 2).tolist())
    [2, 3]
    """
    blocks = len(values) // BLOCK
    if blocks < count:
        return np.argpartition(values, -count)[-count:]
    tops = values[: blocks * BLOCK].reshape(blocks, BLOCK).max(axis=1)
    some = np.flatnonzero(values >= np.partition(tops, -count)[-count])
    return some[np.argpartition(values[some], -count)[-count:]]

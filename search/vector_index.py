"""What the semantic arm asks of an index of vectors, whatever holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from corpus.embedding import Vectors
    from search.candidates import Candidate
    from search.filters import Filters


# How near a text is tell so many of its passages: by one alone a long text is near to nearly everything.
TELLING = 3


@dataclass(frozen=True)
class Capabilities:
    """What an index promises.

    `filters`: it meets every condition "before" its limit, or only cuts what surely fails them and leaves the
    rest to be checked "after". `is_exact`: nothing nearer is ever left out.
    """

    filters: Literal["before", "after"]
    is_exact: bool


class VectorIndex(Protocol):
    """Finds the passages nearest to a vector."""

    @property
    def capabilities(self) -> Capabilities:
        """What this index promises."""

    def search(self, vector: Vectors, filters: Filters, depth: int) -> list[Candidate]:
        """Give passages by falling cosine, until they are of `depth` articles or no more match.

        Ties are ordered by article, version and place, so that equal questions get equal answers.
        """


def first_articles(candidates: Sequence[Candidate], depth: int) -> list[Candidate]:
    """Keep the candidates, best first, down to the best one of the article number `depth`."""
    seen: set[int] = set()
    for place, candidate in enumerate(candidates):
        seen.add(candidate.article_id)
        if len(seen) > depth:
            return list(candidates[:place])
    return list(candidates)


def article_count(candidates: Sequence[Candidate]) -> int:
    """Count the articles that the candidates are of."""
    return len({candidate.article_id for candidate in candidates})


def mean_of_nearest(versions: NDArray[np.integer[Any]], cosines: NDArray[np.floating[Any]]) -> dict[int, float]:
    """Give of each version the mean cosine of its `TELLING` nearest passages; both arrays have one value a passage.

    >>> mean_of_nearest(np.array([7, 5, 7, 7, 7]), np.array([0.5, 0.25, 0.75, 0.0, 1.0]))
    {5: 0.25, 7: 0.75}
    """
    if not len(versions):
        return {}
    order = np.lexsort((-cosines, versions))
    ordered = versions[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=ordered[0] - 1))
    lengths = np.diff(starts, append=len(ordered))
    telling = np.arange(len(ordered)) - np.repeat(starts, lengths) < TELLING
    sums = np.add.reduceat(np.where(telling, cosines[order], 0.0), starts)
    means = sums / np.minimum(lengths, TELLING)
    return dict(zip(ordered[starts].tolist(), means.tolist(), strict=True))

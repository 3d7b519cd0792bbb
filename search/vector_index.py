"""What the semantic arm asks of an index of vectors, whatever holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus.embedding import Vectors
    from search.candidates import Candidate
    from search.filters import Filters


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

"""What an arm gives back: a passage of one version of one article, with the arm's own score."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Candidate:
    """One match, best first in its list; `start` and `end` are offsets into the version's text.

    An arm that ranks whole versions leaves the passage empty (`start == end == 0`). Fusion folds candidates by
    `article_id`.
    """

    article_id: int
    version_id: int
    score: float
    start: int = 0
    end: int = 0

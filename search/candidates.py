"""What an arm gives back: a passage of one version of one article, with the arm's own score."""

from __future__ import annotations

from typing import NamedTuple


class ArmUnavailable(RuntimeError):
    """An arm cannot answer now; the message says why, for the people who read the answer of the other arm."""


class Candidate(NamedTuple):
    """One match, best first in its list; `start` and `end` are offsets into the version's text.

    An arm that ranks whole versions leaves the passage empty (`start == end == 0`). Fusion folds candidates by
    `article_id`. `digest` is of the text the arm knows (`digest_of`); 0 leaves unsaid which.
    """

    article_id: int
    version_id: int
    score: float
    start: int = 0
    end: int = 0
    digest: int = 0


def digest_of(sha256: str) -> int:
    """Give the first 63 bits of a hash in hexadecimal: enough to tell that a text has changed."""
    return int(sha256[:16], 16) >> 1

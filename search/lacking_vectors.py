"""How many chunks of each law have no vector of the model that answers, counted for all laws together and kept.

Counting takes a tenth of a second for thirty thousand chunks and some seconds for a million, so it is done at once
when texts or model change, and only now and then while vectors are being made.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from django.core.cache import cache

from corpus import coverage
from search.indexing import corpus_state
from search.vector_horizon import Horizon

KEPT_FOR_SECONDS = 300
COUNTED_EVERY_SECONDS = 30
IDLE_PER_SECOND_SPENT = 50
_KEY = "coverage:lacking_vectors"


@dataclass(frozen=True)
class _Counted:
    """What lacked vectors when it was counted, `at` a monotonic time, under a model and a revision of the texts."""

    state: tuple[int | None, int]
    last_vector: int
    at: float
    took_seconds: float
    by_law: dict[int, int]

    @property
    def is_old(self) -> bool:
        """Whether it is time to count again; the longer it takes, the more seldom."""
        return time.monotonic() - self.at > max(COUNTED_EVERY_SECONDS, IDLE_PER_SECOND_SPENT * self.took_seconds)


def by_law() -> dict[int, int]:
    """Count the chunks without vector by law; laws that lack none are left out."""
    horizon = Horizon.now()
    state = (horizon.model, horizon.revision) if horizon else (None, corpus_state().revision)
    last_vector = horizon.last_vector if horizon else 0
    held: _Counted | None = cache.get(_KEY)
    if held is None or held.state != state or (held.last_vector != last_vector and held.is_old):
        began = time.monotonic()
        counts = coverage.chunks_without_vector() if horizon else coverage.chunks_by_law()
        held = _Counted(state, last_vector, began, time.monotonic() - began, counts)
        cache.set(_KEY, held, KEPT_FOR_SECONDS)
    return held.by_law

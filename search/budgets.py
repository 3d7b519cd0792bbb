"""Counts what each caller asks for over a sliding minute, and says when who asked too much may ask again."""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from django.core.cache import caches

MINUTE = 60


class Spent(NamedTuple):
    """A budget after a request: `limit` in `seconds`, what remains, when the count begins anew; `wait` if too much."""

    name: str
    limit: int
    seconds: int
    remaining: int
    reset: int
    wait: int = 0

    @property
    def headers(self) -> dict[str, str]:
        """The fields of draft-ietf-httpapi-ratelimit-headers-10, and `Retry-After` (RFC 9110) where one must wait."""
        told = {
            "RateLimit-Policy": f'"{self.name}";q={self.limit};w={self.seconds}',
            "RateLimit": f'"{self.name}";r={self.remaining};t={self.reset}',
        }
        return told | ({"Retry-After": str(self.wait)} if self.wait else {})


def spend(name: str, who: str, limit: int, *, seconds: int = MINUTE, now: float | None = None) -> Spent:
    """Count one request of `who`, unless that is more than `limit` in any `seconds`: then it is not counted.

    Two counters: the last window's count, taken as evenly spread, weighs as much as it still overlaps the last
    `seconds`. Counts are atomic within what the cache `budgets` spans.
    """
    window, passed = divmod(time.time() if now is None else now, seconds)
    share = passed / seconds
    current, previous = _key(name, who, window), caches["budgets"].get(_key(name, who, window - 1), 0)
    counted = _add(current, 2 * seconds)
    reset = math.ceil(seconds - passed)
    weighed = previous * (1 - share) + counted
    if weighed <= limit:
        return Spent(name, limit, seconds, math.floor(limit - weighed), reset)
    caches["budgets"].decr(current)
    return Spent(name, limit, seconds, 0, reset, _wait(previous, counted - 1, share, limit, seconds))


def spent(name: str, who: str, *, seconds: int = MINUTE, now: float | None = None) -> float:
    """Give how much `who` has spent in the last `seconds`, counting nothing."""
    window, passed = divmod(time.time() if now is None else now, seconds)
    previous, current = (caches["budgets"].get(_key(name, who, place), 0) for place in (window - 1, window))
    return float(previous * (1 - passed / seconds) + current)


def _key(name: str, who: str, window: float) -> str:
    return f"{name}:{who}:{window:.0f}"


def _add(key: str, kept_seconds: int) -> int:
    counts = caches["budgets"]
    counts.add(key, 0, kept_seconds)
    try:
        return int(counts.incr(key))
    except ValueError:  # forgotten in between
        counts.set(key, 1, kept_seconds)
        return 1


def _wait(previous: int, counted: int, share: float, limit: int, seconds: int) -> int:
    """Give the whole seconds until one more request fits.

    >>> _wait(previous=0, counted=10, share=0.5, limit=10, seconds=60)
    36
    >>> _wait(previous=10, counted=4, share=0.25, limit=10, seconds=60)
    15
    """
    in_this_window = 1 - (limit - counted - 1) / previous - share if counted < limit else None
    until = 2 - share - (limit - 1) / counted if in_this_window is None else in_this_window
    return max(1, math.ceil(round(until * seconds, 6)))

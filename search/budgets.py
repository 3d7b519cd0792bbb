"""Counts what each caller asks for over a sliding minute, and says when who asked too much may ask again.

Counts lie in PostgreSQL: they hold for all server processes together, on however many machines.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

from django.db import connection

MINUTE = 60
SWEEP_SECONDS = 600

# What a row holds once the period that is asked about has begun. A clock that is behind counts in the row's period.
_BEFORE = """
    CASE WHEN {asked} > held.period + 1 THEN 0 WHEN {asked} > held.period THEN held.counted ELSE held.before END"""
_COUNTED = "CASE WHEN {asked} > held.period THEN 0 ELSE held.counted END"
_PERIOD = "excluded.period"
# One statement, so that no two processes take what is left for one; a request too many changes no row.
_SPEND = f"""
    INSERT INTO search_spending AS held (caller, period, seconds, counted, before)
    VALUES (%(caller)s, %(period)s, %(seconds)s, 1, 0)
    ON CONFLICT (caller) DO UPDATE SET
        period = greatest(held.period, excluded.period),
        before = {_BEFORE.format(asked=_PERIOD)},
        counted = {_COUNTED.format(asked=_PERIOD)} + 1
    WHERE ({_BEFORE.format(asked=_PERIOD)}) * (1 - %(share)s) + {_COUNTED.format(asked=_PERIOD)} + 1 <= %(limit)s + 1e-6
    RETURNING before, counted
"""  # noqa: S608 (nothing of the caller's)
_LOOK = f"""
    SELECT {_BEFORE.format(asked="%(period)s")}, {_COUNTED.format(asked="%(period)s")}
    FROM search_spending AS held WHERE caller = %(caller)s
"""  # noqa: S608 (nothing of the caller's)

Asked = dict[str, str | int | float]
_swept = time.monotonic()


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
    """Count one request of `who`, unless that is more than `limit` in any `seconds`: one query, two if refused.

    Two counters: the last period's count, taken as evenly spread, weighs as much as it still overlaps the last
    `seconds`. A request that is refused is not counted.
    """
    _sweep()
    period, passed = divmod(time.time() if now is None else now, seconds)
    share, reset = passed / seconds, math.ceil(seconds - passed)
    asked: Asked = {
        "caller": f"{name}:{who}",
        "period": int(period),
        "seconds": seconds,
        "share": share,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SPEND, asked)
        admitted: tuple[int, int] | None = cursor.fetchone()
    if admitted:
        previous, counted = admitted
        remaining = math.floor(limit - previous * (1 - share) - counted)
        return Spent(name, limit, seconds, max(0, remaining), reset)
    previous, counted = _counts(asked)
    return Spent(name, limit, seconds, 0, reset, _wait(previous, counted, share, limit, seconds))


def spent(name: str, who: str, *, seconds: int = MINUTE, now: float | None = None) -> float:
    """Give how much `who` has spent in the last `seconds`, counting nothing: one query."""
    period, passed = divmod(time.time() if now is None else now, seconds)
    previous, counted = _counts({"caller": f"{name}:{who}", "period": int(period)})
    return previous * (1 - passed / seconds) + counted


def sweep(now: float | None = None) -> int:
    """Delete the counts that weigh nothing any more; give how many there were."""
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM search_spending WHERE (period + 2) * seconds <= %s", [time.time() if now is None else now]
        )
        return int(cursor.rowcount)


def _sweep() -> None:
    """Sweep once in a while, in each process."""
    global _swept
    if time.monotonic() - _swept > SWEEP_SECONDS:
        _swept = time.monotonic()
        sweep()


def _counts(asked: Asked) -> tuple[int, int]:
    with connection.cursor() as cursor:
        cursor.execute(_LOOK, asked)
        return cursor.fetchone() or (0, 0)


def _wait(previous: int, counted: int, share: float, limit: int, seconds: int) -> int:
    """Give the whole seconds until one more request fits.

    >>> _wait(previous=0, counted=10, share=0.5, limit=10, seconds=60)
    36
    >>> _wait(previous=10, counted=4, share=0.25, limit=10, seconds=60)
    15
    """
    in_this_window = 1 - (limit - counted - 1) / previous - share if counted < limit and previous else None
    until = 2 - share - (limit - 1) / counted if in_this_window is None else in_this_window
    return max(1, math.ceil(round(until * seconds, 6)))

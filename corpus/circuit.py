"""A circuit breaker: what fails again and again is left alone for a while, so that nobody waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

FAILURES = 3
PAUSE_SECONDS = 30.0


class CircuitOpen(RuntimeError):
    """The last calls failed, and it is too early to try again."""


class Circuit:
    """Counts failures in a row; after `failures` of them it is open for `pause_seconds`, then one call may try.

    >>> circuit = Circuit(failures=1, pause_seconds=60)
    >>> circuit.failed()
    >>> circuit.check()
    Traceback (most recent call last):
    corpus.circuit.CircuitOpen: tried too often without success; tried again in 60 s
    """

    def __init__(
        self,
        *,
        failures: int = FAILURES,
        pause_seconds: float = PAUSE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._allowed, self._pause, self._clock = failures, pause_seconds, clock
        self._failures = 0
        self._closed_at = 0.0
        self._lock = threading.Lock()

    def check(self) -> None:
        """Raise `CircuitOpen` unless a call may be made; after the pause, let one caller through and the rest wait."""
        with self._lock:
            if self._failures < self._allowed:
                return
            left = self._closed_at - self._clock()
            if left > 0:
                raise CircuitOpen(f"tried too often without success; tried again in {left:.0f} s")
            self._closed_at = self._clock() + self._pause

    def failed(self) -> None:
        """Count a failure."""
        with self._lock:
            self._failures += 1
            self._closed_at = self._clock() + self._pause

    def succeeded(self) -> None:
        """Forget the failures."""
        with self._lock:
            self._failures = 0

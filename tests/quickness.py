"""Tells what is quick from what is not, on a machine that may pause at any moment."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 5


def is_done_within(seconds: float, act: Callable[[], object]) -> bool:
    """Whether something takes less than so many seconds; done again if it took longer, which may be the machine's."""
    return any(_seconds_of(act) < seconds for _ in range(TRIES))


def _seconds_of(act: Callable[[], object]) -> float:
    started = time.monotonic()
    act()
    return time.monotonic() - started

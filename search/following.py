"""The thread of a server that keeps something derived in step with the corpus."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    import threading

logger = logging.getLogger(__name__)

FOLLOW_SECONDS = 0.5


class _Stopped(Exception):
    """The server is being stopped; what was half done is left out."""


@dataclass(frozen=True)
class Followed:
    """What is kept in step: `catch_up` gets a function to call between pieces of its work.

    `is_gentle` leaves requests as much time as the pieces take.
    """

    name: str
    is_behind: Callable[[], bool]
    catch_up: Callable[[Callable[[int], None]], object]
    is_gentle: bool = False


def follow(stop: threading.Event, followed: Followed) -> None:
    """Catch up whenever the corpus has changed, until `stop` is set, in the middle of the work too."""
    last = time.monotonic()

    def give_way(_done: int) -> None:
        nonlocal last
        pause = min(time.monotonic() - last, FOLLOW_SECONDS) if followed.is_gentle else 0
        if stop.wait(pause):
            raise _Stopped
        last = time.monotonic()

    while not stop.wait(FOLLOW_SECONDS):
        try:
            if followed.is_behind():
                last = time.monotonic()
                followed.catch_up(give_way)
        except _Stopped:
            return
        except Exception:
            logger.exception("%s could not be brought up to date", followed.name)
        finally:
            connection.close()

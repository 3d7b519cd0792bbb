"""The thread of a server that keeps something derived in step with the corpus."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from django.db import connection

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable

logger = logging.getLogger(__name__)

FOLLOW_SECONDS = 0.5


class _Stopped(Exception):
    """The server is being stopped; what was half done is left out."""


def follow(
    stop: threading.Event, is_behind: Callable[[], bool], catch_up: Callable[[Callable[[int], None]], object], what: str
) -> None:
    """Catch up whenever the corpus has changed, until `stop` is set.

    `catch_up` gets a function to call between pieces of its work, which lets requests have as much time as the
    pieces take, and which ends the work when the server stops.
    """
    last = time.monotonic()

    def give_way(_done: int) -> None:
        nonlocal last
        if stop.wait(min(time.monotonic() - last, FOLLOW_SECONDS)):
            raise _Stopped
        last = time.monotonic()

    while not stop.wait(FOLLOW_SECONDS):
        try:
            if is_behind():
                last = time.monotonic()
                catch_up(give_way)
        except _Stopped:
            return
        except Exception:
            logger.exception("%s could not be brought up to date", what)
        finally:
            connection.close()

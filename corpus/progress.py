"""Tells people how far long work has come: done, rate and time left, on one line of a terminal or one line at times."""

from __future__ import annotations

import time
from typing import Protocol

TERMINAL_SECONDS = 0.2
LOG_SECONDS = 10.0


class Stopped(Exception):
    """Work was asked to end between two of its pieces; what is done stays done."""


class Stream(Protocol):
    """What progress is written to: a text file, or a command's stderr."""

    def isatty(self) -> bool:
        """Whether a person watches."""

    def write(self, text: str, /) -> object:
        """Take text."""

    def flush(self) -> None:
        """Show it."""


def line(noun: str, done: int, total: int, seconds: float) -> str:
    """Say how far `done` of `total` has come in `seconds`.

    >>> line("chunks", 300, 1_500, 20)
    '300 of 1,500 chunks (20 %), 15.0 a second, 1 min 20 s left'
    >>> line("laws", 0, 9, 0)
    '0 of 9 laws'
    """
    said = f"{done:,} of {total:,} {noun}"
    if not done or not seconds:
        return said
    left = duration(seconds / done * (total - done))
    return f"{said} ({100 * done // max(total, 1)} %), {done / seconds:.1f} a second, {left} left"


def duration(seconds: float) -> str:
    """Write a stretch of time with its two largest units.

    >>> duration(7_260), duration(80), duration(0.4)
    ('2 h 1 min', '1 min 20 s', '0 s')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    units = [(hours, "h"), (minutes, "min"), (rest, "s")]
    while len(units) > 1 and not units[0][0]:
        units.pop(0)
    return " ".join(f"{number} {unit}" for number, unit in units[:2])


class Progress:
    """How far one piece of work has come; writes itself now and then."""

    def __init__(self, noun: str, total: int, stream: Stream) -> None:
        self.noun, self.total, self.done = noun, total, 0
        self._stream = stream
        self._is_watched = stream.isatty()
        self._started = self._written = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long the work has taken so far."""
        return time.monotonic() - self._started

    def advance(self, count: int = 1) -> None:
        """Count `count` more as done, and say so if it is time to."""
        self.done += count
        pause = TERMINAL_SECONDS if self._is_watched else LOG_SECONDS
        if time.monotonic() - self._written >= pause:
            self._write()

    def finish(self) -> None:
        """Say how far the work came, and end the line."""
        self._write()
        if self._is_watched:
            self._stream.write("\n")

    def _write(self) -> None:
        self._written = time.monotonic()
        said = line(self.noun, self.done, self.total, self.seconds)
        self._stream.write(f"\r\x1b[K{said}" if self._is_watched else f"{said}\n")
        self._stream.flush()

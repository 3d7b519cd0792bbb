"""Asks a model server over HTTP: within a deadline, again where that may help, not at all while it keeps failing."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import httpx

from corpus.circuit import Circuit, CircuitOpen

Read = TypeVar("Read")

_RETRIED = {408, 425, 429, 500, 502, 503, 504}
_FIRST_WAIT_SECONDS = 0.5
_SHORTEST_SECONDS = 0.01


class Unanswered(RuntimeError):
    """The server gave no answer that can be used; the message says which server, and why."""


class Refused(ValueError):
    """An answer is not what was asked for; the message says what it is."""


class ModelServer:
    """A server at an address that takes JSON and gives JSON."""

    def __init__(self, url: str, key: str = "") -> None:
        self.url = url
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(headers=headers, limits=httpx.Limits(max_keepalive_connections=16))
        self._circuit = Circuit()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, path: str, body: Any, read: Callable[[Any], Read], *, tries: int, seconds: float) -> Read:
        """Post `body` and give what `read` makes of the answer; `seconds` are for each try. Raise `Unanswered`.

        `read` raises `Refused` where the answer is not one.
        """
        return self._ask(path, body, read, tries, lambda: seconds)

    def ask_by(self, deadline: float, path: str, body: Any, read: Callable[[Any], Read], *, tries: int) -> Read:
        """Ask as `ask` does until `deadline`, of `time.monotonic()`; at once in vain while the server keeps failing."""
        try:
            self._circuit.check()
            found = self._ask(path, body, read, tries, lambda: max(_SHORTEST_SECONDS, deadline - time.monotonic()))
        except CircuitOpen as error:
            raise Unanswered(f"{self.url} does not answer: {error}") from error
        except Unanswered:
            self._circuit.failed()
            raise
        self._circuit.succeeded()
        return found

    def _ask(
        self, path: str, body: Any, read: Callable[[Any], Read], tries: int, seconds_left: Callable[[], float]
    ) -> Read:
        for attempt in range(1, tries + 1):
            try:
                return read(self._once(path, body, seconds_left()))
            except (httpx.HTTPError, httpx.InvalidURL, Refused) as error:
                wait = _wait(error, attempt)
                if attempt == tries or wait is None or wait >= seconds_left():
                    raise Unanswered(f"{self.url} does not answer: {_said(error)}") from error
                time.sleep(wait)
        raise AssertionError("unreachable")

    def _once(self, path: str, body: Any, seconds: float) -> Any:
        address, end = f"{self.url.rstrip('/')}/{path}", time.monotonic() + seconds
        with self._client.stream("POST", address, json=body, timeout=seconds) as response:
            # The client's own time limit is for each step; an answer that drips in has to end too.
            answer = b"".join(_until(end, response.iter_bytes()))
        if not response.is_success:
            raise httpx.HTTPStatusError(
                answer[:200].decode(errors="replace"), request=response.request, response=response
            )
        try:
            return json.loads(answer)
        except (ValueError, RecursionError) as error:
            raise Refused(f"an answer that is no JSON ({error})") from error


def _until(end: float, parts: Iterator[bytes]) -> Iterator[bytes]:
    for part in parts:
        if time.monotonic() > end:
            raise httpx.ReadTimeout("the answer took too long")
        yield part


def _wait(error: Exception, attempt: int) -> float | None:
    """Give the seconds to wait before another try; None where another would not help."""
    wait = _FIRST_WAIT_SECONDS * 2 ** (attempt - 1) * random.uniform(0.5, 1.0)  # noqa: S311 (spreads the load)
    if isinstance(error, httpx.HTTPStatusError):
        if error.response.status_code not in _RETRIED:
            return None
        asked_for = error.response.headers.get("Retry-After", "")
        return float(asked_for) if asked_for.isascii() and asked_for.isdecimal() else wait
    return wait if isinstance(error, httpx.TransportError) else None


def _said(error: Exception) -> str:
    if isinstance(error, httpx.HTTPStatusError):
        return f"HTTP {error.response.status_code} {error}".strip()
    return str(error) or type(error).__name__

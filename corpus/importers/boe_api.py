"""Asks the BOE's open-data API for laws: one connection, a pause between requests, retries, and limits on the answers.

Source: "API de datos abiertos de la Agencia Estatal BOE: legislación consolidada". An answer is
`<response><status><code/><text/></status><data/></response>`; under load the BOE answers 503.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from types import TracebackType

import httpx

from corpus.importers.markup import MAX_BYTES, ImportRefused
from corpus.ranks import BOE_ID

URL = "https://www.boe.es/datosabiertos/api/legislacion-consolidada"

_RETRIED = {408, 425, 429, 500, 502, 503, 504}
_MAX_REDIRECTS = 3
_END = b"</response>"
_STATUS = re.compile(rb"<status>\s*<code>\s*(\d{3})\s*</code>\s*(?:<text>([^<]*)</text>)?")
_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<!doctype\s+html|<html)\b", re.IGNORECASE)
_HEADERS = {"Accept": "application/xml", "Accept-Encoding": "gzip", "User-Agent": "fundamento"}


@dataclass(frozen=True)
class Options:
    """How to reach the API, and how to treat it.

    `step_seconds` bounds each step of a request (connecting, the next bytes), `request_seconds` all of it;
    a law may be tried `tries` times, and a wait that the API asks for beyond `longest_wait_seconds` ends the run.
    """

    url: str = URL
    seconds_between: float = 0.5
    step_seconds: float = 30.0
    request_seconds: float = 300.0
    tries: int = 5
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 600.0
    page_size: int = 10_000
    max_bytes: int = MAX_BYTES


@dataclass(frozen=True)
class Answer:
    """What an address gave: its bytes, and what makes the next request for them conditional; no bytes if unchanged."""

    url: str
    body: bytes
    etag: str = ""
    last_modified: str = ""
    is_unchanged: bool = False


class Unanswered(ImportRefused):
    """The API failed again and again at one address; it may answer another day."""


class NotThere(ImportRefused):
    """The API knows no such law."""


class AskedToWait(RuntimeError):
    """The API wants to be left alone for longer than a run waits."""


class Client:
    """Asks the API; a context manager that closes its connection."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options()
        if not re.match(r"https?://[^/]", self.options.url):
            raise ValueError(f"the address of the BOE's API is no URL: {self.options.url!r}")
        self._http = httpx.Client(headers=_HEADERS, limits=httpx.Limits(max_connections=1), follow_redirects=False)
        self._next_request = 0.0

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._http.close()

    def law_url(self, boe_id: str) -> str:
        """Give the address of a law with all its parts; raise `ValueError` for what is no BOE id."""
        if not BOE_ID.fullmatch(boe_id):
            raise ValueError(f"{boe_id!r} is no BOE id such as BOE-A-2003-23186")
        return f"{self.options.url.rstrip('/')}/id/{boe_id}"

    def law(self, boe_id: str, *, etag: str = "", last_modified: str = "") -> Answer:
        """Fetch a law, if it is no longer the one that `etag` and `last_modified` came with."""
        conditions = {"If-None-Match": etag, "If-Modified-Since": last_modified}
        url = self.law_url(boe_id)
        try:
            return self.get(url, {name: value for name, value in conditions.items() if value})
        except NotThere as error:
            reason = f"{error.reason}; laws that only amend others have no consolidated text"
            raise ImportRefused(url, reason) from error

    def page(self, query: Mapping[str, str | int]) -> Answer:
        """Fetch a page of the listing."""
        return self.get(str(httpx.URL(self.options.url.rstrip("/"), params=dict(query))), {})

    def get(self, url: str, conditions: Mapping[str, str]) -> Answer:
        """Fetch an address; raise `ImportRefused` for an answer that is none, `Unanswered` after the last try."""
        for attempt in range(1, self.options.tries + 1):
            try:
                return self._followed(url, conditions)
            except _Transient as error:
                self._wait(url, attempt, error)
        raise AssertionError("unreachable")

    def _wait(self, url: str, attempt: int, error: _Transient) -> None:
        wait = self.options.first_wait_seconds * 2 ** (attempt - 1) * random.uniform(0.5, 1.0)  # noqa: S311 (jitter)
        wait = max(wait, error.wait_seconds)
        if error.wait_seconds > self.options.longest_wait_seconds:
            raise AskedToWait(f"{url}: the BOE asks to wait {wait:.0f} s ({error}); run again after that")
        if attempt == self.options.tries:
            raise Unanswered(url, f"{error}, tried {attempt} times")
        time.sleep(wait)

    def _followed(self, url: str, conditions: Mapping[str, str]) -> Answer:
        """Fetch an address, and those it redirects to on the same host."""
        at = httpx.URL(url)
        for _ in range(_MAX_REDIRECTS + 1):
            found = self._once(at, url, conditions)
            if isinstance(found, Answer):
                return found
            if _leads_elsewhere(at, found):
                raise ImportRefused(url, f"it redirects to another host, {found}, which is not followed")
            at = found
        raise ImportRefused(url, f"it redirects more than {_MAX_REDIRECTS} times")

    def _once(self, at: httpx.URL, url: str, conditions: Mapping[str, str]) -> Answer | httpx.URL:
        self._pace()
        end = time.monotonic() + self.options.request_seconds
        steps = min(self.options.step_seconds, self.options.request_seconds)
        try:
            with self._http.stream("GET", at, headers=dict(conditions), timeout=steps) as response:
                body = b"".join(self._bounded(response.iter_bytes(), end, url))
        except httpx.TimeoutException as error:
            raise _Transient(str(error) or f"no answer within {steps:g} s") from error
        except httpx.RequestError as error:
            raise _Transient(str(error) or type(error).__name__) from error
        if response.has_redirect_location:
            return _joined(at, response.headers["Location"], url)
        return _answer(response, body, url, is_conditional=bool(conditions))

    def _pace(self) -> None:
        """Leave the API its pause since the last request."""
        time.sleep(max(0.0, self._next_request - time.monotonic()))
        self._next_request = time.monotonic() + self.options.seconds_between

    def _bounded(self, parts: Iterator[bytes], end: float, url: str) -> Iterator[bytes]:
        size = 0
        for part in parts:
            size += len(part)
            if size > self.options.max_bytes:
                raise ImportRefused(url, f"the answer has more than the {self.options.max_bytes} bytes that are read")
            if time.monotonic() > end:
                raise httpx.ReadTimeout(f"the answer took more than {self.options.request_seconds:g} s")
            yield part


class _Transient(RuntimeError):
    """An answer that may be another on the next try, after the pause the API asks for."""

    def __init__(self, reason: str, wait_seconds: float = 0.0) -> None:
        self.wait_seconds = wait_seconds
        super().__init__(reason)


def _answer(response: httpx.Response, body: bytes, url: str, *, is_conditional: bool) -> Answer:
    """Judge an answer by its status, by the status that its body tells, and by its end."""
    status = response.status_code
    found = _STATUS.search(body[:2000])
    said = found[2].decode(errors="replace").strip() if found and found[2] else ""
    if status == 304 and is_conditional:
        return Answer(url, b"", is_unchanged=True)
    if status != 200:
        _refuse(url, status, f"HTTP {status}{f': {said}' if said else ''}", response.headers.get("Retry-After", ""))
    if _HTML.match(body):
        raise _Transient("an HTML page instead of XML")
    if found and found[1] != b"200":
        code = int(found[1])
        _refuse(url, code, f"HTTP 200, but the BOE answered {code}{f': {said}' if said else ''}", "")
    if not body.rstrip().endswith(_END):
        raise _Transient(f"the answer is cut: its {len(body)} bytes do not end with {_END.decode()}")
    headers = response.headers
    return Answer(url, body, headers.get("ETag", "")[:200], headers.get("Last-Modified", "")[:60])


def _refuse(url: str, status: int, reason: str, retry_after: str) -> None:
    if status in _RETRIED:
        raise _Transient(reason, seconds_to_wait(retry_after, datetime.now(UTC)))
    raise (NotThere if status == 404 else ImportRefused)(url, reason)


def _joined(at: httpx.URL, location: str, url: str) -> httpx.URL:
    try:
        return at.join(location)
    except httpx.InvalidURL as error:
        raise ImportRefused(url, f"it redirects to {location[:200]!r}, which is no address") from error


def _leads_elsewhere(old: httpx.URL, new: httpx.URL) -> bool:
    """Whether a redirect leaves the host, its port, or TLS."""
    is_upgrade = (old.scheme, new.scheme) == ("http", "https")
    return new.host != old.host or (not is_upgrade and (new.scheme, new.port) != (old.scheme, old.port))


def seconds_to_wait(retry_after: str, now: datetime) -> float:
    """Read a Retry-After header, seconds or a date (RFC 9110, section 10.2.3); 0 if it is neither.

    >>> now = datetime(2026, 1, 1, tzinfo=UTC)
    >>> [seconds_to_wait(text, now) for text in ("120", "Thu, 01 Jan 2026 00:01:00 GMT", "soon")]
    [120.0, 60.0, 0.0]
    """
    text = retry_after.strip()
    if text.isascii() and text.isdecimal():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return 0.0
    return max(0.0, (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds())

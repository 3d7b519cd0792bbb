"""A real HTTP server that answers as the BOE's open-data API does, from files or bytes, and misbehaves on demand.

Run as a program, it serves a folder of BOE XML: `python -m tests.boe_server ../shared/data/boe-xml --port 8099`,
for `BOE_API_URL=http://127.0.0.1:8099/api`.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import os
import re
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.serving import serving

BASE = "/api"
LISTING = "listing"
SLOW_SECONDS = 30.0
ANSWER = (
    '<?xml version="1.0" encoding="utf-8"?>\n<response><status><code>{}</code><text>{}</text></status>{}</response>'
)
NOT_THERE = ANSWER.format(404, "La información solicitada no existe", "<data/>").encode()


def answer(data: str) -> bytes:
    """Write a response that went well."""
    return ANSWER.format(200, "ok", f"<data>{data}</data>").encode()


class BoeServer(ThreadingHTTPServer):
    """Serves laws by BOE id, newest update first, and keeps the requests it got.

    `plan` names the behaviours of the next answers for a BOE id or for LISTING, `always` that of all its answers;
    whoever is in neither is answered well. `let` holds what is to be set before a law is given `when_let`. `cap` is the
    most laws that a page of the listing has, whatever is asked.
    """

    daemon_threads = True

    def __init__(self, laws: Mapping[str, bytes], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.laws = dict(laws)
        self.plan: dict[str, list[str]] = {}
        self.always: dict[str, str] = {}
        self.let: defaultdict[str, threading.Event] = defaultdict(threading.Event)
        self.cap = 10_000
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.arrivals: list[float] = []
        self.most_at_once = self.at_once = 0

    @property
    def url(self) -> str:
        """The address of the listing."""
        return f"http://127.0.0.1:{self.server_port}{BASE}"

    def law_url(self, boe_id: str) -> str:
        """The address of a law."""
        return f"{self.url}/id/{boe_id}"

    def asked_for(self) -> list[str]:
        """What was asked for, in order: BOE ids, and LISTING with its query."""
        return [path.removeprefix(f"{BASE}/id/").replace(BASE, LISTING, 1) for path, _ in self.requests]


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: BoeServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.server.requests.append((self.path, {name.lower(): value for name, value in self.headers.items()}))
        self.server.arrivals.append(time.monotonic())
        parts = urlsplit(self.path)
        name = LISTING if parts.path == BASE else parts.path.removeprefix(f"{BASE}/id/")
        body = self._page(parse_qs(parts.query)) if name == LISTING else self.server.laws.get(name)
        if parts.path.startswith("/moved/"):
            body = self.server.laws.get(parts.path.removeprefix("/moved/"))
        plan = self.server.plan.get(name)
        behaviour = plan.pop(0) if plan else self.server.always.get(name, "well")
        getattr(self, behaviour)(NOT_THERE if body is None else body, 404 if body is None else 200)

    def _page(self, query: dict[str, list[str]]) -> bytes:
        offset, limit = int(query.get("offset", ["0"])[0]), int(query.get("limit", ["50"])[0])
        since, until = query.get("from", [""])[0], query.get("to", ["99999999"])[0]
        newest_first = sorted(self.server.laws.values(), key=updated, reverse=True)
        chosen = [law for law in newest_first if since <= updated(law)[:8] <= until]
        return answer("".join(map(item, chosen[offset : offset + min(limit, self.server.cap)])))

    def well(self, body: bytes, status: int) -> None:
        etag, modified = f'"{hashlib.md5(body).hexdigest()}"', "Thu, 01 Jan 2026 00:00:00 GMT"
        if self.headers["If-None-Match"] == etag:
            self._send(304, b"", {"ETag": etag})
        else:
            kept = {"ETag": etag, "Last-Modified": modified} if status == 200 and "/id/" in self.path else {}
            self._send(status, body, kept)

    def dated(self, body: bytes, status: int) -> None:
        """Knows dates, no tags."""
        modified = "Thu, 01 Jan 2026 00:00:00 GMT"
        is_same = self.headers["If-Modified-Since"] == modified
        self._send(304 if is_same else status, b"" if is_same else body, {"Last-Modified": modified})

    def missing(self, body: bytes, status: int) -> None:
        self._send(404, NOT_THERE)

    def broken(self, body: bytes, status: int) -> None:
        self._send(500, b"<html>Internal Server Error</html>", {"Content-Type": "text/html"})

    def overloaded(self, body: bytes, status: int) -> None:
        self._send(503, b"")

    def busy(self, body: bytes, status: int) -> None:
        self._send(429, b"", {"Retry-After": "1"})

    def busy_until(self, body: bytes, status: int) -> None:
        self._send(429, b"", {"Retry-After": format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)})

    def busy_for_long(self, body: bytes, status: int) -> None:
        self._send(429, b"", {"Retry-After": "86400"})

    def said_404(self, body: bytes, status: int) -> None:
        self._send(200, NOT_THERE)

    def said_503(self, body: bytes, status: int) -> None:
        self._send(200, ANSWER.format(503, "Servicio no disponible", "<data/>").encode())

    def page(self, body: bytes, status: int) -> None:
        self._send(200, b"<!DOCTYPE html>\n<html><body>Mantenimiento</body></html>", {"Content-Type": "text/html"})

    def json(self, body: bytes, status: int) -> None:
        self._send(200, b'{"status": {"code": "200"}, "data": []}', {"Content-Type": "application/json"})

    def empty(self, body: bytes, status: int) -> None:
        self._send(200, b"")

    def sleeps(self, body: bytes, status: int) -> None:
        time.sleep(SLOW_SECONDS)
        self.well(body, status)

    def when_let(self, body: bytes, status: int) -> None:
        self.server.let[self.path.rpartition("/")[2]].wait(SLOW_SECONDS * 10)
        self.well(body, status)

    def drips(self, body: bytes, status: int) -> None:
        self._head(200, {"Content-Length": str(len(body))})
        for place in range(int(10 * SLOW_SECONDS)):
            self.wfile.write(body[place : place + 1])
            self.wfile.flush()
            time.sleep(0.1)
        self.close_connection = True

    def hangs_up(self, body: bytes, status: int) -> None:
        self.close_connection = True

    def cut(self, body: bytes, status: int) -> None:
        """Ends in the middle of what its length promises."""
        self._head(200, {"Content-Length": str(len(body))})
        self.wfile.write(body[: len(body) // 2])
        self.close_connection = True

    def cut_unseen(self, body: bytes, status: int) -> None:
        """Ends in the middle, with no length that would tell."""
        self._head(200, {"Connection": "close"})
        self.wfile.write(body[: len(body) // 2])

    def cut_gzip(self, body: bytes, status: int) -> None:
        packed = gzip.compress(body)
        self._head(200, {"Connection": "close", "Content-Encoding": "gzip"})
        self.wfile.write(packed[: len(packed) // 2])

    def length_too_short(self, body: bytes, status: int) -> None:
        self._head(200, {"Content-Length": str(len(body) - 40)})
        self.wfile.write(body)
        self.close_connection = True

    def length_too_long(self, body: bytes, status: int) -> None:
        self._head(200, {"Content-Length": str(len(body) + 40)})
        self.wfile.write(body)
        self.close_connection = True

    def gzipped(self, body: bytes, status: int) -> None:
        self._send(200, gzip.compress(body), {"Content-Encoding": "gzip"})

    def false_gzip(self, body: bytes, status: int) -> None:
        self._send(200, body, {"Content-Encoding": "gzip"})

    def gzip_bomb(self, body: bytes, status: int) -> None:
        self._send(200, gzip.compress(b" " * 20_000_000 + body), {"Content-Encoding": "gzip"})

    def wrong_charset(self, body: bytes, status: int) -> None:
        self._send(200, body, {"Content-Type": "application/xml; charset=ISO-8859-1"})

    def windows_1252(self, body: bytes, status: int) -> None:
        self._send(200, body.decode().encode("cp1252"), {"Content-Type": "application/xml; charset=utf-8"})

    def entity_bomb(self, body: bytes, status: int) -> None:
        entities = '<!ENTITY a "aaaa">' + "".join(f'<!ENTITY {new} "{f"&{old};" * 10}">' for old, new in ("ab", "bc"))
        self._send(200, f"<!DOCTYPE response [{entities}]>\n<response><data>&c;</data></response>".encode())

    def elsewhere(self, body: bytes, status: int) -> None:
        self._send(302, b"", {"Location": "http://localhost.invalid/api/id/BOE-A-2019-900"})

    def other_port(self, body: bytes, status: int) -> None:
        self._send(302, b"", {"Location": "http://127.0.0.1:9/api"})

    def moved(self, body: bytes, status: int) -> None:
        self._send(301, b"", {"Location": self.path.replace(f"{BASE}/id/", "/moved/")})

    def in_circles(self, body: bytes, status: int) -> None:
        self._send(302, b"", {"Location": self.path})

    def twice(self, body: bytes, status: int) -> None:
        """Lists each law twice, the second time with an older update."""
        again = re.sub(rb"<fecha_actualizacion>\d{4}", b"<fecha_actualizacion>2001", body)
        self._send(200, body.replace(b"</data>", again.partition(b"<data>")[2].partition(b"</data>")[0] + b"</data>"))

    def odd_ids(self, body: bytes, status: int) -> None:
        """Lists what is no BOE id before the rest."""
        odd = b"<item><identificador>../../etc/passwd</identificador></item>"
        self._send(200, body.replace(b"<data>", b"<data>" + odd))

    def first_page_again(self, body: bytes, status: int) -> None:
        """Takes no notice of the offset."""
        self._send(200, self._page({"limit": ["10000"]}))

    def the_law_beside(self, body: bytes, status: int) -> None:
        """Gives another law than the one asked for."""
        self.well(next(other for other in self.server.laws.values() if other != body), 200)

    def stale(self, body: bytes, status: int) -> None:
        """Gives the law as it was long ago, as a cache between might."""
        self._send(200, re.sub(rb"<fecha_actualizacion>\d{4}", b"<fecha_actualizacion>2001", body))

    def interrupts(self, body: bytes, status: int) -> None:
        """Presses Ctrl-C while its client waits: the server runs in the client's process."""
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.2)
        self.close_connection = True

    def update_meanwhile(self, body: bytes, status: int) -> None:
        """Gives a page of the listing, and then updates the law that is listed last, which moves to the front."""
        last = min(self.server.laws, key=lambda boe_id: updated(self.server.laws[boe_id]))
        now = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}".encode()
        law = self.server.laws[last]
        self.server.laws[last] = law.replace(updated(law).encode(), now, 1)
        self._send(200, body)

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": "application/xml", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self._head(status, {"Content-Length": str(len(body)), **(headers or {})})
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def handle(self) -> None:
        """Count the connections that are open at once, and survive a client that has gone."""
        self.server.at_once += 1
        self.server.most_at_once = max(self.server.most_at_once, self.server.at_once)
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            self.server.at_once -= 1


def updated(law: bytes) -> str:
    """Give the instant of a law's last update as the source writes it."""
    found = re.search(rb"<fecha_actualizacion>(\w+)<", law)
    return found[1].decode() if found else ""


def item(law: bytes) -> str:
    """Write a law's item of the listing: its metadata."""
    found = re.search(rb"<metadatos>(.*?)</metadatos>", law, re.DOTALL)
    return f"<item>{found[1].decode()}</item>" if found else ""


def laws_of(folder: Path) -> dict[str, bytes]:
    """Read the whole responses of a folder of BOE XML, one folder for each law."""
    return {path.parent.name: path.read_bytes() for path in sorted(folder.glob("*/full.xml"))}


@contextmanager
def boe_server(laws: Mapping[str, bytes]) -> Iterator[BoeServer]:
    """Run a server until the block ends."""
    with serving(BoeServer(laws)) as server:
        yield server


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--port", type=int, default=8099)
    options = parser.parse_args()
    with BoeServer(laws_of(options.folder), options.port) as server:
        server.serve_forever()


if __name__ == "__main__":
    main()

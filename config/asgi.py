"""The ASGI application: Django's synchronous stack, each request wholly in one thread of a pool, and MCP beside it.

Measured on the same trivial page with one query: Django's own ASGI handler, which changes threads at every synchronous
middleware, 3.9 ms p50 and 235 requests a second from eight clients; this, 0.9 ms and 1,300.
"""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.core.wsgi import get_wsgi_application

from config.wire import REFUSED, Refusal

if TYPE_CHECKING:
    from asgiref.typing import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, HTTPScope, Scope
    from django.core.handlers.wsgi import WSGIHandler

# Fewer than the database's pool holds, so that no request waits for a connection.
THREADS = 10
BODY_BYTES_IN_MEMORY = 1_000_000
# Of a body that is too large so many times the most that is taken is read, and let go.
READ_TO_ITS_END = 4
MCP_PATH = "/mcp"

Message = dict[str, Any]


class ClientGone(Exception):
    """The client hung up before its whole request was read."""


class BodyTooLarge(Exception):
    """The request has more bytes than anything here takes; `is_read` if it was read to its end all the same."""

    def __init__(self, *, is_read: bool) -> None:
        super().__init__()
        self.is_read = is_read


class InThreads:
    """Serve a Django WSGI application over ASGI."""

    def __init__(self, application: WSGIHandler, threads: int = THREADS) -> None:
        self.application = application
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="request")

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"only HTTP is served, not {scope['type']}")
        loop = asyncio.get_running_loop()

        def send_now(message: Message) -> None:
            asyncio.run_coroutine_threadsafe(send(message), loop).result()  # type: ignore[arg-type]

        with SpooledTemporaryFile(BODY_BYTES_IN_MEMORY) as body:
            refused: Refusal | None = scope.get(REFUSED)  # type: ignore[assignment]
            is_read = True
            try:
                length = await _receive_body(receive, body, settings.BODY_MAX_BYTES, _declared(scope))
            except ClientGone:
                return
            except BodyTooLarge as error:
                refused, is_read, length = Refusal("body_too_large", settings.BODY_MAX_BYTES), error.is_read, 0
                body.seek(0)
            environ = environ_of(scope, body, length) | ({REFUSED: refused} if refused else {})
            for message in await loop.run_in_executor(self.pool, self._respond, environ, send_now):
                if not is_read and "headers" in message:
                    message["headers"].append((b"connection", b"close"))
                await send(message)  # type: ignore[arg-type]

    def _respond(self, environ: dict[str, Any], send_now: Any) -> list[Message]:
        """Give the messages that answer; a streamed response sends its own as it makes them."""
        head: Message = {"type": "http.response.start"}

        def start_response(status: str, headers: list[tuple[str, str]], *_: object) -> None:
            head["status"] = int(status[:3])
            head["headers"] = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]

        response = self.application(environ, start_response)  # type: ignore[arg-type]
        try:
            if not getattr(response, "streaming", True):
                return [head, {"type": "http.response.body", "body": b"".join(response)}]
            send_now(head)
            for part in response:
                send_now({"type": "http.response.body", "body": part, "more_body": True})
            return [{"type": "http.response.body"}]
        finally:
            response.close()


def _declared(scope: HTTPScope) -> int:
    """Give the bytes that a body is said to have; none where it is not said."""
    written = dict(scope["headers"]).get(b"content-length", b"0")
    return int(written) if written.isdigit() else 0


async def _receive_body(receive: ASGIReceiveCallable, body: IO[bytes], most: int, declared: int) -> int:
    """Write the request's body to `body`, rewound; give its length in bytes. Raise `BodyTooLarge` beyond `most`.

    A browser shows no answer before it has sent its whole request, so what is somewhat too large is read to its end.
    """
    length = 0
    while max(length, declared) <= READ_TO_ITS_END * most:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGone
        part = message.get("body", b"")
        length += len(part)
        if length <= most:
            body.write(part)
        if not message.get("more_body", False):
            body.seek(0)
            if length > most:
                raise BodyTooLarge(is_read=True)
            return length
    raise BodyTooLarge(is_read=False)


def environ_of(scope: HTTPScope, body: IO[bytes], length: int) -> dict[str, Any]:
    """Write an ASGI scope as a WSGI environment: octets of the request stand as Latin-1, as PEP 3333 asks."""
    prefix = scope.get("root_path", "")
    path = unquote_to_bytes(scope.get("raw_path") or scope["path"].encode()).decode("latin-1")
    server, client = scope.get("server") or ("localhost", 80), scope.get("client") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": prefix,
        "PATH_INFO": path.removeprefix(prefix),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": server[0],
        "SERVER_PORT": str(server[1] or 80),
        "REMOTE_ADDR": client[0],
        "REMOTE_PORT": str(client[1]),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.get("scheme", "http"),
        "wsgi.input": body,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw_name, raw_value in scope["headers"]:
        # A name with "_" would be taken for one with "-": somebody tries to slip a header past a proxy.
        if b"_" not in raw_name:
            name = raw_name.decode("latin-1").upper().replace("-", "_")
            name = name if name == "CONTENT_TYPE" else f"HTTP_{name}"
            value = raw_value.decode("latin-1")
            parted_by = "; " if name == "HTTP_COOKIE" else ","
            environ[name] = f"{environ[name]}{parted_by}{value}" if name in environ else value
    environ["CONTENT_LENGTH"] = str(length)
    return environ


class Site:
    """Pages and API in threads, and MCP beside them: it awaits, but its tools work in the same threads."""

    def __init__(self, pages: InThreads, mcp: ASGI3Application) -> None:
        self.pages, self.mcp = pages, mcp

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        is_mcp = scope["type"] == "http" and scope["path"].removeprefix(scope.get("root_path", "")) == MCP_PATH
        await (self.mcp if is_mcp else self.pages)(scope, receive, send)


os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
_pages = InThreads(get_wsgi_application())
# What it imports has models, which are there from here on.
application = Site(_pages, import_module("search.mcp_http").McpOverHttp(_pages.pool))

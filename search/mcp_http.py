"""MCP over streamable HTTP, beside the site and with the API's keys: one ASGI application, without sessions."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import Error
from django.http.request import split_domain_port, validate_host
from django.utils import translation
from mcp.server.transport_security import TransportSecuritySettings

from search.keys import Caller, KeyRequired, Refusal, identify
from search.mcp_tools import a_request, make_server
from search.metrics import REFUSALS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping
    from concurrent.futures import Executor

    from search.budgets import Spent

    Message = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[Message]]
    Send = Callable[[Message], Awaitable[None]]

PATH = "/mcp"
METHODS = "POST, OPTIONS"
# Of those that JSON-RPC leaves to servers.
REFUSED = -32_001
PREFLIGHT_SECONDS = 86_400
RETRY_SECONDS = 5
# The longest text that is read, were every character of it escaped twice, and some room.
LONGEST_BODY = 13_000_000


class McpOverHttp:
    """Lets callers in as the API does, then hands their messages to the SDK; tools work in the threads of `pool`.

    Hosts are those of ALLOWED_HOSTS and origins the site's own and CORS_ALLOWED_ORIGINS, which keeps a page that was
    rebound to this address out. No cookie counts, so no request can be forged with one.
    """

    def __init__(self, pool: Executor) -> None:
        self.pool = pool
        self.server = make_server(pool)
        # Hosts and origins are checked here, by Django's rules.
        unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self.application = self.server.streamable_http_app(
            streamable_http_path=PATH,
            json_response=True,
            stateless_http=True,
            max_request_body_size=LONGEST_BODY,
            transport_security=unchecked,
        )
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        origin = headers.get("origin", "")
        shared = _headers_for(origin)
        if not _is_our_host(headers.get("host", "")):
            return await _refuse(send, 400, "host_not_allowed", "See ALLOWED_HOSTS.", {})
        if origin and not shared and not _is_same_site(origin, headers.get("host", "")):
            return await _refuse(send, 403, "origin_not_allowed", "See CORS_ALLOWED_ORIGINS.", {})
        if scope["method"] == "OPTIONS":
            return await _answer(send, 204, b"", shared | {"Allow": METHODS})
        if scope["method"] != "POST":
            detail = "Messages are sent with POST; there are no sessions and no stream to open."
            return await _refuse(send, 405, "method_not_allowed", detail, shared | {"Allow": METHODS})
        authorization = headers.get("authorization", "")
        address = (scope.get("client") or ("", 0))[0]
        loop = asyncio.get_running_loop()
        try:
            caller, spent = await loop.run_in_executor(self.pool, partial(_admit, authorization, address))
        except Refusal as refusal:
            REFUSALS.labels(refusal.code).inc()
            return await _refuse(send, refusal.status, refusal.code, refusal.detail, shared | refusal.headers)
        except Error:
            told = shared | {"Retry-After": str(RETRY_SECONDS)}
            return await _refuse(send, 503, "database_unavailable", "Try again in a few seconds.", told)
        scope["caller"] = caller
        await self._start()
        await self.application(scope, receive, _with_headers(send, shared | (spent.headers if spent else {})))
        return None

    async def _start(self) -> None:
        """Start what the SDK keeps running, at the first request, since not every server tells of its own start."""
        if self._running is None or self._running.done():
            started = asyncio.Event()
            self._running = asyncio.create_task(self._run(started))
            await started.wait()

    async def _run(self, started: asyncio.Event) -> None:
        with suppress(asyncio.CancelledError):
            async with self.server.session_manager.run():
                started.set()
                await asyncio.Event().wait()


def _admit(authorization: str, address: str) -> tuple[Caller, Spent | None]:
    """Say who asks and count it; what the caller may do is for each tool to ask."""
    with a_request(), translation.override("en"):
        caller = identify(authorization, address)
        spent = caller.spend()
        if not caller.scopes:
            raise KeyRequired("A key is needed.", headers={"WWW-Authenticate": 'Bearer realm="Fundamento"'})
        return caller, spent


def _is_our_host(host: str) -> bool:
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def _is_same_site(origin: str, host: str) -> bool:
    return urlsplit(origin).netloc.lower() == host.lower()


def _headers_for(origin: str) -> dict[str, str]:
    """Give the headers that let a page of an allowed origin read the answer."""
    if origin not in settings.CORS_ALLOWED_ORIGINS:
        return {}
    return {
        "Access-Control-Allow-Origin": origin,
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": "authorization, content-type, mcp-protocol-version, mcp-session-id",
        "Access-Control-Expose-Headers": "RateLimit, Retry-After, WWW-Authenticate",
        "Access-Control-Max-Age": str(PREFLIGHT_SECONDS),
        "Vary": "Origin",
    }


def _with_headers(send: Send, headers: dict[str, str]) -> Send:
    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *raw]
        await send(message)

    return send_with_headers


async def _refuse(send: Send, status: int, code: str, detail: str, headers: dict[str, str]) -> None:
    """Answer with an error of JSON-RPC, which is what clients show."""
    error = {"code": REFUSED, "message": f"{code}: {detail}", "data": {"code": code}}
    body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}, ensure_ascii=False)
    await _answer(send, status, body.encode(), {"Content-Type": "application/json"} | headers)


async def _answer(send: Send, status: int, body: bytes, headers: dict[str, str]) -> None:
    start: Message = {"type": "http.response.start", "status": status, "headers": []}
    await _with_headers(send, {"Content-Length": str(len(body))} | headers)(start)
    await send({"type": "http.response.body", "body": body})

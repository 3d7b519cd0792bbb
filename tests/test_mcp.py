"""MCP as a client of the SDK sees it: over standard input and output, over HTTP, with and without keys."""

from __future__ import annotations

import asyncio
import hashlib
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from django.core.signals import request_finished, request_started
from django.db import OperationalError, close_old_connections, connections
from django.test import override_settings
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from search.mcp_http import McpOverHttp
from tests.api_client import get, issue
from tests.conftest import ROOT, copy_of, environment_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from mcp.types import CallToolResult

CITATION = "art. 11.4.b) Ley 990/2019"
TOOLS = {"search_law", "get_provision", "extract_citations", "verify_quotes"}
ADDRESS = "http://localhost/mcp"
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


async def a_session(client: Client) -> dict[str, Any]:
    """Use every tool and a resource; give what they answered."""
    return {
        "tools": (await client.list_tools()).tools,
        "templates": (await client.list_resource_templates()).resource_templates,
        "found": await client.call_tool("search_law", {"question": "recargo fuera de plazo", "max_tokens": 600}),
        "provision": await client.call_tool("get_provision", {"citation": CITATION, "as_of": "2026-01-01"}),
        "lost": await client.call_tool("get_provision", {"citation": "art. 99 Ley 990/2019"}),
        "extracted": await client.call_tool("extract_citations", {"text": "Véase el art. 11 de la Ley 990/2019."}),
        "verified": await client.call_tool(
            "verify_quotes",
            {
                "items": [
                    {"citation": CITATION, "quote": "Se ha ingresado ya toda la deuda"},
                    {"citation": "art. 11.3 Ley 990/2019", "quote": "El recargo excluye las multas"},
                ]
            },
        ),
        "read": (await client.read_resource("law://ley-990-2019:art-11.4.b@2026-01-01")).contents[0],
        "law": (await client.read_resource("law://ley-990-2019")).contents[0],
    }


def check(answers: dict[str, Any]) -> None:
    """Hold a session's answers to what the API gives."""
    assert {tool.name for tool in answers["tools"]} == TOOLS
    assert all(tool.annotations.read_only_hint and tool.description and tool.output_schema for tool in answers["tools"])
    assert [template.uri_template for template in answers["templates"]] == ["law://{citation}"]
    found = answers["found"].structured_content
    first = found["provisions"][0]
    assert (found["mode"], found["tokens"] <= 600) == ("hybrid", True)
    assert first["citation"].startswith("ley-990-2019:art-11")
    assert hashlib.sha256(first["text"].encode()).hexdigest() == first["sha256"]
    assert {"status", "valid_from", "valid_to", "source_url"} <= set(first)
    assert first["text"] in answers["found"].content[0].text
    provision = answers["provision"].structured_content
    assert (provision["mode"], provision["outcome"], provision["as_of"]) == ("citation", "found", "2026-01-01")
    assert provision["text"] == "b) Se ha ingresado ya toda la deuda que resulte de la autoliquidación."
    assert provision["source_url"] is None
    assert "source: none, the law is invented" in answers["read"].text
    assert answers["lost"].structured_content["outcome"] == "no_such_provision"
    cited = answers["extracted"].structured_content["citations"]
    assert [(one["start"], one["citation"]) for one in cited] == [(9, "ley-990-2019:art-11")]
    items = answers["verified"].structured_content["items"]
    assert [one["quote"]["state"] for one in items] == ["verbatim", "different"]
    assert provision["text"] in answers["read"].text
    assert (answers["read"].mime_type, "status: in_force" in answers["law"].text) == ("text/markdown", True)


def test_over_standard_input_and_output(prepared_data: Path) -> None:
    async def run(folder: Path) -> dict[str, Any]:
        started = StdioServerParameters(
            command=sys.executable, args=["manage.py", "mcp"], cwd=ROOT, env=environment_of(folder)
        )
        async with Client(stdio_client(started)) as client:
            return await a_session(client)

    with copy_of(prepared_data) as folder:
        check(asyncio.run(run(folder)))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_over_http_on_the_same_server(site: str, mode: str) -> None:
    async def run() -> dict[str, Any]:
        async with Client(f"{site}/mcp", mode=mode) as client:
            return await a_session(client)

    check(asyncio.run(run()))


@pytest.fixture
def threads(live: None, db: None) -> Iterator[ThreadPoolExecutor]:
    """A thread that has the test's own database connection, which no request closes."""
    connection = connections["default"]
    connection.inc_thread_sharing()
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    with ThreadPoolExecutor(1, initializer=connections.__setitem__, initargs=("default", connection)) as pool:
        yield pool
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
    connection.dec_thread_sharing()


@asynccontextmanager
async def connected(pool: ThreadPoolExecutor, secret: str | None = None, **headers: str) -> AsyncIterator[Client]:
    """Connect the SDK's client to a server in this process, as somebody who has a key or none."""
    headers |= {"authorization": f"Bearer {secret}"} if secret else {}
    transport = httpx2.ASGITransport(McpOverHttp(pool))
    async with (
        httpx2.AsyncClient(transport=transport, headers=headers) as http,
        Client(streamable_http_client(ADDRESS, http_client=http)) as client,
    ):
        yield client


def call(pool: ThreadPoolExecutor, tool: str, given: dict[str, Any], secret: str | None = None) -> CallToolResult:
    async def run() -> Any:
        async with connected(pool, secret) as client:
            return await client.call_tool(tool, given)

    result: CallToolResult = asyncio.run(run())
    return result


def post(pool: ThreadPoolExecutor, method: str = "POST", **headers: str) -> httpx2.Response:
    async def run() -> httpx2.Response:
        transport = httpx2.ASGITransport(McpOverHttp(pool))
        async with httpx2.AsyncClient(transport=transport) as http:
            given = {"accept": "application/json, text/event-stream", **headers}
            return await http.request(method, ADDRESS, headers=given, json=PING if method == "POST" else None)

    return asyncio.run(run())


VERIFY: tuple[str, dict[str, Any]] = ("verify_quotes", {"items": [{"citation": CITATION}]})
READ: tuple[str, dict[str, Any]] = ("get_provision", {"citation": CITATION})


@pytest.mark.parametrize(
    ("scopes", "reads", "verifies"), [(["read"], True, False), (["verify"], False, True), (["manage"], False, False)]
)
def test_each_tool_asks_for_its_scope(
    threads: ThreadPoolExecutor, scopes: list[str], reads: bool, verifies: bool
) -> None:
    _key, secret = issue("un modelo", scopes)
    answers = [call(threads, tool, given, secret) for tool, given in (READ, VERIFY)]
    assert [not answer.is_error for answer in answers] == [reads, verifies]
    assert all("scope_missing" in answer.content[0].text for answer in answers if answer.is_error)  # type: ignore[union-attr]


def test_a_bad_key_and_no_key_are_told_apart(threads: ThreadPoolExecutor) -> None:
    bad = post(threads, authorization="Bearer fnd_nobody")
    assert (bad.status_code, bad.json()["error"]["data"]) == (401, {"code": "key_invalid"})
    assert bad.headers["www-authenticate"].startswith("Bearer ")
    with override_settings(ANONYMOUS_SCOPES=[]):
        none = post(threads)
        assert (none.status_code, none.json()["error"]["data"]) == (401, {"code": "key_required"})
        _key, secret = issue("un modelo", ["read"])
        assert not call(threads, READ[0], READ[1], secret).is_error


def test_messages_spend_the_same_budget_as_the_api(threads: ThreadPoolExecutor) -> None:
    with override_settings(ANONYMOUS_PER_MINUTE=2):
        statuses = [post(threads) for _ in range(3)]
        get("/laws", expect=429)
    assert [response.status_code for response in statuses] == [200, 200, 429]
    assert int(statuses[2].headers["retry-after"]) >= 1
    assert statuses[0].headers["ratelimit"].startswith('"address";r=1')


def test_the_model_is_told_what_is_wrong(threads: ThreadPoolExecutor) -> None:
    wrong: list[tuple[str, dict[str, Any], str]] = [
        ("search_law", {"question": "recargo", "laws": ["ley-1-1900"]}, "(laws)"),
        ("search_law", {"question": "recargo", "max_tokens": 1}, "max_tokens"),
        ("search_law", {"question": " "}, "(question)"),
        ("search_law", {}, "question"),
        ("get_provision", {"citation": CITATION, "as_of": "2023-02-30"}, "as_of"),
        ("get_provision", {"citation": "ley-990-2019:art-11@2020-01-01", "as_of": "2021-01-01"}, "invalid_date"),
        ("get_provision", {"citation": "x" * 2001}, "citation"),
        ("extract_citations", {"text": "\0\ud800"[:1] + "art. 11 de la Ley 990/2019", "host": "no es nada"}, "host"),
        ("get_provision", {"citation": "art. 1 Ley 990/2019", "as_of": "hoy"}, "as_of"),
        ("get_provision", {"citation": "art. 1 Ley 990/2019", "asof": "2020-01-01"}, "asof"),
        ("verify_quotes", {"items": [{"citation": CITATION, "cuote": "x"}]}, "cuote"),
        ("search_law", {"question": "recargo", "min_confidence": 2}, "min_confidence"),
        ("search_law", {"question": "recargo", "min_confidence": "0_1"}, "min_confidence"),
        ("search_law", {"question": "recargo", "max_tokens": "1_000"}, "max_tokens"),
        ("get_provision", {"citation": CITATION, "as_of": 1704067200}, "as_of"),
        ("get_provision", {"citation": CITATION, "as_of": "2024-01-01T00:00:00"}, "as_of"),
        ("get_provision", {"citation": CITATION, "as_of": "20240101"}, "written like 2019-06-30"),
        ("verify_quotes", {"items": [{"citation": CITATION, "as_of": 0}]}, "items.0.as_of"),
    ]
    for tool, given, told in wrong:
        answer = call(threads, tool, given)
        assert (answer.is_error, told in answer.content[0].text) == (True, True), (tool, given, answer)  # type: ignore[union-attr]
        assert "Traceback" not in answer.content[0].text  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("search_law", {"question": "recargo", "max_tokens": 1}, "invalid_limit: max_tokens: at least 200."),
        ("search_law", {"question": ""}, "unknown_value: question: 1 or more are needed."),
        ("search_law", {"q": "x"}, "missing_value: question: is missing. unknown_parameter: q: is no name known here."),
        ("search_law", {"question": "recargo", "mode": "x"}, "mode: must be one of auto, hybrid, lexical, semantic."),
        ("get_provision", {"citation": CITATION, "as_of": "20240101"}, "invalid_date: as_of: "),
        ("verify_quotes", {"items": [{"quote": "x"}]}, "missing_value: items.0.citation: is missing."),
        ("search_law", {"question": "recargo", "laws": ["Ley 990/2019"]}, "ley-990-2019"),
    ],
)
def test_wrong_arguments_are_told_with_a_code_and_nothing_of_the_programs(
    threads: ThreadPoolExecutor, tool: str, given: dict[str, Any], told: str
) -> None:
    answer = call(threads, tool, given)
    text = answer.content[0].text  # type: ignore[union-attr]
    assert (answer.is_error, told in text) == (True, True), text
    assert not re.search("pydantic|validation error|Arguments", text)


def test_null_is_what_is_not_given(threads: ThreadPoolExecutor) -> None:
    asked = {"question": CITATION, "laws": None, "max_tokens": None, "as_of": None, "mode": None}
    assert call(threads, "search_law", asked).structured_content["provisions"]
    item = {"citation": CITATION, "quote": None, "title": None, "as_of": None}
    (checked,) = call(threads, "verify_quotes", {"items": [item]}).structured_content["items"]
    assert (checked["outcome"], checked["quote"], checked["title"]) == ("found", None, None)
    assert call(threads, "search_law", {"question": None}).is_error


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("law://ley-990-2019:art-99", "no_such_provision"),
        ("law://" + "x" * 2001, "query_too_long"),
        ("law://hola%20a", "unparsable"),
        ("law://ley-990-2019:art-11@2020-02-30", "2020-02-30. is not a day"),
        ("law://../x", "Unknown resource"),
    ],
)
def test_a_resource_that_is_none_is_an_error(threads: ThreadPoolExecutor, uri: str, told: str) -> None:
    async def run() -> None:
        async with connected(threads) as client:
            with pytest.raises(MCPError, match=told):
                await client.read_resource(uri)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"host": "evil.example"}, 400),
        ({"host": "localhost:8000", "origin": "http://localhost:8000"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"host": "evil.example", "origin": "http://evil.example"}, 400),
        ({"content-type": "text/plain"}, 400),
    ],
)
def test_a_page_that_was_rebound_to_this_address_is_kept_out(
    threads: ThreadPoolExecutor, headers: dict[str, str], status: int
) -> None:
    assert post(threads, **headers).status_code == status


def test_pages_of_an_allowed_origin_may_ask(threads: ThreadPoolExecutor) -> None:
    allowed = {"origin": "https://app.example"}
    with override_settings(CORS_ALLOWED_ORIGINS=["https://app.example"]):
        assert post(threads, **allowed).headers["access-control-allow-origin"] == "https://app.example"
        preflight = post(threads, "OPTIONS", **allowed)
    assert (preflight.status_code, "authorization" in preflight.headers["access-control-allow-headers"]) == (204, True)
    assert post(threads, **allowed).status_code == 403


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_other_methods_are_refused(threads: ThreadPoolExecutor, method: str) -> None:
    refused = post(threads, method)
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST, OPTIONS")


def test_nothing_is_given_where_nothing_grounds_the_question(threads: ThreadPoolExecutor) -> None:
    noise = "the quick brown fox de la tarifa jumps over lazy dog"
    asked = {"question": noise, "mode": "lexical"}
    doubtful, forced = (call(threads, "search_law", asked | more) for more in ({}, {"min_confidence": 0}))
    assert doubtful.structured_content["empty"]["code"] == "low_confidence"
    assert doubtful.structured_content["provisions"] == []
    assert "low_confidence" in doubtful.content[0].text  # type: ignore[union-attr]
    assert forced.structured_content["provisions"]


def test_without_a_database_callers_are_told_to_come_back(
    threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr("search.keys.spend", fail)
    with override_settings(ANONYMOUS_PER_MINUTE=5):
        refused = post(threads)
    assert (refused.status_code, refused.json()["error"]["data"]) == (503, {"code": "database_unavailable"})
    assert int(refused.headers["retry-after"]) >= 1

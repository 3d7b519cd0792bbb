"""`serve` and `make run` as a person runs them: real processes, real signals; and how requests reach Django."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import os
import re
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import brotli
import psutil  # type: ignore[import-untyped]
import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client, override_settings

from config.asgi import InThreads, environ_of
from config.wire import LONGEST_ADDRESS, REFUSED, Refusal
from tests.conftest import ADDRESS, ROOT, Site, copy_of, environment_of
from tests.other_process import PATIENCE_SECONDS, wait_until
from tests.test_embedded_postgres import postmaster

if TYPE_CHECKING:
    from collections.abc import Iterator

PREPARED = re.compile(r"^(Making|Collecting|Importing|Embedding|Indexing)", re.MULTILINE)


@pytest.fixture(scope="module")
def data_dir(prepared_data: Path) -> Iterator[Path]:
    """A data directory with the examples, made ready; one test after another starts the product over it."""
    with copy_of(prepared_data) as folder:
        yield folder


def get(url: str, **headers: str) -> tuple[int, Any, bytes]:
    try:
        with urlopen(Request(url, headers=headers)) as response:
            return response.status, response.headers, response.read()
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


def test_second_start_redoes_nothing(data_dir):
    with Site(data_dir, "--examples") as second:
        second.url()
    assert not PREPARED.search("".join(second.said))


def test_start_says_what_to_try(data_dir):
    with Site(data_dir, "--examples") as running:
        url = running.url()
    tried = [line.split(url)[1].strip() for line in running.said if url + "/" in line]
    assert "/ley-990-2019:art-11.4.b" in tried


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_signal_stops_the_server_and_its_database(data_dir, number):
    with Site(data_dir) as running:
        url = running.url()
        assert postmaster(data_dir)
        running.process.send_signal(number)
        assert running.process.wait(PATIENCE_SECONDS) == 0
    assert postmaster(data_dir) is None
    with pytest.raises(OSError, match="refused"):
        urlopen(url)


def worker_of(server: int, *, but: psutil.Process | None = None) -> psutil.Process:
    """Wait until a server has a worker, other than the one named."""
    found: list[psutil.Process] = []

    def is_worker(child: psutil.Process) -> bool:
        try:
            return child != but and "run_jobs" in child.cmdline()
        except psutil.NoSuchProcess:  # it has ended, maybe between one question and the next
            return False

    def look() -> bool:
        found[:] = filter(is_worker, psutil.Process(server).children())
        return bool(found)

    wait_until(look)
    return found[0]


def test_a_worker_that_died_is_replaced_and_a_killed_server_takes_it_along(data_dir):
    with Site(data_dir) as running:
        running.url()
        first = worker_of(running.process.pid)
        first.kill()
        second = worker_of(running.process.pid, but=first)
        running.process.kill()
        wait_until(lambda: not second.is_running())
    wait_until(lambda: postmaster(data_dir) is None)


@pytest.mark.parametrize("to_whom", ["make alone", "everybody in the terminal"])
def test_make_run_stops_everything_it_started(data_dir, to_whom):
    made = subprocess.Popen(
        ["make", "run", "PORT=0"],
        cwd=ROOT, env=environment_of(data_dir),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )  # fmt: skip
    assert made.stdout
    said = next(line for line in made.stdout if ADDRESS.search(line))
    assert postmaster(data_dir)
    if to_whom == "make alone":
        made.terminate()
    else:
        os.killpg(made.pid, signal.SIGINT)
    made.wait(PATIENCE_SECONDS)
    made.stdout.close()
    wait_until(lambda: postmaster(data_dir) is None)
    with pytest.raises(OSError, match="refused"):
        urlopen(ADDRESS.findall(said)[0])


def test_taken_port_is_told_in_one_sentence(data_dir):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT, env=environment_of(data_dir), capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == (
        f"CommandError: port {port} of 127.0.0.1 is taken: stop what uses it, or choose another with --port\n"
    )


@pytest.mark.parametrize(
    ("accepted", "coding", "unpack"), [("gzip", "gzip", gzip.decompress), ("gzip, br, zstd", "br", brotli.decompress)]
)
def test_static_files_are_named_by_contents_compressed_and_kept(site, accepted, coding, unpack):
    page = get(site)[2].decode()
    css = re.findall(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', page)
    status, headers, body = get(site + css[0], **{"Accept-Encoding": accepted})
    assert (status, headers["Content-Encoding"], headers["Vary"]) == (200, coding, "Accept-Encoding")
    assert "immutable" in headers["Cache-Control"]
    assert b"{" in unpack(body)


def test_unknown_page_is_a_real_404(site):
    status, headers, body = get(site + "/no/such/page")
    assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert b"Traceback" not in body


def test_many_clients_are_answered_at_once(site):
    with ThreadPoolExecutor(16) as clients:
        answers = list(clients.map(get, [f"{site}/?q=recargo"] * 64))
    assert {status for status, _, _ in answers} == {200}


def scope_of(path: bytes = b"/", query: bytes = b"", headers: list[tuple[bytes, bytes]] | None = None) -> Any:
    return {
        "type": "http", "http_version": "1.1", "method": "GET", "scheme": "http", "path": path.decode("latin-1"),
        "raw_path": path, "query_string": query, "headers": headers or [], "server": ("127.0.0.1", 8000),
        "client": ("127.0.0.1", 50000), "root_path": "",
    }  # fmt: skip


def answer(application: Any, scope: Any, *received: Any) -> list[dict[str, Any]]:
    messages, sent = iter(received), []

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(InThreads(application, threads=1)(scope, receive, send))
    return sent


@pytest.mark.parametrize(
    ("scope", "name", "value"),
    [
        (scope_of(b"/a%C3%B1o%2Fx"), "PATH_INFO", "/a\xc3\xb1o/x"),
        (scope_of(query="q=artículo".encode()), "QUERY_STRING", "q=art\xc3\xadculo"),
        (scope_of(query=b"q=art%C3%ADculo"), "QUERY_STRING", "q=art%C3%ADculo"),
        (scope_of(headers=[(b"cookie", b"a=1"), (b"cookie", b"b=2")]), "HTTP_COOKIE", "a=1; b=2"),
        (scope_of(headers=[(b"accept", b"text/html"), (b"accept", b"*/*")]), "HTTP_ACCEPT", "text/html,*/*"),
        (scope_of(headers=[(b"content-type", b"text/xml")]), "CONTENT_TYPE", "text/xml"),
        (scope_of(headers=[(b"x-real-ip", b"1"), (b"x_real_ip", b"2")]), "HTTP_X_REAL_IP", "1"),
        (scope_of(b"/laws/x") | {"root_path": "/laws"}, "PATH_INFO", "/x"),
    ],
)
def test_octets_of_the_request_reach_django(scope, name, value):
    assert environ_of(scope, io.BytesIO(), 0)[name] == value


def test_body_in_parts_is_read_whole():
    def application(environ: Any, start_response: Any) -> HttpResponse:
        start_response("200 OK", [("X-Length", environ["CONTENT_LENGTH"])])
        return HttpResponse(environ["wsgi.input"].read())

    parts = [{"type": "http.request", "body": b"ab", "more_body": True}, {"type": "http.request", "body": b"c"}]
    assert answer(application, scope_of(), *parts) == [
        {"type": "http.response.start", "status": 200, "headers": [(b"x-length", b"3")]},
        {"type": "http.response.body", "body": b"abc"},
    ]


def test_streamed_response_is_sent_as_it_is_made():
    def application(environ: Any, start_response: Any) -> StreamingHttpResponse:
        start_response("200 OK", [])
        return StreamingHttpResponse(iter([b"a", b"b"]))

    sent = answer(application, scope_of(), {"type": "http.request"})
    assert [message.get("body") for message in sent] == [None, b"a", b"b", None]


def test_request_broken_off_is_not_answered():
    def application(environ: Any, start_response: Any) -> HttpResponse:
        raise AssertionError("half a request was answered")

    half = {"type": "http.request", "body": b"ab", "more_body": True}
    assert answer(application, scope_of(), half, {"type": "http.disconnect"}) == []


@pytest.mark.parametrize(
    ("parts", "declared", "is_closed"),
    [([b"a" * 9_000, b"b" * 9_000, b""], None, False), ([b"a" * 50_000], b"50000", True), (None, None, True)],
)  # fmt: skip
def test_a_body_that_is_too_large_is_refused_by_the_site(parts, declared, is_closed):
    def application(environ: Any, start_response: Any) -> HttpResponse:
        seen.append((environ[REFUSED], environ["CONTENT_LENGTH"], environ["wsgi.input"].read(1)))
        start_response("413 Too Large", [])
        return HttpResponse()

    def endless() -> Iterator[dict[str, Any]]:
        while True:
            yield {"type": "http.request", "body": b"a" * 1000, "more_body": True}

    seen: list[Any] = []
    whole = [{"type": "http.request", "body": part, "more_body": bool(part)} for part in parts or ()]
    headers = [(b"content-length", declared)] if declared else []
    with override_settings(BODY_MAX_BYTES=10_000):
        head, *_ = answer(application, scope_of(headers=headers), *whole, *(() if parts else islice(endless(), 60)))
    assert head["status"] == 413
    assert ((b"connection", b"close") in head["headers"]) is is_closed
    assert [(refusal, length) for refusal, length, _ in seen] == [(Refusal("body_too_large", 10_000), "0")]


@pytest.mark.parametrize(("code", "status"), [("body_too_large", 413), ("address_too_long", 414)])
def test_what_the_server_refuses_is_told_in_the_readers_language(code, status):
    refused: dict[str, Any] = {REFUSED: Refusal(code, 250)}
    page = Client().post("/admin/", headers={"accept-language": "es"}, **refused)
    assert page.status_code == status
    assert re.search(r"<p>(El cuerpo de la petición|La dirección) tiene más de 250 bytes\.</p>", page.content.decode())
    told = Client().get("/api/v1/search?q=iva", headers={"accept-language": "es"}, **refused)
    assert (told.status_code, told.json()["code"], told.json()["limit"]) == (status, code, 250)


def test_odd_requests_get_answers_and_leave_no_lines_in_the_log(data_dir):
    with Site(data_dir) as running:
        url = running.url()
        headers = {"Accept-Language": "es"}
        status, _, body = get(f"{url}/api/v1/search?q={'a' * 100_000}", **headers)
        assert (status, json.loads(body)["code"], json.loads(body)["limit"]) == (
            414,
            "address_too_long",
            LONGEST_ADDRESS,
        )
        for path in (f"/?q={'%C3%B1' * 50_000}", f"/{'a' * 70_000}", f"/?x=1&q={'a' * 300_000}"):
            status, _, body = get(url + path, **headers)
            assert status == 414
            assert f"La dirección tiene más de {LONGEST_ADDRESS} bytes." in body.decode()
        assert get(f"{url}/?q={'a' * 50_000}", **headers)[0] == 400
        upgrade = {
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
        }
        for wanted, path in (("websocket", "/"), ("websocket", "/api/v1/health/live"), ("h2c", "/")):
            assert get(url + path, Upgrade=wanted, **upgrade)[0] == 200
    assert [line for line in running.said if "WARNING" in line or "ERROR" in line] == []

"""A real HTTP server with an OpenAI-compatible `/v1/embeddings`, which misbehaves on demand."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.embedders import HashingEmbedder
from tests.serving import serving

SLOW_SECONDS = 30.0


class EmbeddingsServer(ThreadingHTTPServer):
    """Keeps the requests it got; answers with `plan`, one behaviour a request, and well when the plan is used up."""

    daemon_threads = True

    def __init__(self, handler: type[Handler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.plan: list[str] = []
        self.always: str | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: EmbeddingsServer
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append({"path": self.path, **request})
        self.server.keys.append(self.headers["Authorization"])
        behaviour = self.server.always or (self.server.plan.pop(0) if self.server.plan else "well")
        getattr(self, behaviour)(self.texts_of(request))

    def texts_of(self, request: dict[str, Any]) -> list[str]:
        texts: list[str] = request["input"]
        return texts

    def well(self, texts: list[str]) -> None:
        self._send(200, self._answer(texts))

    def backwards(self, texts: list[str]) -> None:
        answer = self._answer(texts)
        answer["data"].reverse()
        self._send(200, answer)

    def long_vectors(self, texts: list[str]) -> None:
        answer = self._answer(texts)
        for item in answer["data"]:
            item["embedding"] = [7 * number for number in item["embedding"]]
        self._send(200, answer)

    def one_too_few(self, texts: list[str]) -> None:
        self._send(200, {"data": self._answer(texts)["data"][1:]})

    def zeros(self, texts: list[str]) -> None:
        self._send(200, {"data": [{"index": place, "embedding": [0.0] * 64} for place in range(len(texts))]})

    def not_a_number(self, texts: list[str]) -> None:
        self._send(200, {"data": [{"index": place, "embedding": [float("nan")] * 64} for place in range(len(texts))]})

    def page(self, texts: list[str]) -> None:
        self._send(200, "<html>Sign in</html>")

    def unauthorized(self, texts: list[str]) -> None:
        self._send(401, {"error": {"message": "no such key"}})

    def moved(self, texts: list[str]) -> None:
        self._send(307, "", {"Location": f"{self.server.url}/elsewhere"})

    def busy(self, texts: list[str]) -> None:
        self._send(429, {"error": "busy"}, {"Retry-After": "1"})

    def busy_for_long(self, texts: list[str]) -> None:
        self._send(429, {"error": "busy"}, {"Retry-After": "600"})

    def busy_in_other_digits(self, texts: list[str]) -> None:
        self._send(429, {"error": "busy"}, {"Retry-After": "٦٠٠".encode().decode("latin-1")})

    def broken(self, texts: list[str]) -> None:
        self._send(500, {"error": "out of memory"})

    def hangs_up(self, texts: list[str]) -> None:
        self.close_connection = True

    def sleeps(self, texts: list[str]) -> None:
        time.sleep(SLOW_SECONDS)
        self.well(texts)

    def drips(self, texts: list[str]) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        for _ in range(int(10 * SLOW_SECONDS)):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.1)

    def _answer(self, texts: list[str]) -> dict[str, Any]:
        vectors = HashingEmbedder().passages(texts).tolist()
        return {"data": [{"index": place, "embedding": vector} for place, vector in enumerate(vectors)]}

    def _send(self, status: int, answer: Any, headers: dict[str, str] | None = None) -> None:
        body = (answer if isinstance(answer, str) else json.dumps(answer)).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""

    def handle(self) -> None:
        """Survive a client that has gone."""
        try:
            super().handle()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True


@contextmanager
def embeddings_server(handler: type[Handler] = Handler) -> Iterator[EmbeddingsServer]:
    """Run a server until the block ends."""
    with serving(EmbeddingsServer(handler)) as server:
        yield server

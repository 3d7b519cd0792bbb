"""An embedder behind any OpenAI-compatible `/v1/embeddings` address: TEI, vLLM, Ollama, OpenAI and others."""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import httpx
import numpy as np
from django.conf import settings

from corpus.circuit import Circuit, CircuitOpen
from corpus.embedding import EmbedderUnavailable, Vectors, clean, cut

# Without the model's tokenizer, tokens are guessed from above: Spanish law has 4 to 5 characters a token.
_CHARACTERS_PER_TOKEN = 3
_PROBE = "dimensiones"
_RETRIED = {408, 425, 429, 500, 502, 503, 504}
_FIRST_WAIT_SECONDS = 0.5


@dataclass(frozen=True)
class Options:
    """How to reach and address a model.

    A question has `query_seconds` in all, with its one repetition; a batch of passages `passages_seconds` a try.
    """

    url: str
    model: str
    key: str = ""
    query_prefix: str = ""
    passage_prefix: str = ""
    dimensions: int = 0
    max_tokens: int = 512
    batch: int = 32
    query_seconds: float = 2.0
    passages_seconds: float = 60.0
    passages_tries: int = 5


class Endpoint:
    """Asks the address that the settings EMBEDDINGS_* name; its vectors are scaled to unit length."""

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options(**settings.EMBEDDINGS_ENDPOINT)
        if not self.options.url or not self.options.model:
            raise EmbedderUnavailable("EMBEDDINGS_URL and EMBEDDINGS_MODEL must be set for an embedder at an address")
        self._client = httpx.Client(headers=self._headers(), limits=httpx.Limits(max_keepalive_connections=16))
        self._circuit = Circuit()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    @property
    def fingerprint(self) -> str:
        """Name the model, and all else that changes its vectors."""
        options = self.options
        shaping = f"{options.model}\0{options.query_prefix}\0{options.passage_prefix}\0{options.dimensions}"
        return f"endpoint-{options.model[-80:]}-{hashlib.sha256(shaping.encode()).hexdigest()[:12]}"

    @cached_property
    def dimensions(self) -> int:
        """Length of the model's vectors, asked for once if it is not set."""
        return self.options.dimensions or len(self.query(_PROBE))

    @property
    def max_tokens(self) -> int:
        """Tokens that are read of a text, by a guess that errs on the short side."""
        return self.options.max_tokens

    def token_count(self, text: str) -> int:
        """Guess the tokens of `text` with the prefix of a passage."""
        return -(-len(self.options.passage_prefix + text) // _CHARACTERS_PER_TOKEN)

    def query(self, text: str) -> Vectors:
        """Embed a question: float32[dimensions]; give up after `query_seconds`, at once while the address is down."""
        deadline = time.monotonic() + self.options.query_seconds
        try:
            self._circuit.check()
            vector: Vectors = self._asked(
                [self._prepared(self.options.query_prefix, text)], tries=2, deadline=deadline
            )[0]
        except CircuitOpen as error:
            raise EmbedderUnavailable(f"{self.options.url} does not answer: {error}") from error
        except EmbedderUnavailable:
            self._circuit.failed()
            raise
        self._circuit.succeeded()
        return vector

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts that may be found: float32[n, dimensions], in as many requests as it takes."""
        prepared = [self._prepared(self.options.passage_prefix, text) for text in texts]
        size, tries = self.options.batch, self.options.passages_tries
        found = [self._asked(prepared[start : start + size], tries=tries) for start in range(0, len(prepared), size)]
        return np.concatenate(found) if found else np.empty((0, self.dimensions), np.float32)

    def _prepared(self, prefix: str, text: str) -> str:
        return prefix + cut(clean(text), self.max_tokens, self.token_count)

    def _asked(self, texts: Sequence[str], *, tries: int, deadline: float | None = None) -> Vectors:
        """Ask until there is an answer, `tries` are used up, or the deadline leaves no time for another."""
        for attempt in range(1, tries + 1):
            try:
                return self._once(texts, self._seconds(deadline))
            except (httpx.HTTPError, _Refused) as error:
                wait = _wait(error, attempt)
                if attempt == tries or wait is None or wait >= self._seconds(deadline):
                    raise EmbedderUnavailable(f"{self.options.url} does not answer: {_said(error)}") from error
                time.sleep(wait)
        raise AssertionError("unreachable")

    def _seconds(self, deadline: float | None) -> float:
        return self.options.passages_seconds if deadline is None else max(0.01, deadline - time.monotonic())

    def _once(self, texts: Sequence[str], seconds: float) -> Vectors:
        body: dict[str, Any] = {"model": self.options.model, "input": list(texts), "encoding_format": "float"}
        if self.options.dimensions:
            body["dimensions"] = self.options.dimensions
        address, end = f"{self.options.url.rstrip('/')}/embeddings", time.monotonic() + seconds
        with self._client.stream("POST", address, json=body, timeout=seconds) as response:
            # The client's own time limit is for each step; an answer that drips in has to end too.
            answer = b"".join(_until(end, response.iter_bytes()))
        if response.is_error:
            raise httpx.HTTPStatusError(
                answer[:200].decode(errors="replace"), request=response.request, response=response
            )
        return _vectors(answer, len(texts))

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.options.key}"} if self.options.key else {}


class _Refused(RuntimeError):
    """The answer holds no usable vectors."""


def _until(end: float, parts: Iterator[bytes]) -> Iterator[bytes]:
    for part in parts:
        if time.monotonic() > end:
            raise httpx.ReadTimeout("the answer took too long")
        yield part


def _vectors(answer: bytes, count: int) -> Vectors:
    """Read unit vectors out of an answer, in the order of the texts."""
    try:
        items = sorted(json.loads(answer)["data"], key=lambda item: item["index"])
        vectors = np.array([item["embedding"] for item in items], np.float32)
    except (ValueError, KeyError, TypeError) as error:
        raise _Refused(f"an answer that is no list of embeddings ({error})") from error
    if vectors.ndim != 2 or len(vectors) != count:
        raise _Refused(f"{len(vectors)} embeddings for {count} texts")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise _Refused("an embedding without a direction")
    unit: Vectors = vectors / lengths
    return unit


def _wait(error: Exception, attempt: int) -> float | None:
    """Give the seconds to wait before another try; None where another would not help."""
    wait = _FIRST_WAIT_SECONDS * 2 ** (attempt - 1) * random.uniform(0.5, 1.0)  # noqa: S311 (spreads the load)
    if isinstance(error, httpx.HTTPStatusError):
        if error.response.status_code not in _RETRIED:
            return None
        asked_for = error.response.headers.get("Retry-After", "")
        return float(asked_for) if asked_for.isdecimal() else wait
    return wait if isinstance(error, httpx.TransportError) else None


def _said(error: Exception) -> str:
    if isinstance(error, httpx.HTTPStatusError):
        return f"HTTP {error.response.status_code} {error}".strip()
    return str(error) or type(error).__name__

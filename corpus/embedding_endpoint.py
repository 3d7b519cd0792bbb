"""An embedder behind any OpenAI-compatible `/v1/embeddings` address: TEI, vLLM, Ollama, OpenAI and others."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from django.conf import settings

from corpus.embedding import EmbedderUnavailable, Vectors, clean, cut
from corpus.model_server import ModelServer, Refused, Unanswered

# Without the model's tokenizer, tokens are guessed from above: Spanish law has 4 to 5 characters a token.
_CHARACTERS_PER_TOKEN = 3
_PROBE = "dimensiones"
_PATH = "embeddings"


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
        self._server = ModelServer(self.options.url, self.options.key)

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

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
        asked = [self._prepared(self.options.query_prefix, text)]
        vector: Vectors = self._asked(asked, partial(self._server.ask_by, deadline, tries=2))[0]
        return vector

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts that may be found: float32[n, dimensions], in as many requests as it takes."""
        prepared = [self._prepared(self.options.passage_prefix, text) for text in texts]
        size = self.options.batch
        ask = partial(self._server.ask, tries=self.options.passages_tries, seconds=self.options.passages_seconds)
        found = [self._asked(prepared[start : start + size], ask) for start in range(0, len(prepared), size)]
        return np.concatenate(found) if found else np.empty((0, self.dimensions), np.float32)

    def _prepared(self, prefix: str, text: str) -> str:
        return prefix + cut(clean(text), self.max_tokens, self.token_count)

    def _asked(self, texts: Sequence[str], ask: Callable[..., Vectors]) -> Vectors:
        body: dict[str, Any] = {"model": self.options.model, "input": list(texts), "encoding_format": "float"}
        if self.options.dimensions:
            body["dimensions"] = self.options.dimensions
        try:
            return ask(_PATH, body, partial(_vectors, count=len(texts)))
        except Unanswered as error:
            raise EmbedderUnavailable(str(error)) from error


def _vectors(answer: Any, *, count: int) -> Vectors:
    """Read unit vectors out of an answer, in the order of the texts."""
    try:
        items = sorted(answer["data"], key=lambda item: item["index"])
        vectors = np.array([item["embedding"] for item in items], np.float32)
    except (ValueError, KeyError, TypeError) as error:
        raise Refused(f"an answer that is no list of embeddings ({error})") from error
    if vectors.ndim != 2 or len(vectors) != count:
        raise Refused(f"{len(vectors)} embeddings for {count} texts")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not lengths.all():
        raise Refused("an embedding without a direction")
    unit: Vectors = vectors / lengths
    return unit

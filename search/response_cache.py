"""Keeps whole answers in Django's cache under everything that an answer hangs on, so that none is ever stale."""

from __future__ import annotations

import hashlib
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.urls import get_script_prefix
from django.utils.translation import get_language

from search import semantic
from search.indexing import corpus_state
from search.lexical import lexical_index
from search.question_vectors import Counts
from search.vector_horizon import Horizon

if TYPE_CHECKING:
    from collections.abc import Callable

    from search.requests import RetrievalRequest
    from search.responses import RetrievalResponse

KEPT_SECONDS = 24 * 3600
# Settings that change answers; some say which index and which model, some what of them is used.
_SETTINGS = (
    "EMBEDDER", "OTHER_EMBEDDERS", "EMBEDDINGS_ENDPOINT", "RERANKER", "RERANKER_ENDPOINT", "VECTOR_INDEX",
    "VECTOR_MATRIX_LIMIT", "MILVUS", "LEXICAL_INDEX_DIR", "VECTOR_INDEX_DIR",
)  # fmt: skip
_SOURCES = ("corpus", "search")
_STATE = """
    SELECT (SELECT row(revision, at)::text FROM corpus_corpuschange ORDER BY revision DESC LIMIT 1),
           (SELECT max(id) FROM corpus_chunkembedding),
           (SELECT row(id, fingerprint, created_at)::text FROM corpus_embeddingmodel WHERE state = 'active'),
           (SELECT row(revision, reader, xmin, ctid)::text FROM search_graphstate)
"""

counts = Counts()


def answer(request: RetrievalRequest, retrieve: Callable[[RetrievalRequest], RetrievalResponse]) -> RetrievalResponse:
    """Give the answer that is kept, or what `retrieve` answers, which is kept if nothing was missing or behind.

    The `took_ms` of an answer that was kept is what it took to find it. Raise what `retrieve` raises.
    """
    if not settings.RESPONSE_CACHE_ENTRIES:
        return retrieve(request)
    started = time.perf_counter()
    key = _key(request)
    kept: RetrievalResponse | None = caches["responses"].get(key)
    if kept is not None:
        counts.hits += 1
        kept.took_ms = round((time.perf_counter() - started) * 1000, 2)
        return kept
    counts.misses += 1
    response = retrieve(request)
    if response.degraded is None and _is_up_to_date(response):
        caches["responses"].set(key, response, KEPT_SECONDS)
    return response


def _key(request: RetrievalRequest) -> str:
    """Name an answer: the request, its day and language, the state of the database, the settings and the release."""
    about = (
        request, request.day, get_language(), get_script_prefix(), _state(),
        [repr(getattr(settings, name, None)) for name in _SETTINGS], release(),
    )  # fmt: skip
    return "response:" + hashlib.sha256(repr(about).encode(errors="surrogatepass")).hexdigest()


def _state() -> tuple[object, ...]:
    with connection.cursor() as cursor:
        cursor.execute(_STATE)
        state: tuple[object, ...] = cursor.fetchone()
    return state


def _is_up_to_date(response: RetrievalResponse) -> bool:
    """Whether both indexes hold what the database does; one that lags may have given the answer of before."""
    corpus, held = corpus_state(), lexical_index().state()
    return response.corpus_revision == corpus.revision and held == corpus and semantic.is_up_to_date(Horizon.now())


@cache
def release() -> str:
    """Tell this code, with all it reads from its folders, from any other."""
    digest = hashlib.sha256()
    for folder in _SOURCES:
        for path in sorted((Path(settings.BASE_DIR) / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()

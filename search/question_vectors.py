"""Keeps the vectors of questions in Django's cache, so that asking again, or for the next page, costs no embedding."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass

import numpy as np
from django.core.cache import cache

from corpus.embedding import Embedder, Vectors, clean

KEPT_SECONDS = 24 * 3600


@dataclass
class Counts:
    """How often this process found a question's vector kept, and how often it had to make it."""

    hits: int = 0
    misses: int = 0


counts = Counts()


def question_vector(embedder: Embedder, question: str) -> Vectors:
    """Give the unit vector of a question: float32[d]. Raise `EmbedderUnavailable`."""
    text = " ".join(unicodedata.normalize("NFC", clean(question)).split())
    key = _key(embedder.fingerprint, text)
    kept = cache.get(key)
    if kept is not None:
        counts.hits += 1
        return np.frombuffer(kept, np.float32)
    counts.misses += 1
    vector = np.asarray(embedder.query(text), np.float32)
    cache.set(key, vector.tobytes(), KEPT_SECONDS)
    return vector


def _key(fingerprint: str, text: str) -> str:
    return "question-vector:" + hashlib.sha256(f"{fingerprint}\0{text}".encode()).hexdigest()

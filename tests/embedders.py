"""The only double: a tiny deterministic embedder, for tests where the real one's quality is not at stake."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class HashingEmbedder:
    """Sum of one pseudo-random direction per word, so that texts that share words lie close."""

    fingerprint = "hashing-64"
    dimensions = 64
    max_tokens = 512

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts as unit vectors: float32[n, 64]."""
        return np.stack([self._vector(text) for text in texts]) if texts else np.empty((0, 64), np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        """Embed a question as a unit vector: float32[64]."""
        return self._vector(text)

    def token_count(self, text: str) -> int:
        """Count words."""
        return len(text.split())

    def _vector(self, text: str) -> NDArray[np.float32]:
        words = text.lower().split() or [""]
        seeds = [int.from_bytes(hashlib.sha256(word.encode()).digest()[:4]) for word in words]
        total = np.sum([np.random.default_rng(seed).standard_normal(64) for seed in seeds], axis=0)
        vector: NDArray[np.float32] = (total / np.linalg.norm(total)).astype(np.float32)
        return vector

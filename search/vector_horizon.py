"""How far the database's vectors have come, and the vectors themselves, read in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from psycopg import sql

from corpus.embedding import Vectors

Anchors = tuple[str | None, str | None]

COPY_BYTES = 8_000_000
_COPY_HEADER_BYTES = 19

_HORIZON = """
    SELECT model.id, model.fingerprint, model.dimensions, extract(epoch FROM model.created_at)::text,
           coalesce((SELECT max(revision) FROM corpus_corpuschange), 0),
           coalesce((SELECT max(id) FROM corpus_chunkembedding), 0)
    FROM corpus_embeddingmodel AS model WHERE model.state = 'active'
"""
_ANCHORS = """
    SELECT (SELECT extract(epoch FROM at)::text FROM corpus_corpuschange WHERE revision = %s),
           (SELECT sha256 FROM corpus_chunkembedding WHERE id = %s)
"""
_VECTORS = sql.SQL("""
    COPY (
        SELECT id, vector FROM corpus_chunkembedding
        WHERE model_id = {model} AND id > {after} AND id <= {last} AND vector_dims(vector) = {dimensions}
        ORDER BY id
    ) TO STDOUT (FORMAT BINARY)
""")


@dataclass(frozen=True)
class Horizon:
    """How far the database has come: the model that answers, the last change, and the last vector of any model."""

    model: int
    fingerprint: str
    dimensions: int
    created_at: str
    revision: int
    last_vector: int

    @classmethod
    def now(cls) -> Horizon | None:
        """Read it, in one query of a fraction of a millisecond; None while no model answers."""
        with connection.cursor() as cursor:
            cursor.execute(_HORIZON)
            found = cursor.fetchone()
        return cls(*found) if found else None

    def is_same_model(self, other: Horizon) -> bool:
        """Whether both stand in one database under one model."""
        return (self.model, self.fingerprint, self.created_at) == (other.model, other.fingerprint, other.created_at)

    def follows(self, other: Horizon) -> bool:
        """Whether this may be a later, or the same, state of what `other` saw."""
        return self.is_same_model(other) and self.revision >= other.revision and self.last_vector >= other.last_vector


def anchors(revision: int, vector: int) -> Anchors:
    """Say when a revision was written and what passage a vector is of: not the same again in another history."""
    with connection.cursor() as cursor:
        cursor.execute(_ANCHORS, [revision, vector])
        at, sha256 = cursor.fetchone()
    return at, sha256


def vectors(horizon: Horizon, *, after: int) -> Iterator[tuple[NDArray[np.int64], Vectors]]:
    """Copy the model's vectors with ids above `after`, by rising id, in blocks of int64[n] and unit float32[n, d]."""
    row = _row(horizon.dimensions)
    statement = _VECTORS.format(
        model=horizon.model, after=after, last=horizon.last_vector, dimensions=horizon.dimensions
    )
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for block in _blocks(copy, row.itemsize):
            found = np.frombuffer(block, row)
            yield found["id"].astype(np.int64), _unit(found["vector"].astype(np.float32))


def _row(dimensions: int) -> np.dtype[np.void]:
    """Describe a row of PostgreSQL's binary COPY: every field after its length, in network order."""
    halfvec = [("dimensions", ">i2"), ("unused", ">i2"), ("vector", ">f2", (dimensions,))]
    return np.dtype([("fields", ">i2"), ("id_bytes", ">i4"), ("id", ">i8"), ("vector_bytes", ">i4"), *halfvec])


def _blocks(copy: Iterable[bytes | memoryview], row_bytes: int) -> Iterator[bytes]:
    """Join what COPY sends into blocks of whole rows, without the header before and the mark after them."""
    waiting, skip = bytearray(), _COPY_HEADER_BYTES
    for data in copy:
        waiting += data
        if len(waiting) > COPY_BYTES:
            end = skip + (len(waiting) - skip) // row_bytes * row_bytes
            yield bytes(waiting[skip:end])
            del waiting[:end]
            skip = 0
    yield bytes(waiting[skip : skip + (len(waiting) - skip) // row_bytes * row_bytes])


def _unit(vectors: Vectors) -> Vectors:
    """Undo what rounding to half precision did to the lengths."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny)
    return unit

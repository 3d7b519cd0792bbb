"""Keeps the vector matrix as fresh as the database: one process writes what changed, all map it."""

from __future__ import annotations

import logging
import threading
import time
from functools import cache
from pathlib import Path

from django.db import connection

from corpus.models import ChunkEmbedding, CorpusChange
from search import vector_horizon, vector_reading, vector_rows
from search.vector_horizon import Horizon
from search.vector_matrix import Matrix
from search.vector_store import Generation, Manifest, Store
from search.vector_table import Extent

logger = logging.getLogger(__name__)

# What takes longer than a question may wait is done beside it, on the matrix as it was.
ROWS_WHILE_ASKED = 20_000
_ROWS_PER_LAW = 100
# To write so many rows anew takes a while, so that it is done only so often.
_MANY_ROWS = 100_000
_PAUSE_SECONDS = 1.0


def refresh(store: Store, *, rebuild: bool = False) -> bool:
    """Bring the files up to the database's horizon; False if another process is at it, or no model answers."""
    with store.writing() as may_write:
        horizon = Horizon.now()
        if not may_write or horizon is None:
            return False
        base = None if rebuild else _continued(store.load(), horizon)
        if base is None or base.manifest.horizon != horizon:
            _write(store, base, horizon)
        return True


def _continued(base: Generation | None, horizon: Horizon) -> Generation | None:
    """Give what is published if the database's history goes on from there; None if it must be made anew."""
    if base is None or not horizon.follows(base.manifest.horizon):
        return None
    held = vector_horizon.anchors(base.manifest.horizon.revision, _last(base))
    return base if held == base.manifest.anchors else None


def _write(store: Store, base: Generation | None, horizon: Horizon) -> None:
    last = _last(base)
    extent = base.manifest.extent if base else Extent.new(horizon.dimensions)
    extent = store.append(extent, vector_horizon.vectors(horizon, after=last))
    ids = store.table(extent).ids
    articles = vector_reading.with_vectors_since(horizon.model, last)
    laws: set[int] = set()
    if base is not None:
        changed, laws = vector_reading.changed_since(base.manifest.horizon.revision)
        articles |= changed
    rows = vector_reading.updated(base.rows if base else vector_rows.empty(), horizon.model, ids, articles, laws)
    anchors = vector_horizon.anchors(horizon.revision, int(ids[-1]) if len(ids) else 0)
    store.publish(Manifest(horizon, anchors, extent), rows)
    logger.info("vector matrix: %d vectors, %d rows, revision %d", len(ids), len(rows), horizon.revision)


def _last(generation: Generation | None) -> int:
    return int(generation.table.ids[-1]) if generation is not None and len(generation.table) else 0


class Keeper:
    """The matrix of one directory as this process has it mapped."""

    def __init__(self, directory: Path) -> None:
        self.store = Store(directory)
        self._matrix: Matrix | None = None
        self._refreshing = threading.Lock()
        self._beside: threading.Thread | None = None
        self._not_before = 0.0

    @property
    def horizon(self) -> Horizon | None:
        """How far the matrix goes that this process has."""
        return self._matrix.horizon if self._matrix else None

    def matrix(self, horizon: Horizon) -> Matrix | None:
        """Give the matrix at `horizon`, or as near to it as can be had at once; None while there is none."""
        if self._matrix is None or self._matrix.horizon != horizon:
            self._approach(horizon)
        matrix = self._matrix
        return matrix if matrix is not None and matrix.horizon.is_same_model(horizon) else None

    def _approach(self, horizon: Horizon) -> None:
        """Refresh, here if it is soon done; not at all if another thread is at it, or has only just been."""
        if time.monotonic() < self._not_before or not self._refreshing.acquire(blocking=self._matrix is None):
            return
        try:
            self._remap()
            if _lag(self.store, horizon) > ROWS_WHILE_ASKED:
                self._refresh_beside()
            else:
                self._refresh()
        finally:
            self._refreshing.release()

    def _refresh(self) -> None:
        refresh(self.store)
        self._remap()
        if self._matrix is not None and len(self._matrix.rows) > _MANY_ROWS:
            self._not_before = time.monotonic() + _PAUSE_SECONDS

    def _refresh_beside(self) -> None:
        if self._beside is None or not self._beside.is_alive():
            self._beside = threading.Thread(target=self._refresh_and_leave, daemon=True)
            self._beside.start()

    def _refresh_and_leave(self) -> None:
        try:
            self._refresh()
        except Exception:
            logger.exception("the vector matrix could not be refreshed")
        finally:
            connection.close()

    def _remap(self) -> None:
        published = self.store.manifest()
        if published is None or (self._matrix is not None and self._matrix.horizon == published.horizon):
            return
        generation = self.store.load()
        if generation is not None:
            self._matrix = Matrix(generation)


def _lag(store: Store, horizon: Horizon) -> int:
    """Guess how many rows a refresh would have to read."""
    published = store.manifest()
    if published is None or not horizon.follows(published.horizon):
        return ChunkEmbedding.objects.filter(model=horizon.model).count()
    known = published.horizon
    laws = CorpusChange.objects.filter(revision__gt=known.revision, article_id=None).count()
    return horizon.last_vector - known.last_vector + horizon.revision - known.revision + _ROWS_PER_LAW * laws


@cache
def keeper(directory: Path) -> Keeper:
    """Give this process's one keeper of a directory."""
    return Keeper(directory)

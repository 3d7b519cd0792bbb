"""Keeps the vector matrix as fresh as the database: one process writes what changed, all map it."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

from search import vector_horizon, vector_reading, vector_rows
from search.vector_horizon import Horizon
from search.vector_keeper import Keeper
from search.vector_matrix import Matrix
from search.vector_store import Generation, Manifest, Store
from search.vector_table import Extent

logger = logging.getLogger(__name__)


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


class Files:
    """The files of one directory, as a keeper has them."""

    def __init__(self, directory: Path) -> None:
        self.store = Store(directory)

    def published(self) -> Horizon | None:
        """Say how far what is published goes."""
        manifest = self.store.manifest()
        return manifest.horizon if manifest else None

    def load(self) -> Matrix | None:
        """Map what is published."""
        generation = self.store.load()
        return Matrix(generation) if generation else None

    def refresh(self) -> None:
        """Bring the files up to the database."""
        refresh(self.store)


@cache
def keeper(directory: Path) -> Keeper[Matrix]:
    """Give this process's one keeper of a directory."""
    return Keeper(Files(directory))

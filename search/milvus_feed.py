"""Feeds Milvus from the corpus's change log: what changed is written anew, and a new model gets a new collection."""

from __future__ import annotations

import logging
import secrets
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from corpus.models import Article, Chunk, ChunkEmbedding
from search import vector_horizon, vector_reading, vector_rows
from search.filters import ENDED
from search.locks import sole_holder
from search.milvus_index import MilvusIndex, among
from search.milvus_server import Manifest, Milvus, milvus
from search.vector_horizon import Horizon
from search.vector_keeper import Keeper
from search.vector_rows import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from corpus.embedding import Vectors

logger = logging.getLogger(__name__)

BATCH = 500
_LOCK = 0x4D494C56
_FROM_ROWS = {
    "article": "article", "version": "version", "digest": "digest", "first_day": "first_day", "last_day": "last_day",
    "shown_until": "shown_until", "text_start": "start", "text_end": "end",
}  # fmt: skip


def refresh(server: Milvus, *, rebuild: bool = False) -> bool:
    """Bring the rows up to the database's horizon; False if another process is at it, or no model answers."""
    with sole_holder(_LOCK, wait=False) as is_ours:
        horizon = Horizon.now()
        if not is_ours or horizon is None:
            return False
        base = None if rebuild else _continued(server.manifest(horizon), horizon)
        if base is None or base.horizon != horizon:
            _write(server, base, horizon)
        return True


def _continued(base: Manifest | None, horizon: Horizon) -> Manifest | None:
    """Give what is published if the database's history goes on from there; None if it must be made anew."""
    if base is None or not horizon.follows(base.horizon):
        return None
    held = vector_horizon.anchors(base.horizon.revision, base.last_vector)
    return base if held == base.anchors else None


def _write(server: Milvus, base: Manifest | None, horizon: Horizon) -> None:
    known = base.last_vector if base else 0
    articles, laws = vector_reading.with_vectors_since(horizon.model, known), set[int]()
    if base is not None:
        changed, laws = vector_reading.changed_since(base.horizon.revision)
        articles |= changed
    collection = base.collection if base else server.create(secrets.token_hex(6), horizon.dimensions)
    if laws:
        server.replace(collection, [], where=among("law_pk", sorted(laws)))
        articles |= set(Article.objects.filter(law__in=laws).values_list("pk", flat=True))
    wanted = sorted(articles)
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        server.replace(collection, list(_rows(horizon, batch)), where=among("article", batch))
    last = _last_vector(horizon)
    server.publish(Manifest(collection, horizon, vector_horizon.anchors(horizon.revision, last), last))
    logger.info("milvus: %d articles, revision %d", len(wanted), horizon.revision)


def _last_vector(horizon: Horizon) -> int:
    held = ChunkEmbedding.objects.filter(model=horizon.model, pk__lte=horizon.last_vector)
    return held.order_by("-pk").values_list("pk", flat=True).first() or 0


def _rows(horizon: Horizon, articles: Sequence[int]) -> Iterator[dict[str, Any]]:
    """Give what Milvus holds of the passages of some articles."""
    ids, vectors = _vectors(horizon, articles)
    rows = vector_reading.updated(vector_rows.empty(), horizon.model, ids, articles, ())
    numbers = {name: rows[column].tolist() for name, column in _FROM_ROWS.items()}
    for place in range(len(rows)):
        law = rows.laws[int(rows["law"][place])]
        yield {name: column[place] for name, column in numbers.items()} | {
            "vector": vectors[int(rows["vector"][place])].tolist(),
            "law_pk": law.pk,
            "law": law.key,
            "rank": law.rank,
            "jurisdiction": law.jurisdiction,
            "kind": str(KINDS[int(rows["kind"][place])]),
            "ended_as": ENDED[int(rows["ended_as"][place])],
        }


def _vectors(horizon: Horizon, articles: Sequence[int]) -> tuple[NDArray[np.int64], Vectors]:
    """Read the vectors of the passages of some articles, by rising id: int64[n] and float32[n, d]."""
    hashes = Chunk.objects.filter(version__article__in=articles).values("sha256")
    held = ChunkEmbedding.objects.filter(model=horizon.model, pk__lte=horizon.last_vector, sha256__in=hashes)
    found = [
        (pk, vector)
        for pk, vector in held.order_by("pk").values_list("pk", "vector")
        if len(vector) == horizon.dimensions
    ]
    vectors = np.array([vector for _, vector in found], np.float32).reshape(-1, horizon.dimensions)
    return np.array([pk for pk, _ in found], np.int64), vectors


class Collections:
    """The collections of one server, as a keeper has them."""

    def __init__(self, server: Milvus) -> None:
        self.server = server

    def published(self) -> Horizon | None:
        """Say how far what is published for the model that answers goes."""
        manifest = self._manifest()
        return manifest.horizon if manifest else None

    def load(self) -> MilvusIndex | None:
        """Give what is published."""
        manifest = self._manifest()
        return MilvusIndex(self.server, manifest) if manifest else None

    def refresh(self) -> None:
        """Bring the rows up to the database."""
        refresh(self.server)

    def _manifest(self) -> Manifest | None:
        horizon = Horizon.now()
        return self.server.manifest(horizon) if horizon else None


def keeper() -> Keeper[MilvusIndex]:
    """Give this process's one keeper of the server in the settings. Raise `ArmUnavailable`."""
    return _keeper(milvus())


@cache
def _keeper(server: Milvus) -> Keeper[MilvusIndex]:
    return Keeper(Collections(server))

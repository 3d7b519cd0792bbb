"""The job that makes the vectors of chosen laws anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from corpus import jobs, loading, vectors
from corpus.embedding import get_embedder
from corpus.jobs import Running, Task
from corpus.models import Chunk, ChunkEmbedding, EmbeddingModel, Law

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from corpus.embedding import Embedder

BATCH = 32


@jobs.carries_out(Task.EMBED_ANEW)
def embed_anew(running: Running) -> None:
    """Split some laws as this release does, and make the vectors of all their passages anew."""
    embedder = get_embedder()
    model = vectors.register(embedder)
    laws = Law.objects.filter(key__in=running.arguments["laws"])
    for law in laws:
        loading.rechunk(law)
    first = {
        sha256: pk
        for pk, sha256 in Chunk.objects.filter(version__article__law__in=laws)
        .values_list("pk", "sha256")
        .order_by("-pk")
    }
    running.expect(len(first))
    for batch in batches(sorted(first.values())):
        _replace(model, embedder, batch)
        running.advance(len(batch))


@transaction.atomic
def _replace(model: EmbeddingModel, embedder: Embedder, batch: Sequence[int]) -> None:
    """Put new vectors in the place of the old in one moment, so that none is ever missing."""
    hashes = list(Chunk.objects.filter(pk__in=batch).values_list("sha256", flat=True))
    ChunkEmbedding.objects.filter(model=model, sha256__in=hashes).delete()
    vectors.embed(model, embedder, batch)


def batches(chunks: Sequence[int]) -> Iterable[Sequence[int]]:
    """Part chunks into what is embedded in one transaction."""
    return (chunks[start : start + BATCH] for start in range(0, len(chunks), BATCH))

"""What is held of each law, counted by the database: articles, versions, chunks, and chunks that have a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, IntegerField, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from corpus.models import Article, ArticleVersion, Chunk, ChunkEmbedding, EmbeddingModel, Law

if TYPE_CHECKING:
    from django.db.models.expressions import Combinable


def counted(laws: QuerySet[Law]) -> QuerySet[Law]:
    """Add to each law `article_count`, `version_count`, `chunk_count` and `embedded_count`."""
    chunks = Chunk.objects.filter(version__article__law=OuterRef("pk"))
    return laws.annotate(
        article_count=_count(Article.objects.filter(law=OuterRef("pk")), "law"),
        version_count=_count(ArticleVersion.objects.filter(article__law=OuterRef("pk")), "article__law"),
        chunk_count=_count(chunks, "version__article__law"),
        embedded_count=_count(chunks.filter(has_vector()), "version__article__law"),
    )


def has_vector() -> Exists:
    """Whether a chunk has a vector of the model that answers."""
    return Exists(
        ChunkEmbedding.objects.filter(sha256=OuterRef("sha256"), model__state=EmbeddingModel.State.ACTIVE),
    )


def embedded_chunks() -> tuple[int, int]:
    """Count the chunks of the whole corpus that have a vector, and all of them."""
    return Chunk.objects.filter(has_vector()).count(), Chunk.objects.count()


def _count(rows: QuerySet[Any], group: str) -> Combinable:
    counts = rows.order_by().values(group).annotate(rows=Count("pk")).values("rows")
    return Coalesce(Subquery(counts, output_field=IntegerField()), 0)

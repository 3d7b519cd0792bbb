"""What is held of each law: articles, versions, chunks, vectors, days, and numbers that are missing.

What only an import changes is counted once, from the change log, and kept; vectors are counted when they are asked for,
which takes a tenth of a second for thirty thousand chunks and some seconds for a million.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.db.models import Count, Exists, IntegerField, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from corpus.gaps import gaps
from corpus.models import Article, ArticleVersion, Chunk, ChunkEmbedding, CorpusChange, EmbeddingModel, Law, LawCoverage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models.expressions import Combinable

LAWS_AT_ONCE = 500
GAPS_KEPT = 100
_LOCK = 0x434F56


def with_article_count(laws: QuerySet[Law]) -> QuerySet[Law]:
    """Add `article_count` to each law."""
    return laws.annotate(article_count=_count(Article.objects.filter(law=OuterRef("pk")), "law"))


def counted(laws: QuerySet[Law]) -> QuerySet[Law]:
    """Add to each law `article_count`, `version_count`, `chunk_count` and `embedded_count`."""
    chunks = Chunk.objects.filter(version__article__law=OuterRef("pk"))
    return with_article_count(laws).annotate(
        version_count=_count(ArticleVersion.objects.filter(article__law=OuterRef("pk")), "article__law"),
        chunk_count=_count(chunks, "version__article__law"),
        embedded_count=_count(chunks.filter(has_vector()), "version__article__law"),
    )


def has_vector() -> Exists:
    """Whether a chunk has a vector of the model that answers."""
    # The model is looked up apart: joined with it, PostgreSQL takes the vectors for few and looks at chunks one by one.
    active = EmbeddingModel.objects.filter(state=EmbeddingModel.State.ACTIVE).values("pk")[:1]
    return Exists(ChunkEmbedding.objects.filter(sha256=OuterRef("sha256"), model=active))


def embedded_chunks() -> tuple[int, int]:
    """Count the chunks of the whole corpus that have a vector, and all of them."""
    chunks = Chunk.objects.count()
    return chunks - _lacking_vector().count(), chunks


def _count(rows: QuerySet[Any], group: str) -> Combinable:
    counts = rows.order_by().values(group).annotate(rows=Count("pk")).values("rows")
    return Coalesce(Subquery(counts, output_field=IntegerField()), 0)


def catch_up() -> int:
    """Count anew what is held of the laws that changed since the last time; leave it to whoever is at it already."""
    if not _is_behind():
        return 0
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        return _count_changed() if cursor.fetchone()[0] else 0


def chunks_without_vector() -> dict[int, int]:
    """Count the chunks that have no vector of the model that answers, by law; laws that lack none are left out."""
    return dict(_lacking_vector().values_list("version__article__law").annotate(rows=Count("pk")))


def chunks_by_law() -> dict[int, int]:
    """Give the chunks of each law that has any, as counted last."""
    return dict(LawCoverage.objects.filter(chunks__gt=0).values_list("law", "chunks"))


def _lacking_vector() -> QuerySet[Chunk]:
    return Chunk.objects.filter(~has_vector()).order_by()


def _is_behind() -> bool:
    return CorpusChange.newest() != _counted_to() or Law.objects.filter(coverage=None).exists()


def _counted_to() -> int:
    return LawCoverage.objects.aggregate(newest=Max("revision"))["newest"] or 0


def _count_changed() -> int:
    revision = CorpusChange.newest()
    changed = CorpusChange.objects.filter(revision__gt=_counted_to()).values("law_id")
    laws = list(Law.objects.filter(Q(pk__in=changed) | Q(coverage=None)).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(laws), LAWS_AT_ONCE):
        _count_laws(laws[start : start + LAWS_AT_ONCE], revision)
    return len(laws)


def _count_laws(laws: Sequence[int], revision: int) -> None:
    keys: dict[int, list[str]] = {law: [] for law in laws}
    for law, key in Article.objects.filter(law__in=laws).order_by("law", "position").values_list("law", "key"):
        keys[law].append(key)
    versions = ArticleVersion.objects.filter(article__law__in=laws).order_by().values("article__law")
    dated = versions.annotate(rows=Count("pk"), first=Min("valid_from"), last=Max("valid_from"))
    by_law: dict[int, Any] = {row["article__law"]: row for row in dated}
    chunks = Chunk.objects.filter(version__article__law__in=laws).order_by().values_list("version__article__law")
    chunk_counts: dict[int, int] = dict(chunks.annotate(rows=Count("pk")))
    nothing: dict[str, Any] = {"rows": 0, "first": None, "last": None}
    LawCoverage.objects.bulk_create(
        (
            LawCoverage(
                law_id=law,
                articles=len(keys[law]),
                versions=by_law.get(law, nothing)["rows"],
                chunks=chunk_counts.get(law, 0),
                first_day=by_law.get(law, nothing)["first"],
                last_day=by_law.get(law, nothing)["last"],
                gaps=gaps(keys[law])[:GAPS_KEPT],
                revision=revision,
            )
            for law in laws
        ),
        update_conflicts=True,
        unique_fields=["law"],
        update_fields=["articles", "versions", "chunks", "first_day", "last_day", "gaps", "revision"],
    )

"""The semantic arm: the passages nearest in meaning to a question, or why there are none."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from corpus.embedding import Embedder, EmbedderUnavailable, Vectors, embedder_of, get_embedder, warm_up
from corpus.models import Article, Chunk, ChunkEmbedding
from search import milvus_feed, vector_reading, vector_refresh
from search.candidates import ArmUnavailable, Candidate
from search.filters import Filters
from search.milvus_index import MilvusIndex
from search.milvus_server import milvus
from search.pgvector_index import PgvectorIndex, build_hnsw
from search.question_vectors import question_vector
from search.vector_horizon import Horizon
from search.vector_index import VectorIndex, article_count, first_articles
from search.vector_matrix import Matrix
from search.vector_store import Store

logger = logging.getLogger(__name__)

OVERFETCH = 3
LOOKED_AT = 2_000
NOTHING_EMBEDDED = gettext_noop("Todavía no hay ningún texto preparado para la búsqueda por significado.")


# Gives, of those versions that have a vector, how near they are to the question.
Nearness = Callable[[Collection[int]], Mapping[int, float]]


def nothing_near(_version_ids: Collection[int]) -> dict[int, float]:
    """Tell of no version how near it is: nobody has looked."""
    return {}


@dataclass(frozen=True)
class SemanticRanking:
    """Passages by falling cosine, of as many articles as were asked for where so many match.

    `reason_missing` says, for people, why the arm took no part; then there are no candidates. `coverage` is the
    share of all passages that have a vector, `fingerprint` the embedder whose vectors answered. `nearness` tells how
    near any other text is.
    """

    candidates: tuple[Candidate, ...] = ()
    reason_missing: str | None = None
    coverage: float = 1.0
    fingerprint: str = ""
    nearness: Nearness = field(default=nothing_near, compare=False)


class _Missing(RuntimeError):
    """The arm can take no part; the message says why, for people."""


def rank(query: str, filters: Filters, depth: int) -> SemanticRanking:
    """Rank the passages that meet `filters` by nearness to `query`, until they are of `depth` articles."""
    try:
        horizon = _horizon()
        vector = _question_vector(query, horizon)
        index = _index(horizon)
        found = tuple(nearest(index, vector, filters, depth))
        coverage = _coverage(index, horizon)
        if not found and coverage < 1 and _has_passages(filters):
            raise _Missing(_("Los textos de esta búsqueda aún no están preparados para buscar por significado."))
        near = index.nearness if isinstance(index, Matrix) else partial(vector_reading.nearness, horizon.model)
        return SemanticRanking(
            found, coverage=coverage, fingerprint=horizon.fingerprint, nearness=partial(near, vector)
        )
    except _Missing as reason:
        return SemanticRanking(reason_missing=str(reason))
    except (EmbedderUnavailable, ArmUnavailable, OSError) as error:
        logger.warning("the semantic arm is missing: %s", error)
        return SemanticRanking(reason_missing=_("La búsqueda por significado no funciona: %s") % error)


def refresh(*, rebuild: bool = False) -> None:
    """Bring the index of vectors up to the database, or make it anew; it is also brought up whenever it is asked.

    Raise `OSError` where that cannot be.
    """
    horizon = Horizon.now()
    if horizon is None:
        return
    kind = _kind(horizon)
    if kind == "matrix":
        vector_refresh.refresh(Store(settings.VECTOR_INDEX_DIR), rebuild=rebuild)
    elif kind == "milvus":
        _refresh_milvus(rebuild=rebuild)
    else:
        build_hnsw(horizon)


def _refresh_milvus(*, rebuild: bool) -> None:
    try:
        milvus_feed.refresh(milvus(), rebuild=rebuild)
    except ArmUnavailable as error:
        raise OSError(str(error)) from error


def is_up_to_date(horizon: Horizon | None) -> bool:
    """Whether an answer by meaning holds all that there is at `horizon`; in a database without vectors it does."""
    if horizon is None or (kind := _kind(horizon)) == "pgvector":
        return True
    if kind == "matrix":
        matrix = vector_refresh.keeper(settings.VECTOR_INDEX_DIR).held
        return matrix is not None and matrix.horizon == horizon
    index = milvus_feed.keeper().held
    return index is not None and index.horizon == horizon and index.is_settled


def make_ready() -> None:
    """Load the embedder and the index, so that no question waits for them. Raise `EmbedderUnavailable`."""
    warm_up()
    try:
        refresh()
        if (horizon := Horizon.now()) is not None:
            _kept(horizon)
            _chunks(horizon.revision)
    except (ArmUnavailable, OSError) as error:
        logger.warning("the index of vectors cannot be made: %s", error)


def nearest(index: VectorIndex, vector: Vectors, filters: Filters, depth: int) -> list[Candidate]:
    """Ask an index for passages of `depth` articles; check what it leaves unchecked, and ask for more until full."""
    if index.capabilities.filters == "before":
        return index.search(vector, filters, depth)
    asked = OVERFETCH * depth
    while True:
        found = index.search(vector, filters, asked)
        kept = first_articles(_admitted(found, filters), depth)
        if article_count(kept) >= depth or article_count(found) < asked:
            return kept
        asked *= 4


def _admitted(candidates: Sequence[Candidate], filters: Filters) -> list[Candidate]:
    admitted = _admitted_versions({candidate.article_id for candidate in candidates}, filters)
    return [candidate for candidate in candidates if candidate.version_id in admitted]


def _admitted_versions(articles: Collection[int], filters: Filters) -> set[int]:
    laws = {law.pk: law for law in vector_reading.laws_of(articles)}
    return {
        version
        for version, text in vector_reading.texts_of(articles).items()
        if (law := laws.get(text.law))
        and filters.admits(text.standing, law=law.key, rank=law.rank, jurisdiction=law.jurisdiction, kind=text.kind)
    }


def _has_passages(filters: Filters) -> bool:
    """Whether there is something to find: a passage that meets `filters`, among the first provisions that may."""
    wanted = {
        "law__key__in": filters.laws,
        "law__rank__in": filters.ranks,
        "law__jurisdiction__in": filters.jurisdictions,
        "kind__in": filters.kinds,
    }
    articles = Article.objects.filter(**{column: values for column, values in wanted.items() if values})
    looked_at = list(articles.values_list("pk", flat=True)[:LOOKED_AT])
    return Chunk.objects.filter(version__in=_admitted_versions(looked_at, filters)).exists()


def _horizon() -> Horizon:
    horizon = Horizon.now()
    if horizon is None or not horizon.last_vector:
        raise _Missing(_(NOTHING_EMBEDDED))
    return horizon


def _question_vector(query: str, horizon: Horizon) -> Vectors:
    vector = question_vector(_embedder(horizon), query)
    if len(vector) != horizon.dimensions:
        # Whoever runs an address can put another model there under the same name.
        raise _Missing(
            _("El modelo %(model)s da ahora vectores de %(given)d números; los de los textos tienen %(held)d.")
            % {"model": horizon.fingerprint, "given": len(vector), "held": horizon.dimensions}
        )
    return vector


def _embedder(horizon: Horizon) -> Embedder:
    embedder = embedder_of(horizon.fingerprint)
    if embedder is None:
        raise _Missing(
            _("Los textos están preparados con otro modelo (%(held)s) que el configurado (%(configured)s).")
            % {"held": horizon.fingerprint, "configured": get_embedder().fingerprint}
        )
    return embedder


def _index(horizon: Horizon) -> VectorIndex:
    """Give the index to ask. Raise `_Missing` while there is none, `ArmUnavailable` where it cannot be reached."""
    index = _kept(horizon)
    if index is None:
        raise _Missing(_("El índice de la búsqueda por significado se está construyendo."))
    if isinstance(index, Matrix) and not len(index):
        raise _Missing(_(NOTHING_EMBEDDED))
    return index


def _kept(horizon: Horizon) -> Matrix | MilvusIndex | PgvectorIndex | None:
    kind = _kind(horizon)
    if kind == "matrix":
        return vector_refresh.keeper(settings.VECTOR_INDEX_DIR).index(horizon)
    return milvus_feed.keeper().index(horizon) if kind == "milvus" else PgvectorIndex(horizon)


def _kind(horizon: Horizon) -> str:
    """Choose where to look: where the settings say; else the matrix while it fits in memory, beyond that PostgreSQL."""
    if settings.VECTOR_INDEX != "auto":
        return str(settings.VECTOR_INDEX)
    return "matrix" if _fits_matrix(horizon) else "pgvector"


def _fits_matrix(horizon: Horizon) -> bool:
    # Ids count all vectors ever made, so that the exact count is seldom asked for.
    limit = settings.VECTOR_MATRIX_LIMIT
    return horizon.last_vector <= limit or _vectors(horizon) <= limit


@lru_cache(maxsize=4)
def _vectors(horizon: Horizon) -> int:
    return ChunkEmbedding.objects.filter(model=horizon.model).count()


def _coverage(index: VectorIndex, horizon: Horizon) -> float:
    chunks = _chunks(horizon.revision)
    held = len(index) if isinstance(index, Matrix) else _vectors(horizon)
    return min(1.0, held / chunks) if chunks else 1.0


@lru_cache(maxsize=4)
def _chunks(_revision: int) -> int:
    return Chunk.objects.count()

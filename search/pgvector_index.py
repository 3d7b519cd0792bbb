"""Vectors searched inside PostgreSQL: exactly where few rows match, else through HNSW without losing rows."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from pgvector import HalfVector
from psycopg import sql

from search.candidates import Candidate
from search.filters import ENDED, FIRST_DAY, IN_FORCE, LAST_DAY, NOT_YET_IN_FORCE, Filters
from search.vector_index import Capabilities, article_count, first_articles

if TYPE_CHECKING:
    from corpus.embedding import Vectors
    from search.vector_horizon import Horizon

# Comparing so many rows one by one takes about as long as a walk through the graph, and misses nothing.
NARROW_ROWS = 30_000
MAX_HNSW_DIMENSIONS = 4_000
_MIN_EF_SEARCH, _MAX_EF_SEARCH = 400, 1_000
_SCORE_DECIMALS = 6

_FROM = sql.SQL("""
    FROM corpus_chunkembedding AS embedding
    JOIN corpus_chunk AS chunk ON chunk.sha256 = embedding.sha256
    JOIN corpus_articleversion AS version ON version.id = chunk.version_id
    JOIN corpus_article AS article ON article.id = version.article_id
    JOIN corpus_law AS law ON law.id = article.law_id
    WHERE embedding.model_id = {model} AND version.status = 'in_force'
""")
_SELECT = sql.SQL(
    'SELECT article.id, version.id, {vector} <=> %(vector)s::halfvec AS distance, chunk.start, chunk."end"'
)
_EXACT_ORDER = sql.SQL("ORDER BY distance, article.id, version.id, chunk.start LIMIT %(limit)s")
_HNSW_ORDER = sql.SQL("ORDER BY distance LIMIT %(limit)s")
_HAS_BEGUN = sql.SQL("(version.valid_from IS NULL OR version.valid_from <= %(on)s)")
_CONDITIONS = {
    IN_FORCE: sql.SQL("({has_begun} AND (version.valid_to IS NULL OR version.valid_to >= %(on)s))").format(
        has_begun=_HAS_BEGUN
    ),
    NOT_YET_IN_FORCE: sql.SQL("(version.valid_from > %(on)s)"),
    # Which of the texts before were the last is for the engine to tell.
    "ended": _HAS_BEGUN,
}


class PgvectorIndex:
    """The vectors of the model at a horizon, where PostgreSQL keeps them.

    Its conditions on status let through more than is wanted, and what passes is to be checked again.
    """

    capabilities = Capabilities(filters="after", is_exact=False)

    def __init__(self, horizon: Horizon) -> None:
        self.horizon = horizon

    def search(self, vector: Vectors, filters: Filters, depth: int) -> list[Candidate]:
        """Give passages by falling cosine, until they are of `depth` articles or no more match."""
        count = 4 * depth
        while True:
            rows = self._nearest(vector, filters, count)
            found = first_articles(rows, depth)
            if len(rows) < count or article_count(found) >= depth:
                return found
            count *= 4

    def _nearest(self, vector: Vectors, filters: Filters, count: int) -> list[Candidate]:
        if count <= _MAX_EF_SEARCH and has_hnsw(self.horizon) and not self._is_narrow(filters):
            found = self._through_hnsw(vector, filters, count)
            if len(found) == count:
                return found
        # Too few rows: the graph was left before all that match were seen, or no more match.
        return self._exactly(vector, filters, count)

    def _is_narrow(self, filters: Filters) -> bool:
        if not (filters.laws or filters.kinds or filters.ranks or filters.jurisdictions or filters.statuses):
            return False
        where, parameters = _where(self.horizon, filters)
        count = sql.SQL("SELECT count(*) FROM (SELECT 1 {where} LIMIT %(limit)s) AS matching").format(where=where)
        with connection.cursor() as cursor:
            cursor.execute(count, parameters | {"limit": NARROW_ROWS + 1})
            return int(cursor.fetchone()[0]) <= NARROW_ROWS

    def _exactly(self, vector: Vectors, filters: Filters, count: int) -> list[Candidate]:
        return self._run(sql.SQL("embedding.vector"), _EXACT_ORDER, vector, filters, count)

    @transaction.atomic
    def _through_hnsw(self, vector: Vectors, filters: Filters, count: int) -> list[Candidate]:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
            cursor.execute("SET LOCAL hnsw.ef_search = %s", [max(count, _MIN_EF_SEARCH)])
        return self._run(_indexed(self.horizon.dimensions), _HNSW_ORDER, vector, filters, count)

    def _run(
        self, expression: sql.Composable, order: sql.SQL, vector: Vectors, filters: Filters, count: int
    ) -> list[Candidate]:
        where, parameters = _where(self.horizon, filters)
        statement = sql.SQL(" ").join([_SELECT.format(vector=expression), where, order])
        with connection.cursor() as cursor:
            cursor.execute(statement, parameters | {"vector": HalfVector(vector).to_text(), "limit": count})
            found = [
                Candidate(article, version, round(1 - distance, _SCORE_DECIMALS), start, end)
                for article, version, distance, start, end in cursor.fetchall()
            ]
        return sorted(found, key=lambda one: (-one.score, one.article_id, one.version_id, one.start))


def has_hnsw(horizon: Horizon) -> bool:
    """Whether the model's vectors have their graph, finished."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(%s) AND indisvalid)",
            [_index_name(horizon)],
        )
        return bool(cursor.fetchone()[0])


def build_hnsw(horizon: Horizon) -> None:
    """Make the graph over the model's vectors, beside those who read and write; PostgreSQL keeps it up from then on."""
    if horizon.dimensions > MAX_HNSW_DIMENSIONS or has_hnsw(horizon):
        return
    name = sql.Identifier(_index_name(horizon))
    create = sql.SQL(
        "CREATE INDEX {when} {name} ON corpus_chunkembedding USING hnsw (({vector}) halfvec_cosine_ops) "
        "WHERE model_id = {model}"
    )
    when = sql.SQL("" if connection.in_atomic_block else "CONCURRENTLY")
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("DROP INDEX IF EXISTS {name}").format(name=name))
        vector = sql.SQL("vector::halfvec({})").format(horizon.dimensions)
        cursor.execute(create.format(when=when, name=name, vector=vector, model=horizon.model))


def _index_name(horizon: Horizon) -> str:
    return f"embedding_hnsw_{horizon.model}"


def _indexed(dimensions: int) -> sql.Composable:
    """Give the expression that the graph is over."""
    return sql.SQL("embedding.vector::halfvec({})").format(dimensions)


def _where(horizon: Horizon, filters: Filters) -> tuple[sql.Composable, dict[str, Any]]:
    """Give FROM and WHERE with everything `filters` asks for, and of its statuses what one row can tell."""
    conditions: list[sql.Composable] = [sql.SQL("({})").format(sql.SQL(" OR ").join(_statuses(filters)))]
    earliest, latest = filters.begins_between
    if earliest > FIRST_DAY:
        conditions.append(sql.SQL("version.valid_from >= %(earliest)s"))
    if latest < LAST_DAY:
        conditions.append(sql.SQL("(version.valid_from IS NULL OR version.valid_from <= %(latest)s)"))
    for column, values in _lists(filters).items():
        if values:
            conditions.append(sql.SQL("{} = ANY({})").format(sql.SQL(column), sql.Placeholder(column)))
    where = sql.SQL(" AND ").join([_FROM.format(model=horizon.model), *conditions])
    dates = {"on": filters.on, "earliest": date.fromordinal(earliest), "latest": date.fromordinal(latest)}
    return where, dates | {column: list(values) for column, values in _lists(filters).items()}


def _statuses(filters: Filters) -> list[sql.Composable]:
    wanted = {"ended" if status in ENDED else status for status in filters.wanted_statuses}
    return [_CONDITIONS[status] for status in sorted(wanted)]


def _lists(filters: Filters) -> dict[str, tuple[str, ...]]:
    return {
        "law.key": filters.laws,
        "law.rank": filters.ranks,
        "law.jurisdiction": filters.jurisdictions,
        "article.kind": filters.kinds,
    }

"""One suite over every vector index: the same rows in the same order as comparing everything one by one."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

import numpy as np
import pytest
from django.db import connection, transaction

from corpus.models import Article, ArticleVersion, Chunk, ChunkEmbedding, CorpusChange, EmbeddingModel, Kind, Law
from search import milvus_feed, pgvector_index, vector_reading, vector_refresh, vector_signs
from search.filters import Filters, standings
from search.pgvector_index import PgvectorIndex
from search.semantic import nearest
from search.vector_horizon import Horizon
from search.vector_matrix import BLOCK, largest
from tests.law_builder import add_law
from tests.milvus_lite import milvus_lite

LAWS, ARTICLES, DIMENSIONS = 200, 30, 48
TODAY = date(2026, 1, 1)
KINDS = [Kind.ARTICLE, Kind.FINAL, Kind.ANNEX]
RANKS = ["ley", "rd", "orden", "lo", "rdl"]


class Known(NamedTuple):
    """A passage as the test made it."""

    law: Law
    article: Article
    version: ArticleVersion
    chunk: Chunk
    vector: np.ndarray


class Corpus:
    """Many small laws with vectors of their own making, and the answers got by comparing all of them."""

    def __init__(self):
        self.random = np.random.default_rng(7)
        self.model = EmbeddingModel.objects.create(fingerprint="random-48", dimensions=DIMENSIONS, state="active")
        self.known = [Known(*row, vector) for row, vector in zip(self._rows(), self._vectors(), strict=True)]
        ChunkEmbedding.objects.bulk_create(
            ChunkEmbedding(model=self.model, sha256=known.chunk.sha256, vector=known.vector.tolist())
            for known in self.known
        )
        CorpusChange.objects.bulk_create(CorpusChange(law_id=law.pk) for law in Law.objects.all())
        self.standings = {known.version.pk: standings([known.version], known.law)[0] for known in self.known}

    def _rows(self) -> list[tuple[Law, Article, ArticleVersion, Chunk]]:
        laws = [self._law(number) for number in range(LAWS)]
        articles = Article.objects.bulk_create(
            Article(law=law, key=f"art-{number}", label=f"Artículo {number}", position=number, kind=KINDS[number % 3])
            for law in laws
            for number in range(1, ARTICLES + 1)
        )
        versions = ArticleVersion.objects.bulk_create(map(self._version, articles))
        chunks = Chunk.objects.bulk_create(
            Chunk(
                version=version, position=1, start=0, end=5, sha256=hashlib.sha256(str(version.pk).encode()).hexdigest()
            )
            for version in versions
        )
        return [(chunk.version.article.law, chunk.version.article, chunk.version, chunk) for chunk in chunks]

    def _law(self, number):
        status = "repealed" if number % 10 == 9 else "in_force"
        jurisdiction = "es-ct" if number % 4 == 0 else "es"
        return add_law(
            f"{RANKS[number % 5]}-{number}-2020", rank=RANKS[number % 5], status=status, jurisdiction=jurisdiction
        )

    def _version(self, article):
        first = date(2010, 1, 1) + timedelta(days=int(self.random.integers(0, 7000)))
        last = first + timedelta(days=1000) if article.position % 7 == 0 else None
        begins = None if article.position % 6 == 5 else first
        return ArticleVersion(
            article=article, position=1, text="texto", sha256="0" * 64, valid_from=begins, valid_to=last
        )

    def _vectors(self):
        """Draw vectors around a few centres, as close as those of an embedder, rounded as the database does."""
        centres = self.random.standard_normal((40, DIMENSIONS))
        count = LAWS * ARTICLES
        drawn = centres[self.random.integers(0, 40, count)] + 0.6 * self.random.standard_normal((count, DIMENSIONS))
        rounded = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float16).astype(np.float32)
        return rounded / np.linalg.norm(rounded, axis=1, keepdims=True)

    def question(self, seed=0):
        drawn = np.random.default_rng(seed).standard_normal(DIMENSIONS).astype(np.float32)
        return drawn / np.linalg.norm(drawn)

    def matching(self, filters):
        return [known for known in self.known if self._is_admitted(known, filters)]

    def _is_admitted(self, known, filters):
        standing = self.standings[known.version.pk]
        return filters.admits(
            standing,
            law=known.law.key,
            rank=known.law.rank,
            jurisdiction=known.law.jurisdiction,
            kind=known.article.kind,
        )

    def answer(self, question, filters, depth):
        """Give the ids of the nearest articles, best first."""
        ranked = sorted(self.matching(filters), key=lambda known: -float(known.vector @ question))
        return [known.article.pk for known in ranked[:depth]]


@pytest.fixture(scope="module")
def corpus(django_db_setup, django_db_blocker) -> Iterator[Corpus]:
    with django_db_blocker.unblock(), transaction.atomic():
        made = Corpus()
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            pgvector_index.build_hnsw(horizon())
            cursor.execute(
                "ANALYZE corpus_chunkembedding, corpus_chunk, corpus_articleversion, corpus_article, corpus_law"
            )
        yield made
        transaction.set_rollback(True)


def horizon() -> Horizon:
    now = Horizon.now()
    assert now is not None
    return now


def matrix_index(directory):
    return vector_refresh.keeper(directory).index(horizon())


@pytest.fixture(scope="module")
def vectors_dir(tmp_path_factory):
    return tmp_path_factory.mktemp("vectors")


@pytest.fixture
def signed_index(corpus, tmp_path, monkeypatch):
    """The matrix as it is where vectors are very many."""
    monkeypatch.setattr(vector_signs, "MANY", LAWS * ARTICLES)
    monkeypatch.setattr(vector_signs, "CLOSE", 1_000)
    return matrix_index(tmp_path)


@pytest.fixture(scope="module")
def milvus_index(corpus, tmp_path_factory, django_db_blocker):
    """The corpus in Milvus Lite."""
    with milvus_lite(tmp_path_factory.mktemp("milvus")) as server, django_db_blocker.unblock():
        milvus_feed.refresh(server)
        yield milvus_feed.Collections(server).load()


@pytest.fixture(params=["matrix", "matrix with signs", "pgvector", "pgvector without its graph", "milvus"])
def index(request, corpus, db, vectors_dir, monkeypatch):
    """Every index there is, over the same corpus."""
    if request.param == "matrix":
        return matrix_index(vectors_dir)
    if request.param == "matrix with signs":
        return request.getfixturevalue("signed_index")
    if request.param == "milvus":
        return request.getfixturevalue("milvus_index")
    if request.param == "pgvector without its graph":
        monkeypatch.setattr(pgvector_index, "has_hnsw", lambda horizon: False)
    else:
        monkeypatch.setattr(pgvector_index, "NARROW_ROWS", 0)  # through the graph, however few match
    return PgvectorIndex(horizon())


def ids(candidates):
    return [candidate.article_id for candidate in candidates]


FILTERS = {
    "in force": Filters(TODAY),
    "one law": Filters(TODAY, laws=("ley-5-2020",)),
    "two laws": Filters(TODAY, laws=("ley-5-2020", "rd-11-2020")),
    "a repealed law, not asked for": Filters(TODAY, laws=("rdl-9-2020",)),
    "a repealed law": Filters(TODAY, laws=("rdl-9-2020",), include_repealed=True),
    "no such law": Filters(TODAY, laws=("ley-5",)),
    "rank": Filters(TODAY, ranks=("orden", "lo")),
    "jurisdiction": Filters(TODAY, jurisdictions=("es-ct",)),
    "kind": Filters(TODAY, kinds=("annex",)),
    "with the repealed": Filters(TODAY, include_repealed=True),
    "only ended": Filters(TODAY, statuses=("expired", "repealed")),
    "not yet in force": Filters(TODAY, statuses=("not_yet_in_force",)),
    "another day": Filters(date(2013, 5, 5)),
    "before every text": Filters(date(1950, 1, 1)),
    "begun between two days": Filters(TODAY, valid_from=date(2015, 1, 1), valid_to=date(2016, 6, 30)),
    "begun since a day": Filters(TODAY, valid_from=date(2015, 1, 1)),
    "begun by a day": Filters(TODAY, valid_to=date(2016, 6, 30), statuses=("in_force", "not_yet_in_force")),
    "begun by today": Filters(TODAY, valid_to=TODAY),
    "everything at once": Filters(
        date(2024, 2, 29), ranks=("ley",), kinds=("final", "article"), jurisdictions=("es",), include_repealed=True,
        valid_from=date(2012, 1, 1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("filters", FILTERS.values(), ids=FILTERS.keys())
@pytest.mark.parametrize("depth", [10, 100])
def test_br_47_full_of_what_matches_and_of_nothing_else(index, corpus, filters, depth):
    question = corpus.question()
    matching = {known.article.pk for known in corpus.matching(filters)}

    found = ids(nearest(index, question, filters, depth))

    assert len(found) == len(set(found)) == min(depth, len(matching))
    assert set(found) <= matching


@pytest.mark.parametrize("filters", FILTERS.values(), ids=FILTERS.keys())
def test_nearest_are_those_that_comparing_all_finds(index, corpus, filters):
    recalls = []
    for seed in range(5):
        question = corpus.question(seed)
        expected = corpus.answer(question, filters, 50)
        found = ids(nearest(index, question, filters, 50))
        recalls.append(len(set(found) & set(expected)) / max(1, len(expected)) if expected else 1.0)

    assert np.mean(recalls) >= (1.0 if index.capabilities.is_exact else 0.98)


def test_nearness_is_the_same_in_memory_and_in_the_database(corpus, db, vectors_dir):
    question, some = corpus.question(), corpus.known[:4000:97]
    unknown = max(known.version.pk for known in corpus.known) + 1
    asked = [*(known.version.pk for known in reversed(some)), unknown]

    in_memory = matrix_index(vectors_dir).nearness(question, asked)
    in_database = vector_reading.nearness(horizon().model, question, asked)

    expected = {known.version.pk: float(known.vector @ question) for known in some}
    assert in_memory == pytest.approx(expected, abs=1e-3)
    assert in_database == pytest.approx(expected, abs=1e-3)
    assert matrix_index(vectors_dir).nearness(question, []) == {}
    assert vector_reading.nearness(horizon().model, question, []) == {}


def test_order_is_by_falling_cosine(index, corpus):
    question = corpus.question()
    by_article = {known.article.pk: known for known in corpus.known}

    found = nearest(index, question, Filters(TODAY), 20)

    cosines = [float(by_article[one.article_id].vector @ question) for one in found]
    assert [one.score for one in found] == pytest.approx(cosines, abs=2e-3)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_more_filters_never_add_articles(index, corpus):
    question = corpus.question()
    wide, narrow = Filters(TODAY, ranks=("ley",)), Filters(TODAY, ranks=("ley",), kinds=("final",))

    everything = set(ids(nearest(index, question, wide, 2000)))

    assert set(ids(nearest(index, question, narrow, 2000))) <= everything


def test_same_question_twice_gives_the_same(index, corpus):
    question = corpus.question()

    assert nearest(index, question, Filters(TODAY), 60) == nearest(index, question, Filters(TODAY), 60)


@pytest.mark.parametrize("index", ["matrix", "matrix with signs"], indirect=True)
def test_deeper_answer_begins_with_the_shallower(index, corpus):
    question = corpus.question()
    filters = Filters(TODAY, ranks=("ley", "lo"))

    assert nearest(index, question, filters, 200)[:20] == nearest(index, question, filters, 20)


@pytest.mark.parametrize("filters", [Filters(TODAY), Filters(TODAY, laws=("ley-5-2020",))], ids=["wide", "one law"])
def test_rows_do_not_depend_on_the_plan(corpus, db, filters):
    question = corpus.question()
    index = PgvectorIndex(horizon())
    answers = []
    for allowed in ("on", "off"):
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL enable_indexscan = {allowed}")
        answers.append(ids(nearest(index, question, filters, 10)))

    assert answers[0] == answers[1]


def test_graph_is_used_where_much_matches(corpus, db):
    assert pgvector_index.has_hnsw(horizon())
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(
            f"EXPLAIN SELECT id FROM corpus_chunkembedding WHERE model_id = {corpus.model.pk} "
            f"ORDER BY vector::halfvec({DIMENSIONS}) <=> '{corpus.question().tolist()}'::halfvec LIMIT 5"
        )
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert f"embedding_hnsw_{corpus.model.pk}" in plan


@pytest.mark.parametrize("values", [np.arange(40 * BLOCK + 7) % 1009, np.zeros(40 * BLOCK), np.arange(3)])
@pytest.mark.parametrize("count", [1, 3, 40])
def test_the_largest_of_many_are_those_that_sorting_finds(values, count):
    places = largest(values.astype(np.float32), min(count, len(values)))
    assert len(set(places)) == len(places)
    assert sorted(values[places]) == sorted(values)[-count:]

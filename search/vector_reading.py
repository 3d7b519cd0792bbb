"""Reads from the database what an index of vectors holds: passages, the standing of their texts, and what changed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from itertools import groupby, starmap
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from pgvector import HalfVector

from corpus.embedding import Vectors
from corpus.models import Article, ArticleVersion, CorpusChange, Law
from search.candidates import digest_of
from search.filters import ENDED, Standing, standings
from search.vector_index import mean_of_nearest
from search.vector_rows import COLUMNS, IDS, KINDS, LawRow, Rows

BATCH = 2_000

_CHUNKS = """
    SELECT chunk.version_id, chunk.start, chunk."end", embedding.id
    FROM corpus_chunk AS chunk
    JOIN corpus_articleversion AS version ON version.id = chunk.version_id
    JOIN corpus_chunkembedding AS embedding ON embedding.sha256 = chunk.sha256 AND embedding.model_id = %s
    WHERE version.article_id = ANY(%s)
"""
_ARTICLES_WITH_VECTORS = """
    SELECT DISTINCT version.article_id
    FROM corpus_chunkembedding AS embedding
    JOIN corpus_chunk AS chunk ON chunk.sha256 = embedding.sha256
    JOIN corpus_articleversion AS version ON version.id = chunk.version_id
    WHERE embedding.model_id = %s AND embedding.id > %s
"""

_COSINES = """
    SELECT chunk.version_id, 1 - (embedding.vector <=> %s::halfvec)
    FROM corpus_chunk AS chunk
    JOIN corpus_chunkembedding AS embedding ON embedding.sha256 = chunk.sha256 AND embedding.model_id = %s
    WHERE chunk.version_id = ANY(%s)
"""


class _Validity(NamedTuple):
    """What `standings` asks of a law."""

    status: str
    valid_from: date | None
    valid_to: date | None


class _Redaction(NamedTuple):
    """A version with what its rows say of its article and law, in the order of `_FIELDS`."""

    version: int
    sha256: str
    status: str
    valid_from: date | None
    valid_to: date | None
    article: int
    kind: str
    law: int
    law_status: str
    law_valid_to: date | None

    @property
    def end_of_law(self) -> _Validity:
        return _Validity(self.law_status, None, self.law_valid_to)


_FIELDS = (
    "pk", "sha256", "status", "valid_from", "valid_to", "article", "article__kind",
    "article__law", "article__law__status", "article__law__valid_to",
)  # fmt: skip


class Text(NamedTuple):
    """A version that is a text: its article, its law (both by database key), their kind, its digest and standing."""

    article: int
    law: int
    kind: str
    digest: int
    standing: Standing


def texts_of(articles: Iterable[int]) -> dict[int, Text]:
    """Give every version of these articles that is a text, by its database key."""
    versions = ArticleVersion.objects.filter(article__in=articles).order_by("article", "position")
    texts = {}
    for article, group in groupby(starmap(_Redaction, versions.values_list(*_FIELDS)), key=attrgetter("article")):
        redactions = list(group)
        first = redactions[0]
        for redaction, standing in zip(redactions, standings(redactions, first.end_of_law), strict=True):
            if standing is not None:
                digest = digest_of(redaction.sha256)
                texts[redaction.version] = Text(article, first.law, first.kind, digest, standing)
    return texts


def laws_of(articles: Iterable[int]) -> Iterator[LawRow]:
    """Give the laws of these articles, by their database key."""
    laws = Law.objects.filter(articles__in=articles).distinct().order_by("pk")
    yield from starmap(LawRow, laws.values_list("pk", "key", "rank", "jurisdiction"))


def nearness(model: int, vector: Vectors, version_ids: Collection[int]) -> dict[int, float]:
    """Give what `Matrix.nearness` does, whatever index is asked: the database holds every vector."""
    with connection.cursor() as cursor:
        cursor.execute(_COSINES, [HalfVector(vector).to_text(), model, list(version_ids)])
        found = np.array(cursor.fetchall(), float).reshape(-1, 2)
    return mean_of_nearest(found[:, 0].astype(np.int64), found[:, 1])


def changed_since(revision: int) -> tuple[set[int], set[int]]:
    """Give the articles that the change log names after `revision`, and the laws it names as a whole."""
    articles, laws = set(), set()
    for article, law in CorpusChange.objects.filter(revision__gt=revision).values_list("article_id", "law_id"):
        if article is None:
            laws.add(law)
        else:
            articles.add(article)
    return articles, laws


def with_vectors_since(model: int, vector: int) -> set[int]:
    """Give the articles with a passage whose vector of `model` came after the one with the id `vector`."""
    with connection.cursor() as cursor:
        cursor.execute(_ARTICLES_WITH_VECTORS, [model, vector])
        return {row[0] for row in cursor.fetchall()}


def updated(rows: Rows, model: int, vectors: NDArray[np.int64], articles: Iterable[int], laws: Iterable[int]) -> Rows:
    """Put what the database now says of these articles and laws in the place of what `rows` says of them.

    `vectors` are the ids of the matrix's vectors, ascending; a passage whose vector is not among them gets no row.
    """
    laws = list(laws)
    places = {law.pk: place for place, law in enumerate(rows.laws)}
    stale = np.isin(rows["article"], list(articles)) | np.isin(rows["law"], [places.get(law, -1) for law in laws])
    wanted = sorted({*articles, *Article.objects.filter(law__in=laws).values_list("pk", flat=True)})
    known = list(rows.laws)
    ids, columns = [rows.ids[:, ~stale]], [rows.columns[:, ~stale]]
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        _learn_laws(batch, known, places)
        found = np.array(list(_read(model, batch, places)), np.int64).reshape(-1, len(IDS) + len(COLUMNS)).T
        found = _with_places(found, vectors)
        ids.append(found[: len(IDS)])
        columns.append(found[len(IDS) :].astype(np.int32))
    return Rows(np.concatenate(ids, axis=1), np.concatenate(columns, axis=1), tuple(known))


def _with_places(found: NDArray[np.int64], vectors: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn the ids of vectors, in the last row, into places; drop what has none."""
    kept = found[:, np.isin(found[-1], vectors)]
    kept[-1] = np.searchsorted(vectors, kept[-1])
    return kept


def _learn_laws(articles: Sequence[int], known: list[LawRow], places: dict[int, int]) -> None:
    """Write what the database says of the laws of these articles into `known`, new ones after the others."""
    for law in laws_of(articles):
        if law.pk in places:
            known[places[law.pk]] = law
        else:
            places[law.pk] = len(known)
            known.append(law)


def _read(model: int, articles: Sequence[int], places: dict[int, int]) -> Iterator[tuple[int, ...]]:
    """Give the rows of articles: ids, then columns, with the id of the vector for its place."""
    texts = texts_of(articles)
    with connection.cursor() as cursor:
        cursor.execute(_CHUNKS, [model, list(articles)])
        for version, start, end, vector in cursor.fetchall():
            if text := texts.get(version):
                about = places[text.law], KINDS.index(text.kind), *_numbers(text.standing)
                yield text.article, version, text.digest, *about, start, end, vector


def _numbers(standing: Standing) -> tuple[int, ...]:
    return standing.first_day, standing.last_day, standing.shown_until, ENDED.index(standing.ended_as)

"""The semantic arm: what it finds, and how it says that it cannot."""

from __future__ import annotations

import io
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from django.core.cache import cache
from django.core.management import call_command
from django.utils import translation

from corpus import embedding
from corpus.embedding import EmbedderUnavailable
from corpus.models import ArticleVersion, ChunkEmbedding, CorpusChange, EmbeddingModel
from search import question_vectors, semantic
from search.filters import Filters
from search.semantic import SemanticRanking, rank
from tests.embedders import HashingEmbedder
from tests.law_builder import Redaction, add_article, add_law

TODAY = Filters(date(2026, 1, 1))


class Spy(HashingEmbedder):
    """Keeps the questions and passages it was given."""

    fingerprint = "spy-64"

    def __init__(self):
        self.questions: list[str] = []
        self.given: list[str] = []

    def query(self, text):
        self.questions.append(text)
        return super().query(text)

    def passages(self, texts):
        self.given.extend(texts)
        return super().passages(texts)


class Wide(HashingEmbedder):
    """A model of other dimensions."""

    fingerprint = "wide-768"
    dimensions = 768

    def query(self, text):
        return np.zeros(768, np.float32)


class Grown(HashingEmbedder):
    """Gives longer vectors than its fingerprint promised."""

    def query(self, text):
        return np.ones(80, np.float32)


class Broken(HashingEmbedder):
    """Answers nothing."""

    def query(self, text):
        raise EmbedderUnavailable("connection refused")


def unloadable():
    raise EmbedderUnavailable("the model's file is missing")


@pytest.fixture(autouse=True)
def _alone(indexes, db):
    cache.clear()


def embed():
    call_command("embed_chunks", stdout=io.StringIO(), stderr=io.StringIO())


def keys(ranking):
    known = dict(ArticleVersion.objects.values_list("pk", "article__key"))
    return [known[candidate.version_id] for candidate in ranking.candidates]


@pytest.fixture
def dogs():
    law = add_law("ley-900-2019", {"art-1": "Los perros irán atados.", "art-2": "La multa será de 90 euros."})
    embed()
    return law


@pytest.mark.parametrize("limit", [1000, 0], ids=["matrix", "pgvector"])
def test_nearest_first_with_the_place_of_the_passage(dogs, settings, limit):
    settings.VECTOR_MATRIX_LIMIT = limit

    ranking = rank("perros atados", TODAY, 10)

    assert keys(ranking) == ["art-1", "art-2"]
    assert ranking.reason_missing is None
    first = ranking.candidates[0]
    assert ArticleVersion.objects.get(pk=first.version_id).text[first.start : first.end] == "Los perros irán atados."


def test_no_model_says_that_nothing_is_prepared():
    with translation.override("es"):
        assert rank("perros", TODAY, 10) == SemanticRanking(
            (), "Todavía no hay ningún texto preparado para la búsqueda por significado."
        )


def test_model_without_vectors_says_so_too():
    EmbeddingModel.objects.create(fingerprint="hashing-64", dimensions=64, state="active")

    assert "ningún texto preparado" in (rank("perros", TODAY, 10).reason_missing or "")


def test_nothing_that_matches_is_an_answer(dogs):
    ranking = rank("perros", Filters(TODAY.on, laws=("ley-1-1900",)), 10)

    assert (ranking.candidates, ranking.reason_missing) == ((), None)
    assert ranking.fingerprint == HashingEmbedder().fingerprint


@pytest.mark.parametrize("limit", [1000, 0], ids=["matrix", "pgvector"])
def test_br_53_texts_that_have_no_vector_yet_are_no_empty_answer(dogs, settings, limit):
    settings.VECTOR_MATRIX_LIMIT = limit
    add_law("ley-901-2025", {"art-1": [Redaction("Los gatos irán sueltos.", date(2025, 1, 1))]})

    asked = Filters(TODAY.on, laws=("ley-901-2025",))
    with translation.override("es"):
        told = rank("gatos", asked, 10).reason_missing
    assert told == "Los textos de esta búsqueda aún no están preparados para buscar por significado."

    of_another_day = rank("gatos", Filters(date(2024, 1, 1), laws=("ley-901-2025",)), 10)
    assert (of_another_day.candidates, of_another_day.reason_missing) == ((), None)


def test_other_model_in_the_settings_names_both(dogs, settings):
    settings.EMBEDDER = "tests.test_semantic.Wide"

    ranking = rank("perros", TODAY, 10)

    assert ranking.candidates == ()
    assert "hashing-64" in (ranking.reason_missing or "")
    assert "wide-768" in (ranking.reason_missing or "")


def test_model_that_changed_under_its_name_is_no_error(dogs, settings):
    settings.EMBEDDER = "tests.test_semantic.Grown"

    assert "da ahora vectores de 80 números; los de los textos tienen 64" in (
        rank("perros", TODAY, 10).reason_missing or ""
    )


def test_model_before_answers_where_it_is_kept_until_the_new_one_is_complete(dogs, settings):
    settings.EMBEDDER = "tests.test_embed_chunks.WiderEmbedder"
    settings.OTHER_EMBEDDERS = ["tests.embedders.HashingEmbedder"]
    call_command("embed_chunks", "--limit", "1", stdout=io.StringIO(), stderr=io.StringIO())

    assert keys(rank("perros atados", TODAY, 10)) == ["art-1", "art-2"]


@pytest.mark.parametrize("embedder", ["tests.test_semantic.Broken", "tests.test_semantic.unloadable"])
def test_embedder_that_fails_gives_its_reason(dogs, settings, embedder):
    settings.EMBEDDER = embedder

    ranking = rank("perros", TODAY, 10)

    assert ranking.candidates == ()
    assert ranking.reason_missing in (
        "La búsqueda por significado no funciona: connection refused",
        "La búsqueda por significado no funciona: the model's file is missing",
    )


def test_folder_that_is_a_file_gives_its_reason(dogs, settings, tmp_path):
    settings.VECTOR_INDEX_DIR = Path(tmp_path / "a file")
    settings.VECTOR_INDEX_DIR.write_text("")

    semantic.make_ready()

    assert "a file" in (rank("perros", TODAY, 10).reason_missing or "")


def test_question_is_embedded_once_and_without_prefix(settings, monkeypatch):
    spy = Spy()
    monkeypatch.setitem(embedding._embedders, "spy", spy)
    settings.EMBEDDER = "spy"
    add_law("ley-900-2019", {"art-1": "Los perros."})
    embed()
    before = question_vectors.counts.hits, question_vectors.counts.misses

    for _ in range(3):
        rank("  ¿perros\0 sueltos? ", TODAY, 10)

    assert spy.questions == ["¿perros sueltos?"]
    assert spy.given == ["Artículo 1\nLos perros."]
    assert (question_vectors.counts.hits - before[0], question_vectors.counts.misses - before[1]) == (2, 1)


def test_composed_and_decomposed_questions_are_one(dogs):
    assert rank("tributación", TODAY, 10) == rank("tributacio\u0301n", TODAY, 10)


@pytest.mark.parametrize("question", ["\0", "\ud800", "x" * 100_000, "👩‍⚖️", "   "])
def test_odd_questions_are_survived(dogs, question):
    assert len(rank(question, TODAY, 10).candidates) == 2


@pytest.mark.parametrize("limit", [1000, 0], ids=["matrix", "pgvector"])
def test_ten_articles_although_one_has_many_good_passages(settings, limit):
    settings.VECTOR_MATRIX_LIMIT = limit
    passage = "El recargo por declaración tardía será del {} por ciento. "
    law = add_law("ley-58-2003", {"art-20": "\n".join(f"{n}. {passage.format(n) * 9}" for n in range(1, 9))})
    for number in range(1, 13):
        add_article(law, f"art-{100 + number}", f"recargo {number} tasa")
    CorpusChange.objects.create(law_id=law.pk)
    embed()

    found = keys(rank("recargo por declaración tardía será del por ciento", TODAY, 10))

    assert found.count("art-20") > 2
    assert len(set(found)) == 10


def test_refresh_makes_the_matrix_before_anyone_asks(dogs, settings):
    semantic.refresh()

    assert (settings.VECTOR_INDEX_DIR / "current").exists()


def test_make_ready_loads_what_the_first_question_needs(dogs, settings, django_assert_num_queries):
    semantic.make_ready()

    with django_assert_num_queries(1):
        rank("perros", TODAY, 10)


def test_vectors_gone_from_the_database_say_so(dogs):
    ChunkEmbedding.objects.all().delete()

    assert "ningún texto preparado" in (rank("perros", TODAY, 10).reason_missing or "")

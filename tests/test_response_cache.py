"""Kept answers: the same as fresh ones, and gone with the first change of anything they hang on."""

from __future__ import annotations

import io
from datetime import date

import pytest
from django.core.cache import cache, caches
from django.core.management import call_command
from django.test import override_settings
from django.utils import translation

from corpus.models import ArticleVersion, CorpusChange, Law
from search import response_cache, retrieval, semantic
from search.errors import InvalidLimit
from search.models import GraphState
from search.requests import RetrievalRequest
from search.responses import RetrievalResponse
from tests.embedders import HashingEmbedder
from tests.law_builder import add_law

QUESTION = RetrievalRequest("perros atados")
# What finding out took, as told: longer than it takes on any machine to find what is kept.
AN_HOUR_MS = 3_600_000.0


class Other(HashingEmbedder):
    """The same vectors under the name of another model."""

    fingerprint = "other-64"


@pytest.fixture(autouse=True)
def _kept(indexes, db, settings):
    settings.RESPONSE_CACHE_ENTRIES = 100
    cache.clear()
    caches["responses"].clear()


class Asker:
    """Asks through the cache, and gathers the requests that were not answered from it."""

    def __init__(self) -> None:
        self.worked_out: list[RetrievalRequest] = []

    def __call__(self, request: RetrievalRequest = QUESTION) -> RetrievalResponse:
        return response_cache.answer(request, self._retrieve)

    def _retrieve(self, request: RetrievalRequest) -> RetrievalResponse:
        self.worked_out.append(request)
        with override_settings(RESPONSE_CACHE_ENTRIES=0):
            return retrieval.retrieve(request).model_copy(update={"took_ms": AN_HOUR_MS})


@pytest.fixture
def ask() -> Asker:
    return Asker()


def embed():
    call_command("embed_chunks", stdout=io.StringIO(), stderr=io.StringIO())


@pytest.fixture
def dogs():
    law = add_law("ley-900-2019", {"art-1": "Los perros irán atados.", "art-2": "La multa será de 90 euros."})
    embed()
    return law


def found(response):
    return [hit.citation for hit in response.hits]


def same(one, other):
    return one.model_dump(exclude={"took_ms"}) == other.model_dump(exclude={"took_ms"})


def test_asked_again_is_answered_the_same_without_work(dogs, ask, django_assert_num_queries):
    first = ask()

    with django_assert_num_queries(1):
        again = ask()

    assert same(first, again)
    assert found(again)[0] == "ley-900-2019:art-1"
    assert again.took_ms < first.took_ms == AN_HOUR_MS
    assert ask.worked_out == [QUESTION]


def test_hits_and_misses_are_counted(dogs, ask):
    before = response_cache.counts.hits, response_cache.counts.misses
    ask()
    ask()
    ask()

    assert (response_cache.counts.hits - before[0], response_cache.counts.misses - before[1]) == (2, 1)


def test_retrieval_itself_answers_from_what_is_kept(dogs, django_assert_num_queries):
    first = retrieval.retrieve(QUESTION)

    with django_assert_num_queries(1):
        again = retrieval.retrieve(QUESTION)

    assert same(first, again)


def test_changing_an_answer_does_not_change_what_is_kept(dogs, ask):
    ask()
    ask().hits.clear()

    assert found(ask())[0] == "ley-900-2019:art-1"


@pytest.mark.parametrize(
    "other",
    [
        RetrievalRequest("perros sueltos"),
        RetrievalRequest("perros atados", limit=5),
        RetrievalRequest("perros atados", offset=1),
        RetrievalRequest("perros atados", mode="lexical"),
        RetrievalRequest("perros atados", laws=("ley-900-2019",)),
        RetrievalRequest("perros atados", as_of=date(2020, 1, 1)),
        RetrievalRequest("perros atados", semantic_weight=0.1),
        RetrievalRequest("perros atados", explain=True),
    ],
)
def test_another_request_has_another_answer(dogs, ask, other):
    ask()
    ask(other)

    assert ask.worked_out == [QUESTION, other]


def test_another_language_has_another_answer(dogs, ask):
    ask()
    with translation.override("en"):
        ask()

    assert len(ask.worked_out) == 2


def test_another_day_has_another_answer(dogs, ask, monkeypatch):
    ask()
    monkeypatch.setattr("search.requests.today", lambda: date(2031, 1, 1))
    ask()

    assert len(ask.worked_out) == 2


def test_new_law_is_in_the_next_answer(dogs, ask):
    ask()
    add_law("ley-901-2019", {"art-7": "Los perros atados llevan collar."})

    assert "ley-901-2019:art-7" in found(ask())


def test_changed_text_is_in_the_next_answer(dogs, ask):
    before = ask()
    changed = ArticleVersion.objects.get(article__key="art-1")
    ArticleVersion.objects.filter(pk=changed.pk).update(text="Los perros y los gatos irán atados.", sha256="1" * 64)
    CorpusChange.objects.create(law_id=dogs.pk, article_id=changed.article_id)

    after = ask()

    assert "gatos" not in before.hits[0].passages[0].text
    assert "gatos" in after.hits[0].passages[0].text


@pytest.mark.parametrize("delete", [Law.delete, lambda law: Law.objects.filter(pk=law.pk).delete()])
def test_deleted_law_is_in_no_later_answer(dogs, ask, delete):
    other = add_law("ley-901-2019", {"art-7": "Los perros atados llevan collar."})
    assert "ley-901-2019:art-7" in found(ask())

    delete(other)

    assert "ley-901-2019:art-7" not in found(ask())


def test_new_vectors_are_in_the_next_answer(dogs, ask):
    add_law("ley-901-2019", {"art-7": "perros atados"})
    without = ask(RetrievalRequest("perros atados", mode="semantic"))
    embed()

    with_it = ask(RetrievalRequest("perros atados", mode="semantic"))

    assert "ley-901-2019:art-7" not in found(without)
    assert "ley-901-2019:art-7" in found(with_it)


def test_vectors_of_another_model_answer_anew(dogs, ask, settings):
    ask()
    settings.EMBEDDER = "tests.test_response_cache.Other"
    embed()

    ask()

    assert len(ask.worked_out) == 2


def test_citations_that_were_read_since_count_at_once(dogs, ask):
    ask()
    GraphState.objects.update_or_create(pk=1, defaults={"revision": 1_000_000})

    ask()

    assert len(ask.worked_out) == 2


def test_other_settings_have_other_answers(dogs, ask, settings):
    ask()
    settings.RERANKER_ENDPOINT = {"url": "http://127.0.0.1:9", "model": "m"}

    ask()

    assert len(ask.worked_out) == 2


def test_answer_without_an_arm_is_not_kept(ask):
    add_law("ley-900-2019", {"art-1": "Los perros irán atados."})
    assert ask().degraded is not None
    ask()

    assert len(ask.worked_out) == 2


def test_answer_of_an_index_that_lags_is_not_kept(dogs, ask, monkeypatch):
    monkeypatch.setattr(semantic, "is_up_to_date", lambda horizon: False)
    ask()
    ask()

    assert len(ask.worked_out) == 2


def test_wrong_request_is_refused_each_time(dogs, ask):
    for _ in range(2):
        with pytest.raises(InvalidLimit):
            ask(RetrievalRequest("perros", limit=0))


def test_without_entries_nothing_is_kept(dogs, ask, settings):
    settings.RESPONSE_CACHE_ENTRIES = 0
    ask()
    ask()

    assert len(ask.worked_out) == 2


@pytest.mark.parametrize("question", ["\ud800perros", "\0 perros", "👩‍⚖️", "¿?" * 400])
def test_odd_questions_are_survived(dogs, ask, question):
    request = RetrievalRequest(question)

    assert same(ask(request), ask(request))

"""The reranker behind an address, against a real server that misbehaves."""

from __future__ import annotations

from contextlib import ExitStack, closing

import pytest
from django.test import Client, override_settings

from corpus import model_server
from search.features import Asked
from search.reranker_endpoint import Options, RerankerEndpoint
from search.reranking import RerankerUnavailable
from tests.embeddings_server import embeddings_server
from tests.quickness import is_done_within
from tests.reranker_server import RerankerHandler

QUESTION = Asked("multa por perros sueltos", {})
TEXTS = ["El Registro abre de nueve a dos.", "multa por perros", "Los perros irán atados."]
SCORES = [0.0, 1.0, 0.25]
APIS = ["cohere", "tei"]


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(model_server, "_FIRST_WAIT_SECONDS", 0.01)
    with embeddings_server(RerankerHandler) as running:
        yield running


@pytest.fixture
def endpoint(server):
    """Make rerankers that ask the server, closed when the test ends."""
    with ExitStack() as stack:

        def make(**options):
            given = {"url": server.url, "model": "bge-reranker", "seconds": 30.0, **options}
            return stack.enter_context(closing(RerankerEndpoint(Options(**given))))

        yield make


@pytest.mark.parametrize("api", APIS)
def test_scores_come_in_the_order_of_the_texts(endpoint, api):
    assert endpoint(api=api).rerank(QUESTION, [], TEXTS).scores == SCORES


def test_cohere_is_told_the_model_the_question_and_how_many(server, endpoint):
    endpoint(key="secret").rerank(QUESTION, [], TEXTS)

    assert server.requests == [
        {
            "path": "/v1/rerank",
            "model": "bge-reranker",
            "query": "multa por perros sueltos",
            "documents": TEXTS,
            "top_n": 3,
        }
    ]
    assert server.keys == ["Bearer secret"]


def test_tei_is_given_texts_it_may_cut_and_no_more_than_it_takes(server, endpoint):
    texts = [f"multa {number}" for number in range(70)]

    scores = endpoint(api="tei", model="").rerank(QUESTION, [], texts).scores

    assert scores == [0.5] * 70
    assert [(request["path"], len(request["texts"]), request["truncate"]) for request in server.requests] == [
        ("/v1/rerank", 32, True),
        ("/v1/rerank", 32, True),
        ("/v1/rerank", 6, True),
    ]


def test_texts_are_cut_and_cleaned_before_they_are_sent(server, endpoint):
    endpoint(max_characters=7).rerank(Asked("multa\0", {}), [], ["ley\0 y orden", "a\ud800"])

    assert server.requests[0]["query"] == "multa "
    assert server.requests[0]["documents"] == ["ley  y ", "a\N{REPLACEMENT CHARACTER}"]


@pytest.mark.parametrize("api", APIS)
def test_logits_become_shares_in_the_same_order(server, endpoint, api):
    server.plan = ["logits"]

    scores = endpoint(api=api).rerank(QUESTION, [], TEXTS).scores

    assert scores == pytest.approx([0.018, 0.982, 0.119], abs=1e-3)


def test_nothing_to_judge_needs_no_request(server, endpoint):
    assert endpoint().rerank(QUESTION, [], []).scores == []
    assert server.requests == []


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("broken", "HTTP 500 .*out of memory"),
        ("unauthorized", "HTTP 401 .*no such key"),
        ("hangs_up", "disconnected"),
        ("page", "no JSON"),
        ("deep", "no JSON"),
        ("another_shape", "no list of"),
        ("no_score", "no list of scores"),
        ("one_too_few", "2 scores for 3 texts"),
        ("twice_the_same", "scores of .* for 3 texts"),
        ("out_of_range", "scores of .* for 3 texts"),
        ("indexes_in_words", "scores of .* for 3 texts"),
        ("not_a_number", "a score that is no number"),
    ],
)
def test_what_is_no_answer_is_unavailable_with_its_reason(server, endpoint, api, behaviour, reason):
    server.always = behaviour

    with pytest.raises(RerankerUnavailable, match=f"{server.url} does not answer: .*{reason}"):
        endpoint(api=api).rerank(QUESTION, [], TEXTS)


@pytest.mark.parametrize("behaviour", ["sleeps", "drips", "busy_for_long"])
def test_given_up_at_the_deadline(server, endpoint, behaviour):
    server.always = behaviour

    def ask():
        with pytest.raises(RerankerUnavailable):
            endpoint(seconds=0.5).rerank(QUESTION, [], TEXTS)

    assert is_done_within(2.5, ask)  # the server would take 30


def test_asked_a_second_time_where_there_is_time(server, endpoint):
    server.plan = ["broken"]

    assert endpoint().rerank(QUESTION, [], TEXTS).scores == SCORES
    assert len(server.requests) == 2


def test_address_that_fails_again_and_again_is_left_alone(server, endpoint):
    server.always = "unauthorized"
    asked = endpoint()
    for _ in range(3):
        with pytest.raises(RerankerUnavailable, match="HTTP 401"):
            asked.rerank(QUESTION, [], TEXTS)
    server.always = None

    with pytest.raises(RerankerUnavailable, match="tried again in"):
        asked.rerank(QUESTION, [], TEXTS)

    assert len(server.requests) == 3


@pytest.mark.parametrize("url", ["http://127.0.0.1:9", "ftp://127.0.0.1", "http://[", "no address"])
def test_nobody_at_the_address_is_unavailable(endpoint, url):
    with pytest.raises(RerankerUnavailable, match="does not answer"):
        endpoint(url=url).rerank(QUESTION, [], TEXTS)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"url": ""}, "RERANKER_URL must be set"),
        ({"url": "http://127.0.0.1", "model": ""}, "RERANKER_MODEL must be set"),
        ({"url": "http://127.0.0.1", "model": "m", "api": "jina"}, "RERANKER_API is 'jina', neither cohere nor tei"),
    ],
)
def test_settings_that_are_wrong_are_named(options, named):
    with pytest.raises(RerankerUnavailable, match=named):
        RerankerEndpoint(Options(**options))


def test_settings_say_where_to_ask(server, settings):
    settings.RERANKER_ENDPOINT = {"url": server.url, "model": "m", "seconds": 30.0}

    with closing(RerankerEndpoint()) as asked:
        assert asked.rerank(QUESTION, [], TEXTS).scores == SCORES
        assert (asked.name, asked.needs_texts) == ("endpoint-m", True)


@pytest.mark.usefixtures("live")
@pytest.mark.django_db
@override_settings(RERANKER="search.reranking.NoSuchReranker")
def test_a_reranker_that_is_missing_is_not_told_as_an_arm():
    page = Client().get("/?q=recargo").content.decode()
    assert "La lista no está en su mejor orden." in page
    assert "Búsqueda sólo" not in page
    markdown = Client().get("/api/v1/context?q=recargo&format=markdown").content.decode()
    assert "\ndegraded: no reranker (RERANKER names no class" in markdown

"""The embedder behind an address, against a real server that misbehaves."""

from __future__ import annotations

import io
from contextlib import ExitStack, closing
from datetime import date

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from corpus import embedding, model_server
from corpus.circuit import Circuit, CircuitOpen
from corpus.embedding import EmbedderUnavailable
from corpus.embedding_endpoint import Endpoint, Options
from corpus.models import Article
from search.filters import Filters
from search.semantic import rank
from tests.embedders import HashingEmbedder
from tests.embeddings_server import embeddings_server
from tests.law_builder import add_law
from tests.quickness import is_done_within

EXPECTED = HashingEmbedder()


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setattr(model_server, "_FIRST_WAIT_SECONDS", 0.01)
    with embeddings_server() as running:
        yield running


@pytest.fixture
def endpoint(server):
    """Make embedders that ask the server, closed when the test ends."""
    with ExitStack() as stack:

        def make(**options):
            return stack.enter_context(
                closing(Endpoint(Options(**{"url": server.url, "model": "hashing", "query_seconds": 30.0, **options})))
            )

        yield make


def test_question_and_passages_get_their_prefixes(server, endpoint):
    asked = endpoint(query_prefix="query: ", passage_prefix="passage: ")

    question, passages = asked.query("multa"), asked.passages(["Los perros.", "Los gatos."])

    assert np.allclose(question, EXPECTED.query("query: multa"), atol=1e-6)
    assert np.allclose(passages, EXPECTED.passages(["passage: Los perros.", "passage: Los gatos."]), atol=1e-6)
    assert [request["input"] for request in server.requests] == [
        ["query: multa"],
        ["passage: Los perros.", "passage: Los gatos."],
    ]


def test_request_says_model_format_and_key(server, endpoint):
    endpoint(key="secret").query("multa")

    assert server.requests == [
        {"path": "/v1/embeddings", "model": "hashing", "input": ["multa"], "encoding_format": "float"}
    ]
    assert server.keys == ["Bearer secret"]


def test_dimensions_are_asked_for_where_set_and_else_found_out_once(server, endpoint):
    assert endpoint(dimensions=64).query("multa").shape == (64,)
    assert server.requests[-1]["dimensions"] == 64

    found_out = endpoint()
    assert (found_out.dimensions, found_out.dimensions) == (64, 64)
    assert len(server.requests) == 2


def test_passages_go_in_batches_and_come_back_in_order(server, endpoint):
    texts = [f"texto {number}" for number in range(70)]
    server.plan = ["backwards", "well", "backwards"]

    vectors = endpoint(batch=32).passages(texts)

    assert [len(request["input"]) for request in server.requests] == [32, 32, 6]
    assert np.allclose(vectors, EXPECTED.passages(texts), atol=1e-6)


def test_no_passages_need_no_request(server, endpoint):
    assert endpoint(dimensions=64).passages([]).shape == (0, 64)
    assert server.requests == []


def test_vectors_are_scaled_to_unit_length(server, endpoint):
    server.plan = ["long_vectors"]

    assert np.linalg.norm(endpoint().query("multa")) == pytest.approx(1)


def test_texts_are_cut_and_cleaned_before_they_are_sent(server, endpoint):
    endpoint(max_tokens=10).passages(["ley\0 " * 100, "a\ud800"])

    sent = server.requests[0]["input"]
    assert len(sent[0]) <= 30
    assert sent[0].startswith("ley  ley")
    assert sent[1] == "a\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize(
    "plan", [["broken"], ["busy"], ["busy_in_other_digits"], ["hangs_up"], ["broken", "hangs_up", "broken", "busy"]]
)
def test_passages_are_asked_for_again(server, endpoint, plan):
    server.plan = list(plan)

    vectors = endpoint().passages(["multa"])

    assert np.allclose(vectors, EXPECTED.passages(["multa"]), atol=1e-6)
    assert len(server.requests) == len(plan) + 1


@pytest.mark.parametrize(
    ("behaviour", "reason", "requests"),
    [
        ("broken", "HTTP 500 .*out of memory", 5),
        ("unauthorized", "HTTP 401 .*no such key", 1),
        ("moved", "HTTP 307", 1),
        ("page", "no JSON", 1),
        ("one_too_few", "1 embeddings for 2 texts", 1),
        ("zeros", "without a direction", 1),
        ("not_a_number", "without a direction", 1),
    ],
)
def test_what_does_not_mend_is_given_up_with_its_reason(server, endpoint, behaviour, reason, requests):
    server.always = behaviour

    with pytest.raises(EmbedderUnavailable, match=reason):
        endpoint().passages(["uno", "dos"])

    assert len(server.requests) == requests


def test_nobody_at_the_address_is_unavailable(endpoint):
    with pytest.raises(EmbedderUnavailable, match=r"http://127\.0\.0\.1:9/v1 does not answer"):
        endpoint(url="http://127.0.0.1:9/v1").query("multa")


@pytest.mark.parametrize("options", [{"url": "", "model": "m"}, {"url": "http://127.0.0.1", "model": ""}])
def test_settings_that_are_missing_are_named(options):
    with pytest.raises(EmbedderUnavailable, match="EMBEDDINGS_URL and EMBEDDINGS_MODEL must be set"):
        Endpoint(Options(**options))


@pytest.mark.parametrize("behaviour", ["sleeps", "drips", "busy_for_long", "broken"])
def test_question_is_given_up_at_its_deadline(server, endpoint, behaviour):
    server.always = behaviour

    def ask():
        with pytest.raises(EmbedderUnavailable):
            endpoint(query_seconds=0.5).query("multa")

    assert is_done_within(2.5, ask)  # the server would take 30


def test_question_is_asked_a_second_time_where_there_is_time(server, endpoint):
    server.plan = ["hangs_up"]

    assert np.allclose(endpoint().query("multa"), EXPECTED.query("multa"), atol=1e-6)


def test_address_that_fails_again_and_again_is_left_alone(server, endpoint):
    server.always = "unauthorized"
    asked = endpoint()
    for _ in range(3):
        with pytest.raises(EmbedderUnavailable, match="HTTP 401"):
            asked.query("multa")
    server.always = None

    with pytest.raises(EmbedderUnavailable, match="tried again in"):
        asked.query("multa")

    assert len(server.requests) == 3


def test_fingerprint_tells_models_and_prefixes_apart(endpoint):
    plain: dict[str, object] = {"model": "BAAI/bge-m3"}
    others: list[dict[str, object]] = [{"model": "intfloat/e5-large"}, {"query_prefix": "query: "}, {"dimensions": 256}]

    fingerprints = {endpoint(**plain).fingerprint, *(endpoint(**{**plain, **other}).fingerprint for other in others)}

    assert len(fingerprints) == 4
    assert max(map(len, fingerprints)) <= 120


def test_fingerprint_is_the_same_wherever_the_model_runs(endpoint):
    elsewhere = endpoint(url="https://elsewhere.example/v1", key="k", query_seconds=9)

    assert elsewhere.fingerprint == endpoint().fingerprint


@pytest.fixture
def configured(server, settings, monkeypatch):
    monkeypatch.setattr(embedding, "_embedders", {})
    settings.EMBEDDER = "corpus.embedding_endpoint.Endpoint"
    settings.EMBEDDINGS_ENDPOINT = {"url": server.url, "model": "hashing", "query_seconds": 30.0}
    made = embedding.get_embedder()
    assert isinstance(made, Endpoint)
    with closing(made):
        yield server


@pytest.mark.django_db
def test_corpus_is_embedded_and_searched_through_the_address(configured, indexes):
    add_law("ley-900-2019", {"art-1": "Los perros irán atados.", "art-2": "La multa será de 90 euros."})
    call_command("embed_chunks", stdout=io.StringIO(), stderr=io.StringIO())

    ranking = rank("multa de 90 euros", Filters(date(2026, 1, 1)), 1)

    (found,) = ranking.candidates
    assert Article.objects.get(pk=found.article_id).key == "art-2"


@pytest.mark.django_db
def test_search_goes_on_without_an_address_that_is_down(configured, indexes):
    add_law("ley-900-2019", {"art-1": "Los perros irán atados."})
    call_command("embed_chunks", stdout=io.StringIO(), stderr=io.StringIO())
    configured.always = "broken"

    ranking = rank("una pregunta nueva", Filters(date(2026, 1, 1)), 10)

    assert "does not answer: HTTP 500" in (ranking.reason_missing or "")


@pytest.mark.django_db
def test_embed_chunks_says_why_the_address_failed(configured):
    add_law("ley-900-2019", {"art-1": "Los perros irán atados."})
    configured.always = "unauthorized"

    with pytest.raises(CommandError, match="HTTP 401"):
        call_command("embed_chunks", stdout=io.StringIO(), stderr=io.StringIO())


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self):
        return self.now


def test_circuit_lets_one_try_after_the_pause():
    clock = Clock()
    circuit = Circuit(failures=2, pause_seconds=30, clock=clock)
    circuit.failed()
    circuit.check()
    circuit.failed()
    with pytest.raises(CircuitOpen, match="in 30 s"):
        circuit.check()

    clock.now = 31
    circuit.check()
    with pytest.raises(CircuitOpen):
        circuit.check()
    circuit.succeeded()

    circuit.check()
    circuit.check()

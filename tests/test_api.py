"""The JSON API's search and citations: the contract field by field, statuses, and queries that do not grow."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from django.test import Client

from tests.api_client import V1, get

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

LAW_FIELDS = ["id", "boe_id", "title", "short_title", "rank", "jurisdiction", "status"]
RESOLUTION_FIELDS = [
    "input", "outcome", "citation", "resolved_to", "unresolved_tail", "law", "kind", "label", "heading", "path",
    "status", "text", "sha256", "as_of", "valid_from", "valid_to", "amended_by", "versions", "candidates", "items",
    "url", "source_url",
]  # fmt: skip
SEARCH_FIELDS = [
    "query", "mode", "degraded", "as_of", "limit", "offset", "total", "total_is_capped", "confidence",
    "corpus_revision", "took_ms", "citation", "hits", "facets",
]  # fmt: skip
HIT_FIELDS = [
    "rank", "citation", "label", "law", "heading", "path", "status", "valid_from", "valid_to", "score", "lexical",
    "semantic", "passages", "url", "source_url",
]  # fmt: skip


@pytest.mark.parametrize(
    ("citation", "status", "outcome"),
    [
        ("ley-990-2019:art-11.4.b", 200, "found"),
        ("LEY-990-2019:ART-11", 200, "found"),
        ("ley-990-2019:art-4.ñ", 200, "found"),
        ("rd-9991-2020:norma.art-unico", 200, "found"),
        ("ley-990-2019", 200, "found"),
        ("ley-990-2019:art-11@2023-01-01", 200, "found"),
        ("ley-990-2019:art-11.1.z", 200, "partial"),
        ("ley-990-2019:art-99", 404, "no_such_provision"),
        ("ley-58-2003:art-27", 404, "law_not_in_corpus"),
        ("ley-990-2019:art-6@2025-01-01", 404, "not_in_force"),
        ("ley-990-2019:art-4-bis@2020-01-01", 404, "not_in_force"),
        ("art. 11 Ley 990/2019", 400, "unparsable"),
        ("ley-990-2019:art-1:2", 400, "unparsable"),
        ("xxxx", 400, "unparsable"),
        ("ley-990-2019:art-11@2020-02-30", 400, "unparsable"),
    ],
)
def test_every_outcome_has_its_status(citation: str, status: int, outcome: str) -> None:
    body = get(f"/citations/{quote(citation.replace('/', '∕'))}", expect=status)
    assert body["outcome"] == outcome
    assert set(RESOLUTION_FIELDS) <= set(body)


@pytest.mark.parametrize("path", ["", "/cites", "/cited_by"])
def test_a_day_of_an_id_that_is_none_is_named(path: str) -> None:
    told = get(f"/citations/ley-990-2019:art-11@2020-02-30{path}", expect=400)["detail"]
    assert told.startswith(("“2020-02-30”", "«2020-02-30»"))


@pytest.mark.parametrize("path", ["", "/cites", "/cited_by"])
def test_an_endless_id_is_refused_by_its_limit(path: str) -> None:
    told = get(f"/citations/{'x' * 3000}{path}", expect=422)
    assert (told["code"], told["parameter"], told["limit"]) == ("query_too_long", "citation", 2000)


@pytest.mark.parametrize(
    ("written", "status", "outcome", "citation"),
    [
        ("art. 11.4.b) Ley 990/2019", 200, "found", "ley-990-2019:art-11.4.b"),
        ("BOE-A-2019-99001#art-11", 200, "found", "ley-990-2019:art-11"),
        ("disposición adicional segunda bis de la Ley 990/2019", 200, "found", "ley-990-2019:da-2-bis"),
        ("RDL 1/2020, art. 1", 300, "ambiguous", None),
        ("artículo 26", 300, "ambiguous", None),
        ("Ley 58/2003", 404, "law_not_in_corpus", None),
        ("hola", 400, "unparsable", None),
    ],
)
def test_any_form_is_resolved_in_q(written: str, status: int, outcome: str, citation: str | None) -> None:
    body = get("/citations", expect=status, q=written)
    assert body["outcome"] == outcome
    if citation:
        assert body["citation"] == citation


def test_a_resolution_holds_the_verbatim_text_of_exactly_that_unit() -> None:
    body = get("/citations/ley-990-2019:art-11.1.b", as_of="2023-01-01")
    assert {name: body[name] for name in ("text", "as_of", "valid_from", "valid_to", "amended_by", "status")} == {
        "text": "b) Del 15 por ciento, si pasa de seis meses.",
        "as_of": "2023-01-01",
        "valid_from": "2022-07-01",
        "valid_to": "2025-03-31",
        "amended_by": "BOE-A-2022-99003",
        "status": "in_force",
    }
    assert list(body["law"]) == LAW_FIELDS


def test_a_day_that_disagrees_is_refused() -> None:
    body = get("/citations/ley-990-2019:art-11@2023-01-01", expect=400, as_of="2024-01-01")
    assert (body["code"], body["parameter"]) == ("invalid_date", "as_of")


@pytest.mark.parametrize(
    ("path", "queries"),
    [
        ("/citations/ley-990-2019:art-11.4.b", 5),
        ("/citations?q=art.+11.4.b)+Ley+990/2019", 5),
        ("/search?q=recargo&limit=1", 4),
        ("/search?q=recargo&limit=50", 4),
        ("/search?q=recargo&mode=lexical", 3),
        ("/search?q=art.+11+Ley+990/2019", 8),
        ("/health", 6),
        ("/laws/ley-990-2019", 1),
        ("/laws/ley-990-2019/articles?limit=100", 6),
        ("/laws/ley-990-2019/articles?limit=1", 6),
        ("/laws?limit=100", 3),
        ("/laws?limit=1&law_rank=ley&q=estancias", 3),
    ],
)
def test_queries_do_not_grow_with_the_answer(
    path: str, queries: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    Client().get(f"{V1}{path}")  # what a process keeps, such as the matrix of vectors, is read once
    with django_assert_num_queries(queries):
        assert Client().get(f"{V1}{path}").status_code == 200


def test_search_answers_to_the_contract() -> None:
    body = get("/search", q="recargo por presentar fuera de plazo")
    assert set(SEARCH_FIELDS) <= set(body)
    first = body["hits"][0]
    assert set(HIT_FIELDS) <= set(first)
    assert list(first["law"]) == LAW_FIELDS
    assert (first["citation"], first["rank"], body["mode"]) == ("ley-990-2019:art-11", 1, "hybrid")
    assert set(first["passages"][0]) == {"citation", "text", "start", "end", "highlights"}
    assert set(body["facets"]) == {"law", "rank", "jurisdiction", "status"}


def test_every_parameter_of_the_contract_may_be_left_empty() -> None:
    asked = (
        "q=tarifa&limit=10&offset=0&mode=auto&law=&law_rank=&jurisdiction=&kind=&status=&from=&to=&as_of="
        "&include_repealed=false&min_score=&fusion=auto&semantic_weight=&rerank=&fields=&sort=&explain="
    )
    body = Client().get(f"{V1}/search?{asked}").json()
    plain = get("/search", q="tarifa")
    assert [hit["citation"] for hit in body["hits"]] == [hit["citation"] for hit in plain["hits"]] != []


def test_a_list_is_repeated_or_parted_by_commas() -> None:
    repeated = Client().get(f"{V1}/search?q=entrada+en+vigor&kind=final&kind=article").json()
    parted = Client().get(f"{V1}/search?q=entrada+en+vigor&kind=final,article").json()
    kinds = {hit["kind"] for hit in repeated["hits"]}
    assert kinds <= {"final", "article"}
    assert [hit["citation"] for hit in repeated["hits"]] == [hit["citation"] for hit in parted["hits"]] != []


def test_filters_reach_retrieval() -> None:
    hits = get("/search", q="subvención", law="orden-hac-9993-2023", limit=50)["hits"]
    assert {hit["law"]["id"] for hit in hits} == {"orden-hac-9993-2023"}
    past = get("/search", q="recargo único del 10 por ciento", as_of="2020-01-01", limit=1)
    assert (past["as_of"], past["hits"][0]["valid_to"]) == ("2020-01-01", "2022-06-30")


def test_a_citation_is_answered_as_one() -> None:
    body = get("/search", q="art. 11.4.b) Ley 990/2019")
    assert (body["mode"], body["citation"]["outcome"]) == ("citation", "found")
    assert body["hits"][0]["citation"].startswith("ley-990-2019:art-11")

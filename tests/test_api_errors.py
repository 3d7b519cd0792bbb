"""The JSON API's errors: they name the parameter and its limit, and no input makes it fail."""

from __future__ import annotations

import re
from typing import Any, get_args
from urllib.parse import quote

import pytest
from django.db import OperationalError, connection
from django.test import Client
from pydantic_core import core_schema

from search.api.errors import from_validation
from tests.api_client import V1

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

HOSTILE = [
    "%00", "iva%00", "%ED%A0%80", "%FF%FE", "%F4%90%80%80", "a" * 100_000, "%" * 50, "'; DROP TABLE corpus_law; --",
    '"', '"""', "(((", "-", "heading:", "*", "\\", "~~", "@", ":", "art-1@9999-99-99", "\u202e", "\ufffe", "%0d%0a",
    "a" * 3000, "🏛️" * 50, "ley:" * 500, "1" * 400, "art. " * 300, "../../etc/passwd", "{{7*7}}", "<script>",
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "status", "code", "parameter", "limit"),
    [
        ("/search", 422, "blank_query", "q", None),
        ("/search?q=", 422, "blank_query", "q", None),
        ("/search?q=+%00+", 422, "blank_query", "q", None),
        ("/search?q=iva&limit=1000", 422, "invalid_limit", "limit", 100),
        ("/search?q=iva&limit=0", 422, "invalid_limit", "limit", 1),
        ("/search?q=iva&limit=-1", 422, "invalid_limit", "limit", 1),
        ("/search?q=iva&limit=abc", 422, "invalid_limit", "limit", None),
        ("/search?q=iva&limit=1&limit=2", 422, "unknown_value", "limit", 1),
        ("/search?q=iva&limit=1e3", 422, "invalid_limit", "limit", None),
        ("/search?q=iva&limit=5.0", 422, "invalid_limit", "limit", None),
        ("/search?q=iva&limit=1_0", 422, "invalid_limit", "limit", None),
        ("/search?q=iva&offset=٣", 422, "invalid_offset", "offset", None),
        ("/search?q=iva&limit=" + "9" * 30, 422, "invalid_limit", "limit", 100),
        ("/search?q=iva&limit=" + "9" * 5000, 422, "invalid_limit", "limit", None),
        ("/search?q=iva&offset=-1", 422, "invalid_offset", "offset", 0),
        ("/search?q=iva&offset=990&limit=50", 422, "invalid_offset", "offset", 950),
        ("/search?q=iva&as_of=2023-02-30", 400, "invalid_date", "as_of", None),
        ("/search?q=iva&as_of=20230230", 400, "invalid_date", "as_of", None),
        ("/search?q=iva&as_of=99999999", 400, "invalid_date", "as_of", None),
        ("/search?q=iva&as_of=0", 400, "invalid_date", "as_of", None),
        ("/search?q=iva&from=ayer", 400, "invalid_date", "from", None),
        ("/search?q=iva&to=2023-01-01T00:00:00", 400, "invalid_date", "to", None),
        ("/search?q=iva&from=2024-01-01&to=2023-01-01", 400, "invalid_date", "from", "2023-01-01"),
        ("/search?q=iva&mode=psychic", 422, "unknown_value", "mode", "auto, hybrid, lexical, semantic"),
        ("/search?q=iva&kind=article,chapter", 422, "unknown_value", "kind", ...),
        ("/search?q=iva&law=ley-1-1900", 422, "unknown_value", "law", None),
        ("/search?q=iva&law_rank=ukase", 422, "unknown_value", "law_rank", ...),
        ("/search?q=iva&min_score=2", 422, "unknown_value", "min_score", 1),
        ("/search?q=iva&min_score=nan", 422, "unknown_value", "min_score", None),
        ("/search?q=iva&semantic_weight=inf", 422, "unknown_value", "semantic_weight", None),
        ("/search?q=iva&min_score=1_0", 422, "unknown_value", "min_score", None),
        ("/search?q=iva&min_score=0_5", 422, "unknown_value", "min_score", None),
        ("/search?q=iva&semantic_weight=0_1", 422, "unknown_value", "semantic_weight", None),
        ("/context?q=iva&min_confidence=0_0", 422, "unknown_value", "min_confidence", None),
        ("/search?q=iva&offset=1000", 422, "invalid_offset", "offset", 1000),
        ("/search?q=iva&law=%00", 422, "unknown_value", "law", None),
        ("/search?q=iva&law=ley-990-2019&law=%1b", 422, "unknown_value", "law", None),
        ("/search?q=iva&law=ley-990-2019,%00", 422, "unknown_value", "law", None),
        ("/search?q=iva&law=,", 422, "unknown_value", "law", None),
        ("/search?q=iva&explain=%00", 422, "unknown_value", "explain", None),
        ("/search?q=iva&as_of=%00", 422, "unknown_value", "as_of", None),
        ("/search?q=iva&limit=%7f", 422, "unknown_value", "limit", None),
        ("/laws/ley-990-2019/articles/art-11/diff?from=%00", 422, "unknown_value", "from", None),
        ("/search?q=iva&explain=" + "x" * 2001, 422, "text_too_long", "explain", 2000),
        ("/search?q=iva&rerank=true&sort=newest", 422, "conflicting_parameters", "rerank", None),
        ("/search?q=iva&mode=semantic&fields=text", 422, "conflicting_parameters", "fields", None),
        ("/search?q=iva&include_repealed=quizá", 422, "unknown_value", "include_repealed", None),
        ("/search?q=" + "a" * 100_000, 422, "query_too_long", "q", 2000),
        ("/citations", 422, "blank_query", "q", None),
        ("/citations?q=" + "a" * 100_000, 422, "query_too_long", "q", 2000),
        ("/citations?q=ley-990-2019&as_of=nunca", 400, "invalid_date", "as_of", None),
        ("/laws?limit=101", 422, "invalid_limit", "limit", 100),
        ("/laws?offset=-5", 422, "invalid_offset", "offset", 0),
        ("/laws?law_rank=ukase", 422, "unknown_value", "law_rank", ...),
        ("/laws?jurisdiction=xx", 422, "unknown_value", "jurisdiction", ...),
        ("/laws?q=%00", 422, "blank_query", "q", None),
        ("/laws?status=dormida", 422, "unknown_value", "status", ...),
        ("/search?q=iva&law=Ley+990/2019", 422, "unknown_value", "law", "ley-990-2019, es-ga-ley-990-2019"),
        ("/context?q=iva&law=Ley+1/1900", 422, "unknown_value", "law", None),
        ("/laws/ley-1-1900", 404, "law_not_in_corpus", "law", None),
        ("/laws/BOE-A-1900-99001", 404, "law_not_in_corpus", "law", None),
        ("/laws/ley-1-1900/articles", 404, "law_not_in_corpus", "law", None),
        ("/laws/ley-990-2019:art-1", 404, "law_not_in_corpus", "law", None),
        ("/laws/%00", 404, "law_not_in_corpus", "law", None),
        ("/laws/ley-990-2019/articles?as_of=ayer", 400, "invalid_date", "as_of", None),
        ("/search?q=iva&page=2", 422, "unknown_parameter", "page", ...),
        ("/search?q=iva&page=abc", 422, "unknown_parameter", "page", ...),
        ("/citations/ley-990-2019:art-11?asof=2020-01-01", 422, "unknown_parameter", "asof", "as_of"),
        ("/laws/ley-990-2019/articles?%00page%1b=2", 422, "unknown_parameter", "page", "as_of, limit, offset"),
        ("/nothing/here", 404, "not_found", None, None),
        ("/nothing%0D%0ASet-Cookie:x=1", 404, "not_found", None, None),
        ("/laws/%0A/articles/%0A/%0A", 404, "not_found", None, None),
    ],
)
def test_br_71_an_error_names_the_parameter_and_its_limit(
    path: str, status: int, code: str, parameter: str | None, limit: object
) -> None:
    response = Client().get(f"{V1}{path}")
    body = response.json()
    assert (response.status_code, body["code"], body["parameter"]) == (status, code, parameter)
    assert body["detail"]
    if limit is not ...:
        assert body["limit"] == limit


def test_what_asks_with_a_body_has_no_other_parameters() -> None:
    response = Client().post(f"{V1}/citations/extract?as_of=2020-01-01", {"text": "art. 1"}, "application/json")
    assert (response.status_code, response.json()["code"]) == (422, "unknown_parameter")


@pytest.mark.parametrize(
    ("asked", "language", "detail"),
    [
        ("offset=1000", "es", "offset: menos de 1000."),
        ("limit=101", "en", "limit: at most 100."),
        ("min_score=1.5", "es", "min_score: como máximo 1."),
        ("min_score=-1", "en", "min_score: at least 0."),
        ("sort=x", "es", "sort: debe ser uno de relevance, newest, oldest."),
    ],
)
def test_an_error_is_in_the_readers_language(asked: str, language: str, detail: str) -> None:
    response = Client().get(f"{V1}/search?q=iva&{asked}", headers={"accept-language": language})
    assert response.json()["detail"] == detail


def test_no_error_of_pydantic_is_told_in_its_own_words() -> None:
    for kind in get_args(core_schema.ErrorType):
        told = from_validation({"type": kind, "loc": ("query", "q"), "msg": "Input should be raw"})
        assert re.fullmatch(r"q: [a-zúí].+\.", told.detail)
        assert "Input" not in told.detail


@pytest.mark.parametrize("path", ["", "/", "/docs", "/openapi.json", "/laws", "/health"])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "TRACE", "OPTIONS"])
def test_a_wrong_method_is_an_error_of_the_same_shape(method: str, path: str) -> None:
    response = Client(enforce_csrf_checks=True).generic(method, f"{V1}{path}")
    assert (response.status_code, response["Allow"], response.json()["code"]) == (
        405,
        "GET, HEAD",
        "method_not_allowed",
    )


def test_head_is_get_without_its_body() -> None:
    head, whole = Client().head(f"{V1}/laws"), Client().get(f"{V1}/laws")
    assert (head.status_code, head.content, head["Content-Length"]) == (200, b"", str(len(whole.content)))


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:20]))
@pytest.mark.parametrize(
    "path",
    [
        "/search?q={}", "/search?q=iva&law={}", "/search?q=iva&law_rank={}", "/search?q=iva&jurisdiction={}",
        "/search?q=iva&as_of={}", "/search?q=iva&limit={}", "/search?q=iva&fields={}", "/citations?q={}",
        "/citations/{}", "/citations/ley-990-2019:{}", "/laws?q={}", "/laws?law_rank={}&jurisdiction={}", "/laws/{}",
        "/laws/{}/articles", "/laws/ley-990-2019/articles?as_of={}",
    ],
)  # fmt: skip
def test_no_input_makes_it_fail(path: str, text: str) -> None:
    raw = text if text.startswith("%") and len(text) < 20 else quote(text, safe="")
    response = Client().get(f"{V1}{path.replace('{}', raw)}")
    assert response.status_code in (200, 300, 400, 404, 422)
    assert response.json()


def test_a_database_that_is_away_is_said_so() -> None:
    def away(*_: Any) -> None:
        raise OperationalError("the server closed the connection")

    with connection.execute_wrapper(away):
        response = Client().get(f"{V1}/laws")
    assert (response.status_code, response.json()["code"]) == (503, "database_unavailable")
    assert int(response["Retry-After"]) >= 1


def test_an_error_of_ours_is_json_and_hides_its_reason(caplog: pytest.LogCaptureFixture) -> None:
    def fail(*_: Any) -> None:
        raise ZeroDivisionError("secret")

    with connection.execute_wrapper(fail):
        response = Client(raise_request_exception=False).get(f"{V1}/laws/{'a' * 999}")
    assert (response.status_code, response.json()["code"]) == (500, "internal_error")
    assert b"secret" not in response.content
    ours = next(record for record in caplog.records if record.name == "search.api.errors")
    assert "secret" in caplog.text
    assert len(ours.getMessage()) < 300

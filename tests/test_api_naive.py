"""The API as a client meets it that knows nothing of it: lists to their end, odd requests, and never an HTML error."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from corpus.models import Job
from search.citation_linking import link
from tests.api_client import V1, get, issue

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

EXTRACT, VERIFY, UPLOAD = f"{V1}/citations/extract", f"{V1}/citations/verify", f"{V1}/imports/upload"
QUESTION = "impuesto sobre las estancias"


@pytest.fixture
def manager() -> dict[str, str]:
    """The headers of who may do everything."""
    return {"authorization": f"Bearer {issue('prueba', ['read', 'verify', 'manage'])[1]}"}


def follow(path: str, rows: str = "items", headers: dict[str, str] | None = None) -> list[dict[str, Any]]:
    """Follow `next` to the end; the total of every page of a list is the same."""
    found: list[dict[str, Any]] = []
    address, totals, pages = f"{V1}{path}", set(), 0
    while address:
        body = Client().get(address, headers=headers).json()
        found += body[rows]
        address, pages = body["next"], pages + 1
        totals.add(body["total"])
        assert pages <= 60
    if rows == "items":
        assert totals == {len(found)}
    return found


@pytest.mark.parametrize("limit", [1, 3, 100])
def test_jobs_and_coverage_are_followed_to_their_end(limit: int, manager: dict[str, str]) -> None:
    made = [Job.objects.create(task=Job.Task.EMBED, state=Job.State.DONE).pk for _ in range(7)]
    jobs = [job["id"] for job in follow(f"/jobs?limit={limit}", headers=manager)]
    assert jobs == sorted(jobs, reverse=True)
    assert set(made) <= set(jobs)
    covered = [law["id"] for law in follow(f"/coverage?limit={limit}&sort=-articles")]
    assert len(covered) == len(set(covered)) == 5


@pytest.mark.parametrize("relation", ["cites", "cited_by"])
@pytest.mark.parametrize("limit", [1, 2, 100])
def test_citations_are_followed_to_their_end(relation: str, limit: int) -> None:
    link()
    rows = follow(f"/citations/ley-990-2019/{relation}?limit={limit}&all_versions=true")
    told = [json.dumps(row, sort_keys=True) for row in rows]
    assert told == [
        json.dumps(row, sort_keys=True)
        for row in get(f"/citations/ley-990-2019/{relation}", limit=100, all_versions=True)["items"]
    ]
    assert len(told) == len(set(told)) > 2


@pytest.mark.parametrize("limit", [3, 7, 64, 100])
@pytest.mark.parametrize("mode", ["lexical", "hybrid"])
def test_a_search_is_followed_to_its_end(limit: int, mode: str) -> None:
    hits = follow(f"/search?q={QUESTION}&mode={mode}&limit={limit}", rows="hits")
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))
    whole = get("/search", q=QUESTION, mode=mode, limit=100)
    assert [hit["citation"] for hit in hits] == [hit["citation"] for hit in whole["hits"]]
    assert whole["next"] is None
    assert len({hit["citation"] for hit in hits}) == len(hits) == whole["total"]


def test_the_last_page_of_a_search_is_as_short_as_what_is_ranked() -> None:
    body = Client().get(f"{V1}/search?q={QUESTION}&limit=7&offset=987").json()
    assert body["next"] is None
    assert Client().get(f"{V1}/search?q={QUESTION}&limit=7&offset=994").json()["parameter"] == "offset"


@pytest.mark.parametrize("value", ["0", "-1", "1" + "0" * 30, "a", "1.5", "%00", "%ED%A0%80", "%2B3", "0x1", "null"])
@pytest.mark.parametrize("path", ["/laws", "/laws/ley-990-2019/articles", "/citations/ley-990-2019/cites", "/coverage"])
def test_br_71_no_limit_is_clamped(path: str, value: str) -> None:
    response = Client().get(f"{V1}{path}?limit={value}")
    assert (response.status_code, response.json()["parameter"]) == (422, "limit")


@pytest.mark.parametrize(
    "path", ["/laws", "/coverage", "/laws/ley-990-2019/articles", "/search?q=iva", "/context?q=iva"]
)
def test_a_parameter_given_twice_is_refused(path: str) -> None:
    joined = "&" if "?" in path else "?"
    name = "max_tokens" if "context" in path else "limit"
    response = Client().get(f"{V1}{path}{joined}{name}=300&{name}=400")
    assert (response.status_code, response.json()["parameter"]) == (422, name)


@pytest.mark.parametrize("method", ["get", "delete"])
def test_a_law_has_no_parameters(method: str, manager: dict[str, str]) -> None:
    response = getattr(Client(), method)(f"{V1}/laws/ley-990-2019?as_of=2020-01-01", headers=manager)
    assert (response.status_code, response.json()["code"]) == (422, "unknown_parameter")
    assert response.json()["parameter"] == "as_of"


@pytest.mark.parametrize(
    ("path", "body", "parameter"),
    [
        (EXTRACT, {"text": "art. 1", "asof": "2020-01-01"}, "asof"),
        (VERIFY, {"items": [], "as_of": "2020-01-01"}, "as_of"),
        (VERIFY, {"items": [{"citation": "CE", "cuote": "x"}]}, "items.0.cuote"),
        (f"{V1}/imports/boe", {"ids": ["BOE-A-2003-23186"], "embd": True}, "embd"),
        (f"{V1}/embeddings", {"law": ["ley-990-2019"]}, "law"),
    ],
)
def test_a_field_that_does_not_exist_is_refused_by_name(
    path: str, body: dict[str, Any], parameter: str, manager: dict[str, str]
) -> None:
    response = Client().post(path, json.dumps(body), "application/json", headers=manager)
    told = response.json()
    assert (response.status_code, told["code"], told["parameter"]) == (422, "unknown_parameter", parameter)
    assert not Job.objects.exists()


def upload(fields: dict[str, Any], manager: dict[str, str], content_type: str = MULTIPART_CONTENT) -> Any:
    return Client().generic("POST", UPLOAD, encode_multipart(BOUNDARY, fields), content_type, headers=manager)


def test_a_field_of_a_form_that_does_not_exist_is_refused_by_name(manager: dict[str, str]) -> None:
    response = Client().post(UPLOAD, {"files": "x", "embd": "true"}, headers=manager)
    assert response.status_code == 422
    assert Job.objects.count() == 0


@pytest.mark.parametrize(
    ("content_type", "status", "code"),
    [
        ("multipart/form-data", 400, "invalid_form"),
        ("multipart/form-data; boundary=", 400, "invalid_form"),
        ("multipart/form-data; boundary=\u00e9", 400, "invalid_form"),
        ("application/json", 422, "missing_value"),
        ("text/plain", 422, "missing_value"),
    ],
)
def test_a_form_that_cannot_be_read_is_an_error_of_the_same_shape(
    content_type: str, status: int, code: str, manager: dict[str, str]
) -> None:
    response = upload({"force": "true"}, manager, content_type)
    assert (response.status_code, response.json()["code"]) == (status, code)


def test_more_fields_than_are_read_are_refused(manager: dict[str, str]) -> None:
    query = "&".join(f"a{number}=1" for number in range(1_100))
    for response in (
        Client().get(f"{V1}/laws?{query}"),
        Client().get(f"{V1}/search?q=iva&{query}"),
        upload({f"a{number}": "1" for number in range(1_100)}, manager),
    ):
        assert (response.status_code, response.json()["code"]) == (422, "too_many_items")


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b"{", "application/json"),
        (b"\xff\xfe\x00", "application/json"),
        (b"[" * 200_000, "application/json"),
        (b'{"text": ' + b"1" * 5_000 + b"}", "application/json"),
        (b"text=art.+1", "application/x-www-form-urlencoded"),
        (b"<text/>", "application/xml"),
        (b"--x\r\n\r\n", "multipart/form-data; boundary=x"),
    ],
    ids=["half", "not UTF-8", "very deep", "a huge number", "a form", "XML", "multipart"],
)
@pytest.mark.parametrize("path", [EXTRACT, VERIFY])
def test_what_is_no_json_is_refused_as_json(path: str, body: bytes, content_type: str) -> None:
    response = Client().generic("POST", path, body, content_type)
    assert (response.status_code, response.json()["code"]) == (400, "invalid_json")


@pytest.mark.parametrize(
    "body", ["", "[]", "null", "1", '"text"', '{"text": null}', '{"text": 1e999}', "{}", '{"\\ud800": 1, "text": "x"}']
)
def test_json_of_another_shape_is_refused_by_name(body: str) -> None:
    response = Client().post(EXTRACT, body, "application/json")
    assert response.status_code == 422
    assert response.json()["parameter"] in ("text", "body")


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "PROPFIND", "BREW"])
@pytest.mark.parametrize("path", ["/search?q=iva", "/nothing", "/laws/ley-990-2019", "/citations/extract"])
def test_odd_methods_are_refused_as_json(method: str, path: str) -> None:
    response = Client().generic(method, f"{V1}{path}")
    assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")
    assert "GET" in response["Allow"] or "POST" in response["Allow"]


def test_the_bare_address_without_its_slash_leads_to_the_documentation() -> None:
    response = Client().get(V1)
    assert (response.status_code, response["Location"]) == (302, f"{V1}/docs")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/search?q=%00", 422),
        ("/search?q=recargo%00", 200),
        ("/search?q=%ED%A0%80recargo", 200),
        ("/search?q=" + "a" * 100_000, 422),
        ("/context?q=recargo%00", 200),
        ("/citations?q=ley-990-2019:art-11%00", 200),
    ],
)
def test_br_69_nul_and_broken_characters_in_an_address_are_dropped_or_refused(path: str, status: int) -> None:
    response = Client().get(f"{V1}{path}")
    assert response.status_code == status
    assert "\\u0000" not in response.content.decode()
    assert response.json()


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ('{"text": "art. 11\\u0000 de la Ley 990/2019"}', 200),
        ('{"text": "art. 11 \\ud800 de la Ley 990/2019"}', 422),
        ('{"text": "art. 11 de la Ley 990/2019", "host": "\\u0000"}', 422),
    ],
)
def test_br_69_nul_and_lone_surrogates_in_a_body_never_fail(body: str, status: int) -> None:
    response = Client().post(EXTRACT, body, "application/json")
    assert (response.status_code, response["Content-Type"]) == (status, "application/json; charset=utf-8")


def test_a_host_that_is_not_ours_is_refused_as_json_where_the_api_is_asked() -> None:
    refused = Client().get(f"{V1}/laws", headers={"host": "evil.example"})
    assert (refused.status_code, refused.json()["code"]) == (400, "host_not_allowed")
    page = Client().get("/", headers={"host": "evil.example"})
    assert (page.status_code, page["Content-Type"]) == (400, "text/html; charset=utf-8")


@pytest.mark.parametrize("path", ["/", f"{V1}/laws"])
def test_a_host_that_is_not_ours_takes_one_line_of_the_log(path: str) -> None:
    (console,) = (handler for handler in logging.root.handlers if type(handler) is logging.StreamHandler)
    usual = console.setStream(written := io.StringIO())
    try:
        Client().get(path, headers={"host": "evil.example"})
    finally:
        console.setStream(usual)
    (line,) = written.getvalue().splitlines()
    assert "ERROR django.security.DisallowedHost" in line
    assert "ALLOWED_HOSTS" in line


def test_a_failure_outside_the_operations_is_json_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("django.middleware.locale.LocaleMiddleware.process_response", fail)
    client = Client(raise_request_exception=False)
    failed = client.get(f"{V1}/laws")
    assert (failed.status_code, failed.json()["code"]) == (500, "internal_error")
    assert b"secret" not in failed.content
    assert client.get("/")["Content-Type"].startswith("text/html")

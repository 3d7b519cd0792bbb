"""The OpenAPI document and its page: stable names, everything described, examples that answer."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from corpus.models import Job
from search import lookup, questions, requests
from tests.api_client import V1, get, issue

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]


def document() -> dict[str, Any]:
    return get("/openapi.json")


def operation(name: str) -> dict[str, Any]:
    operations = [one for path in document()["paths"].values() for one in path.values()]
    return next(one for one in operations if one["operationId"] == name)


def test_the_document_names_its_operations_for_good() -> None:
    described = document()
    assert described["openapi"].startswith("3.1")
    names = {one["operationId"] for path in described["paths"].values() for one in path.values()}
    assert names == {
        "search", "get_context", "find_citation", "get_citation", "list_cited", "list_citing", "extract_citations",
        "verify_citations", "list_laws", "get_law", "delete_law", "list_articles", "compare_versions", "get_coverage",
        "get_health", "get_liveness", "get_readiness", "import_upload", "import_boe", "embed", "list_jobs", "get_job",
        "cancel_job",
    }  # fmt: skip


def test_everything_in_the_document_is_described() -> None:
    for path in document()["paths"].values():
        for one in path.values():
            assert one["summary"], one["operationId"]
            assert one["description"], one["operationId"]
            assert all(parameter["description"] for parameter in one["parameters"]), one["operationId"]


def body_example(operation: dict[str, Any]) -> dict[str, Any] | None:
    """Give the example of a JSON body, put together from its fields' own."""
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" not in content:
        return None
    name = content["application/json"]["schema"]["$ref"].rsplit("/", 1)[-1]
    fields = document()["components"]["schemas"][name]["properties"]
    return {field: schema["example"] for field, schema in fields.items() if "example" in schema}


def test_the_documents_examples_answer() -> None:
    _key, secret = issue("ejemplos", ["read", "verify", "manage"])
    job = Job.objects.create(task=Job.Task.EMBED, state=Job.State.DONE)
    asked = 0
    for path, methods in document()["paths"].items():
        for method, one in methods.items():
            given = {named["name"]: named["example"] for named in one["parameters"] if "example" in named}
            given |= {"job": job.pk} if "job" in given else {}
            address = path.format(**{name: quote(str(value)) for name, value in given.items()})
            query = {
                named["name"]: given[named["name"]]
                for named in one["parameters"]
                if named["in"] == "query" and named["name"] in given
            }
            body = body_example(one)
            if method != "get" and body is None and "requestBody" in one:
                continue  # files
            sent = {"data": body, "content_type": "application/json"} if body else {}
            headers = {"authorization": f"Bearer {secret}"}
            response = getattr(Client(), method)(address, query_params=query, headers=headers, **sent)
            assert response.status_code in (200, 202), (address, response.content)
            asked += 1
    assert asked > 20


def parameters(name: str) -> dict[str, dict[str, Any]]:
    return {parameter["name"]: parameter["schema"] for parameter in operation(name)["parameters"]}


def test_the_document_states_the_longest_texts() -> None:
    assert parameters("find_citation")["q"]["maxLength"] == lookup.LONGEST_CITATION
    assert parameters("search")["q"]["maxLength"] == questions.MAX_CHARACTERS


def test_the_documentation_page_shows_every_operation() -> None:
    page = Client().get(f"{V1}/docs")
    text = page.content.decode()
    assert page.status_code == 200
    assert all(f'id="{name}"' in text for name in ("search", "get_citation", "list_articles", "get_health"))
    assert "https://" not in text.replace("https://www.boe.es", "")
    assert "<script>" not in text
    assert "style=" not in text


def test_json_is_readable_spanish() -> None:
    assert "Duración" in Client().get(f"{V1}/laws").content.decode()


def test_the_documented_choices_are_those_of_retrieval() -> None:
    search = parameters("search")
    assert tuple(search["mode"]["enum"]) == requests.MODES
    assert tuple(search["fusion"]["enum"]) == requests.FUSIONS
    assert tuple(search["sort"]["enum"]) == requests.SORTS
    assert tuple(search["fields"]["items"]["enum"]) == requests.FIELDS
    assert search["limit"]["maximum"] == requests.MAX_LIMIT


def test_an_icon_is_found_beside_json() -> None:
    response = Client().get("/favicon.ico")
    assert (response.status_code, response["Location"].endswith(".svg")) == (301, True)


def test_the_bare_address_leads_to_the_documentation() -> None:
    assert Client().get(f"{V1}/")["Location"] == f"{V1}/docs"

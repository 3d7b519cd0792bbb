"""The API's extraction, verification, and lists of citations: the contract, its limits and its errors."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from search.extraction import LONGEST_TEXT
from search.verification import LONGEST_QUOTE, MOST_ITEMS
from tests.api_client import V1, get

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

EXTRACT, VERIFY = f"{V1}/citations/extract", f"{V1}/citations/verify"
FOUND_FIELDS = {
    "start", "end", "text", "citation", "outcome", "resolved_to", "unresolved_tail", "law", "kind", "label", "heading",
    "status", "sha256", "as_of", "valid_from", "valid_to", "candidates", "suggestions", "items", "detail", "url",
    "source_url", "enacted",
}  # fmt: skip


def post(address: str, body: Any, *, expect: int = 200) -> dict[str, Any]:
    """Give the JSON answer to a body, raw if it is text or bytes."""
    raw = body if isinstance(body, str | bytes) else json.dumps(body)
    response = Client(raise_request_exception=False).post(address, raw, content_type="application/json")
    assert response.status_code == expect, response.content[:500]
    assert response["Content-Type"].startswith("application/json")
    answer: dict[str, Any] = response.json()
    return answer


class TestExtract:
    def test_each_citation_has_its_place_and_what_it_resolves_to(self) -> None:
        text = "\U0001f600 El\u00a0artículo 11.4.b) de la Ley 990/2019 y el Reglamento (UE) 2016/679."
        answer = post(EXTRACT, {"text": text})
        (found,) = answer["citations"]
        assert set(found) == FOUND_FIELDS
        assert text[found["start"] : found["end"]] == found["text"] == "artículo 11.4.b) de la Ley 990/2019"
        assert (found["citation"], found["outcome"]) == ("ley-990-2019:art-11.4.b", "found")
        assert [(one["text"], one["type"]) for one in answer["unsupported"]] == [
            ("Reglamento (UE) 2016/679", "eu_regulation")
        ]

    def test_without_a_citation_the_lists_are_empty(self) -> None:
        assert post(EXTRACT, {"text": "Nada."}) == {"citations": [], "unsupported": []}

    def test_a_host_and_a_day_are_heeded(self) -> None:
        body = {"text": "Según este artículo.", "host": "art. 11 Ley 990/2019", "as_of": "2023-01-01"}
        (found,) = post(EXTRACT, body)["citations"]
        assert (found["citation"], found["as_of"]) == ("ley-990-2019:art-11", "2023-01-01")

    @pytest.mark.parametrize(
        ("body", "status", "code", "parameter"),
        [
            ({"text": "a" * (LONGEST_TEXT + 1)}, 422, "text_too_long", "text"),
            ({}, 422, "missing_value", "text"),
            ({"text": None}, 422, "unknown_value", "text"),
            ({"text": "a", "as_of": "2023-02-30"}, 400, "invalid_date", "as_of"),
            ({"text": "a", "host": "nada"}, 422, "unknown_value", "host"),
            ([], 422, "unknown_value", "body"),
            ("{", 400, "invalid_json", None),
            (b"\xff\xfe", 400, "invalid_json", None),
            ("[" * 100_000, 400, "invalid_json", None),
            ('{"text": "\\ud800"}', 422, "unknown_value", "text"),
            ('{"text": "art. 1 LGT", "text": "art. 2 LGT"}', 422, "unknown_value", "text"),
        ],
        ids=range(11),
    )
    def test_what_cannot_be_read_is_refused_by_name(
        self, body: Any, status: int, code: str, parameter: str | None
    ) -> None:
        answer = post(EXTRACT, body, expect=status)
        assert (answer["code"], answer["parameter"]) == (code, parameter)
        assert answer["detail"]

    def test_the_limits_are_named(self) -> None:
        assert post(EXTRACT, {"text": "a" * (LONGEST_TEXT + 1)}, expect=422)["limit"] == LONGEST_TEXT
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        told = post(EXTRACT, "x" * (limit + 1), expect=413)
        assert (told["code"], told["limit"]) == ("body_too_large", limit)

    def test_the_longest_text_fits_in_the_largest_body(self) -> None:
        assert len(json.dumps({"text": "\U0001f600" * LONGEST_TEXT})) < settings.DATA_UPLOAD_MAX_MEMORY_SIZE

    @pytest.mark.parametrize(
        "odd", ["\x00", "\x1b[2J", "\u2028", "e\u0301", "\U0010ffff", "\u202e", "\ufeff"], ids=ascii
    )
    def test_odd_characters_are_no_error(self, odd: str) -> None:
        text = f"{odd}art. 11{odd} de la Ley 990/2019{odd}"
        for found in post(EXTRACT, {"text": text})["citations"]:
            assert text[found["start"] : found["end"]] == found["text"]

    def test_it_is_asked_with_post(self) -> None:
        response = Client().get(EXTRACT)
        assert (response.status_code, response["Allow"]) == (405, "POST")


class TestVerify:
    def test_a_quote_and_a_title_are_told_as_facts(self) -> None:
        text = get("/citations/ley-990-2019:art-11")["text"]
        words = " ".join(text.split()[:6])
        answer = post(VERIFY, {"items": [{"citation": "art. 11 Ley 990/2019", "quote": f"«{words}»", "title": "Otro"}]})
        (item,) = answer["items"]
        assert item["outcome"] == "found"
        assert item["quote"]["state"] == "verbatim"
        assert text[item["quote"]["start"] : item["quote"]["end"]].split() == words.split()
        assert set(item["title"]) == {"given", "actual", "matches"}
        assert item["title"]["matches"] is False
        assert answer["summary"] == {
            "items": 1,
            "outcomes": {"found": 1},
            "quotes": {"verbatim": 1, "verbatim_with_elisions": 0, "different": 0, "not_compared": 0},
            "titles": {"matching": 0, "differing": 1, "not_compared": 0},
            "complete": True,
        }

    def test_what_was_not_claimed_is_null(self) -> None:
        (item,) = post(VERIFY, {"items": [{"citation": "ley-990-2019:art-11"}]})["items"]
        assert (item["quote"], item["title"], item["enacted"]) == (None, None, None)

    def test_nothing_is_called_verified(self) -> None:
        answer = post(
            VERIFY, {"items": [{"citation": "ley-990-2019:art-11"}, {"citation": "Ley 1/1999", "quote": "x y"}]}
        )
        assert answer["summary"]["complete"] is False
        assert "verified" not in json.dumps(answer)

    def test_no_items_is_an_empty_answer(self) -> None:
        assert post(VERIFY, {"items": []})["summary"]["items"] == 0

    @pytest.mark.parametrize(
        ("items", "status", "code", "parameter", "limit"),
        [
            ([{"citation": "CE"}] * (MOST_ITEMS + 1), 422, "too_many_items", "items", MOST_ITEMS),
            ([{"citation": "CE", "quote": "a" * 20_001}], 422, "text_too_long", "items.0.quote", LONGEST_QUOTE),
            ([{"citation": "CE"}, {"citation": "a" * 2001}], 422, "text_too_long", "items.1.citation", 2000),
            ([{"citation": "CE"}, {"quote": "a"}], 422, "missing_value", "items.1.citation", None),
            ([{"citation": "CE"}, 5], 422, "unknown_value", "items.1", None),
            ("CE", 422, "unknown_value", "items", None),
            ([{"citation": "CE", "qoute": "a"}], 422, "unknown_parameter", "items.0.qoute", None),
            ([{"citation": "CE", "as_of": "ayer"}], 400, "invalid_date", "items.0.as_of", None),
            ([{"citation": "ce:art-1@2020-01-01", "as_of": "2021-01-01"}], 400, "invalid_date", "items.0.as_of", None),
        ],
        ids=range(9),
    )
    def test_what_cannot_be_read_is_refused_by_name(
        self, items: list[Any], status: int, code: str, parameter: str, limit: int | None
    ) -> None:
        answer = post(VERIFY, {"items": items}, expect=status)
        assert (answer["code"], answer["parameter"], answer["limit"]) == (code, parameter, limit)

    def test_as_many_as_are_allowed_are_answered(self) -> None:
        items = [{"citation": f"art. {n % 14 + 1} Ley 990/2019", "quote": "no está ahí"} for n in range(MOST_ITEMS)]
        assert len(post(VERIFY, {"items": items})["items"]) == MOST_ITEMS


class TestLists:
    @pytest.fixture(autouse=True)
    def _linked(self) -> None:
        call_command("link_citations", verbosity=0, stdout=StringIO(), stderr=StringIO())

    @pytest.fixture
    def cited(self) -> str:
        """A provision of the examples that is cited more than once."""
        page = get("/citations/ley-990-2019/cited_by")
        assert page["total"] > 1
        return "ley-990-2019"

    @pytest.mark.parametrize("direction", ["cites", "cited_by"])
    def test_a_client_that_follows_next_sees_each_row_once(self, cited: str, direction: str) -> None:
        whole = get(f"/citations/{cited}/{direction}", limit=100)
        rows, address = [], f"{V1}/citations/{cited}/{direction}?limit=1"
        while address:
            page = Client().get(address).json()
            rows += page["items"]
            address = page["next"]
        assert (rows, len(rows)) == (whole["items"], whole["total"])

    def test_each_row_says_where_it_stands_and_what_it_names(self, cited: str) -> None:
        for row in get(f"/citations/{cited}/cited_by")["items"]:
            version = get(f"/citations/{row['source']['citation']}", as_of=row["source"]["valid_from"] or "2026-01-01")
            assert version["text"][row["start"] : row["end"]] == row["text"]
            assert {"valid_from", "valid_to", "url", "label", "law"} <= set(row["source"])
            assert [place["law"]["id"] for place in row["targets"]] == [cited]

    @pytest.mark.parametrize(
        ("citation", "status", "outcome"),
        [
            ("ley-990-2019:art-99", 404, "no_such_provision"),
            ("ley-1-1999:art-1", 404, "law_not_in_corpus"),
            ("ley-990-2019:art-6@2025-01-01", 404, "not_in_force"),
            ("no es un id", 400, "unparsable"),
        ],
    )
    def test_what_is_not_there_says_so_as_a_lookup_does(self, citation: str, status: int, outcome: str) -> None:
        for direction in ("cites", "cited_by"):
            assert get(f"/citations/{citation}/{direction}", expect=status)["outcome"] == outcome

    @pytest.mark.parametrize(
        ("query", "code", "limit"),
        [
            ({"limit": 101}, "invalid_limit", 100),
            ({"limit": 0}, "invalid_limit", 1),
            ({"offset": -1}, "invalid_offset", 0),
        ],
    )
    def test_a_page_out_of_bounds_is_refused_by_name(self, query: dict[str, int], code: str, limit: int) -> None:
        told = get("/citations/ley-990-2019/cites", expect=422, **query)
        assert (told["code"], told["limit"]) == (code, limit)

    def test_past_the_end_the_page_is_empty(self) -> None:
        page = get("/citations/ley-990-2019/cites", offset=10_000)
        assert (page["items"], page["next"]) == ([], None)

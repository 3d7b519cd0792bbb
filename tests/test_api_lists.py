"""The JSON API's lists: a client that follows `next` sees each row once, as it stands on the day asked for."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from corpus.models import Law
from tests.api_client import V1, get

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

LAW_FIELDS = ["id", "boe_id", "title", "short_title", "rank", "jurisdiction", "status"]
ROW_FIELDS = ["citation", "kind", "label", "heading", "path", "status"]


def follow(path: str) -> list[dict[str, Any]]:
    """Follow `next` to the end, as a naive client does."""
    rows, address, pages = [], f"{V1}{path}", 0
    while address:
        body = Client().get(address).json()
        assert set(body) == {"items", "total", "limit", "offset", "next"}
        rows += body["items"]
        address, pages = body["next"], pages + 1
        assert pages <= 100
    assert len(rows) == body["total"]
    return rows


@pytest.mark.parametrize("limit", [1, 2, 7, 28, 100])
def test_br_71_following_next_sees_each_provision_once_in_the_laws_order(limit: int) -> None:
    rows = follow(f"/laws/ley-990-2019/articles?limit={limit}")
    law = Law.objects.get(key="ley-990-2019")
    assert [row["citation"] for row in rows] == [f"{law.key}:{article.key}" for article in law.articles.all()]
    assert set(ROW_FIELDS) <= set(rows[0])


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_br_71_following_next_sees_each_law_once(limit: int) -> None:
    rows = follow(f"/laws?limit={limit}")
    assert [row["id"] for row in rows] == sorted(Law.objects.values_list("key", flat=True))
    assert list(rows[0])[: len(LAW_FIELDS)] == LAW_FIELDS


@pytest.mark.parametrize("limit", [3, 7, 50])
def test_br_71_paging_through_a_search_sees_each_provision_once(limit: int) -> None:
    found: list[str] = []
    while hits := get("/search", q="impuesto sobre las estancias", limit=limit, offset=len(found))["hits"]:
        assert [hit["rank"] for hit in hits] == list(range(len(found) + 1, len(found) + len(hits) + 1))
        found += [hit["citation"] for hit in hits]
    whole = get("/search", q="impuesto sobre las estancias", limit=100)
    assert found == [hit["citation"] for hit in whole["hits"]]
    assert len(found) == len(set(found)) == whole["total"] > 20


def test_next_keeps_the_conditions() -> None:
    rows = follow("/laws?limit=1&law_rank=ley,orden&jurisdiction=es")
    assert [row["id"] for row in rows] == ["ley-990-2019", "ley-992-2022", "orden-hac-9993-2023"]


def test_a_page_past_the_end_is_empty() -> None:
    body = get("/laws", offset=500)
    assert (body["items"], body["total"], body["next"]) == ([], 5, None)


def test_laws_are_found_by_words_of_the_title_without_accents() -> None:
    assert [law["id"] for law in get("/laws", q="DURACION impuesto ley")["items"]] == ["ley-990-2019"]
    assert [law["id"] for law in get("/laws", status="repealed")["items"]] == ["es-ga-ley-990-2019"]
    assert get("/laws", q="100%_")["items"] == []


def test_a_law_says_what_is_held_of_it() -> None:
    body = get("/laws/LEY-990-2019")
    assert list(body)[: len(LAW_FIELDS)] == LAW_FIELDS
    facts = ("articles", "versions", "chunks", "chunks_with_vector", "history", "published", "eli", "url")
    assert [body[fact] for fact in facts] == [
        28, 33, 32, 32, "full", "2019-03-15", "", "/ley-990-2019",
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["", "/articles"])
@pytest.mark.parametrize("name", ["BOE-A-2019-99001", "boe-a-2019-99001", "LEY-990-2019"])
def test_a_law_is_found_by_its_boe_id_and_in_any_case(name: str, path: str) -> None:
    found, meant = get(f"/laws/{name}{path}"), get(f"/laws/ley-990-2019{path}")
    assert {**found, "next": None} == {**meant, "next": None}


def test_provisions_stand_as_on_the_day_asked_for() -> None:
    def standing(citation: str, **params: Any) -> tuple[object, ...]:
        rows = {row["citation"]: row for row in get("/laws/ley-990-2019/articles", limit=100, **params)["items"]}
        row = rows[f"ley-990-2019:{citation}"]
        return row["status"], row["valid_from"], (row["text"] or "")[:14]

    assert standing("art-6") == ("repealed", "2019-04-01", "Serán responsa")
    assert standing("art-6", as_of="2020-01-01") == ("in_force", "2019-04-01", "Serán responsa")
    assert standing("art-6", as_of="2025-01-01") == ("repealed", None, "")
    assert standing("art-4-bis", as_of="2020-01-01") == ("not_yet_in_force", None, "")
    assert standing("art-8") == ("in_force", "2019-04-01", "1. La cuota ín")
    assert standing("art-8", as_of="2030-01-01") == ("in_force", "2030-01-01", "1. La cuota ín")

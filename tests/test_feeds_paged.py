"""Feeds are paged as RFC 5005 says: who follows them to the end sees each amendment once, whatever comes meanwhile."""

from __future__ import annotations

from datetime import UTC, date, datetime
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from corpus.models import Article, ArticleVersion, Law
from search import amendments, feeds
from search.amendments import latest, newer
from tests.law_builder import add_law

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
SITE = "http://testserver"
Links = dict[str, str]


def amended_law(key: str, days: int, first: date = date(2020, 1, 1), published: date | None = None) -> Law:
    """Add a law one of whose provisions was amended on so many days, by a norm of that number each."""
    law = add_law(key, {"art-1": "Objeto."}, boe_id=f"BOE-A-2019-{key.split('-')[1]}")
    Law.objects.filter(pk=law.pk).update(source_updated_at=datetime(2026, 2, 1, tzinfo=UTC))
    article = Article.objects.get(law=law)
    ArticleVersion.objects.bulk_create(
        ArticleVersion(
            article=article, position=place, text=str(place), sha256="0" * 64, amended_by=f"BOE-A-2020-{place}",
            valid_from=(day := date.fromordinal(first.toordinal() + place // 3)), published=published or day,
        )
        for place in range(2, days + 2)
    )  # fmt: skip
    return law


def read(client: Client, address: str) -> tuple[list[str], Links]:
    """Read a page of a feed: its entries' ids, and its links."""
    response = client.get(address)
    assert response.status_code == 200, response.content
    root = etree.fromstring(response.content)
    ids = [entry.findtext(f"{ATOM}id") or "" for entry in root.findall(f"{ATOM}entry")]
    links = {link.get("rel", "alternate"): link.get("href", "") for link in root.findall(f"{ATOM}link")}
    assert links["self"] == f"{SITE}{address}"
    return ids, links


def follow(client: Client, address: str, relation: str) -> list[list[str]]:
    """Follow a relation to the end."""
    pages = []
    while address:
        ids, links = read(client, address.removeprefix(SITE))
        pages.append(ids)
        address = links.get(relation, "")
        assert len(pages) < 50
    return pages


@pytest.fixture(autouse=True)
def _short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeds, "ENTRIES", 7)


@pytest.mark.parametrize("path", ["/feed", "/ley-900-2019/feed"])
def test_following_next_sees_each_amendment_once(client: Client, path: str) -> None:
    amended_law("ley-900-2019", 30)
    amended_law("ley-901-2019", 30, first=date(2020, 1, 4))
    pages = follow(client, path, "next")
    told = [one for page in pages for one in page]
    assert len(told) == len(set(told)) == (60 if path == "/feed" else 30)
    assert all(len(page) == 7 for page in pages[:-1])
    assert pages[-1]


def test_previous_leads_back_over_the_same_pages(client: Client) -> None:
    amended_law("ley-900-2019", 21)
    pages, address, last = [], "/feed", ""
    while address:
        ids, links = read(client, address)
        pages.append(ids)
        last, address = address, links.get("next", "").removeprefix(SITE)
    assert follow(client, last, "previous") == pages[::-1]


def test_every_page_says_where_the_feed_begins(client: Client) -> None:
    amended_law("ley-900-2019", 10)
    _ids, newest_page = read(client, "/feed")
    _ids, oldest_page = read(client, newest_page["next"].removeprefix(SITE))
    for links in (newest_page, oldest_page):
        assert (links["first"], links["current"], links["alternate"]) == (f"{SITE}/feed", f"{SITE}/feed", f"{SITE}/")
    assert "previous" not in newest_page
    assert "next" not in oldest_page


def test_what_comes_meanwhile_neither_repeats_nor_hides_an_entry(client: Client) -> None:
    amended_law("ley-900-2019", 20)
    seen, links = read(client, "/feed")
    amended_law("ley-901-2019", 5, first=date(2025, 1, 1))
    rest = follow(client, links["next"], "next")
    told = [*seen, *(one for page in rest for one in page)]
    assert len(told) == len(set(told)) == 20
    ids, _links = read(client, "/feed")
    assert sum("ley-901-2019" in one for one in ids) == 5


def test_the_newest_are_those_of_the_whole_corpus(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        amended_law(f"ley-90{number}-2019", 6, first=date(2020 + number, 1, 1))
    Law.objects.filter(key="ley-900-2019").update(source_updated_at=datetime(2020, 6, 1, tzinfo=UTC))
    whole = latest(None, 100)
    for looked_at in (1, 2, 3, 200):
        monkeypatch.setattr(amendments, "LAWS_LOOKED_AT", looked_at)
        for limit in (1, 5, 8, 30):
            assert [one.place for one in amendments.newest(limit)] == [one.place for one in whole[:limit]]


def test_recently_read_laws_are_enough_where_they_tell_of_the_newest(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    amended_law("ley-900-2019", 9, first=date(2024, 1, 1))
    old = amended_law("ley-901-2019", 9)
    Law.objects.filter(pk=old.pk).update(source_updated_at=datetime(2021, 1, 1, tzinfo=UTC))
    monkeypatch.setattr(amendments, "LAWS_LOOKED_AT", 2)
    with django_assert_num_queries(3):
        assert {one.law.key for one in amendments.newest(8)} == {"ley-900-2019"}


def test_an_amendment_is_known_no_later_than_its_source() -> None:
    amended_law("ley-900-2019", 1, first=date(2040, 1, 1), published=date(2025, 5, 5))
    amended_law("ley-901-2019", 1, first=date(2041, 1, 1))
    ArticleVersion.objects.filter(amended_by__startswith="BOE-A-2020", article__law__key="ley-901-2019").update(
        published=None
    )
    assert [(one.law.key, one.told) for one in latest(None, 9)] == [
        ("ley-901-2019", date(2026, 2, 1)),
        ("ley-900-2019", date(2025, 5, 5)),
    ]


def test_before_and_after_a_place_are_all_the_others() -> None:
    amended_law("ley-900-2019", 9, published=date(2024, 1, 1))
    amended_law("ley-901-2019", 9, published=date(2024, 1, 1))
    whole = latest(None, 100)
    assert [one.place for one in whole] == sorted(
        (one.place for one in whole), key=lambda place: (-place.day.toordinal(), place.law, place.norm)
    )
    assert all(one.place != two.place for one, two in pairwise(whole))
    for at, one in enumerate(whole):
        around = [*newer(None, 100, one.place), one, *latest(None, 100, one.place)]
        assert [two.place for two in around] == [two.place for two in whole]
        assert len(newer(None, 2, one.place)) == min(2, at)


@pytest.mark.parametrize(
    "given", ["after=x", "before=2025-01-01", "after=2025-13-01~2025-01-01~ley-1-2019~B", "after=%00~"]
)
def test_what_is_no_place_is_named(client: Client, given: str) -> None:
    response = client.get(f"/feed?{given}")
    assert response.status_code == 400
    assert given.split("=")[0] in response.content.decode()


def test_a_page_may_not_be_both_before_and_after(client: Client) -> None:
    place = "2025-01-01~2025-01-01~ley-1-2019~B"
    assert client.get("/feed", {"after": place, "before": place}).status_code == 400

"""What is held: per law and in all, sorted, narrowed, paged, as CSV; and what is known to be missing."""

from __future__ import annotations

import csv
import io
import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, quote_plus

import pytest
from django.core.cache import cache
from django.core.management import call_command

from corpus import coverage
from corpus.gaps import gaps
from corpus.models import Article, ChunkEmbedding, CorpusChange, EmbeddingModel, Law, LawCoverage
from tests.api_client import get
from tests.law_builder import Redaction, add_article, add_law
from tests.test_pages import words

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]


@pytest.fixture(autouse=True)
def _fresh_counts() -> None:
    cache.clear()


@pytest.fixture
def law() -> Law:
    """A law that lacks articles 3 and 4, a vector, and some of its source's text."""
    whole = add_law(
        "ley-900-2019",
        {
            "art-1": [Redaction("Uno.", date(2019, 2, 1), date(2020, 1, 1)), Redaction("Uno bis.", date(2020, 1, 2))],
            "art-2": "Véase el artículo 7 de la Ley 58/2003.",
            "art-5": "Cinco.",
        },
        characters_in_source=1000, characters_kept=990, warnings=[{"kind": "x"}], source_sha256="ab" * 32,
        source_updated_at=datetime(2025, 5, 1, tzinfo=UTC), boe_id="BOE-A-2019-90000",
    )  # fmt: skip
    add_law("rd-1-2001", {"art-1": "Otro."}, characters_in_source=10, characters_kept=10, history="current_only")
    call_command("embed_chunks", verbosity=0)
    call_command("index_corpus", verbosity=0)
    call_command("link_citations", verbosity=0)
    ChunkEmbedding.objects.filter(
        sha256__in=whole.articles.get(key="art-5").versions.get().chunks.values("sha256")
    ).delete()
    return whole


@pytest.mark.parametrize(
    ("keys", "missing"),
    [
        (["art-1", "art-2", "art-3"], []),
        (["art-11", "art-13"], ["art-12"]),
        (["art-1", "art-9"], ["art-2–art-8"]),
        (["art-2", "art-2-bis", "art-3"], []),
        (["art-1-bis", "art-3~2"], ["art-2"]),
        (["art-unico", "df-unica", "anexo-i", "anexo-iii", "preambulo"], []),
        (["norma.art-1", "art-1", "norma.art-3"], ["norma.art-2"]),
        (["dt-1", "dt-4", "da-1", "da-2"], ["dt-2–dt-3"]),
        (["art-111-1", "art-112-1", "art-211-1"], []),
        (["art-10", "art-10-1", "art-12"], ["art-11"]),
    ],
)
def test_numbers_missing_between_provisions_are_named(keys: list[str], missing: list[str]) -> None:
    assert gaps(keys) == missing


def test_every_fact_of_a_law_is_told(law: Law) -> None:
    row = get("/coverage")["items"][0]
    fetched = row.pop("fetched_at")
    assert fetched.startswith("2026-01-01")
    assert row == {
        "id": "ley-900-2019",
        "boe_id": "BOE-A-2019-90000",
        "title": "Ley inventada ley-900-2019",
        "short_title": "",
        "rank": "ley",
        "jurisdiction": "es",
        "status": "in_force",
        "articles": 3,
        "versions": 4,
        "first_day": "2019-02-01",
        "last_day": "2020-01-02",
        "history": "full",
        "gaps": ["art-3–art-4"],
        "characters_in_source": 1000,
        "characters_kept": 990,
        "completeness": 0.99,
        "warnings": 1,
        "chunks": 4,
        "chunks_without_vector": 1,
        "is_indexed": True,
        "source": "test",
        "source_url": "https://www.boe.es/buscar/act.php?id=BOE-A-2019-90000",
        "fetched_from": None,
        "source_updated_at": "2025-05-01T00:00:00Z",
        "source_sha256": "ab" * 32,
        "url": "/ley-900-2019",
    }


def test_the_whole_corpus_is_told_in_numbers(law: Law) -> None:
    body = get("/coverage", limit=1)
    assert (body["total"], len(body["items"])) == (2, 1)
    assert body["totals"] == {
        "laws": 2,
        "articles": 4,
        "versions": 5,
        "chunks": 5,
        "chunks_without_vector": 1,
        "characters_in_source": 1010,
        "characters_kept": 1000,
        "incomplete_laws": 1,
        "laws_with_gaps": 1,
        "laws_without_history": 1,
    }
    newest = CorpusChange.objects.latest("revision").revision
    assert body["derived"] == {
        "corpus_revision": newest,
        "index_revision": newest,
        "index_lag": 0,
        "citations_revision": newest,
        "embedding_model": "hashing-64",
    }
    assert body["most_cited_absent"] == [{"law": "ley-58-2003", "citations": 1}]
    assert [told.split(",")[0] for told in body["not_covered"]] == [
        "Las normas españolas que sólo modifican otras: el BOE no las consolida",
        "Sentencias",
        "La historia de 1 norma",
    ]


def test_an_empty_corpus_is_told_too(client: Client) -> None:
    body = get("/coverage")
    assert (body["items"], body["total"], body["totals"]["chunks"], body["derived"]["index_revision"]) == (
        [],
        0,
        0,
        None,
    )
    assert client.get("/coverage").status_code == 200


def test_a_change_is_counted_at_the_next_look(law: Law) -> None:
    get("/coverage")
    add_article(law, "art-3", "Tres.")
    add_article(law, "art-4", "Cuatro.")
    CorpusChange.objects.create(law_id=law.pk)
    row = get("/coverage")["items"][0]
    assert (row["articles"], row["gaps"], row["is_indexed"]) == (5, [], False)
    law.delete()
    assert [row["id"] for row in get("/coverage")["items"]] == ["rd-1-2001"]


def test_vectors_are_counted_at_once_where_texts_changed_and_now_and_then_while_they_are_made(law: Law) -> None:
    def lacking() -> list[int]:
        body = get("/coverage")
        return [*(row["chunks_without_vector"] for row in body["items"]), body["totals"]["chunks_without_vector"]]

    assert lacking() == [1, 0, 1]
    call_command("embed_chunks", verbosity=0)
    assert lacking() == [1, 0, 1]
    add_law("rd-2-2001", {"art-1": "Otro más."})
    CorpusChange.objects.create(law_id=Law.objects.get(key="rd-2-2001").pk)
    assert lacking() == [0, 0, 1, 1]


def test_without_a_model_every_chunk_lacks_its_vector(law: Law) -> None:
    EmbeddingModel.objects.update(state=EmbeddingModel.State.RETIRED)
    body = get("/coverage", lacking="vectors")
    assert [(row["id"], row["chunks_without_vector"]) for row in body["items"]] == [
        ("ley-900-2019", 4),
        ("rd-1-2001", 1),
    ]
    assert body["totals"]["chunks_without_vector"] == body["totals"]["chunks"] == 5


def test_only_what_changed_is_counted_anew(law: Law) -> None:
    assert coverage.catch_up() == 2
    assert coverage.catch_up() == 0
    CorpusChange.objects.create(law_id=law.pk, article_id=Article.objects.filter(law=law)[0].pk)
    assert coverage.catch_up() == 1
    LawCoverage.objects.all().delete()
    assert coverage.catch_up() == 2


@pytest.mark.parametrize(
    ("sort", "first"),
    [("id", "ley-900-2019"), ("-id", "rd-1-2001"), ("articles", "rd-1-2001"), ("-articles", "ley-900-2019"),
     ("completeness", "ley-900-2019"), ("-gaps", "ley-900-2019"), ("gaps", "rd-1-2001"),
     ("source_updated_at", "ley-900-2019"), ("-source_updated_at", "ley-900-2019"), ("-warnings", "ley-900-2019")],
)  # fmt: skip
def test_laws_are_sorted_and_unknown_values_come_last(sort: str, first: str, law: Law) -> None:
    assert get("/coverage", sort=sort)["items"][0]["id"] == first


@pytest.mark.parametrize(
    ("lacking", "found"),
    [("characters", ["ley-900-2019"]), ("numbers", ["ley-900-2019"]), ("history", ["rd-1-2001"]),
     ("vectors", ["ley-900-2019"])],
)  # fmt: skip
def test_laws_that_lack_something_are_found(lacking: str, found: list[str], law: Law) -> None:
    assert [row["id"] for row in get("/coverage", lacking=lacking)["items"]] == found


@pytest.mark.parametrize("parameter", ["sort", "lacking"])
def test_a_choice_that_is_none_is_refused_by_name(parameter: str, client: Client) -> None:
    body = get("/coverage", expect=422, **{parameter: "color"})
    assert (body["code"], body["parameter"]) == ("unknown_value", parameter)
    assert client.get("/coverage", {parameter: "color"}).status_code == 400
    assert client.get("/coverage.csv", {parameter: "color"}).status_code == 400


def test_following_next_sees_each_law_once(law: Law, client: Client) -> None:
    for number in range(5):
        add_law(f"ley-{number}-2000", {"art-1": f"Texto {number}."})
    seen: list[str] = []
    address: str | None = "/api/v1/coverage?limit=2&sort=-chunks"
    while address:
        body = client.get(address).json()
        seen += [row["id"] for row in body["items"]]
        address = body["next"]
    assert (len(seen), set(seen)) == (7, set(Law.objects.values_list("key", flat=True)))


@pytest.mark.parametrize(("path", "queries"), [("/coverage", 16), ("/api/v1/coverage", 16)])
def test_a_look_costs_the_same_for_many_laws(
    path: str, queries: int, law: Law, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(path)
    cache.clear()
    with django_assert_num_queries(queries):
        client.get(path)
    for number in range(60):
        add_law(f"ley-{number}-2000", {"art-1": f"Texto {number}."})
    client.get(path)
    cache.clear()
    with django_assert_num_queries(queries):
        client.get(path)


def test_the_page_sorts_narrows_and_leads_on(law: Law, client: Client) -> None:
    for number in range(60):
        add_law(f"ley-{number:02}-2000", {"art-1": f"Texto {number}."})
    page = client.get("/coverage?sort=-gaps").content.decode()
    assert 'aria-sort="descending"><a href="/coverage?sort=gaps">Saltos de numeración' in page
    assert "art-3–art-4" in page
    assert 'href="/coverage?sort=-gaps&amp;offset=50"' in page
    assert 'href="/coverage?sort=-gaps&amp;lacking=numbers"' in page
    assert 'href="/coverage.csv?sort=-gaps"' in page
    assert "99,00 %" in page
    assert "Ley 58/2003 <code>ley-58-2003</code> · 1 cita" in page


def test_the_page_is_written_for_lawyers(law: Law, client: Client) -> None:
    Law.objects.filter(pk=law.pk).update(source="akn")
    add_article(law, "art-3", "Véase el artículo 14 de la Constitución.")
    CorpusChange.objects.create(law_id=law.pk)
    call_command("link_citations", verbosity=0)
    read = words(client.get("/coverage").content.decode())
    assert (
        "Fragmentos en que se busca 6 Fragmentos por preparar 2 Búsqueda por palabras 1 cambio por incorporar" in read
    )
    assert "2 de 5 aún no se encuentra Akoma Ntoso 01/05/2025" in read
    assert "Constitución Española ce · 1 cita" in read
    english = words(client.get("/coverage", headers={"Accept-Language": "en"}).content.decode())
    assert "Passages searched 6 Passages to be prepared 2 Search by words 1 change to be taken in" in english
    for page in (read, english):
        assert not re.search(r"vector|l[eé]xic|index|[ií]ndice|chunk", page, re.IGNORECASE)


@pytest.mark.parametrize(
    ("name", "found"),
    [("INVENTADA", ["ley-900-2019", "rd-1-2001"]), ("inventada rd-1", ["rd-1-2001"]),
     ("entada", []), ("(Invent)", ["ley-900-2019", "rd-1-2001"]), ("«»", []),
     ("Ley 900/2019", ["ley-900-2019"]), ("BOE-A-2019-90000", ["ley-900-2019"]),
     ("art. 1 Ley 900/2019", []), ("nada de eso", [])],
)  # fmt: skip
def test_a_law_is_found_by_its_name(name: str, found: list[str], law: Law, client: Client) -> None:
    page = client.get("/coverage", {"q": name, "sort": "-articles"}).content.decode()
    assert sorted(re.findall(r"</a> <code>([^<]+)</code>", page)) == found
    assert (f'<a href="/?q={quote(name)}">Buscarlo en los textos</a>' in page) is (not found)
    assert f'name="q" value="{name}"' in page
    assert '<input type="hidden" name="sort" value="-articles">' in page
    assert f"/coverage.csv?q={quote_plus(name)}&amp;sort=-articles" in page


def test_past_the_last_page_a_law_that_is_held_is_not_said_to_be_missing(law: Law, client: Client) -> None:
    page = client.get("/coverage?q=Ley+900/2019&offset=50").content.decode()
    assert "1 norma ·" in page
    assert '<a class="button" rel="prev" href="/coverage?q=Ley+900%2F2019">' in page
    assert "Ninguna norma" not in page
    assert "51–50" not in page


def test_everything_is_taken_away_as_csv(law: Law, client: Client) -> None:
    response: Any = client.get("/coverage.csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))
    assert [row["id"] for row in rows] == ["ley-900-2019", "rd-1-2001"]
    assert (rows[0]["gaps"], rows[0]["chunks_without_vector"]) == ("art-3–art-4", "1")
    assert list(rows[0]) == list(get("/coverage")["items"][0])


def test_a_title_is_no_formula_in_a_spreadsheet(client: Client) -> None:
    add_law("ley-1-2000", {"art-1": "Uno."}, title='=HYPERLINK("http://x")')
    response: Any = client.get("/coverage.csv")
    rows = list(csv.DictReader(io.StringIO(b"".join(response.streaming_content).decode())))
    assert rows[0]["title"] == '\'=HYPERLINK("http://x")'

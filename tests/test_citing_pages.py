"""Citations on pages: links in the text, what a provision cites, and what cites it, each with its version."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from django.test import Client

from corpus.models import Article
from search.citation_linking import link
from tests.law_builder import Redaction, add_article, add_law

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from corpus.models import Law

pytestmark = pytest.mark.django_db

CITING = (
    "1. Según el artículo 2 de esta Ley y el artículo 9 de la Ley 1/1999.\n"
    "2. Los artículos 3 y 4; el apartado anterior."
)


@pytest.fixture
def law() -> Law:
    made = add_law(
        "ley-900-2019",
        {
            "art-1": CITING,
            "art-2": "Dos.",
            "art-3": [
                Redaction("El artículo 2.", date(2019, 2, 1), date(2020, 12, 31)),
                Redaction("Del artículo 2.", date(2021, 1, 1)),
            ],
            "art-4": "Cuatro.",
        },
        number="900/2019",
        title="Ley 900/2019, de prueba.",
    )
    link()
    return made


def html_of(path: str, status: int = 200) -> str:
    response = Client().get(path)
    assert response.status_code == status
    return response.content.decode()


def links(html: str) -> list[tuple[str, str]]:
    """Give the links inside the law's text."""
    return re.findall(r'<a class="cited" href="([^"]*)">(.*?)</a>', html)


def listed(html: str, heading: str) -> list[str]:
    """Give the lines of a list, as they are read."""
    found = re.search(rf'<h2 id="{heading}">.*?<ul.*?</ul>', html, re.DOTALL)
    lines = re.findall(r"<li>(.*?)</li>", found[0], re.DOTALL) if found else []
    return [" ".join(re.sub(r"<[^>]+>", " ", line).split()) for line in lines]


def test_citations_in_a_text_are_links(law: Law) -> None:
    assert links(html_of("/ley-900-2019:art-1")) == [
        ("/ley-900-2019:art-2", "artículo 2 de esta Ley"),
        ("/ley-900-2019:art-3", "3"),
        ("/ley-900-2019:art-4", "4"),
        ("/ley-900-2019:art-1.1", "apartado anterior"),
    ]


def test_links_of_a_dated_page_keep_the_day(law: Law) -> None:
    assert links(html_of("/ley-900-2019:art-3@2020-01-01")) == [("/ley-900-2019:art-2@2020-01-01", "artículo 2")]


def test_every_link_leads_to_a_page(law: Law) -> None:
    for address, _words in links(html_of("/ley-900-2019:art-1")):
        html_of(address)


def test_a_page_lists_what_it_cites_and_not_itself(law: Law) -> None:
    assert listed(html_of("/ley-900-2019:art-1"), "cites") == [
        "art. 2 Ley 900/2019", "art. 9 Ley 1/1999 no está en este corpus", "art. 3 Ley 900/2019", "art. 4 Ley 900/2019",
    ]  # fmt: skip


def test_a_part_lists_only_its_own(law: Law) -> None:
    html = html_of("/ley-900-2019:art-1.2")
    assert listed(html, "cites") == ["art. 3 Ley 900/2019", "art. 4 Ley 900/2019"]
    assert ("/ley-900-2019:art-2", "artículo 2 de esta Ley") not in links(html)


def test_a_page_lists_what_cites_it_with_the_version_that_does(law: Law) -> None:
    html = html_of("/ley-900-2019:art-2")
    assert listed(html, "cited-by") == [
        "art. 1 Ley 900/2019 desde el 01/02/2019",
        "art. 3 Ley 900/2019 desde el 01/01/2021",
    ]
    assert "2 preceptos" in html
    then = listed(html_of("/ley-900-2019:art-2@2020-01-01"), "cited-by")
    assert then == ["art. 1 Ley 900/2019 desde el 01/02/2019", "art. 3 Ley 900/2019 del 01/02/2019 al 31/12/2020"]


def test_days_that_are_not_known_are_not_told(law: Law) -> None:
    add_law("ley-901-2019", {"art-1": [Redaction("El artículo 2 de la Ley 900/2019.", None)]}, history="current_only")
    link()
    assert listed(html_of("/ley-900-2019:art-2"), "cited-by")[-1] == "art. 1 Ley inventada ley-901-2019"


def test_a_provision_that_nothing_cites_says_nothing(law: Law) -> None:
    add_article(law, "art-5", "Cinco.")
    assert '<div class="citations">' not in html_of("/ley-900-2019:art-5")


def test_text_beside_links_never_becomes_markup(law: Law) -> None:
    add_article(law, "art-6", "<b>El artículo 2</b> & <script>x</script> el artículo 4<img src=x>")
    link(rebuild=True)
    Article.objects.filter(law=law, key="art-4").update(heading="<i>rúbrica</i>")
    html = html_of("/ley-900-2019:art-6")
    assert [words for _address, words in links(html)] == ["artículo 2", "artículo 4"]
    assert not re.search(r"<script>|<img|<b>|<i>", html)


ALL = re.compile(r'<ul class="plain cited-lines">(.*?)</ul>', re.DOTALL)


def all_listed(path: str) -> list[str]:
    """Give the lines of the page of all that cites something, as they are read."""
    lines = re.findall(r"<li>(.*?)</li>", "".join(ALL.findall(html_of(path))), re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", line).split()) for line in lines]


class TestLinesThatLookAlike:
    @pytest.fixture
    def alike(self, law: Law) -> None:
        """Two regions' laws of one number, and two texts that one norm approves, cite article 4; one of them often."""
        for key in ("es-ga-ley-5-2002", "es-ct-ley-5-2002"):
            add_law(
                key,
                {"art-1": "Véase el artículo 4 de la Ley 900/2019."},
                rank="ley",
                number="5/2002",
                jurisdiction=key[:5],
            )
        approving = add_law("rd-1-2001", rank="rd", number="1/2001")
        for key in ("carta.art-1", "estatuto.art-1"):
            often = "El artículo 4 de la Ley 900/2019. " * (3 if key.startswith("carta") else 1)
            add_article(approving, key, often, label="Artículo 1")
        link()

    def test_what_cites_is_told_apart_by_its_id_and_told_once(self, alike: None) -> None:
        days = "desde el 01/02/2019"
        assert all_listed("/ley-900-2019:art-4/cited_by") == listed(html_of("/ley-900-2019:art-4"), "cited-by") == [
            f"art. 1 Ley 5/2002 es-ct-ley-5-2002:art-1 {days}",
            f"art. 1 Ley 5/2002 es-ga-ley-5-2002:art-1 {days}",
            f"art. 1 Ley 900/2019 {days}",
            f"art. 1 Real Decreto 1/2001 rd-1-2001:carta.art-1 {days} · 3 citas",
            f"art. 1 Real Decreto 1/2001 rd-1-2001:estatuto.art-1 {days}",
        ]  # fmt: skip
        assert "Preceptos 1–5 de 5" in html_of("/ley-900-2019:art-4/cited_by")

    def test_what_is_cited_is_told_apart_by_its_id(self, alike: None, law: Law) -> None:
        add_article(law, "art-5", "La Ley 5/2002, de Cataluña, y la Ley 5/2002, de Galicia.")
        link(rebuild=True)
        assert listed(html_of("/ley-900-2019:art-5"), "cites") == [
            f"Ley 5/2002 {key} Ley inventada {key}" for key in ("es-ct-ley-5-2002", "es-ga-ley-5-2002")
        ]

    def test_who_cites_often_leaves_room_for_others(self, law: Law) -> None:
        add_law("ley-1-2000", {"art-1": "El artículo 4 de la Ley 900/2019. " * 80}, number="1/2000")
        link()
        assert listed(html_of("/ley-900-2019:art-4"), "cited-by") == [
            "art. 1 Ley 1/2000 desde el 01/02/2019 · 80 citas", "art. 1 Ley 900/2019 desde el 01/02/2019",
        ]  # fmt: skip


class TestAllThatCites:
    @pytest.fixture
    def many(self, law: Law) -> Law:
        for n in range(10, 140):
            add_article(law, f"art-{n}", f"Texto {n}, según el artículo 4.")
        link(rebuild=True)
        return law

    def test_a_page_shows_some_and_leads_to_all(self, many: Law) -> None:
        html = html_of("/ley-900-2019:art-4")
        assert len(listed(html, "cited-by")) == 12
        assert "131 preceptos" in html
        assert 'href="/ley-900-2019:art-4/cited_by"' in html

    def test_the_list_goes_on_from_page_to_page(self, many: Law) -> None:
        seen, address = [], "/ley-900-2019:art-4/cited_by"
        while address:
            html = html_of(address)
            seen += re.findall(r'<a href="(/ley-900-2019:art-\d+)">art\.', html)
            following = re.search(r'rel="next" href="([^"]+)"', html)
            address = following[1].replace("&amp;", "&") if following else ""
        assert len(seen) == len(set(seen)) == 131

    def test_past_its_end_the_list_is_empty(self, law: Law) -> None:
        assert "Ningún texto en vigor" in html_of("/ley-900-2019:art-4/cited_by?offset=5000")

    def test_a_law_has_such_a_page_too(self, law: Law) -> None:
        add_law("ley-901-2019", {"art-1": "La Ley 900/2019."}, number="901/2019")
        link()
        assert 'href="/ley-901-2019:art-1"' in html_of("/ley-900-2019/cited_by")

    @pytest.mark.parametrize(
        ("path", "status"),
        [
            ("/ley-900-2019:art-99/cited_by", 404),
            ("/ley-1-1999/cited_by", 404),
            ("/no es un id/cited_by", 404),
            ("/ley-900-2019:art-2/cited_by?offset=-1", 400),
            ("/ley-900-2019:art-2/cited_by?offset=x", 400),
        ],
    )
    def test_what_is_not_there_says_so(self, law: Law, path: str, status: int) -> None:
        html_of(path, status)

    def test_queries_do_not_grow(self, many: Law, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        for path, queries in (("/ley-900-2019:art-4", 14), ("/ley-900-2019:art-4/cited_by", 8)):
            with django_assert_num_queries(queries):
                html_of(path)

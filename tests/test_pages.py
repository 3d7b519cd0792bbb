"""The pages of laws and provisions: exact text, dated, at one address each, and honest where there is none."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from functools import partial
from urllib.parse import unquote

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils.html import escape
from django.views import defaults

from corpus.models import Article, ArticleVersion, Law
from search.lookup import lookup
from tests.law_builder import Redaction, add_article, add_law, add_version

pytestmark = pytest.mark.django_db

OLD, NEW = (
    "Se reconoce la gran invalidez.",
    "1. Se reconoce la gran incapacidad.\n2. Otros grados:\na) Total.\nb) Parcial.",
)


@pytest.fixture
def law() -> Law:
    """An invented law with an amended, a repealed and a coming provision."""
    return add_law(
        "ley-900-2019",
        {
            "art-1": "Objeto.",
            "art-5": [
                Redaction(OLD, date(2019, 2, 1), date(2025, 4, 30)),
                Redaction(NEW, date(2025, 5, 1)),
            ],
            "art-7": [
                Redaction("Texto que rigió.", date(2019, 2, 1), date(2023, 12, 31)),
                Redaction("(Derogado)", date(2024, 1, 1), status="repealed"),
            ],
            "art-8": [Redaction("Texto que regirá.", date(2999, 1, 1))],
        },
        title="Ley 900/2019, de 1 de febrero, de prueba.",
        number="900/2019",
        boe_id="BOE-A-2019-900",
        valid_from=date(2019, 2, 1),
    )


def page(client: Client, path: str, status: int = 200, language: str = "es") -> str:
    """Get a page that is whole, and give its HTML."""
    response = client.get(path, headers={"Accept-Language": language})
    assert response.status_code == status, response
    html = response.content.decode()
    assert html.startswith("<!doctype html>")
    return html


def words(html: str) -> str:
    """Give what a reader reads of a page's main part."""
    main = re.search(r"<main.*?</main>", html, re.DOTALL)
    assert main
    return " ".join(re.sub(r"<[^>]+>|¶", " ", main[0]).split())


# Provisions


def test_a_provision_shows_its_text_its_days_and_its_citation(client: Client, law: Law):
    read = words(page(client, "/ley-900-2019:art-5"))
    for expected in (
        "Artículo 5",
        law.title,
        "vigente",
        "ley-900-2019:art-5",
        "gran incapacidad",
        "desde el 01/05/2025",
    ):
        assert expected in read
    assert "gran invalidez" not in read


def test_an_old_version_says_which_days_it_ran_and_leads_to_the_current(client: Client, law: Law):
    html = page(client, "/ley-900-2019:art-5?as_of=2020-01-01")
    assert "Redacción anterior: rigió del 01/02/2019 al 30/04/2025." in words(html)
    assert 'href="/ley-900-2019:art-5">Ver la redacción vigente<' in html
    assert OLD in html
    assert "gran incapacidad" not in html


@pytest.mark.parametrize("path", ["/ley-900-2019:art-5?as_of=2020-01-01", "/ley-900-2019:art-5@2020-01-01"])
def test_the_day_is_kept_in_links_to_the_law_and_the_neighbours(client: Client, law: Law, path: str):
    html = page(client, path)
    for kept in ("/ley-900-2019@2020-01-01", "/ley-900-2019:art-1@2020-01-01", "/ley-900-2019:art-7@2020-01-01"):
        assert f'href="{kept}"' in html


def test_a_repealed_provision_opens_with_its_last_text_under_a_banner(client: Client, law: Law):
    read = words(page(client, "/ley-900-2019:art-7"))
    assert "Derogado: este texto ya no rige. Es el último que estuvo en vigor, hasta el 31/12/2023." in read
    assert "Texto que rigió." in read


@pytest.mark.parametrize(
    ("path", "title", "cited"),
    [
        ("art-5", "Artículo 5 · ", ""),
        ("art-5@2025-06-01", "Artículo 5 · ", ""),
        ("art-5@2020-01-01", "Artículo 5 (redacción anterior, del 01/02/2019 al 30/04/2025) · ",
         ", redacción vigente del 01/02/2019 al 30/04/2025"),
        ("art-7", "Artículo 7 (derogado, del 01/02/2019 al 31/12/2023) · ",
         ", redacción vigente del 01/02/2019 al 31/12/2023"),
        ("art-8", "Artículo 8 (aún no vigente, desde el 01/01/2999) · ", ", redacción vigente desde el 01/01/2999"),
    ],
)  # fmt: skip
def test_a_text_that_is_not_of_today_is_never_titled_or_cited_as_if_it_were(
    client: Client, law: Law, path: str, title: str, cited: str
):
    html = page(client, f"/ley-900-2019:{path}")
    assert f"<title>{title}Ley 900/2019" in html
    number = path[4]
    whole = f"art. {number} de la Ley 900/2019, de 1 de febrero, de prueba (BOE-A-2019-900){cited}"
    assert f'data-copy="{whole}">Copiar la cita<' in html
    assert f'data-copy="art. {number} Ley 900/2019{cited}"' in html


def test_a_copied_citation_of_an_old_text_is_read_as_that_text(client: Client, law: Law):
    html = page(client, "/ley-900-2019:art-5@2020-01-01")
    copied = re.findall(r'data-copy="(art\. 5 [^"\n]+)"', html)
    assert copied
    assert {lookup(words).valid_from for words in copied} == {date(2019, 2, 1)}


def test_a_text_of_unknown_days_is_copied_with_the_day_its_source_tells_of(client: Client):
    add_law("ley-901-2020", {"art-1": [Redaction("Texto.", None)]}, title="Ley 901/2020", history="current_only",
            source_updated_at=datetime(2026, 1, 2, 23, 30, tzinfo=UTC))  # fmt: skip
    html = page(client, "/ley-901-2020:art-1")
    assert "art. 1 de la Ley 901/2020, texto consolidado a 03/01/2026.\n" in html
    assert "sin fecha conocida" not in html
    assert "la actual; no consta desde cuándo rige" in words(html)


def test_a_redaction_without_text_says_whose_fault_it_is(client: Client):
    empty = [Redaction(OLD, date(2019, 2, 1), date(2025, 4, 30)), Redaction("", date(2025, 5, 1))]
    add_law("ley-902-2019", {"art-1": empty}, title="Ley 902/2019.")
    assert "La fuente da esta redacción sin texto, y no dice por qué." in page(client, "/ley-902-2019:art-1")
    assert "sin texto" not in page(client, "/ley-902-2019:art-1@2020-01-01")
    answer = lookup("ley-902-2019:art-1")
    assert (answer.outcome, answer.text) == ("found", "")
    assert answer.detail == "La fuente da esta redacción sin texto, y no dice por qué."
    file = b"".join(client.get("/ley-902-2019/download.txt")).decode()
    assert "[La fuente da esta redacción sin texto, y no dice por qué.]" in file


def test_a_coming_text_is_unmistakable(client: Client, law: Law):
    assert "Aún no vigente: empieza a regir el 01/01/2999." in words(page(client, "/ley-900-2019:art-8"))


def test_a_part_is_shown_alone_with_the_words_that_introduce_it(client: Client, law: Law):
    read = words(page(client, "/ley-900-2019:art-5.2.a"))
    assert "2. Otros grados: a) Total." in read
    assert "Parcial" not in read
    assert "Ver completo: Artículo 5" in read


def test_parts_have_anchors_and_nest(client: Client, law: Law):
    html = page(client, "/ley-900-2019:art-5")
    assert re.findall(r'<div class="unit" id="([^"]+)">', html) == ["1", "2", "2.a", "2.b"]


def test_what_does_not_resolve_is_said(client: Client, law: Law):
    read = words(page(client, "/ley-900-2019:art-5.2.a.3"))
    assert "No se ha podido resolver «3»." in read
    assert "a) Total." in read


def test_a_table_is_a_table_with_its_header(client: Client, law: Law):
    article = add_article(law, "art-9", "Recargos:\nRetraso\tRecargo\n13 meses\t15 por 100\nFin.")
    cells = [[{"start": 10, "end": 17}, {"start": 18, "end": 25}], [{"start": 26, "end": 34}, {"start": 35, "end": 45}]]
    article.versions.update(blocks=[
        {"kind": "paragraph", "start": 0, "end": 9, "style": "parrafo", "rows": [], "marks": []},
        {"kind": "table", "start": 10, "end": 45, "style": "", "rows": cells, "marks": []},
        {"kind": "paragraph", "start": 46, "end": 50, "style": "parrafo", "rows": [], "marks": []},
    ])  # fmt: skip
    html = page(client, "/ley-900-2019:art-9")
    assert '<th scope="col">Retraso</th><th scope="col">Recargo</th>' in html
    assert "<td>13 meses</td><td>15 por 100</td>" in html
    assert "13 meses15" not in words(html)


def test_br_67_text_of_the_law_never_becomes_markup(client: Client, law: Law):
    add_article(law, "art-9", "1. tipo <img src=x onerror=alert(1)\n2. <script>x</script>", heading="<b>rúbrica</b>")
    html = page(client, "/ley-900-2019:art-9")
    assert "tipo &lt;img src=x onerror=alert(1)" in html
    assert escape("<b>rúbrica</b>") in html
    assert not re.search(r"<img|<script>|<b>", html)


def test_br_72_a_deep_link_outlives_an_inserted_article(client: Client, law: Law):
    before = words(page(client, "/ley-900-2019:art-7"))
    Article.objects.filter(law=law, position__gte=3).order_by("-position").update(position=99)
    add_article(law, "art-5-bis", "Nuevo.", position=3)
    assert "Texto que rigió." in before
    assert "Texto que rigió." in words(page(client, "/ley-900-2019:art-7"))


def test_br_72_a_dated_permalink_keeps_the_old_text_after_a_new_version(client: Client, law: Law):
    add_version(Article.objects.get(law=law, key="art-1"), Redaction("Objeto nuevo.", date(2026, 1, 1)))
    Article.objects.get(law=law, key="art-1").versions.filter(position=1).update(valid_to=date(2025, 12, 31))
    assert "Objeto." in words(page(client, "/ley-900-2019:art-1@2020-01-01"))


# Addresses


@pytest.mark.parametrize(
    ("asked", "canonical"),
    [
        ("/LEY-900-2019:ART-5.2.A", "/ley-900-2019:art-5.2.a"),
        ("/Ley-900-2019", "/ley-900-2019"),
        ("/BOE-A-2019-900:art-5", "/ley-900-2019:art-5"),
        ("/boe-a-2019-900", "/ley-900-2019"),
        ("/LEY-900-2019:art-5?as_of=2020-01-01", "/ley-900-2019:art-5?as_of=2020-01-01"),
        ("/LEY-900-2019:art-5@2020-01-01", "/ley-900-2019:art-5@2020-01-01"),
        ("/LEY-900-2019:art-5.99", "/ley-900-2019:art-5.99"),
        ("/LEY-900-2019:ART-99", "/ley-900-2019:art-99"),
        ("/LEY-28-2014:ART-1", "/ley-28-2014:art-1"),
    ],
)
def test_another_spelling_moves_once_and_for_good(client: Client, law: Law, asked: str, canonical: str):
    moved = client.get(asked)
    assert (moved.status_code, moved["Location"]) == (301, canonical)
    assert client.get(canonical).status_code in (200, 404)


@pytest.mark.parametrize(
    "path", ["//evil.example", "//evil.example/%2e%2e", "/https:%2f%2fevil.example", "/%5cevil.example"]
)
def test_no_path_leads_off_the_site(client: Client, law: Law, path: str):
    response = client.get("/", PATH_INFO=unquote(path))
    assert response.status_code == 404
    assert "Location" not in response


def test_choosing_a_language_leads_nowhere_else(client: Client):
    response = client.post(reverse("set_language"), {"language": "en", "next": "https://evil.example/"})
    assert response["Location"] == "/"


# Outcomes


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/ley-28-2014:art-1", 404, "law_not_in_corpus"),
        ("/ley-900-2019:art-9999", 404, "no_such_provision"),
        ("/ley-900-2019:art-5-bis", 404, "no_such_provision"),
        ("/ley-900-2019:art-5@2010-01-01", 404, "not_in_force"),
        ("/ley-900-2019:art-8?as_of=2020-01-01", 404, "not_in_force"),
        ("/esto%20no%20es%20una%20cita", 404, "unparsable"),
        ("/%00", 404, "unparsable"),
    ],
)
def test_what_is_not_found_says_which_way(client: Client, law: Law, path: str, status: int, said: str):
    assert f"Resultado de la consulta: {said}" in words(page(client, path, status))


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/xyz", "Una cita nombra la norma y el precepto"),
        ("/ley-900-2019:art-5@2020-02-30", "«2020-02-30» no es un día"),
        ("/ley-28-2014:art-1", "Esa norma no está en este corpus"),
        ("/art.%2026", "Falta la norma"),
    ],
)
def test_the_reason_is_said_once(client: Client, law: Law, path: str, said: str):
    assert words(client.get(path).content.decode()).count(said) == 1


def test_an_absent_law_points_to_the_coverage_and_an_absent_provision_to_its_neighbours(client: Client, law: Law):
    assert 'href="/coverage"' in page(client, "/ley-28-2014:art-1", 404).split("<main")[1]
    html = page(client, "/ley-900-2019:art-5-bis", 404)
    assert 'href="/ley-900-2019:art-5"' in html
    assert law.title in html


def test_history_that_is_not_held_is_said(client: Client):
    add_law("ley-901-2020", {"art-1": [Redaction("Texto.", None)]}, history="current_only",
            source_updated_at=datetime(2026, 1, 1, tzinfo=UTC))  # fmt: skip
    assert "history_not_held" in words(page(client, "/ley-901-2020:art-1@2015-01-01", 404))
    part = client.get("/ley-901-2020:art-1.2@2015-01-01")
    assert (part.status_code, part.get("Location")) == (404, None)


def test_history_that_is_not_held_leads_to_who_may_have_it(client: Client):
    add_law("ley-901-2020", {"art-1": [Redaction("Texto.", None)]}, boe_id="BOE-A-2020-1", history="current_only",
            source_updated_at=datetime(2026, 1, 1, tzinfo=UTC))  # fmt: skip
    html = page(client, "/ley-901-2020:art-1@2015-01-01", 404)
    official = re.search(r'Puede constar en la fuente oficial: <a href="([^"]+)"', html)
    assert official
    assert official[1] == "https://www.boe.es/buscar/act.php?id=BOE-A-2020-1"
    assert 'href="/ley-901-2020:art-1">la actual' in html


def test_br_77_a_deleted_law_leaves_a_readable_page(client: Client, law: Law):
    law.delete()
    assert "Esa norma no está en este corpus" in words(page(client, "/ley-900-2019:art-5", 404))


@pytest.mark.parametrize(
    ("path", "parameter"),
    [
        ("/ley-900-2019:art-5?as_of=ayer", "as_of"),
        ("/ley-900-2019:art-5@2020-01-01?as_of=2021-01-01", "as_of"),
        ("/ley-900-2019?offset=-1", "offset"),
        ("/ley-900-2019?offset=abc", "offset"),
        ("/coverage?offset=abc", "offset"),
    ],
)
def test_a_wrong_parameter_is_named(client: Client, law: Law, path: str, parameter: str):
    assert f"Parámetro: {parameter}" in words(page(client, path, 400))


@pytest.mark.parametrize("path", ["/a/b/c", "/ley-900-2019/", "/robots.txt/x"])
def test_an_address_of_nothing_is_a_page_too(client: Client, path: str):
    assert "Aquí no hay nada" in words(page(client, path, 404))


@pytest.mark.parametrize(
    ("answer", "status", "said"),
    [
        (partial(defaults.bad_request, exception=Exception()), 400, "Petición incorrecta"),
        (partial(defaults.permission_denied, exception=Exception()), 403, "Sin permiso"),
        (partial(defaults.page_not_found, exception=Exception()), 404, "Aquí no hay nada"),
        (defaults.server_error, 500, "Algo ha fallado"),
    ],
)
def test_every_failure_has_a_page_of_the_site(rf: RequestFactory, answer, status: int, said: str):
    response = answer(rf.get("/"))
    assert response.status_code == status
    assert said in words(response.content.decode())


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_pages_are_only_read(client: Client, method: str):
    assert getattr(client, method)("/ley-900-2019").status_code == 405


# Laws


def test_a_law_lists_its_provisions_with_their_standing(client: Client, law: Law):
    html = page(client, "/ley-900-2019")
    read = words(html)
    assert law.title in read
    for name, heading in (("art-5", "vigente"), ("art-7", "derogado"), ("art-8", "aún no vigente")):
        assert f'href="/ley-900-2019:{name}"' in html
        assert heading in read
    assert "gran incapacidad" not in read


def test_a_law_is_searched_within(client: Client, law: Law):
    html = page(client, "/ley-900-2019?as_of=2020-01-01")
    assert '<label for="within">Buscar en esta norma</label>' in html
    assert '<input type="hidden" name="law" value="ley-900-2019">' in html
    assert '<input type="hidden" name="as_of" value="2020-01-01">' in html


@pytest.mark.parametrize("path", ["", ":art-1"])
def test_laws_that_share_their_number_lead_to_each_other(client: Client, law: Law, path: str):
    add_law("es-ct-ley-900-2019", {"art-1": "Otro objeto."}, title="Ley 900/2019, de otra parte.", number="900/2019",
            rank="ley", jurisdiction="es-ct")  # fmt: skip
    assert 'href="/es-ct-ley-900-2019"' in page(client, f"/ley-900-2019{path}")
    assert 'href="/ley-900-2019"' in page(client, f"/es-ct-ley-900-2019{path}").split('id="namesakes"')[1]


def test_titles_are_told_once_and_linked(client: Client, law: Law):
    Article.objects.filter(law=law, key__in=["art-5", "art-7"]).update(path=["TÍTULO I. Grados", "CAPÍTULO I. Comunes"])
    Article.objects.filter(law=law, key="art-8").update(path=["TÍTULO I. Grados", "CAPÍTULO II. Otros"])
    html = page(client, "/ley-900-2019")
    assert re.findall(r'<h(\d) class="level-\d" id="([^"]+)">', html) == [
        ("3", "titulo-i-grados"),
        ("4", "titulo-i-grados.capitulo-i-comunes"),
        ("4", "titulo-i-grados.capitulo-ii-otros"),
    ]
    assert 'href="#titulo-i-grados.capitulo-ii-otros"' in html


@pytest.fixture
def long_law() -> Law:
    """A law of 2,000 articles and some 6 MB."""
    law = add_law("ley-902-2020")
    text = "1. " + "Texto largo de la norma. " * 120
    articles = Article.objects.bulk_create(
        Article(law=law, key=f"art-{n}", kind="article", label=f"Artículo {n}", position=n, heading="Rúbrica",
                path=[f"TÍTULO {n // 50}"])
        for n in range(1, 2001)
    )  # fmt: skip
    ArticleVersion.objects.bulk_create(
        ArticleVersion(article=article, position=1, text=text, sha256="0" * 64, valid_from=date(2020, 1, 1))
        for article in articles
    )
    return law


def test_br_74_a_long_law_opens_a_window_at_once(client: Client, long_law: Law, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        html = page(client, "/ley-902-2020")
    assert len(html.encode()) < 60_000
    assert "1–100 de 2000" in words(html)


def test_br_74_every_article_of_a_long_law_is_reached_once(client: Client, long_law: Law):
    found, url = [], "/ley-902-2020"
    while url:
        html = page(client, url)
        found += re.findall(r'<li><a href="/ley-902-2020:(art-\d+)"', html)
        following = re.search(r'rel="next" href="([^"]+)"', html)
        url = following[1] if following else ""
    assert found == [f"art-{n}" for n in range(1, 2001)]


@pytest.mark.parametrize(
    ("articles", "windows", "linked"),
    [(125, [125], []), (126, [100, 26], []), (225, [100, 125], ["100", "100"]), (226, [100, 100, 26], ["100", "100"])],
)
def test_the_last_few_of_a_law_are_no_page_of_their_own(
    client: Client, long_law: Law, articles: int, windows: list[int], linked: list[str]
):
    Article.objects.filter(law=long_law, position__gt=articles).delete()
    counts, url = [], "/ley-902-2020"
    while url:
        html = page(client, url)
        assert len(html.encode()) < 60_000
        counts.append(len(re.findall(r'<li><a href="/ley-902-2020:art-', html)))
        following = re.search(r'rel="next" href="([^"]+)"', html)
        url = following[1] if following else ""
    assert counts == windows
    assert re.findall(r'href="/ley-902-2020\?offset=(\d+)#', page(client, "/ley-902-2020")) == linked


def test_br_74_a_deep_link_into_a_long_law_opens_it_alone(client: Client, long_law: Law):
    html = page(client, "/ley-902-2020:art-1999")
    assert "Artículo 1999" in words(html)
    assert len(html.encode()) < 60_000


@pytest.fixture
def long_text() -> str:
    """The text of an article that no page holds: 400 numbered parts."""
    parts = (f"{n}. Primera línea del apartado {n}.\n" + "Sigue el texto. " * 60 + "Fin." for n in range(1, 401))
    text = "\n".join(parts)
    add_law("ley-903-2020", {"art-1": [Redaction(text, date(2020, 1, 1))]})
    return text


def text_shown(html: str) -> list[str]:
    shown = html[html.index('<div id="text"') : html.index("</article>")]
    shown = re.split(r'<nav class="pager"|<section', shown)[0]
    return [words(f"<main>{line}</main>").strip() for line in re.findall(r"<p class[^>]*>(.*?)</p>", shown, re.DOTALL)]


def test_a_very_long_text_is_shown_in_parts_that_are_all_of_it(client: Client, long_text: str):
    shown: list[str] = []
    sizes: list[int] = []
    url = "/ley-903-2020:art-1"
    while url:
        html = page(client, url)
        assert f"Parte {len(sizes) + 1} de 3." in words(html)
        shown += text_shown(html)
        sizes.append(len(html))
        following = re.search(r'<a class="button" rel="next" href="([^"]+)"', html)
        url = following[1] if following else ""
    assert shown == [line.strip() for line in long_text.split("\n")]
    assert len(sizes) == 3
    assert max(sizes) < 1.2 * min(sizes)


def test_a_very_long_text_is_shown_whole_to_who_asks(client: Client, long_text: str):
    whole = page(client, "/ley-903-2020:art-1?part=all")
    assert text_shown(whole) == [line.strip() for line in long_text.split("\n")]
    assert "Parte 1" not in words(whole)
    assert '<link rel="canonical" href="/ley-903-2020:art-1?part=all">' in whole


def test_the_parts_of_a_very_long_text_are_led_to_where_they_are(client: Client, long_text: str):
    html = page(client, "/ley-903-2020:art-1?part=2")
    outline = dict(re.findall(r'<li><a href="([^"]*)#(\d+)"', html))
    by_number = {number: address for address, number in re.findall(r'<li><a href="([^"]*)#(\d+)"', html)}
    assert set(outline) == {"/ley-903-2020:art-1", "", "/ley-903-2020:art-1?part=3"}
    for number in ("1", "200", "400"):
        there = page(client, by_number[number] or "/ley-903-2020:art-1?part=2")
        assert f'id="{number}"' in there
    alone = page(client, "/ley-903-2020:art-1.399")
    assert 'href="/ley-903-2020:art-1?part=3#399"' in alone


@pytest.mark.parametrize("part", ["0", "4", "-1", "x", "99999999999"])
def test_a_part_that_is_none_is_refused_by_its_name(client: Client, long_text: str, part: str):
    assert "Parámetro: part" in words(page(client, f"/ley-903-2020:art-1?part={part}", 400))


# Days and instants


@pytest.mark.parametrize("time_zone", ["America/Lima", "Europe/Madrid", "Asia/Tokyo"])
def test_br_75_calendar_days_never_shift(client: Client, law: Law, settings, time_zone: str):
    settings.TIME_ZONE = time_zone
    Law.objects.filter(pk=law.pk).update(published=date(2003, 12, 18))
    html = page(client, "/ley-900-2019")
    assert '<time datetime="2003-12-18">18/12/2003</time>' in html


def test_br_75_the_sources_instant_is_told_as_the_local_day(client: Client, law: Law):
    Law.objects.filter(pk=law.pk).update(source_updated_at=datetime(2026, 1, 2, 23, 30, tzinfo=UTC))
    assert "Texto consolidado a 03/01/2026" in words(page(client, "/ley-900-2019:art-5"))


def test_the_titles_above_a_provision_lead_to_their_place_in_the_contents(client: Client):
    law = add_law("ley-905-2020")
    Article.objects.bulk_create(
        Article(law=law, key=f"art-{n}", kind="article", label=f"Artículo {n}", position=n,
                path=["TÍTULO I. Uno", f"CAPÍTULO {1 + n // 60}"])
        for n in range(1, 251)
    )  # fmt: skip
    for key, window in (("art-1", ""), ("art-150", "?offset=100"), ("art-201", "?offset=200")):
        add_version(law.articles.get(key=key), Redaction("Texto."))
        leads = re.findall(r'<a href="([^"#]+)#([^"]+)">(?:TÍTULO|CAPÍTULO)', page(client, f"/ley-905-2020:{key}"))
        assert [where for where, _anchor in leads] == [f"/ley-905-2020{window}"] * 2
        contents = page(client, f"/ley-905-2020{window}")
        assert all(f'id="{anchor}"' in contents for _where, anchor in leads)


# Cost and headers


@pytest.mark.parametrize(
    ("path", "queries"),
    [
        ("/ley-900-2019", 8),
        ("/ley-900-2019:art-5", 12),
        ("/ley-900-2019:art-5.2.a", 12),
        ("/ley-900-2019:art-5@2020-01-01", 12),
        ("/ley-900-2019:art-99", 3),
        ("/ley-28-2014:art-1", 1),
    ],
)
def test_pages_cost_a_known_number_of_queries(
    client: Client, law: Law, django_assert_num_queries, path: str, queries: int
):
    client.get(path)
    with django_assert_num_queries(queries):
        client.get(path)


@pytest.mark.parametrize("path", ["/ley-900-2019", "/ley-900-2019:art-5", "/ley-900-2019:art-99", "/coverage"])
def test_br_65_no_page_holds_inline_code_or_foreign_files(client: Client, law: Law, path: str):
    html = client.get(path).content.decode()
    assert not re.search(r"<style|<script(?![^>]*(?:src=|ld\+json))|\sstyle=|\son\w+=", html)
    assert all(source.startswith("/") for source in re.findall(r'(?:src|rel="stylesheet" href)="([^"]+)"', html))


def test_pages_speak_the_readers_language_and_law_its_own(client: Client, law: Law):
    html = page(client, "/ley-900-2019:art-5", language="en")
    assert '<html lang="en">' in html
    assert "in force" in words(html)
    assert re.search(r'<div id="text" class="law-text [^"]*" lang="es">', html)


def test_the_chosen_language_is_kept(client: Client, law: Law):
    client.post(reverse("set_language"), {"language": "en"})
    assert '<html lang="en">' in page(client, "/ley-900-2019", language="es")


def test_coverage_lists_what_is_held(client: Client, law: Law):
    html = page(client, "/coverage")
    assert 'href="/ley-900-2019"' in html
    assert "Normas 1 Preceptos 4" in words(html)


def test_notes_of_the_source_stand_apart_from_the_text_of_their_redaction(client: Client, law: Law):
    told = "El apartado 2 entra en vigor el 1 de enero de 2027."
    current = ArticleVersion.objects.filter(article__key="art-5", valid_to=None)
    current.update(notes=[{"text": told, "references": [], "about": ""}])
    notes = re.search(
        r'<details class="source-notes" open>.*?</details>', page(client, "/ley-900-2019:art-5"), re.DOTALL
    )
    assert notes is not None
    assert told in notes[0]
    assert "No son parte del texto de la norma." in notes[0]
    assert "source-notes" not in page(client, "/ley-900-2019:art-5@2020-01-01")

"""The search page: one address gives the page or its part, and a citation goes on to its own page."""

from __future__ import annotations

import re
from datetime import date
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.test import override_settings

from corpus.models import Law
from search.asked import Asked
from search.retrieval import RetrievalRequest, retrieve
from search.views.answers import describe
from tests.law_builder import Redaction, add_law
from tests.test_pages import page, words

if TYPE_CHECKING:
    from django.test import Client

QUESTION = "/?q=recargos+por+presentar+fuera+de+plazo"
PART = {"HX-Request": "true"}
RESTORED = {"HX-Request": "true", "HX-History-Restore-Request": "true"}


@pytest.fixture(autouse=True)
def corpus(live: None, db: None) -> None:
    """The examples, indexed and embedded."""


def hits(html: str) -> list[str]:
    """Give the citations of the hits shown, in order."""
    listed = re.search(r'<ol class="hits.*?</ol>', html, re.DOTALL)
    return re.findall(r"<code>([^<]+)</code>", listed[0]) if listed else []


def announced(html: str) -> str:
    """Give what a screen reader is told of a list."""
    told = re.search(r'id="results-status"[^>]*>(.*?)</', html, re.DOTALL)
    assert told
    return told[1].strip()


def test_a_question_gives_provisions_with_all_that_is_known_of_them(client: Client):
    html = page(client, QUESTION)
    assert "ley-990-2019:art-11" in hits(html)
    read = words(html)
    for expected in ("Artículo 11. Recargos por presentación fuera de plazo", "vigente", "desde el", "palabras n.º",
                     "significado n.º", "híbrido", "por palabras y por significado", "Por qué está aquí"):  # fmt: skip
        assert expected in read
    assert 'href="/ley-990-2019:art-11"' in html
    assert "<mark>" in html


@pytest.mark.parametrize(("day", "badge"), [("2023-01-01", "past"), ("2025-06-01", "in_force")])
def test_a_hit_whose_text_has_changed_since_says_so(client: Client, day: str, badge: str):
    html = page(client, f"{QUESTION}&as_of={day}&law=ley-990-2019")
    hit = next(part for part in html.split('<li class="hit"') if "<code>ley-990-2019:art-11</code>" in part)
    assert re.findall(r'class="badge ([a-z_]+)"', hit) == [badge]
    assert ("redacción anterior" in hit) is (badge == "past")


def test_a_hit_is_copied_as_a_reference_and_as_markdown(client: Client):
    html = page(client, f"{QUESTION}&as_of=2024-01-01&law=ley-990-2019")
    copied = dict(re.findall(r'data-copy="([^"]+)" aria-label="Copiar: ([^"]+)"', html))
    named = {name: unescape(form) for form, name in copied.items()}
    reference = named["Referencia, Artículo 11"]
    assert re.fullmatch(r"art\. 11 de la Ley 990/2019, .* \(BOE-A-2019-99001\), redacción vigente del .*", reference)
    written = re.escape(reference)
    address = re.escape("http://testserver/ley-990-2019:art-11")
    assert re.fullmatch(rf"\[{written}\]\({address}\S*2024-01-01\)", named["Markdown, Artículo 11"])


def test_br_66_the_count_told_is_the_count_listed(client: Client):
    html = page(client, "/?q=autoliquidaci%C3%B3n&mode=lexical&limit=100")
    assert announced(html) == f"{len(hits(html))} resultados"


@pytest.mark.parametrize(("headers", "is_page"), [({}, True), (PART, False), (RESTORED, True)])
@pytest.mark.parametrize("path", [QUESTION, "/", "/?q=iva&limit=0"])
def test_br_64_one_address_gives_the_page_or_its_part(
    client: Client, path: str, headers: dict[str, str], is_page: bool
):
    response = client.get(path, headers=headers)
    assert ("<html" in response.content.decode()) is is_page
    assert {"HX-Request", "HX-History-Restore-Request"} <= set(re.split(r",\s*", response["Vary"]))


def test_br_64_the_part_has_what_the_page_has(client: Client):
    part = client.get(QUESTION, headers=PART).content.decode()
    assert hits(part) == hits(page(client, QUESTION))
    assert announced(part) == announced(page(client, QUESTION))


# While typing


def test_typing_is_answered_by_words_at_once_and_asks_for_the_rest(client: Client):
    response = client.get(f"{QUESTION}&stage=first", headers=PART)
    html = response.content.decode()
    assert "léxico" in html
    assert f'hx-get="{QUESTION}"' in unescape(html)
    assert "HX-Push-Url" not in response


def test_the_whole_answer_pushes_its_address_once(client: Client):
    response = client.get(f"{QUESTION}&law=&as_of=", headers=PART)
    assert response["HX-Push-Url"] == QUESTION
    there = PART | {"HX-Current-URL": f"http://testserver{QUESTION}"}
    assert "HX-Push-Url" not in client.get(QUESTION, headers=there)


def test_a_citation_being_typed_stays_and_one_submitted_goes_on(client: Client):
    path = "/?q=art.+11+Ley+990/2019"
    assert client.get(f"{path}&stage=first", headers=PART).status_code == 200
    submitted = client.get(path, headers=PART | {"HX-Trigger": "search"})
    assert submitted["HX-Redirect"] == "/ley-990-2019:art-11"


# Citations


@pytest.mark.parametrize(
    ("q", "target"),
    [
        ("art. 11 Ley 990/2019", "/ley-990-2019:art-11"),
        ("LEY-990-2019:ART-11", "/ley-990-2019:art-11"),
        ("Ley 990/2019", "/ley-990-2019"),
        ("artículo 4 bis de la Ley 990/2019&as_of=2024-01-01", "/ley-990-2019:art-4-bis@2024-01-01"),
        ("ley-990-2019:art-4-bis@2024-01-01", "/ley-990-2019:art-4-bis@2024-01-01"),
    ],
)
def test_a_citation_goes_on_to_its_page(client: Client, q: str, target: str):
    response = client.get(f"/?q={q}")
    assert (response.status_code, response["Location"]) == (302, target)
    page(client, target)


def test_a_citation_that_resolves_in_part_says_so_on_its_page(client: Client):
    response = client.get("/", {"q": "párrafo segundo del artículo 11 de la Ley 990/2019"})
    read = words(page(client, response["Location"]))
    assert "No se ha podido resolver «párrafo segundo»." in read


def test_an_ambiguous_citation_shows_its_candidates(client: Client):
    add_law("rdl-1-2020", {"art-1": "Objeto."}, title="Real Decreto-ley 1/2020, de 14 de enero, de prueba.")
    add_law("rdleg-1-2020", {"art-1": "Objeto."}, title="Real Decreto Legislativo 1/2020, de 5 de mayo, de prueba.")
    html = page(client, "/?q=RDL+1/2020,+art.+1")
    for key in ("rdl-1-2020", "rdleg-1-2020"):
        assert f'href="/{key}:art-1"' in html
        assert Law.objects.get(key=key).title in words(html)


@pytest.mark.parametrize("law", ["ley-990-2019", "rd-9991-2020"])
def test_a_provision_asked_for_within_one_law_is_that_laws(client: Client, law: str):
    target = f"/{law}:art-2"
    assert client.get("/", {"q": "art. 2", "law": law})["Location"] == target
    typed = client.get("/", {"q": "art. 2", "law": law, "stage": "first"}, headers=PART).content.decode()
    assert "Esto es lo que ha citado" in words(f"<main>{typed}</main>")
    assert f'<a class="go" href="{target}"' in typed
    boe_id = str(Law.objects.get(key=law).boe_id)
    assert client.get("/", {"q": "art. 2", "law": boe_id})["Location"] == target


@pytest.mark.parametrize(
    ("asked", "unmet"),
    [
        ({"q": "art. 2", "law": "ley-990-2019", "kind": "preamble"}, "clase de precepto"),
        ({"q": "art. 2", "law": "ley-990-2019", "law_rank": "rd"}, "rango"),
        ({"q": "art. 2", "law": "ley-990-2019", "from": "2030-01-01"}, "comienzo de la vigencia"),
        ({"q": "art. 2 Ley 990/2019", "kind": "annex"}, "clase de precepto"),
        ({"q": "art. 2 Ley 990/2019", "status": "repealed"}, "estado"),
        ({"q": "ley-990-2019:art-2", "law": "rd-9991-2020"}, "norma"),
        ({"q": "Ley 990/2019", "jurisdiction": "es-ga"}, "ámbito"),
    ],
)
def test_what_is_cited_but_meets_not_every_condition_is_shown_with_those(
    client: Client, asked: dict[str, str], unmet: str
):
    html = page(client, f"/?{urlencode(asked)}")
    assert f"No cumple las condiciones de la búsqueda: {unmet}." in words(html)
    assert re.search(r'<a class="go" href="/ley-990-2019(:art-2)?"', html)
    assert client.get("/", asked, headers=PART | {"HX-Trigger": "search"}).status_code == 200


@pytest.mark.parametrize(
    ("asked", "target"),
    [
        ({"q": "art. 2", "law": "ley-990-2019", "kind": "article", "status": "in_force"}, "/ley-990-2019:art-2"),
        ({"q": "art. 6 Ley 990/2019", "status": "repealed"}, "/ley-990-2019:art-6"),
        ({"q": "art. 6 Ley 990/2019", "kind": "article"}, "/ley-990-2019:art-6"),
        ({"q": "Ley 990/2019", "law_rank": "ley"}, "/ley-990-2019"),
    ],
)
def test_what_is_cited_and_meets_every_condition_is_gone_on_to(client: Client, asked: dict[str, str], target: str):
    assert client.get("/", asked)["Location"] == target


def test_a_law_cited_with_a_condition_on_its_provisions_lists_those(client: Client):
    assert hits(page(client, "/?q=Ley+990/2019&kind=preamble")) == ["ley-990-2019:preambulo"]


@pytest.mark.parametrize("laws", [["ley-990-2019", "rd-9991-2020"], []])
def test_a_provision_asked_for_elsewhere_is_nobodys(client: Client, laws: list[str]):
    assert "Esa cita puede referirse a varias cosas" in words(
        page(client, f"/?{urlencode({'q': 'art. 2', 'law': laws}, doseq=True)}")
    )


@pytest.mark.parametrize(
    ("q", "said"),
    [
        ("art. 99 Ley 990/2019", "La norma no tiene ese precepto"),
        ("art. 1 Ley 28/2014", "Esa norma no está en este corpus"),
        ("art. 11 Ley 990/2019&as_of=2010-01-01", "Ese día no tenía texto en vigor"),
    ],
)
def test_a_citation_of_nothing_is_said_above_ordinary_results(client: Client, q: str, said: str):
    html = page(client, f"/?q={q}")
    assert said in words(html)
    assert '<h2 id="results-heading"' in html


def test_a_range_is_listed_in_the_laws_order(client: Client):
    assert hits(page(client, "/?q=arts.+4+a+5+Ley+990/2019")) == [
        f"ley-990-2019:art-{n}" for n in ("4", "4-bis", "4-ter", "5")
    ]


def test_several_citations_are_listed_and_what_is_missing_is_told(client: Client):
    found = page(client, "/?q=art.+4+y+5+Ley+990/2019+y+art.+1+RD+9991/2020")
    assert hits(found) == ["ley-990-2019:art-4", "ley-990-2019:art-5", "rd-9991-2020:art-1"]
    lacking = words(page(client, "/?q=art.+4+Ley+990/2019,+arts.+98+y+99+RD+9991/2020"))
    assert "No se ha podido resolver «98», «99»." in lacking
    laws = words(page(client, "/?q=Ley+990/2019+y+RD+9991/2020"))
    assert "Se han leído varias citas: «Ley 990/2019», «RD 9991/2020»." in laws


# Filters and pages


def test_a_law_filter_holds_and_is_removed_by_its_chip(client: Client):
    html = page(client, f"{QUESTION}&law=rd-9991-2020")
    assert hits(html)
    assert all(citation.startswith("rd-9991-2020:") for citation in hits(html))
    chip = re.search(r'<a class="chip" href="([^"]+)">', html)
    assert chip
    assert unescape(chip[1]) == QUESTION


@pytest.mark.parametrize("question", ["recargo", "xyzzyqwfp"])
def test_laws_are_named_briefly_in_filters_and_never_by_their_ids(client: Client, question: str):
    html = page(client, f"/?q={question}&law=rd-9991-2020&mode=lexical")
    chips = re.findall(r'<a class="chip" href="[^"]+">(.*?) <span', html)
    assert len(chips) == 1
    assert chips[0].startswith("Real Decreto 9991/2020")
    assert "por el que se aprueba" not in chips[0]


def test_the_form_keeps_the_filters_without_javascript(client: Client):
    html = page(client, f"{QUESTION}&law=rd-9991-2020&as_of=2024-01-01&include_repealed=true")
    assert '<input type="hidden" name="law" value="rd-9991-2020" form="search">' in html
    assert re.search(r'name="as_of" form="search" value="2024-01-01"', html)
    assert re.search(r'name="include_repealed" value="true" form="search" checked', html)


def test_repealed_texts_come_when_asked_for_and_are_marked(client: Client):
    path = "/?q=responsabilidad+de+las+plataformas&mode=lexical"
    assert "ley-990-2019:art-6" not in hits(page(client, path))
    html = page(client, f"{path}&include_repealed=true")
    assert "ley-990-2019:art-6" in hits(html)
    assert '<span class="badge repealed">derogado</span>' in html


@pytest.mark.parametrize(
    "conditions",
    ["include_repealed=true", "include_repealed=true&as_of=2025-06-01", "status=not_yet_in_force", "status=expired"],
)
def test_every_hit_leads_to_the_text_it_shows(client: Client, conditions: str):
    html = page(client, f"/?q=responsabilidad+tipo+tarifa&mode=lexical&limit=50&{conditions}")
    shown = re.findall(r'<h3><a href="([^"]+)">.*?<p class="passage">(.*?)</p>', html, re.DOTALL)
    assert shown
    for url, passage in shown:
        assert letters(passage)[:40] in letters(page(client, unescape(url)))


def letters(html: str) -> str:
    """Give the letters and figures a reader reads, to compare texts that are laid out differently."""
    return re.sub(r"[\W_]", "", unescape(re.sub(r"<[^>]+>", "", html)))


@pytest.mark.usefixtures("indexes")
def test_pages_hold_every_hit_once_forwards_and_backwards(client: Client):
    add_law("ley-900-2019", {f"art-{n}": "Idéntico texto de palabrarara." for n in range(1, 31)})
    seen, urls, url = [], [], "/?q=palabrarara&mode=lexical&limit=7"
    while url:
        urls.append(url)
        html = page(client, url)
        seen.append(hits(html))
        following = re.search(r'rel="next" href="([^"]+)"', html)
        url = unescape(following[1]) if following else ""
    assert sorted(citation for shown in seen for citation in shown) == sorted(
        f"ley-900-2019:art-{n}" for n in range(1, 31)
    )
    back = []
    url = urls[-1]
    while url:
        html = page(client, url)
        back.append(hits(html))
        preceding = re.search(r'rel="prev" href="([^"]+)"', html)
        url = unescape(preceding[1]) if preceding else ""
    assert back == seen[::-1]


def test_a_page_past_the_end_is_empty_and_leads_back(client: Client):
    html = page(client, "/?q=autoliquidaci%C3%B3n&mode=lexical&offset=900")
    assert hits(html) == []
    assert 'href="/?q=autoliquidaci%C3%B3n&amp;mode=lexical">Ir a la primera página' in html


def test_no_results_help_on(client: Client):
    read = words(page(client, "/?q=xyzzyqwfp&mode=lexical&law=rd-9991-2020"))
    for expected in ("Sin resultados", "Busque sin filtros", "Incluya los textos derogados"):
        assert expected in read


def test_a_missing_arm_is_said_with_its_reason(client: Client):
    with override_settings(EMBEDDER="tests.embedders.NoSuchEmbedder"):
        html = page(client, QUESTION)
    assert "Búsqueda sólo por palabras." in words(html)
    assert hits(html)


@pytest.mark.parametrize(
    ("language", "reason"),
    [("es", "La búsqueda por significado no funciona: faltan EMBEDDINGS_URL y EMBEDDINGS_MODEL"),
     ("en", "Searching by meaning does not work: EMBEDDINGS_URL and EMBEDDINGS_MODEL must be set")],
)  # fmt: skip
def test_why_a_search_is_not_whole_is_told_in_the_readers_language(client: Client, language: str, reason: str):
    with override_settings(EMBEDDER="corpus.embedding_endpoint.Endpoint", OTHER_EMBEDDERS=[]):
        assert reason in words(page(client, "/?q=recargos+por+presentar+tarde", language=language))
        answer = client.get("/api/v1/search?q=recargos+por+presentar+tarde", headers={"Accept-Language": language})
    assert "EMBEDDINGS_URL and EMBEDDINGS_MODEL must be set" in answer.json()["degraded"]["reason"]


# What must never happen


@pytest.mark.parametrize("q", ["%00", "", "+", "%20%0a", "%00%1f"])
def test_nothing_asked_is_the_first_page(client: Client, q: str):
    assert "En este corpus" in words(page(client, f"/?q={q}"))


@pytest.mark.parametrize(
    ("address", "parameter"),
    [
        ("q=iva&as_of=ayer", "as_of"),
        ("q=iva&limit=0", "limit"),
        ("q=iva&limit=1000", "limit"),
        ("q=iva&offset=-1", "offset"),
        ("q=iva&offset=99999", "offset"),
        ("q=iva&mode=magic", "mode"),
        ("q=iva&status=odd", "status"),
        ("q=iva&law=ley-1-1900", "law"),
        ("q=iva&include_repealed=perhaps", "include_repealed"),
        (f"q={'a' * 100_000}", "q"),
    ],
)
def test_a_wrong_value_is_named_with_400(client: Client, address: str, parameter: str):
    html = page(client, f"/?{address}", 400)
    assert f"Parámetro: {parameter}" in words(html)
    assert len(html) < 20_000


@pytest.mark.parametrize(
    "q",
    [
        "iva%00",
        "%ED%A0%80",
        "%C3%28",
        "%2522",
        "%E2%80%AE",
        "'; DROP TABLE--",
        "%22",
        "-",
        "heading:",
        "*",
        "(((",
        "AND OR",
    ],
)
def test_br_69_no_query_breaks_the_page(client: Client, q: str):
    assert client.get(f"/?q={q}").status_code in (200, 302)


def test_br_67_neither_text_nor_query_becomes_markup(client: Client):
    add_law("ley-900-2019", {"art-1": [Redaction("tipo <img src=x onerror=alert(1)", date(2019, 1, 1))]})
    html = page(client, "/?q=tipo+onerror&law=ley-900-2019&mode=lexical")
    assert "<mark>tipo</mark> &lt;img src=x" in html
    html += client.get("/", {"q": '"><svg onload=1>'}).content.decode()
    assert not re.search(r'<img|<svg(?! class="mark")', html)


def test_br_77_a_deleted_law_is_no_longer_listed(client: Client):
    Law.objects.get(key="rd-9991-2020").delete()
    assert not any(citation.startswith("rd-9991-2020") for citation in hits(page(client, QUESTION)))


# Cost


@pytest.mark.parametrize(
    ("path", "queries"),
    [("/", 3), (QUESTION, 4), (f"{QUESTION}&mode=lexical", 3), ("/?q=art.+11+Ley+990/2019", 8)],
)
def test_the_search_page_costs_a_known_number_of_queries(
    client: Client, django_assert_num_queries, path: str, queries: int
):
    client.get(path)
    with django_assert_num_queries(queries):
        client.get(path)


def test_pages_are_light(client: Client):
    for path in ("/", QUESTION):
        assert len(client.get(path).content) < 60_000


def test_the_front_page_offers_what_this_corpus_answers(client: Client):
    html = page(client, "/")
    offered = re.findall(r'<li><a href="([^"]+)">', html.split('id="tries"')[1].split("</section>")[0])
    assert len(offered) == 3
    for url in map(unescape, offered):
        response = client.get(url, follow=True)
        assert response.status_code == 200
        assert "Sin resultados" not in response.content.decode()


def test_an_empty_corpus_says_how_to_fill_it(client: Client):
    Law.objects.all().delete()
    assert "manage.py import_laws" in words(page(client, "/"))


def test_br_65_htmx_is_set_up_for_a_strict_policy(client: Client):
    html = page(client, "/")
    assert '"includeIndicatorStyles":false' in html
    assert '"allowEval":false' in html
    assert "'unsafe" not in str(settings.CONTENT_SECURITY_POLICY)


def test_what_only_turns_a_rule_round_is_not_marked(client: Client):
    html = page(client, "/?q=recargos+sin+requerimiento").lower()
    assert "<mark>requerimiento</mark>" in html
    assert "<mark>sin</mark>" not in html


# Why


def test_every_hit_offers_to_explain_itself(client: Client):
    html = page(client, QUESTION)
    offered = re.findall(r'<details class="why"[^>]*hx-get="([^"]+)"', html)
    assert len(offered) == len(hits(html))
    assert unescape(offered[0]) == f"/why?q=recargos+por+presentar+fuera+de+plazo&hit={hits(html)[0]}"


@pytest.mark.parametrize(("headers", "is_page"), [({}, True), (PART, False), (RESTORED, True)])
def test_a_hit_explains_its_place(client: Client, headers: dict[str, str], is_page: bool):
    first = hits(page(client, QUESTION))[0]
    response = client.get(f"/why?q=recargos+por+presentar+fuera+de+plazo&hit={first}", headers=headers)
    html = response.content.decode()
    assert ("<html" in html) is is_page
    told = dict(re.findall(r"<dt>([^<]+)</dt><dd>(.*?)</dd>", html.replace("</dt>\n            <dd>", "</dt><dd>")))
    assert told["Puesto en la respuesta"] == "1"
    assert re.fullmatch(r"n\.º \d+ \(BM25 \d+,\d{3}\)", told["Por palabras"])
    assert re.fullmatch(r"n\.º \d+ \(coseno 0,\d{3}\)", told["Por significado"])
    assert re.match(
        r"n\.º \d+ \(\d,\d{3}\): sus puestos, sumados \(RRF\), 0,\d\d para el", told["Al fundir las dos listas"]
    )


@pytest.mark.parametrize("hit", ["x" * 2001, "%00"])
def test_a_hit_that_cannot_be_one_is_refused_by_its_name(client: Client, hit: str):
    response = client.get(f"/why?q=recargo&hit={hit}")
    assert response.status_code == 400
    assert "<code>hit</code>" in response.content.decode()


def test_what_is_on_another_page_of_the_answer_explains_itself_too(client: Client):
    last = hits(page(client, f"{QUESTION}&limit=20"))[-1]
    html = page(client, f"/why?q=recargos+por+presentar+fuera+de+plazo&hit={last}")
    assert "Puesto en la respuesta 20" in words(html)
    assert "Al fundir las dos listas" in words(html)


@pytest.mark.parametrize(
    ("hit", "said"),
    [
        ("ley-990-2019:art-6", "No cumple las condiciones de la búsqueda: estado."),
        ("ley-990-2019:art-999", "ningún precepto suyo se llama así"),
        ("nada+de+nada", "Una cita nombra la norma y el precepto"),
    ],
)
def test_what_is_not_in_the_answer_is_told_why(client: Client, hit: str, said: str):
    assert said in words(page(client, f"/why?q=recargo&hit={hit}"))


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("mode=lexical&hit=ley-990-2019:art-11", {"Puesto en la respuesta", "Por palabras", "Antes de reordenar"}),
        ("mode=semantic&hit=ley-990-2019:art-11", {"Puesto en la respuesta", "Por significado"}),
        ("mode=lexical&hit=ley-990-2019:art-8", {"Por palabras"}),
        ("mode=semantic&hit=ley-990-2019:art-6", set()),
        ("hit=ley-990-2019:art-999", set()),
    ],
)
def test_only_the_arms_that_were_asked_are_spoken_of(client: Client, asked: str, told: set[str]):
    html = page(client, f"/why?q=recargos+por+presentar+fuera+de+plazo&{asked}")
    assert set(re.findall(r"<dt>([^<]+)</dt>", html)) - {"Reordenado por"} == told


def test_a_wrong_question_of_why_is_named(client: Client):
    assert "limit" in words(page(client, "/why?q=recargo&hit=ley-990-2019:art-11&limit=0", 400))
    assert "Precepto" in words(page(client, "/why?q=recargo"))


# Sharing, and how sure the answer is


def test_the_address_of_an_answer_is_there_to_share(client: Client):
    html = page(client, f"{QUESTION}&as_of=2024-01-01&limit=10&sort=relevance")
    shared = re.search(r'class="copy share" data-copy="([^"]+)"', html)
    assert shared
    assert unescape(shared[1]) == f"http://testserver{QUESTION}&as_of=2024-01-01"


@pytest.mark.parametrize(
    ("confidence", "told", "is_doubtful", "is_advice_open"),
    [
        (None, "", False, False),
        (1.0, "99 % de que lo que busca esté entre los diez primeros", False, False),
        (0.82, "82 % de que lo que busca esté entre los diez primeros", False, False),
        (0.47, "47 % de que lo que busca esté entre los diez primeros", True, False),
        (0.12, "12 % de que lo que busca esté entre los diez primeros", True, True),
    ],
)
def test_how_sure_the_answer_is_is_told_and_helps_on(
    confidence: float | None, told: str, is_doubtful: bool, is_advice_open: bool
):
    asked = Asked(q="recargos fuera de plazo")
    answer = retrieve(RetrievalRequest(asked.q)).model_copy(update={"confidence": confidence})
    shown = render_to_string("_answer.html", describe(asked, answer) | {"asked": asked, "answer": answer})
    read = words(f"<main>{shown}</main>")
    assert told in read
    assert ("Puede que nada de esto responda a la pregunta." in read) is is_doubtful
    assert ("% de que" in read) is (confidence is not None)
    assert ('class="notice past doubt" open' in shown) is is_advice_open


@pytest.mark.parametrize(
    ("coverage", "told"),
    [
        (1.0, "híbrido por palabras y por significado Copiar"),
        (0.0849, "por palabras, y por significado en el 8 % de los textos: los demás están por preparar"),
        (0.001, "por significado en el 1 % de los textos"),
        (0.9999, "por significado en el 99 % de los textos"),
    ],
)
def test_how_much_is_found_by_meaning_is_told_while_vectors_are_made(coverage: float, told: str):
    asked = Asked(q="recargos fuera de plazo")
    answer = retrieve(RetrievalRequest(asked.q))
    assert (answer.mode, answer.semantic_coverage) == ("hybrid", 1.0)
    answer = answer.model_copy(update={"semantic_coverage": coverage})
    shown = describe(asked, answer) | {"asked": asked, "answer": answer, "confidence": None}
    assert told in words(f"<main>{render_to_string('_answer.html', shown)}</main>")


def test_a_text_that_is_not_known_to_be_of_the_day_says_so_and_links_to_todays(client):
    text = [Redaction("El recargo es del 5 por ciento.", None)]
    add_law("ley-900-2003", {"art-1": text}, history="current_only", published=date(2003, 12, 18))
    found = page(client, "/?q=recargo&as_of=2010-01-01")
    assert "no consta el texto de ese día: éste es el actual" in words(found)
    assert 'href="/ley-900-2003:art-1"' in found
    assert "ley-900-2003:art-1?as_of" not in found
    assert "no consta el texto" not in words(page(client, "/?q=recargo"))

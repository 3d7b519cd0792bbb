"""A law as it changed: history, feeds, what machines read of it, and the files to take away."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

import pytest
from lxml import etree

from corpus.models import Article, ArticleVersion, Law
from tests.law_builder import Redaction, add_law
from tests.test_pages import page, words

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"
SITE = "http://testserver"
OWN, AMENDING, REPEALING = "BOE-A-2019-900", "BOE-A-2025-901", "BOE-A-2024-902"


@pytest.fixture
def law() -> Law:
    """A law of which one norm changed a provision and added another, and a second one repealed a third."""
    made = add_law(
        "ley-900-2019",
        {
            "art-1": "Objeto.",
            "art-5": [
                Redaction("Se reconoce la gran invalidez.", date(2019, 2, 1), date(2025, 4, 30)),
                Redaction("Se reconoce la gran incapacidad.", date(2025, 5, 1)),
            ],
            "art-5-bis": [Redaction("Otros grados.\n1. Total.", date(2025, 5, 1))],
            "art-7": [
                Redaction("Texto que rigió.", date(2019, 2, 1), date(2023, 12, 31)),
                Redaction("(Derogado)", date(2024, 1, 1), status="repealed"),
            ],
        },
        title="Ley 900/2019, de 1 de febrero, de <prueba> y «cierre».",
        number="900/2019",
        boe_id=OWN,
        eli="https://www.boe.es/eli/es/l/2019/02/01/900",
        enacted=date(2019, 2, 1),
        published=date(2019, 1, 10),
        valid_from=date(2019, 2, 1),
        source_updated_at=datetime(2025, 4, 30, 12, tzinfo=UTC),
    )
    for day, norm, printed in (
        (date(2019, 2, 1), OWN, date(2019, 1, 10)),
        (date(2025, 5, 1), AMENDING, date(2025, 4, 30)),
        (date(2024, 1, 1), REPEALING, date(2023, 12, 20)),
    ):
        ArticleVersion.objects.filter(article__law=made, valid_from=day).update(amended_by=norm, published=printed)
    return made


def head(html: str) -> str:
    """Give a page's head."""
    return html[: html.index("</head>")]


# History


def test_the_history_lists_what_each_norm_changed_newest_first(client: Client, law: Law):
    add_law("ley-901-2025", title="Ley 901/2025, de reforma.", boe_id=AMENDING)
    html = page(client, "/ley-900-2019/history")
    assert words(html).split("Atom ")[1] == (
        "Desde el 01/05/2025 Ley 901/2025, de reforma. BOE-A-2025-901 · publicada el 30/04/2025 "
        "Artículo 5 qué cambió Artículo 5 Artículo 5-bis nuevo "
        "Desde el 01/01/2024 BOE-A-2024-902 · publicada el 20/12/2023 Artículo 7 derogado "
        "Redacción original publicada el 10/01/2019 · 3 preceptos"
    )
    assert 'href="/ley-900-2019:art-5@2025-05-01"' in html
    assert 'href="/ley-901-2025"' in html
    assert f'<a href="https://www.boe.es/buscar/doc.php?id={REPEALING}" rel="external">{REPEALING}</a>' in html


def test_a_change_that_is_to_come_says_so(client: Client):
    coming = [Redaction("Uno.", date(2019, 2, 1), date(2998, 12, 31)), Redaction("Uno nuevo.", date(2999, 1, 1))]
    add_law("ley-906-2020", {"art-1": coming}, boe_id="BOE-A-2020-906")
    assert "Desde el 01/01/2999 aún no vigente" in words(page(client, "/ley-906-2020/history"))
    assert "01/01/2999 aún no vigente · 1 precepto" in words(page(client, "/ley-906-2020"))
    assert words(page(client, "/ley-906-2020/history")).count("aún no vigente") == 1


def test_every_comparison_of_the_history_opens(client: Client, law: Law):
    compared = re.findall(r'class="compare" href="([^"]+)"', page(client, "/ley-900-2019/history"))
    assert compared == ["/ley-900-2019:art-5/diff?from=1&amp;to=2"]
    read = words(page(client, compared[0].replace("&amp;", "&")))
    assert "invalidez" in read
    assert "incapacidad" in read


SAME_TEXT = {
    "art-1": [
        Redaction("Uno.", date(2019, 2, 1), date(2020, 12, 31)),
        Redaction("Uno.", date(2021, 1, 1), date(2021, 12, 31)),
        Redaction("(Derogado)", date(2022, 1, 1), date(2022, 12, 31), status="repealed"),
        Redaction("Uno.", date(2023, 1, 1), date(2023, 12, 31)),
        Redaction("Uno y dos.", date(2024, 1, 1)),
    ]
}


def test_a_redaction_that_changes_no_word_says_so_instead_of_comparing(client: Client):
    add_law("ley-907-2019", SAME_TEXT, title="Ley 907/2019.", boe_id="BOE-A-2019-907")
    html = page(client, "/ley-907-2019/history")
    assert words(html).split("Atom ")[1].replace(" la fuente no dice por qué norma", "") == (
        "Desde el 01/01/2024 Artículo 1 qué cambió Artículo 1 Desde el 01/01/2023 Artículo 1 el texto es el mismo "
        "Desde el 01/01/2022 Artículo 1 derogado Desde el 01/01/2021 Artículo 1 el texto es el mismo "
        "Redacción original 1 precepto"
    )
    assert re.findall(r'class="compare" href="([^"]+)"', html) == ["/ley-907-2019:art-1/diff?from=3&amp;to=4"]
    feed = read_feed(client.get("/ley-907-2019/feed"))
    assert [one["summary"].count("el texto es el mismo") for one in feed["entries"]] == [0, 1, 0, 1]


def test_the_list_of_redactions_says_which_have_the_text_of_the_one_before(client: Client):
    add_law("ley-907-2019", SAME_TEXT, title="Ley 907/2019.")
    html = page(client, "/ley-907-2019:art-1")
    assert words(html).partition("Redacciones ")[2].partition(" Texto vigente")[0] == (
        "desde el 01/01/2024 qué cambió desde el 01/01/2024 "
        "del 01/01/2023 al 31/12/2023 el texto es el mismo "
        "del 01/01/2021 al 31/12/2021 el texto es el mismo "
        "del 01/02/2019 al 31/12/2020"
    )


def test_a_law_that_nothing_changed_says_so(client: Client):
    add_law("ley-903-2020", {"art-1": "Objeto."})
    assert "No se conoce ningún cambio de esta norma." in words(page(client, "/ley-903-2020/history"))
    assert "No se conoce ningún cambio de esta norma." in words(page(client, "/ley-903-2020"))


def test_a_law_without_its_history_claims_no_original_and_nothing_to_compare(client: Client):
    add_law("ley-904-2020", {"art-1": "Objeto."}, history="current_only")
    read = words(page(client, "/ley-904-2020/history"))
    assert "La fuente sólo da la redacción actual." in read
    assert "Redacción original" not in read
    compared = page(client, "/ley-904-2020:art-1/diff", 404)
    assert "No se conserva ninguna redacción anterior." in words(compared)
    assert '<a href="/ley-904-2020:art-1">Ver el texto</a>' in compared
    assert "<select" not in compared


def test_a_long_history_is_paged_and_holds_every_change_once(client: Client, django_assert_max_num_queries):
    own = "BOE-A-2020-902"
    law = add_law("ley-902-2020", boe_id=own)
    articles = Article.objects.bulk_create(
        Article(law=law, key=f"art-{n}", kind="article", label=f"Artículo {n}", position=n) for n in range(1, 251)
    )
    ArticleVersion.objects.bulk_create(
        ArticleVersion(article=article, position=place, text=f"{place}", sha256="0" * 64, valid_from=day,
                       amended_by=norm)
        for article in articles
        for place, day, norm in ((1, date(2020, 1, 1), own), (2, date(2021, 1, 1), "BOE-A-2020-1"))
    )  # fmt: skip
    found, url = [], "/ley-902-2020/history"
    while url:
        with django_assert_max_num_queries(5):
            html = page(client, url)
        assert len(html.encode()) < 60_000
        found += re.findall(r'<a href="/ley-902-2020:(art-\d+)@', html)
        following = re.search(r'rel="next" href="([^"]+)"', html)
        url = following[1] if following else ""
    assert found == [f"art-{n}" for n in range(1, 251)]


@pytest.mark.parametrize("path", ["history", "feed", "download.txt", "download.json"])
def test_an_unknown_law_has_neither_history_nor_files(client: Client, path: str):
    assert client.get(f"/ley-28-2014/{path}").status_code == 404
    assert client.get(f"/ley\0/{path}").status_code == 404


@pytest.mark.parametrize("path", ["history?offset=x", "download.txt?as_of=ayer"])
def test_a_wrong_value_is_named(client: Client, law: Law, path: str):
    assert "Parámetro:" in words(page(client, f"/ley-900-2019/{path}", 400))


def test_the_page_of_a_law_tells_its_last_changes(client: Client, law: Law):
    html = page(client, "/ley-900-2019")
    side = html.split('id="history"')[1].split("</section>")[0]
    assert re.findall(r'href="([^"]+)"', side) == [
        "/ley-900-2019/history#2025-05-01-BOE-A-2025-901",
        "/ley-900-2019/history#2024-01-01-BOE-A-2024-902",
        "/ley-900-2019/history",
        "/ley-900-2019/feed",
    ]
    history = page(client, "/ley-900-2019/history")
    assert 'id="2025-05-01-BOE-A-2025-901"' in history


# Feeds


def read_feed(response: Any) -> dict[str, Any]:
    """Read a feed as its readers do: RFC 4287 wants these of it and of every entry."""
    assert response.status_code == 200
    assert response["Content-Type"].startswith("application/atom+xml")
    root = etree.fromstring(response.content)
    assert root.tag == f"{ATOM}feed"
    for element in (root, *root.findall(f"{ATOM}entry")):
        assert all(element.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated"))
    assert root.find(f"{ATOM}link[@rel='self']") is not None
    assert root.findtext(f"{ATOM}author/{ATOM}name")
    return {
        "updated": root.findtext(f"{ATOM}updated"),
        "self": root.find(f"{ATOM}link[@rel='self']").get("href"),  # type: ignore[union-attr]
        "entries": [
            {name: entry.findtext(f"{ATOM}{name}") for name in ("id", "title", "updated", "summary")}
            | {"link": entry.find(f"{ATOM}link").get("href")}  # type: ignore[union-attr]
            for entry in root.findall(f"{ATOM}entry")
        ],
    }


@pytest.mark.parametrize("path", ["/feed", "/ley-900-2019/feed"])
def test_a_feed_tells_what_changed_from_when_and_by_what(client: Client, law: Law, path: str):
    feed = read_feed(client.get(path))
    assert feed["self"] == SITE + path
    assert [(one["id"], one["title"], one["updated"], one["link"]) for one in feed["entries"]] == [
        (
            "tag:testserver,2026:ley-900-2019/2025-05-01-BOE-A-2025-901",
            "Ley 900/2019: 2 preceptos, redacción desde el 01/05/2025",
            "2025-04-30T00:00:00+02:00",
            f"{SITE}/ley-900-2019/history#2025-05-01-BOE-A-2025-901",
        ),
        (
            "tag:testserver,2026:ley-900-2019/2024-01-01-BOE-A-2024-902",
            "Ley 900/2019: 1 precepto, redacción desde el 01/01/2024",
            "2023-12-20T00:00:00+01:00",
            f"{SITE}/ley-900-2019/history#2024-01-01-BOE-A-2024-902",
        ),
    ]
    assert f'<a href="{SITE}/ley-900-2019:art-5/diff?from=1&amp;to=2">qué cambió</a>' in feed["entries"][0]["summary"]
    assert feed["updated"] == "2025-04-30T00:00:00+02:00"


@pytest.mark.parametrize("path", ["history", "feed", "download.txt", "download.json"])
@pytest.mark.parametrize("name", [OWN, OWN.lower(), "LEY-900-2019"])
def test_another_name_of_the_law_leads_to_its_address(client: Client, law: Law, name: str, path: str):
    moved = client.get(f"/{name}/{path}?as_of=2020-01-01")
    assert (moved.status_code, moved["Location"]) == (301, f"/ley-900-2019/{path}?as_of=2020-01-01")
    assert client.get(f"/BOE-A-1900-99001/{path}").status_code == 404


def test_a_feed_without_changes_is_a_feed_too(client: Client):
    assert read_feed(client.get("/feed"))["entries"] == []
    add_law("ley-903-2020", {"art-1": "Objeto."})
    feed = read_feed(client.get("/ley-903-2020/feed"))
    assert (feed["entries"], feed["updated"]) == ([], "2026-01-01T00:00:00+00:00")


def test_a_feed_reader_is_told_when_nothing_is_new(client: Client, law: Law):
    tag = client.get("/feed")["ETag"]
    assert client.get("/feed", headers={"If-None-Match": tag}).status_code == 304
    ArticleVersion.objects.filter(amended_by=REPEALING).update(published=date(2023, 12, 21))
    assert client.get("/feed", headers={"If-None-Match": tag}).status_code == 200


def test_an_entry_keeps_its_id_when_more_is_known_of_it(client: Client, law: Law):
    before = [one["id"] for one in read_feed(client.get("/feed"))["entries"]]
    add_law("ley-901-2025", title="Ley 901/2025, de reforma.", boe_id=AMENDING)
    ArticleVersion.objects.filter(amended_by=AMENDING).update(published=date(2025, 4, 29))
    assert [one["id"] for one in read_feed(client.get("/feed"))["entries"]] == before


def test_feeds_cost_a_known_number_of_queries(client: Client, law: Law, django_assert_num_queries):
    with django_assert_num_queries(4):
        client.get("/feed")
    with django_assert_num_queries(4):
        client.get("/ley-900-2019/feed")


@pytest.mark.parametrize(
    ("path", "feeds"), [("/", ["/feed"]), ("/ley-900-2019:art-5", ["/feed", "/ley-900-2019/feed"])]
)
def test_pages_name_their_feeds(client: Client, law: Law, path: str, feeds: list[str]):
    named = re.findall(r'<link rel="alternate" type="application/atom\+xml"[^>]*href="([^"]+)"', page(client, path))
    assert named == feeds


# What machines read


def json_ld(html: str) -> dict[str, Any]:
    """Read the one block of JSON-LD of a page."""
    (block,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html, re.DOTALL)
    assert "<" not in block
    read: dict[str, Any] = json.loads(block)
    return read


def eli(html: str) -> dict[str, str]:
    """Read the ELI properties of a page, by their names."""
    literals = re.findall(r'<meta about="[^"]*" property="([^"]+)" content="([^"]*)">', head(html))
    links = re.findall(r'<link about="[^"]*" rel="([^"]+)" href="([^"]*)">', head(html))
    return dict(literals + links)


def test_a_law_is_described_to_machines(client: Client, law: Law):
    html = page(client, "/ley-900-2019")
    described = json_ld(html)
    assert {name: described[name] for name in ("@context", "@type", "@id", "url", "name", "legislationDate")} == {
        "@context": "https://schema.org",
        "@type": "Legislation",
        "@id": law.eli,
        "url": f"{SITE}/ley-900-2019",
        "name": law.title,
        "legislationDate": "2019-02-01",
    }
    assert described["legislationIdentifier"] == [law.eli, OWN, "ley-900-2019"]
    assert described["legislationLegalForce"] == "https://schema.org/InForce"
    assert described["temporalCoverage"] == "2019-02-01/.."
    told = eli(html)
    assert (told["eli:id_local"], told["eli:date_document"], told["eli:first_date_entry_in_force"]) == (
        OWN, "2019-02-01", "2019-02-01",
    )  # fmt: skip
    assert told["eli:in_force"] == "http://data.europa.eu/eli/ontology#InForce-inForce"
    assert told["eli:uri_schema"] == "https://www.boe.es/eli/{jurisdiction}/{type}/{year}/{month}/{day}/{number}"
    assert told["eli:type_document"] == "http://www.elidata.es/mdr/authority/resource-type/1/l"


@pytest.mark.parametrize(
    ("path", "version", "coverage", "force"),
    [
        ("ley-900-2019:art-5", "2025-05-01", "2025-05-01/..", "InForce"),
        ("ley-900-2019:art-5@2020-01-01", "2019-02-01", "2019-02-01/2025-04-30", "NotInForce"),
        ("ley-900-2019:art-7", "2019-02-01", "2019-02-01/2023-12-31", "NotInForce"),
    ],
)
def test_a_provision_is_described_as_the_redaction_shown(
    client: Client, law: Law, path: str, version: str, coverage: str, force: str
):
    html = page(client, f"/{path}")
    described = json_ld(html)
    assert described["@id"] == f"{SITE}/{path}"
    assert described["isPartOf"]["@id"] == law.eli
    assert (described["legislationDateVersion"], described["temporalCoverage"]) == (version, coverage)
    assert described["legislationLegalForce"] == f"https://schema.org/{force}"
    told = eli(html)
    assert (told["eli:version_date"], told["eli:is_part_of"]) == (version, law.eli)
    assert told["eli:in_force"].endswith("inForce" if force == "InForce" else "notInForce")


def test_an_invented_law_is_not_said_to_be_in_the_gazette(client: Client, law: Law):
    Law.objects.filter(pk=law.pk).update(boe_id="BOE-A-2019-99001")
    ArticleVersion.objects.filter(article__law=law).update(amended_by="BOE-A-2025-99007")
    html = page(client, "/ley-900-2019:art-5")
    assert json_ld(html)["isPartOf"]["@id"] == f"{SITE}/ley-900-2019"
    assert "boe.es" not in html
    assert "boe.es" not in page(client, "/ley-900-2019")


@pytest.mark.parametrize("path", ["ley-900-2019", "ley-900-2019:art-5"])
def test_the_same_is_offered_as_json(client: Client, law: Law, path: str):
    html = page(client, f"/{path}")
    (address,) = re.findall(r'rel="alternate" type="application/json" href="([^"]+)"', html)
    answer = client.get(address)
    assert answer.status_code == 200
    assert path in (answer.json().get("id"), answer.json().get("citation"))


# Citing


def forms(html: str) -> dict[str, str]:
    """Read the forms in which a page offers to be cited."""
    listed = re.findall(r'<dt>([^<]+)</dt>\s*<dd><span class="form">([^<]*)</span>', html)
    return dict(listed)


def test_a_part_is_cited_in_every_form_with_its_permalinks(client: Client, law: Law):
    path = "ley-900-2019:art-5-bis.1"
    assert forms(page(client, f"/{path}@2025-06-01")) == {
        "Breve": "art. 5-bis.1 Ley 900/2019",
        "Referencia": "art. 5-bis.1 de la Ley 900/2019, de 1 de febrero, de &lt;prueba&gt; y «cierre» (BOE-A-2019-900)",
        "Markdown": f"[art. 5-bis.1 Ley 900/2019]({SITE}/{path}@2025-06-01)",
        "Enlace al texto de hoy": f"{SITE}/{path}",
        "Enlace a este texto, con su día": f"{SITE}/{path}@2025-06-01",
    }


@pytest.mark.parametrize("path", ["art-1", "art-5", "art-7", "art-5@2020-01-01"])
def test_a_dated_permalink_opens_the_text_it_was_copied_from(client: Client, law: Law, path: str):
    def text(html: str) -> str:
        return html.split('id="text"')[1].split("</div>")[0]

    html = page(client, f"/ley-900-2019:{path}")
    dated = forms(html)["Enlace a este texto, con su día"]
    assert text(page(client, dated.removeprefix(SITE))).split(">", 1)[1] == text(html).split(">", 1)[1]


# Files


def whole(response: Any) -> str:
    """Read a streamed file."""
    assert response.streaming
    return b"".join(response.streaming_content).decode()


def test_a_law_is_taken_away_as_json(client: Client, law: Law):
    response = client.get("/ley-900-2019/download.json")
    assert response["Content-Disposition"] == 'attachment; filename="ley-900-2019.json"'
    taken = json.loads(whole(response))
    assert (taken["law"]["id"], taken["law"]["boe_id"], taken["as_of"]) == ("ley-900-2019", OWN, None)
    assert taken["url"] == f"{SITE}/ley-900-2019"
    listed = client.get("/api/v1/laws/ley-900-2019/articles").json()["items"]
    assert taken["articles"] == listed
    assert all(hashlib.sha256(one["text"].encode()).hexdigest() == one["sha256"] for one in listed)


def test_a_law_is_taken_away_as_text_of_a_day(client: Client, law: Law):
    Article.objects.filter(law=law, key__in=["art-5", "art-5-bis"]).update(path=["TÍTULO I. Grados"])
    response = client.get("/ley-900-2019/download.txt?as_of=2020-01-01")
    assert response["Content-Disposition"] == 'attachment; filename="ley-900-2019@2020-01-01.txt"'
    text = whole(response)
    old = "Se reconoce la gran invalidez."
    facts = (
        f"vigente · del 01/02/2019 al 30/04/2025 · BOE-A-2019-900 · sha256 {hashlib.sha256(old.encode()).hexdigest()}"
    )
    assert text.startswith(f"{law.title}\nley-900-2019 · BOE-A-2019-900 · vigente\nTexto vigente el 01/01/2020.\n")
    assert f"\n\n# TÍTULO I. Grados\n\n\nArtículo 5\n[ley-900-2019:art-5 · {facts}]\n\n{old}\n" in text
    assert "[ley-900-2019:art-5-bis · sin texto ese día]" in text
    assert text.count("# TÍTULO I. Grados") == 1


def test_a_file_is_of_the_whole_law_however_long(client: Client, law: Law, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("search.downloads.WINDOW", 2)
    taken = json.loads(whole(client.get("/ley-900-2019/download.json")))
    assert [one["citation"].split(":")[1] for one in taken["articles"]] == ["art-1", "art-5", "art-5-bis", "art-7"]

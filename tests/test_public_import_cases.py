"""Faults of import and parsing that users of other systems reported in public, from a source's bytes to the answer."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from corpus.importers.boe import read
from corpus.models import Article, Chunk, ChunkEmbedding, ImportEntry, ImportRun, Law
from corpus.records import LawRecord
from search.lookup import lookup
from search.retrieval import RetrievalRequest, retrieve
from tests.boe_response import article, block, paragraph, response, title, version, write

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]

SURCHARGES = (
    "<table><tr><td><p>Retraso</p></td><td><p>Recargo</p></td></tr>"
    "<tr><td><p>13 meses</p></td><td><p>15 por 100</p></td></tr></table>"
)
LABEL = paragraph("Artículo 27. Recargos.", "articulo")


def imported(folder: Path, *blocks: str, **metadata: object) -> Path:
    """Import one law from its XML, make its vectors and index it."""
    path = write(folder, *blocks, name="law.xml", **metadata)
    for command in (["import_laws", str(path)], ["embed_chunks"], ["index_corpus"]):
        call_command(*command, verbosity=0)
    return path


def record(*blocks: str, **metadata: object) -> LawRecord:
    return read([("law.xml", response(*blocks, **metadata))])


def keys(*blocks: str) -> list[str]:
    return [one.key for one in record(*blocks).articles]


def hits(query: str, mode: str = "lexical") -> list[str]:
    return [hit.citation for hit in retrieve(RetrievalRequest(query, mode=mode)).hits]


def passages(query: str, mode: str) -> str:
    found = retrieve(RetrievalRequest(query, mode=mode)).hits
    return "\n".join(passage.text for hit in found for passage in hit.passages)


def html_of(path: str) -> str:
    return re.sub(r"\s+", " ", Client().get(path, follow=True).content.decode())


def last_entry() -> ImportEntry:
    return ImportEntry.objects.latest("pk")


HEADED = (
    "<table><thead><tr><th>Retraso</th><th>Recargo</th></tr></thead>"
    "<tbody><tr><td>13 meses</td><td>15 por 100</td></tr></tbody></table>"
)


@pytest.mark.parametrize("table", [SURCHARGES, HEADED], ids=["plain first row", "header row"])
def test_br_35_a_table_is_kept_in_its_place_found_and_shown(tmp_path: Path, table: str) -> None:
    imported(tmp_path, block("Artículo 27", version(LABEL, paragraph("Recargos:"), table, paragraph("Fin."))))
    assert lookup("ley-900-2019:art-27").text == "Recargos:\nRetraso\tRecargo\n13 meses\t15 por 100\nFin."
    assert hits('"15 por 100"') == ["ley-900-2019:art-27"]
    page = html_of("/ley-900-2019:art-27")
    shown = page[page.index("<table") : page.index("</table>")]
    assert '<th scope="col">Retraso</th><th scope="col">Recargo</th>' in shown
    assert "<td>15 por 100</td>" in shown
    assert page.index("Recargos:") < page.index("<table") < page.index("Fin.")


def test_br_36_cells_never_run_together_anywhere(tmp_path: Path) -> None:
    cells = "<table><tr><td>9 %</td><td>3 meses</td></tr></table>"
    imported(tmp_path, block("Artículo 27", version(LABEL, paragraph("Tipos:"), cells)))
    answer = Client().get("/api/v1/citations/ley-900-2019:art-27").json()
    everywhere = [
        answer["text"],
        passages("meses", "lexical"),
        passages("meses", "semantic"),
        html_of("/ley-900-2019:art-27"),
        *(chunk.version.text[chunk.start : chunk.end] for chunk in Chunk.objects.select_related("version")),
    ]
    assert answer["text"] == "Tipos:\n9 %\t3 meses"
    assert not [text for text in everywhere if "%3" in text]
    assert hits('"3 meses"') == ["ley-900-2019:art-27"]


def test_br_38_anchors_of_the_viewer_are_references_and_no_text(tmp_path: Path) -> None:
    anchor = '<p>Texto de 2026. <a class="refPost">Ref. BOE-A-2026-9160#cu</a></p>'
    imported(tmp_path, block("Artículo 27", version(LABEL, anchor, "<p>Según la <b>Ley</b> <i>58/2003</i>.</p>")))
    found = Article.objects.get().versions.get()
    assert found.text == "Texto de 2026.\nSegún la Ley 58/2003."
    assert [note["references"] for note in found.notes] == [["BOE-A-2026-9160"]]
    assert "9160" not in html_of("/ley-900-2019:art-27")


@pytest.mark.parametrize(
    ("code", "name", "rank"),
    [("1370", "Resolución", "resolucion"), ("1371", "Rareza", "desconocido"), ("", "Ley", "desconocido")],
)
def test_br_38_a_rank_is_its_code_and_never_a_neighbour(code: str, name: str, rank: str) -> None:
    assert record(article("Artículo 1", "Uno."), rango=(code, name)).rank == rank


@pytest.mark.parametrize(
    ("header", "encoding"), [("ISO-8859-1", "utf-8"), ("utf-8", "cp1252"), ("utf-8", "utf-8-sig")], ids=["a", "b", "c"]
)
def test_br_39_bytes_are_read_for_what_they_are(tmp_path: Path, header: str, encoding: str) -> None:
    text = response(article("Artículo 1", "Disposición única: año, €")).decode()
    path = tmp_path / "law.xml"
    path.write_bytes(text.replace('encoding="utf-8"', f'encoding="{header}"').encode(encoding))
    call_command("import_laws", str(path), verbosity=0)
    assert lookup("ley-900-2019:art-1").text == "Disposición única: año, €"


def test_br_39_a_euro_by_its_number_in_windows_1252_is_a_euro() -> None:
    (one,) = record(article("Artículo 1", "Mil &#128; y cien &#x80;.")).articles
    assert one.versions[0].text == "Mil € y cien €."


def test_br_39_a_byte_that_fits_nothing_refuses_the_file_by_name(tmp_path: Path) -> None:
    path = tmp_path / "law.xml"
    path.write_bytes(response(article("Artículo 1", "año", "canción")).replace("canción".encode(), b"canci\xf3n"))
    with pytest.raises(SystemExit):
        call_command("import_laws", str(path), verbosity=0)
    assert re.search(r"law\.xml, line 2: byte 0xf3 at offset \d+ is not UTF-8", last_entry().detail)
    assert not Law.objects.exists()


QUOTED = {
    "in a box in a box": (
        "<blockquote><blockquote><p class='articulo'>Artículo 20. Nuevo.</p></blockquote><p>Texto.</p></blockquote>"
    ),
    "in a box": "<blockquote><p class='articulo'>Artículo 20. Nuevo.</p><p>Texto.</p></blockquote>",
    "in marks": '<p class="sangrado">«Artículo 20. Nuevo.</p><p class="sangrado">Texto.»</p>',
    "in marks with a title's class": '<p class="articulo">«Artículo 20. Nuevo.</p><p class="parrafo">Texto.»</p>',
}


@pytest.mark.parametrize("quoted", QUOTED.values(), ids=QUOTED)
def test_br_40_what_an_amending_article_quotes_is_its_own_text(tmp_path: Path, quoted: str) -> None:
    first = version(paragraph("Artículo 1.", "articulo"), paragraph("El artículo 20 queda redactado así:"), quoted)
    imported(
        tmp_path, block("Artículo 1", first), article("Artículo 2", "Fin."), identificador="BOE-A-2025-901",
        numero_oficial="901/2025", fecha_disposicion="20250109",
    )  # fmt: skip
    assert list(Article.objects.values_list("key", flat=True)) == ["art-1", "art-2"]
    text = lookup("ley-901-2025:art-1").text or ""
    assert "Artículo 20. Nuevo." in text
    assert "Texto." in text
    assert lookup("ley-901-2025:art-20").outcome == "no_such_provision"


@pytest.mark.parametrize("name", ["ANEXO II", "Anexo 2", "anexo ii.", "Anexo II.", "ANEXO 2.º"])
def test_br_43_an_annex_has_one_key_however_it_is_numbered(name: str) -> None:
    assert keys(article("Artículo 1", "Uno."), title(("anexo", name)))[1:] == ["anexo-ii"]


@pytest.mark.parametrize(
    "name", ["Disposición adicional decimoctava", "disp. adic. 18.ª", "DA 18ª", "D.A. 18", "Disposición adicional 18.ª"]
)
def test_br_43_a_disposition_has_one_key_however_it_is_numbered(tmp_path: Path, name: str) -> None:
    assert keys(article(name, "Uno.")) == ["da-18"]
    imported(tmp_path, article("Artículo 1", "Uno."), article("Disposición adicional decimoctava", "Dos."))
    assert lookup(f"{name} de la Ley 900/2019").resolved_to == "ley-900-2019:da-18"


def test_br_43_a_sole_disposition_is_unica() -> None:
    assert keys(article("Artículo 1", "Uno."), article("disposición final única", "Fin."))[1:] == ["df-unica"]


TENS = {10: "decim", 20: "vigesim", 30: "trigesim", 40: "cuadragesim", 50: "quincuagesim", 60: "sexagesim"}
UNITS = ("", "primera", "segunda", "tercera", "cuarta", "quinta", "sexta", "séptima", "octava", "novena")
ACCENTED = {"decim": "décima", "vigesim": "vigésima", "trigesim": "trigésima", "cuadragesim": "cuadragésima",
            "quincuagesim": "quincuagésima", "sexagesim": "sexagésima"}  # fmt: skip


def spelt(number: int) -> set[str]:
    """Give the ways in which a number up to 60 is written as an ordinal word, in one word or two."""
    tens, unit = TENS.get(number // 10 * 10, ""), UNITS[number % 10]
    if not tens:
        return {unit}
    apart = f"{ACCENTED[tens]} {unit}".strip()
    joined = f"{tens}{'o' if number < 20 else 'a'}{unit}".replace("oo", "o") if unit else apart
    special = {11: {"undécima"}, 12: {"duodécima"}}.get(number, set())
    return {apart, joined, *special}


@pytest.mark.parametrize("number", range(1, 61))
def test_br_43_ordinal_words_are_numbers_to_sixty(number: int) -> None:
    for word in spelt(number):
        assert keys(article(f"Disposición transitoria {word}", "Uno.")) == [f"dt-{number}"], word


def test_br_45_a_cut_file_of_30_mb_fails_whole_and_the_old_law_stays(tmp_path: Path) -> None:
    path = imported(tmp_path, article("Artículo 1", "Uno."), article("Artículo 2", "Dos."))
    long = "El contribuyente presentará la declaración en el plazo de un mes. " * 45
    many = "\n".join(article(f"Artículo {number}", long) for number in range(1, 10_001))
    data = response(many)
    assert len(data) > 30_000_000
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(SystemExit):
        call_command("import_laws", str(path), verbosity=0)
    assert list(Article.objects.values_list("key", "versions__text")) == [("art-1", "Uno."), ("art-2", "Dos.")]
    assert re.search(r"law\.xml, line \d{4}: not well-formed XML", last_entry().detail)
    assert ImportRun.objects.latest("pk").state == "failed"


def test_br_45_the_same_file_twice_changes_nothing(tmp_path: Path) -> None:
    path = imported(tmp_path, article("Artículo 1", "Uno."))
    call_command("import_laws", str(path), verbosity=0)
    assert last_entry().outcome == "unchanged"
    assert last_entry().get_outcome_display() == "sin cambios"


def test_br_46_no_stale_chunk_is_found_after_a_shorter_text_or_a_removal(tmp_path: Path) -> None:
    filler = "El sujeto pasivo ingresará la cuota en el plazo señalado por el reglamento de la tasa. " * 20
    long = (paragraph(filler), paragraph(filler.replace("tasa", "cuota")), paragraph(f"Cierre con zzzprueba. {filler}"))

    def fifth(*body: str) -> str:
        return block("Artículo 5", version(paragraph("Artículo 5.", "articulo"), *body))

    imported(tmp_path, fifth(*long))
    assert Chunk.objects.count() >= 3
    assert hits("zzzprueba") == ["ley-900-2019:art-5"]
    assert "zzzprueba" in passages("Cierre con zzzprueba", "semantic")

    imported(tmp_path, fifth(paragraph("Breve.")), fecha_actualizacion="20260301T000000Z")
    assert Chunk.objects.count() == 1
    assert hits("zzzprueba") == []
    assert "zzzprueba" not in passages("Cierre con zzzprueba", "semantic")

    Law.objects.get().delete()
    call_command("index_corpus", verbosity=0)
    assert (Article.objects.count(), Chunk.objects.count()) == (0, 0)
    assert (hits("breve"), hits("breve", "semantic")) == ([], [])
    assert lookup("ley-900-2019:art-5").outcome == "law_not_in_corpus"
    call_command("embed_chunks", "--prune", verbosity=0)
    assert ChunkEmbedding.objects.count() == 0

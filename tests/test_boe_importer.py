"""What the BOE importer makes of a response: articles, redactions, text, notes, structure, and what it refuses."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path

import pytest
from lxml import etree

from corpus.headings import classify_all
from corpus.importers import ImportRefused, load
from corpus.importers.boe import read
from corpus.importers.boe_articles import NEVER_IN_FORCE, UNDATED
from corpus.importers.boe_text import text_of
from corpus.records import ArticleRecord, Cell, LawRecord, Mark, Note, VersionRecord
from corpus.structure import sub_units
from corpus.validity import read_day
from tests.boe_response import HEADER, article, block, paragraph, response, title, version

FILE = Path("law.xml")


def law(*blocks: str, **metadata: object) -> LawRecord:
    return read([(FILE, response(*blocks, **metadata))])


def one(*blocks: str, key: str = "art-5") -> ArticleRecord:
    return next(article for article in law(*blocks).articles if article.key == key)


def body(*parts: str) -> VersionRecord:
    """Read one redaction of article 5 with these parts."""
    return one(block("Artículo 5", version(paragraph("Artículo 5.", "articulo"), *parts))).versions[0]


def keys(*blocks: str, **metadata: object) -> list[str]:
    return [article.key for article in law(*blocks, **metadata).articles]


def kinds(record: LawRecord) -> list[str]:
    return [warning.kind for warning in record.warnings]


INVALIDEZ = version(paragraph("Artículo 5. Grados.", "articulo"), paragraph("Se reconoce la gran invalidez."))
INCAPACIDAD = version(
    paragraph("Artículo 5. Grados.", "articulo"), paragraph("Se reconoce la gran incapacidad."),
    norm="BOE-A-2025-901", published="20250430", starts="20250501",
)  # fmt: skip


class TestVersions:
    @pytest.mark.parametrize("versions", [(INVALIDEZ, INCAPACIDAD), (INCAPACIDAD, INVALIDEZ)])
    def test_redactions_run_by_validity_whatever_the_order_of_the_file(self, versions: tuple[str, str]) -> None:
        found = one(block("Artículo 5", *versions))
        assert [(v.text, v.valid_from, v.valid_to, v.amended_by) for v in found.versions] == [
            ("Se reconoce la gran invalidez.", date(2019, 2, 1), date(2025, 4, 30), "BOE-A-2019-900"),
            ("Se reconoce la gran incapacidad.", date(2025, 5, 1), None, "BOE-A-2025-901"),
        ]

    def test_deferred_start_ends_the_former_redaction_the_day_before(self) -> None:
        later = version(paragraph("Nuevo."), norm="BOE-A-2024-1", published="20240601", starts="20250101")
        first, second = one(block("Artículo 5", INVALIDEZ, later)).versions
        assert (first.valid_to, second.valid_from) == (date(2024, 12, 31), date(2025, 1, 1))

    def test_retroactive_redaction_counts_from_the_day_it_names(self) -> None:
        later = version(paragraph("Nuevo."), norm="BOE-A-2024-1", published="20240601", starts="20240101")
        first, second = one(block("Artículo 5", INVALIDEZ, later)).versions
        assert (first.valid_to, second.valid_from, second.published) == (
            date(2023, 12, 31), date(2024, 1, 1), date(2024, 6, 1),
        )  # fmt: skip

    @pytest.mark.parametrize("day", ["99999999", "", "20230230", "29291119", "2019-02-01"])
    def test_impossible_start_falls_back_to_publication_and_is_told(self, day: str) -> None:
        record = law(block("Artículo 5", version(paragraph("Texto."), starts=day), id="a9"))
        assert record.articles[0].versions[0].valid_from == date(2019, 1, 10)
        assert [warning.kind for warning in record.warnings] == ["impossible-date", "validity-from-publication"]
        assert repr(day) in record.warnings[0].detail
        assert record.warnings[0].block == record.articles[0].source_block

    def test_redaction_of_a_law_without_any_day_has_none(self) -> None:
        fifth = block("Artículo 5", version(paragraph("Texto."), starts="x", published="99999999"))
        found = law(fifth, fecha_vigencia=None, fecha_publicacion="").articles[0].versions[0]
        assert (found.valid_from, found.published) == (None, None)

    def test_redaction_without_any_day_begins_with_its_law_and_that_is_told(self) -> None:
        record = law(block("Artículo 5", version(paragraph("Texto."), starts="x", published="99999999")))
        assert record.articles[0].versions[0].valid_from == date(2019, 2, 1)
        assert kinds(record) == ["impossible-date", "impossible-date", "validity-from-law"]

    def test_of_two_redactions_that_begin_on_one_day_the_one_published_last_counts(self) -> None:
        second = version(paragraph("Dos."), norm="BOE-A-2020-2", published="20201231", starts="20210101")
        first = version(paragraph("Uno."), norm="BOE-A-2020-1", published="20201230", starts="20210101")
        record = law(block("Artículo 5", INVALIDEZ, second, first))
        assert [v.text for v in record.articles[0].versions] == ["Se reconoce la gran invalidez.", "Dos."]
        assert kinds(record) == ["overtaken-version"]
        assert record.articles[0].versions[1].notes == (Note("Uno.", ("BOE-A-2020-1",), about=NEVER_IN_FORCE),)
        assert record.characters_kept == record.characters_in_source

    CROSSWISE = (
        version(paragraph("Uno."), published="20100101", starts="20100201"),
        version(paragraph("Uno. Dos, desde 2015."), norm="BOE-A-2011-1", published="20110101", starts="20150101"),
        version(paragraph("Uno bis. Dos, desde 2015."), norm="BOE-A-2012-1", published="20120101", starts="20120201"),
    )

    @pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
    def test_redaction_published_earlier_that_begins_later_is_overtaken(self, order: tuple[int, ...]) -> None:
        record = law(block("Artículo 5", *(self.CROSSWISE[number] for number in order)))
        versions = record.articles[0].versions
        assert [(v.text, v.valid_from, v.valid_to) for v in versions] == [
            ("Uno.", date(2010, 2, 1), date(2012, 1, 31)), ("Uno bis. Dos, desde 2015.", date(2012, 2, 1), None),
        ]  # fmt: skip
        assert versions[1].notes == (Note("Uno. Dos, desde 2015.", ("BOE-A-2011-1",), about=NEVER_IN_FORCE),)
        assert kinds(record) == ["overtaken-version"]
        assert record.characters_kept == record.characters_in_source

    @pytest.mark.parametrize("body", [(), (paragraph("Artículo 5.", "articulo"),)])
    def test_last_redaction_without_text_is_no_repeal_and_is_told(self, body: tuple[str, ...]) -> None:
        empty = version(*body, norm="BOE-A-2011-1", published="20110101", starts="20110201")
        record = law(block("Artículo 5", self.CROSSWISE[0], empty))
        assert [(v.text, v.status) for v in record.articles[0].versions] == [("Uno.", "in_force"), ("", "in_force")]
        told = "art-5: the redaction by BOE-A-2011-1 of 2011-02-01 has no text"
        assert [(one.kind, one.detail) for one in record.warnings] == [("empty-version", told)]

    def test_repeal_published_before_an_amendment_still_comes(self) -> None:
        gone = version(paragraph("(Derogado)"), norm="BOE-A-2011-1", published="20110101", starts="20150101")
        record = law(block("Artículo 5", self.CROSSWISE[0], gone, self.CROSSWISE[2]))
        assert [(v.status, v.valid_from, v.valid_to) for v in record.articles[0].versions] == [
            ("in_force", date(2010, 2, 1), date(2012, 1, 31)), ("in_force", date(2012, 2, 1), date(2014, 12, 31)),
            ("repealed", date(2015, 1, 1), None),
        ]  # fmt: skip
        assert kinds(record) == ["publication-order"]

    def test_text_published_before_a_repeal_that_begins_sooner_never_comes(self) -> None:
        gone = version(paragraph("(Derogado)"), norm="BOE-A-2012-1", published="20120101", starts="20120201")
        record = law(block("Artículo 5", self.CROSSWISE[0], self.CROSSWISE[1], gone))
        assert [(v.status, v.valid_to) for v in record.articles[0].versions] == [
            ("in_force", date(2012, 1, 31)), ("repealed", None),
        ]  # fmt: skip

    def test_second_life_is_not_overtaken_by_the_first(self) -> None:
        old = block("Artículo 5", self.CROSSWISE[0], self.CROSSWISE[2], fecha_caducidad="20140101")
        new = block("Artículo 5", version(paragraph("Otro."), published="20110101", starts="20150101"))
        assert [(v.text, v.valid_to) for v in one(old, new).versions] == [
            ("Uno.", date(2012, 1, 31)), ("Uno bis. Dos, desde 2015.", date(2013, 12, 31)), ("Otro.", None),
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("marker", "status"),
        [
            ("(Derogado)", "repealed"), ("<strong>(Derogados)</strong>", "repealed"), ("(Suprimido).", "repealed"),
            ("(Sin contenido)", "repealed"), ("Derogado.", "repealed"), ("(Anulado)", "annulled"),
            ("(Anulada)", "annulled"), ("[Derogada]", "repealed"), ("(Derogado por la Ley 5/2020)", "repealed"),
            ("1. (Derogado)", "repealed"), ("(Inconstitucional y nulo)", "annulled"),
            ("Derogado por la Ley 5/2020, de 1 de mayo.", "repealed"), ("(Declarado inconstitucional)", "annulled"),
        ],
    )  # fmt: skip
    def test_marker_tells_that_the_provision_is_gone(self, marker: str, status: str) -> None:
        gone = version(paragraph("Artículo 5.", "articulo"), paragraph(marker), published="20240101", starts="20240201")
        versions = one(block("Artículo 5", INVALIDEZ, gone)).versions
        assert [(v.status, v.valid_to) for v in versions] == [("in_force", date(2024, 1, 31)), (status, None)]

    @pytest.mark.parametrize(
        "text",
        [
            "Se entiende derogado el artículo 3.",
            "Derogado el Reglamento, el Gobierno dictará otro.",
            "Derogado por la Ley el Reglamento, se dictará otro.",
            "1. (Derogado)</p><p>2. El plazo será de un mes.",
            "Anulado el acto, se repetirá.",
        ],
    )
    def test_text_that_speaks_of_repeal_is_no_marker(self, text: str) -> None:
        assert body(paragraph(text)).status == "in_force"

    def test_marker_on_the_title_line_is_the_text(self) -> None:
        found = one(block("Artículo 5", version(paragraph("Artículo 5. (Derogado)", "articulo")))).versions[0]
        assert (found.text, found.heading, found.status) == ("(Derogado)", "", "repealed")

    def test_block_that_expires_without_a_marker_ends_the_day_before(self) -> None:
        found = one(block("Artículo 5", INVALIDEZ, fecha_caducidad="20190330"))
        assert [(v.status, v.valid_to) for v in found.versions] == [("in_force", date(2019, 3, 29))]

    def test_second_life_of_an_expired_number_is_the_same_provision(self) -> None:
        old = block("Artículo 5", INVALIDEZ, fecha_caducidad="20200101")
        new = block("Artículo 5", version(paragraph("Otro."), published="20220101", starts="20220101"))
        assert [(v.text, v.valid_to) for v in one(old, new).versions] == [
            ("Se reconoce la gran invalidez.", date(2019, 12, 31)), ("Otro.", None),
        ]  # fmt: skip

    def test_expired_block_behind_the_one_that_took_its_number_is_its_past(self) -> None:
        new = block("Artículo 5", version(paragraph("Otro."), published="20191220", starts="20191230"))
        old = block("Artículo 5", INVALIDEZ, fecha_caducidad="20200101")
        found = one(new, old)
        assert [v.text for v in found.versions] == ["Se reconoce la gran invalidez.", "Otro."]
        assert found.versions[0].valid_to == date(2019, 12, 29)

    def test_grouped_repeal_gives_each_number_its_old_text_and_the_marker(self) -> None:
        gone = version(
            paragraph("Artículos 4 a 6.", "articulo"), paragraph("(Derogados)"), published="20190330", starts="20190419"
        )
        group = block("Artículos 4 a 6", gone, type_="encabezado")
        record = law(
            group,
            block("Artículo 5", INVALIDEZ, fecha_caducidad="20190330"),
            block("Artículo 5 bis", version(paragraph("Bis.")), fecha_caducidad="20190330"),
            article("Artículo 7", "Queda."),
        )
        assert {a.key: [(v.status, v.valid_to) for v in a.versions] for a in record.articles} == {
            "art-4": [("repealed", None)],
            "art-6": [("repealed", None)],
            "art-5": [("in_force", date(2019, 4, 18)), ("repealed", None)],
            "art-5-bis": [("in_force", date(2019, 4, 18)), ("repealed", None)],
            "art-7": [("in_force", None)],
        }
        assert record.articles[2].label == "Artículo 5"


class TestLaw:
    def test_metadata_is_read(self) -> None:
        record = law(article("Artículo 1", "Uno."), url_eli="https://www.boe.es/eli/es/l/2019/01/09/900")
        assert (record.id, record.rank, record.number, record.boe_id) == (
            "ley-900-2019",
            "ley",
            "900/2019",
            "BOE-A-2019-900",
        )
        assert (record.title, record.short_title) == (
            "Ley 900/2019, de 9 de enero, de Pruebas.",
            "Ley 900/2019, de Pruebas",
        )
        assert (record.enacted, record.published, record.valid_from, record.valid_to) == (
            date(2019, 1, 9), date(2019, 1, 10), date(2019, 2, 1), None,
        )  # fmt: skip
        assert record.source_updated_at is not None
        assert record.source_updated_at.isoformat() == "2026-01-01T09:00:00+00:00"

    def test_repealed_law_ends_the_day_before_its_repeal(self) -> None:
        record = law(article("Artículo 1", "Uno."), estatus_derogacion="S", fecha_derogacion="20240102")
        assert (record.status, record.valid_to) == ("repealed", date(2024, 1, 1))

    @pytest.mark.parametrize(
        ("flags", "status"),
        [({"estatus_anulacion": "S"}, "annulled"), ({"vigencia_agotada": "S"}, "expired"), ({}, "in_force"),
         ({"estatus_derogacion": "S", "vigencia_agotada": "S"}, "repealed")],
    )  # fmt: skip
    def test_flags_tell_the_status(self, flags: dict[str, object], status: str) -> None:
        record = law(article("Artículo 1", "Uno."), **flags)
        assert (record.status, record.valid_to) == (status, None)

    def test_repeal_before_the_first_day_gives_no_last_day(self) -> None:
        record = law(article("Artículo 1", "Uno."), estatus_derogacion="S", fecha_derogacion="20180101")
        assert (record.status, record.valid_to, kinds(record)) == ("repealed", None, ["impossible-date"])

    def test_unknown_rank_is_told_and_goes_by_the_boe_id(self) -> None:
        record = law(article("Artículo 1", "Uno."), rango=("1299", "Rareza"))
        assert (record.id, record.rank, kinds(record)) == ("boe-a-2019-900", "desconocido", ["unknown-rank"])

    def test_regional_law_has_its_jurisdiction_first(self) -> None:
        record = law(article("Artículo 1", "Uno."), ambito=("2", "Autonómico"), departamento=("8070", "Cataluña"))
        assert (record.id, record.jurisdiction) == ("es-ct-ley-900-2019", "es-ct")

    def test_initial_note_and_signature_are_notes_of_the_law(self) -> None:
        note = paragraph('Incluye la corrección. <a class="refPost">Ref. BOE-A-2019-1</a>', "textoCompleto")
        record = law(
            block(None, version(note), type_="nota_inicial"),
            article("Artículo 1", "Uno."),
            block(None, version(paragraph("Madrid, 9 de enero."), paragraph("FELIPE R.", "firma_rey")), type_="firma"),
        )
        assert [article.key for article in record.articles] == ["art-1"]
        assert record.notes == (
            Note("Incluye la corrección. Ref. BOE-A-2019-1", ("BOE-A-2019-1",)),
            Note("Madrid, 9 de enero.\nFELIPE R.", about="firma"),
        )


class TestText:
    def test_paragraphs_and_tables_keep_their_order(self) -> None:
        table = (
            "<table><tr><td><p>Retraso</p></td><td><p>Recargo</p></td></tr>"
            "<tr><td><p>13 meses</p></td><td><p>15 por 100</p></td></tr></table>"
        )
        found = body(paragraph("Recargos:"), table, paragraph("Fin."))
        assert found.text == "Recargos:\nRetraso\tRecargo\n13 meses\t15 por 100\nFin."
        assert [(b.kind, found.text[b.start : b.end]) for b in found.blocks] == [
            ("paragraph", "Recargos:"), ("table", "Retraso\tRecargo\n13 meses\t15 por 100"), ("paragraph", "Fin."),
        ]  # fmt: skip

    def test_cells_never_run_together(self) -> None:
        found = body("<table><tr><td>9 %</td><td>3 meses</td></tr></table>")
        assert found.text == "9 %\t3 meses"

    def test_cells_have_offsets_spans_and_headers(self) -> None:
        table = (
            '<table><thead><tr><th colspan="2">Tipo<br/>–<br/>Euros</th></tr></thead><tfoot><tr><td>z</td></tr></tfoot>'
            '<tbody><tr><td rowspan="2">a</td><td>b<p>c</p></td></tr><tr><td> </td></tr></tbody></table>'
        )
        found = body(table)
        assert found.text == "Tipo – Euros\na\tb c\nz"
        assert found.blocks[0].rows == (
            (Cell(0, 12, is_header=True, colspan=2),), (Cell(13, 14, rowspan=2), Cell(15, 18)), (Cell(19, 20),),
        )  # fmt: skip

    @pytest.mark.parametrize("span", ["0", "x", "-1", "99999999", ""])
    def test_absurd_span_does_no_harm(self, span: str) -> None:
        found = body(f'<table><tr><td colspan="{span}">a</td></tr></table>')
        assert 1 <= found.blocks[0].rows[0][0].colspan <= 1000

    def test_caption_stands_before_its_table(self) -> None:
        assert body("<table><caption>Tarifa</caption><tr><td>a</td></tr></table>").text == "Tarifa\na"

    def test_table_inside_a_cell_becomes_words_of_the_cell(self) -> None:
        found = body("<table><tr><td><table><tr><td>a</td><td>b</td></tr></table></td><td>c</td></tr></table>")
        assert found.text == "a b\tc"

    def test_inline_markup_keeps_its_spaces_and_is_marked(self) -> None:
        found = body(paragraph("Según la <b>Ley</b> <i>58/2003</i>, m<sup>2</sup> y CO<sub>2</sub>."))
        assert found.text == "Según la Ley 58/2003, m2 y CO2."
        assert [(m.tag, found.text[m.start : m.end]) for m in found.blocks[0].marks] == [
            ("strong", "Ley"), ("em", "58/2003"), ("sup", "2"), ("sub", "2"),
        ]  # fmt: skip
        assert found.blocks[0].marks[0] == Mark(9, 12, "strong")

    def test_markup_space_is_one_space_and_special_spaces_stay(self) -> None:
        assert body(paragraph("\n   a\n\t  b\u00a0c\u00add  ")).text == "a b\u00a0c\u00add"

    def test_line_break_is_a_line_break(self) -> None:
        assert body(paragraph("uno <br/> dos")).text == "uno\ndos"

    def test_text_is_nfc_with_offsets_that_fit(self) -> None:
        found = body(paragraph("Disposicio\u0301n <b>u\u0301nica</b>"))
        assert found.text == "Disposición única"
        assert found.text[slice(*(found.blocks[0].marks[0].start, found.blocks[0].marks[0].end))] == "única"

    @pytest.mark.parametrize(
        ("image", "text"),
        [('<img src="data:image/png;base64,AAAA" alt="Imagen: Fórmula"/>', "[Imagen: Fórmula]"),
         ('<img src="/datos/x.png" alt="/datos/x.png"/>', "[Imagen]"), ("<img/>", "[Imagen]")],
    )  # fmt: skip
    def test_image_is_a_described_placeholder(self, image: str, text: str) -> None:
        for markup in (image, paragraph(image, "imagen")):
            found = body(paragraph("Antes."), markup)
            assert found.text == f"Antes.\n{text}"
            assert found.blocks[1].kind == "image"
            assert "base64" not in found.blocks[1].style

    def test_words_outside_any_paragraph_are_kept(self) -> None:
        assert body("suelto", paragraph("Uno."), "cola").text == "suelto\nUno.\ncola"

    def test_lists_and_unknown_containers_are_kept(self) -> None:
        assert body("<ul><li>uno</li><li>dos</li></ul><div><p>tres</p></div>").text == "uno\ndos\ntres"

    def test_angle_brackets_of_the_text_stay_text(self) -> None:
        assert body(paragraph("tipo &lt;img src=x onerror=alert(1)")).text == "tipo <img src=x onerror=alert(1)"

    def test_title_line_is_label_and_heading_not_text(self) -> None:
        found = one(article("Artículo 5", "Texto.", heading="Grados"))
        assert (found.label, found.versions[0].heading, found.versions[0].text) == ("Artículo 5", "Grados", "Texto.")

    def test_sentence_on_the_title_line_is_text(self) -> None:
        sentence = "A los efectos de esta Ley se entiende por local todo recinto."
        alone = block("Artículo 12", version(paragraph(f"Artículo 12. {sentence}", "articulo")))
        found = one(alone, key="art-12").versions[0]
        assert (found.heading, found.text) == ("", sentence)

    def test_sentence_on_the_title_line_goes_before_the_other_paragraphs(self) -> None:
        opening = paragraph("Artículo 12. A los efectos de <b>esta Ley</b> son locales:", "articulo")
        found = one(block("Artículo 12", version(opening, paragraph("a) Los recintos."))), key="art-12").versions[0]
        assert (found.heading, found.text) == ("", "A los efectos de esta Ley son locales:\na) Los recintos.")
        assert [found.text[m.start : m.end] for m in found.blocks[0].marks] == ["esta Ley"]

    def test_heading_and_text_on_one_line_are_parted(self) -> None:
        line = paragraph("Artículo 5. Competencias. El Pleno tendrá las siguientes:", "articulo")
        found = one(block("Artículo 5", version(line, paragraph("a) Una.")))).versions[0]
        assert (found.heading, found.text) == ("Competencias", "El Pleno tendrá las siguientes:\na) Una.")

    def test_label_in_a_plain_paragraph_is_taken_off(self) -> None:
        found = one(block("Artículo 5", version(paragraph("Artículo 5. Objeto."), paragraph("Texto.")))).versions[0]
        assert (found.heading, found.text) == ("Objeto", "Texto.")

    def test_block_without_title_is_named_by_its_text(self) -> None:
        assert keys(block(None, version(paragraph("Artículo 5. Objeto.", "articulo"), paragraph("Texto.")))) == [
            "art-5"
        ]

    def test_quoted_provisions_belong_to_the_article_that_quotes_them(self) -> None:
        quoted = "<blockquote><p class='articulo'>Artículo 20. Nuevo.</p><p>Texto.</p></blockquote>"
        amending = block(
            "Artículo 1",
            version(paragraph("Artículo 1.", "articulo"), paragraph("El artículo 20 queda redactado así:"), quoted),
        )
        record = law(amending, article("Artículo 2", "Fin."))
        assert [a.key for a in record.articles] == ["art-1", "art-2"]
        first = record.articles[0].versions[0]
        assert first.text == "El artículo 20 queda redactado así:\nArtículo 20. Nuevo.\nTexto."
        assert [b.kind for b in first.blocks] == ["paragraph", "quote", "quote"]

    def test_quotation_marks_show_what_is_quoted(self) -> None:
        found = body(
            paragraph("Uno. El artículo 3 dirá:"), paragraph("«1. Plazos.", "parrafo_2"), paragraph("2. Días.»"),
            paragraph("Dos. Se suprime."), paragraph("«Ley» es toda norma."),
        )  # fmt: skip
        assert [b.kind for b in found.blocks] == ["paragraph", "quote", "quote", "paragraph", "paragraph"]


class TestNotes:
    def test_viewer_anchor_is_a_reference_and_not_text(self) -> None:
        found = body(paragraph('Texto de 2026. <a class="refPost">Ref. BOE-A-2026-9160#cu</a>', ""))
        assert found.text == "Texto de 2026."
        assert found.notes == (Note("Ref. BOE-A-2026-9160#cu", ("BOE-A-2026-9160",)),)

    @pytest.mark.parametrize(
        "box",
        ["soloTexto", "siempreSeVe", "noDesde20120901", "noDesde99999999", "docrel", "nota_pie_2"],
    )
    def test_editorial_box_is_a_note(self, box: str) -> None:
        found = body(
            paragraph("Texto."), f'<blockquote class="{box}"><p>Atención.</p><p class="cita">"Antes"</p></blockquote>'
        )
        assert (found.text, found.notes) == ("Texto.", (Note('Atención.\n"Antes"'),))

    def test_box_that_expires_is_a_note(self) -> None:
        assert body(paragraph("Texto."), '<blockquote caduca=""><p>Véase.</p></blockquote>').text == "Texto."

    def test_footnotes_are_one_note_each_with_what_continues_them(self) -> None:
        box = (
            '<blockquote><p class="nota_pie">Se modifica. <a class="refPost">Ref. BOE-A-2020-1#df</a></p>'
            '<p class="nota_pie_2">Téngase en cuenta.</p><p class="nota_pie">Se añade.</p></blockquote>'
        )
        assert body(paragraph("Texto."), box).notes == (
            Note("Se modifica. Ref. BOE-A-2020-1#df\nTéngase en cuenta.", ("BOE-A-2020-1",)), Note("Se añade."),
        )  # fmt: skip

    def test_note_outside_a_box_is_a_note(self) -> None:
        assert body(paragraph("Texto."), paragraph("Se añade.", "nota_pie")).text == "Texto."

    def test_note_below_a_heading_belongs_to_the_law(self) -> None:
        heading = block(
            "TÍTULO I",
            version(
                paragraph("TÍTULO I", "titulo_num"), paragraph("General", "titulo_tit"),
                '<blockquote><p class="nota_pie">Se añade.</p></blockquote>',
            ),
            type_="encabezado",
        )  # fmt: skip
        assert law(heading, article("Artículo 1", "Uno.")).notes == (Note("Se añade.", about="TÍTULO I. General"),)


class TestStructure:
    def test_path_holds_the_titles_above(self) -> None:
        record = law(
            title(("titulo_num", "TÍTULO I"), ("titulo_tit", "General")),
            title(("capitulo_num", "CAPÍTULO I"), ("capitulo_tit", "Objeto")),
            title(("seccion", "Sección 1.ª Normas")),
            article("Artículo 1", "Uno."),
            title(("capitulo_num", "CAPÍTULO II"), ("capitulo_tit", "Fines"), type_="precepto"),
            article("Artículo 2", "Dos."),
            title(("titulo", "TÍTULO II. Especial")),
            article("Artículo 3", "Tres."),
            article("Disposición final única", "Fin."),
        )
        assert [(a.key, a.path) for a in record.articles] == [
            ("art-1", ("TÍTULO I. General", "CAPÍTULO I. Objeto", "Sección 1.ª Normas")),
            ("art-2", ("TÍTULO I. General", "CAPÍTULO II. Fines")),
            ("art-3", ("TÍTULO II. Especial",)),
            ("df-unica", ()),
        ]

    def test_heading_that_was_renamed_shows_its_current_name(self) -> None:
        renamed = block(
            "TÍTULO I",
            version(paragraph("TÍTULO I", "titulo_num"), paragraph("Nuevo", "titulo_tit"), starts="20200101"),
            version(paragraph("TÍTULO I", "titulo_num"), paragraph("Viejo", "titulo_tit")),
            type_="encabezado",
        )
        record = law(renamed, article("Artículo 1", "Uno."))
        assert record.articles[0].path == ("TÍTULO I. Nuevo",)
        assert record.notes == (Note("TÍTULO I. Viejo", about="TÍTULO I. Nuevo"),)

    def test_heading_that_is_gone_stands_only_above_what_is_gone(self) -> None:
        record = law(
            title(("titulo_num", "TÍTULO I")),
            block("CAPÍTULO I", version(paragraph("CAPÍTULO I", "capitulo")), type_="encabezado",
                  fecha_caducidad="20200101"),
            block("Artículo 1", version(paragraph("Uno.")), fecha_caducidad="20200101"),
            article("Artículo 2", "Dos."),
        )  # fmt: skip
        assert [a.path for a in record.articles] == [("TÍTULO I", "CAPÍTULO I"), ("TÍTULO I",)]

    def test_name_of_an_article_on_a_line_of_its_own(self) -> None:
        lines = paragraph("Artículo 5.", "articulo"), paragraph("Objeto.", "articulo"), paragraph("Texto.")
        found = one(block("Artículo 5", version(*lines))).versions[0]
        assert (found.heading, found.text) == ("Objeto", "Texto.")

    def test_block_without_a_version_keeps_its_text_and_is_told(self) -> None:
        record = law(article("Artículo 1", "Uno."), block("Artículo 2", paragraph("Dos.")), block("Artículo 3"))
        assert [(a.key, a.versions[0].text, a.versions[0].valid_from) for a in record.articles[1:]] == [
            ("art-2", "Dos.", None)
        ]
        assert kinds(record) == ["impossible-date", "impossible-date", "empty-block"]

    def test_provisions_hide_in_heading_blocks(self) -> None:
        derogatoria = block(
            "Disposición derogatoria",
            version(paragraph("Disposición derogatoria.", "articulo"), paragraph("Quedan derogadas.")),
            type_="encabezado",
        )
        annex = block(
            "ANEXO I",
            version(
                paragraph("ANEXO I", "anexo_num"),
                paragraph("Tasas", "anexo_tit"),
                paragraph("1. General", "centro_cursiva"),
            ),
            type_="encabezado",
        )
        record = law(article("Artículo 1", "Uno."), derogatoria, annex)
        assert [(a.key, a.kind, a.versions[0].heading, a.versions[0].text) for a in record.articles[1:]] == [
            ("dd-unica", "repealing", "", "Quedan derogadas."), ("anexo-i", "annex", "Tasas", "1. General"),
        ]  # fmt: skip

    def test_bare_ordinals_are_named_by_the_heading_above(self) -> None:
        def bare(name: str) -> str:
            return block(name, version(paragraph(f"{name}.", "articulo"), paragraph("Texto.")))

        found = keys(
            bare("Primero"), bare("Segundo"),
            title(("capitulo", "DISPOSICIONES ADICIONALES")), bare("Primera"), bare("Segunda"),
            title(("capitulo", "DISPOSICIONES FINALES")), bare("Única"),
        )  # fmt: skip
        assert found == ["apartado-1", "apartado-2", "da-1", "da-2", "df-unica"]

    def test_key_never_is_the_block_id(self) -> None:
        blocks = (article("Artículo 10", "Diez."), article("Disposición adicional primera", "Una."),
                  block(None, version(paragraph("Texto sin nombre alguno.")), id="zz9"))  # fmt: skip
        assert keys(*blocks) == ["art-10", "da-1", "texto-sin-nombre-alguno"]

    def test_text_says_more_than_the_attribute(self) -> None:
        found = law(block("Artículo 16", version(paragraph("Artículo 16 A. Objeto.", "articulo"), paragraph("Texto."))))
        assert ([a.key for a in found.articles], kinds(found)) == (["art-16-a"], [])

    def test_title_that_contradicts_the_text_is_told(self) -> None:
        found = law(block("Artículo 10", version(paragraph("Artículo 11.", "articulo"), paragraph("Texto."))))
        assert ([a.key for a in found.articles], kinds(found)) == (["art-11"], ["title-mismatch"])

    def test_repeated_key_is_numbered(self) -> None:
        twice = [article("Disposición adicional primera", text) for text in ("Una.", "Otra.", "Más.")]
        assert keys(*twice) == ["da-1", "da-1~2", "da-1~3"]

    def test_preamble_is_a_provision(self) -> None:
        record = law(block(None, version(paragraph("Sabed.")), type_="preambulo"), article("Artículo 1", "Uno."))
        assert [(a.key, a.kind) for a in record.articles] == [("preambulo", "preamble"), ("art-1", "article")]

    def test_preamble_is_text_from_its_first_line(self) -> None:
        preamble = version(paragraph("JUAN CARLOS I", "subseccion"), paragraph("Sabed."))
        found = law(block(None, preamble, type_="preambulo"), article("Artículo 1", "Uno.")).articles[0].versions[0]
        assert (found.heading, found.text) == ("", "JUAN CARLOS I\nSabed.")

    def test_text_below_a_heading_is_kept_under_its_place(self) -> None:
        heading = block(
            "CAPÍTULO I", version(paragraph("CAPÍTULO I", "capitulo_num"), paragraph("(Derogado)")), type_="encabezado"
        )
        record = law(title(("titulo", "TÍTULO II")), heading, article("Artículo 1", "Uno."))
        assert [(a.key, a.versions[0].text) for a in record.articles] == [
            ("titulo-ii.capitulo-i", "(Derogado)"), ("art-1", "Uno."),
        ]  # fmt: skip


SIGNED = block(None, version(paragraph("Madrid.")), type_="firma")
APPROVING = "Real Decreto 900/2019, de 9 de enero, por el que se aprueba el Reglamento de Pruebas."
OWN = (block(None, version(paragraph("Visto.")), type_="preambulo"), article("Artículo único", "Se aprueba."),
       article("Disposición final segunda", "Entrada en vigor."))  # fmt: skip


class TestAnnexedTexts:
    @pytest.mark.parametrize(
        "heading",
        [
            (title(("libro", "REGLAMENTO DE PRUEBAS")),),
            (title(("anexo", "REGLAMENTO DE PRUEBAS")),),
            (title(("anexo_num", "ANEXO"), ("anexo_tit", "Reglamento de Pruebas")),),
            (title(("anexo", "ANEXO")), title(("centro_redonda", "REGLAMENTO DE PRUEBAS"))),
            (title(("anexo", "ANEXO")),),
        ],
    )
    def test_one_annexed_text_takes_the_plain_keys(self, heading: tuple[str, ...]) -> None:
        annexed = (
            title(("capitulo", "CAPÍTULO I. General")), article("Artículo 1", "Uno."), article("Artículo 2", "Dos."),
            article("Disposición adicional única", "Más."),
        )  # fmt: skip
        record = law(*OWN, SIGNED, *heading, *annexed, titulo=APPROVING, rango=("1340", "Real Decreto"))
        assert [a.key for a in record.articles] == [
            "norma.preambulo", "norma.art-unico", "norma.df-2", "art-1", "art-2", "da-unica",
        ]  # fmt: skip
        assert record.articles[3].path == ("CAPÍTULO I. General",)

    def test_annexed_text_without_a_title_begins_where_numbering_restarts(self) -> None:
        own = (article("Artículo 1", "Se aprueba."), article("Artículo 2", "Vigor."))
        assert keys(*own, SIGNED, article("Artículo 1", "Uno."), titulo=APPROVING) == [
            "norma.art-1", "norma.art-2", "art-1",
        ]  # fmt: skip

    def test_several_annexed_texts_go_by_words_of_their_titles(self) -> None:
        first = (title(("anexo", "CARTA MUNICIPAL")), article("Artículo 1", "Uno."), article("Artículo 2", "Dos."))
        second = (title(("anexo", "ESTATUTO DE LA CIUDAD")), article("Artículo 1", "Uno."))
        assert keys(*OWN, SIGNED, *first, *second, titulo=APPROVING) == [
            "norma.preambulo", "norma.art-unico", "norma.df-2", "carta.art-1", "carta.art-2", "estatuto.art-1",
        ]  # fmt: skip

    def test_texts_whose_titles_begin_alike_take_more_words(self) -> None:
        texts = [
            part
            for name in ("REGLAMENTO GENERAL DE COSTAS", "REGLAMENTO ORGÁNICO DE FAROS")
            for part in (title(("anexo", name)), article("Artículo 1", "Uno."))
        ]
        assert keys(*OWN, SIGNED, *texts, titulo=APPROVING)[-2:] == [
            "reglamento-general.art-1",
            "reglamento-organico.art-1",
        ]

    def test_two_texts_side_by_side_without_an_approving_norm_are_both_named(self) -> None:
        found = keys(
            title(("titulo", "CARTA DE LAS NACIONES")), article("Artículo 1", "Uno."), article("Artículo 2", "Dos."),
            title(("anexo", "ESTATUTO DE LA CORTE")), article("Artículo 1", "Uno."),
            titulo="Carta de las Naciones y Estatuto de la Corte",
        )  # fmt: skip
        assert found == ["carta.art-1", "carta.art-2", "estatuto.art-1"]

    def test_law_that_approves_nothing_keeps_its_plain_keys_beside_a_text(self) -> None:
        own = (article("Artículo 1", "Se crea."), article("Artículo 2", "Fines."))
        annexed = (title(("anexo", "ESTATUTO DEL SERVICIO")), article("Artículo 1", "Uno."))
        assert keys(*own, SIGNED, *annexed) == ["art-1", "art-2", "estatuto.art-1"]

    def test_texts_without_titles_are_numbered(self) -> None:
        texts = [article("Artículo 1", "Uno.")] * 3
        assert keys(*OWN, SIGNED, *texts, titulo=APPROVING)[-3:] == ["texto.art-1", "texto-2.art-1", "texto-3.art-1"]

    def test_names_of_texts_stay_short(self) -> None:
        texts = [
            part
            for name in ("INSTRUCCIÓN TÉCNICA COMPLEMENTARIA EP-1", "INSTRUCCIÓN TÉCNICA COMPLEMENTARIA EP-2")
            for part in (title(("anexo", name)), article("Artículo 1", "Uno."))
        ]
        assert keys(*OWN, SIGNED, *texts, titulo=APPROVING)[-2:] == ["instruccion-ep-1.art-1", "instruccion-ep-2.art-1"]

    def test_annex_with_articles_of_its_own_goes_before_their_keys(self) -> None:
        found = keys(
            article("Artículo 1", "Uno."), article("Artículo 2", "Dos."),
            title(("anexo_num", "ANEXO I"), ("anexo_tit", "Protocolo")), article("Artículo 1", "A."),
            article("Artículo 2", "B."), title(("anexo", "ANEXO II")), article("Artículo 1", "C."),
            block("ANEXO III", version(paragraph("ANEXO III", "anexo"), paragraph("Lista."))),
        )  # fmt: skip
        assert found == ["art-1", "art-2", "anexo-i.art-1", "anexo-i.art-2", "anexo-ii.art-1", "anexo-iii"]

    def test_annexes_that_follow_an_annexed_text_are_its_own(self) -> None:
        annex = block("ANEXO I", version(paragraph("ANEXO I", "anexo"), paragraph("Lista.")))
        found = keys(
            *OWN, SIGNED, title(("libro", "REGLAMENTO")), article("Artículo 1", "Uno."), annex, titulo=APPROVING
        )
        assert found[-2:] == ["art-1", "anexo-i"]

    def test_empty_annex_is_kept(self) -> None:
        record = law(article("Artículo 1", "Uno."), title(("anexo", "ANEXO I")), title(("anexo", "ANEXO II")))
        assert [(a.key, a.versions[0].text) for a in record.articles[1:]] == [("anexo-i", ""), ("anexo-ii", "")]

    def test_disposition_after_the_signature_opens_no_annexed_text(self) -> None:
        assert keys(article("Artículo 1", "Uno."), SIGNED, article("Disposición final única", "Fin.")) == [
            "art-1", "df-unica",
        ]  # fmt: skip


class TestRefusals:
    @pytest.mark.parametrize(
        ("data", "reason", "line"),
        [
            (b"", "empty", None),
            (b"  \n ", "empty", None),
            (b"<!DOCTYPE html><html><body>503</body></html>", "HTML page", 1),
            (b"<html><p>x</html>", "HTML page", 1),
            (b'{"data": []}', "not XML", 1),
            (b"<rss/>", "root is <rss>", 1),
            (response(article("Artículo 1", "Uno."))[:-40], "not well-formed", 2),
            (b"<response>\n<data>\n<metadatos>\n</response>", "not well-formed", 4),
            (b"<response><status><code>404</code><text>No</text></status><data/></response>", "answered 404: No", 1),
            (b"<response><data><texto><bloque/></texto></data></response>", "no <metadatos>", None),
            (b"<response><data><metadatos/></data></response>", "no <texto>", None),
            (response(titulo=""), "no block", 2),
            (response(article("Artículo 1", "Uno."), titulo=""), "no <titulo>", 2),
            (response(article("Artículo 1", "Uno."), identificador=None), "no <identificador>", 2),
            (f'{HEADER}<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'.encode(), "XXE", 1),
            (b'<!DOCTYPE r [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><r>&b;</r>', "entity bomb", 1),
            (b"\n<!DOCTYPE r><r/>", "document type", 2),
            (response(article("Artículo 1", "&mine;")), "Entity 'mine' not defined", 2),
            (b"<response>" + b"<a>" * 300 + b"</a>" * 300 + b"</response>", "depth in document: 256", 1),
            (response(article("Artículo 1", "Uno."), identificador="../x"), "no id such as BOE-A-2003-23186", 2),
            (response(article("Artículo 1", "Un\0.")), "NUL (0x00)", 2),
        ],
        ids=lambda value: value if isinstance(value, str) else None,
    )  # fmt: skip
    def test_unsound_file_is_refused_with_file_line_and_reason(
        self, data: bytes, reason: str, line: int | None
    ) -> None:
        with pytest.raises(ImportRefused) as refused:
            read([(FILE, data)])
        assert reason in refused.value.reason
        assert refused.value.line == line
        assert "law.xml" in str(refused.value)


class TestEncoding:
    TEXT = "Disposición única: año, €"

    def read_back(self, data: bytes) -> LawRecord:
        return read([(FILE, data)])

    def data(self) -> str:
        return response(article("Artículo 1", self.TEXT)).decode()

    @pytest.mark.parametrize(
        ("declared", "actual"),
        [("ISO-8859-1", "utf-8"), ("utf-8", "cp1252"), ("utf-8", "utf-8-sig"), ("utf-8", "utf-8"), ("UTF-16", "utf-16"),
         ("UTF-16", "utf-16-le"), ("UTF-16", "utf-16-be"), ("utf-8", "utf-16-le"),
         ("ISO-8859-1", "cp1252"), ("ISO-8859-15", "iso-8859-15"), ("windows-1252", "cp1252")],
    )  # fmt: skip
    def test_text_is_read_whatever_the_header_says(self, declared: str, actual: str) -> None:
        text = self.data().replace('encoding="utf-8"', f'encoding="{declared}"')
        assert self.read_back(text.encode(actual)).articles[0].versions[0].text == self.TEXT

    def test_mark_of_the_encoding_may_stand_twice(self) -> None:
        data = self.data().encode("utf-8-sig")
        assert self.read_back(b"\xef\xbb\xbf" + data).articles[0].versions[0].text == self.TEXT

    def test_header_that_lies_is_told(self) -> None:
        data = self.data().replace('encoding="utf-8"', 'encoding="ISO-8859-1"').encode()
        assert [(w.kind, w.detail) for w in self.read_back(data).warnings] == [
            ("encoding", "the header says iso-8859-1, the bytes are UTF-8")
        ]

    @pytest.mark.parametrize("misread", ["cp1252", "latin-1"])
    def test_capitals_that_windows_1252_has_no_character_for_are_mended_too(self, misread: str) -> None:
        data = response(article("Artículo 1", "ARTÍCULO ÁUREO: año, €."))
        twice = "".join(bytes([byte]).decode(misread, "ignore") or chr(byte) for byte in data).encode()
        found = read([(FILE, twice)]).articles[0]
        assert (found.label, found.versions[0].text) == ("Artículo 1", "ARTÍCULO ÁUREO: año, €.")

    def test_text_encoded_twice_is_mended(self) -> None:
        data = self.data().encode().decode("cp1252").encode()
        record = self.read_back(data)
        assert (record.articles[0].versions[0].text, kinds(record)) == (self.TEXT, ["encoding"])

    def test_windows_characters_written_as_control_codes_are_mended(self) -> None:
        record = self.read_back(response(article("Artículo 1", "10 \x80 “año”")))
        assert record.articles[0].versions[0].text == "10 € “año”"

    def test_one_broken_byte_in_a_sound_file_is_named(self) -> None:
        data = response(article("Artículo 1", "año", "canción")).replace("canción".encode(), b"canci\xf3n")
        with pytest.raises(ImportRefused, match=r"line 2: byte 0xf3 at offset \d+ is not UTF-8"):
            self.read_back(data)

    def test_byte_of_no_encoding_is_named(self) -> None:
        with pytest.raises(ImportRefused, match="byte 0x81 at offset"):
            self.read_back(
                response(article("Artículo 1", "x")).replace(b'<p class="parrafo">x', b'<p class="parrafo">a\xf1o \x81')
            )


REAL = {
    "BOE-A-1985-5392": ("ley-7-1985", 194, 369), "BOE-A-2003-20977": ("ley-38-2003", 105, 161),
    "BOE-A-2004-4214": ("rdleg-2-2004", 274, 388), "BOE-A-2006-13371": ("rd-887-2006", 128, 148),
    "BOE-A-2013-12887": ("ley-19-2013", 59, 62), "BOE-A-2015-10565": ("ley-39-2015", 156, 175),
    "BOE-A-2015-10566": ("ley-40-2015", 220, 250), "BOE-A-2018-16673": ("lo-3-2018", 145, 160),
    "BOE-A-2022-10757": ("ley-11-2022", 162, 165),
}  # fmt: skip


@pytest.fixture(scope="module")
def real(boe_xml: Path) -> dict[str, LawRecord]:
    return {boe_id: next(load(boe_xml / boe_id / "full.xml")) for boe_id in REAL}


class TestRealLaw:
    def test_every_provision_and_redaction_is_there(self, real: dict[str, LawRecord]) -> None:
        assert {
            boe_id: (record.id, len(record.articles), sum(len(article.versions) for article in record.articles))
            for boe_id, record in real.items()
        } == REAL

    def test_keys_are_unique_and_never_block_ids(self, real: dict[str, LawRecord]) -> None:
        for record in real.values():
            named = [article.key for article in record.articles]
            assert len(set(named)) == len(named)
            for found in record.articles:
                [said] = classify_all(found.label)
                assert found.key.removeprefix("norma.") == said.key
            assert not [a.key for a in record.articles if a.kind == "other"]

    def test_no_character_of_the_source_is_lost(self, real: dict[str, LawRecord]) -> None:
        for record in real.values():
            assert record.characters_kept == record.characters_in_source > 50_000

    def test_every_letter_of_a_redaction_is_stored(self, real: dict[str, LawRecord], boe_xml: Path) -> None:
        """Compares with the file itself, not with the importer's own count."""

        def letters(text: str) -> Counter[str]:
            return Counter(filter(str.isalnum, text))

        for boe_id, record in real.items():
            stored = {
                (found.source_block, v.amended_by, v.published): letters(
                    ("" if found.kind == "preamble" else found.label)
                    + v.heading
                    + v.text
                    + "".join(n.text for n in v.notes if n.about != NEVER_IN_FORCE)
                )
                for found in record.articles
                for v in found.versions
            }
            for element in etree.parse(boe_xml / boe_id / "full.xml").iter("version"):
                day = read_day(element.get("fecha_publicacion", ""))
                parent = element.getparent()
                assert parent is not None
                kept = stored.get((parent.get("id", ""), element.get("id_norma", ""), day))
                assert kept is None or kept == letters(text_of(element))

    def test_the_only_oddity_is_two_redactions_overtaken_before_they_began(self, real: dict[str, LawRecord]) -> None:
        assert [(boe_id, w.kind, w.block) for boe_id, record in real.items() for w in record.warnings] == [
            ("BOE-A-2004-4214", "overtaken-version", "a20")
        ] * 2

    def test_redaction_with_a_deferred_start_gives_way_to_those_published_on_top_of_it(
        self, real: dict[str, LawRecord]
    ) -> None:
        """Art. 20 RDLeg 2/2004: the civil registry's act waited from 2011 to 2020, and was amended in between."""
        found = next(article for article in real["BOE-A-2004-4214"].articles if article.key == "art-20")
        assert [(v.amended_by, v.valid_from, v.valid_to) for v in found.versions] == [
            ("BOE-A-2004-4214", date(2004, 3, 10), date(2011, 3, 5)),
            ("BOE-A-2011-4117", date(2011, 3, 6), date(2012, 5, 26)),
            ("BOE-A-2012-6929", date(2012, 5, 27), date(2012, 12, 27)),
            ("BOE-A-2012-15595", date(2012, 12, 28), date(2018, 3, 8)),
            ("BOE-A-2017-12902", date(2018, 3, 9), date(2025, 12, 4)),
            ("BOE-A-2025-24545", date(2025, 12, 5), None),
        ]
        kept = {
            note.references: v.amended_by for v in found.versions for note in v.notes if note.about == NEVER_IN_FORCE
        }
        assert kept == {
            ("BOE-A-2011-12628",): "BOE-A-2012-15595",
            ("BOE-A-2015-7391",): "BOE-A-2017-12902",
        }

    def test_redactions_never_overlap(self, real: dict[str, LawRecord]) -> None:
        for record in real.values():
            for found in record.articles:
                for earlier, later in zip(found.versions, found.versions[1:], strict=False):
                    assert earlier.valid_to is not None
                    assert later.valid_from is not None
                    assert earlier.valid_from is not None
                    assert earlier.valid_from <= earlier.valid_to < later.valid_from

    def test_no_note_has_leaked_into_a_text(self, real: dict[str, LawRecord]) -> None:
        for record in real.values():
            for found in record.articles:
                for one_version in found.versions:
                    assert "Ref. BOE-" not in one_version.text
                    assert "Redacción anterior" not in one_version.text
                    assert not one_version.text.startswith(f"{found.label}.")

    def test_approving_norms_go_by_norma(self, real: dict[str, LawRecord]) -> None:
        named = {boe_id: {article.key for article in real[boe_id].articles} for boe_id in real}
        assert {"norma.art-unico", "norma.dd-unica", "norma.df-unica", "art-1", "df-1"} <= named["BOE-A-2006-13371"]
        assert {"norma.da-1", "norma.dt-3", "norma.df-unica", "da-1", "dt-1", "df-unica"} <= named["BOE-A-2004-4214"]
        assert not [key for boe_id in real for key in named[boe_id] if key.startswith("norma.") and boe_id not in
                    {"BOE-A-2006-13371", "BOE-A-2004-4214"}]  # fmt: skip

    def test_hidden_provisions_are_found(self, real: dict[str, LawRecord]) -> None:
        assert {"dd-unica", "da-18"} <= {article.key for article in real["BOE-A-1985-5392"].articles}
        assert {"anexo-i", "anexo-ii", "anexo-iii"} <= {article.key for article in real["BOE-A-2022-10757"].articles}

    def test_grouped_repeal_of_the_real_decree(self, real: dict[str, LawRecord]) -> None:
        for number in range(35, 42):
            found = next(a for a in real["BOE-A-2006-13371"].articles if a.key == f"art-{number}")
            assert [(v.status, v.valid_from, v.valid_to) for v in found.versions] == [
                ("in_force", date(2006, 10, 25), date(2019, 4, 18)), ("repealed", date(2019, 4, 19), None),
            ]  # fmt: skip
            assert found.source_block == f"a{number}"

    def test_bare_headings_are_path_and_not_provisions(self, real: dict[str, LawRecord]) -> None:
        found = next(a for a in real["BOE-A-1985-5392"].articles if a.key == "art-121")
        assert found.path == (
            "TÍTULO X. Régimen de organización de los municipios de gran población", "CAPÍTULO I. Ámbito de aplicación",
        )  # fmt: skip

    def test_every_block_is_accounted_for(self, real: dict[str, LawRecord], boe_xml: Path) -> None:
        """1,437 preceptos: all but the seven bare headings are the block of some article."""
        preceptos = versions = 0
        for boe_id, record in real.items():
            text = (boe_xml / boe_id / "full.xml").read_text()
            preceptos += text.count('tipo="precepto"')
            versions += text.count("<version ")
            held = {article.source_block for article in record.articles}
            listed = {part.split('"')[1] for part in text.split("<bloque ")[1:] if 'tipo="precepto"' in part[:200]}
            missing = {"tx", "ci", "cii-6", "ciii-6", "civ-4", "txi"} if boe_id == "BOE-A-1985-5392" else set()
            assert listed - held == ({"s3-3"} if boe_id == "BOE-A-2015-10565" else missing)
        assert (preceptos, versions) == (1437, 2216)

    def test_parts_in_a_folder_give_the_same_law(
        self, real: dict[str, LawRecord], boe_xml: Path, tmp_path: Path
    ) -> None:
        for name in ("metadatos", "analisis", "texto"):
            (tmp_path / f"{name}.xml").write_bytes((boe_xml / "BOE-A-2013-12887" / f"{name}.xml").read_bytes())
        parts, whole = next(load(tmp_path)), real["BOE-A-2013-12887"]
        assert (parts.articles, parts.notes, parts.subjects) == (whole.articles, whole.notes, whole.subjects)


class TestOddMarkup:
    """Markup that no law of the BOE has today: nothing of it may be lost, and no two cells may run together."""

    @pytest.mark.parametrize(
        ("markup", "text"),
        [
            ("<table>Fuera<tr><td>a</td><td>b</td></tr></table>", "Fuera\na\tb"),
            ("<table><tr>Fuera<td>a</td><td>b</td></tr></table>", "Fuera\na\tb"),
            ("<table><p>Fuera</p><tbody><tr><td>a</td></tr></tbody></table>", "Fuera\na"),
            ("<TABLE><TR><TD>9 %</TD><TD>3 meses</TD></TR></TABLE>", "9 %\t3 meses"),
            (
                '<h:table xmlns:h="http://www.w3.org/1999/xhtml"><h:tr><h:td>9 %</h:td><h:td>3</h:td></h:tr></h:table>',
                "9 %\t3",
            ),
            ("<tabla><fila><celda>9 %</celda><celda>3 meses</celda></fila></tabla>", "9 %\n3 meses"),
            ("Texto <b>suelto</b> y<br/>más", "Texto suelto y\nmás"),
            ("<div>Con <i>cursiva</i>.</div><p>Fin.</p>", "Con cursiva.\nFin."),
            ("<ul><li>Uno <b>dos</b><ul><li>Tres</li></ul></li></ul>", "Uno dos\nTres"),
            ('Suelto <a class="refPost">Ref. BOE-A-2026-9160</a>y más', "Suelto y más"),
            (
                "<ol><li>Uno.</li><li>Dos:<ol type='a'><li><p>A</p><p>B</p></li><li/><li>C</li></ol></li></ol>",
                "1. Uno.\n2. Dos:\na) A\nB\nb)\nc) C",
            ),
            (
                "<ol start='3'><li>1.000 €</li><li>4.º Suyo</li><li><table><tr><td>a</td></tr></table></li></ol>",
                "3. 1.000 €\n4.º Suyo\n5.\na",
            ),
            (
                "<ol type='I'><li value='4'>A</li></ol><ol style='list-style:none'><li>B</li></ol>",
                "IV. A\nB",
            ),
            ("<p>Fórmula <math><mi>x</mi><mo>=</mo><mn>2</mn></math>.</p>", "Fórmula x=2."),
        ],
    )
    def test_words_are_kept_in_their_order(self, markup: str, text: str) -> None:
        record = law(block("Artículo 5", version(paragraph("Artículo 5.", "articulo"), markup)))
        assert record.articles[0].versions[0].text == text
        assert kinds(record) == []

    def test_the_numbers_of_a_list_are_ours_and_name_its_parts(self) -> None:
        listed = "<ol><li>Los <b>plazos</b>.</li><li>Los tipos:<ol type='a'><li>Uno.</li></ol></li></ol>"
        record = law(block("Artículo 5", version(paragraph("Artículo 5.", "articulo"), listed)))
        found = record.articles[0].versions[0]
        assert [(unit.path, unit.label) for unit in sub_units(found.text)] == [
            (("1",), "1."), (("2",), "2."), (("2", "a"), "a)"),
        ]  # fmt: skip
        assert [found.text[mark.start : mark.end] for one in found.blocks for mark in one.marks] == ["plazos"]
        assert record.characters_kept == record.characters_in_source

    def test_characters_by_their_html_names_are_read(self) -> None:
        written = paragraph("9&nbsp;%&ndash;5&nbsp;&euro;, art&iacute;culo &lt;b&gt; &amp;nbsp; <![CDATA[&nbsp;]]>")
        record = law(block("Artículo 5", version(paragraph("Art&iacute;culo 5.", "articulo"), written)))
        assert record.articles[0].versions[0].text == "9\xa0%–5\xa0€, artículo <b> &nbsp; &nbsp;"
        assert kinds(record) == ["named-characters"]

    def test_words_are_composed_wherever_they_stand(self) -> None:
        record = law(article("Arti\u0301culo 5", "Plazo &#x61;&#x301;."), titulo="Ley 900/2019, de Co\u0301digos.")
        assert (record.title, record.articles[0].versions[0].text) == ("Ley 900/2019, de Códigos.", "Plazo á.")


class TestOddHistories:
    """Redactions and blocks whose days, names or places are not as they should be."""

    GONE = version(paragraph("(Derogado)"), norm="BOE-A-2020-1", published="20191231", starts="20200101")

    def test_undated_redaction_of_another_norm_is_a_note_and_no_former_text(self) -> None:
        undated = version(paragraph("Otro."), norm="BOE-A-2024-2", published="", starts="99999999")
        record = law(block("Artículo 5", undated, INVALIDEZ))
        (only,) = record.articles[0].versions
        assert (only.text, only.valid_from) == ("Se reconoce la gran invalidez.", date(2019, 2, 1))
        assert only.notes == (Note("Otro.", ("BOE-A-2024-2",), about=UNDATED),)
        assert "undated-version" in kinds(record)

    def test_undated_redaction_of_the_law_itself_begins_with_the_law(self) -> None:
        first = version(paragraph("Uno."), published="", starts="")
        later = version(paragraph("Dos."), norm="BOE-A-2020-2", published="20200101", starts="20200102")
        versions = one(block("Artículo 5", later, first)).versions
        assert [(v.text, v.valid_from, v.valid_to) for v in versions] == [
            ("Uno.", date(2019, 2, 1), date(2020, 1, 1)), ("Dos.", date(2020, 1, 2), None),
        ]  # fmt: skip

    def test_the_same_redaction_twice_leaves_no_note(self) -> None:
        record = law(block("Artículo 5", INVALIDEZ, INVALIDEZ))
        assert [(v.text, v.notes) for v in record.articles[0].versions] == [("Se reconoce la gran invalidez.", ())]

    def test_repealed_article_goes_on_in_the_block_that_revives_it(self) -> None:
        new = version(paragraph("Nuevo."), norm="BOE-A-2022-1", published="20220101", starts="20220201")
        record = law(block("Artículo 5", INVALIDEZ, self.GONE), block("Artículo 5", new, id="a5-2"))
        assert [article.key for article in record.articles] == ["art-5"]
        assert [(v.status, v.valid_from, v.valid_to) for v in record.articles[0].versions] == [
            ("in_force", date(2019, 2, 1), date(2019, 12, 31)),
            ("repealed", date(2020, 1, 1), date(2022, 1, 31)),
            ("in_force", date(2022, 2, 1), None),
        ]

    def test_article_that_only_has_the_name_of_one_in_force_is_another(self) -> None:
        new = version(paragraph("Nuevo."), norm="BOE-A-2019-1", published="20190801", starts="20190901")
        record = law(block("Artículo 5", INVALIDEZ, self.GONE), block("Artículo 5", new, id="a5-2"))
        assert [article.key for article in record.articles] == ["art-5", "art-5~2"]

    def test_articles_that_go_by_letters_have_letters_for_keys(self) -> None:
        record = law(*(article(f"Artículo {letter}", "Texto.") for letter in ("1", "A", "B", "C", "D", "I")))
        assert [one.key for one in record.articles] == ["art-1", "art-a", "art-b", "art-c", "art-d", "art-i"]

    def test_articles_that_go_by_roman_numbers_have_numbers_for_keys(self) -> None:
        record = law(*(article(f"Artículo {number}", "Texto.") for number in ("I", "II", "V", "C")))
        assert [one.key for one in record.articles] == ["art-1", "art-2", "art-5", "art-100"]

    def test_heading_below_a_group_is_told_from_its_ordinal(self) -> None:
        group = title(("capitulo", "DISPOSICIONES ADICIONALES"))
        record = law(article("Artículo 1", "Uno."), group, article("Primera", "Texto.", heading="Plazos"))
        found = record.articles[1]
        assert (found.key, found.label, found.versions[0].heading) == ("da-1", "Primera", "Plazos")

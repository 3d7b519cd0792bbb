"""The Akoma Ntoso importer: what becomes of elements, names and languages, and what is refused."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from lxml import etree

from corpus.importers import ImportRefused, akn, sources
from corpus.structure import sub_units
from tests.akn_law import BODY, document

if TYPE_CHECKING:
    from corpus.records import ArticleRecord, LawRecord

FILES = {
    "ch-sample-ordinary-law": ("ch-cc-620-2024-de", "ch", "de", 6),
    "ch-sample-regulation": ("ch-cc-51-2026-de", "ch", "de", 14),
    "chile-bcn-bcn-akn-version-ley-700767": ("cl-documento-700767", "cl", "es", 1),
    "fi-sample-ordinary-law": ("fi-sd-224-2024-fi", "fi", "fi", 26),
    "fi-sample-regulation": ("fi-sd-51-2025-fi", "fi", "fi", 6),
    "lu-sample-ordinary-law": ("lu-loi-a250-2022", "lu", "fr", 29),
    "lu-sample-with-tables": ("lu-loi-a1116-2017", "lu", "fr", 3),
}


def read(data: bytes) -> LawRecord:
    return akn.read(Path("loi.xml"), data)


def texts(record: LawRecord) -> dict[str, str]:
    return {article.key: article.versions[-1].text for article in record.articles}


def articles(record: LawRecord) -> dict[str, ArticleRecord]:
    return {article.key: article for article in record.articles}


def parts(article: ArticleRecord) -> dict[str, str]:
    version = article.versions[-1]
    units = sub_units(version.text, [asdict(block) for block in version.blocks])
    return {".".join(unit.path): version.text[unit.start : unit.end] for unit in units}


@pytest.fixture(params=FILES)
def real(request: pytest.FixtureRequest, shared_dir: Path) -> tuple[Path, LawRecord]:
    path = shared_dir / "data" / "akn" / f"{request.param}.xml"
    return path, akn.read(path, path.read_bytes())


class TestRealFiles:
    """The genuine files of four publishers."""

    def test_law_has_its_id_country_and_language(self, real: tuple[Path, LawRecord]) -> None:
        path, record = real
        assert (record.id, record.jurisdiction, record.language, len(record.articles)) == FILES[path.stem]

    def test_text_is_kept_whole(self, real: tuple[Path, LawRecord]) -> None:
        _path, record = real
        assert record.characters_kept / record.characters_in_source >= 0.995

    def test_every_letter_of_the_source_is_somewhere(self, real: tuple[Path, LawRecord]) -> None:
        path, record = real
        root = etree.parse(path).getroot()
        for meta in root.iterfind(".//{*}meta"):
            meta.clear()
        versions = [article.versions[-1] for article in record.articles]
        kept = [article.label for article in record.articles]
        kept += [text for version in versions for text in (version.heading, version.text)]
        kept += [note.text for note in (*record.notes, *(note for version in versions for note in version.notes))]
        kept += {title for article in record.articles for title in article.path}
        assert not letters("".join(map(str, root.itertext()))) - letters("".join(kept))

    def test_keys_are_distinct_and_hang_on_no_file_order(self, real: tuple[Path, LawRecord]) -> None:
        _path, record = real
        keys = [article.key for article in record.articles]
        assert len(set(keys)) == len(keys)
        assert not [key for key in keys if "~" in key or "tmp" in key]

    def test_blocks_and_marks_point_into_the_text(self, real: tuple[Path, LawRecord]) -> None:
        _path, record = real
        for article in record.articles:
            version = article.versions[-1]
            assert "\n".join(version.text[block.start : block.end] for block in version.blocks) == version.text

    def test_a_source_is_told_by_its_metadata_alone(self, real: tuple[Path, LawRecord]) -> None:
        path, record = real
        assert akn.updated_at(path.read_bytes()) == (record.id, record.source_updated_at)


def letters(text: str) -> Counter[str]:
    return Counter(character for character in text if character.isalnum())


class TestSwissLaw:
    """Fedlex: numbers without a stop, lists inside content, notes inside sentences."""

    @pytest.fixture
    def law(self, shared_dir: Path) -> LawRecord:
        path = shared_dir / "data" / "akn" / "ch-sample-ordinary-law.xml"
        return akn.read(path, path.read_bytes())

    def test_metadata_is_that_of_its_language(self, law: LawRecord) -> None:
        assert law.title.startswith("Bundesgesetz vom 29. September 2023")
        assert (law.short_title, law.number, law.eli) == (
            "BVVG", "311.6", "https://fedlex.data.admin.ch/eli/cc/2024/620",
        )  # fmt: skip
        assert (law.enacted, law.valid_from, law.history) == (date(2023, 9, 29), date(2025, 1, 1), "current_only")
        assert {version.valid_from for article in law.articles for version in article.versions} == {None}

    def test_paragraphs_and_letters_are_parts(self, law: LawRecord) -> None:
        second = articles(law)["art-2"]
        assert (second.label, second.versions[0].heading) == ("Art. 2", "Verbot der Gesichtsverhüllung")
        found = parts(second)
        assert list(found) == ["1", "2", *(f"2.{letter}" for letter in "abcdefg"), "3", "3.a", "3.b"]
        assert found["2.a"] == "a. in Sakralstätten;"

    def test_footnotes_are_notes_and_not_text(self, law: LawRecord) -> None:
        first = articles(law)["art-1"].versions[0]
        assert "SR" not in first.text
        assert "22.\xa0Juni\xa02007 für dienstliche" in first.text
        assert [(note.text, note.references) for note in first.notes] == [
            ("SR 192.12", ("https://fedlex.data.admin.ch/eli/cc/2007/860",))
        ]


class TestFinnishLaw:
    """Finlex: sections are cited, their subsections have no number but in the eId."""

    @pytest.fixture
    def law(self, shared_dir: Path) -> LawRecord:
        path = shared_dir / "data" / "akn" / "fi-sample-ordinary-law.xml"
        return akn.read(path, path.read_bytes())

    def test_sections_are_the_provisions(self, law: LawRecord) -> None:
        second = articles(law)["sec-2"]
        assert (second.kind, second.label, second.path, second.source_block) == (
            "article", "2 §", ("1 luku. Yleiset säännökset",), "chp_1__sec_2",
        )  # fmt: skip

    def test_unnumbered_subsections_are_counted_where_there_are_several(self, law: LawRecord) -> None:
        assert parts(articles(law)["sec-2"])["2.6"].startswith("6) joiden maastapoistamista")
        assert parts(articles(law)["sec-4"])["2.b"].startswith("b) jolle maksetaan")

    def test_an_attachment_is_an_annex_with_its_table(self, shared_dir: Path) -> None:
        path = shared_dir / "data" / "akn" / "fi-sample-regulation.xml"
        annex = articles(akn.read(path, path.read_bytes()))["anexo"]
        assert (annex.kind, annex.label) == ("annex", "Liite")
        assert "enintään 40\t17,46\n" in annex.versions[0].text


def test_luxembourg_lists_have_the_marks_that_the_source_describes(shared_dir: Path) -> None:
    path = shared_dir / "data" / "akn" / "lu-sample-ordinary-law.xml"
    law = akn.read(path, path.read_bytes())
    assert parts(articles(law)["art-1"])["12"].startswith("12° «\xa0ministre\xa0»")
    assert parts(articles(law)["art-21"])["1.a"].startswith("a) au point 8°")
    # As enacted: every text begins when the law does.
    assert {article.versions[0].valid_from for article in law.articles} == {date(2022, 9, 1)}


def test_a_bill_is_no_law_in_force(shared_dir: Path) -> None:
    path = shared_dir / "data" / "akn" / "chile-bcn-bcn-akn-version-ley-700767.xml"
    law = akn.read(path, path.read_bytes())
    assert (law.status, law.rank) == ("not_yet_in_force", "bill")
    assert {warning.kind for warning in law.warnings} == {"draft", "untitled"}
    assert list(texts(law)) == ["art-unico"]


def test_provisions_of_a_document() -> None:
    law = read(document())
    assert texts(law) == {
        "preambulo": "Le peuple décide :",
        "art-1": "1. La présente loi règle les phares.\n2. Elle s'applique :\na) aux phares côtiers ;\n"
        "b) aux feux flottants.\nLes balises en sont exclues.",
        "art-2": "Hauteur\tRedevance\nmoins de 20 m\t9 %\n[Image: Formule de la redevance]",
        "art-2-bis": "L'article 20 de la loi 7 est remplacé :\n« Art. 20 Texte cité. »",
        "art-3": "Abrogés",
        "art-4": "Abrogés",
        "art-5": "Abrogés",
        "art-6": "Le gardien ou la gardienne allume le feu.",
    }
    assert (law.id, law.title, law.language) == ("xx-loi-990-2024-fr", "Loi sur les phares (norme inventée)", "fr")
    assert law.characters_kept == law.characters_in_source
    assert [note.text for note in law.notes] == ["Loi sur les phares", "Fait à Port-Inventé."]


def test_what_follows_a_list_belongs_to_the_part_that_holds_it() -> None:
    found = parts(articles(read(document()))["art-1"])
    assert list(found) == ["1", "2", "2.a", "2.b"]
    assert found["2"].endswith("Les balises en sont exclues.")
    assert found["2.b"] == "b) aux feux flottants."


def test_quoted_structure_stays_inside_and_opens_no_part() -> None:
    amending = articles(read(document()))["art-2-bis"]
    assert [block.kind for block in amending.versions[0].blocks] == ["paragraph", "quote"]
    assert parts(amending) == {}


def test_several_numbers_share_a_text_that_says_they_are_gone() -> None:
    law = articles(read(document()))
    assert [(law[key].label, law[key].versions[0].status) for key in ("art-3", "art-4", "art-5")] == [
        ("Art. 3", "repealed"), ("Art. 4", "repealed"), ("Art. 5", "repealed"),
    ]  # fmt: skip


def test_what_was_struck_out_is_a_note() -> None:
    sixth = articles(read(document()))["art-6"].versions[0]
    assert [(note.text, note.about) for note in sixth.notes] == [("du phare", "del")]


def test_header_cells_are_told() -> None:
    second = articles(read(document()))["art-2"].versions[0]
    table = second.blocks[0]
    assert [[cell.is_header for cell in row] for row in table.rows] == [[True, True], [False, False]]


def test_words_in_a_table_and_in_no_cell_stand_before_it() -> None:
    loose = b"<table><tr>Dehors <td>a</td></tr><p>Aussi</p></table>"
    record = read(document().replace(b"<content><table>", b"<content>" + loose + b"<table>", 1))
    second = articles(record)["art-2"].versions[0]
    assert second.text.startswith("Dehors\nAussi\na\n")
    assert record.characters_kept == record.characters_in_source


@pytest.mark.parametrize(
    ("eli", "named"),
    [
        ("es/l/2024/01/01/990", ("ley-990-2024", "ley", "990/2024", "es")),
        ("es-ct/dl/2024/01/01/990/con", ("es-ct-dl-990-2024", "dl", "990/2024", "es-ct")),
    ],
)
def test_a_law_of_spain_goes_by_the_id_that_it_has_from_the_boe(eli: str, named: tuple[str, ...]) -> None:
    data = document(language="es", country="es").replace(
        b"https://lois.example.org/eli/loi/2024/990", f"https://www.boe.es/eli/{eli}".encode()
    )
    law = read(data)
    assert (law.id, law.rank, law.number, law.jurisdiction) == named
    assert akn.updated_at(data)[0] == law.id


def test_each_language_is_a_law_of_its_own_under_one_eli() -> None:
    french, german = read(document()), read(document(language="de"))
    assert (french.id, german.id) == ("xx-loi-990-2024-fr", "xx-loi-990-2024-de")
    assert french.eli == german.eli == "https://lois.example.org/eli/loi/2024/990"
    assert (german.title, german.short_title) == ("Gesetz über Leuchttürme (erfundener Erlass)", "LtG")
    assert list(texts(french)) == list(texts(german))


def test_numbering_that_restarts_puts_the_chapter_before_the_key() -> None:
    body = "".join(
        f'<chapter eId="chp_{chapter}"><num>{chapter} luku</num><section eId="chp_{chapter}__sec_1"><num>1 §</num>'
        f"<content><p>Teksti {chapter}.</p></content></section></chapter>"
        for chapter in (1, 2)
    )
    law = read(document(body, language="fin"))
    assert list(texts(law)) == ["preambulo", "chp-1.sec-1", "chp-2.sec-1"]


def test_bare_numbers_get_the_noun_of_the_language() -> None:
    body = '<section eId="sec_5"><num>5.</num><heading>Fees</heading><content><p>Pay.</p></content></section>'
    section = articles(read(document(body, language="eng")))["sec-5"]
    assert (section.label, section.versions[0].heading) == ("Section 5", "Fees")


def test_periods_are_versions() -> None:
    meta = """<lifecycle source="#x"><eventRef eId="e1" date="2024-03-01" source="#x" type="generation"/>
      <eventRef eId="e2" date="2025-07-01" source="#x" type="amendment"/></lifecycle>
      <temporalData source="#x"><temporalGroup eId="t1"><timeInterval start="#e1" end="#e2"/></temporalGroup>
      <temporalGroup eId="t2"><timeInterval start="#e2"/></temporalGroup></temporalData>"""
    body = "".join(
        f'<article eId="art_1{suffix}" period="#{period}"><num>Art. 1</num><content><p>{text}</p></content></article>'
        for suffix, period, text in (("v2", "t2", "Nouveau."), ("", "t1", "Ancien."))
    )
    law = read(document(body, meta=meta))
    first = articles(law)["art-1"]
    assert law.history == "full"
    assert [(one.text, one.valid_from, one.valid_to) for one in first.versions] == [
        ("Ancien.", date(2024, 3, 1), date(2025, 6, 30)),
        ("Nouveau.", date(2025, 7, 1), None),
    ]


def test_annex_with_articles_has_them_under_its_key() -> None:
    after = """<attachments><attachment eId="att_1"><heading>Annexe 1</heading><doc name="annexe"><meta/>
      <mainBody><article eId="att_1__art_1"><num>Art. 1</num><content><p>Tarif.</p></content></article></mainBody>
      </doc></attachment></attachments>"""
    law = read(document(after=after))
    assert texts(law)["anexo-1.art-1"] == "Tarif."
    assert articles(law)["anexo-1.art-1"].path == ("Annexe 1",)


def test_repeated_number_is_kept_and_told() -> None:
    body = BODY + '<article eId="x"><num>Art. 6</num><content><p>Encore.</p></content></article>'
    law = read(document(body))
    assert texts(law)["art-6~2"] == "Encore."
    assert [warning.kind for warning in law.warnings] == ["repeated-key"]


def test_notes_of_the_metadata_go_where_the_text_refers_to_them() -> None:
    body = '<article eId="a"><num>Art. 1</num><content><p>Feu<noteRef href="#n9"/> rouge.</p></content></article>'
    law = read(document(body, meta='<notes source="#x"><note eId="n9"><p>Modifié.</p></note></notes>'))
    first = articles(law)["art-1"].versions[0]
    assert (first.text, [note.text for note in first.notes]) == ("Feu rouge.", ["Modifié."])


@pytest.mark.parametrize("day", ["2999-99-01", "99999999", "0001-01-01"])
def test_impossible_days_are_left_out_and_told(day: str) -> None:
    law = read(document(dates=f'<FRBRdate date="{day}" name="dateConsolidated"/>'))
    assert {warning.kind for warning in law.warnings} == {"impossible-date"}
    assert law.source_updated_at is not None
    assert law.source_updated_at.date() == date(2024, 2, 1)


def test_unknown_language_is_told() -> None:
    law = read(document(language="tlh"))
    assert (law.language, [warning.kind for warning in law.warnings]) == ("und", ["unknown-language"])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (document()[:900], "not well-formed XML"),
        (document().replace(b"<akomaNtoso", b"<!DOCTYPE a [<!ENTITY b 'c'>]><akomaNtoso"), "entity bomb"),
        (document().replace(b"<akomaNtoso", b"<!DOCTYPE a SYSTEM 'x.dtd'><akomaNtoso"), "document type declaration"),
        (document("<p/>").replace("<p>Le peuple décide :</p>".encode(), b""), "no provision with text"),
        (document(country="Ruritania"), "FRBRcountry is 'Ruritania'"),
        (document().replace(b"<meta>", b"<other>").replace(b"</meta>", b"</other>"), "no document with <meta>"),
        (document().replace(b"identification", b"other"), "no <identification>"),
        (document().replace(b"https://lois.example.org/eli/loi/2024/990", b""), "no address of the work"),
    ],
)
def test_what_is_no_sound_law_is_refused_with_file_and_reason(data: bytes, reason: str) -> None:
    with pytest.raises(ImportRefused, match=re.escape(reason)) as refused:
        read(data)
    assert refused.value.file == "loi.xml"


def test_files_are_known_by_what_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "sans-nom"
    path.write_bytes(document())
    assert [record.id for record in sources.load(path)] == ["xx-loi-990-2024-fr"]


def test_the_newest_state_of_a_law_in_one_language_counts(tmp_path: Path) -> None:
    for state in ("20240301", "20250701"):
        (tmp_path / f"{state}.xml").write_bytes(document(state=state))
    (tmp_path / "de.akn").write_bytes(document(language="de", state="20240301"))
    found = sources.find([tmp_path])
    assert [source.path.name for source in found.sources] == ["20250701.xml", "de.akn"]
    assert [source.path.name for source in found.older] == ["20240301.xml"]


def spanish(*names: str) -> LawRecord:
    written = (f"<article><num>{name}</num><content><p>Texto.</p></content></article>" for name in names)
    return read(document("".join(written), language="es", country="cl"))


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Artículo vigésimo primero.-", "art-21"),
        ("Artículo ciento cincuenta y cinco", "art-155"),
        ("Artículo 9bis", "art-9-bis"),
        ("Artículo preliminar", "art-preliminar"),
        ("Artículo primero transitorio.-", "art-1-transitorio"),
        ("Disposición adicional primera", "da-1"),
        ("Disposición transitoria segunda bis", "dt-2-bis"),
    ],
)
def test_spanish_provisions_have_the_keys_that_those_of_spain_have(name: str, key: str) -> None:
    assert [article.key for article in spanish("Artículo 1", name).articles][1:] == ["art-1", key]


def test_a_disposition_in_a_container_of_its_own_has_its_key() -> None:
    body = BODY + "<hcontainer><num>Disposición final primera</num><content><p>Texto.</p></content></hcontainer>"
    found = articles(read(document(body, language="es", country="cl")))["df-1"]
    assert (found.kind, found.label, found.versions[0].text) == ("final", "Disposición final primera", "Texto.")


def test_an_annex_goes_by_its_own_title_and_no_article_s() -> None:
    article = "<article><num>Art. 1</num><heading>Objet</heading><content><p>Texte.</p></content></article>"
    body = f"<preface><p>Annexe II</p></preface><mainBody>{article}<p>Fin.</p></mainBody>"
    after = f'<attachments><attachment><doc name="annexe"><meta/>{body}</doc></attachment></attachments>'
    record = read(document(after=after))
    assert [key for key in texts(record) if key.startswith("anexo")] == ["anexo-ii.art-1", "anexo-ii.p-fin"]
    assert texts(record)["anexo-ii.p-fin"] == "Fin."
    assert record.warnings == ()

"""Titles of provisions: key, kind, label and heading."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.headings import Heading, classify_all, group_kind, section_level
from corpus.identifiers import SUFFIXES, CitationId
from corpus.records import ArticleKind
from corpus.rubrics import heading_length


def one_of(title: str, within: ArticleKind | None = None) -> Heading | None:
    """Give what a title names if that is one provision."""
    found = classify_all(title, within)
    return found[0] if len(found) == 1 else None


@pytest.mark.parametrize(
    ("title", "key"),
    [
        ("Artículo 5", "art-5"),
        ("Artículo 16 A. Objeto.", "art-16-a"),
        ("Artículo 16 B. Ámbito.", "art-16-b"),
        ("Artículo 16-A.", "art-16-a"),
        ("Artículo 12. A los efectos de esta Ley...", "art-12"),
        ("Artículo 1.", "art-1"),
        ("Artículo 1.º Ámbito", "art-1"),
        ("Artículo 1º.", "art-1"),
        ("ARTÍCULO 1.ª", "art-1"),
        ("Articulo 7 bis", "art-7-bis"),
        ("Artículo 85 bis.", "art-85-bis"),
        ("Artículo 42 quáter. Plazos.", "art-42-quater"),
        ("Artículo 42 QUATER.", "art-42-quater"),
        ("Artículo 9-bis.", "art-9-bis"),
        ("Artículo 9bis. Objeto.", "art-9-bis"),
        ("Artículo 9, bis", "art-9-bis"),
        ("Artículo 9 bis-2", "art-9-bis-2"),
        ("Artículo 9 A bis. Objeto.", "art-9-a-bis"),
        ("Artículo n.º 9", "art-9"),
        ("Artículo núm. 9. Objeto", "art-9"),
        ("Artículo décimo-cuarto", "art-14"),
        ("Disposición adicional vigésimo-quinta", "da-25"),
        ("Disposición adicional centésima vigésima tercera bis", "da-123-bis"),
        ("Artículo preliminar. Objeto.", "art-preliminar"),
        ("Artículo 1 transitorio", "art-1-transitorio"),
        ("Artículo primero transitorio.", "art-1-transitorio"),
        ("Artículo A. Obligaciones.", "art-a"),
        ("Artículo Ñ", "art-ñ"),
        ("Disposición adicional B. Otra.", "da-b"),
        ("Article 5 bis. Objecte", "art-5-bis"),
        ("Article únic", "art-unico"),
        ("Artigo 5. Obxecto", "art-5"),
        ("Disposició addicional vuitena", "da-8"),
        ("Disposició transitòria segona bis. Terminis", "dt-2-bis"),
        ("Disposició derogatòria", "dd-unica"),
        ("Disposición adicional oitava", "da-8"),
        ("Disposición derrogatoria única", "dd-unica"),
        ("Disposición derradeira terceira. Entrada en vigor", "df-3"),
        ("ANNEX II", "anexo-ii"),
        ("Artículo 1.º bis", "art-1-bis"),
        ("Artículo 81 bis A. Deducción.", "art-81-bis-a"),
        ("Artículo 163 novodecies", "art-163-novodecies"),
        ("Artículo 10/1", "art-10-1"),
        ("Artículo 111-1.", "art-111-1"),
        ("Artículo 1.902.", "art-1902"),
        ("Artículo único. Aprobación.", "art-unico"),
        ("Artículo primero. Modificación.", "art-1"),
        ("Artículo treinta y uno.", "art-31"),
        ("Artículo ciento cincuenta y cinco. Prueba", "art-155"),
        ("Artículo XIV.", "art-14"),
        ("Art. 3. Definiciones.", "art-3"),
        ("Artículo 48 A familias e instituciones.", "art-48"),
        ("Artículo\u00a05. Objeto", "art-5"),
        ("Artículo  5", "art-5"),
        ("Arti\u0301culo 5", "art-5"),
        ("Disposición transitoria primera.", "dt-1"),
        ("Disposición adicional decimoctava", "da-18"),
        ("Disposición adicional décimo octava. Régimen.", "da-18"),
        ("Disposición adicional vigésima primera bis.", "da-21-bis"),
        ("Disposición adicional vigesimoprimera", "da-21"),
        ("disp. adic. 18.ª", "da-18"),
        ("DA 18ª", "da-18"),
        ("D.A. 18", "da-18"),
        ("D. F. 2.ª", "df-2"),
        ("disposición final única", "df-unica"),
        ("Disposición final", "df-unica"),
        ("Disposición derogatoria. Alcance.", "dd-unica"),
        ("Disposición transitoria transitoria tercera.", "dt-3"),
        ("Disposición final derogatoria.", "disposicion-final-derogatoria"),
        ("Disposición complementaria primera.", "disposicion-complementaria-1"),
        ("ANEXO II", "anexo-ii"),
        ("Anexo 2", "anexo-ii"),
        ("anexo ii.", "anexo-ii"),
        ("ANEXO", "anexo"),
        ("ANEXO. Modelo de solicitud", "anexo"),
        ("ANEXO ÚNICO", "anexo-unico"),
        ("Anexo primero", "anexo-i"),
        ("ANEXO II bis", "anexo-ii-bis"),
        ("ANEXO A", "anexo-a"),
        ("ANEXO C", "anexo-c"),
        ("ANEXO V", "anexo-v"),
        ("ANEXO I.A", "anexo-i-a"),
        ("ANEXO XII.2", "anexo-xii-2"),
        ("Anexo número 3. Tarifas", "anexo-iii"),
        ("Anejo 4", "anexo-iv"),
        ("APÉNDICE B", "apendice-b"),
        ("Apéndice E.9", "apendice-e-9"),
        ("[preambulo]", "preambulo"),
        ("EXPOSICIÓN DE MOTIVOS", "preambulo"),
        ("Norma 1.ª Ámbito", "norma-1"),
        ("Regla primera.", "regla-1"),
        ("Ley 188.", "ley-188"),
        ("Artículo 103 duoquadragies. Sujeto pasivo.", "art-103-duoquadragies"),
        ("Artículo 60 decimocuarto. Devengo.", "art-60-decimocuarto"),
        ("Artículos 55. Infracciones específicas", "art-55"),
        ("Artículos 79.", "art-79"),
        ("Artículo 26 bis.1-2. Sujeto pasivo", "art-26-bis-1-2"),
        ("Artículo 30 tercero. Sujeto pasivo.", "art-30-tercero"),
        ("Artículo 9 bis dos", "art-9-bis-dos"),
        ("Artículo 15. Segundo análisis", "art-15"),
        ("Artículo 15 Segundo análisis", "art-15"),
        ("Ley 72 bis", "ley-72-bis"),
    ],
)
def test_title_gives_the_key(title: str, key: str) -> None:
    heading = one_of(title)
    assert heading is not None
    assert heading.key == key


@pytest.mark.parametrize(
    "title",
    [
        "", "TÍTULO X", "CAPÍTULO I", "Objeto", "Artículo", "«Artículo 20. Nuevo.", "Artículo 20 de la Ley 5/2000",
        "Disposición transitoria que procede", "Artículos de prensa", "Anexos", "Disposiciones generales", "Primera.",
        "Disposiciones adicionales", "Tabla 1", "Ley 58/2003", "Ley 7 de 1980",
        "Artículos 8, 23 y 40 de la Ley 1/1994", "Artículos 4.2, 5.2 y 17.3 del Decreto 503/2004",
    ],
)  # fmt: skip
def test_what_is_no_title_of_a_provision_is_not_read(title: str) -> None:
    assert classify_all(title) == ()


def test_label_and_heading_are_kept_as_printed() -> None:
    assert one_of("Artículo 16 A. Ámbito y\u00a0fines.") == Heading(
        "article", "art-16-a", "Artículo 16 A", "Ámbito y\u00a0fines"
    )


@pytest.mark.parametrize(
    ("title", "keys"),
    [
        ("Artículos 35 a 38.", ["art-35", "art-36", "art-37", "art-38"]),
        ("Artículo 35 a 37.", ["art-35", "art-36", "art-37"]),
        ("Artículos 12 y 13", ["art-12", "art-13"]),
        ("Artículos 8, 9 bis y 10.", ["art-8", "art-9-bis", "art-10"]),
        ("Artículos 3 bis a 3 quater", ["art-3-bis", "art-3-ter", "art-3-quater"]),
        ("Disposiciones transitorias primera a tercera.", ["dt-1", "dt-2", "dt-3"]),
    ],
)
def test_group_names_every_provision_in_it(title: str, keys: list[str]) -> None:
    assert [heading.key for heading in classify_all(title)] == keys
    assert one_of(title) is None


def test_members_of_a_group_have_labels_of_their_own() -> None:
    assert [heading.label for heading in classify_all("Artículos 35 y 36.")] == ["Artículo 35", "Artículo 36"]


def test_endless_group_is_not_spelt_out() -> None:
    assert len(classify_all("Artículos 1 a 999999999.")) <= 1


@pytest.mark.parametrize(
    ("title", "within", "key"),
    [("Primera.", "additional", "da-1"), ("Segunda. Plazo", "transitional", "dt-2"), ("Única.", "final", "df-unica"),
     ("Tercero.", "other", "apartado-3"), ("1.ª", "repealing", "dd-1")],
)  # fmt: skip
def test_bare_ordinal_is_read_below_the_heading_of_its_kind(title: str, within: ArticleKind, key: str) -> None:
    heading = one_of(title, within)
    assert heading is not None
    assert (heading.kind, heading.key) == (within, key)


def test_bare_roman_numeral_is_no_ordinal() -> None:
    assert one_of("II", "other") is None


@pytest.mark.parametrize(
    ("title", "level"),
    [("LIBRO PRIMERO", 2), ("TÍTULO PRELIMINAR", 3), ("Capítulo I", 4), ("SECCIÓN 1.ª", 5), ("Subsección 2", 6),
     ("Titulares del derecho", None), ("", None)],
)  # fmt: skip
def test_heading_of_the_structure_has_its_level(title: str, level: int | None) -> None:
    assert section_level(title) == level


def test_group_heading_tells_the_kind_below_it() -> None:
    assert group_kind("DISPOSICIONES TRANSITORIAS") == "transitional"
    assert group_kind("Disposiciones generales") is None


@pytest.mark.parametrize(
    ("rest", "heading"),
    [
        ("Objeto", "Objeto"),
        ("Personas que podrán votar", "Personas que podrán votar"),
        ("Efectos de la resolución:", "Efectos de la resolución:"),
        ("Significado de los términos empleados por esta ley", "Significado de los términos empleados por esta ley"),
        ("Uso del alquitrán", "Uso del alquitrán"),
        ("Competencia mientras se aprueba la demarcación", "Competencia mientras se aprueba la demarcación"),
        ("A los efectos de esta Ley...", ""),
        ("Quedan derogados:", ""),
        ("El Pleno estará integrado por:", ""),
        ("Se modifica el artículo 3", ""),
        ("Junta. La Junta tendrá tres miembros.", "Junta"),
    ],
)
def test_sentence_after_a_label_is_text_and_not_heading(rest: str, heading: str) -> None:
    assert rest[: heading_length(rest)] == heading


@pytest.mark.parametrize(
    ("title", "keys"),
    [
        ("Artículos 5-7. (Suprimidos)", ["art-5", "art-6", "art-7"]),
        ("Artículos 5 a 8 bis", ["art-5", "art-6", "art-7", "art-8", "art-8-bis"]),
        ("Artículos 7 a 8 quáter", ["art-7", "art-8", "art-8-bis", "art-8-ter", "art-8-quater"]),
        ("Artículos 25 a 25 ter.", ["art-25", "art-25-bis", "art-25-ter"]),
        ("Arts. 3 bis a 5 bis.", ["art-3-bis", "art-4", "art-5", "art-5-bis"]),
        ("Artículos 112-1 a 112-3", ["art-112-1", "art-112-2", "art-112-3"]),
        ("Artículos 111-1", []),
        ("Disposiciones adicionales segunda a cuarta", ["da-2", "da-3", "da-4"]),
        ("Disposicions addicionals segona i tercera", ["da-2", "da-3"]),
    ],
)
def test_a_group_names_every_provision_from_its_first_to_its_last(title: str, keys: list[str]) -> None:
    assert [heading.key for heading in classify_all(title)] == keys


@pytest.mark.parametrize("title", ["CAPÍTOL II", "SECCIÓ 1a", "TÍTOL PRELIMINAR", "Llibre segon"])
def test_headings_of_catalan_laws_are_structure(title: str) -> None:
    assert section_level(title) is not None
    assert classify_all(title) == ()


@given(st.integers(1, 2000), st.sampled_from(["", *SUFFIXES]))
def test_every_number_and_suffix_gives_a_valid_unit(number: int, suffix: str) -> None:
    heading = one_of(f"Artículo {number}{f' {suffix}' if suffix else ''}. Objeto.")
    assert heading is not None
    assert CitationId.parse(f"ley-1-2000:{heading.key}").unit == heading.key


@given(st.text(max_size=80))
def test_no_title_raises(title: str) -> None:
    for heading in classify_all(f"Artículo {title}") + classify_all(f"ANEXO {title}") + classify_all(title, "final"):
        assert CitationId.parse(f"ley-1-2000:{heading.key}").unit == heading.key

"""One citation, typed in any form: what law and units it names."""

import re
import subprocess
import tomllib
import unicodedata
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.identifiers import SUFFIXES, CitationId
from corpus.ranks import law_id, read_eli
from search.citations import LawMention, Reference, UnitMention, UnitRange, extract, parse, parse_several
from search.citations.folding import fold, fold_name, fold_words
from search.citations.spanish.curated import LAWS_FILE, curated
from tests.conftest import go_without

LAWS = tomllib.loads(LAWS_FILE.read_text(encoding="utf-8"))


def shown(unit: UnitMention | UnitRange) -> str:
    """Write a unit as an id does, a range with its two ends, a tail in brackets."""
    if isinstance(unit, UnitRange):
        return f"{shown(unit.first)}..{shown(unit.last)}"
    return ".".join([unit.key, *unit.path]) + (f" [{unit.tail}]" if unit.tail else "")


def reference(text: str) -> Reference:
    """Parse what must be a citation."""
    found = parse(text)
    assert found is not None, text
    return found


def law_of(text: str) -> LawMention:
    """Give the law of what must be a citation of one."""
    law = reference(text).law
    assert law is not None, text
    return law


def unit_of(text: str) -> UnitMention:
    """Give the last unit of what must be a citation of single units."""
    unit = reference(text).units[-1]
    assert isinstance(unit, UnitMention), text
    return unit


def read(text: str) -> tuple[tuple[str, ...] | str, ...]:
    """Parse a citation into the law's ids (its name where it has none) and its units."""
    found = reference(text)
    law = () if found.law is None else found.law.ids or (found.law.name or found.law.number,)
    return (law, *map(shown, found.units))


def cited(text: str) -> str:
    """Parse a citation of one law and one unit at most into its canonical id."""
    return str(reference(text).citation)


# Public bug reports, by their number in the collection


@pytest.mark.parametrize(
    ("text", "citation"), [("ley-58-2003:art-2", "ley-58-2003:art-2"), ("art. 27 LGT", "ley-58-2003:art-27")]
)
def test_br_01_an_article_is_exactly_that_article(text, citation):
    assert cited(text) == citation


@pytest.mark.parametrize(
    "text", ["Artículo 1 CE", "articulo 1 ce", "ARTÍCULO 1 CE", "Art 1 CE", "art.1 CE", "Artº 1 CE"]
)
def test_br_02_every_spelling_of_article_is_read(text):
    assert cited(text) == "ce:art-1"


@pytest.mark.parametrize("text", ["LGT 27.2", "27.2 LGT", "Ley 58/2003, 27.2"])
def test_br_03_a_number_beside_a_law_is_an_article_when_typed_alone(text):
    assert cited(text) == "ley-58-2003:art-27.2"


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("art. 27.2.(a) LGT", "ley-58-2003:art-27.2.a"),
        ("art. 27.2.a).(vi) LGT", "ley-58-2003:art-27.2.a.vi"),
        ("art. 27(2)(a)(vi) LGT", "ley-58-2003:art-27.2.a.vi"),
    ],
)
def test_br_05_levels_between_brackets_are_all_read(text, citation):
    assert cited(text) == citation


def test_br_07_a_range_may_say_between_brackets_that_both_ends_count():
    assert read("arts. 23 a 25 (ambos inclusive) de la LGT") == read("arts. 23 a 25 de la LGT")


@pytest.mark.parametrize("text", ["ley-900-2019:art-9-bis", "art. 9 bis de la Ley 900/2019"])
def test_br_04_a_suffix_is_never_dropped(text):
    assert cited(text) == "ley-900-2019:art-9-bis"


def test_br_05_every_level_is_read_with_its_label():
    assert cited("art. 27.2.a) LGT") == "ley-58-2003:art-27.2.a"
    deepest = unit_of("art. 27.2.a).3.º LGT")
    assert (deepest.path, deepest.labels) == (("2", "a", "3"), ("2", "a)", "3.º"))


def test_br_07_lists_and_ranges_mix():
    assert read("artículos 23 a 25 y 27 LGT") == (("ley-58-2003",), "art-23..art-25", "art-27")
    assert read("arts. 9 a 10 de la Ley 900/2019") == (("ley-900-2019",), "art-9..art-10")


def test_br_07_a_hyphen_is_the_laws_own_key_before_a_range_and_never_a_minus():
    unit = unit_of("arts. 23-25 LGT")
    assert unit.key == "art-23-25"
    assert [shown(other) for other in unit.alternatives] == ["art-23..art-25"]


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("art. 1.º bis de la Ley 900/2019", "ley-900-2019:art-1-bis"),
        ("artículo 3ro bis de la Ley 900/2019", "ley-900-2019:art-3-bis"),
        ("art. 1.º (bis) de la Ley 900/2019", "ley-900-2019:art-1-bis"),
        ("art. 81 bis.2 LIRPF", "ley-35-2006:art-81-bis.2"),
        ("artículo 81 BIS 2 LIRPF", "ley-35-2006:art-81-bis.2"),
        ("art. 42 quáter RGAT", "rd-1065-2007:art-42-quater"),
        ("art. 42 quater RGAT", "rd-1065-2007:art-42-quater"),
    ],
)
def test_br_09_suffixes_follow_ordinals_and_precede_levels(text, citation):
    assert cited(text) == citation


def test_br_10_a_letter_belongs_to_the_number():
    assert read("artículo 16a de la Ley 900/2019") == (("ley-900-2019",), "art-16-a")
    assert read("artículo 16A de la Ley 900/2019") == (("ley-900-2019",), "art-16-a")
    assert cited("artículo 16 A de la Ley 900/2019") == "ley-900-2019:art-16-a"
    assert cited("artículo 16 B Ley 900/2019") == "ley-900-2019:art-16-b"


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("apartado 2 del artículo 27 de la Ley 58/2003", "art-27.2"),
        ("letra a) del apartado 2 del artículo 27 de la LGT", "art-27.2.a"),
        ("párrafo segundo del artículo 27.2 de la Ley General Tributaria", "art-27.2 [párrafo segundo]"),
        ("letra a), apartado 2, del art. 27 LGT", "art-27.2.a"),
        ("letra a) apartado 2 artículo 27 LGT", "art-27.2.a"),
        ("apartado 2 letra a) art. 27 LGT", "art-27.2.a"),
        ("ap. 2 art. 27 LGT", "art-27.2"),
        ("párrafo segundo, apartado 2, del artículo 27 LGT", "art-27.2 [párrafo segundo]"),
    ],
)
def test_br_12_prose_order_is_read_from_the_inside_out(text, units):
    assert read(text) == (("ley-58-2003",), units)


@pytest.mark.parametrize(
    "text",
    [
        "ley-58-2003:art-27.2",
        "LEY-58-2003:ART-27.2",
        "ley 58/2003 art 27.2",
        "Ley 58 / 2003, art. 27.2.",
        "Ley\u00a058/2003,\u00a0art.\u00a027.2",
        "Ley 58/2003, art. 27.2 ",
        "L. 58/2003 art. 27.2",
        "ley-58-2003: art-27.2",
        "ley-58-2003 : art-27.2",
    ],
)
def test_br_14_variations_are_one_citation(text):
    assert cited(text) == "ley-58-2003:art-27.2"


@pytest.mark.parametrize(
    "text",
    ["RDL 1/2020, art. 1", "R.D.L. 1/2020, art. 1", "rdl 1/2020 art 1", "RDL 1-2020 art. 1", "R. D. L 1/2020, art. 1"],
)
def test_br_15_rdl_is_two_ranks(text):
    law = law_of(text)
    assert (law.ids, law.is_ambiguous) == (("rdl-1-2020", "rdleg-1-2020"), True)
    assert unit_of(text).key == "art-1"


def test_br_15_the_last_initial_of_rdl_is_no_rank_of_its_own():
    assert [one.law for one in extract("Según el R D L 1/2020, se exige.").references] == []


@pytest.mark.parametrize(
    "text", ["artículo núm. 27 LGT", "art. nº 27 LGT", "art. n.º 27 LGT", "artículo número 27 LGT", "art. no. 27 LGT"]
)
def test_br_16_the_word_number_changes_nothing(text):
    assert cited(text) == "ley-58-2003:art-27"


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("Orden HAC/1347/2024, art. 4", "orden-hac-1347-2024:art-4"),
        ("Orden EHA 3434/2007", "orden-eha-3434-2007"),
        ("Orden EHA/3434/07", "orden-eha-3434-2007"),
        ("O. HAC/1347/2024, art. 4", "orden-hac-1347-2024:art-4"),
        ("Orden HAC/1.347/2024, art. 4", "orden-hac-1347-2024:art-4"),
        ("RD 1065/2007", "rd-1065-2007"),
        ("R.D. 1065/2007", "rd-1065-2007"),
        ("Real Decreto 1.065/2007", "rd-1065-2007"),
    ],
)
def test_br_17_composite_numbers_are_one_number(text, citation):
    assert cited(text) == citation


def test_br_22_laws_that_nobody_has_heard_of_are_read_all_the_same():
    assert cited("ley-28-2014:art-1") == "ley-28-2014:art-1"
    assert cited("ley-58-2003:art-9999") == "ley-58-2003:art-9999"


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("ANEXO II", "anexo-ii"),
        ("Anexo 2", "anexo-ii"),
        ("anexo ii.", "anexo-ii"),
        ("anexo n.º II", "anexo-ii"),
        ("Disposición adicional decimoctava", "da-18"),
        ("disp. adic. 18.ª", "da-18"),
        ("DA 18ª", "da-18"),
        ("D.A. 18", "da-18"),
        ("disposición final única", "df-unica"),
    ],
)
def test_br_43_one_provision_has_many_spellings(text, unit):
    assert read(text) == ((), unit)


@pytest.mark.parametrize(
    "text", ["\0", "art. 27\0LGT", "\ud800", "art. 27 \udfff LGT", "a" * 100_000, "art. " + "9" * 5000]
)
def test_br_69_no_oddity_of_text_raises(text):
    assert parse(text) is None or isinstance(parse(text), Reference)


# Laws


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("Ley 58/2003", "ley-58-2003"),
        ("ley 58/2003", "ley-58-2003"),
        ("Ley núm. 58/2003", "ley-58-2003"),
        ("Ley n.º 58/2003", "ley-58-2003"),
        ("Ley 58-2003", "ley-58-2003"),
        ("Ley 58 de 2003", "ley-58-2003"),
        ("la Ley 58/2003", "ley-58-2003"),
        ("Ley 30/92", "ley-30-1992"),
        ("Ley 58/03", "ley-58-2003"),
        ("LO 3/2018", "lo-3-2018"),
        ("L.O. 3/2018", "lo-3-2018"),
        ("Ley Orgánica 3/2018, de 5 de diciembre", "lo-3-2018"),
        ("RD-ley 7/2024", "rdl-7-2024"),
        ("RDLey 7/2024", "rdl-7-2024"),
        ("R.D.-Ley 7/2024", "rdl-7-2024"),
        ("Real Decreto-ley 7/2024", "rdl-7-2024"),
        ("Real Decreto\u2010Ley 7/2024", "rdl-7-2024"),
        ("Real Decreto Ley 7/2024", "rdl-7-2024"),
        ("real-decreto-ley-7-2024", "rdl-7-2024"),
        ("rdl-7-2024", "rdl-7-2024"),
        ("RDLeg 2/2004", "rdleg-2-2004"),
        ("RDLeg. 2/2004", "rdleg-2-2004"),
        ("R.D.Leg. 2/2004", "rdleg-2-2004"),
        ("RD Legislativo 2/2004", "rdleg-2-2004"),
        ("Real Decreto Legislativo 2/2004", "rdleg-2-2004"),
        ("Decreto 315/1964", "decreto-315-1964"),
        ("Decreto-ley 10/1973", "dl-10-1973"),
        ("Decreto Legislativo 1/2008", "dleg-1-2008"),
        ("Ley Foral 5/2002", "es-nc-ley-foral-5-2002"),
        ("Ley 5/2002, de Cataluña", "es-ct-ley-5-2002"),
        ("Ley 5/2002 (Galicia)", "es-ga-ley-5-2002"),
        ("Ley 5/2002, de 4 de abril, del Parlamento de Andalucía", "es-an-ley-5-2002"),
        ("Ley 5/2002, de la Comunitat Valenciana", "es-vc-ley-5-2002"),
        ("Ley 5/2002, de la Comunidad Autónoma del País Vasco", "es-pv-ley-5-2002"),
        ("Ley catalana 5/2002", "es-ct-ley-5-2002"),
        ("Decreto-ley 3/2020, de Andalucía", "es-an-dl-3-2020"),
        ("Orden HAC/1347/2024, de 28 de noviembre", "orden-hac-1347-2024"),
        ("orden hac 1347/2024", "orden-hac-1347-2024"),
        ("Ley 58/2003, de 17 de diciembre, General Tributaria", "ley-58-2003"),
        ("Ley 58/2003 (LGT)", "ley-58-2003"),
        ("Ley General Tributaria", "ley-58-2003"),
        ("ley general tributaria", "ley-58-2003"),
        ("LEY GENERAL TRIBUTARIA", "ley-58-2003"),
        ("LGT", "ley-58-2003"),
        ("L.G.T.", "ley-58-2003"),
        ("lgt", "ley-58-2003"),
        ("LGT 58/2003", "ley-58-2003"),
        ("la Constitución", "ce"),
        ("C.E.", "ce"),
        ("Constitución de 1978", "ce"),
        ("Ley de la Jurisdicción Contencioso-Administrativa", "ley-29-1998"),
        ("Ley de transparencia, acceso a la información pública y buen gobierno", "ley-19-2013"),
        ("Reglamento General de Recaudación, aprobado por el Real Decreto 939/2005, de 29 de julio", "rd-939-2005"),
        ("BOE-A-2003-23186", "ley-58-2003"),
        ("boe-a-2003-23186", "ley-58-2003"),
        ("BOE-A-1978-31229", "ce"),
        ("BOE-A-2001-99999", "boe-a-2001-99999"),
        ("DOGC-f-2002-90012", "dogc-f-2002-90012"),
        ("https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186", "ley-58-2003"),
        ("https://www.boe.es/eli/es/l/2003/12/17/58", "ley-58-2003"),
        ("https://www.boe.es/eli/es/l/2003/12/17/58/con", "ley-58-2003"),
        ("https://www.boe.es/eli/es/o/2024/11/28/hac1347", "orden-hac-1347-2024"),
        ("http://www.boe.es/eli/es-ct/l/2002/06/14/12/dof/spa", "es-ct-ley-12-2002"),
    ],
)
def test_laws_are_read_in_every_form(text, law):
    assert cited(text) == law


def test_a_date_or_title_stays_with_the_law():
    law = law_of("Ley 58/2003, de 17 de diciembre, General Tributaria")
    assert (law.enacted, law.title, law.number, law.rank) == (
        date(2003, 12, 17),
        "general tributaria",
        "58/2003",
        "ley",
    )


def test_a_law_without_a_number_goes_by_rank_and_date():
    law = law_of("Ley de 26 de diciembre de 1958")
    assert (law.ids, law.rank, law.enacted) == ((), "ley", date(1958, 12, 26))


def test_a_rank_whose_ids_are_not_its_numbers_keeps_rank_and_number():
    law = law_of("Circular 4/2017")
    assert (law.ids, law.rank, law.number) == ((), "circular", "4/2017")


def test_a_year_tells_a_law_from_todays_of_the_same_name():
    assert law_of("Ley de Enjuiciamiento Civil de 2000").ids == ("ley-1-2000",)
    assert law_of("Ley de Enjuiciamiento Civil de 1881").ids == ()
    assert law_of("Código Penal de 1973").ids == ()
    assert law_of("LGT de 1963").ids == ()


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("LEC 1881", ()),
        ("art. 5 LEC 2000", ("ley-1-2000",)),
        ("art. 1 CP 1995", ("lo-10-1995",)),
        ("art. 248 CP 1973", ()),
        ("LGT 1963, art. 1", ()),
    ],
)
def test_a_bare_year_behind_initials_is_their_laws(text, ids):
    assert law_of(text).ids == ids


@pytest.mark.parametrize(
    "text",
    [
        "arts. 9.3, 14 y 24.1 CE, 27 LGT y 3 CC",
        "art. 7 LIRPF 2023",
    ],
)
def test_words_that_would_be_lost_make_it_no_single_citation(text):
    assert parse(text) is None


def test_a_regions_law_is_not_the_states_of_the_same_name():
    law = law_of("artículo 111-1 del Código Civil de Cataluña")
    assert (law.ids, law.jurisdiction, law.name) == ((), "es-ct", "codigo civil de cataluna")


def test_abbreviations_of_several_laws_are_ambiguous():
    assert law_of("LOE").ids == ("ley-38-1999", "lo-2-2006")
    assert law_of("LOE").is_ambiguous


def test_an_abbreviation_may_lead_with_one_law_and_offer_another():
    law = law_of("art. 17 LGS")
    assert (law.ids, law.is_ambiguous) == (("ley-38-2003", "ley-14-1986"), False)


def test_the_block_of_an_official_address_is_kept():
    law = law_of("https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186&p=20240101&tn=1#a27")
    assert (law.boe_id, law.block) == ("BOE-A-2003-23186", "a27")
    assert law_of("BOE-A-2003-23186#a1-2").block == "a1-2"


@pytest.mark.parametrize("number", ["(1)", "1234", "hac1347", "x", "(1)/con"])
@pytest.mark.parametrize("kind", ["o", "l", "rd", "res", "zz"])
def test_no_address_raises_for_want_of_a_number(kind, number):
    law = law_of(f"https://www.boe.es/eli/es/{kind}/1994/05/03/{number}")
    assert law.eli.startswith(f"https://www.boe.es/eli/es/{kind}/1994/05/03/")


def test_the_unit_of_a_labelled_set_is_read():
    assert cited("BOE-A-2018-16673#art-12") == "lo-3-2018:art-12"
    assert cited("BOE-A-2017-99999:da-3") == "boe-a-2017-99999:da-3"


@pytest.mark.parametrize(
    "address",
    [
        "https://fedlex.data.admin.ch/eli/cc/24/233_245_233/fr",
        "/akn/fi/act/statute/2018/1050",
        "urn:lex:it:stato:legge:x",
    ],
)
def test_addresses_of_other_countries_are_read(address):
    law = law_of(f"{address}#art_1")
    assert (law.eli, law.block) == (address, "art_1")


def test_european_law_is_a_law_that_has_no_id_here():
    law = law_of("artículo 6 del Reglamento (UE) 2016/679")
    assert (law.ids, law.name) == ((), "reglamento (ue) 2016/679")


# Units


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("artículo único", "art-unico"),
        ("artículo primero", "art-1"),
        ("artículo 1.º", "art-1"),
        ("art. 1er", "art-1"),
        ("artículo ciento cincuenta y cinco", "art-155"),
        ("artículo vigésimo primero", "art-21"),
        ("artículo XIV", "art-14"),
        ("artículo 1.902", "art-1902"),
        ("artículo 10/1", "art-10-1"),
        ("artículo 111-1", "art-111-1"),
        ("artículo 16 A", "art-16-a"),
        ("art. 163 undecies", "art-163-undecies"),
        ("artículo 5 novodecies", "art-5-novodecies"),
        ("artículo 20.Uno.1.º", "art-20.1.1"),
        ("artículo 20 Uno", "art-20.1"),
        ("art. 149.1.1.ª", "art-149.1.1"),
        ("art. 5.2 bis", "art-5.2-bis"),
        ("art. 5, apartado 2 bis, letra a)", "art-5.2-bis.a"),
        ("art. 5.ñ)", "art-5.ñ"),
        ("art. 5 n)", "art-5.n"),
        ("art. 5.aa)", "art-5.aa"),
        ("art. 5.1.a).iv)", "art-5.1.a.iv"),
        ("art. 5.1.a bis)", "art-5.1.a-bis"),
        ("artículo 5, apartado primero, letra b", "art-5.1.b"),
        ("artículo 5, apartado Uno", "art-5.1"),
        ("artículo 5, regla 2.ª", "art-5.2"),
        ("artículo 5, ordinal 3.º", "art-5.3"),
        ("párrafo a) del artículo 5", "art-5.a"),
        ("artículo 5, párrafo segundo", "art-5 [párrafo segundo]"),
        ("artículo 5.1 in fine", "art-5.1 [in fine]"),
        ("último párrafo del apartado 3 del artículo 5", "art-5.3 [último párrafo]"),
        ("artículo 14 y siguientes", "art-14 [y siguientes]"),
        ("número 2.º de la letra a) del apartado 1 del artículo 7", "art-7.1.a.2"),
        ("disposición adicional centésima vigesimoquinta", "da-125"),
        ("disposición adicional vigésima primera", "da-21"),
        ("disposición adicional décima séptima bis", "da-17-bis"),
        ("D. A. 3.ª", "da-3"),
        ("D.Ad. 3", "da-3"),
        ("disp. trans. 2.ª", "dt-2"),
        ("DT 1.ª", "dt-1"),
        ("D.F. 2", "df-2"),
        ("disposición derogatoria única", "dd-unica"),
        ("DDU", "dd-unica"),
        ("disposición derogatoria", "dd-unica"),
        ("DA 18ª.3.a)", "da-18.3.a"),
        ("adicional tercera", "da-3"),
        ("anexo", "anexo"),
        ("anexo I, apartado 3", "anexo-i.3"),
        ("anejo III", "anexo-iii"),
        ("anexo A", "anexo-a"),
        ("apéndice B", "apendice-b"),
        ("artículo 3 del anexo I", "anexo-i.art-3"),
        ("anexo I, artículo 3", "anexo-i.art-3"),
        ("preámbulo", "preambulo"),
        ("exposición de motivos", "preambulo"),
        ("ARTÍCULO\u00a027 \u2013", "art-27"),
        ("art\u0069\u0301culo 27", "art-27"),
        ("artí\u00adculo 27", "art-27"),
        ("\uff41\uff52\uff54. \uff12\uff17", "art-27"),
    ],
)
def test_units_are_read_in_every_form(text, unit):
    assert read(text) == ((), unit)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("artículo 27.2.a) y 3", ["art-27.2.a", "art-27.3"]),
        ("artículo 27.2 y 3", ["art-27.2", "art-27.3"]),
        ("artículo 27.2.a) y b)", ["art-27.2.a", "art-27.2.b"]),
        ("artículo 27.2 y 28", ["art-27.2", "art-28"]),
        ("artículos 2.1 y 3", ["art-2.1", "art-3"]),
        ("arts. 163 undecies a 163 terdecies", ["art-163-undecies..art-163-terdecies"]),
        ("artículos 1, 2 bis, 3.4 y 5", ["art-1", "art-2-bis", "art-3.4", "art-5"]),
        ("artículos primero y segundo", ["art-1", "art-2"]),
        ("apartados 1 y 2 del artículo 27", ["art-27.1", "art-27.2"]),
        ("letras a) a d) del apartado 2 del artículo 5", ["art-5.2.a..art-5.2.d"]),
        ("letras g), h), i) y l) del artículo 5", ["art-5.g", "art-5.h", "art-5.i", "art-5.l"]),
        ("artículo 3, apartado 1, letras a) y b)", ["art-3.1.a", "art-3.1.b"]),
        ("artículos 1, 3.1, letras a) y b), y 4", ["art-1", "art-3.1.a", "art-3.1.b", "art-4"]),
        ("disposiciones adicionales primera y tercera", ["da-1", "da-3"]),
        ("disposiciones adicional primera y transitoria segunda", ["da-1", "dt-2"]),
        ("disposiciones adicionales 1.ª a 3.ª", ["da-1..da-3"]),
        ("artículos 33 bis y ter", ["art-33-bis", "art-33-ter"]),
        ("artículos 1 y 2 y disposición final primera", ["art-1", "art-2", "df-1"]),
        ("anexos I y II", ["anexo-i", "anexo-ii"]),
        ("arts. 27 y 28", ["art-27", "art-28"]),
        ("art 27 y 28", ["art-27", "art-28"]),
    ],
)
def test_lists_and_ranges_are_read(text, units):
    assert read(text) == ((), *units)


@pytest.mark.parametrize(
    ("text", "alternative"),
    [
        ("art. 1.902 CC", "art-1.902"),
        ("art. 111-1 CC", "art-111.1"),
        ("art 16 a LGT", "art-16.a"),
        ("art. 27.2 LGT", "art-27-2"),
        ("Anexo II.3 LGT", "anexo-ii-3"),
        ("artículo 27.2 y 28 LGT", "art-27.28"),
        ("art. 16.A LGT", "art-16-a"),
    ],
)
def test_doubtful_forms_offer_their_other_reading(text, alternative):
    assert alternative in [shown(other) for other in unit_of(text).alternatives]


@pytest.mark.parametrize(
    "text",
    [
        "art. 27.2.a) LGT",
        "LGT, art. 27.2.a)",
        "LGT art 27.2.a",
        "LGT: art. 27.2.a)",
        "Ley 58/2003 (art. 27.2.a)",
        "artículo 27, apartado 2, letra a), de la Ley 58/2003",
        "letra a) del apartado 2 del artículo 27 de la LGT",
        "el artículo 27.2.a) de la Ley 58/2003, de 17 de diciembre, General Tributaria",
        "Ley 58/2003, de 17 de diciembre, General Tributaria, artículo 27.2.a)",
        "«artículo 27.2.a) LGT»",
        "(art. 27.2.a) LGT)",
        "lgt:art-27.2.a",
        "BOE-A-2003-23186:art-27.2.a",
        "ver art. 27.2.a) LGT",
    ],
)
def test_law_and_unit_come_in_either_order(text):
    assert cited(text) == "ley-58-2003:art-27.2.a"


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("art. 21 n. 2 LPAC", "ley-39-2015:art-21.2"),
        ("art. 104, norma 3.ª, LIVA", "ley-37-1992:art-104.3"),
        ("art. 7 letra p LIRPF", "ley-35-2006:art-7.p"),
        ("art. 7 letra e LIRPF", "ley-35-2006:art-7.e"),
        ("art. 20, Uno, 9.º LIVA", "ley-37-1992:art-20.1.9"),
        ("art. 20.Uno, 9º LIVA", "ley-37-1992:art-20.1.9"),
        ("art. 21, 2.º LPAC", "ley-39-2015:art-21.2"),
        ("§ 27 LGT", "ley-58-2003:art-27"),
        ("LGT, § 27.2", "ley-58-2003:art-27.2"),
        ("art. 27 L. G. T.", "ley-58-2003:art-27"),
        ("Ley 30/1.992, art. 42", "ley-30-1992:art-42"),
        ("R.D. 1.065/2.007, de 27 de julio de 2.007, art. 87", "rd-1065-2007:art-87"),
        ("art 21 ley 39 2015", "ley-39-2015:art-21"),
        ("orden hac 1347 2024 art 4", "orden-hac-1347-2024:art-4"),
        ("L 58/2003, art. 27", "ley-58-2003:art-27"),
        ("Ley 58 del año 2003, art. 27", "ley-58-2003:art-27"),
        ("RDLvo 1/1996, art. 5", "rdleg-1-1996:art-5"),
        ("R.D. Legvo. 1/1996, art. 5", "rdleg-1-1996:art-5"),
        ("art. 5 TR LPI", "rdleg-1-1996:art-5"),
        ("art. 104 del texto refundido de la LRHL", "rdleg-2-2004:art-104"),
        ("T.R. de la LRHL", "rdleg-2-2004"),
    ],
)
def test_practice_writes_it_so(text, citation):
    assert cited(text) == citation


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("DDAA 3.ª y 4.ª LPAC", ("da-3", "da-4")),
        ("DD.TT. 1ª a 3ª LPAC", ("dt-1..dt-3",)),
        ("art. 21 ss. LPAC", ("art-21 [ss.]",)),
        ("arts. 21 y sgtes. LPAC", ("art-21 [y sgtes.]",)),
        ("art. 21.2, pfo. 2.º LPAC", ("art-21.2 [pfo. 2.º]",)),
        ("artículos 21 a 24, ambos inclusive, de la LPAC", ("art-21..art-24",)),
        ("artículos 1.º, 2.º y 3.º LPAC", ("art-1", "art-2", "art-3")),
    ],
)
def test_practice_lists_them_so(text, units):
    assert read(text) == (("ley-39-2015",), *units)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("arts. 20.Uno.1.º y 22.º LIVA", ("art-20.1.1", "art-20.1.22")),
        ("arts. 20.Uno.18.ª, 19.ª y 23.ª LIVA", ("art-20.1.18", "art-20.1.19", "art-20.1.23")),
        ("arts. 20.1 y 22 LIVA", ("art-20.1", "art-22")),
        ("arts. 1.º y 2.º LIVA", ("art-1", "art-2")),
    ],
)
def test_what_bears_the_sign_of_the_number_before_is_numbered_as_that_is(text, units):
    assert read(text)[1:] == units


@pytest.mark.parametrize("text", ["fin de la LGT", "der LGT", "ad LGT", "final LGT", "tr 3 LGT"])
def test_a_word_that_begins_like_a_disposition_is_none(text):
    assert parse(text) is None


def test_a_number_that_is_not_understood_is_no_name_of_a_law():
    assert parse("ley 39_2015") is None
    assert parse("ley 39") is None


@pytest.mark.parametrize(
    ("text", "laws"),
    [("LGP", {"ley-47-2003", "ley-34-1988"}), ("LMV", {"ley-24-1988", "rdleg-4-2015", "ley-6-2023"})],
)
def test_initials_that_several_laws_go_by_choose_none(text, laws):
    law = law_of(text)
    assert (set(law.ids), law.is_ambiguous) == (laws, True)


@pytest.mark.parametrize(
    "text",
    [
        "https://www.boe.es/buscar/act.php?id=BOE-A-2015-10565#da-2",
        "https://www.boe.es/eli/es/l/2015/10/01/39/con#da-2",
    ],
)
def test_a_block_of_the_boe_is_never_taken_for_the_disposition_of_that_number(text):
    assert (law_of(text).block, reference(text).units) == ("da-2", ())


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("art. 21(4)(a) Ley 39/2015", "art-21.4.a"),
        ("art. 21 (4) (a) Ley 39/2015", "art-21.4.a"),
        ("21(4) LPAC", "art-21.4"),
        ("art. 53.1b Ley 39/2015", "art-53.1.b"),
        ("art. 53 1 b Ley 39/2015", "art-53.1.b"),
        ("art. 21 §2 Ley 39/2015", "art-21.2"),
        ("art . 21 Ley 39/2015", "art-21"),
        ("artículo  21 . 4 Ley 39/2015", "art-21.4"),
        ("artículo 21 .4 Ley 39/2015", "art-21.4"),
        ("anexo I, parte B, de la Ley 39/2015", "anexo-i.parte-b"),
        ("anexo, parte II Ley 39/2015", "anexo.parte-ii"),
        ("anexo I sección A.2 Ley 39/2015", "anexo-i.seccion-a.2"),
        ("Article 21(4) of Law 39/2015", "art-21.4"),
        ("Article 21, paragraph 4, of Law 39/2015", "art-21.4"),
        ("paragraph 4 of Article 21 of Law 39/2015", "art-21.4"),
        ("Law 39/2015, Article 21", "art-21"),
        ("art. 21 - apartado 4 Ley 39/2015", "art-21.4"),
        ("art. 21.4 - Ley 39/2015", "art-21.4"),
        ("art. 21.4 de la LPAC, en su redacción vigente", "art-21.4"),
        ("art. 21.4 LPAC (redacción actual)", "art-21.4"),
        ("art. 21.4 LPAC en vigor", "art-21.4"),
        ("art. 21 y s. LPAC", "art-21 [y s.]"),
        ("art. 21 et seq. LPAC", "art-21 [et seq.]"),
        ("art. 21 pto. 2 LPAC", "art-21.2"),
        ("ex art. 21 LPAC", "art-21"),
        ("conforme al artículo 21 de la Ley 39/2015", "art-21"),
        ("al amparo del artículo 21 de la Ley 39/2015", "art-21"),
        ("en virtud de la disposición adicional tercera de la Ley 39/2015", "da-3"),
    ],
)
def test_levels_are_read_as_others_write_them(text, units):
    assert read(text) == (("ley-39-2015",), units)


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("art. 53.1.a y b Ley 39/2015", ["art-53.1.a", "art-53.1.b"]),
        ("art. 53.1.a, b y c Ley 39/2015", ["art-53.1.a", "art-53.1.b", "art-53.1.c"]),
        ("art. 53.1.a), b y c Ley 39/2015", ["art-53.1.a", "art-53.1.b", "art-53.1.c"]),
        ("art. 53.1.a-c Ley 39/2015", ["art-53.1.a..art-53.1.c"]),
        ("art. 53(1)(a) y (b) Ley 39/2015", ["art-53.1.a", "art-53.1.b"]),
        ("arts. 53.1.a y b y 54 Ley 39/2015", ["art-53.1.a", "art-53.1.b", "art-54"]),
        ("Articles 14 to 16 and 20 of Law 39/2015", ["art-14..art-16", "art-20"]),
        ("Ley 39/2015, artículos 21 a 24 inclusive", ["art-21..art-24"]),
        ("arts. 21, 22 y 24, todos ellos de la Ley 39/2015", ["art-21", "art-22", "art-24"]),
        ("arts. 21 y 22, ambos de la Ley 39/2015", ["art-21", "art-22"]),
        ("del art. 21 al art. 24 de la Ley 39/2015", ["art-21..art-24"]),
        ("desde el artículo 21 hasta el artículo 24 de la Ley 39/2015", ["art-21..art-24"]),
    ],
)
def test_lists_of_letters_and_of_articles_go_on_as_others_write_them(text, units):
    assert read(text) == (("ley-39-2015",), *units)


def test_the_part_of_an_annex_may_be_no_provision_of_its_own():
    (other,) = unit_of("anexo I, parte B, de la Ley 39/2015").alternatives
    assert shown(other) == "anexo-i [parte B]"


def test_the_constitution_is_meant_by_a_competence_whose_sign_is_an_a():
    found = extract("La Constitución lo reserva; el artículo 149.1.18a lo dice, y el artículo 9.1a, no.")
    assert [one.law.ids if one.law else () for one in found.references] == [("ce",), ("ce",), ()]


@pytest.mark.parametrize("text", ["art. 149.1-18ª CE", "art. 149, 1, 18.ª CE", "art. 149.1.18.ª CE"])
def test_a_signed_number_stands_below_one_without_a_sign(text):
    assert cited(text) == "ce:art-149.1.18"


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("Article 5 of Organic Law 3/2018", "lo-3-2018:art-5"),
        ("Article 5 of the Royal Decree 1065/2007", "rd-1065-2007:art-5"),
        ("Article 3 of Royal Legislative Decree 1/2010", "rdleg-1-2010:art-3"),
        ("Article 3 of Legislative Royal Decree 1/2010", "rdleg-1-2010:art-3"),
        ("Royal Decree-Law 7/2024, art. 3", "rdl-7-2024:art-3"),
        ("Article 24 of the Spanish Constitution", "ce:art-24"),
    ],
)
def test_a_law_is_read_in_english(text, citation):
    assert cited(text) == citation


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("Ley Org. 3/2018, art. 5", "lo-3-2018:art-5"),
        ("art. 5 L. Org. 3/2018", "lo-3-2018:art-5"),
        ("R. Dto. 1065/2007", "rd-1065-2007"),
        ("art. 24 de nuestra Constitución", "ce:art-24"),
        ("art. 24 Const.", "ce:art-24"),
    ],
)
def test_further_short_forms_of_laws_are_read(text, citation):
    assert cited(text) == citation


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("artícu\u00ad\nlo 21 de la Ley 39/2015", "ley-39-2015:art-21"),
        ("artí-\nculo 21 de la Ley 39/2015", "ley-39-2015:art-21"),
        ("Real Decreto legis-\nlativo 2/2004, art. 60", "rdleg-2-2004:art-60"),
        ("Real Decreto-\nley 7/2024, art. 1", "rdl-7-2024:art-1"),
        ("art. 21 de la Ley 39/\n2015", "ley-39-2015:art-21"),
    ],
)
def test_a_word_that_a_lines_end_divides_is_one_word(text, citation):
    assert cited(text) == citation
    assert [str(one.citation) for one in extract(f"Según el {text}, se exige.").references] == [citation]


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("Art.21 L 39/2015", "ley-39-2015:art-21"),
        ("L 39/2015 art. 21", "ley-39-2015:art-21"),
        ("Article 21 de la Llei 39/2015", "ley-39-2015:art-21"),
        ("article 6 de la Llei orgànica 3/2018", "lo-3-2018:art-6"),
        ("artigo 21 da Lei 39/2015", "ley-39-2015:art-21"),
        ("Lei 39/2015, artigo 21", "ley-39-2015:art-21"),
        ("Llei 5/2002, de Catalunya, article 1", "es-ct-ley-5-2002:art-1"),
        ("Decret llei 5/2020, de Catalunya, article 1", "es-ct-dl-5-2020:art-1"),
        ("Reial decret 887/2006, de 21 de juliol", "rd-887-2006"),
        ("Reial Decret legislatiu 2/2004", "rdleg-2-2004"),
        ("Real Decreto lexislativo 2/2004", "rdleg-2-2004"),
        ("Reial Decret llei 7/2024", "rdl-7-2024"),
        ("art. 60 del TR de la Ley Reguladora de las Haciendas Locales", "rdleg-2-2004:art-60"),
    ],
)
def test_laws_are_read_as_other_hands_and_languages_write_them(text, citation):
    assert cited(text) == citation
    assert citation in [str(one.citation) for one in extract(f"Según el {text}, se exige.").references]


@pytest.mark.parametrize(
    ("text", "citation"),
    [
        ("art. 27:2 LGT", "ley-58-2003:art-27.2"),
        ("artículo 27:2.a) de la Ley 58/2003", "ley-58-2003:art-27.2.a"),
        ("LGT, art. 27:2", "ley-58-2003:art-27.2"),
        ("art. 27:10 LGT", "ley-58-2003:art-27.10"),
        ("art. 149:1:18.ª CE", "ce:art-149.1.18"),
        ("DA 3.ª:2 LGT", "ley-58-2003:da-3.2"),
    ],
)
def test_a_colon_may_stand_for_the_dot(text, citation):
    assert cited(text) == citation
    assert [str(one.citation) for one in extract(f"Según el {text}, se exige.").references] == [citation]


def test_an_article_without_its_noun_is_no_time_of_day():
    assert cited("27:2 LGT") == cited("LGT 27:2") == "ley-58-2003:art-27.2"
    assert [parse(text) for text in ("10:30 LGT", "LGT 10:30", "a las 10:30 LGT", "9:05 CE")] == [None] * 4
    assert [str(one.citation) for one in extract("a las 10:30 de la LGT").references] == ["ley-58-2003"]
    assert [str(one.citation) for one in extract("El artículo 5 LGT: 2 años").references] == ["ley-58-2003:art-5"]


@pytest.mark.parametrize("note", ["\u00b9", "\u00b2", "\u00b3", "\u2074", "\u00b9\u2070", "\u00b2\u2079"])
@pytest.mark.parametrize(
    "form", ["art. 27.2 LGT{}", "art. 27.2{} LGT", "art. 27.2{} de la Ley 58/2003", "art. 27.2 de la Ley 58/2003{}"]
)
def test_the_mark_of_a_note_is_no_part_of_what_is_cited(form, note):
    text = form.format(note)
    assert cited(text) == "ley-58-2003:art-27.2"
    (found,) = extract(f"Según el {text}, se exige.").references
    assert (str(found.citation), found.text) == ("ley-58-2003:art-27.2", text.rstrip(note))


def test_a_raised_zero_alone_is_a_sign_and_no_note():
    assert (read("art. 1\u2070"), read("art. 5\u00b9\u2070")) == (((), "art-1"), ((), "art-5"))
    assert extract("El art. 1\u2070 LGT\u00b9 rige.").references[0].text == "art. 1\u2070 LGT"


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("articles 27 i 28", ["art-27", "art-28"]),
        ("arts. 27, 28 i 30", ["art-27", "art-28", "art-30"]),
        ("articles 27 a 29 i 31", ["art-27..art-29", "art-31"]),
        ("article 27.2 i 3", ["art-27.2", "art-27.3"]),
        ("articles segon i quart", ["art-2", "art-4"]),
        ("article 27 i la disposició addicional primera", ["art-27", "da-1"]),
        ("disposició addicional divuitena", ["da-18"]),
        ("disposició addicional 3a", ["da-3"]),
        ("disposició transitòria segona", ["dt-2"]),
        ("disposició final quarta", ["df-4"]),
        ("disposició derogatòria única", ["dd-unica"]),
        ("disposició derogatòria", ["dd-unica"]),
        ("disposicions addicionals primera i segona", ["da-1", "da-2"]),
        ("disposicions transitòries cinquena i desena", ["dt-5", "dt-10"]),
        ("disposicions finals 1a a 3a", ["df-1..df-3"]),
        ("disposicions derogatòries primera i tercera", ["dd-1", "dd-3"]),
        ("DISPOSICIÓ ADDICIONAL SISENA", ["da-6"]),
    ],
)
def test_provisions_are_read_in_catalan(text, units):
    assert read(f"{text} de la Llei 39/2015") == (("ley-39-2015",), *units)
    found = extract(f"Segons {text} de la Llei 39/2015, s'exigeix.").references
    assert {one.law.ids for one in found if one.law} == {("ley-39-2015",)}
    assert [shown(unit) for one in found for unit in one.units] == units


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("letras h, i y j del artículo 5 LPAC", ["art-5.h", "art-5.i", "art-5.j"]),
        ("artículo 5, letra i LPAC", ["art-5.i"]),
        ("art. 5 i LPAC", ["art-5-i"]),
        ("anexo I LPAC", ["anexo-i"]),
    ],
)
def test_an_i_in_spanish_is_a_letter(text, units):
    assert read(text) == (("ley-39-2015",), *units)


@pytest.mark.parametrize(
    "text", ["disposició addicional vint-i-unena de la Llei 39/2015", "articles 27 i 30 dies de la Llei 39/2015"]
)
def test_what_is_not_understood_in_catalan_is_not_guessed(text):
    assert parse(text) is None
    assert [str(one.citation) for one in extract(f"Segons {text}.").references] == ["ley-39-2015"]


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("arts. 21 & 22 LPAC", ("art-21", "art-22")),
        ("Artículo 2.- Ley 39/2015", ("art-2",)),
        ("conforme a los arts. 24.1 y 25.1.b) LPAC", ("art-24.1", "art-25.1.b")),
        ("art. 24.1, en relación con los arts. 25 y 26, LPAC", ("art-24.1", "art-25", "art-26")),
        ("apartado 1, número 2.º, letra b), artículo 24 LPAC", ("art-24.1.2.b",)),
        ("artículo 26, apartado 1, letra a) y letra c), y apartado 3, LPAC", ("art-26.1.a", "art-26.1.c", "art-26.3")),
        ("artículo 26, apartados 2 y 3, letra a), LPAC", ("art-26.2", "art-26.3.a")),
    ],
)
def test_lists_are_read_as_courts_write_them(text, units):
    assert read(text) == (("ley-39-2015",), *units)


def test_a_law_is_shared_by_what_is_related_to_it():
    found = extract(
        "El artículo 24.1 en relación con el 25 de la Ley 39/2015, y el art. 2, en conexión con el art. 3, LGT."
    )
    assert [str(one.citation) for one in found.references] == [
        "ley-39-2015:art-24.1",
        "ley-39-2015:art-25",
        "ley-58-2003:art-2",
        "ley-58-2003:art-3",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("art. 21 LPAC (redacción de 2019)", "2019"),
        ("art. 27 de la Ley 58/2003 (redacción 2019)", "2019"),
        ("Ley 58/2003 (versión de 2019), art. 27", "2019"),
        ("art. 21 LPAC, redacción vigente en 2019", "2019"),
        ("art. 27 Ley 58/2003, vigente en 2019", "2019"),
        ("art. 7 LIRPF (vigente en 2014)", "2014"),
        ("art. 7 LIRPF, que estaba en vigor en el año 2014", "2014"),
        ("art. 7 LIRPF, vigente durante el ejercicio 2014", "2014"),
        ("art. 7 LIRPF, redacción aplicable en el ejercicio 2014", "2014"),
        ("art. 7 LIRPF, vigente a 31 de diciembre", "31 de diciembre"),
        ("art. 21 LPAC, en la versión de enero de 2019", "enero de 2019"),
        ("art. 21 LPAC, redacción vigente a 30 de febrero", "30 de febrero"),
        ("art. 21 LPAC, redacción vigente a 28 de febrero de 20", "28 de febrero de 20"),
        ("art. 21 LPAC, redacción vigente a treinta de febrero de 2020", "treinta de febrero de 2020"),
    ],
)
def test_a_text_of_another_time_is_not_taken_for_todays(text, said):
    for found in (reference(text), *extract(f"Según el {text}, se exige.").references):
        assert (found.on, found.no_day) == (None, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("art. 21 LPAC, redacción anterior", "redacción anterior"),
        ("art. 21 LPAC, en su redacción originaria", "redacción originaria"),
        ("art. 21 LPAC (versión original)", "versión original"),
        ("art. 21 LPAC, en la redacción dada por la Ley 26/2014", "redacción dada por la Ley 26/2014"),
        ("art. 21 LPAC (según redacción dada por Ley 26/2014)", "redacción dada por Ley 26/2014"),
        ("redacción originaria del art. 21 LPAC", "redacción originaria"),
    ],
)
def test_another_redaction_is_not_taken_for_todays(text, said):
    assert (cited(text), reference(text).no_day) == ("ley-39-2015:art-21", said)
    found = extract(f"Según la {text}, se exige.").references[0]
    assert (str(found.citation), found.no_day) == ("ley-39-2015:art-21", said)


def test_the_law_that_wrote_a_redaction_is_cited_too():
    for text in (
        "El artículo 7 LIRPF, en la redacción dada por la Ley 26/2014, exime.",
        "La redacción dada por la Ley 26/2014 al artículo 7 LIRPF exime.",
    ):
        said = {str(one.citation): one.no_day for one in extract(text).references}
        assert said == {"ley-35-2006:art-7": "redacción dada por la Ley 26/2014", "ley-26-2014": ""}


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("En la redacción vigente a 1 de enero de 2015 del artículo 7 LIRPF, rige.", ["2015-01-01"]),
        ("Se exige. A fecha 1 de enero de 2015, el artículo 7 LIRPF rige.", ["2015-01-01"]),
        (
            "La versión vigente el 1/1/2015 del artículo 7 LIRPF y del artículo 8 LIRPF. El artículo 9 LIRPF.",
            ["2015-01-01", "2015-01-01", "None"],
        ),
        (
            "La redacción vigente a 1/1/2015 de los artículos 7 y 8 y de la disposición final primera LIRPF.",
            ["2015-01-01", "2015-01-01"],
        ),
        ("El artículo 7 LIRPF, en su redacción vigente a 1/1/2015, el artículo 8 LIRPF.", ["2015-01-01", "None"]),
        ("El artículo 7 LIRPF en su redacción vigente a 1/1/2015. El artículo 8 LIRPF.", ["2015-01-01", "None"]),
    ],
)
def test_the_day_of_the_text_may_be_said_before_it(text, days):
    assert [str(one.on) for one in extract(text).references] == days


@pytest.mark.parametrize("text", ["art. 24.1 y e CE", "art. 53.1.b y a Ley 39/2015"])
def test_a_word_of_one_letter_is_no_letra(text):
    assert parse(text) is None


def test_a_day_pins_any_form():
    assert cited("ley-58-2003:art-27@2019-06-30") == "ley-58-2003:art-27@2019-06-30"
    assert cited("art. 27 LGT @2019-06-30") == "ley-58-2003:art-27@2019-06-30"


SAID = [
    "{}, redacción vigente a {}",
    "{} (redacción vigente a {})",
    "{}, en su redacción vigente el día {}.",
    "{} en la redacción vigente hasta el {}",
    "{}, en la redacción que estaba en vigor el {}",
    "{} en vigor a {}",
    "{}, vigente en fecha {}",
    "{}, texto consolidado a {}",
    "{} a fecha de {}",
]


@pytest.mark.parametrize("form", SAID)
@pytest.mark.parametrize("day", ["28 de febrero de 2020", "28/02/2020", "28-2-2020", "2020-02-28"])
def test_the_day_of_the_text_may_be_said_behind(form, day):
    assert cited(form.format("art. 27 LGT", day)) == "ley-58-2003:art-27@2020-02-28"
    (found,) = extract(f"Según el {form.format('art. 27 LGT', day)}, se exige.").references
    assert (str(found.citation), found.text) == ("ley-58-2003:art-27@2020-02-28", "art. 27 LGT")


@pytest.mark.parametrize("form", [*SAID, "{}@{}", "{} @{}"])
@pytest.mark.parametrize(
    "day", ["31 de febrero de 2020", "30/02/2020", "29-2-2019", "2020-13-01", "45 de enero de 2020"]
)
def test_a_day_that_no_calendar_has_is_kept_apart(form, day):
    if "@" in form and not day.startswith("2020"):
        return
    text = form.format("art. 27 LGT", day)
    for found in (reference(text), *extract(f"Según el {text}, se exige.").references):
        assert (found.on, found.no_day) == (None, day)


@pytest.mark.parametrize(
    "text",
    [
        "artículo 27, en su redacción vigente a 28 de febrero de 2020, de la Ley 58/2003",
        "artículo 27 (redacción vigente a 28/02/2020) LGT",
        "Ley 58/2003, en su redacción vigente a 28-02-2020, artículo 27",
        "art. 27 LGT (vigente hasta el veintiocho de febrero de 2020)",
    ],
)
def test_the_day_of_the_text_may_be_said_between(text):
    assert cited(text) == "ley-58-2003:art-27@2020-02-28"
    assert [str(one.citation) for one in extract(f"Según el {text}, se exige.").references] == [
        "ley-58-2003:art-27@2020-02-28"
    ]


def test_every_provision_that_shares_a_law_has_the_day_said_behind_it():
    found = extract("Los artículos 27 y 28 y la disposición final primera de la LGT, redacción vigente a 01/02/2020.")
    assert [str(one.on) for one in found.references] == ["2020-02-01", "2020-02-01"]


@pytest.mark.parametrize(
    "text",
    [
        "La Ley 58/2003, en vigor desde el 1 de julio de 2004",
        "Ley 58/2003, de 17 de diciembre de 2003, que entró en vigor",
        "El artículo 27 LGT está vigente en 2019 y lo estaba antes.",
        "Tras la entrada en vigor en 2004 de la Ley 58/2003, rige.",
        "Se exige desde que entró en vigor en 2004. La Ley 58/2003 rige.",
        "La Ley 58/2003, vigente a partir de 2004, rige.",
    ],
)
def test_what_is_told_of_a_law_is_no_day_of_its_text(text):
    assert [(one.on, one.no_day) for one in extract(text).references] == [(None, "")]


@pytest.mark.parametrize("entry", ["que entra", "que entrará", "que entraría", "(entrará", "puesta"])
def test_the_year_of_an_entry_into_force_is_no_day_of_a_text(entry):
    assert reference(f"el art. 5 de la Ley 39/2015, {entry} en vigor en 2016").no_day == ""


@pytest.mark.parametrize("text", ["hola@2020-02-30", "art. 27 LGT @", "yo@2019.es", "@2020-02-30"])
def test_no_day_is_blamed_for_what_is_no_citation_without_it(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "multa",
        "tributación conjunta",
        "27.2",
        "2 de mayo",
        "modelo 347",
        "¿qué es lo que hay que pagar si presento tarde?",
        "¿qué dice el artículo 27 de la LGT?",
        "recargos del artículo 27 LGT por pagar tarde",
        "Ley 39/2015 de qué trata",
        "sobreseimiento",
        "ley",
        "al amparo de la ley de arrendamientos",
        "artículo",
        "art. 27 LGT y art. 5 LIVA",
        "camelia/eli/rosa",
    ],
)
def test_what_is_more_or_less_than_one_citation_is_none(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Leyes 39 y 40/2015",
        "las Leyes 39, 40 y 41/2015",
        "Leyes 30/1992, 39/2015 y 40/2015",
        "Leyes 39/2015, de 1 de octubre, y 40/2015, de 1 de octubre",
        "Ley 39/2015, Ley 40/2015",
        "art. 5 de las Leyes 39/2015, 40/2015",
        "Ley 58/2003, de 17 de diciembre, General Tributaria, y Ley 35/2006",
        "art. 3 de la Ley 58/2003, General Tributaria, y Ley 35/2006",
        "Ley 58/2003, art. 27 y Ley 35/2006, art. 7",
        "Ley 58/2003, art. 27 y LIRPF, art. 7",
    ],
)
def test_another_law_is_no_title_and_no_article_of_the_first(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("Ley 50/2007, de modificación de la Ley 43/1998 y de la Ley 2/2000", "ley-50-2007"),
        ("Ley 29/2005, por la que se modifica la Ley 1/2000 y la Ley 2/2001", "ley-29-2005"),
        ("Ley 39/2015, de Procedimiento y Régimen Jurídico", "ley-39-2015"),
    ],
)
def test_a_title_may_name_other_laws(text, law):
    assert cited(text) == law


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("art. 27 LGT y art. 7 LIRPF", ["ley-58-2003:art-27", "ley-35-2006:art-7"]),
        ("art. 27 LGT y 7 LIRPF", ["ley-58-2003:art-27", "ley-35-2006:art-7"]),
        ("Ver el art. 27 LGT, en relación con el art. 7 LIRPF.", ["ley-58-2003:art-27", "ley-35-2006:art-7"]),
        ("art 27 lgt; art 14 ce", ["ley-58-2003:art-27", "ce:art-14"]),
        ("LGT y LIRPF", ["ley-58-2003", "ley-35-2006"]),
        ("las Leyes 39 y 40/2015", ["ley-39-2015", "ley-40-2015"]),
        ("art. 5 de las Leyes 39/2015 y 40/2015", ["ley-39-2015:art-5", "ley-40-2015:art-5"]),
        ("art. 27 LGT @2019-06-30 y art. 7 LIRPF", ["ley-58-2003:art-27@2019-06-30", "ley-35-2006:art-7"]),
        (
            "art. 27 LGT, vigente a 1/1/2015, y art. 7 LIRPF",
            ["ley-58-2003:art-27@2015-01-01", "ley-35-2006:art-7"],
        ),
        ("ley-58-2003:art-27, ley-35-2006:art-7", ["ley-58-2003:art-27", "ley-35-2006:art-7"]),
        ("article 27 LGT i article 7 LIRPF", ["ley-58-2003:art-27", "ley-35-2006:art-7"]),
        (
            "https://www.boe.es/eli/es/l/2003/12/17/58, https://www.boe.es/eli/es/l/2006/11/28/35",
            ["ley-58-2003", "ley-35-2006"],
        ),
    ],
)
def test_several_citations_are_each_read(text, citations):
    assert parse(text) is None
    assert [str(one.citation) for one in parse_several(text)] == citations


@pytest.mark.parametrize(
    "text",
    [
        "art. 27 LGT",
        "arts. 27 y 28 LGT",
        "art. 27 LGT y multa",
        "diferencia entre el art. 27 LGT y el art. 7 LIRPF",
        "¿art. 27 LGT o art. 7 LIRPF?",
        "art. 27 LGT y art. 6 RGPD",
        "art. 27 LGT y art. 7 LIRPF según el Tribunal",
        "",
    ],
)
def test_what_is_more_or_less_than_several_citations_is_none(text):
    assert parse_several(text) == ()


@pytest.mark.parametrize("text", ["LGT, CC", "LGT CC", "CC, LGT"])
def test_initials_of_a_law_are_no_roman_number_of_an_article(text):
    assert parse(text) is None
    assert cited("CC 5") == "cc:art-5"


@pytest.mark.parametrize(
    ("title", "law"),
    [
        (
            "Ley 1/2020, de 3 de junio, de modificación del artículo 51 de la Ley 23/2006, de capitalidad de Palma",
            "ley-1-2020",
        ),
        ("Real Decreto 55/2002, de conformidad con lo establecido en el artículo 20 de la Ley 11/1986", "rd-55-2002"),
        ("Real Decreto 552/2020, de mercancías incluidas en el Anexo I del Tratado de Funcionamiento", "rd-552-2020"),
        ("Real Decreto 1/2020, por el que se provee el Registro de Lorca n.º 1", "rd-1-2020"),
    ],
)
def test_the_article_behind_a_title_is_of_the_law_whatever_the_title_tells_of(title, law):
    assert cited(f"{title}, art. 5.1") == f"{law}:art-5.1"


def test_laws_listed_with_their_titles_are_not_the_first_alone():
    assert parse("art. 5 de las Leyes 39/2015, de 1 de octubre, del Procedimiento, y 40/2015, de Régimen") is None


def test_offsets_count_in_the_original():
    text = " «artí\u00adculo 27, apartado 2, de la Ley 58/2003» "
    found, law, unit = reference(text), law_of(text), unit_of(text)
    assert (found.start, found.end, found.text) == (0, len(text), text)
    assert text[law.start : law.end] == law.text == "Ley 58/2003"
    assert text[unit.start : unit.end] == "27, apartado 2"


# Ids


_SUFFIX = st.sampled_from(["", *(f"-{suffix}" for suffix in SUFFIXES)])
_NUMBER = st.integers(1, 2000).map(str)
_LAW = st.one_of(
    st.builds(
        lambda region, rank, number, year: f"{region}{rank}-{number}-{year}",
        st.sampled_from(["", "es-ct-", "es-nc-", "es-pv-"]),
        st.sampled_from(["ley", "lo", "rdl", "rdleg", "rd", "decreto", "dl", "dleg", "ley-foral", "orden-hac"]),
        st.integers(1, 9999),
        st.integers(1835, 2040),
    ),
    st.sampled_from(["ce", "cc", "ccom", "lecrim", "lh", "rh", "ln", "lef", "rn"]),
    st.builds(lambda year, number: f"boe-a-{year}-{number}", st.integers(1900, 2040), st.integers(90000, 99999)),
)
_FIXED_UNITS = [
    "art-unico", "df-unica", "anexo", "anexo-ii", "anexo-i.art-3", "apendice-b", "preambulo", "art-16-a",
    "norma.art-unico", "carta.art-55", "da-57~2", "art-111-1", "anexo-ii-a", "regla-2", "dispone.art-1",
]  # fmt: skip
_UNIT = st.one_of(
    st.builds(lambda number, suffix: f"art-{number}{suffix}", _NUMBER, _SUFFIX),
    st.builds(lambda kind, number: f"{kind}-{number}", st.sampled_from(["da", "dt", "df", "dd"]), _NUMBER),
    st.sampled_from(_FIXED_UNITS),
)
_SEGMENT = st.one_of(
    st.builds(lambda number, suffix: f"{number}{suffix}", st.integers(1, 99), _SUFFIX),
    st.sampled_from(["a", "ñ", "aa", "iv", "a-bis", "z"]),
)
_IDS = st.builds(
    lambda law, unit, path, on: CitationId(law, unit, tuple(path) if unit else (), on),
    _LAW,
    st.none() | _UNIT,
    st.lists(_SEGMENT, max_size=4),
    st.none() | st.dates(date(1900, 1, 1), date(2100, 1, 1)),
)


@given(_IDS)
@settings(deadline=None)
def test_every_canonical_id_reads_back(citation):
    assert reference(str(citation)).citation == citation
    assert reference(str(citation).upper()).citation == citation


_WRITTEN = st.tuples(
    st.sampled_from([("Ley", "ley"), ("Ley Orgánica", "lo"), ("R.D.", "rd"), ("Real Decreto-ley", "rdl")]),
    st.integers(1, 999),
    st.integers(1900, 2099),
    st.integers(1, 2000),
    st.none() | st.sampled_from(SUFFIXES),
    st.none() | st.integers(1, 99),
    st.none() | st.sampled_from([*"abcdefghijklmnñopqrstuvwxyz", "aa", "ab", "az"]),
)


@given(_WRITTEN)
@settings(deadline=None, max_examples=60)
def test_what_is_written_out_in_words_reads_as_its_id(written):
    (rank, slug), number, year, article, suffix, apartado, letter = written
    levels = [f"letra {letter})"] * bool(letter) + [f"apartado {apartado}"] * bool(apartado)
    law, unit = f"{rank} {number}/{year}", f"artículo {article}{f' {suffix}' if suffix else ''}"
    path = tuple(str(level) for level in (apartado, letter) if level)
    meant = CitationId(f"{slug}-{number}-{year}", f"art-{article}{f'-{suffix}' if suffix else ''}", path)
    inside_out = " del ".join([*levels, unit]) + f" de la {law}"
    outside_in = f"{law}, {', '.join([unit, *reversed(levels)])}"
    assert (cited(inside_out), cited(outside_in)) == (str(meant), str(meant))


@given(st.text())
@settings(deadline=None)
def test_names_fold_alike_whichever_way(text):
    assert fold_name(text) == " ".join(fold(text).lower.replace("ñ", "n").split())
    assert fold_words(text) == " ".join(re.findall(r"[\w/]+", fold_name(text)))


@given(st.text())
@settings(deadline=None)
def test_no_input_raises(text):
    parse(text)


_PIECES = [
    "art.", "artículo", " ", "27", ".2", "a)", "bis", " y ", " a ", "-", ",", "LGT", "Ley 58/2003", "de la ", "DA",
    "apartado ", "letra ", "párrafo segundo", "\u00a0", "1.º", "anexo II", "RDL 1/2020", "@2019-06-30", "(", ")",
]  # fmt: skip


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
@settings(deadline=None)
def test_no_heap_of_pieces_raises_or_reaches_beyond_its_text(text):
    found = parse(text)
    if found:
        assert all(0 <= unit.start <= unit.end <= len(text) for unit in found.units)


@given(st.text(alphabet="art. 27LGTáñ\u0301\u00ad\u200bºª–\uff12"))
@settings(deadline=None)
def test_folding_keeps_the_way_back(text):
    folded = fold(text)
    assert len(folded.plain) == len(folded.lower)
    assert folded.slice(0, len(folded.lower)).endswith(text[folded.at(len(folded.lower)) :])
    kept = [unicodedata.normalize("NFKD", text[folded.at(i)])[0] for i in range(len(folded.plain))]
    assert [character for character in kept if character.isdigit()] == re.findall(r"\d", folded.plain)


# The list of names


def test_the_list_is_long_enough():
    assert len({name for entry in LAWS.values() for name in entry.get("abbreviations", ())}) >= 150


@pytest.mark.parametrize("law", LAWS)
def test_every_name_of_the_list_is_read(law):
    entry = LAWS[law]
    assert re.fullmatch(r"BOE-A-\d{4}-\d{1,5}", entry["boe_id"])
    for form in [*entry.get("abbreviations", ()), *entry.get("names", ())]:
        assert law in law_of(form).ids, form
        assert unit_of(f"art. 1 {form}").key == "art-1", form
        assert law in law_of(f"art. 1 {form}").ids, form


def test_every_law_of_the_list_is_what_the_official_journal_calls_it(shared_dir):
    archive = shared_dir / "data" / "legalize-es.tar.zst"
    wanted = {entry["boe_id"]: law for law, entry in LAWS.items()}
    members = [f"es/{boe_id}.md" for boe_id in wanted]
    done = subprocess.run(["tar", "--zstd", "-xOf", archive, *members], capture_output=True, check=False)
    if b"zstd" in done.stderr and not done.stdout:
        go_without("tar with zstd")
    fronts = dict(re.findall(r'identifier: "([^"]+)"\n(?:.+\n)*?source: "([^"]+)"\n', done.stdout.decode()))
    assert {boe_id: _id_of(boe_id, fronts[boe_id]) for boe_id in wanted} == wanted


def _id_of(boe_id: str, source: str) -> str:
    eli = read_eli(source)
    return law_id(
        rank=eli.rank if eli else "", number=eli.number if eli else "", jurisdiction="es", boe_id=boe_id, eli=source
    )


def test_the_list_is_read_once():
    assert curated() is curated()


@pytest.mark.parametrize(
    ("text", "unit", "path", "tail"),
    [
        ("art. 27 de la LGT, apartado 2, letra a)", "art-27", ("2", "a"), ""),
        ("art. 11 Ley 990/2019, párrafo segundo", "art-11", (), "párrafo segundo"),
        ("art. 16 A Ley 901/2019", "art-16-a", (), ""),
        ("anexo ii. Ley 11/2022", "anexo-ii", (), ""),
        ("art. 35.1) LGT", "art-35", ("1",), ""),
    ],
)
def test_what_stands_behind_the_law_is_never_dropped(text, unit, path, tail):
    found = parse(text)
    assert found is not None
    (only,) = found.units
    assert isinstance(only, UnitMention)
    assert (only.key, only.path, only.tail) == (unit, path, tail)


@pytest.mark.parametrize(
    "text",
    [
        "Ley 39/2015 artículo",
        "Ley 39/2015, de 1 de octubre, del Procedimiento Administrativo Común, apartado cuarto y último",
    ],
)
def test_no_title_or_name_swallows_a_provision(text):
    found = parse(text)
    assert found is None or found.units


def test_words_behind_a_numbered_law_are_no_name_of_another():
    assert parse("Art 21.3 ley 39/2015 plazo") is None


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("artículo A de la Ley 900/2019", ["art-a"]),
        ("artículo C de la Ley 900/2019", ["art-100"]),
        ("artículo preliminar de la Ley 900/2019", ["art-preliminar"]),
        ("artículo 1 transitorio de la Ley 900/2019", ["art-1-transitorio"]),
        ("artículo primero transitorio.2 de la Ley 900/2019", ["art-1-transitorio.2"]),
        ("disposición adicional 1a LGT", ["da-1"]),
        ("disposiciones adicionales 1a a 3a de la Ley 58/2003", ["da-1..da-3"]),
        ("disposición derogatoria única.1.a) LGT", ["dd-unica.1.a"]),
    ],
)
def test_provisions_that_go_by_no_plain_number_are_read_typed_and_in_a_text(text, units):
    for found in (reference(text), *extract(f"Según {text}, se exige.").references):
        assert list(map(shown, found.units)) == units


def test_a_letter_that_is_a_roman_numeral_may_name_its_article():
    assert cited("art. B LGT") == "ley-58-2003:art-b"
    assert [shown(other) for other in unit_of("artículo C de la Ley 900/2019").alternatives] == ["art-c"]


@pytest.mark.parametrize(
    "text", ["ARTÍCULO A QUE SE REFIERE LA LEY 58/2003", "El artículo A los efectos de la Ley 58/2003"]
)
def test_a_word_of_one_letter_is_no_article(text):
    assert [one.units for one in extract(text).references] == [()]


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("21-1-a LPAC", ["art-21-1.a", "art-21.1.a"]),
        ("art. 21-1-a) de la Ley 39/2015", ["art-21-1.a", "art-21.1.a"]),
        ("art. 27.2-a) LGT", ["art-27.2.a", "art-27-2.a"]),
        ("artículo 1º-1 CE", ["art-1-1", "art-1.1"]),
        ("artículo 1o CE", ["art-1.o", "art-1"]),
        (
            "letra b) del artículo 14.6, número 1.º LIRPF",
            ["art-14.6.1.b", "art-14-6.1.b", "art-14.1.6.b", "art-14.b.6.1", "art-14.6.b.1"],
        ),
    ],
)
def test_levels_that_hyphens_or_bare_letters_mark_are_never_dropped(text, readings):
    unit = unit_of(text)
    assert [shown(one) for one in (unit, *unit.alternatives)] == readings


@pytest.mark.parametrize("text", ["39/2015, art. 21", "art. 21 39/2015", "art. 21 de la 39/2015"])
def test_a_number_without_its_kind_of_law_may_be_of_any(text):
    found = reference(text)
    assert found.law is not None
    assert (found.law.ids[0], len(found.law.ids), found.law.is_ambiguous) == ("ley-39-2015", 5, True)
    assert [shown(unit) for unit in found.units] == ["art-21"]


def test_an_orders_number_without_its_kind_is_an_orders():
    assert cited("HAC/1347/2024, art. 4") == "orden-hac-1347-2024:art-4"


@pytest.mark.parametrize("text", ["39/2015", "12/2024 5", "39/2015, 21"])
def test_numbers_alone_are_no_citation(text):
    assert parse(text) is None


def test_the_number_of_a_law_may_stand_in_brackets():
    assert cited("artículo 27 de la Ley (58/2003)") == "ley-58-2003:art-27"


def found_in(text: str) -> list[tuple[tuple[str, ...] | str | None, list[str]]]:
    """Read the citations of a text into their laws' ids ("" for one that is not named) and units."""
    return [((one.law.ids or "") if one.law else None, list(map(shown, one.units))) for one in extract(text).references]


LGT, CE = ("ley-58-2003",), ("ce",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("La Ley 58/2003, cuyo artículo 27 rige.", [(LGT, []), (LGT, ["art-27"])]),
        ("La LGT. Su artículo 27 rige.", [(LGT, []), ("", ["art-27"])]),
        ("El artículo 27 de la LGT. Su apartado 4 rige.", [(LGT, ["art-27"]), ("", [".4"])]),
        ("Los artículos 5 y 7 del mismo.", [("", ["art-5", "art-7"])]),
        ("El artículo siguiente al 27 de la LGT.", [(LGT, [])]),
        ("Art. 27 LGT; ibídem, art. 28.", [(LGT, ["art-27"]), (LGT, ["art-28"])]),
        ("Art. 27 LGT y art. 28 (íd.).", [(LGT, ["art-27"]), (LGT, ["art-28"])]),
        ("Ídem, art. 28.", [("", ["art-28"])]),
    ],
)
def test_what_is_anothers_is_never_the_texts_own(text, found):
    assert found_in(text) == found


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("los apartados 5 del artículo 26, 7 del artículo 31 y 8 del art. 32", [["art-26.5"], ["art-31"], ["art-32"]]),
        ("el apartado 1 del artículo 9, 2 y 3 del artículo 10", [["art-9.1"], ["art-10"]]),
        ("el artículo 27.2.a) y b) del artículo 28", [["art-27.2.a"], ["art-28"]]),
    ],
)
def test_a_part_of_the_next_article_is_none_of_the_one_before(text, units):
    assert [own for _, own in found_in(f"Según {text} CE, se exige.")] == units


def test_what_points_at_a_foreign_act_is_of_that_act():
    found = extract("El artículo 6 del RGPD, en relación con los artículos 5 y 7 del mismo.")
    assert (found.references, found.unsupported[1].text) == ((), "artículos 5 y 7 del mismo")


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("art. 9, 3 CE", ["art-9.3"]),
        ("artículos 9,3 y 24,1 CE", ["art-9.3", "art-24.1"]),
        ("artículos 9,10 y 11 CE", ["art-9", "art-10", "art-11"]),
        ("artículo noveno, tres, de la Constitución", ["art-9.3"]),
        ("artículo primero, dos, de la Constitución", ["art-1.2"]),
        ("arts. 14 y 149.1, 5.º y 6.º, CE", ["art-14", "art-149.1.5", "art-149.1.6"]),
        ("art. único.1 CE", ["art-unico.1"]),
        ("artículo 27 CE y ss.", ["art-27 [y ss.]"]),
        ("artículo 27 y conc. CE", ["art-27 [y conc.]"]),
        ("los párrafos 1.º y 2.º del art. 27 CE", ["art-27 [párrafos 1.º y 2.º]"]),
        (
            "letras a) y b) del apartado 1 y en la letra a) del apartado 2 del artículo 9 CE",
            ["art-9.1.a", "art-9.1.b", "art-9.2.a"],
        ),
    ],
)
def test_what_courts_and_old_laws_write_is_no_other_provision(text, units):
    assert found_in(f"Según {text}, se exige.") == [(CE, units)]


def test_levels_of_the_text_and_of_another_article_stay_apart():
    assert found_in("En el párrafo anterior o en el apartado 3 del artículo 66 LGT.")[-1] == (LGT, ["art-66.3"])


def test_what_markdown_marks_is_read_and_its_marks_are_no_part():
    found = extract("El **artículo 27** de la **Ley 58/2003** y *art. 28 LGT*.").references
    assert [one.text for one in found] == ["artículo 27** de la **Ley 58/2003", "art. 28 LGT"]
    assert cited("**artículo 27** de la *LGT*") == "ley-58-2003:art-27"

"""A citation gives exactly the text it names on a day, or says why not; it never guesses."""

from __future__ import annotations

import hashlib
from datetime import UTC, date, datetime

import pytest
from django.utils import timezone, translation

from corpus.models import Article, Law
from search.errors import InvalidDate, QueryTooLong
from search.extraction import extract
from search.lookup import lookup, lookup_id
from tests.law_builder import Redaction, add_article, add_law

pytestmark = pytest.mark.django_db

APARTADOS = "1. Los recargos.\n2. Se exigen:\na) El 1 por ciento.\nb) El 15 por ciento.\nNo se exigen más.\n3. Fin."


@pytest.fixture
def lgt():
    return add_law(
        "ley-58-2003",
        {f"art-{n}": f"Texto del artículo {n}." for n in ("2", "12", "20", "23", "24", "25", "26")}
        | {"art-27": APARTADOS, "art-102": "Ciento dos.", "art-127": "Ciento veintisiete."},
        number="58/2003",
        title="Ley 58/2003, de 17 de diciembre, General Tributaria.",
        short_title="Ley 58/2003, General Tributaria",
        boe_id="BOE-A-2003-23186",
        eli="https://www.boe.es/eli/es/l/2003/12/17/58",
        enacted=date(2003, 12, 17),
        valid_from=date(2004, 7, 1),
    )


@pytest.fixture
def ley_900():
    return add_law(
        "ley-900-2019",
        {
            "art-8": "Ocho.",
            "art-9": "1. Nueve.\n2. Otro.",
            "art-10": "Diez.",
        },
        number="900/2019",
        title="Ley 900/2019, de 10 de enero, de pruebas.",
        boe_id="BOE-A-2019-900",
    )


def outcome_of(text, **options):
    answer = lookup(text, **options)
    return answer.outcome, answer.citation


class TestExactness:
    @pytest.mark.parametrize(
        ("cited", "citation"),
        [("ley-58-2003:art-2", "ley-58-2003:art-2"), ("art. 27 LGT", "ley-58-2003:art-27")],
    )
    def test_br_01_a_number_is_never_found_inside_another(self, lgt, cited, citation):
        answer = lookup(cited)
        assert (answer.outcome, answer.citation) == ("found", citation)
        assert answer.text == lgt.articles.get(key=citation.split(":")[1]).versions.get().text

    def test_a_part_is_that_text_and_nothing_else(self, lgt):
        answer = lookup("art. 27.2 LGT")
        expected = "2. Se exigen:\na) El 1 por ciento.\nb) El 15 por ciento.\nNo se exigen más."
        assert (answer.text, answer.sha256) == (expected, hashlib.sha256(expected.encode()).hexdigest())
        assert (answer.citation, answer.label) == ("ley-58-2003:art-27.2", "Artículo 27.2")

    def test_a_nested_part_is_labelled_as_printed(self, lgt):
        answer = lookup("art. 27.2.b) LGT")
        assert (answer.text, answer.label) == ("b) El 15 por ciento.", "Artículo 27.2.b)")

    def test_br_04_an_unknown_suffix_falls_back_to_nothing(self, ley_900):
        for cited in ("ley-900-2019:art-9-bis", "art. 9 bis de la Ley 900/2019"):
            answer = lookup(cited)
            assert (answer.outcome, answer.text) == ("no_such_provision", None)
            assert answer.suggestions[0].citation == "ley-900-2019:art-9"

    def test_a_letter_after_the_number_is_a_key_or_a_letra_and_never_ignored(self, ley_900):
        assert outcome_of("art. 9 A de la Ley 900/2019") == ("no_such_provision", "ley-900-2019:art-9-a")

    def test_br_05_a_level_the_text_lacks_stays_in_the_tail(self, lgt):
        assert outcome_of("art. 27.2.a) LGT") == ("found", "ley-58-2003:art-27.2.a")
        answer = lookup("art. 27.2.a).3.º LGT")
        assert (answer.outcome, answer.resolved_to, answer.unresolved_tail) == (
            "partial",
            "ley-58-2003:art-27.2.a",
            "3.º",
        )
        assert answer.text == "a) El 1 por ciento."

    def test_a_bare_o_is_the_letra_that_the_article_has_or_else_its_ordinal_sign(self, ley_900):
        add_article(ley_900, "art-1", "Uno.")
        add_article(ley_900, "art-2", "Son:\n" + "\n".join(f"{letter}) Texto." for letter in "abcdefghijklmnño"))
        found = [lookup(f"artículo {number} de la Ley 900/2019") for number in ("1o", "2o")]
        assert [(one.outcome, one.resolved_to) for one in found] == [
            ("found", "ley-900-2019:art-1"),
            ("found", "ley-900-2019:art-2.o"),
        ]

    def test_a_parrafo_stays_in_the_tail(self, lgt):
        answer = lookup("párrafo segundo del artículo 27.2 de la Ley General Tributaria")
        assert (answer.outcome, answer.resolved_to) == ("partial", "ley-58-2003:art-27.2")
        assert answer.unresolved_tail == "párrafo segundo"

    def test_a_letra_without_its_apartado_is_suggested_not_chosen(self, lgt):
        answer = lookup("letra a) del artículo 27 LGT")
        assert (answer.outcome, answer.resolved_to) == ("partial", "ley-58-2003:art-27")
        assert [offered.citation for offered in answer.suggestions] == ["ley-58-2003:art-27.2.a"]

    def test_br_10_lettered_articles_and_transitional_ones_keep_their_own_key(self):
        texts = {
            "art-1": "Uno.",
            "art-12": "A los efectos de esta Ley.",
            "art-16-a": "A.",
            "art-16-b": "B.",
            "dt-1": "T.",
        }
        add_law("ley-901-2019", texts, number="901/2019")
        cited = {
            "art. 16 A de la Ley 901/2019": "art-16-a",
            "art. 16 B de la Ley 901/2019": "art-16-b",
            "disposición transitoria primera Ley 901/2019": "dt-1",
            "art. 1 Ley 901/2019": "art-1",
        }
        for words, key in cited.items():
            answer = lookup(words)
            assert (answer.outcome, answer.citation, answer.text) == ("found", f"ley-901-2019:{key}", texts[key])
        assert lookup("art. 16 Ley 901/2019").outcome == "no_such_provision"

    @pytest.mark.parametrize(
        "cited",
        [
            "ley-58-2003:art-27.2",
            "LEY-58-2003:ART-27.2",
            "ley 58/2003 art 27.2",
            "Ley 58 / 2003, art. 27.2.",
            "Ley 58/2003,\u00a0art.\u00a027.2 ",
            "L. 58/2003 art. 27.2",
            "BOE-A-2003-23186#art-27.2",
            "lgt:art-27.2",
        ],
    )
    def test_br_14_every_spelling_gives_one_id(self, lgt, cited):
        assert outcome_of(cited) == ("found", "ley-58-2003:art-27.2")

    def test_br_72_an_id_outlives_what_is_inserted_before_it(self, lgt):
        before = lookup("ley-58-2003:art-27.2", as_of=date(2020, 1, 1))
        Article.objects.filter(law=lgt, position__gte=8).update(position=100)
        add_article(lgt, "art-26-bis", "Intercalado.", position=99)
        after = lookup("ley-58-2003:art-27.2", as_of=date(2020, 1, 1))
        assert (after.url, after.text) == (before.url, before.text)
        assert after.url == "/ley-58-2003:art-27.2@2020-01-01"


class TestClaims:
    def test_a_wrong_title_with_the_right_number_is_a_fact_and_no_other_law(self, lgt):
        answer = lookup("art. 27 de la Ley 58/2003, General de Subvenciones")
        assert (answer.outcome, answer.citation) == ("found", "ley-58-2003:art-27")
        assert answer.title is not None
        assert (answer.title.given, answer.title.matches) == ("general de subvenciones", False)
        assert answer.title.actual == "Ley 58/2003, de 17 de diciembre, General Tributaria."

    def test_a_title_behind_the_laws_number_is_told_against_the_laws_not_a_heading(self, lgt):
        add_article(lgt, "art-30", "Texto.", heading="Obligados")
        answer = lookup("art. 30 de la Ley 58/2003, de Propiedad Horizontal")
        assert answer.title is not None
        assert (answer.title.actual, answer.title.matches) == (lgt.title, False)

    def test_a_wrong_day_with_the_right_number_is_a_fact_and_no_other_law(self, lgt):
        answer = lookup("Ley 58/2003, de 17 de noviembre, art. 27")
        assert (answer.outcome, answer.citation) == ("found", "ley-58-2003:art-27")
        assert answer.enacted is not None
        assert (answer.enacted.given, answer.enacted.actual) == (date(2003, 11, 17), date(2003, 12, 17))

    @pytest.mark.parametrize(
        "cited",
        [
            "art. 27 de la Ley 58/2003, General Tributaria",
            "Ley 58/2003, de 17 de diciembre, General Tributaria, art. 27",
        ],
    )
    def test_a_right_title_agrees(self, lgt, cited):
        answer = lookup(cited)
        assert answer.title is not None
        assert answer.title.matches

    def test_the_first_word_of_a_title_behind_its_number_agrees(self):
        add_law("ley-19-2013", {"art-12": "Doce."}, number="19/2013", title="Ley 19/2013, de transparencia y acceso.")
        for cited in (
            "art. 12 de la Ley 19/2013, de transparencia",
            "Ley 19/2013 de la Transparencia y el Acceso, art. 12",
        ):
            told = lookup(cited).title
            assert told is not None
            assert told.matches

    @pytest.mark.parametrize("cited", ["art. 27 LGT", "ley-58-2003:art-27", "Ley General Tributaria, art. 27"])
    def test_what_claims_nothing_is_null(self, lgt, cited):
        answer = lookup(cited)
        assert (answer.title, answer.enacted) == (None, None)


class TestOrderOfLevels:
    """Levels written out beside each other are in the order that the law has them in."""

    @pytest.fixture
    def seven(self, ley_900):
        add_article(ley_900, "art-6", "1.º Son:\na) Uno.\nb) Dos.\n2.º Fin.")
        add_article(ley_900, "art-7", "Son:\na) Uno.\nb) Dos:\n1.º Tres.\n2.º Cuatro.")
        add_article(ley_900, "art-11", "1. Son:\na) Uno.\nb) Dos:\n1.º Tres.\n2.º Cuatro.\n2. Fin.")

    @pytest.mark.parametrize(
        ("cited", "unit"),
        [
            ("número 1.º, letra b), del artículo 6", "art-6.1.b"),
            ("letra b), número 1.º, del artículo 6", "art-6.1.b"),
            ("artículo 6, letra b), número 1.º,", "art-6.1.b"),
            ("número 1.º, letra b), del artículo 7", "art-7.b.1"),
            ("letra b), número 1.º, artículo 7", "art-7.b.1"),
            ("artículo 7, número 1.º, letra b),", "art-7.b.1"),
            ("letra b) del artículo 7, número 1.º,", "art-7.b.1"),
            ("número 1.º del artículo 7, letra b),", "art-7.b.1"),
            ("apartado 1, letra b), número 2.º, del artículo 11", "art-11.1.b.2"),
            ("número 2.º, letra b), apartado 1, del artículo 11", "art-11.1.b.2"),
            ("apartado 1, número 2.º, letra b), del artículo 11", "art-11.1.b.2"),
            ("letra b), apartado 1, número 2.º, artículo 11", "art-11.1.b.2"),
            ("apartado 1 letra b) número 2.º del artículo 11", "art-11.1.b.2"),
            ("artículo 11, número 2.º, letra b), apartado 1,", "art-11.1.b.2"),
            ("artículo 11.1, número 2.º, letra b),", "art-11.1.b.2"),
            ("letra b) del artículo 11.1, número 2.º,", "art-11.1.b.2"),
        ],
    )
    def test_levels_are_found_in_every_order(self, seven, cited, unit):
        answer = lookup(f"{cited} de la Ley 900/2019")
        assert (answer.outcome, answer.resolved_to) == ("found", f"ley-900-2019:{unit}")

    @pytest.mark.parametrize(
        ("cited", "unit", "tail"),
        [
            ("letra b) del número 1.º del artículo 7", "art-7", "1.º b)"),
            ("artículo 7.1.º.b)", "art-7", "1.º b)"),
            ("número 3.º, letra b), del artículo 7", "art-7", "3.º b)"),
        ],
    )
    def test_an_order_that_is_said_stays_and_no_level_is_dropped(self, seven, cited, unit, tail):
        answer = lookup(f"{cited} de la Ley 900/2019")
        expected = ("partial", f"ley-900-2019:{unit}", tail)
        assert (answer.outcome, answer.resolved_to, answer.unresolved_tail) == expected

    def test_each_of_a_list_is_found_in_its_order(self, seven):
        answer = lookup("números 1.º y 2.º, letra b), del artículo 7 de la Ley 900/2019")
        assert [item.resolved_to for item in answer.items] == ["ley-900-2019:art-7.b.1", "ley-900-2019:art-7.b.2"]

    def test_a_list_goes_on_with_a_level_written_out(self, seven):
        answer = lookup("artículo 11, apartado 1, letras a) y b), y apartado 2 de la Ley 900/2019")
        assert [item.resolved_to for item in answer.items] == [
            "ley-900-2019:art-11.1.a",
            "ley-900-2019:art-11.1.b",
            "ley-900-2019:art-11.2",
        ]


class TestWordsForSuffixes:
    """What goes on from a number in a word is a key of its own where the law has that, else a level."""

    @pytest.mark.parametrize(
        ("cited", "outcome", "citation"),
        [
            ("art. 64 quinto", "found", "art-64-quinto"),
            ("el artículo 64 segundo", "found", "art-64.2"),
            ("art. 64 sexto", "no_such_provision", "art-64-sexto"),
            ("art. 64 duoquadragies", "no_such_provision", "art-64-duoquadragies"),
            ("art. 64 (bis)", "no_such_provision", "art-64-bis"),
            ("art. 64 «bis».2", "no_such_provision", "art-64-bis.2"),
        ],
    )
    def test_none_is_dropped(self, ley_900, cited, outcome, citation):
        add_article(ley_900, "art-64", "1. Uno.\n2. Dos.")
        add_article(ley_900, "art-64-quinto", "Quinto.")
        for answer in (
            lookup(f"{cited} de la Ley 900/2019"),
            extract(f"Según {cited} de la Ley 900/2019.").citations[0],
        ):
            assert (answer.outcome, answer.citation) == (outcome, f"ley-900-2019:{citation}")


class TestLists:
    def test_br_07_a_range_and_a_list_are_all_given(self, lgt):
        answer = lookup("artículos 23 a 25 y 27 LGT")
        assert [item.citation for item in answer.items] == [f"ley-58-2003:art-{n}" for n in (23, 24, 25, 27)]
        assert (answer.outcome, answer.citation, answer.text) == ("found", None, None)

    def test_br_07_a_dash_is_a_range(self, lgt):
        assert [item.citation for item in lookup("arts. 23-25 LGT").items] == [
            f"ley-58-2003:art-{n}" for n in (23, 24, 25)
        ]

    def test_br_07_a_range_follows_the_law(self, ley_900):
        Article.objects.filter(law=ley_900, key="art-10").update(position=9)
        add_article(ley_900, "art-9-bis", "Nueve bis.", position=4)
        answer = lookup("arts. 9 a 10 de la Ley 900/2019")
        assert [item.citation for item in answer.items] == [f"ley-900-2019:art-{n}" for n in ("9", "9-bis", "10")]

    def test_br_07_a_long_range_is_cut_and_says_so(self):
        add_law("ley-902-2019", {f"art-{n}": f"Texto {n}." for n in range(1, 71)}, number="902/2019")
        answer = lookup("arts. 1 a 70 de la Ley 902/2019")
        assert (len(answer.items), answer.items[-1].citation) == (50, "ley-902-2019:art-50")
        assert "50" in (answer.detail or "")
        assert (answer.items_are_capped, lookup("arts. 1 a 50 de la Ley 902/2019").items_are_capped) == (True, False)

    def test_several_citations_are_each_given(self, lgt, ley_900):
        answer = lookup("arts. 23 y 27.2.a) LGT y art. 9 Ley 900/2019")
        assert (answer.outcome, answer.law, answer.citation) == ("found", None, None)
        assert answer.detail == "Se han leído varias citas: «arts. 23 y 27.2.a) LGT», «art. 9 Ley 900/2019»."
        assert [one.resolved_to for one in answer.items] == [
            "ley-58-2003:art-23",
            "ley-58-2003:art-27.2.a",
            "ley-900-2019:art-9",
        ]

    def test_several_citations_are_told_in_the_quotes_of_the_language(self):
        with translation.override("en"):
            detail = lookup("LGT y LIRPF").detail
        assert detail == "Several citations were read: “LGT”, “LIRPF”."

    def test_of_several_citations_each_has_its_own_outcome_and_day(self, lgt):
        add_law("ley-901-2019", {"art-5": TWO}, number="901/2019")
        answer = lookup("art. 5 Ley 901/2019, vigente a 1/1/2020, art. 9999 LGT, LIVA y art. 27 LGT, vigente en 2019")
        assert [(one.outcome, one.text and one.text[:30]) for one in answer.items] == [
            ("found", "Se reconoce la gran invalidez."),
            ("no_such_provision", None),
            ("law_not_in_corpus", None),
            ("unparsable", None),
        ]
        assert (answer.outcome, answer.as_of) == ("partial", None)

    def test_names_of_several_known_laws_are_no_name_of_one(self):
        assert [one.citation for one in lookup("Código Civil y Ley de Enjuiciamiento Civil").items] == [
            "cc",
            "ley-1-2000",
        ]
        assert not lookup("Ley de Enjuiciamiento Civil y Mercantil").items

    def test_a_title_or_a_day_that_is_anothers_is_told_of_its_own_citation(self, lgt, ley_900):
        answer = lookup("art. 9 Ley 900/2019 y art. 27 de la Ley 58/2003, de 3 de mayo")
        assert [one.enacted and one.enacted.matches for one in answer.items] == [None, False]

    def test_a_hyphenated_key_of_the_law_comes_before_a_range(self):
        law = add_law(
            "es-ct-ley-29-2002", {"art-111-1": "Uno.", "art-111-2": "Dos."}, number="29/2002", jurisdiction="es-ct"
        )
        assert outcome_of("art. 111-1 de la Ley 29/2002, de Cataluña") == ("found", f"{law.key}:art-111-1")

    def test_parts_of_one_article_are_each_given(self, lgt):
        assert [(item.citation, item.text) for item in lookup("artículo 27.2.a) y 3 LGT").items] == [
            ("ley-58-2003:art-27.2.a", "a) El 1 por ciento."),
            ("ley-58-2003:art-27.3", "3. Fin."),
        ]

    @pytest.mark.parametrize(
        ("cited", "outcome", "units"),
        [
            ("art. 149.1.2a", "found", ["149.1.2"]),
            ("art. 149.1.2.a", "found", ["149.1.2"]),
            ("149.1.2ª", "found", ["149.1.2"]),
            ("art. 149.1.2.ª", "found", ["149.1.2"]),
            ("arts. 149.1.1a y 2a", "found", ["149.1.1", "149.1.2"]),
            ("art. 149.1.3a", "found", ["149.1.3.a"]),
            ("art. 149.1.2 a)", "partial", ["149.1.2"]),
            ("art. 149.2a", "partial", ["149.2"]),
        ],
    )
    def test_an_a_is_the_sign_of_a_number_only_where_the_text_prints_it(self, ley_900, cited, outcome, units):
        body = "1. Estas:\n1.ª Nacionalidad.\n2.ª Las bases.\n3.ª Otras:\na) Una.\nb) Dos.\n2. Sin perjuicio."
        add_article(ley_900, "art-149", body)
        answer = lookup(f"{cited} Ley 900/2019")
        resolved = [one.resolved_to for one in answer.items or [answer]]
        assert (answer.outcome, resolved) == (outcome, [f"ley-900-2019:art-{unit}" for unit in units])

    def test_a_range_of_apartados_follows_the_text(self, ley_900):
        add_article(ley_900, "art-11", "1. A.\n1 bis. B.\n2. C.\n3. D.")
        answer = lookup("apartados 1 a 2 del artículo 11 de la Ley 900/2019")
        assert [item.text for item in answer.items] == ["1. A.", "1 bis. B.", "2. C."]

    @pytest.mark.parametrize(
        ("cited", "given"),
        [
            ("artículos 9.2 a 11.2", ["art-9.2", "art-10", "art-11.1", "art-11.2"]),
            ("artículos 9.2 a 11", ["art-9.2", "art-10", "art-11"]),
            ("arts. 8 a 11.1", ["art-8", "art-9", "art-10", "art-11.1"]),
            ("artículos 11.2.b) a 11.3.a)", ["art-11.2.b", "art-11.3.a"]),
            ("artículos 11.2.b) a 12.1", ["art-11.2.b", "art-11.3", "art-12.1"]),
        ],
    )
    def test_a_range_from_part_to_part_gives_no_more_than_lies_between(self, ley_900, cited, given):
        add_article(ley_900, "art-11", "1. A.\n2. B:\na) C.\nb) D.\n3. E:\na) F.\nb) G.")
        add_article(ley_900, "art-12", "1. H.\n2. I.")
        answer = lookup(f"{cited} de la Ley 900/2019")
        assert [item.resolved_to for item in answer.items] == [f"ley-900-2019:{unit}" for unit in given]
        assert (answer.outcome, answer.detail) == ("found", None)

    def test_of_a_range_from_a_part_that_is_not_there_only_the_ends_are_given(self, ley_900):
        answer = lookup("artículos 9.3 a 10 de la Ley 900/2019")
        assert [(item.outcome, item.resolved_to, item.unresolved_tail) for item in answer.items] == [
            ("partial", "ley-900-2019:art-9", "3"),
            ("found", "ley-900-2019:art-10", None),
        ]
        assert "extremos" in (answer.detail or "")

    def test_what_follows_a_range_is_told_of_its_end(self, lgt):
        answer = lookup("arts. 23 a 25 y ss. LGT")
        told = [(item.resolved_to, item.outcome, item.unresolved_tail) for item in answer.items]
        assert told == [
            ("ley-58-2003:art-23", "found", None),
            ("ley-58-2003:art-24", "found", None),
            ("ley-58-2003:art-25", "partial", "y ss."),
        ]

    def test_a_roman_paragraph_is_no_article_of_a_list(self, lgt):
        answer = lookup("art. 27.2, II LGT")
        assert (answer.outcome, answer.resolved_to, answer.unresolved_tail) == ("partial", "ley-58-2003:art-27.2", "II")

    def test_a_missing_end_of_a_range_is_said(self, lgt):
        answer = lookup("arts. 26 a 300 LGT")
        assert answer.outcome == "partial"
        assert [item.outcome for item in answer.items] == ["found", "no_such_provision"]
        assert "extremos" in (answer.detail or "")

    def test_a_range_that_runs_backwards_says_that_only_its_ends_are_given(self, lgt):
        answer = lookup("arts. 27 a 23 LGT")
        assert [item.citation for item in answer.items] == ["ley-58-2003:art-27", "ley-58-2003:art-23"]
        assert "extremos" in (answer.detail or "")


class TestDoubt:
    def test_br_15_rdl_written_by_people_is_always_two_ranks(self):
        add_law("rdl-1-2020", {"art-1": "Uno."}, number="1/2020", title="Real Decreto-ley 1/2020, de enero.")
        add_law("rdleg-1-2020", {"art-1": "Otro."}, number="1/2020", title="Real Decreto Legislativo 1/2020, de mayo.")
        answer = lookup("RDL 1/2020, art. 1")
        assert (answer.outcome, answer.citation, answer.text) == ("ambiguous", None, None)
        assert [(one.citation, one.title, one.url) for one in answer.candidates] == [
            ("rdl-1-2020:art-1", "Real Decreto-ley 1/2020, de enero.", "/rdl-1-2020:art-1"),
            ("rdleg-1-2020:art-1", "Real Decreto Legislativo 1/2020, de mayo.", "/rdleg-1-2020:art-1"),
        ]

    def test_rdl_is_ambiguous_whatever_is_held(self):
        add_law("rdl-2-2020", {"art-1": "Uno."}, number="2/2020")
        assert lookup("RDL 2/2020").outcome == "ambiguous"
        assert lookup("RDL 3/2020").outcome == "ambiguous"
        assert outcome_of("rdl-2-2020:art-1") == ("found", "rdl-2-2020:art-1")

    def test_br_15_a_number_that_only_regions_use_is_ambiguous(self):
        for region in ("es-ct", "es-ga"):
            add_law(f"{region}-ley-5-2002", {"art-1": region}, number="5/2002", jurisdiction=region, rank="ley")
        answer = lookup("Ley 5/2002, art. 1")
        assert answer.outcome == "ambiguous"
        assert [one.citation for one in answer.candidates] == ["es-ct-ley-5-2002:art-1", "es-ga-ley-5-2002:art-1"]

    def test_one_regional_law_does_not_stand_in_for_the_states(self):
        add_law("es-ct-ley-6-2002", {"art-1": "ct"}, number="6/2002", jurisdiction="es-ct", rank="ley")
        assert lookup("Ley 6/2002, art. 1").outcome == "ambiguous"
        assert lookup("ley-6-2002:art-1").outcome == "law_not_in_corpus"

    def test_the_states_law_comes_first_and_its_namesakes_beside_it(self):
        add_law("ley-7-2002", {"art-1": "es"}, number="7/2002", rank="ley")
        add_law("es-ct-ley-7-2002", {"art-1": "ct"}, number="7/2002", jurisdiction="es-ct", rank="ley")
        answer = lookup("art. 1 Ley 7/2002")
        assert (answer.outcome, answer.citation) == ("found", "ley-7-2002:art-1")
        assert [one.citation for one in answer.candidates] == ["es-ct-ley-7-2002:art-1"]
        assert lookup("ley-7-2002:art-1").candidates == []

    def test_a_region_that_is_named_is_the_only_one(self):
        add_law("ley-8-2002", {"art-1": "es"}, number="8/2002", rank="ley")
        add_law("es-ct-ley-8-2002", {"art-1": "ct"}, number="8/2002", jurisdiction="es-ct", rank="ley")
        assert outcome_of("art. 1 de la Ley 8/2002, de Cataluña") == ("found", "es-ct-ley-8-2002:art-1")

    def test_a_provision_without_a_law_lists_those_that_have_it(self, lgt, ley_900):
        add_article(ley_900, "art-26", "Otro 26.")
        answer = lookup("artículo 26")
        assert (answer.outcome, answer.citation) == ("ambiguous", None)
        assert [one.citation for one in answer.candidates] == ["ley-58-2003:art-26", "ley-900-2019:art-26"]

    def test_a_key_the_source_repeats_is_ambiguous_in_words_and_the_first_as_id(self, ley_900):
        add_article(
            ley_900, "da-57", "Primera 57.", kind="additional", label="Disposición adicional quincuagésima séptima"
        )
        add_article(
            ley_900, "da-57~2", "Segunda 57.", kind="additional", label="Disposición adicional quincuagésima séptima"
        )
        words = lookup("disposición adicional 57 de la Ley 900/2019")
        assert words.outcome == "ambiguous"
        assert [one.citation for one in words.candidates] == ["ley-900-2019:da-57", "ley-900-2019:da-57~2"]
        assert lookup("ley-900-2019:da-57").text == "Primera 57."
        assert lookup("ley-900-2019:da-57~2").text == "Segunda 57."

    def test_what_only_the_approving_norm_has_is_its_own_in_words_and_suggested_for_an_id(self):
        own = {"art-1": "Del reglamento.", "norma.df-unica": "Entra en vigor.", "norma.art-1": "Se aprueba."}
        add_law("rd-901-2020", own, number="901/2020", rank="rd")
        words = lookup("disposición final única del Real Decreto 901/2020")
        assert (words.outcome, words.citation, words.text) == ("found", "rd-901-2020:norma.df-unica", "Entra en vigor.")
        by_id = lookup("rd-901-2020:df-unica")
        assert by_id.outcome == "no_such_provision"
        assert [one.citation for one in by_id.suggestions] == ["rd-901-2020:norma.df-unica"]
        both = lookup("art. 1 del Real Decreto 901/2020")
        assert (both.outcome, both.text) == ("found", "Del reglamento.")
        assert [one.citation for one in both.candidates] == ["rd-901-2020:norma.art-1"]

    def test_a_number_that_several_annexed_texts_have_is_ambiguous(self):
        add_law("ley-909-2019", {"carta.art-3": "De la carta.", "estatuto.art-3": "Del estatuto."}, number="909/2019")
        answer = lookup("art. 3 de la Ley 909/2019")
        assert answer.outcome == "ambiguous"
        assert [one.citation for one in answer.candidates] == [
            "ley-909-2019:carta.art-3",
            "ley-909-2019:estatuto.art-3",
        ]
        assert lookup("ley-909-2019:art-3").outcome == "no_such_provision"

    def test_a_part_whose_numbering_restarts_is_ambiguous(self, ley_900):
        add_article(
            ley_900, "art-11", "1. Son:\na) Uno.\nb) Dos.\nLa fusión conllevará:\na) Tres.\nb) Cuatro.\n2. Fin."
        )
        answer = lookup("art. 11.1.a) de la Ley 900/2019")
        assert (answer.outcome, answer.text) == ("ambiguous", None)
        assert [one.label.split(": ")[1] for one in answer.candidates] == ["«Uno.»", "«Tres.»"]
        assert lookup("art. 11.2 de la Ley 900/2019").text == "2. Fin."

    def test_a_full_name_finds_its_law_and_two_laws_of_one_name_are_ambiguous(self, ley_900):
        assert outcome_of("art. 9 de la Ley de pruebas") == ("found", "ley-900-2019:art-9")
        add_law("ley-903-2021", {"art-9": "Otro."}, title="Ley 903/2021, de 1 de marzo, de pruebas.", number="903/2021")
        answer = lookup("art. 9 de la Ley de pruebas")
        assert answer.outcome == "ambiguous"
        assert [one.citation for one in answer.candidates] == ["ley-900-2019:art-9", "ley-903-2021:art-9"]

    def test_br_22_a_law_not_held_is_not_a_provision_that_does_not_exist(self, lgt):
        absent = lookup("ley-28-2014:art-1")
        assert (absent.outcome, absent.law) == ("law_not_in_corpus", None)
        assert "/coverage" in (absent.detail or "")
        missing = lookup("ley-58-2003:art-9999")
        assert missing.law
        assert (missing.outcome, missing.law.id) == ("no_such_provision", "ley-58-2003")
        assert [one.citation for one in missing.suggestions][:2] == ["ley-58-2003:art-127", "ley-58-2003:art-102"]

    def test_br_20_the_amended_law_answers_for_its_own_article(self):
        add_law("ley-904-2019", {"art-1105": "Nadie responderá de la fuerza mayor."}, number="904/2019")
        add_law("ley-905-2019", {"art-1": "Se modifica el artículo 1105 sobre fuerza mayor."}, number="905/2019")
        assert lookup("art. 1105 Ley 904/2019").text == "Nadie responderá de la fuerza mayor."
        assert lookup("art. 1105 Ley 905/2019").outcome == "no_such_provision"

    @pytest.mark.parametrize("text", ["", "   ", "hola", "\x00", "\ud800", "27", "de la ley", "🙂" * 50])
    def test_what_is_no_citation_is_unparsable(self, text):
        assert lookup(text).outcome == "unparsable"

    @pytest.mark.parametrize(
        ("text", "day"),
        [
            ("ley-58-2003:art-27@2020-02-30", "2020-02-30"),
            ("ley-58-2003@2020-13-01", "2020-13-01"),
            ("art. 27 LGT @ 2019-02-29", "2019-02-29"),
            ("art. 27 LGT @30/06/2019", "30/06/2019"),
            ("lgt:art-27@2020", "2020"),
            ("art. 27 LGT, redacción vigente a 31 de febrero de 2020", "31 de febrero de 2020"),
            ("art. 27 LGT (en vigor el 30/02/2020)", "30/02/2020"),
        ],
    )
    def test_a_day_that_is_none_is_named(self, lgt, text, day):
        answer = lookup(text)
        assert (answer.outcome, answer.detail) == (
            "unparsable",
            f"«{day}» no es un día: se escribe como 2019-06-30.",
        )

    def test_an_endless_text_is_refused_by_its_limit(self):
        with pytest.raises(QueryTooLong) as error:
            lookup("a" * 2001)
        assert (error.value.parameter, error.value.limit) == ("q", 2000)


TWO = [
    Redaction("Se reconoce la gran invalidez.", date(2019, 2, 1), date(2025, 4, 30)),
    Redaction("Se reconoce la gran incapacidad.", date(2025, 5, 1)),
]


class TestDays:
    @pytest.mark.parametrize(
        ("day", "word"),
        [
            (None, "incapacidad"),
            (date(2020, 1, 1), "invalidez"),
            (date(2025, 4, 30), "invalidez"),
            (date(2025, 5, 1), "incapacidad"),
        ],
    )
    def test_br_23_each_day_has_its_own_text(self, ley_900, day, word):
        add_article(ley_900, "art-5", TWO)
        answer = lookup("ley-900-2019:art-5", as_of=day)
        assert (answer.outcome, answer.text) == ("found", f"Se reconoce la gran {word}.")

    def test_a_day_in_the_citation_is_the_same_as_one_beside_it(self, ley_900):
        add_article(ley_900, "art-5", TWO)
        inside = lookup("ley-900-2019:art-5@2020-01-01")
        beside = lookup("ley-900-2019:art-5", as_of=date(2020, 1, 1))
        assert inside.model_dump(exclude={"input"}) == beside.model_dump(exclude={"input"})
        assert inside.url == "/ley-900-2019:art-5@2020-01-01"

    def test_two_days_that_disagree_are_an_input_error(self, ley_900):
        assert lookup("ley-900-2019:art-9@2020-01-01", as_of=date(2020, 1, 1)).outcome == "found"
        with pytest.raises(InvalidDate) as error:
            lookup("ley-900-2019:art-9@2020-01-01", as_of=date(2020, 1, 2))
        assert error.value.parameter == "as_of"

    def test_br_31_an_old_text_says_until_when_and_where_the_new_one_is(self, ley_900):
        add_article(ley_900, "art-5", TWO)
        answer = lookup("ley-900-2019:art-5@2020-01-01")
        assert (answer.valid_from, answer.valid_to) == (date(2019, 2, 1), date(2025, 4, 30))
        assert [(one.valid_from, one.valid_to, one.url) for one in answer.versions] == [
            (date(2019, 2, 1), date(2025, 4, 30), "/ley-900-2019:art-5@2019-02-01"),
            (date(2025, 5, 1), None, "/ley-900-2019:art-5@2025-05-01"),
        ]

    def test_br_24_a_repealed_article_still_opens_with_its_last_text(self, ley_900):
        gone = Redaction("(Derogado)", date(2022, 1, 1), status="repealed")
        add_article(ley_900, "art-7", [Redaction("Siete.", date(2019, 2, 1), date(2021, 12, 31)), gone])
        answer = lookup("art. 7 de la Ley 900/2019")
        assert (answer.outcome, answer.status, answer.text) == ("found", "repealed", "Siete.")
        assert answer.law
        assert (answer.valid_to, answer.law.status) == (date(2021, 12, 31), "in_force")
        assert len(answer.versions) == 1
        assert lookup("art. 8 de la Ley 900/2019").status == "in_force"

    def test_a_repealed_article_has_no_text_on_a_later_day(self, ley_900):
        gone = Redaction("(Derogado)", date(2022, 1, 1), status="repealed")
        add_article(ley_900, "art-7", [Redaction("Siete.", date(2019, 2, 1), date(2021, 12, 31)), gone])
        after = lookup("ley-900-2019:art-7", as_of=date(2023, 1, 1))
        assert (after.outcome, after.status, after.text) == ("not_in_force", "repealed", None)
        assert lookup("ley-900-2019:art-7", as_of=date(2021, 12, 31)).status == "in_force"

    def test_a_provision_that_never_had_a_text_is_found_as_gone(self, ley_900):
        add_article(ley_900, "art-7", [Redaction("(Sin contenido)", date(2019, 2, 1), status="repealed")])
        answer = lookup("ley-900-2019:art-7")
        assert (answer.outcome, answer.status, answer.text) == ("found", "repealed", "(Sin contenido)")

    @pytest.mark.parametrize(
        ("day", "text"), [(date(2024, 6, 2), "v1"), (date(2024, 12, 31), "v1"), (date(2025, 1, 1), "v2")]
    )
    def test_br_29_a_text_begins_on_the_day_it_comes_into_force(self, ley_900, day, text):
        versions = [Redaction("v1", date(2019, 2, 1), date(2024, 12, 31)), Redaction("v2", date(2025, 1, 1))]
        add_article(ley_900, "art-5", versions)
        assert lookup("ley-900-2019:art-5", as_of=day).text == text

    def test_br_29_a_text_to_come_is_not_the_default(self, ley_900):
        add_article(
            ley_900, "art-5", [Redaction("v1", date(2019, 2, 1), date(2089, 12, 31)), Redaction("v2", date(2090, 1, 1))]
        )
        assert lookup("ley-900-2019:art-5").text == "v1"

    def test_a_provision_that_is_only_to_come_says_so(self, ley_900):
        add_article(
            ley_900, "art-5", [Redaction("v1", date(2090, 1, 1), date(2090, 12, 31)), Redaction("v2", date(2091, 1, 1))]
        )
        answer = lookup("ley-900-2019:art-5")
        assert (answer.outcome, answer.status, answer.text) == ("found", "not_yet_in_force", "v1")
        before = lookup("ley-900-2019:art-5", as_of=date(2026, 1, 1))
        assert (before.outcome, before.status, before.text) == ("not_in_force", "not_yet_in_force", None)

    def test_br_32_a_version_whose_first_day_is_unknown_counts_as_old_and_says_so(self, ley_900):
        article = add_article(ley_900, "art-5", [Redaction("Texto.", None)])
        article.versions.update(published=date(2019, 1, 10))
        answer = lookup("ley-900-2019:art-5", as_of=date(2020, 1, 1))
        assert (answer.outcome, answer.valid_from, answer.text) == ("found", None, "Texto.")
        assert "10/01/2019" in (answer.detail or "")

    def test_a_source_without_history_knows_nothing_of_earlier_days(self):
        add_law(
            "ley-906-2019",
            {"art-1": [Redaction("Hoy.", None)]},
            history=Law.History.CURRENT_ONLY,
            source_updated_at=datetime(2026, 1, 2, 23, 30, tzinfo=UTC),
        )
        assert lookup("ley-906-2019:art-1").text == "Hoy."
        assert lookup("ley-906-2019:art-1", as_of=date(2026, 1, 3)).text == "Hoy."
        answer = lookup("ley-906-2019:art-1", as_of=date(2026, 1, 2))
        assert (answer.outcome, answer.text) == ("history_not_held", None)

    def test_a_repealed_law_without_a_day_gives_its_last_text(self):
        add_law("ley-907-2019", {"art-1": [Redaction("Uno.", date(2019, 1, 1), date(2024, 3, 31))]},
                status="repealed", valid_from=date(2019, 1, 1), valid_to=date(2024, 3, 31))  # fmt: skip
        assert (lookup("ley-907-2019").status, lookup("ley-907-2019:art-1").status) == ("repealed", "repealed")
        assert lookup("ley-907-2019:art-1", as_of=date(2024, 3, 31)).status == "in_force"
        assert lookup("ley-907-2019", as_of=date(2024, 4, 1)).outcome == "not_in_force"
        assert lookup("ley-907-2019@2018-12-31").status == "not_yet_in_force"

    @pytest.mark.parametrize("zone", ["America/Lima", "Pacific/Auckland"])
    def test_br_75_an_instant_is_a_day_in_madrid(self, zone):
        law = add_law("ley-908-2019", history=Law.History.CURRENT_ONLY,
                      source_updated_at=datetime(2026, 1, 2, 23, 30, tzinfo=UTC))  # fmt: skip
        add_article(law, "art-1", [Redaction("Hoy.", None)])
        with timezone.override(zone):
            assert lookup("ley-908-2019:art-1@2026-01-02").outcome == "history_not_held"
            assert lookup("ley-908-2019:art-1@2026-01-03").outcome == "found"


class TestWholeLaws:
    @pytest.mark.parametrize(
        "cited",
        [
            "ley-58-2003",
            "Ley 58/2003",
            "LGT",
            "BOE-A-2003-23186",
            "Ley General Tributaria",
            "https://www.boe.es/eli/es/l/2003/12/17/58",
        ],
    )
    def test_a_law_is_found_by_each_of_its_names(self, lgt, cited):
        answer = lookup(cited)
        assert (answer.outcome, answer.citation, answer.kind) == ("found", "ley-58-2003", "law")
        assert (answer.label, answer.heading, answer.url) == ("Ley 58/2003", lgt.title, "/ley-58-2003")
        assert answer.source_url == "https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186"

    def test_an_official_address_with_its_anchor_is_that_provision(self, lgt):
        lgt.articles.filter(key="art-27").update(source_block="a27")
        answer = lookup("https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186#a27")
        assert (answer.outcome, answer.citation) == ("found", "ley-58-2003:art-27")
        assert answer.source_url == "https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186#a27"

    @pytest.mark.parametrize("anchor", ["a2-3", "A2-3"])
    def test_an_anchor_that_counts_is_the_provision_the_source_calls_so(self, lgt, anchor):
        lgt.articles.filter(key="art-27").update(source_block="a2-3")
        for cited in (f"https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186#{anchor}", f"BOE-A-2003-23186#{anchor}"):
            assert outcome_of(cited) == ("found", "ley-58-2003:art-27")

    def test_an_address_means_the_block_of_the_source_not_our_key(self, lgt):
        add_article(lgt, "da-2", "Segunda.")
        add_article(lgt, "da-7", "Séptima.")
        lgt.articles.filter(key="da-2").update(source_block="dasegunda")
        lgt.articles.filter(key="da-7").update(source_block="da-2")
        address = "https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186"
        assert outcome_of(f"{address}#da-2") == ("found", "ley-58-2003:da-7")
        assert outcome_of(f"{address}#dasegunda") == ("found", "ley-58-2003:da-2")
        assert outcome_of("BOE-A-2003-23186:da-2") == ("found", "ley-58-2003:da-2")
        bare = lookup("BOE-A-2003-23186#da-2")
        assert (bare.outcome, bare.text) == ("ambiguous", None)
        assert [one.citation for one in bare.candidates] == ["ley-58-2003:da-2", "ley-58-2003:da-7"]

    def test_a_key_that_is_no_block_of_the_source_is_our_key(self, lgt):
        add_article(lgt, "da-2", "Segunda.", source_block="dasegunda")
        assert outcome_of("BOE-A-2003-23186#da-2") == ("found", "ley-58-2003:da-2")
        assert lookup("https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186#da-2").resolved_to == "ley-58-2003"

    def test_an_anchor_that_is_no_provision_gives_the_law_in_part(self, lgt):
        answer = lookup("https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186#ti")
        assert (answer.outcome, answer.resolved_to, answer.unresolved_tail) == ("partial", "ley-58-2003", "#ti")


class TestQueries:
    @pytest.mark.parametrize(
        ("cited", "queries"),
        [
            ("ley-58-2003:art-27.2", 4),
            ("ley-58-2003:art-27@2020-01-01", 4),
            ("art. 27 LGT", 4),
            ("ley-58-2003", 1),
            ("ley-28-2014:art-1", 1),
            ("ley-58-2003:art-9999", 3),
            ("artículos 23 a 25 y 27 LGT", 5),
            ("hola", 0),
        ],
    )
    def test_lookup_pins_its_queries(self, lgt, django_assert_num_queries, cited, queries):
        with django_assert_num_queries(queries):
            lookup(cited)


class TestAnnexes:
    @pytest.fixture
    def law(self):
        return add_law("ley-906-2019", {"anexo-i.parte-a": "Primera.", "anexo-ii": "Parte B. Segunda."})

    def test_a_part_that_is_a_provision_is_found(self, law):
        assert lookup("anexo I, parte A, Ley 906/2019").text == "Primera."

    def test_a_part_that_is_none_offers_its_annex(self, law):
        answer = lookup("anexo II, parte B, Ley 906/2019")
        assert (answer.outcome, answer.citation) == ("no_such_provision", "ley-906-2019:anexo-ii.parte-b")
        assert answer.suggestions[0].citation == "ley-906-2019:anexo-ii"


class TestIds:
    def test_an_id_resolves_as_in_any_lookup(self, lgt):
        assert lookup_id("ley-58-2003:art-27.2.a") == lookup("ley-58-2003:art-27.2.a")

    @pytest.mark.parametrize("text", ["art. 27 LGT", "xxxx", "x" * 300, "ley-58-2003:art-27@2020-02-30"])
    def test_what_is_no_id_is_unparsable(self, lgt, text):
        assert lookup_id(text).outcome == "unparsable"

    def test_an_endless_id_is_refused_by_its_limit(self):
        with pytest.raises(QueryTooLong) as error:
            lookup_id("x" * 3000)
        assert (error.value.parameter, error.value.limit) == ("citation", 2000)


def test_a_law_without_a_known_beginning_is_not_in_force_before_it_was_published():
    add_law("ley-909-2003", {"art-1": "x"}, published=date(2003, 12, 18))
    before = lookup("ley-909-2003@2003-12-17")
    assert (before.outcome, before.status) == ("not_in_force", "not_yet_in_force")
    assert lookup("ley-909-2003@2003-12-18").outcome == "found"

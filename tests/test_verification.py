"""Quotes, titles and days of citations are compared word for word, and what was not looked at is said."""

from __future__ import annotations

import time
import unicodedata
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search import verification
from search.errors import InvalidDate, TextTooLong, TooManyItems
from search.indexing import catch_up
from search.quotes import Wording, elided, occurrences, plain_quote
from search.verification import Item, VerifiedItem, verify
from search.word_diff import Words, nearest
from tests.law_builder import Redaction, add_law

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from corpus.models import Law

FIRST = "1. Los «recargos» serán del 15 por ciento.\n2. Se exigirán:\na) Sin requerimiento previo.\nb) Con intereses."
OLD = "1. Los recargos eran del 20 por ciento, sin excepción alguna."


@pytest.fixture
def law() -> Law:
    return add_law(
        "ley-900-2019",
        {
            "art-1": [Redaction(OLD, date(2019, 2, 1), date(2020, 12, 31)), Redaction(FIRST, date(2021, 1, 1))],
            "art-2": "El plazo de prescripción será de cuatro años desde el devengo.",
            "art-3": [Redaction("Rigió antes de ahora.", date(2019, 2, 1), date(2019, 12, 31))],
        },
        number="900/2019",
        title="Ley 900/2019, de 10 de enero, de Recargos de Prueba.",
        enacted=date(2019, 1, 10),
    )


def check(quote: str, citation: str = "ley-900-2019:art-1", **options: Any) -> VerifiedItem:
    return verify([Item(citation, quote, **options)]).items[0]


def state_of(quote: str, citation: str = "ley-900-2019:art-1", **options: Any) -> str | None:
    found = check(quote, citation, **options).quote
    return found.state if found else None


@pytest.mark.django_db
class TestVerbatim:
    @pytest.mark.parametrize(
        "quote",
        [
            FIRST,
            "serán del 15 por ciento",
            "serán\u00a0del  15\npor\tciento",
            "se\u00adrán del 15 por cien\u00adto",
            "Los \u201crecargos\u201d serán",
            'Los "recargos" serán',
            "«Los “recargos” serán del 15 por ciento»",
            " «serán del 15 por ciento» ",
            unicodedata.normalize("NFD", "Se exigirán:"),
            "por ciento. 2. Se exigirán: a) Sin requerimiento",
        ],
        ids=range(10),
    )
    def test_white_space_marks_and_soft_hyphens_do_not_count(self, law: Law, quote: str) -> None:
        assert state_of(quote) == "verbatim"

    @pytest.mark.parametrize(
        "quote",
        [
            "Serán del 15 por ciento",
            "seran del 15 por ciento",
            "serán del 16 por ciento",
            "serán de 15 por ciento",
            "serán del quince por ciento",
            "serán del 15 por ciento,",
            "serán, del 15 por ciento",
            "5 por ciento",
            "serán del 1",
            "argos",
            "serán del 15\u200bpor ciento",
        ],
    )
    def test_nothing_else_is_folded(self, law: Law, quote: str) -> None:
        assert state_of(quote) == "different"

    def test_offsets_are_into_the_text_of_the_provision(self, law: Law) -> None:
        found = check("se\u00adrán  del 15").quote
        assert found is not None
        assert (found.provision, found.start, found.end) == ("ley-900-2019:art-1", 18, 30)
        assert FIRST[18:30] == "serán del 15"

    def test_of_a_part_the_offsets_are_the_provisions_too(self, law: Law) -> None:
        found = check("Con intereses", "ley-900-2019:art-1.2.b").quote
        assert found is not None
        assert found.start is not None
        assert (found.provision, FIRST[found.start : found.end]) == ("ley-900-2019:art-1", "Con intereses")

    def test_a_part_has_only_its_own_words(self, law: Law) -> None:
        found = check("Sin requerimiento previo", "ley-900-2019:art-1.2.b").quote
        assert found is not None
        assert found.state == "different"
        assert [(place.citation, place.is_cited_provision) for place in found.elsewhere] == [
            ("ley-900-2019:art-1.2.a", True)
        ]

    def test_of_a_list_each_text_is_looked_at(self, law: Law) -> None:
        found = check("prescripción será de cuatro años", "arts. 1 y 2 de la Ley 900/2019").quote
        assert found is not None
        assert (found.state, found.provision) == ("verbatim", "ley-900-2019:art-2")

    def test_a_long_quote_cut_inside_a_word_says_so(self, law: Law) -> None:
        found = check("lazo de prescripción será de cuatro añ", "ley-900-2019:art-2").quote
        assert found is not None
        assert (found.state, found.cuts_words) == ("verbatim", True)
        assert check("El plazo de prescripción", "ley-900-2019:art-2").quote.cuts_words is False  # type: ignore[union-attr]

    def test_how_often_it_stands_there_is_counted(self, law: Law) -> None:
        found = check("de", "ley-900-2019:art-2").quote
        assert found is not None
        assert (found.occurrences, found.start) == (2, 9)


@pytest.mark.django_db
class TestElisions:
    @pytest.mark.parametrize("sign", ["(...)", "[...]", "…", "...", "[…]", "(…)", "( ... )"])
    def test_parts_in_their_order_are_verbatim_with_elisions(self, law: Law, sign: str) -> None:
        found = check(f"Los «recargos» serán {sign} Sin requerimiento previo {sign}").quote
        assert found is not None
        assert found.state == "verbatim_with_elisions"
        assert [FIRST[part.start : part.end] for part in found.parts] == [
            "Los «recargos» serán",
            "Sin requerimiento previo",
        ]

    def test_parts_out_of_order_are_not(self, law: Law) -> None:
        assert state_of("Sin requerimiento previo (...) Los «recargos» serán") == "different"

    def test_a_part_that_is_not_there_is_not(self, law: Law) -> None:
        assert state_of("Los «recargos» serán (...) Con requerimiento previo") == "different"

    def test_what_the_text_itself_leaves_out_is_verbatim(self) -> None:
        add_law("ley-901-2019", {"art-1": "Queda así: [...] Fin (...) del artículo."}, number="901/2019")
        assert state_of("así: [...] Fin (...) del", "ley-901-2019:art-1") == "verbatim"


@pytest.mark.django_db
class TestNearest:
    def test_the_nearest_wording_and_what_differs(self, law: Law) -> None:
        found = check("El plazo de caducidad será de cinco años", "ley-900-2019:art-2").quote
        assert found is not None
        assert found.nearest is not None
        near = found.nearest
        assert (near.text, near.start, near.citation) == (
            "El plazo de prescripción será de cuatro años",
            0,
            "ley-900-2019:art-2",
        )
        assert [(part.quote, part.text) for part in near.differences if part.op != "equal"] == [
            ("caducidad ", "prescripción "), ("cinco ", "cuatro "),
        ]  # fmt: skip

    def test_the_differences_put_together_are_both_wordings(self, law: Law) -> None:
        quote = "Los recargos serán de un 15 por cien. Se exigen:"
        near = check(quote).quote.nearest  # type: ignore[union-attr]
        assert near is not None
        assert "".join(part.quote for part in near.differences) == quote
        assert "".join(part.text for part in near.differences) == plain_quote(near.text)

    def test_another_case_is_nearest_with_no_equal_word(self, law: Law) -> None:
        near = check("EL PLAZO DE PRESCRIPCIÓN SERÁ", "ley-900-2019:art-2").quote.nearest  # type: ignore[union-attr]
        assert near is not None
        assert (near.text, near.similarity) == ("El plazo de prescripción será", 0.0)

    def test_words_that_are_not_there_have_no_nearest(self, law: Law) -> None:
        found = check("xyzzy plugh", "ley-900-2019:art-2").quote
        assert found is not None
        assert (found.state, found.nearest) == ("different", None)
        assert found.reason


@pytest.mark.django_db
@pytest.mark.usefixtures("indexes")
class TestElsewhere:
    @pytest.fixture(autouse=True)
    def _indexed(self, law: Law) -> None:
        add_law("ley-902-2019", {"art-7": "La garantía se constituirá en metálico, aval o seguro de caución."})
        catch_up()

    def places(self, quote: str, citation: str = "ley-900-2019:art-1", **options: Any) -> list[tuple[str, str]]:
        found = check(quote, citation, **options).quote
        assert found is not None
        assert [one.where for one in found.not_looked_in] == []
        return [(place.citation, place.url) for place in found.elsewhere]

    def test_another_version(self) -> None:
        assert self.places("eran del 20 por ciento") == [("ley-900-2019:art-1.1", "/ley-900-2019:art-1.1@2019-02-01")]
        assert state_of("eran del 20 por ciento", as_of=date(2020, 1, 1)) == "verbatim"
        assert state_of("eran del 20 por ciento", "ley-900-2019:art-1@2020-01-01") == "verbatim"

    def test_another_provision_of_the_law(self) -> None:
        assert self.places("prescripción será de cuatro años") == [("ley-900-2019:art-2", "/ley-900-2019:art-2")]

    def test_another_law(self) -> None:
        assert self.places("se constituirá en metálico, aval o") == [("ley-902-2019:art-7", "/ley-902-2019:art-7")]

    def test_alike_is_not_verbatim_elsewhere_either(self) -> None:
        assert self.places("se constituirá en metálico o aval o seguro") == []

    def test_of_a_law_that_is_not_held(self) -> None:
        found = check("se constituirá en metálico, aval o", "art. 3 de la Ley 1/1999").quote
        assert found is not None
        assert (found.state, [place.citation for place in found.elsewhere]) == ("not_compared", ["ley-902-2019:art-7"])

    def test_few_words_are_not_looked_for(self) -> None:
        found = check("en metálico").quote
        assert found is not None
        assert [one.where for one in found.not_looked_in] == ["law", "corpus"]

    def test_without_an_index_the_corpus_was_not_looked_at(self, tmp_path: Any, settings: Any) -> None:
        settings.LEXICAL_INDEX_DIR = tmp_path / "nowhere" / "else"
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("search.quote_places.keep_up", lambda _state: None)
            found = verify([Item("ley-900-2019:art-1", "se constituirá en metálico, aval o")])
        quote = found.items[0].quote
        assert quote is not None
        assert [one.where for one in quote.not_looked_in] == ["corpus"]
        assert found.summary.complete is False


@pytest.mark.django_db
class TestTitles:
    @pytest.mark.parametrize(
        ("title", "matches"),
        [
            ("Ley 900/2019, de 10 de enero, de Recargos de Prueba", True),
            ("ley de recargos de prueba", True),
            ("De recargos de prueba.", True),
            ("Ley 900/2019", True),
            ("Ley 900/2019, de 10 de enero, de Costas", False),
            ("Ley General Tributaria", False),
            ("Ley 901/2019", False),
        ],
    )
    def test_a_title_is_compared_with_the_laws(self, law: Law, title: str, matches: bool) -> None:
        found = check("", "artículo 2 de la Ley 900/2019", title=title).title
        assert found is not None
        assert (found.given, found.actual, found.matches) == (title, law.title, matches)

    def test_a_heading_is_compared_too(self, law: Law) -> None:
        article = law.articles.get(key="art-2")
        article.versions.update(heading="Plazo de prescripción")
        for title, matches in (
            ("Plazo de prescripción", True),
            ("Artículo 2. Plazo de prescripción.", True),
            ("Plazo de caducidad", False),
        ):
            found = check("", "ley-900-2019:art-2", title=title).title
            assert found is not None
            assert (found.actual, found.matches) == ("Plazo de prescripción", matches)

    def test_a_title_and_a_day_inside_the_citation_are_compared(self, law: Law) -> None:
        found = check("", "Ley 900/2019, de 11 de enero, de Costas")
        assert found.outcome == "found"
        assert found.title is not None
        assert found.enacted is not None
        assert (found.title.matches, found.enacted.matches, found.enacted.actual) == (False, False, date(2019, 1, 10))


@pytest.mark.django_db
class TestSummary:
    def test_it_counts_outcomes_and_quotes(self, law: Law) -> None:
        items = [
            Item("ley-900-2019:art-2", "cuatro años desde el devengo"),
            Item("ley-900-2019:art-99"),
            Item("art. 1 de la Ley 1/1999", title="Ley de Nada"),
            Item("esto no es una cita", "ni esto su texto"),
            Item("ley-900-2019:art-3@2025-01-01", "Rigió antes"),
            Item("ley-900-2019:art-2", title="Ley de Recargos de Prueba"),
        ]
        told = verify(items).summary
        assert told.outcomes == {
            "found": 2, "no_such_provision": 1, "law_not_in_corpus": 1, "unparsable": 1, "not_in_force": 1,
        }  # fmt: skip
        assert told.quotes == {"verbatim": 1, "verbatim_with_elisions": 0, "different": 0, "not_compared": 2}
        assert told.titles.model_dump() == {"matching": 1, "differing": 0, "not_compared": 1}
        assert told.complete is False

    def test_several_citations_in_one_item_are_asked_for_one_at_a_time(self, law: Law) -> None:
        (found,) = verify([Item("art. 1 Ley 900/2019 y art. 14 CE", "los recargos")]).items
        assert (found.outcome, found.detail) == ("unparsable", "Son varias citas: aquí se lee una cada vez.")

    def test_complete_is_only_what_was_looked_at_whole(self, law: Law) -> None:
        assert verify([Item("ley-900-2019:art-2", "cuatro años")]).summary.complete is True
        assert verify([Item("ley-900-2019:art-2", "cuatro", title="X")]).summary.complete is True
        assert verify([Item("ley-900-2019:art-9", "cuatro años")]).summary.complete is False
        assert verify([Item("ley-900-2019:art-2", " «…» ")]).summary.complete is False

    @pytest.mark.parametrize("cited", ["esto no es una cita", "ley-1-1999:art-1", "RDL 1/2020", "art. 2"])
    def test_what_could_not_be_looked_up_leaves_the_whole_incomplete(self, law: Law, cited: str) -> None:
        assert verify([Item("ley-900-2019:art-2"), Item(cited)]).summary.complete is False

    def test_that_a_law_lacks_a_provision_is_an_answer(self, law: Law) -> None:
        assert verify([Item("ley-900-2019:art-9")]).summary.complete is True

    def test_too_much_text_is_said_not_to_have_been_looked_at(self, law: Law, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(verification, "CHARACTERS_COMPARED", 150)
        found = verify(
            [Item("ley-900-2019:art-1", "no está en ninguna parte"), Item("ley-900-2019:art-2", "cuatro años")]
        )
        assert [one.quote.state for one in found.items if one.quote] == ["different", "not_compared"]
        assert found.summary.complete is False


@pytest.mark.django_db
class TestLimits:
    def test_too_many_items_are_refused(self) -> None:
        with pytest.raises(TooManyItems) as refused:
            verify([Item("CE")] * (verification.MOST_ITEMS + 1))
        assert (refused.value.parameter, refused.value.limit) == ("items", 250)

    def test_a_quote_that_is_too_long_is_named(self) -> None:
        with pytest.raises(TextTooLong) as refused:
            verify([Item("CE"), Item("CE", "a" * (verification.LONGEST_QUOTE + 1))])
        assert (refused.value.parameter, refused.value.limit) == ("items.1.quote", verification.LONGEST_QUOTE)

    def test_a_day_that_disagrees_is_named(self, law: Law) -> None:
        with pytest.raises(InvalidDate) as refused:
            verify([Item("CE"), Item("ley-900-2019:art-1@2020-01-01", as_of=date(2021, 1, 1))])
        assert refused.value.parameter == "items.1.as_of"

    def test_queries_do_not_grow(self, law: Law, django_assert_num_queries: DjangoAssertNumQueries) -> None:
        few = [
            Item("ley-900-2019:art-1", "no está en esta parte"),
            Item("ley-900-2019:art-99"),
            Item("Ley 1/1999", title="X"),
            Item("Ley de Nada en Particular", "tampoco está en esta parte"),
        ]
        catch_up()
        verify(few)
        counted = []
        for items in (few, few * 60):
            with django_assert_num_queries(11):
                counted.append(len(verify(items).items))
        assert counted == [4, 240]

    @pytest.mark.parametrize("odd", ["\x00", "\U0001f600", "\u202e", "e\u0301", "\ufeff", "\ud800"], ids=ascii)
    def test_odd_characters_are_no_error(self, law: Law, odd: str) -> None:
        found = verify([Item(f"ley-900-2019:art-2{odd}", f"cuatro{odd} años", title=odd)])
        assert len(found.items) == 1


class TestPure:
    @given(st.text(max_size=60))
    def test_every_stretch_of_a_wording_leads_back(self, text: str) -> None:
        text = unicodedata.normalize("NFC", text)
        wording = Wording.of(text)
        for at in range(len(wording.plain)):
            start, end = wording.original_span((at, at + 1))
            assert 0 <= start < end <= len(text)
            assert Wording.of(text[start:end]).plain == wording.plain[at]

    @given(st.text(alphabet="ab1., \u00ad«»", max_size=40))
    def test_whole_texts_are_found_in_themselves(self, text: str) -> None:
        wording = Wording.of(text)
        assert not wording.plain or next(occurrences(wording, wording.plain)) == (0, len(wording.plain))

    @given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abc"), max_size=30))
    def test_differences_tell_both_sides(self, one: list[str], other: list[str]) -> None:
        quote, text = " ".join(one), " ".join(other)
        found = nearest(Words(text), quote)
        assert (found is None) == (not set(one) & set(other))
        if found:
            assert "".join(part.quote for part in found.differences) == quote
            assert "".join(part.text for part in found.differences) == text[found.start : found.end]

    @pytest.mark.parametrize(
        ("text", "quote"),
        [("a " * 200_000, "a " * 9_000 + "b"), ("a b " * 100_000, "b a " * 4_000), ("x" * 500_000, "y x " * 5000)],
    )
    def test_the_nearest_wording_takes_bounded_time(self, text: str, quote: str) -> None:
        started = time.process_time()
        nearest(Words(text), quote)
        assert time.process_time() - started < 3

    def test_elisions_alone_are_no_quote(self) -> None:
        assert elided("(...) […] ...") == []

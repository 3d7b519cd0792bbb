"""Citations found in running text resolve in their context, all at once, with offsets into the text as it was given."""

from __future__ import annotations

import time
import unicodedata
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from search import extraction
from search.errors import TextTooLong, TooManyCitations, UnknownValue
from search.extraction import extract
from tests.law_builder import Redaction, add_article, add_law

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from corpus.models import Law
    from search.extraction import FoundCitation

pytestmark = pytest.mark.django_db

PARTS = "1. Uno.\n2. Dos:\na) Primera.\nb) Segunda.\n3. Tres."


@pytest.fixture
def law() -> Law:
    return add_law(
        "ley-900-2019",
        {f"art-{n}": f"Texto {n}." for n in range(1, 10)} | {"art-10": PARTS, "art-11": "Once."},
        number="900/2019",
        title="Ley 900/2019, de 10 de enero, de pruebas.",
        boe_id="BOE-A-2019-900",
        enacted=date(2019, 1, 10),
    )


def told(text: str, **options: Any) -> list[tuple[str, str | None, str]]:
    """Give the words, citation and outcome of each citation, whose offsets must be right."""
    found = extract(text, **options).citations
    assert all(text[one.start : one.end] == one.text for one in found)
    return [(one.text, one.citation, one.outcome) for one in found]


def only(text: str, **options: Any) -> FoundCitation:
    (found,) = extract(text, **options).citations
    return found


def test_each_citation_is_resolved_where_it_stands(law: Law) -> None:
    text = "Véase el artículo 10.2.a) de la Ley 900/2019, y el 11 de la misma; no el artículo 99 de dicha Ley."
    assert told(text) == [
        ("artículo 10.2.a) de la Ley 900/2019", "ley-900-2019:art-10.2.a", "found"),
        ("11 de la misma", "ley-900-2019:art-11", "found"),
        ("artículo 99 de dicha Ley", "ley-900-2019:art-99", "no_such_provision"),
    ]


def test_a_law_that_is_not_held_differs_from_a_provision_that_is_not_there(law: Law) -> None:
    assert told("el artículo 3 de la Ley 1/2000 y el artículo 300 de la Ley 900/2019") == [
        ("artículo 3 de la Ley 1/2000", "ley-1-2000:art-3", "law_not_in_corpus"),
        ("artículo 300 de la Ley 900/2019", "ley-900-2019:art-300", "no_such_provision"),
    ]


def test_a_list_and_a_range_give_every_provision(law: Law) -> None:
    found = only("los artículos 2 a 4 y 10.3 de la Ley 900/2019")
    assert (found.outcome, found.citation) == ("found", None)
    assert [item.citation for item in found.items] == [
        "ley-900-2019:art-2", "ley-900-2019:art-3", "ley-900-2019:art-4", "ley-900-2019:art-10.3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "before",
    ["\u00a0", "\U0001f600 ", "e\u0301 ", "\x00", "\u202e", "\ufeff", "ﬁ ", "\U00020000" * 3, "\n\t", "\x1b[31m"],
    ids=lambda text: text.encode("unicode_escape").decode(),
)
def test_offsets_count_code_points_of_the_text_as_given(law: Law, before: str) -> None:
    for cited in ("artículo 5 de la Ley 900/2019", "artículo\u00a05 de la Ley\u00a0900/2019"):
        for form in ("NFC", "NFD"):
            words = unicodedata.normalize(form, cited)
            assert told(f"{before}el {words}.") == [(words, "ley-900-2019:art-5", "found")]


def test_a_number_that_cites_nothing_is_left_alone(law: Law) -> None:
    assert told("El 27 % de la Ley 900/2019 en 2019; el 10.2 % restante.") == [
        ("Ley 900/2019", "ley-900-2019", "found")
    ]


def test_what_is_not_supported_is_listed_with_its_type(law: Law) -> None:
    found = extract("El Reglamento (UE) 2016/679 y el artículo 1 de la Ley 900/2019; STC 31/2010.")
    assert [(one.text, one.type) for one in found.unsupported] == [
        ("Reglamento (UE) 2016/679", "eu_regulation"),
        ("STC 31/2010", "constitutional_case_law"),
    ]


def test_without_a_law_nothing_is_guessed(law: Law) -> None:
    assert told("el artículo 5, el artículo anterior y este artículo; el artículo 3 de la Ley.") == [
        ("artículo 5", None, "ambiguous"),
        ("artículo anterior", None, "ambiguous"),
        ("este artículo", None, "ambiguous"),
        ("artículo 3 de la Ley", None, "ambiguous"),
    ]


class TestHost:
    def test_the_host_gives_what_hangs_on_it_its_place(self, law: Law) -> None:
        text = "el artículo 5, el artículo anterior, este artículo, y el artículo 3 de la presente Ley."
        assert [citation for _, citation, _ in told(text, host="art. 10 de la Ley 900/2019")] == [
            "ley-900-2019:art-5", "ley-900-2019:art-9", "ley-900-2019:art-10", "ley-900-2019:art-3",
        ]  # fmt: skip

    def test_parts_are_read_off_the_text_itself(self, law: Law) -> None:
        text = "1. Uno.\n2. Según el apartado anterior:\na) Esta.\nb) La letra anterior.\n3. El apartado 1."
        assert [citation for _, citation, _ in told(text, host="ley-900-2019:art-10")] == [
            "ley-900-2019:art-10.1", "ley-900-2019:art-10.2.a", "ley-900-2019:art-10.1",
        ]  # fmt: skip

    @pytest.mark.parametrize("text", ["2. Según la letra a) de este apartado.", "Según la letra a) de este apartado."])
    def test_a_part_can_be_the_host(self, law: Law, text: str) -> None:
        assert only(text, host="ley-900-2019:art-10.2").citation == "ley-900-2019:art-10.2.a"

    def test_nothing_stands_before_the_first_provision(self, law: Law) -> None:
        assert only("el artículo anterior", host="ley-900-2019:art-1").outcome == "ambiguous"

    def test_a_law_of_its_own_is_not_the_hosts(self, law: Law) -> None:
        assert only("artículo 3 de la Ley 1/2000", host="ley-900-2019:art-1").citation == "ley-1-2000:art-3"

    def test_a_host_that_is_not_held_still_names_its_law(self, law: Law) -> None:
        found = only("el artículo 3 de esta Ley", host="ley-1-2000:art-1")
        assert (found.citation, found.outcome) == ("ley-1-2000:art-3", "law_not_in_corpus")

    def test_a_host_that_cites_nothing_is_refused(self, law: Law) -> None:
        with pytest.raises(UnknownValue) as refused:
            extract("el artículo 3", host="no es una cita")
        assert refused.value.parameter == "host"


def test_another_day_is_read(law: Law) -> None:
    add_article(
        law,
        "art-20",
        [Redaction("Antes.", date(2019, 2, 1), date(2020, 12, 31)), Redaction("Ahora.", date(2021, 1, 1))],
    )
    text = "artículo 20 de la Ley 900/2019"
    assert (only(text).valid_from, only(text).url) == (date(2021, 1, 1), "/ley-900-2019:art-20")
    then = only(text, as_of=date(2020, 1, 1))
    assert (then.valid_from, then.url) == (date(2019, 2, 1), "/ley-900-2019:art-20@2020-01-01")
    assert only(text, as_of=date(2018, 1, 1)).outcome == "not_in_force"


def test_a_day_in_the_citation_itself_stands_beside_the_one_asked_for(law: Law) -> None:
    found = only("ley-900-2019:art-5@2020-01-01", as_of=date(2021, 1, 1))
    assert (found.outcome, found.as_of) == ("found", date(2020, 1, 1))


@pytest.mark.parametrize(("written", "matches"), [("de 10 de enero", True), ("de 11 de enero", False)])
def test_the_day_a_citation_gives_its_law_is_compared(law: Law, written: str, matches: bool) -> None:
    found = only(f"artículo 5 de la Ley 900/2019, {written}")
    assert found.enacted is not None
    assert (found.outcome, found.enacted.actual, found.enacted.matches) == ("found", date(2019, 1, 10), matches)


def test_a_lettered_article_behind_a_suffix_is_no_part(law: Law) -> None:
    add_law("lecrim", {"art-588-bis": "Bis.", "art-588-bis-a": "Bis a."}, title="Ley de Enjuiciamiento Criminal")
    assert told("según el art. 588 bis a LECrim y el artículo 588 bis a de la LECrim") == [
        ("art. 588 bis a LECrim", "lecrim:art-588-bis-a", "found"),
        ("artículo 588 bis a de la LECrim", "lecrim:art-588-bis-a", "found"),
    ]


def test_the_approving_norms_own_provision_is_found_where_the_annexed_text_has_none(law: Law) -> None:
    add_law("rd-901-2019", {"art-1": "Uno.", "norma.dd-unica": "Derogatoria."}, number="901/2019", rank="rd")
    assert told("la disposición derogatoria única del Real Decreto 901/2019") == [
        ("disposición derogatoria única del Real Decreto 901/2019", "rd-901-2019:norma.dd-unica", "found")
    ]


class TestScale:
    def test_the_number_of_queries_does_not_grow(
        self, law: Law, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        few = "artículos 2 a 4 y 10.2 de la Ley 900/2019; artículo 77 de la Ley 900/2019; Ley de Nada; RDL 1/2020."
        many = "\n".join(f"{few} Artículo {n} de la Ley 900/2019, Ley {n}/1999." for n in range(1, 700))
        extract(few)  # the names of the laws are read once for each state of the corpus
        for text in (few, many):
            with django_assert_num_queries(9):
                extract(text)

    def test_an_id_on_a_day_that_is_none_says_so(self, law: Law) -> None:
        (found,) = extract("Véase ley-900-2019:art-5@2020-02-30, que").citations
        assert (found.text, found.outcome, found.resolved_to) == (
            "ley-900-2019:art-5@2020-02-30",
            "unparsable",
            None,
        )
        assert found.detail == "«2020-02-30» no es un día: se escribe como 2019-06-30."

    def test_a_day_said_in_words_that_is_none_says_so(self, law: Law) -> None:
        (found,) = extract(
            "El artículo 5 de la Ley 900/2019, redacción vigente a 31 de febrero de 2020, dice"
        ).citations
        assert (found.text, found.outcome, found.as_of) == ("artículo 5 de la Ley 900/2019", "unparsable", None)
        assert found.detail == "«31 de febrero de 2020» no es un día: se escribe como 2019-06-30."

    def test_a_year_is_no_day_of_a_text(self, law: Law) -> None:
        (found,) = extract("El artículo 5 de la Ley 900/2019, vigente en 2020, dice").citations
        assert (found.outcome, found.resolved_to) == ("unparsable", None)
        assert found.detail == "«2020» no es un día: se escribe como 2019-06-30."

    def test_a_day_said_in_words_is_the_day_of_its_text(self, law: Law) -> None:
        (found,) = extract(
            "El artículo 5 de la Ley 900/2019, redacción vigente a 28 de febrero de 2020, dice"
        ).citations
        assert (found.outcome, found.as_of) == ("found", date(2020, 2, 28))

    def test_a_text_that_is_too_long_is_refused_with_the_limit(self) -> None:
        with pytest.raises(TextTooLong) as refused:
            extract("a" * (extraction.LONGEST_TEXT + 1))
        assert (refused.value.parameter, refused.value.limit) == ("text", extraction.LONGEST_TEXT)

    def test_a_text_that_cites_too_much_is_refused_with_the_limit(self, law: Law) -> None:
        with pytest.raises(TooManyCitations) as refused:
            extract("arts. 1 a 90 y 2 a 90 Ley 900/2019. " * (extraction.MOST_PROVISIONS // 100 + 1))
        assert refused.value.limit == extraction.MOST_PROVISIONS

    def test_it_is_refused_as_soon_as_it_cites_too_much(self) -> None:
        begin = time.process_time()
        with pytest.raises(TooManyCitations):
            extract("art. 21 " * 33_000)
        bearable = time.process_time() - begin
        begin = time.process_time()
        with pytest.raises(TooManyCitations):
            extract("art. 21 " * 125_000)
        assert time.process_time() - begin < 2 * bearable

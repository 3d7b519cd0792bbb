"""Quotes as they are copied: from a printed page, a web page or within a sentence; and what an elision leaves out."""

from __future__ import annotations

import pytest

from search.quote_checks import LONGEST_OMISSION, QuoteCheck
from search.verification import LONGEST_QUOTE, Item, verify
from tests.law_builder import add_law
from tests.quickness import is_done_within

TEXT = (
    "1. Los tribunales anularán el decreto-ley, sin que en ningún caso se admita recurso.\n2. Los pre- y poslaborales."
)
LONG = f"Se prohíbe {'la pesca ' * 400}en invierno."


@pytest.fixture
def _law(db: None) -> None:
    add_law("ley-900-2019", {"art-1": TEXT, "art-2": LONG})


def check(quote: str, article: int = 1) -> QuoteCheck:
    found = verify([Item(f"ley-900-2019:art-{article}", quote)]).items[0].quote
    assert found is not None
    return found


@pytest.mark.usefixtures("_law")
class TestCopies:
    @pytest.mark.parametrize(
        "quote",
        [
            "Los tribu-\nnales anularán el decreto-\nley",
            "Los tribu- nales anularán el decreto- ley",
            "Los tribu\u2010\n  nales",
            "Los pre- y poslaborales",
            "Los tri\u200bbunales\ufeff anularán",
            "«se admita recurso».",
            "“se admita recurso”;",
            '"se admita recurso".',
        ],
    )
    def test_are_verbatim(self, quote: str) -> None:
        assert check(quote).state == "verbatim"

    @pytest.mark.parametrize(
        "quote", ["Los tribu-\nnos anularán", "Los tribu nales", "«se admita recurso» y «más».", "se admite recurso"]
    )
    def test_with_other_words_are_different(self, quote: str) -> None:
        assert check(quote).state == "different"

    def test_differ_only_in_what_the_copyist_changed(self) -> None:
        nearest = check("Los tribu-\nnales revocarán el decreto-\nley").nearest
        assert nearest is not None
        changed = [(one.quote.strip(), one.text.strip()) for one in nearest.differences if one.op != "equal"]
        assert changed == [("revocarán", "anularán")]

    @pytest.mark.parametrize("quote", ["a" * LONGEST_QUOTE, "a-\n" * (LONGEST_QUOTE // 3)])
    def test_no_quote_is_read_for_long(self, quote: str) -> None:
        for key in range(901, 931):
            add_law(f"ley-{key}-2019", {f"art-{number}": TEXT + str(number) for number in range(5)})
        assert check(quote).state == "different"
        assert is_done_within(2, lambda: check(quote))


@pytest.mark.usefixtures("_law")
class TestElisions:
    @pytest.mark.parametrize("dots", ["…", "[…]", "(...)", "[. . .]", ". . .", "<...>", "<…>", "...."])
    def test_say_what_they_leave_out(self, dots: str) -> None:
        found = check(f"anularán el decreto-ley, {dots} se admita recurso")
        assert found.state == "verbatim_with_elisions"
        assert [(one.text, TEXT[one.start : one.end]) for one in found.omitted] == [(" sin que en ningún caso ",) * 2]

    def test_of_more_than_is_shown_say_where_it_stands(self) -> None:
        (one,) = check("Se prohíbe […] en invierno", 2).omitted
        assert one.text is None
        assert one.end - one.start > LONGEST_OMISSION
        assert (LONG[: one.start], LONG[one.end :]) == ("Se prohíbe", "en invierno.")

    def test_within_a_part_count_from_the_provisions_beginning(self) -> None:
        item = verify([Item("ley-900-2019:art-1.2", "Los […] poslaborales")]).items[0]
        assert item.quote is not None
        assert [(one.text, TEXT[one.start : one.end]) for one in item.quote.omitted] == [(" pre- y ",) * 2]

    def test_that_are_none_leave_nothing_out(self) -> None:
        assert check("se admita recurso").omitted == []

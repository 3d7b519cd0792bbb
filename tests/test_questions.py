"""Questions cleaned and read."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.errors import BlankQuery, QueryTooLong
from search.questions import MAX_CHARACTERS, Question, clean, read


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("iva\0", "iva"),
        ("art. 27\0LGT", "art. 27 LGT"),
        ("iva \udc80 reducido", "iva reducido"),
        (" iva\t\r\nreducido ", "iva reducido"),
        ("iva\u00a0reducido\u200b", "iva reducido"),
        (unicodedata.normalize("NFD", "tributación"), "tributación"),
        ('"><svg onload=1>', '"><svg onload=1>'),
    ],
)
def test_what_no_text_holds_is_cleaned_away(typed, cleaned):
    assert clean(typed) == cleaned


@pytest.mark.parametrize("typed", ["", "  ", "\0", "\u200b\n", "\udc80"])
def test_nothing_left_is_a_blank_query(typed):
    with pytest.raises(BlankQuery) as raised:
        clean(typed)
    assert raised.value.parameter == "q"


@pytest.mark.parametrize("length", [MAX_CHARACTERS + 1, 100_000])
def test_an_endless_query_names_the_limit(length):
    with pytest.raises(QueryTooLong) as raised:
        clean("a" * length)
    assert (raised.value.parameter, raised.value.limit) == ("q", MAX_CHARACTERS)


@pytest.mark.parametrize(
    ("typed", "read_as"),
    [
        ("recargos", Question("recargos", "recargos")),
        ('los "no residentes" pagan', Question('los "no residentes" pagan', "los pagan", phrases=("no residentes",))),
        ("«no residentes»", Question("«no residentes»", "", phrases=("no residentes",))),
        ("alquiler -local", Question("alquiler -local", "alquiler", excluded=("local",))),
        ('alquiler -"uso distinto"', Question('alquiler -"uso distinto"', "alquiler", excluded=("uso distinto",))),
        ("alquiler −local", Question("alquiler −local", "alquiler", excluded=("local",))),
        ("heading: prórroga plazo", Question("heading: prórroga plazo", "plazo", headings=("prórroga",))),
        ("heading:prórroga plazo", Question("heading:prórroga plazo", "plazo", headings=("prórroga",))),
        ('Rúbrica:"mutuo acuerdo"', Question('Rúbrica:"mutuo acuerdo"', "", headings=("mutuo acuerdo",))),
    ],
)
def test_operators(typed, read_as):
    assert read(typed) == read_as


def test_a_pasted_paragraph_quotes_as_prose_does_and_asks_for_no_phrase():
    pasted = (
        "Las reducciones se limitan a las prestaciones que se perciban en los plazos -contados por años- que se "
        "indican en el apartado «Límites temporales del régimen transitorio» de este capítulo"
    )
    question = read(pasted)
    assert not question.has_conditions
    assert "plazos -contados por años- que se indican" in question.plain
    assert "apartado Límites temporales del régimen transitorio de este capítulo" in question.plain


def test_a_question_of_fifteen_words_still_asks_for_its_phrase():
    typed = "qué plazo tiene quien fue sancionado para recurrir ante el juez con o sin abogado"
    assert len(typed.split()) == 15
    assert read(f'{typed} "dos meses"').phrases == ("dos meses",)
    assert read(f'{typed} hoy "dos meses"').phrases == ()


@pytest.mark.parametrize(
    "typed", ["modelo -347", "BOE-A-2003-23186", "23 - 25", "heading:", "sin cerrar -", "artículo 27: recargos", "-"]
)
def test_what_is_no_operator_is_words(typed):
    assert read(typed) == Question(typed, typed)


def test_a_quotation_mark_left_open_is_nothing():
    assert read('un "cierre que falta').words == "un cierre que falta"


def test_a_word_glued_to_a_phrase_is_kept():
    assert read('ley"no residentes"') == Question('ley"no residentes"', "ley", phrases=("no residentes",))


@given(st.text(alphabet=st.characters(), max_size=200))
def test_nothing_typed_raises_but_blank(typed):
    try:
        question = read(clean(typed))
    except BlankQuery:
        return
    assert "\0" not in question.plain

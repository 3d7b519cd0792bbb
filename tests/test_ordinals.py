"""Numbers in digits, words and roman numerals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.ordinals import read_number, roman, to_roman


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("27", 27),
        ("1.º", 1),
        ("1º", 1),
        ("18.ª", 18),
        ("1er", 1),
        ("1.065", 1065),
        ("primero", 1),
        ("primer", 1),
        ("PRIMERA", 1),
        ("sétimo", 7),
        ("noveno", 9),
        ("undécima", 11),
        ("duodécimo", 12),
        ("decimotercero", 13),
        ("décimo tercero", 13),
        ("decimo-tercera", 13),
        ("decimoctava", 18),
        ("décima octava", 18),
        ("decimonovena", 19),
        ("vigesimoprimera", 21),
        ("vigésima primera", 21),
        ("vigésimoprimera", 21),
        ("quincuagésima novena", 59),
        ("sexagésima", 60),
        ("centésima vigesimoquinta", 125),
        ("centésima vigésima quinta", 125),
        ("centesimovigesimoquinto", 125),
        ("ciento vigésima quinta", 125),
        ("uno", 1),
        ("once", 11),
        ("dieciséis", 16),
        ("veintiuna", 21),
        ("treinta y uno", 31),
        ("treintaiuno", 31),
        ("treinta seis", 36),
        ("cien", 100),
        ("ciento cincuenta y cinco", 155),
        ("doscientas tres", 203),
        ("quinientos", 500),
        ("mil novecientos dos", 1902),
        ("dos mil", 2000),
    ],
)
def test_numbers_in_digits_and_words_are_read(text, number):
    assert read_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "única",
        "XIV",
        "bis",
        "y",
        "cien y",
        "treintai",
        "decim",
        "primeros",
        "segundamente",
        "uno dos",
        "1.a",
        "-1",
    ],
)
def test_anything_else_is_no_number(text):
    assert read_number(text) is None


def test_accents_case_and_unicode_form_do_not_matter():
    assert {read_number(form) for form in ("décima séptima", "DECIMA SEPTIMA", "de\u0301cima  se\u0301ptima")} == {17}


@pytest.mark.parametrize("text", ["IIII", "VX", "", "IC", "art", "MMMM", "I I"])
def test_malformed_roman_numerals_are_refused(text):
    assert roman(text) is None


@given(st.integers(min_value=1, max_value=3999))
def test_roman_numerals_read_back(number):
    assert roman(to_roman(number)) == number
    assert roman(to_roman(number).lower()) == number


@pytest.mark.parametrize("number", [0, -1, 4000])
def test_numbers_without_a_roman_numeral_are_refused(number):
    with pytest.raises(ValueError, match=str(number)):
        to_roman(number)


@given(st.text())
def test_no_input_raises(text):
    number, numeral = read_number(text), roman(text)
    assert number is None or number >= 0
    assert numeral is None or to_roman(numeral) == text.upper()

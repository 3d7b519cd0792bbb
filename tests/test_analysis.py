"""Texts and questions become terms."""

import unicodedata

import pytest

from search.analysis import analyzer, spanish
from search.spelling import edits


def stems(text: str) -> list[str]:
    return [term.stem for term in spanish().terms(text)]


@pytest.mark.parametrize(
    "text", ["tributación conjunta", "deducción", "obligación tributaria", "soberanía", "TÍTULO ÚNICO"]
)
def test_br_58_spelling_without_accents_is_the_same(text):
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    assert spanish().terms(plain) == spanish().terms(text)
    assert spanish().terms(text.upper()) == spanish().terms(text)


@pytest.mark.parametrize(
    ("one", "many"),
    [("recargo", "recargos"), ("tributación", "tributaciones"), ("ley", "leyes"), ("arrendamiento", "arrendamientos")],
)
def test_plural_is_the_same_stem(one, many):
    assert stems(one) == stems(many)


def test_stop_words_go_but_not_the_ones_that_turn_a_rule_round():
    assert stems("¿Qué es lo que hay que pagar si presento tarde?") == ["pag", "present", "tard"]
    assert stems("no residentes sin recargo") == ["no", "resident", "sin", "recarg"]


def test_an_ñ_is_no_n():
    assert stems("año") != stems("ano")
    assert stems("AÑO") == stems("año")


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        ("58/2003", ["58", "2003"]),
        ("27.2", ["27", "2"]),
        ("art.27", ["art", "27"]),
        ("BOE-A-2003-23186", ["boe", "2003", "23186"]),
        ("1.º", ["1"]),
        ("16 A", ["16"]),
    ],
)
def test_codes_are_parted_at_signs(code, parts):
    assert [term.word for term in spanish().terms(code)] == parts


def test_positions_count_stop_words_so_that_phrases_keep_their_gaps():
    assert [term.position for term in spanish().terms("plazo de la prórroga")] == [0, 3]


def test_another_language_has_its_own_stems():
    assert [term.stem for term in analyzer("en").terms("the taxes on properties")] == ["tax", "properti"]
    assert [term.stem for term in analyzer("ca").terms("les lleis")] == ["les", "lleis"]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "die Verhüllung des Gesichts", ["verhull", "gesicht"]),
        ("fr", "l'enseignement de la musique", ["enseign", "musiqu"]),
        ("fi", "sinisen kortin haltijalla on", ["sinis", "kort", "haltij"]),
        ("it", "le leggi della Repubblica", ["legg", "repubbl"]),
        ("nb", "skattene", ["skatt"]),
        ("und", "Das Recht", ["das", "recht"]),
    ],
)
def test_each_language_has_its_own_stop_words_and_stems(language, text, expected):
    assert [term.stem for term in analyzer(language).terms(text)] == expected


@pytest.mark.parametrize("language", ["de", "fi", "fr", "it", "pt", "sv"])
def test_accents_make_no_difference_in_any_language(language):
    text = "Gesichtsverhüllung écoles käsittely società ação förordning"
    plain = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    assert analyzer(language).terms(text) == analyzer(language).terms(plain)


def test_words_of_other_languages_are_marked_in_the_index_and_those_of_the_main_one_are_not():
    german = analyzer("de")
    assert [token.text for token in german.marked(german.stems, "Die Gesetze 58").tokens] == ["de:gesetz", "de:58"]
    assert spanish().mark == ""


def test_only_spanish_words_have_another_number_that_the_stemmer_misses():
    assert spanish().other_numbers("actos")
    assert analyzer("fr").other_numbers("actes") == []


@pytest.mark.parametrize(
    ("slip", "word"),
    [("artícluo", "articulo"), ("arrendamineto", "arrendamiento"), ("deducion", "deduccion"), ("xrecargo", "recargo")],
)
def test_one_slip_away(slip, word):
    (term,) = spanish().terms(slip)
    assert word in edits(term.word)

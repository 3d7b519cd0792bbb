"""The lexical arm over a real index: words, codes, slips, operators, filters."""

import unicodedata
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from corpus.models import Article
from search import indexing
from search.errors import BlankQuery
from search.filters import Filters
from search.lexical import lexical_index
from search.questions import clean, read
from tests.law_builder import Redaction, add_article, add_law

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]

TODAY = date(2026, 6, 1)


def found(question: str, depth: int = 50, fields: tuple[str, ...] = (), **conditions) -> list[str]:
    filters = Filters(on=conditions.pop("on", TODAY), **conditions)
    candidates = lexical_index().search(read(clean(question)), filters, depth, fields)
    articles = {article.pk: str(article) for article in Article.objects.select_related("law")}
    return [articles[candidate.article_id] for candidate in candidates]


def keys(question: str, **conditions) -> list[str]:
    return [citation.split(":")[1] for citation in found(question, **conditions)]


@pytest.fixture
def corpus() -> None:
    law = add_law(
        "ley-900-2019",
        {
            "art-1": "La tributación conjunta es una opción de la unidad familiar.",
            "art-2": "La obligación tributaria nace con el hecho imponible.",
            "art-3": "Los no residentes tributan por obligación real.",
            "art-4": "Los residentes tributan por obligación personal.",
            "art-5": "Véase el art.27 de la Ley 58/2003, BOE-A-2003-23186.",
            "art-6": "Lo dispuesto en el artículo 27.2 se aplica al modelo 347.",
            "art-7": "El apartado 127 y el punto 2.7 hablan del modelo 346.",
            "art-8": "El plazo es de un año, y de dos años en los demás actos.",
            "art-9": "La sanción será de 3.000 euros.",
            "art-11": "El coeficiente es 1,3 hasta 2030; el n.º 910/2014 sigue.",
            "art-12": "Del 1 al 3 de cada mes; el número 910 y el 2014 no.",
        },
    )
    add_article(law, "art-10", "Las deducciones por inversión.", label="Artículo 10")
    indexing.catch_up()


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("tributación conjunta", "art-1"),
        ("obligacion tributaria", "art-2"),
        ("58 2003", "art-5"),
        ("58/2003", "art-5"),
        ("art 27", "art-5"),
        ("23186", "art-5"),
        ("BOE-A-2003-23186", "art-5"),
        ("27.2", "art-6"),
        ("modelo 347", "art-6"),
        ("3000 euros", "art-9"),
        ("3.000 euros", "art-9"),
        ("1,3", "art-11"),
        ("n.º 910/2014", "art-11"),
        ("número 910/2014", "art-11"),
        ("deducción por inversiones", "art-10"),
        ("acto", "art-8"),
    ],
)
def test_a_text_is_found_by_its_words_and_codes(corpus, question, first):
    assert keys(question)[0] == first


@pytest.mark.parametrize("question", ["¿por qué no?", "y si no", "no, sin"])
def test_words_that_only_turn_what_others_say_find_nothing_by_themselves(corpus, question):
    assert found(question) == []
    assert not lexical_index().has_content(read(question))


def test_words_that_turn_are_found_where_they_are_quoted(corpus):
    assert keys('"no"') == ["art-3", "art-12"]


@pytest.mark.parametrize(
    ("question", "is_unknown"),
    [("BOE-A-9999-99999", True), ("BOE-A-2003-23186", False), ("xyzzy BOE-A-9999-99999", True), ("residente", False)],
)
def test_a_code_is_known_only_as_a_whole(corpus, question, is_unknown):
    assert lexical_index().knows_nothing_of(read(question)) is is_unknown


@pytest.mark.parametrize(
    "spelling", ["tributacion conjunta", "TRIBUTACIÓN CONJUNTA", unicodedata.normalize("NFD", "tributación conjunta")]
)
def test_other_spellings_give_the_same_list(corpus, spelling):
    assert found(spelling) == found("tributación conjunta")


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("tributacion CONJUNTA", "Tributación conjunta"),
        ("¿obligacion tributaria?", "¿Obligación tributaria?"),
        ("XÁQUE 58/2003", "Xaque 58/2003"),
    ],
)
def test_a_question_is_written_as_the_texts_write_its_words(corpus, typed, written):
    assert lexical_index().as_written(typed) == written


def test_br_59_a_number_finds_no_other_number(corpus):
    assert set(keys("27")) == {"art-5", "art-6"}
    assert keys("347") == ["art-6"]


@pytest.mark.parametrize(
    ("slip", "meant"),
    [("tributacoin", "art-1"), ("obligcion tributaria", "art-2"), ("resdientes", "art-4"), ("deduciones", "art-10")],
)
def test_a_slip_in_a_long_word_still_finds_it(corpus, slip, meant):
    assert meant in keys(slip)[:2]


def test_br_61_digits_are_exact_beside_a_slip(corpus):
    assert keys("modleo 347")[0] == "art-6"
    assert keys("348") == []


def test_a_word_without_its_ñ_finds_it(corpus):
    assert keys("ano") == ["art-8"]


def test_what_is_written_exactly_comes_before_what_may_be_meant(corpus):
    law = add_law("ley-901-2019", {"art-1": "El cirujano explora el ano del paciente."})
    indexing.catch_up()
    assert found("ano")[0] == f"{law.key}:art-1"


def test_br_51_a_quoted_phrase_minds_no(corpus):
    assert keys('"no residentes"') == ["art-3"]
    assert set(keys("residentes")) == {"art-3", "art-4"}


def test_a_quoted_phrase_keeps_the_gap_of_its_stop_words(corpus):
    assert keys('"opción de la unidad"') == ["art-1"]
    assert keys('"opción unidad"') == []


def test_excluded_words_exclude(corpus):
    assert keys("residentes -personal") == ["art-3"]
    assert set(keys('obligación real -"no residentes"')) == {"art-2", "art-4"}


@pytest.mark.parametrize(
    "question", ["-residentes", "de la", "¿qué es lo que hay?", "¿?", '"de la"', "…", "()[]{}^~*?\\"]
)
def test_nothing_to_look_for_finds_nothing(corpus, question):
    assert found(question) == []


def test_br_51_stop_words_do_not_flood(corpus):
    assert keys("¿qué es lo que hay de la sanción?") == ["art-9"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.sampled_from("abñ27 -\":/.()[]^~*?\\+!&|<>'«»,;{}áreahdgin"), max_size=40))
def test_nothing_typed_raises(corpus, question):
    try:
        cleaned = clean(question)
    except BlankQuery:
        return
    lexical_index().search(read(cleaned), Filters(on=TODAY), 10)


def test_heading_looks_in_headings():
    law = add_law("ley-902-2019", {"art-1": "La prórroga del contrato."})
    article = law.articles.get()
    add_article(law, "art-2", "El contrato sigue.")
    law.articles.filter(key="art-2").get().versions.update(heading="Prórroga del contrato")
    indexing.catch_up()
    assert keys("heading:prórroga") == ["art-2"]
    assert keys("contrato heading:prórroga") == ["art-2"]
    assert keys("prorroga", fields=("heading",)) == ["art-2"]
    assert set(keys("prorroga", fields=("text",))) == {article.key, "art-2"}
    assert found("inventada", fields=("law",)) == ["ley-902-2019:art-1", "ley-902-2019:art-2"]
    assert found("inventada", fields=("text",)) == []


def test_the_law_that_is_amended_comes_before_the_one_that_amends():
    add_law(
        "ley-903-2019", {"art-1105": "Nadie responde de la fuerza mayor. Es fuerza mayor lo que no se puede evitar."}
    )
    add_law(
        "ley-904-2024", {"art-1": "Se modifica el artículo 1105 sobre fuerza mayor, que queda redactado como sigue."}
    )
    indexing.catch_up()
    assert found("fuerza mayor") == ["ley-903-2019:art-1105", "ley-904-2024:art-1"]


OLD = Redaction("Se reconoce la gran invalidez.", date(2019, 2, 1), date(2025, 4, 30))
NEW = Redaction("Se reconoce la gran incapacidad.", date(2025, 5, 1))


@pytest.fixture
def dated() -> None:
    add_law("ley-905-2019", {"art-5": [OLD, NEW]}, jurisdiction="es-ct")
    add_law(
        "rd-906-2019",
        {
            "art-1": [Redaction("Gran velocidad.", date(2019, 2, 1), date(2021, 12, 31)),
                      Redaction("(Derogado)", date(2022, 1, 1), status="repealed")],
            "anexo": [Redaction("Gran anexo.", date(2030, 1, 1))],
        },
    )  # fmt: skip
    Article.objects.filter(key="anexo").update(kind="annex")
    indexing.catch_up()


@pytest.mark.parametrize(
    ("conditions", "expected"),
    [
        ({}, ["ley-905-2019:art-5"]),
        ({"on": date(2020, 1, 1)}, ["ley-905-2019:art-5", "rd-906-2019:art-1"]),
        ({"on": date(2018, 1, 1)}, []),
        ({"include_repealed": True}, ["ley-905-2019:art-5", "rd-906-2019:art-1"]),
        ({"statuses": ("repealed",)}, ["rd-906-2019:art-1"]),
        ({"statuses": ("annulled",)}, []),
        ({"statuses": ("not_yet_in_force",)}, ["rd-906-2019:anexo"]),
        ({"on": date(2030, 1, 1), "kinds": ("annex",)}, ["rd-906-2019:anexo"]),
        ({"laws": ("rd-906-2019",)}, []),
        ({"ranks": ("ley",)}, ["ley-905-2019:art-5"]),
        ({"jurisdictions": ("es",)}, []),
        ({"jurisdictions": ("es-ct", "es")}, ["ley-905-2019:art-5"]),
        ({"valid_from": date(2025, 5, 1)}, ["ley-905-2019:art-5"]),
        ({"valid_from": date(2025, 5, 2)}, []),
        ({"valid_to": date(2025, 4, 30)}, []),
    ],
)
def test_filters_hold_inside_the_engine(dated, conditions, expected):
    assert sorted(found("gran", **conditions)) == sorted(expected)


def test_the_text_of_the_day_is_searched(dated):
    assert found("gran incapacidad") == ["ley-905-2019:art-5"]
    assert "ley-905-2019:art-5" not in found("invalidez")
    assert found("invalidez", on=date(2020, 1, 1)) == ["ley-905-2019:art-5"]
    assert found("incapacidad", on=date(2020, 1, 1)) == []


def test_a_marker_is_no_text(dated):
    assert found("derogado", include_repealed=True) == []


def test_texts_that_tie_come_in_the_order_of_their_articles():
    law = add_law("ley-907-2019", {f"art-{number}": "Texto igual." for number in range(1, 31)})
    indexing.catch_up()
    everything = [f"{law.key}:art-{number}" for number in range(1, 31)]
    assert found("texto igual") == everything
    assert found("texto igual", depth=7) == everything[:7]


def test_conditions_hold_for_versions_found_elsewhere(corpus):
    question = read("tributan -personal")
    versions = {article.key: article.versions.get().pk for article in Article.objects.all()}
    kept = lexical_index().meeting_conditions(question, [versions["art-3"], versions["art-4"], 10**9])
    assert kept == {versions["art-3"]}


@pytest.mark.parametrize(
    ("question", "nothing"), [("xqzt wvkj", True), ("xqzt tributan", False), ("tributacoin", False)]
)
def test_gibberish_is_told_from_words(corpus, question, nothing):
    assert lexical_index().knows_nothing_of(read(question)) is nothing


def test_a_text_in_another_language_is_found_by_its_own_stems():
    add_law("sr-101", {"art-1": "All properties are taxed."}, language="en", jurisdiction="ch")
    indexing.catch_up()
    assert found("taxed") == ["sr-101:art-1"]


@pytest.mark.parametrize("depth", [1, 5, 50])
@pytest.mark.parametrize("ended", [0, 1, 6])
def test_conditions_looked_at_before_or_after_ranking_give_one_list(depth, ended):
    gone = [Redaction("Impuesto sobre el aire, aire y aire.", valid_to=date(2020, 1, 1)) for _ in range(ended)]
    texts = {f"art-{n}": f"Un impuesto{' sobre el aire' * (n % 7)}." for n in range(1, 41)}
    add_law("ley-900-2019", texts | {f"art-{100 + n}": [one] for n, one in enumerate(gone)})
    indexing.catch_up()
    looked_at_before = found("impuesto sobre el aire", depth, valid_from=date.min)
    assert found("impuesto sobre el aire", depth) == looked_at_before
    assert len(looked_at_before) == min(depth, 40)


@pytest.mark.parametrize(
    ("conditions", "articles"),
    [
        ({}, ["art-1", "art-2"]),
        ({"valid_from": date(2019, 1, 1)}, ["art-2"]),
        ({"valid_to": date(2020, 1, 1)}, ["art-2"]),
        ({"valid_to": TODAY}, ["art-1", "art-2"]),
    ],
)
def test_a_text_of_unknown_beginning_meets_only_what_it_must(conditions, articles):
    texts = {"art-1": [Redaction("El canon de caza.", valid_from=None)], "art-2": [Redaction("El canon de pesca.")]}
    add_law("ley-900-2019", texts)
    indexing.catch_up()
    assert sorted(keys("canon", **conditions)) == articles

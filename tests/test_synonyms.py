"""Everyday words find what the law says instead, below what says the word itself."""

import tomllib

import pytest

from search.analysis import analyzer
from search.retrieval import RetrievalRequest, retrieve
from search.semantic import SemanticRanking
from search.synonyms import FILE, synonyms
from tests.law_builder import add_law

TABLE = tomllib.loads(FILE.read_text())["es"]


def found(query: str) -> list[str]:
    return [hit.citation for hit in retrieve(RetrievalRequest(query, mode="lexical", rerank=False)).hits]


@pytest.fixture
def homes(indexes) -> None:
    add_law(
        "ley-900-2019",
        {
            "art-1": "El arrendatario podrá desistir del contrato.",
            "art-2": "El inquilino de buena fe será oído.",
            "art-3": "Nadie llevará sombrero en sala.",
        },
    )


@pytest.mark.django_db
def test_an_everyday_word_finds_the_laws_word_below_itself(homes):
    assert found("inquilino") == ["ley-900-2019:art-2", "ley-900-2019:art-1"]
    assert found("INQUILINOS") == found("inquilino")


@pytest.mark.django_db
def test_the_laws_word_does_not_find_the_everyday_one(homes):
    assert found("arrendatario") == ["ley-900-2019:art-1"]


@pytest.mark.django_db
def test_words_in_a_row_mean_what_none_of_them_does(indexes):
    add_law(
        "ley-900-2019",
        {
            "art-1": "El incremento de valor de los terrenos de naturaleza urbana tributa.",
            "art-2": "La plusvalía de las acciones tributa.",
            "art-3": "El empleo municipal es público.",
        },
    )
    assert found("plusvalía municipal")[0] == "ley-900-2019:art-1"
    assert "ley-900-2019:art-1" not in found("plusvalía del empleo municipal")


@pytest.mark.django_db
def test_a_tax_by_its_initials_names_its_law(indexes):
    add_law("ley-900-2019", {"art-1": "Exenciones de este tributo."}, title="Ley 900/2019, de Montes")
    taxes = "Ley 901/2019, del Impuesto sobre Bienes Inmuebles"
    add_law("ley-901-2019", {"art-1": "Están exentos de este impuesto los montes."}, title=taxes)
    assert found("ibi exenciones")[0] == "ley-901-2019:art-1"


@pytest.mark.django_db
def test_in_one_field_synonyms_are_looked_for_there_only(homes):
    in_headings = retrieve(RetrievalRequest("inquilino", fields=("heading",)))
    assert [hit.citation for hit in in_headings.hits] == []


@pytest.mark.django_db
def test_the_embedder_is_asked_in_the_laws_words_too(homes, monkeypatch):
    asked: list[str] = []

    def rank(text: str, *_unused: object) -> SemanticRanking:
        asked.append(text)
        return SemanticRanking(reason_missing="no")

    monkeypatch.setattr("search.arms.semantic.rank", rank)
    retrieve(RetrievalRequest("inquilino con sombrero"))
    assert asked == ["Inquilino con sombrero (arrendatario)"]


@pytest.mark.django_db
def test_a_quoted_word_is_looked_for_as_it_is(homes):
    assert found('"inquilino"') == ["ley-900-2019:art-2"]


@pytest.mark.parametrize("kind", ["words", "names"])
def test_no_two_keys_of_the_file_are_one_to_the_index(kind):
    stems = [tuple(analyzer("es").stems_in(words)) for words in TABLE[kind]]
    assert sorted(stems) == sorted(set(stems))
    assert all(stems)


@pytest.mark.parametrize("kind", ["words", "names"])
def test_nothing_means_itself(kind):
    for stems, meant in synonyms("es", kind).items():
        assert not any(set(stems) <= set(analyzer("es").stems_in(phrase)) for phrase in meant)


def test_a_language_without_synonyms_has_none():
    assert synonyms("fi", "words") == {}

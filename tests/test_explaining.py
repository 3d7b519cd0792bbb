"""Why a hit is where it is, and why another is not: told by the answer that was given."""

from datetime import date
from typing import Any

import pytest
from django.core.management import call_command
from django.utils import translation

from corpus.models import CorpusChange, Law
from search.figures import figure
from search.retrieval import RetrievalRequest, retrieve
from tests.law_builder import Redaction, add_article, add_law

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]


def ask(query: str, **fields) -> Any:
    return retrieve(RetrievalRequest(query, **fields))


@pytest.fixture
def taxes() -> None:
    add_law(
        "ley-900-2019",
        {
            "art-1": "La tributación conjunta es una opción de la unidad familiar.",
            "art-2": "El recargo por presentación tardía es del 15 por 100.",
            "art-3": "Nadie está obligado a llevar sombrero.",
            "art-4": [
                Redaction("El recargo de apremio era del 20 por 100.", date(2019, 2, 1), date(2020, 1, 1)),
                Redaction("", date(2020, 1, 2), status="repealed"),
            ],
        },
    )


def test_no_hit_is_explained_unasked(taxes):
    assert ask("recargo").hits[0].explanation is None
    assert ask("recargo").explained is None


def test_a_hit_tells_its_place_in_the_fused_pool_and_how_it_was_fused(taxes):
    call_command("embed_chunks", verbosity=0)

    answer = ask("recargo", fusion="weighted", semantic_weight=0.25, explain=True)

    explanation = answer.hits[0].explanation
    assert (explanation.fusion, explanation.semantic_weight, explanation.reranker) == ("weighted", 0.25, None)
    assert explanation.fused.rank == 1
    assert explanation.fused.score == answer.hits[0].score


def test_a_reranked_hit_tells_what_its_features_counted(taxes):
    answer = ask("recargo", mode="lexical", explain=True)

    assert answer.reranker == "learned-lexical"
    assert all(hit.explanation.reranker == "learned-lexical" for hit in answer.hits)
    assert {feature.name for feature in answer.hits[0].explanation.features} >= {"lexical", "rank"}


@pytest.mark.parametrize(
    ("expected", "fields", "reason"),
    [
        ("ley-900-2019:art-2", {}, "found"),
        ("art. 2 de la Ley 900/2019", {}, "found"),
        ("ley-900-2019:art-99", {}, "not_found"),
        ("ley-1-1901:art-1", {}, "not_found"),
        ("no es una cita", {}, "not_found"),
        ("ley-900-2019:art-4", {}, "filtered"),
        ("ley-900-2019:art-2", {"kinds": ("annex",)}, "filtered"),
        ("ley-900-2019:art-3", {}, "not_embedded"),
        ("ley-900-2019:art-3", {"mode": "lexical"}, "below_the_cut"),
        ("arts. 1 a 3 de la Ley 900/2019", {}, "found"),
        ("arts. 3 y 99 de la Ley 900/2019", {}, "not_embedded"),
        ("arts. 3 y 4 de la Ley 900/2019", {"kinds": ("annex",)}, "filtered"),
        ("Ley 900/2019", {}, "found"),
        ("Ley 900/2019", {"kinds": ("annex",)}, "filtered"),
        ("artículo 2", {}, "not_found"),
    ],
)
def test_an_expected_provision_is_found_or_told_what_kept_it_out(taxes, expected, fields, reason):
    explained = ask("recargo", explain=expected, **fields).explained

    assert (explained.reason, bool(explained.detail)) == (reason, True)


@pytest.mark.parametrize("expected", ["arts. 1 a 3 de la Ley 900/2019", "Ley 900/2019", "ley-900-2019@2026-01-01"])
def test_of_several_the_best_stands_for_all(taxes, expected):
    explained = ask("recargo por presentación tardía", explain=expected).explained

    assert (explained.citation, explained.rank, explained.outcome) == ("ley-900-2019:art-2", 1, "found")


def test_of_several_that_score_too_little_the_best_is_told(taxes):
    call_command("embed_chunks", verbosity=0)
    best = next(hit for hit in ask("recargo").hits if hit.citation != "ley-900-2019:art-2")

    explained = ask("recargo", explain="arts. 1 y 3 de la Ley 900/2019", min_score=0.99).explained

    assert (explained.reason, explained.citation) == ("below_min_score", best.citation)


@pytest.mark.parametrize(
    ("expected", "asked", "told"),
    [
        ("ley-900-2019:art-4@2019-06-01", {}, ("filtered", ["status"])),
        ("ley-900-2019:art-4@2019-06-01", {"as_of": date(2019, 7, 1)}, ("found", [])),
        ("ley-900-2019:art-5@2019-06-01", {}, ("filtered", ["as_of"])),
        ("ley-900-2019:art-5@2019-06-01", {"as_of": date(2019, 7, 1)}, ("found", [])),
        ("ley-900-2019:art-5@2024-06-01", {}, ("found", [])),
        ("ley-900-2019:art-5@2001-01-01", {}, ("not_found", [])),
        ("ley-900-2019@2019-06-01", {}, ("found", [])),
    ],
)
def test_a_day_in_the_citation_means_the_text_of_that_day(taxes, expected, asked, told):
    old = Redaction("Había un recargo de prórroga.", date(2019, 2, 1), date(2020, 12, 31))
    law = Law.objects.get(key="ley-900-2019")
    add_article(law, "art-5", [old, Redaction("Hay un recargo de prórroga nuevo.", date(2021, 1, 1))])
    CorpusChange.objects.create(law_id=law.pk)

    explained = ask("recargo", explain=expected, **asked).explained

    assert (explained.reason, explained.filters) == told


def test_a_text_of_no_force_on_its_day_says_so(taxes):
    explained = ask("recargo", explain="ley-900-2019:art-2@2001-01-01").explained

    assert (explained.outcome, explained.detail) == (
        "not_in_force",
        "El precepto existe, pero el 01/01/2001 ninguna redacción suya estaba en vigor.",
    )


def test_what_may_be_meant_is_named():
    add_law("ley-900-2019", {"art-1": "Uno.", "art-1~2": "Otro uno."}, number="900/2019")

    explained = ask("recargo", explain="art. 1 Ley 900/2019").explained

    assert explained.detail == "Esa cita puede referirse a varias cosas: ley-900-2019:art-1, ley-900-2019:art-1~2."


def test_beside_a_citation_it_is_only_what_is_cited(taxes):
    assert ask("art. 2 Ley 900/2019", explain="ley-900-2019:art-2").explained.reason == "found"
    assert ask("art. 2 Ley 900/2019", explain="ley-900-2019:art-3").explained.reason == "not_cited"


@pytest.mark.parametrize(
    ("mode", "looked_in", "said"),
    [
        ("lexical", ["lexical"], "No está entre los mil mejores por palabras."),
        ("semantic", ["semantic"], "Aún no está preparado para buscarlo por significado."),
        (
            "hybrid",
            ["lexical", "semantic"],
            "No está entre los mil mejores por palabras, y aún no está preparado para buscarlo por significado.",
        ),
    ],
)
def test_only_what_was_looked_at_is_told(taxes, mode, looked_in, said):
    call_command("embed_chunks", verbosity=0)
    law = Law.objects.get(key="ley-900-2019")
    add_article(law, "art-6", "Un pararrayos.")
    CorpusChange.objects.create(law_id=law.pk)

    explained = ask("recargo", mode=mode, explain="ley-900-2019:art-6").explained

    assert (explained.looked_in, explained.detail) == (looked_in, said)


def test_the_conditions_that_keep_it_out_are_named(taxes):
    assert ask("recargo", explain="ley-900-2019:art-2", kinds=("annex",)).explained.filters == ["kind"]
    assert ask("recargo", explain="ley-900-2019:art-4").explained.filters == ["status"]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("es", "No cumple las condiciones de la búsqueda: rango, estado."),
        ("en", "It does not meet the conditions of the search: rank, status."),
    ],
)
def test_conditions_are_named_as_readers_call_them(taxes, language, told):
    with translation.override(language):
        explained = ask("recargo", explain="ley-900-2019:art-2", statuses=("annulled",), ranks=("rd",)).explained
    assert (explained.filters, explained.detail) == (["law_rank", "status"], told)


@pytest.mark.parametrize("sort", ["relevance", "oldest"])
def test_what_scores_too_little_tells_its_score_and_ranks(taxes, sort):
    call_command("embed_chunks", verbosity=0)
    hit = next(hit for hit in ask("recargo", sort=sort).hits if hit.citation == "ley-900-2019:art-3")

    explained = ask("recargo", explain="ley-900-2019:art-3", sort=sort, min_score=0.99).explained

    assert (explained.reason, explained.looked_in) == ("below_min_score", ["lexical", "semantic"])
    assert explained.detail == f"Su puntuación no pasa de {figure(hit.score)}, y min_score pide 0,99."
    assert (explained.lexical, explained.semantic) == (hit.lexical, hit.semantic)
    assert ask("recargo", explain="ley-900-2019:art-3", sort=sort, min_score=hit.score).explained.reason == "found"


def test_one_below_the_cut_tells_its_ranks_and_whether_its_score_alone_keeps_it_out():
    texts = {f"art-{number}": f"Un recargo. {'Relleno. ' * number}" for number in range(1, 166)}
    add_law("ley-900-2019", texts)
    call_command("embed_chunks", verbosity=0)
    asked = {"mode": "lexical", "rerank": False, "explain": "ley-900-2019:art-165"}
    least = min(hit.score for hit in ask("recargo", mode="lexical", rerank=False, offset=20, limit=100).hits)

    plain = ask("recargo", **asked).explained
    low = ask("recargo", **asked, min_score=least + 0.01).explained

    assert (plain.reason, plain.lexical.rank, plain.semantic) == ("below_the_cut", 165, None)
    assert (low.reason, low.lexical) == ("below_min_score", plain.lexical)
    assert ask("recargo", **asked, min_score=least).explained.reason == "below_the_cut"
    assert ask("recargo", **asked, min_score=least, offset=155).explained.reason == "below_min_score"

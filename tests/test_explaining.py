"""Why a hit is where it is, and why another is not: told by the answer that was given."""

from datetime import date
from typing import Any

import pytest
from django.core.management import call_command

from search.retrieval import RetrievalRequest, retrieve
from tests.law_builder import Redaction, add_law

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
        ("ley-900-2019:art-3", {"mode": "lexical"}, "not_embedded"),
    ],
)
def test_an_expected_provision_is_found_or_told_what_kept_it_out(taxes, expected, fields, reason):
    explained = ask("recargo", explain=expected, **fields).explained

    assert (explained.reason, bool(explained.detail)) == (reason, True)


def test_the_conditions_that_keep_it_out_are_named(taxes):
    assert ask("recargo", explain="ley-900-2019:art-2", kinds=("annex",)).explained.filters == ["kind"]
    assert ask("recargo", explain="ley-900-2019:art-4").explained.filters == ["status"]


def test_one_below_the_cut_tells_its_ranks(taxes):
    call_command("embed_chunks", verbosity=0)

    explained = ask("recargo", explain="ley-900-2019:art-3", min_score=0.99).explained

    assert explained.reason == "below_the_cut"
    assert explained.has_vectors
    assert explained.lexical is None
    assert explained.semantic.rank >= 1

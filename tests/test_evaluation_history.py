"""Evaluation runs that are kept, and their page in the admin."""

from __future__ import annotations

import pytest
from django.urls import reverse

from corpus.models import EmbeddingModel
from search.evaluation import MEASURES, Interval
from search.evaluation_history import history, keep
from search.evaluation_runs import Scores, plain
from search.models import EvaluationRun


def scores(ndcg):
    means = {name: Interval(ndcg, ndcg - 0.1, ndcg + 0.1) for name in MEASURES}
    return plain(Scores(20, means, 12.5, 30.0, {"hybrid": 20}, {name: {} for name in MEASURES}))


@pytest.mark.django_db
def test_run_is_kept_with_what_its_figures_hang_on(settings):
    EmbeddingModel.objects.create(fingerprint="hashing-64", dimensions=64, state="active")

    assert keep({"dev": {"hybrid": scores(0.7), "lexical": scores(0.5)}}, laws=92) == 2

    run = EvaluationRun.objects.get(mode="hybrid")
    assert (run.set_name, run.questions, run.laws, run.fingerprint) == ("dev", 20, 92, "hashing-64")
    assert run.means["ndcg@10"] == {"mean": 0.7, "low": pytest.approx(0.6), "high": pytest.approx(0.8)}
    assert (run.p50_ms, run.p95_ms, len(run.version)) == (12.5, 30.0, 12)
    assert run.settings["EMBEDDER"] == settings.EMBEDDER


@pytest.mark.django_db
def test_history_is_by_set_and_mode_oldest_first():
    for ndcg in (0.5, 0.7, 0.6):
        keep({"dev": {"hybrid": scores(ndcg)}})
    keep({"dev": {"lexical": scores(0.4)}})

    assert history() == {("dev", "hybrid"): [0.5, 0.7, 0.6], ("dev", "lexical"): [0.4]}


@pytest.mark.django_db
def test_admin_draws_the_course_without_a_style(admin_client):
    for ndcg in (0.5, 0.7):
        keep({"dev": {"hybrid": scores(ndcg)}})

    page = admin_client.get(reverse("admin:search_evaluationrun_changelist")).content.decode()

    assert 'points="4.0,36.0 236.0,4.0"' in page
    assert "0.7000 [0.600, 0.800]" in page
    assert "+0,2000" in page
    assert "style=" not in page.split("<caption>")[1].split("</table>")[0]


@pytest.mark.django_db
def test_admin_says_how_to_keep_the_first(admin_client):
    page = admin_client.get(reverse("admin:search_evaluationrun_changelist"))

    assert "evaluate_search DIR --keep" in page.content.decode()

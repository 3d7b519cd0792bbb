"""Keeps what evaluations came to, so that the quality of the search is seen over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

from corpus.vectors import active_model
from search.indexing import corpus_state
from search.models import EvaluationRun
from search.response_cache import release

if TYPE_CHECKING:
    from collections.abc import Mapping

MEASURE = "ndcg@10"
# The newest runs of a set in a mode that its line shows.
MOST_SHOWN = 60
_SETTINGS = ("EMBEDDER", "RERANKER", "VECTOR_INDEX", "VECTOR_MATRIX_LIMIT")


def keep(run: Mapping[str, Mapping[str, Mapping[str, Any]]], *, laws: int = 0) -> int:
    """Keep a run, which holds plain scores by set and mode, with what its figures hang on; count what was kept.

    `laws` is the number of laws it was restricted to, 0 for the whole corpus. The version is a digest of the code.
    """
    model = active_model()
    shared: dict[str, Any] = {
        "version": release()[:12],
        "corpus_revision": corpus_state().revision,
        "fingerprint": model.fingerprint if model else "",
        "settings": {name: getattr(settings, name) for name in _SETTINGS if hasattr(settings, name)},
        "laws": laws,
    }
    rows = [_row(name, mode, scores, shared) for name, modes in run.items() for mode, scores in modes.items()]
    return len(EvaluationRun.objects.bulk_create(rows))


def history() -> dict[tuple[str, str], list[float]]:
    """Give the nDCG@10 of the newest runs, oldest first, by set and mode."""
    found: dict[tuple[str, str], list[float]] = {}
    for name, mode, means in EvaluationRun.objects.order_by("set_name", "mode", "at", "pk").values_list(
        "set_name", "mode", "means"
    ):
        found.setdefault((name, mode), []).append(means[MEASURE]["mean"])
    return {key: values[-MOST_SHOWN:] for key, values in found.items()}


def _row(name: str, mode: str, scores: Mapping[str, Any], shared: Mapping[str, Any]) -> EvaluationRun:
    return EvaluationRun(
        set_name=name,
        mode=mode,
        **{field: scores[field] for field in ("questions", "means", "p50_ms", "p95_ms")},
        **shared,
    )

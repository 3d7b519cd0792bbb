"""Evaluation runs in the admin: their figures in a list, and above it how each set and mode has done over time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from corpus.admin.source import ReadOnly
from search.evaluation_history import MEASURE, history
from search.models import EvaluationRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import Model
    from django.http import HttpRequest, HttpResponse

WIDTH, HEIGHT, MARGIN = 240, 40, 4


@dataclass(frozen=True)
class Course:
    """How one set has done in one mode: the newest value and its change, and the points of a line over all runs."""

    set_name: str
    mode: str
    runs: int
    newest: float
    change: float | None
    points: str


@admin.register(EvaluationRun)
class EvaluationRunAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """Runs that `evaluate_search --keep` kept."""

    list_display = (
        "at", "set_name", "mode", "ndcg", "hit_1", "recall_50", "questions", "laws", "p50_ms", "p95_ms",
        "corpus_revision", "fingerprint", "version",
    )  # fmt: skip
    list_filter = ("set_name", "mode", "fingerprint", "at")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Let go of runs that were for trial only."""
        return admin.ModelAdmin.has_delete_permission(self, request, obj)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the courses above the list."""
        courses = [_course(name, mode, values) for (name, mode), values in history().items()]
        drawn = {"courses": courses, "width": WIDTH, "height": HEIGHT, "measure": MEASURE}
        return super().changelist_view(request, drawn | (extra_context or {}))

    @admin.display(description="nDCG@10")
    def ndcg(self, run: EvaluationRun) -> str:
        """Write the mean with its bounds."""
        return _interval(run, MEASURE)

    @admin.display(description="hit@1")
    def hit_1(self, run: EvaluationRun) -> str:
        """Write the mean with its bounds."""
        return _interval(run, "hit@1")

    @admin.display(description=_("recall@50"))
    def recall_50(self, run: EvaluationRun) -> str:
        """Write the mean with its bounds."""
        return _interval(run, "recall@50")


def _interval(run: EvaluationRun, measure: str) -> str:
    found = run.means.get(measure)
    return f"{found['mean']:.4f} [{found['low']:.3f}, {found['high']:.3f}]" if found else "–"


def _course(name: str, mode: str, values: Sequence[float]) -> Course:
    change = values[-1] - values[-2] if len(values) > 1 else None
    return Course(name, mode, len(values), values[-1], change, points(values))


def points(values: Sequence[float]) -> str:
    """Give the points of a line through values, the lowest at the foot and the highest at the top, for SVG.

    >>> points([0.5, 0.7, 0.6])
    '4.0,36.0 120.0,4.0 236.0,20.0'
    >>> points([0.5])
    '236.0,20.0'
    """
    low, high = min(values), max(values)
    step = (WIDTH - 2 * MARGIN) / max(1, len(values) - 1)
    span = HEIGHT - 2 * MARGIN
    heights = [(value - low) / (high - low) if high > low else 0.5 for value in values]
    first = WIDTH - MARGIN - step * (len(values) - 1)
    return " ".join(
        f"{first + step * place:.1f},{HEIGHT - MARGIN - span * height:.1f}" for place, height in enumerate(heights)
    )

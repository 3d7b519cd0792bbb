"""Applies a reranker to the head of a ranked pool, and keeps what it cannot judge in its fused order behind that."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from search import hydration
from search.evidence import evidence
from search.features import Asked, Entry
from search.lexical import lexical_index
from search.ranking import Ranked
from search.reranking import RerankerUnavailable, configured, entry_of, learned
from search.responses import Degraded
from search.semantic import Nearness, nothing_near

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from search.filters import Filters
    from search.hydration import Provision
    from search.questions import Question
    from search.requests import RetrievalRequest
    from search.reranking import Reranked, Reranker
    from search.responses import Mode

# A model at an address judges so many times the entries of a page.
CANDIDATES = 3
# A model that was trained with vectors for all passages misjudges a pool where many have none.
LEAST_COVERAGE = 0.8


@dataclass(frozen=True)
class Reordered:
    """A pool in its last order, what ordered it, how sure it is, and by article what each feature counted."""

    pool: Sequence[Ranked]
    reranker: str | None = None
    degraded: Degraded | None = None
    confidence: float | None = None
    counted: Mapping[int, Sequence[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Pool:
    """A fused pool with what is known of it: how it came about, its provisions, and what the question names in it.

    `judged` are the articles of the pool of the first pages: a reranker is given those, whichever page is asked for.
    """

    entries: Sequence[Ranked]
    filters: Filters
    mode: Mode
    fingerprint: str = ""
    coverage: float = 1.0
    named: Collection[int] = ()
    nearness: Nearness = nothing_near
    judged: Collection[int] = ()
    provisions: Mapping[int, Provision] = field(default_factory=dict)


def is_wanted(request: RetrievalRequest) -> bool:
    """Whether a request is for the best order: it asks for a reranker, or sets no formula of its own."""
    if request.sort != "relevance" or request.rerank is not None:
        return request.rerank is True and request.sort == "relevance"
    return request.fusion == "auto" and request.semantic_weight is None and not request.fields


def reorder(question: Question, pool: Pool, request: RetrievalRequest) -> Reordered:
    """Put the head of a pool in a better order; without a reranker that can answer, the fused order stands.

    What the question names comes first. Scores fall from 1 to 0: behind the head they are the fused ones, as far as
    the least score of the head lets them.
    """
    if pool.mode == "citation" or not is_wanted(request):
        return Reordered(pool.entries)
    if not pool.entries:
        return Reordered((), confidence=0.0)
    try:
        reranker = configured() or _learned(pool)
        if reranker is None:
            return Reordered(pool.entries, degraded=_too_few_vectors(pool))
        judged_ones = _head(pool, request, reranker)
        judged = reranker.rerank(*_material(question, pool, judged_ones, reranker))
    except RerankerUnavailable as reason:
        return Reordered(pool.entries, degraded=Degraded(missing="reranker", reason=str(reason)))
    return _ordered(pool, judged_ones, judged, reranker.name)


def _learned(pool: Pool) -> Reranker | None:
    return learned(pool.mode, pool.fingerprint) if pool.mode == "lexical" or pool.coverage >= LEAST_COVERAGE else None


def _too_few_vectors(pool: Pool) -> Degraded | None:
    """Say that a pool is unordered, and its answer of unknown confidence, only until its passages have vectors."""
    if pool.coverage >= LEAST_COVERAGE or learned(pool.mode, pool.fingerprint) is None:
        return None
    told = {"share": f"{pool.coverage:.0%}".replace("%", " %")}
    return Degraded(
        missing="reranker",
        reason=_("Sólo el %(share)s de los textos está ya preparado para la búsqueda por significado.") % told,
    )


def _head(pool: Pool, request: RetrievalRequest, reranker: Reranker) -> Sequence[Ranked]:
    """Give what is judged: it never depends on which page is asked for, so that pages part one list."""
    return pool.entries[: CANDIDATES * request.limit] if reranker.needs_texts else head(pool)


def head(pool: Pool) -> list[Ranked]:
    """Give what the built-in reranker judges: the pool of the first pages, whichever is asked for."""
    return [one for one in pool.entries if one.article_id in pool.judged]


def known(question: Question, pool: Pool, entries: Sequence[Ranked]) -> tuple[Asked, list[Entry]]:
    """Give the question as features see it, for each language of the entries, and what is known of each entry."""
    provisions = [pool.provisions[one.version_id] for one in entries]
    languages = {provision.law.summary.text_language for provision in provisions}
    asked = Asked(question.text, {one: lexical_index().looked_for(question, one).words for one in languages})
    return asked, list(map(entry_of, entries, provisions, evidence(question, provisions, pool.nearness)))


def _material(
    question: Question, pool: Pool, ranked: Sequence[Ranked], reranker: Reranker
) -> tuple[Asked, list[Entry], list[str]]:
    """Give what a reranker judges by: what is known of the entries, or their texts if it reads those."""
    if not reranker.needs_texts:
        return *known(question, pool, ranked), []
    texts = hydration.with_texts(ranked, pool.provisions)
    return Asked(question.text, {}), [], [_told(texts.get(one.version_id)) for one in ranked]


def _told(provision: Provision | None) -> str:
    """Give a provision as a model at an address reads it."""
    if provision is None:
        return ""
    name = ". ".join(part for part in (provision.law.summary.title, provision.label, provision.heading) if part)
    return f"{name}\n{provision.text}"


def _ordered(pool: Pool, ranked: Sequence[Ranked], judged: Reranked, name: str) -> Reordered:
    scored = [
        one._replace(score=1.0 if one.article_id in pool.named else round(score, 6))
        for one, score in zip(ranked, judged.scores, strict=True)
    ]
    best = sorted(scored, key=lambda one: (one.article_id not in pool.named, -one.score))
    floor = min((one.score for one in best), default=1.0)
    ahead = {one.article_id for one in best}
    rest = [one._replace(score=min(one.score, floor)) for one in pool.entries if one.article_id not in ahead]
    rows = () if judged.counted is None else judged.counted
    counted = {one.article_id: row for one, row in zip(ranked, rows, strict=False)}
    return Reordered([*best, *rest], name, confidence=judged.confidence, counted=counted)

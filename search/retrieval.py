"""Answers questions: the one throat for pages, API, MCP and commands."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from search import arms, cited, explaining, facets, hydration, metrics, questions, ranking, reordering, response_cache
from search.arms import Arms
from search.explaining import Course
from search.filters import STATUSES
from search.hits import hits
from search.indexing import corpus_state, keep_up
from search.reordering import Pool
from search.requests import MAX_DEPTH, RetrievalRequest, check, filters_of
from search.responses import RetrievalResponse
from search.weighting import chosen

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from search.cited import Cited
    from search.filters import Filters
    from search.hydration import Provision
    from search.questions import Question
    from search.ranking import Ranked
    from search.reordering import Reordered
    from search.responses import Absence, Degraded, Hit
    from search.weighting import Weighting

__all__ = ["RetrievalRequest", "retrieve"]


@dataclass(frozen=True)
class _Found:
    """A fused pool as it is in the database now, and what took part in it."""

    pool: Pool
    degraded: Degraded | None = None
    is_capped: bool = False
    weighting: Weighting | None = None


@dataclass(frozen=True)
class _Asked:
    """A question read and asked: what it cites, what was found, and the day that it or the request says, if any."""

    question: Question
    named: Cited
    found: _Found
    revision: int
    as_of: date | None


def retrieve(request: RetrievalRequest) -> RetrievalResponse:
    """Answer a question with the provisions that speak of it, best first; raise an `InputError` for a wrong request.

    A question that is a citation is answered by what it cites. Otherwise both arms are asked, their rankings fused,
    folded to one hit an article, and checked against the database as it is now. What was answered before, with
    nothing changed since, is not worked out again.
    """
    answer = response_cache.answer(request, _retrieve)
    metrics.note_answer(answer)
    return answer


def _retrieve(request: RetrievalRequest) -> RetrievalResponse:
    started = time.perf_counter()
    asked = _ask(request)
    found, provisions = asked.found, asked.found.pool.provisions
    ordered = _ordered(asked, request)
    pool = [ranked for ranked in ordered.pool if request.wants(ranked.score)]
    page = pool[request.offset : request.offset + request.limit]
    texts = {**provisions, **hydration.with_texts(page, provisions)}
    return RetrievalResponse.model_construct(
        query=asked.question.text,
        mode=found.pool.mode,
        degraded=found.degraded or ordered.degraded,
        reranker=ordered.reranker,
        semantic_coverage=round(found.pool.coverage, 4) if found.pool.fingerprint else None,
        as_of=asked.as_of,
        limit=request.limit,
        offset=request.offset,
        total=len(pool),
        # What is below the pool scores no more than the least of it: where that is too little, nothing is below.
        total_is_capped=found.is_capped and len(pool) == len(ordered.pool),
        confidence=ordered.confidence,
        corpus_revision=asked.revision,
        citation=asked.named.resolution,
        hits=_hits(page, texts, asked, ordered, request),
        facets=facets.count(provisions[ranked.version_id] for ranked in pool),
        explained=_expected(asked, request, ordered.pool),
        took_ms=round((time.perf_counter() - started) * 1000, 2),
    )


def _hits(
    page: Sequence[Ranked],
    texts: Mapping[int, Provision],
    asked: _Asked,
    ordered: Reordered,
    request: RetrievalRequest,
) -> list[Hit]:
    question = asked.question
    if asked.found.pool.mode == "citation":  # what names a provision is not looked for in its text
        question = replace(question, words="", phrases=(), headings=())
    found = hits(page, texts, question, first_rank=request.offset + 1, as_of=asked.as_of)
    if request.explain:
        course = Course(asked.found.pool.entries, asked.found.weighting, ordered.reranker, ordered.counted)
        for hit, explanation in zip(found, explaining.explanations(page, course), strict=True):
            hit.explanation = explanation
    return found


def _expected(asked: _Asked, request: RetrievalRequest, ordered: Sequence[Ranked]) -> Absence | None:
    if not isinstance(request.explain, str):
        return None
    named_law = asked.named.named_law
    return explaining.absence(asked.question, asked.found.pool, request, ordered, named_law)


def pool_of(request: RetrievalRequest) -> tuple[Question, Pool]:
    """Give the question of a request and its fused pool, before any reranker; raise as `retrieve` does."""
    asked = _ask(request)
    return asked.question, asked.found.pool


def _ask(request: RetrievalRequest) -> _Asked:
    text = questions.clean(request.query)
    check(request)
    filters = filters_of(request)
    corpus = corpus_state()
    keep_up(corpus)
    named = cited.find(text, as_of=request.as_of)
    question = questions.read(text)
    found = _find(question, named, filters, request)
    as_of = request.as_of or (named.on if found.pool.mode == "citation" else None)
    return _Asked(question, named, found, corpus.revision, as_of)


def _find(question: Question, named: Cited, filters: Filters, request: RetrievalRequest) -> _Found:
    if named.is_answer and named.resolution and request.mode == "auto":
        day = named.resolution.as_of or filters.on
        of_any_status = replace(filters, on=day, statuses=filters.statuses or STATUSES)
        entries = cited.ranking(named.resolution, MAX_DEPTH)
        is_capped = named.resolution.items_are_capped or len(entries) >= MAX_DEPTH
        return _Found(_as_it_is(Pool(entries, of_any_status, "citation")), is_capped=is_capped)
    depth = ranking.depth_for(_last_asked(request))
    found: Arms = arms.ask(question, filters, request, depth, favoured=named.named_law)
    provisions = named.named_provisions()
    weighting = chosen(request, found.weighting, found.coverage)
    entries = ranking.pool(found, weighting, depth, provisions)
    pool = Pool(
        entries,
        filters,
        found.mode,
        found.fingerprint,
        found.coverage,
        frozenset(one.article_id for one in provisions),
        found.nearness,
        frozenset(one.article_id for one in entries[: ranking.FIRST]),
    )
    is_capped = found.is_capped or not found.articles <= {one.article_id for one in entries}
    return _Found(_as_it_is(pool), found.degraded, is_capped, weighting if found.mode == "hybrid" else None)


def _as_it_is(pool: Pool) -> Pool:
    """Give a pool with its provisions, without what is gone, changed or no longer wanted."""
    provisions = hydration.hydrate({ranked.version_id: ranked.digest for ranked in pool.entries}, pool.filters)
    entries = [ranked for ranked in pool.entries if ranked.version_id in provisions]
    return replace(pool, entries=entries, provisions=provisions)


def _last_asked(request: RetrievalRequest) -> int:
    """Give how far the pool must reach: for another order than by relevance the same on every page."""
    return request.offset + request.limit if request.sort == "relevance" else MAX_DEPTH


def _ordered(asked: _Asked, request: RetrievalRequest) -> Reordered:
    """Put a pool in the order asked for."""
    pool = asked.found.pool
    ordered = reordering.reorder(asked.question, pool, request)
    if request.sort == "relevance":
        return ordered
    by_day = sorted(
        ordered.pool, key=lambda ranked: _begin(pool.provisions[ranked.version_id]), reverse=request.sort == "newest"
    )
    return replace(ordered, pool=by_day)


def _begin(provision: Provision) -> date:
    return provision.valid_from or date.min

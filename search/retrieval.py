"""Answers questions: the one throat for pages, API, MCP and commands."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from search import arms, cited, facets, hydration, questions, ranking
from search.arms import Arms
from search.filters import STATUSES
from search.hits import hits
from search.indexing import corpus_state, keep_up
from search.requests import MAX_DEPTH, RetrievalRequest, check, filters_of
from search.responses import RetrievalResponse
from search.weighting import chosen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from search.cited import Cited
    from search.filters import Filters
    from search.hydration import Provision
    from search.questions import Question
    from search.ranking import Ranked
    from search.responses import Degraded, Mode

__all__ = ["RetrievalRequest", "retrieve"]

# Versions read with their text beyond the page, should some of the page be dropped.
SPARE = 3


@dataclass(frozen=True)
class _Found:
    """A ranked pool, and how it came about."""

    mode: Mode
    pool: Sequence[Ranked]
    filters: Filters
    degraded: Degraded | None = None
    is_capped: bool = False


def retrieve(request: RetrievalRequest) -> RetrievalResponse:
    """Answer a question with the provisions that speak of it, best first; raise an `InputError` for a wrong request.

    A question that is a citation is answered by what it cites. Otherwise both arms are asked, their rankings fused,
    folded to one hit an article, and checked against the database as it is now.
    """
    started = time.perf_counter()
    text = questions.clean(request.query)
    check(request)
    filters = filters_of(request)
    corpus = corpus_state()
    keep_up(corpus)
    named = cited.find(text, as_of=request.as_of)
    question = questions.read(text)
    found = _find(question, named, filters, request)
    pool, provisions = _present(found, request)
    page = pool[request.offset : request.offset + request.limit]
    return RetrievalResponse.model_construct(
        query=text,
        mode=found.mode,
        degraded=found.degraded,
        as_of=request.as_of,
        limit=request.limit,
        offset=request.offset,
        total=len(pool),
        total_is_capped=found.is_capped,
        confidence=None,
        corpus_revision=corpus.revision,
        citation=named.resolution,
        hits=hits(page, provisions, question, first_rank=request.offset + 1, as_of=request.as_of),
        facets=facets.count(provisions[ranked.version_id] for ranked in pool),
        took_ms=round((time.perf_counter() - started) * 1000, 2),
    )


def _find(question: Question, named: Cited, filters: Filters, request: RetrievalRequest) -> _Found:
    if named.is_answer and named.resolution and request.mode == "auto":
        day = named.resolution.as_of or filters.on
        of_any_status = replace(filters, on=day, statuses=filters.statuses or STATUSES)
        return _Found("citation", cited.ranking(named.resolution, MAX_DEPTH), of_any_status)
    depth = ranking.depth_for(_last_asked(request))
    found: Arms = arms.ask(question, filters, request, depth, favoured=named.named_law)
    pool = ranking.pool(found, chosen(request, found.weighting, found.coverage), depth, named.named_provisions())
    if request.min_score is not None:
        pool = [ranked for ranked in pool if ranked.score >= request.min_score]
    return _Found(found.mode, pool, filters, found.degraded, found.is_capped)


def _last_asked(request: RetrievalRequest) -> int:
    """Give how far the pool must reach: for another order than by relevance the same on every page."""
    return request.offset + request.limit if request.sort == "relevance" else MAX_DEPTH


def _present(found: _Found, request: RetrievalRequest) -> tuple[list[Ranked], dict[int, Provision]]:
    """Read what was ranked and drop what is gone: one query, and another only if that changed which are shown."""
    digests = {ranked.version_id: ranked.digest for ranked in found.pool}
    page = slice(request.offset, request.offset + request.limit)
    likely = found.pool[page.start : page.stop + SPARE] if request.sort == "relevance" else ()
    shown = {ranked.version_id for ranked in likely}
    provisions = hydration.hydrate(digests, found.filters, shown)
    pool = [ranked for ranked in found.pool if ranked.version_id in provisions]
    if request.sort != "relevance":
        pool.sort(key=lambda ranked: _begin(provisions[ranked.version_id]), reverse=request.sort == "newest")
    without_text = {ranked.version_id for ranked in pool[page]} - shown
    if without_text:
        provisions |= hydration.hydrate(dict.fromkeys(without_text, 0), found.filters, without_text)
    return pool, provisions


def _begin(provision: Provision) -> date:
    return provision.valid_from or date.min

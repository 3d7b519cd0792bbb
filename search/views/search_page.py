"""The search page: whole, or the results that a query typed into it swaps in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django_htmx.http import HttpResponseClientRedirect

from corpus.models import Law
from search import outcomes, query_log
from search.asked import Asked
from search.captions import law_caption
from search.claims import amiss
from search.errors import BlankQuery, InputError
from search.lookup import lookup
from search.requests import held_laws
from search.retrieval import RetrievalRequest, retrieve
from search.views import answers
from search.views.htmx import HtmxRequest, vary_on_htmx, wants_part
from search.views.welcome import welcome

if TYPE_CHECKING:
    from search.responses import Resolution, RetrievalResponse

SUBMITTED_BY = "search"  # the id of the search form; typing and its follow-up come from elsewhere
ECHOED = 500


@require_safe
@vary_on_htmx
def search_page(request: HtmxRequest) -> HttpResponse:
    """Answer a query; a citation that resolves goes on to its page, unless it is still being typed."""
    asked = Asked()
    try:
        asked = Asked.read(request.GET)
        wanted = to_retrieve(asked, is_first=_is_first(request))
        answer = retrieve(wanted)
        told = _read(asked, answer)
    except BlankQuery:
        return _show(request, asked, welcome())
    except InputError as error:
        shown = replace(asked, q=request.GET.get("q", "")[:ECHOED])
        return _show(request, shown, {"error": error, "count_text": error.detail}, status=400)
    logged = None if _is_first(request) else query_log.note(wanted, answer, "page")
    if told.goes_on_to and not wants_part(request):
        return HttpResponseRedirect(told.goes_on_to)
    if told.goes_on_to and request.htmx.trigger == SUBMITTED_BY:
        return HttpResponseClientRedirect(told.goes_on_to)
    answer = answer.model_copy(update={"citation": told.resolution})
    return _show(request, asked, _answered(request, asked, answer, told) | {"logged": logged})


def _is_first(request: HtmxRequest) -> bool:
    return wants_part(request) and request.GET.get("stage") == "first"


def to_retrieve(asked: Asked, *, is_first: bool = False) -> RetrievalRequest:
    """Turn a page's question into the engine's; what is still being typed is answered by words alone, at once."""
    return RetrievalRequest(
        query=asked.q,
        limit=asked.limit,
        offset=asked.offset,
        mode="lexical" if is_first and asked.mode == "auto" else asked.mode,
        laws=asked.laws,
        ranks=asked.ranks,
        jurisdictions=asked.jurisdictions,
        kinds=asked.kinds,
        statuses=asked.statuses,
        valid_from=asked.valid_from,
        valid_to=asked.valid_to,
        as_of=asked.as_of,
        include_repealed=asked.include_repealed,
        sort=asked.sort,
    )


@dataclass(frozen=True)
class _Cited:
    """What a question cites, the page it goes on to, and what keeps the text from the answer: a condition it misses."""

    resolution: Resolution | None
    goes_on_to: str = ""
    unmet: str = ""


def _read(asked: Asked, answer: RetrievalResponse) -> _Cited:
    """Read what a question cites: by itself, or within the one law that is searched ("art. 27")."""
    cited, words, is_whole = answer.citation, asked.q, answer.mode == "citation"
    if cited is not None and not cited.law and (law := _law_searched(asked)):
        words = f"{asked.q}, {law_caption(law)}"
        found = lookup(words, as_of=asked.as_of)
        if found.outcome == "found" and found.law is not None and found.law.id == law.key and not found.items:
            cited, is_whole, asked = found, True, replace(asked, laws=())
    if cited is None or not is_whole or cited.items or not cited.url:
        return _Cited(cited)
    if cited.kind == "law" and (asked.kinds or asked.statuses or asked.valid_from or asked.valid_to):
        return _Cited(cited)
    unmet = _unmet(asked, words)
    return _Cited(cited, "" if unmet else _page_of_citation(asked, cited), unmet)


def _law_searched(asked: Asked) -> Law | None:
    """Give the law that alone is searched."""
    searched = set(held_laws(asked.laws).values())
    return Law.objects.filter(key__in=searched).first() if len(searched) == 1 else None


def _unmet(asked: Asked, words: str) -> str:
    """Say which conditions of the search are not met by what `words` cite; nothing where all are."""
    if asked.without_filters == replace(asked, as_of=None, include_repealed=False, offset=0):
        return ""
    told = retrieve(replace(to_retrieve(asked), query=words, mode="auto", explain=words, offset=0))
    return "" if told.total or told.explained is None else told.explained.detail


def _page_of_citation(asked: Asked, cited: Resolution) -> str:
    """Give the page of the one provision or law that a question cites, with the day asked for.

    What resolved only partly, or gives its law a title or a day that is another's, takes its words along, for the
    page to say so.
    """
    if cited.outcome == "partial" or (cited.outcome == "found" and amiss(cited)):
        return f"{cited.url}?{urlencode({'q': asked.q})}"
    return str(cited.url) if cited.outcome == "found" else ""


def _answered(request: HtmxRequest, asked: Asked, answer: RetrievalResponse, told: _Cited) -> dict[str, Any]:
    has_more_to_come = _is_first(request) and asked.mode == "auto" and answer.mode == "lexical"
    cited = told.resolution
    is_told_by_hits = cited is None or (
        answer.mode == "citation"
        and cited.outcome == "found"
        and not told.unmet
        and not any(one.kind == "law" for one in cited.items)
    )
    return answers.describe(asked, answer) | {
        "answer": answer,
        "as_of": answer.as_of,
        "outcome": None if cited is None or is_told_by_hits else outcomes.words(cited),
        "unmet": told.unmet,
        "follow_up": asked.url if has_more_to_come else "",
        "share_url": request.build_absolute_uri(asked.url),
    }


def _show(request: HtmxRequest, asked: Asked, context: dict[str, Any], status: int = 200) -> HttpResponse:
    is_part = wants_part(request)
    context |= {"asked": asked, "is_part": is_part, "title": f"{asked.q} · Fundamento" if asked.q else "Fundamento"}
    response = render(request, "search.html#results" if is_part else "search.html", context, status=status)
    if is_part and not context.get("follow_up") and request.htmx.current_url_abs_path != asked.url:
        response["HX-Push-Url"] = asked.url
    return response

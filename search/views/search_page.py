"""The search page: whole, or the results that a query typed into it swaps in."""

from __future__ import annotations

from dataclasses import replace
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
    except BlankQuery:
        return _show(request, asked, welcome())
    except InputError as error:
        shown = replace(asked, q=request.GET.get("q", "")[:ECHOED])
        return _show(request, shown, {"error": error, "count_text": error.detail}, status=400)
    in_its_law = _in_its_law(asked, answer)
    if in_its_law:
        answer = answer.model_copy(update={"citation": in_its_law})
    logged = None if _is_first(request) else query_log.note(wanted, answer, "page")
    target = in_its_law.url if in_its_law else _page_of_citation(asked, answer)
    if target and not wants_part(request):
        return HttpResponseRedirect(target)
    if target and request.htmx.trigger == SUBMITTED_BY:
        return HttpResponseClientRedirect(target)
    return _show(request, asked, _answered(request, asked, answer) | {"logged": logged})


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


def _in_its_law(asked: Asked, answer: RetrievalResponse) -> Resolution | None:
    """Read a provision that is asked for without its law ("art. 27") in the law that alone is searched."""
    if answer.citation is None or answer.citation.law:
        return None
    searched = set(held_laws(asked.laws).values())
    law = Law.objects.filter(key__in=searched).first() if len(searched) == 1 else None
    if law is None:
        return None
    found = lookup(f"{asked.q}, {law_caption(law)}", as_of=asked.as_of)
    is_its = found.outcome == "found" and found.law is not None and found.law.id == law.key and not found.items
    return found if is_its else None


def _page_of_citation(asked: Asked, answer: RetrievalResponse) -> str:
    """Give the page a query goes on to: that of the one provision or law it cites, with the day asked for.

    What resolved only partly, or gives its law a title or a day that is another's, takes its words along, for the
    page to say so.
    """
    cited = answer.citation
    if answer.mode != "citation" or cited is None or cited.items or not cited.url:
        return ""
    if cited.outcome == "partial" or (cited.outcome == "found" and amiss(cited)):
        return f"{cited.url}?{urlencode({'q': asked.q})}"
    return cited.url if cited.outcome == "found" else ""


def _answered(request: HtmxRequest, asked: Asked, answer: RetrievalResponse) -> dict[str, Any]:
    has_more_to_come = _is_first(request) and asked.mode == "auto" and answer.mode == "lexical"
    cited = answer.citation
    is_told_by_hits = cited is None or (answer.mode == "citation" and cited.outcome == "found")
    return answers.describe(asked, answer) | {
        "answer": answer,
        "as_of": answer.as_of,
        "outcome": None if cited is None or is_told_by_hits else outcomes.words(cited),
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

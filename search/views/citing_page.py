"""The page of all that cites a law or a provision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from corpus.identifiers import CitationId
from search import citation_graph, outcomes
from search.addresses import page_url
from search.asked import read_offset, without_controls
from search.errors import InputError
from search.lookup import lookup_id
from search.views.citation_lines import citing_lines
from search.views.contents import window_url

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

TEXTS_SHOWN = 100


@require_safe
def citing_page(request: HttpRequest, citation: str) -> HttpResponse:
    """List what cites the law or provision that a path names, a page of texts at a time."""
    try:
        found = lookup_id(without_controls(citation))
        offset = read_offset(request.GET)
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    if found.resolved_to is None:
        context = {"resolution": found, "outcome": outcomes.words(found)}
        return render(request, "outcome.html", context, status=outcomes.HTTP_STATUS[found.outcome])
    cited = CitationId.parse(without_controls(citation))
    at = citation_graph.node(CitationId.parse(found.resolved_to), cited.on)
    lines = citing_lines(citation_graph.citing_texts(at, TEXTS_SHOWN, offset))
    total = citation_graph.citing_text_count(at)
    page, last = reverse("citing", args=[str(cited)]), offset + len(lines)
    context = {
        "cited": found,
        "cited_url": page_url(str(CitationId.parse(found.resolved_to).on_day(cited.on))),
        "lines": lines,
        "total": total,
        "first": offset + 1,
        "last": last,
        "next_url": window_url(page, offset + TEXTS_SHOWN) if last < total and lines else "",
        "previous_url": window_url(page, max(0, offset - TEXTS_SHOWN)) if offset else "",
    }
    return render(request, "citing.html", context)

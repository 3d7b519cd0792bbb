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

CITATIONS_SHOWN = 100


@require_safe
def citing_page(request: HttpRequest, citation: str) -> HttpResponse:
    """List what cites the law or provision that a path names, a page of citations at a time."""
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
    rows, total = citation_graph.cited_by(at, CITATIONS_SHOWN, offset)
    page, last = reverse("citing", args=[str(cited)]), offset + len(rows)
    context = {
        "cited": found,
        "cited_url": page_url(str(CitationId.parse(found.resolved_to).on_day(cited.on))),
        "lines": list(citing_lines(rows)),
        "total": total,
        "first": offset + 1,
        "last": last,
        "next_url": window_url(page, offset + CITATIONS_SHOWN) if last < total and rows else "",
        "previous_url": window_url(page, max(0, offset - CITATIONS_SHOWN)) if offset else "",
    }
    return render(request, "citing.html", context)

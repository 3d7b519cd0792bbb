"""The page of a law's amendments: which provisions changed on each day and by which norm, each with its comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from corpus.clock import today
from search.addresses import page_url
from search.amendments import history, originals
from search.asked import read_offset
from search.captions import law_caption
from search.errors import InputError
from search.views.contents import window_url
from search.views.text_pages import held_law

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

CHANGES_SHOWN = 75


@require_safe
def history_page(request: HttpRequest, citation: str) -> HttpResponse:
    """List what changed in the law that a path names, the newest first, a window of provisions at a time."""
    law = held_law(citation)
    try:
        offset = read_offset(request.GET)
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    amendments, total = history(law, CHANGES_SHOWN, offset)
    page, last = reverse("history", args=[law.key]), offset + sum(len(one.changes) for one in amendments)
    context = {
        "law": law,
        "today": today(),
        "law_caption": law_caption(law),
        "law_url": page_url(law.key),
        "amendments": amendments,
        "originals": originals(law),
        "total": total,
        "first": offset + 1,
        "last": last,
        "feed_url": reverse("law_feed", args=[law.key]),
        "next_url": window_url(page, last) if last < total and amendments else "",
        "previous_url": window_url(page, max(0, offset - CHANGES_SHOWN)) if offset else "",
    }
    return render(request, "history.html", context)

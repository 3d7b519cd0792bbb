"""The page of what is held: every law with its provisions, versions, vectors, source and date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from corpus.coverage import counted
from corpus.models import Article, Law
from search.asked import read_offset
from search.errors import InputError
from search.views.contents import window_url

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

LAWS_SHOWN = 50


@require_safe
def coverage_page(request: HttpRequest) -> HttpResponse:
    """List the laws of the corpus, a page at a time: three queries."""
    try:
        offset = read_offset(request.GET)
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    page = reverse("coverage")
    total = Law.objects.count()
    laws = list(counted(Law.objects.order_by("key"))[offset : offset + LAWS_SHOWN])
    last = offset + len(laws)
    context = {
        "laws": laws,
        "total": total,
        "article_total": Article.objects.count(),
        "first": offset + 1,
        "last": last,
        "next_url": window_url(page, offset + LAWS_SHOWN) if last < total and laws else "",
        "previous_url": window_url(page, max(0, offset - LAWS_SHOWN)) if offset else "",
    }
    return render(request, "coverage.html", context)

"""The pages of laws and provisions, at their canonical ids; every other spelling redirects there once."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote, urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from corpus.clock import today
from corpus.identifiers import CitationId, InvalidCitationId
from corpus.models import Law
from search import outcomes
from search.addresses import page_url
from search.asked import read_day, read_offset, read_part, without_controls
from search.claims import amiss
from search.errors import InputError
from search.lookup import LONGEST_CITATION, check_length, lookup
from search.responses import RESOLVED
from search.standing import version_lines
from search.views import law_page, provision_page

if TYPE_CHECKING:
    from datetime import date

    from search.responses import Resolution


@require_safe
def text_page(request: HttpRequest, citation: str) -> HttpResponse:
    """Show the law or provision that a path names, or say why there is none."""
    try:
        as_of = read_day(request.GET, "as_of")
        offset, part = read_offset(request.GET), read_part(request.GET)
        check_length(citation, "citation")
        resolution = lookup(without_controls(citation), as_of=as_of)
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    if resolution.items:
        return _listed(citation, as_of)
    cited = as_id(citation)
    moved_to = canonical_path(cited, resolution)
    if moved_to and unquote(moved_to) != request.path:
        day = f"?{urlencode({'as_of': as_of.isoformat()})}" if as_of else ""
        return HttpResponsePermanentRedirect(moved_to + day)
    pinned = as_of or (cited.on if cited else None)
    if resolution.outcome not in RESOLVED or resolution.law is None:
        return say_outcome(request, resolution, as_of)
    resolution = _as_it_was_written(request, resolution, as_of)
    if resolution.kind == "law":
        context = law_page.describe(resolution, pinned, offset, request.build_absolute_uri)
        return render(request, "law.html", context)
    try:
        context = provision_page.describe(resolution, pinned, part, request.build_absolute_uri)
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    return render(request, "provision.html", context)


def spelt_page(request: HttpRequest, citation: str) -> HttpResponse:
    """Lead from a citation in words, whose path has slashes, to its canonical address; raise `Http404` for all else."""
    if request.method in ("GET", "HEAD") and len(citation) <= LONGEST_CITATION:
        resolution = lookup(without_controls(citation))
        if resolution.items:
            return _listed(citation, None)
        if resolution.outcome in RESOLVED and resolution.url:
            return HttpResponsePermanentRedirect(resolution.url)
    raise Http404


def _listed(citation: str, as_of: date | None) -> HttpResponse:
    """Lead from a list of provisions, which has no page of its own, to where it is answered."""
    day = {"as_of": as_of.isoformat()} if as_of else {}
    return HttpResponseRedirect(f"{reverse('search')}?{urlencode({'q': citation, **day})}")


def held_law(key: str) -> Law:
    """Give the law of a canonical id; raise `Http404` where the corpus has none."""
    return get_object_or_404(Law, key=without_controls(key))


def as_id(citation: str) -> CitationId | None:
    """Read a path as a canonical id; None if it is another form."""
    try:
        return CitationId.parse(citation)
    except InvalidCitationId:
        return None


def canonical_path(cited: CitationId | None, resolution: Resolution) -> str:
    """Give the path that names this for good, on the day that the path pins; nothing where it is not known.

    What resolved only partly, or on a day whose text is not held, keeps all its levels: the page says what is missing.
    """
    day = cited.on if cited else None
    if resolution.citation and resolution.outcome not in ("partial", "history_not_held"):
        return page_url(str(CitationId.parse(resolution.citation).on_day(day)))
    if cited is None:
        return ""
    law = resolution.law.id if resolution.law else cited.law
    return page_url(str(CitationId(law, cited.unit, cited.path, day)))


def _as_it_was_written(request: HttpRequest, resolution: Resolution, as_of: date | None) -> Resolution:
    """Say what the words that led here (`q`) say amiss: what of them did not resolve, or a title that is another's."""
    written = without_controls(request.GET.get("q", ""))
    if not written:
        return resolution
    try:
        found = lookup(written, as_of=as_of)
    except InputError:
        return resolution
    is_amiss = found.outcome == "partial" or bool(amiss(found))
    return found if is_amiss and found.citation == resolution.citation else resolution


def say_outcome(request: HttpRequest, resolution: Resolution, as_of: date | None = None) -> HttpResponse:
    """Show why there is no text, with the HTTP status that belongs to it."""
    context = {
        "resolution": resolution,
        "outcome": outcomes.words(resolution),
        "versions": version_lines(resolution, today()),
        "as_of": as_of,
    }
    return render(request, "outcome.html", context, status=outcomes.HTTP_STATUS[resolution.outcome])

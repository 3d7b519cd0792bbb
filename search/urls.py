"""The addresses of pages and API."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING

from django.http import Http404, HttpResponsePermanentRedirect
from django.urls import URLPattern, URLResolver, path, register_converter, reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.i18n import set_language

from search.api import api
from search.asked import without_controls
from search.feeds import corpus_feed, law_feed
from search.requests import held_laws
from search.views.chosen import chosen
from search.views.citing_page import citing_page
from search.views.coverage_page import coverage_csv, coverage_page
from search.views.diff_page import diff_page
from search.views.download import download
from search.views.history_page import history_page
from search.views.icon import icon
from search.views.search_page import search_page
from search.views.text_pages import spelt_page, text_page
from search.views.verify_page import verify_page
from search.views.why_page import why_page

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from django.http import HttpRequest, HttpResponseBase


class WholeLaw:
    """A path that names a law: it has no colon."""

    regex = "[^/:]+"

    def to_python(self, value: str) -> str:
        """Give the path as it is."""
        return value

    def to_url(self, value: str) -> str:
        """Give the citation as it is."""
        return value


class Spelt(WholeLaw):
    """A path that has the slash of a law's number: "ley 58/2003 art 27.2", "Orden HAC/1347/2024"."""

    regex = r"(?:[^/]+/)?[^/]*\d\s*/\s*(?:19|20)?\d\d(?!\d)[^/]*"


register_converter(WholeLaw, "law")
register_converter(Spelt, "spelt")


def redirected(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Give a view of a law that, asked by its BOE id or in another case, leads to its canonical address."""

    @wraps(view)
    def answer(request: HttpRequest, citation: str, **named: Any) -> HttpResponseBase:
        try:
            return view(request, citation=citation, **named)
        except Http404:
            name = without_controls(citation)
            key, route = held_laws([name]).get(name), request.resolver_match
            if route is None or key in (None, name):
                raise
            query = f"?{request.GET.urlencode()}" if request.GET else ""
            return HttpResponsePermanentRedirect(reverse(route.view_name, args=[key]) + query)

    return answer


api_patterns, _app_name, _namespace = api_urls = api.urls
operations = {pattern.name: pattern.callback for pattern in api_patterns if isinstance(pattern, URLPattern)}

urlpatterns: list[URLPattern | URLResolver] = [
    path("", search_page, name="search"),
    # It only sets the reader's own language, so no form needs a token and no reader a cookie.
    path("i18n/language", csrf_exempt(set_language), name="set_language"),
    path("api/v1", operations["show_documentation"]),
    path("api/v1/", api_urls),
    # Where probes look.
    path("health", operations["get_health"]),
    path("health/live", operations["get_liveness"]),
    path("health/ready", operations["get_readiness"]),
    path("coverage", coverage_page, name="coverage"),
    path("coverage.csv", coverage_csv, name="coverage_csv"),
    path("verify", verify_page, name="verify"),
    path("why", why_page, name="why"),
    path("chosen/<uuid:asked>/<int:rank>", chosen, name="chosen"),
    path("feed", corpus_feed, name="feed"),
    path("favicon.ico", icon),
    path("<law:citation>/history", redirected(history_page), name="history"),
    path("<law:citation>/feed", redirected(law_feed), name="law_feed"),
    path("<law:citation>/download.txt", redirected(download), {"form": "txt"}, name="download_text"),
    path("<law:citation>/download.json", redirected(download), {"form": "json"}, name="download_json"),
    path("<str:citation>/cited_by", citing_page, name="citing"),
    path("<str:citation>/diff", diff_page, name="diff"),
    path("<law:citation>", text_page, name="law"),
    path("<str:citation>", text_page, name="provision"),
    path("<spelt:citation>", spelt_page),
]

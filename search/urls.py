"""The addresses of pages and API."""

from django.urls import URLPattern, URLResolver, path, register_converter
from django.views.decorators.csrf import csrf_exempt
from django.views.generic import RedirectView
from django.views.i18n import set_language

from search.api import api
from search.feeds import corpus_feed, law_feed
from search.views.chosen import chosen
from search.views.citing_page import citing_page
from search.views.coverage_page import coverage_csv, coverage_page
from search.views.diff_page import diff_page
from search.views.download import download
from search.views.history_page import history_page
from search.views.icon import icon
from search.views.search_page import search_page
from search.views.text_pages import text_page
from search.views.verify_page import verify_page
from search.views.why_page import why_page


class WholeLaw:
    """A path that names a law: it has no colon."""

    regex = "[^/:]+"

    def to_python(self, value: str) -> str:
        """Give the path as it is."""
        return value

    def to_url(self, value: str) -> str:
        """Give the citation as it is."""
        return value


register_converter(WholeLaw, "law")

urlpatterns: list[URLPattern | URLResolver] = [
    path("", search_page, name="search"),
    # It only sets the reader's own language, so no form needs a token and no reader a cookie.
    path("i18n/language", csrf_exempt(set_language), name="set_language"),
    path("api/v1", RedirectView.as_view(pattern_name="api:openapi-view")),
    path("api/v1/", api.urls),
    path("coverage", coverage_page, name="coverage"),
    path("coverage.csv", coverage_csv, name="coverage_csv"),
    path("verify", verify_page, name="verify"),
    path("why", why_page, name="why"),
    path("chosen/<uuid:asked>/<int:rank>", chosen, name="chosen"),
    path("feed", corpus_feed, name="feed"),
    path("favicon.ico", icon),
    path("<law:citation>/history", history_page, name="history"),
    path("<law:citation>/feed", law_feed, name="law_feed"),
    path("<law:citation>/download.txt", download, {"form": "txt"}, name="download_text"),
    path("<law:citation>/download.json", download, {"form": "json"}, name="download_json"),
    path("<str:citation>/cited_by", citing_page, name="citing"),
    path("<str:citation>/diff", diff_page, name="diff"),
    path("<law:citation>", text_page, name="law"),
    path("<str:citation>", text_page, name="provision"),
]

"""The JSON API, version 1, at `/api/v1/`: routers over retrieval, lookup and catalogue, with no query of their own."""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import register_converter, reverse
from ninja import Router

from search.api import citations, citing, comparing, grounding, laws, managing, searching, state, texts
from search.api.docs import DocumentationPage
from search.api.errors import install
from search.api.keys import ReadKey
from search.api.surface import Anything, GroundingAPI, QueryParser, ReadableJSON
from search.responses import VERSION

DESCRIPTION = (
    "Spanish law for people and programs: exact citations, dated versions and hybrid retrieval. Every answer says "
    "which mode produced it, on which day it reads the law, and where the text comes from."
)

api = GroundingAPI(
    title="Fundamento",
    version=VERSION,
    urls_namespace="api",
    description=DESCRIPTION,
    docs=DocumentationPage(),
    parser=QueryParser(),
    auth=ReadKey(),
    renderer=ReadableJSON(),
)
install(api)
register_converter(Anything, "anything")
unknown = Router(auth=None)


@unknown.get("/", include_in_schema=False)
def show_documentation(request: HttpRequest) -> HttpResponse:
    """Send whoever opens the bare address on to the documentation."""
    return HttpResponseRedirect(reverse("api:openapi-view"))


@unknown.api_operation(["GET", "POST", "PUT", "PATCH", "DELETE"], "/{anything:address}", include_in_schema=False)
def answer_unknown(request: HttpRequest, address: str) -> HttpResponse:
    """Answer an address that does not exist as JSON too."""
    raise Http404(address)


for router in (
    searching.router,
    grounding.router,
    texts.router,
    citations.router,
    citing.router,
    laws.router,
    comparing.router,
    state.router,
    managing.router,
    unknown,
):
    api.add_router("", router)

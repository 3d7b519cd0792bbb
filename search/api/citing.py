"""What a law or provision cites, and what cites it, as lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ninja import Field, Path, Query, Router, Schema, Status
from ninja.decorators import decorate_view

from corpus.identifiers import CitationId
from search.api.caching import CONDITIONAL, revalidated
from search.api.citations import STATUS, CitationInPath
from search.api.errors import ErrorBody
from search.api.parameters import Day, PageParameters
from search.citation_graph import CitationRow, Node, cited_by, cites, node
from search.lookup import lookup_id
from search.responses import RESOLVED, Resolution

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest

DESCRIPTION = (
    "Each row says in which version of which provision the citation stands, where in its text, and what it names. "
    "What a provision cites of itself is left out. Follow `next` until it is null to see each row once."
)
DESCRIBED = {
    "responses": {
        300: {"description": "`ambiguous`: the `candidates` say what the citation may mean."},
        400: {"description": "`unparsable`, or a day that is none or disagrees with the one in the citation."},
        404: {"description": "`no_such_provision`, `law_not_in_corpus`, `not_in_force` or `history_not_held`."},
        **CONDITIONAL,
        422: {"description": "A parameter is out of bounds."},
    }
}
router = Router(tags=["citations"])


class CitationPage(Schema):
    """A page of citations; `next` is the address of the page after it."""

    items: list[CitationRow]
    total: int
    limit: int
    offset: int
    next: str | None


ANSWERS = {200: CitationPage, 300: Resolution, 400: Resolution | ErrorBody, 404: Resolution, 422: ErrorBody}


class CitationListParameters(PageParameters):
    """Which part of the list, and of which day."""

    as_of: Day | None = Field(
        None,
        description="Citations in the texts of this day; without it, today's.",
        json_schema_extra={"example": "2023-01-01"},
    )
    all_versions: bool = Field(False, description="Citations in every version of a text, whenever it had force.")


Answer = CitationPage | Status[Resolution]
SHARED: dict[str, Any] = {"response": ANSWERS, "openapi_extra": DESCRIBED}


@router.get(
    "/citations/{citation}/cites",
    operation_id="list_cited",
    summary="List what a provision cites",
    description=f"In the order of the text. {DESCRIPTION}",
    **SHARED,
)
@decorate_view(revalidated())
def list_cited(request: HttpRequest, cited: Path[CitationInPath], asked: Query[CitationListParameters]) -> Answer:
    """List what a law, a provision or a part of one cites."""
    return _page(request, cited, asked, cites)


@router.get(
    "/citations/{citation}/cited_by",
    operation_id="list_citing",
    summary="List what cites a provision",
    description=f"By law, in its order. {DESCRIPTION}",
    **SHARED,
)
@decorate_view(revalidated())
def list_citing(request: HttpRequest, cited: Path[CitationInPath], asked: Query[CitationListParameters]) -> Answer:
    """List what cites a law, a provision or a part of one."""
    return _page(request, cited, asked, cited_by)


def _page(
    request: HttpRequest,
    cited: CitationInPath,
    asked: CitationListParameters,
    listed: Callable[[Node, int, int], tuple[list[CitationRow], int]],
) -> Answer:
    resolution = lookup_id(cited.citation, as_of=asked.as_of)
    if resolution.outcome not in RESOLVED or resolution.resolved_to is None:
        return Status(STATUS[resolution.outcome], resolution)
    day = asked.as_of or CitationId.parse(cited.citation).on
    at = node(CitationId.parse(resolution.resolved_to), day, all_versions=asked.all_versions)
    items, total = listed(at, asked.limit, asked.offset)
    return CitationPage(items=items, total=total, **asked.place, next=asked.next(request, len(items), total))

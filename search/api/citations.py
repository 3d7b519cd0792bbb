"""Citations: what exactly one resolves to, by canonical id in the path or in any form in `q`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninja import Field, Path, Query, Router, Schema, Status
from ninja.decorators import decorate_view

from search.api.caching import CONDITIONAL, revalidated
from search.api.errors import ErrorBody
from search.api.parameters import Day
from search.lookup import LONGEST_CITATION, lookup, lookup_id
from search.outcomes import HTTP_STATUS
from search.responses import Resolution

if TYPE_CHECKING:
    from django.http import HttpRequest

STATUS = HTTP_STATUS | {"unparsable": 400}
ANSWERS = {200: Resolution, 300: Resolution, 400: Resolution | ErrorBody, 404: Resolution, 422: ErrorBody}
DESCRIBED = {
    "responses": {
        200: {"description": "The text: of exactly that unit (`found`), or of the part that exists (`partial`)."},
        300: {"description": "`ambiguous`: the `candidates` say what it may mean; none is chosen."},
        400: {"description": "`unparsable`, or a day that is none or disagrees with the one in the citation."},
        404: {"description": "`no_such_provision`, `law_not_in_corpus`, `not_in_force` or `history_not_held`."},
        **CONDITIONAL,
        422: {"description": "A parameter is missing or out of bounds."},
    }
}
router = Router(tags=["citations"])


class DayParameter(Schema):
    """The day whose law is read."""

    as_of: Day | None = Field(
        None, description="Read the law of this day; without it, today's.", json_schema_extra={"example": "2023-01-01"}
    )


class CitationQuery(DayParameter):
    """A citation as people write them."""

    q: str = Field(
        ...,
        description="A citation in any form: canonical id, BOE id or address, official number, abbreviation, name.",
        json_schema_extra={
            "example": "art. 11.4.b) de la Ley 990/2019",
            "minLength": 1,
            "maxLength": LONGEST_CITATION,
        },
    )


class CitationInPath(Schema):
    """A canonical citation id."""

    citation: str = Field(
        ...,
        description="A canonical citation id; `@` and a day pin the text of that day.",
        json_schema_extra={"example": "ley-990-2019:art-11.4.b"},
    )


@router.get(
    "/citations",
    operation_id="find_citation",
    summary="Resolve a citation in any form",
    response=ANSWERS,
    openapi_extra=DESCRIBED,
)
@decorate_view(revalidated(is_text=True))
def find_citation(request: HttpRequest, asked: Query[CitationQuery]) -> Status[Resolution]:
    """Resolve a citation in any form to the verbatim text of exactly that unit."""
    return _answer(lookup(asked.q, as_of=asked.as_of))


@router.get(
    "/citations/{citation}",
    operation_id="get_citation",
    summary="Resolve a citation id",
    response=ANSWERS,
    openapi_extra=DESCRIBED,
)
@decorate_view(revalidated(is_text=True))
def get_citation(request: HttpRequest, cited: Path[CitationInPath], asked: Query[DayParameter]) -> Status[Resolution]:
    """Resolve a canonical citation id; every other form belongs in `?q=`."""
    return _answer(lookup_id(cited.citation, as_of=asked.as_of))


def _answer(resolution: Resolution) -> Status[Resolution]:
    return Status(STATUS[resolution.outcome], resolution)

"""Texts that cite: every citation of one, found and resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninja import Body, Field, Router, Schema

from search import extraction
from search.api.errors import ErrorBody
from search.api.parameters import Day
from search.extraction import LONGEST_TEXT, ExtractedCitations
from search.lookup import LONGEST_CITATION

if TYPE_CHECKING:
    from django.http import HttpRequest

EXAMPLE = (
    "El recargo del artículo 11.4.b) de la Ley 990/2019 no excluye el de la disposición final primera de la misma."
)
ANSWERS = {200: ExtractedCitations, 400: ErrorBody, 413: ErrorBody, 422: ErrorBody}
DESCRIBED = {
    "responses": {
        400: {"description": "The body is not JSON, or a day is none."},
        413: {"description": "The body has more bytes than is read; the error names the limit."},
        422: {"description": "A value is missing or out of bounds; the error names it and its limit."},
    }
}
router = Router(tags=["citations"])


class CitingText(Schema):
    """A text, and where it stands."""

    text: str = Field(
        ...,
        description="Any running text; offsets in the answer count its Unicode code points.",
        max_length=LONGEST_TEXT,
        json_schema_extra={"example": EXAMPLE},
    )
    host: str = Field(
        "",
        description='The provision that the text is of, in any form: what "este artículo" and "esta Ley" mean in it.',
        max_length=LONGEST_CITATION,
        json_schema_extra={"example": "ley-990-2019:art-11"},
    )
    as_of: Day | None = Field(None, description="Resolve on this day; without it, on today's.")


@router.post(
    "/citations/extract",
    operation_id="extract_citations",
    summary="Find the citations in a text",
    response=ANSWERS,
    openapi_extra=DESCRIBED,
)
def extract_citations(request: HttpRequest, body: Body[CitingText]) -> ExtractedCitations:
    """Find every citation of a text, carry its context on, and resolve each; what is not held is listed apart."""
    return extraction.extract(body.text, host=body.host, as_of=body.as_of)

"""Texts that cite: every citation of one, found and resolved; and citations with what is said to be in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninja import Body, Field, Router
from pydantic import JsonValue

from search import extraction, verification
from search.api.errors import ErrorBody
from search.api.keys import VerifyKey
from search.api.parameters import Day, WholeBody
from search.extraction import LONGEST_TEXT, ExtractedCitations
from search.lookup import LONGEST_CITATION
from search.verification import LONGEST_QUOTE, LONGEST_TITLE, MOST_ITEMS, Item, Verification

if TYPE_CHECKING:
    from django.http import HttpRequest

EXAMPLE_ITEMS: list[JsonValue] = [
    {"citation": "art. 11.4.b) de la Ley 990/2019", "quote": "«sin requerimiento previo»"},
    {"citation": "ley-990-2019:art-11", "title": "Recargos por declaración tardía", "as_of": "2023-01-01"},
]
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
router = Router(auth=VerifyKey(), tags=["citations"])


class CitingText(WholeBody):
    """A text, and where it stands."""

    text: str = Field(
        ...,
        description="Any running text; offsets in the answer count its Unicode code points.",
        max_length=LONGEST_TEXT,
        json_schema_extra={"example": EXAMPLE},
    )
    host: str | None = Field(
        None,
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
    return extraction.extract(body.text, host=body.host or "", as_of=body.as_of)


class ItemToVerify(WholeBody):
    """A citation, and what is said to be in it; any other name is refused, since it would not be verified."""

    citation: str = Field(..., description="A citation in any form.", max_length=LONGEST_CITATION)
    quote: str | None = Field(
        None,
        description="Words that are said to stand there; white space, quotation marks and words divided at the end of "
        "a line do not count.",
        max_length=LONGEST_QUOTE,
    )
    title: str | None = Field(
        None, description="What the law, or the provision's heading, is said to be called.", max_length=LONGEST_TITLE
    )
    as_of: Day | None = Field(None, description="Read the law of this day; without it, today's.")


class ItemsToVerify(WholeBody):
    """Citations to verify together."""

    items: list[ItemToVerify] = Field(..., max_length=MOST_ITEMS, json_schema_extra={"example": EXAMPLE_ITEMS})


@router.post(
    "/citations/verify",
    operation_id="verify_citations",
    summary="Verify citations, quotes and titles",
    response=ANSWERS | {200: Verification},
    openapi_extra=DESCRIBED,
)
def verify_citations(request: HttpRequest, body: Body[ItemsToVerify]) -> Verification:
    """Say of each citation what it resolves to and whether quote and title are as they stand there: facts only."""
    items = [Item(one.citation, one.quote or "", one.title or "", one.as_of) for one in body.items]
    return verification.verify(items)

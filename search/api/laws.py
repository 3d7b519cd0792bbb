"""Laws and their provisions, as lists that a client can follow to their end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninja import Field, Path, Query, Router, Schema, Status
from ninja.decorators import decorate_view

from corpus.identifiers import CitationId, InvalidCitationId
from corpus.jobs import Task
from corpus.models import Law
from corpus.ranks import BOE_ID
from corpus.records import Status as Standing
from search import catalogue
from search.api.caching import CONDITIONAL, revalidated
from search.api.errors import ErrorBody
from search.api.keys import ManageKey
from search.api.parameters import Day, PageParameters
from search.api.queueing import ACCEPTED, JobState, queued
from search.catalogue import ArticleRow, LawDetail, LawFilters, LawRow
from search.requests import check_laws, held_laws, laws_meant, no_id

if TYPE_CHECKING:
    from django.http import HttpRequest

router = Router(tags=["laws"])
LAW_NOT_IN_CORPUS = "law_not_in_corpus"
NOT_HELD = {
    "responses": {
        **CONDITIONAL,
        404: {"description": f"`{LAW_NOT_IN_CORPUS}`: the corpus has no law of that id."},
    }
}
FOLLOW = "Follow `next` until it is null to see each row once."


class LawPage(Schema):
    """A page of laws; `next` is the address of the page after it."""

    items: list[LawRow]
    total: int
    limit: int
    offset: int
    next: str | None


class ArticlePage(Schema):
    """A page of a law's provisions; `next` is the address of the page after it."""

    items: list[ArticleRow]
    total: int
    limit: int
    offset: int
    next: str | None


class LawListParameters(PageParameters):
    """Which laws."""

    q: str = Field(
        "",
        max_length=200,
        description="Words that the title must hold, accents and case aside.",
        json_schema_extra={"example": "estancias"},
    )
    law_rank: list[str] = Field([], description="Rank slugs, such as `ley` or `rd`; repeated or parted by commas.")
    jurisdiction: list[str] = Field([], description="Jurisdictions, such as `es` or `es-ga`.")
    status: list[Standing] = Field([], description="How the whole law stands.")


class ArticleListParameters(PageParameters):
    """Which provisions, and of which day."""

    as_of: Day | None = Field(
        None,
        description="List them as they stood on this day; `text` is null where none was in force then.",
        json_schema_extra={"example": "2023-01-01"},
    )


class LawInPath(Schema):
    """A law."""

    law: str = Field(..., description="A law, by canonical or BOE id.", json_schema_extra={"example": "ley-990-2019"})


@router.get(
    "/laws",
    operation_id="list_laws",
    summary="List laws",
    response={200: LawPage, 422: ErrorBody},
    openapi_extra={"responses": {**CONDITIONAL}},
    description=FOLLOW,
)
@decorate_view(revalidated(is_text=True))
def list_laws(request: HttpRequest, asked: Query[LawListParameters]) -> LawPage:
    """List the laws of the corpus by id."""
    check_laws(asked.law_rank, asked.jurisdiction)
    filters = LawFilters(tuple(asked.q.split()), tuple(asked.law_rank), tuple(asked.jurisdiction), tuple(asked.status))
    items, total = catalogue.laws(filters, asked.limit, asked.offset)
    return LawPage(items=items, total=total, **asked.place, next=asked.next(request, len(items), total))


@router.get(
    "/laws/{law}",
    operation_id="get_law",
    summary="Describe a law",
    response={200: LawDetail, 404: ErrorBody, 422: ErrorBody},
    openapi_extra=NOT_HELD,
)
@decorate_view(revalidated())
def get_law(request: HttpRequest, path: Path[LawInPath]) -> LawDetail | Status[ErrorBody]:
    """Describe one law: what is held of it, and from which source."""
    key = law_key(path.law)
    return (key and catalogue.law(key)) or not_held(path.law)


@router.get(
    "/laws/{law}/articles",
    operation_id="list_articles",
    summary="List a law's provisions",
    response={200: ArticlePage, 400: ErrorBody, 404: ErrorBody, 422: ErrorBody},
    openapi_extra=NOT_HELD,
    description="In the law's own order, with their texts. " + FOLLOW,
)
@decorate_view(revalidated(is_text=True))
def list_articles(
    request: HttpRequest, path: Path[LawInPath], asked: Query[ArticleListParameters]
) -> ArticlePage | Status[ErrorBody]:
    """List a law's provisions as they stand today or stood on a day."""
    key = law_key(path.law)
    law = Law.objects.filter(key=key).first() if key else None
    if law is None:
        return not_held(path.law)
    items, total = catalogue.articles(law, asked.as_of, asked.limit, asked.offset)
    return ArticlePage(items=items, total=total, **asked.place, next=asked.next(request, len(items), total))


@router.delete(
    "/laws/{law}",
    operation_id="delete_law",
    auth=ManageKey(),
    tags=["manage"],
    summary="Delete a law",
    response={202: JobState, 404: ErrorBody, 422: ErrorBody},
    openapi_extra={"responses": {202: {"description": ACCEPTED}, 404: NOT_HELD["responses"][404]}},
)
def delete_law(request: HttpRequest, path: Path[LawInPath]) -> Status[JobState] | Status[ErrorBody]:
    """Queue the deletion of a law with all its versions and vectors."""
    key = law_key(path.law)
    if key is None or not Law.objects.filter(key=key).exists():
        return not_held(path.law)
    return queued(request, Task.DELETE_LAWS, {"laws": [key]})


def law_key(given: str) -> str | None:
    """Read a law's canonical or BOE id, in any case; None for what cannot be one, or is the BOE id of no law held."""
    try:
        cited = CitationId.parse(given)
    except InvalidCitationId:
        return None
    if cited != CitationId(cited.law):
        return None
    return held_laws([cited.law]).get(cited.law) if BOE_ID.fullmatch(cited.law.upper()) else cited.law


def not_held(given: str) -> Status[ErrorBody]:
    """Say that no law of the corpus has that id, and which laws may be meant."""
    meant = laws_meant(given)
    limit = ", ".join(meant) or None
    return Status(404, ErrorBody(code=LAW_NOT_IN_CORPUS, detail=no_id(given, meant), parameter="law", limit=limit))

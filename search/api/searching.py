"""Search: the question and its conditions, handed to the one retrieval that pages and commands use too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ninja import Field, Query, Router, Schema

from corpus.records import ArticleKind
from corpus.records import Status as Standing
from search import query_log
from search.api.errors import ErrorBody
from search.api.parameters import Day, Share, Whole, address_of
from search.questions import MAX_CHARACTERS
from search.requests import MAX_DEPTH, MAX_LIMIT
from search.responses import RetrievalResponse
from search.retrieval import RetrievalRequest, retrieve

if TYPE_CHECKING:
    from django.http import HttpRequest

router = Router(tags=["search"])


_RENAMED = {"q", "law", "law_rank", "jurisdiction", "kind", "status", "fields", "explain"}


class SearchParameters(Schema):
    """The question and the conditions its answers must meet; lists are repeated or parted by commas."""

    q: str = Field(
        ...,
        description=(
            'A question, words, a `"phrase"`, `-word`, `heading:word`, or a citation in any form. '
            "In more than 15 words, quotation marks and dashes are read as those of prose."
        ),
        json_schema_extra={
            "example": "recargo por declarar tarde sin requerimiento",
            "minLength": 1,
            "maxLength": MAX_CHARACTERS,
        },
    )
    limit: Whole = Field(10, ge=1, le=MAX_LIMIT, description="Hits on a page.")
    offset: Whole = Field(
        0,
        ge=0,
        lt=MAX_DEPTH,
        description=f"Hits to skip; past the end the page is empty. With `limit` it reaches {MAX_DEPTH} at most.",
    )
    mode: Literal["auto", "hybrid", "lexical", "semantic"] = Field("auto", description="Which arms take part.")
    law: list[str] = Field([], description="Laws, by canonical or BOE id.")
    law_rank: list[str] = Field([], description="Ranks, such as `ley` or `rd`.")
    jurisdiction: list[str] = Field([], description="Jurisdictions, such as `es` or `es-ga`.")
    kind: list[ArticleKind] = Field([], description="Kinds of provision.")
    status: list[Standing] = Field([], description="How the provision stands on the day.")
    valid_from: Day | None = Field(
        None,
        alias="from",
        description="The text began to apply on this day or later; one whose beginning is unknown is left out.",
    )
    valid_to: Day | None = Field(
        None,
        alias="to",
        description="The text began to apply on this day or before; an unknown one is before `as_of`, no more.",
    )
    as_of: Day | None = Field(None, description="Search the law of this day; without it, today's.")
    include_repealed: bool = Field(False, description="Add the last text of provisions without force.")
    min_score: Share | None = Field(None, description="The least score shown.")
    fusion: Literal["auto", "rrf", "weighted"] = Field("auto", description="How the two rankings become one.")
    semantic_weight: Share | None = Field(None, description="The semantic arm's share in the fusion.")
    rerank: bool | None = Field(None, description="Whether a reranker orders the head; by default where it helps.")
    explain: str | None = Field(
        None, max_length=2_000, description="`true` says of each hit how it got there; a citation, also why it is not."
    )
    fields: list[Literal["heading", "text", "law"]] = Field([], description="What is searched; by default all.")
    sort: Literal["relevance", "newest", "oldest"] = Field("relevance", description="The order of the hits.")

    def request(self) -> RetrievalRequest:
        """Put the question to retrieval."""
        as_asked = self.model_dump(exclude=_RENAMED)
        return RetrievalRequest(
            query=self.q,
            laws=tuple(self.law),
            ranks=tuple(self.law_rank),
            jurisdictions=tuple(self.jurisdiction),
            kinds=tuple(self.kind),
            statuses=tuple(self.status),
            fields=tuple(self.fields),
            explain=_explain(self.explain),
            **as_asked,
        )


def _explain(asked: str | None) -> bool | str | None:
    """Read `true`, `false` or a citation."""
    if asked is None or asked.lower() in ("", "false", "0"):
        return None
    return True if asked.lower() in ("true", "1") else asked


class SearchAnswer(RetrievalResponse):
    """A page of hits; `next` is the address of the page after it, null after the last.

    `total` counts what was ranked for this page: it grows with `offset` as long as `total_is_capped`.
    """

    next: str | None


@router.get(
    "/search",
    operation_id="search",
    summary="Search",
    response={200: SearchAnswer, 400: ErrorBody, 422: ErrorBody},
    openapi_extra={
        "responses": {
            200: {"description": "The hits, and the mode that found them; `degraded` says which arm was missing."},
            400: {"description": "A day is none, or disagrees with the one in the citation."},
            422: {"description": "A parameter is missing or out of its bounds."},
        }
    },
)
def search(request: HttpRequest, asked: Query[SearchParameters]) -> SearchAnswer:
    """Answer a question with provisions, best first; what it cites comes resolved, with its text."""
    wanted = asked.request()
    answer = retrieve(wanted)
    query_log.note(wanted, answer, "api")
    return SearchAnswer.model_construct(**dict(answer), next=_next(request, answer))


def _next(request: HttpRequest, answer: RetrievalResponse) -> str | None:
    """Give the address of the next page; the last that is ranked may be shorter than was asked for."""
    following = answer.offset + answer.limit
    has_more = following < answer.total or (answer.may_go_on and len(answer.hits) == answer.limit)
    if not has_more or following >= MAX_DEPTH:
        return None
    return address_of(request, offset=following, limit=min(answer.limit, MAX_DEPTH - following))

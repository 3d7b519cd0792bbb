"""Grounding: what a language model should read on a question, as JSON or as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from django.http import HttpResponse
from ninja import Field, Query, Router, Schema
from ninja.decorators import decorate_view

from corpus.records import ArticleKind
from search import context
from search.api.caching import CONDITIONAL, revalidated
from search.api.errors import ErrorBody
from search.api.parameters import Day, Share, Whole
from search.context_answers import Context
from search.context_markdown import write
from search.questions import MAX_CHARACTERS
from search.retrieval import RetrievalRequest

if TYPE_CHECKING:
    from django.http import HttpRequest

router = Router(tags=["search"])
MARKDOWN = "text/markdown"
TYPES = ["application/json", MARKDOWN]
DESCRIBED: dict[str, Any] = {
    "responses": {
        200: {
            "description": "The provisions, best first; where nothing grounds the question there are none, and "
            "`empty` says why.",
            "content": {MARKDOWN: {"schema": {"type": "string"}}},
        },
        **CONDITIONAL,
        400: {"description": "A day is none, or disagrees with the one in the citation."},
        422: {"description": "A parameter is missing or out of its bounds."},
    }
}


class ContextParameters(Schema):
    """The question, the room there is for its answer, and the conditions that provisions must meet."""

    q: str = Field(
        ...,
        description="A question in natural language, or a citation in any form.",
        json_schema_extra={
            "example": "recargo por declarar tarde sin requerimiento",
            "minLength": 1,
            "maxLength": MAX_CHARACTERS,
        },
    )
    max_tokens: Whole = Field(
        context.USUAL_TOKENS,
        ge=context.LEAST_TOKENS,
        le=context.MOST_TOKENS,
        description="The most that the Markdown rendering takes, by the estimate that `tokenizer` names.",
    )
    as_of: Day | None = Field(None, description="Read the law of this day; without it, today's.")
    mode: Literal["auto", "hybrid", "lexical", "semantic"] = Field("auto", description="Which arms take part.")
    law: list[str] = Field([], description="Laws, by canonical or BOE id.")
    law_rank: list[str] = Field([], description="Ranks, such as `ley` or `rd`.")
    jurisdiction: list[str] = Field([], description="Jurisdictions, such as `es` or `es-ga`.")
    kind: list[ArticleKind] = Field([], description="Kinds of provision.")
    min_score: Share | None = Field(None, description="The least score given.")
    min_confidence: Share = Field(
        context.LEAST_CONFIDENCE,
        description="The least `confidence` that grounds an answer; of less, nothing is given. 0 gives whatever was "
        "found. Where `confidence` is null nothing is withheld.",
    )
    format: Literal["json", "markdown"] | None = Field(
        None, description="The rendering; without it, what `Accept` asks for: `text/markdown`, or else JSON."
    )

    def request(self) -> RetrievalRequest:
        """Put the question to retrieval."""
        return RetrievalRequest(
            query=self.q,
            mode=self.mode,
            laws=tuple(self.law),
            ranks=tuple(self.law_rank),
            jurisdictions=tuple(self.jurisdiction),
            kinds=tuple(self.kind),
            as_of=self.as_of,
            min_score=self.min_score,
        )


@router.get(
    "/context",
    operation_id="get_context",
    summary="Ground a question",
    response={200: Context, 400: ErrorBody, 422: ErrorBody},
    openapi_extra=DESCRIBED,
)
@decorate_view(revalidated())
def get_context(request: HttpRequest, asked: Query[ContextParameters]) -> Context | HttpResponse:
    """Give what a language model should read: verbatim provisions within a budget, each with its source and hash."""
    found = context.ground(asked.request(), asked.max_tokens, min_confidence=asked.min_confidence)
    if asked.format == "markdown" or (asked.format is None and request.get_preferred_type(TYPES) == MARKDOWN):
        return HttpResponse(write(found), content_type=f"{MARKDOWN}; charset=utf-8")
    return found

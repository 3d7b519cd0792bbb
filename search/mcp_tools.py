"""The tools and resources that language models are given over MCP: the same search, lookup and checks as the API."""

from __future__ import annotations

import asyncio
import inspect
import time
from contextlib import contextmanager
from datetime import date
from functools import partial, wraps
from types import new_class
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

from django.core.signals import request_finished, request_started
from django.db import DatabaseError
from django.utils import translation
from mcp.server.mcpserver import Context as Call
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import (
    ResourceError,
    ResourceNotFoundError,
    ToolError,
    UnexpectedToolError,
)
from mcp.server.mcpserver.tools import Tool
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from search import context, context_markdown, extraction, lookup, verification
from search.api.errors import NOT_A_DAY, from_validation
from search.asked import parse_day
from search.context_answers import Context
from search.errors import InputError
from search.extraction import LONGEST_TEXT, ExtractedCitations
from search.keys import Caller, Refusal
from search.lookup import LONGEST_CITATION
from search.metrics import TOOL_CALLS
from search.questions import MAX_CHARACTERS
from search.requests import RetrievalRequest
from search.responses import RESOLVED, VERSION, Resolution
from search.verification import LONGEST_QUOTE, LONGEST_TITLE, MOST_ITEMS, Verification

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from concurrent.futures import Executor

INSTRUCTIONS = (
    "Verbatim law with its dates, status, hash and official source. Look law up before you cite it. Quote only text "
    "that a tool returned, name its citation and the dates it is in force, and say so when status is not in_force. An "
    "outcome other than found, or an empty answer, means that this corpus does not ground the claim: say that, and do "
    "not fill the gap from memory. Before you answer, check your own citations and quotes with verify_quotes."
)
READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
RESOURCE = "law://{citation}"


def _day(given: Any) -> date | None:
    """Read a day as it is written, never a number as the seconds since 1970."""
    try:
        return None if given is None else parse_day(str(given))
    except ValueError:
        raise PydanticCustomError(NOT_A_DAY, "no day") from None


Day = Annotated[
    date | None,
    BeforeValidator(_day),
    Field(description="Read the law of this day, as YYYY-MM-DD; without it, today's.", examples=["2023-01-01"]),
]
Cited = Annotated[
    str,
    Field(
        description="A citation in any form: ley-58-2003:art-27.2, 'art. 27.2 LGT', a BOE id or address.",
        max_length=LONGEST_CITATION,
    ),
]


def _without_nulls(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


class Provision(Resolution):
    """What a citation resolved to; `outcome` says whether it did."""

    mode: Literal["citation"] = "citation"


class Quote(BaseModel):
    """A citation, and what is said to be in it."""

    model_config = ConfigDict(extra="forbid")

    citation: Cited
    quote: str = Field("", description="Words that are said to stand there.", max_length=LONGEST_QUOTE)
    title: str = Field("", description="What the law or provision is said to be called.", max_length=LONGEST_TITLE)
    as_of: Day = None

    @model_validator(mode="before")
    @classmethod
    def without_nulls(cls, given: Any) -> Any:
        """Take null for what is not given, as models write it."""
        return _without_nulls(given) if isinstance(given, dict) else given


def search_law(  # noqa: PLR0913 (each is a parameter of the tool)
    question: Annotated[
        str,
        Field(description="A question in natural language, or a citation.", min_length=1, max_length=MAX_CHARACTERS),
    ],
    max_tokens: Annotated[
        int,
        Field(
            description="The most that the answer takes.", ge=context.LEAST_TOKENS, le=context.MOST_TOKENS, strict=True
        ),
    ] = context.USUAL_TOKENS,
    as_of: Day = None,
    laws: Annotated[list[str], Field(description="Search only these laws, by canonical or BOE id.")] = [],  # noqa: B006
    mode: Annotated[
        Literal["auto", "hybrid", "lexical", "semantic"], Field(description="Which arms take part.")
    ] = "auto",
    min_confidence: Annotated[
        float,
        Field(
            description="The least confidence that grounds an answer; 0 gives whatever was found.",
            ge=0,
            le=1,
            strict=True,
        ),
    ] = context.LEAST_CONFIDENCE,
) -> Annotated[CallToolResult, Context]:
    """Find the provisions that answer a question: verbatim, whole parts, best first, each with dates, hash and source.

    `empty` says why there are none; then nothing in this corpus grounds the question.
    """
    asked = RetrievalRequest(question, as_of=as_of, laws=tuple(laws), mode=mode)
    found = context.ground(asked, max_tokens, channel="mcp", min_confidence=min_confidence)
    return CallToolResult(
        content=[TextContent(type="text", text=context_markdown.write(found))],
        structured_content=found.model_dump(mode="json"),
    )


def get_provision(citation: Cited, as_of: Day = None) -> Provision:
    """Give the exact text of a provision, or of a numbered part of one, on a day; never a guess.

    `outcome` is found, partial, ambiguous (see `candidates`), no_such_provision, law_not_in_corpus, not_in_force,
    history_not_held or unparsable.
    """
    return Provision(**lookup.lookup(citation, as_of=as_of).model_dump())


def extract_citations(
    text: Annotated[str, Field(description="Any running text.", max_length=LONGEST_TEXT)],
    host: Annotated[
        str, Field(description="The provision that the text is of, if it is.", max_length=LONGEST_CITATION)
    ] = "",
    as_of: Day = None,
) -> ExtractedCitations:
    """Find every citation of law in a text, with offsets in code points, and resolve each."""
    return extraction.extract(text, host=host, as_of=as_of)


def verify_quotes(items: Annotated[list[Quote], Field(max_length=MOST_ITEMS)]) -> Verification:
    """Check whether citations resolve and quotes stand verbatim in them: facts, with the nearest wording if not."""
    return verification.verify([verification.Item(one.citation, one.quote, one.title, one.as_of) for one in items])


def read_law(citation: str) -> str:
    """Read a law or provision by canonical id (law://ley-58-2003:art-27.2, @2019-06-30 for a day) as Markdown."""
    try:
        found = lookup.lookup_id(citation)
    except InputError as error:
        raise ResourceNotFoundError(f"{error.code}: {error.detail}") from error
    if found.outcome not in RESOLVED:
        told = f". {found.detail}" if found.detail else ""
        raise ResourceNotFoundError(f"{found.outcome}: {citation[:200]}{told}")
    return context_markdown.resolved(found)


SCOPES: dict[Callable[..., Any], str] = {
    search_law: "read",
    get_provision: "read",
    extract_citations: "verify",
    verify_quotes: "verify",
}


def make_server(pool: Executor) -> MCPServer[Any]:
    """Give an MCP server that works in the threads of `pool`, since the database's connections are bound to threads."""
    server: MCPServer[Any] = MCPServer(
        "fundamento",
        title="Fundamento",
        version=VERSION,
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        tools=[_strict(_in_a_thread(tool, pool, scope)) for tool, scope in SCOPES.items()],
    )
    read = _in_a_thread(read_law, pool, "read", failure=ResourceError)
    server.resource(RESOURCE, name="law", mime_type="text/markdown")(read)
    return server


class StrictTool(Tool):
    """A tool that takes null for what is not given, and tells what is wrong with its arguments as other errors."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        """Run it as the SDK does; raise `ToolError` with each argument at fault."""
        try:
            return await super().run(_without_nulls(arguments), context, convert_result)
        except ToolError as error:
            if isinstance(error, UnexpectedToolError) or not isinstance(error.__cause__, ValidationError):
                raise
            raise ToolError(f"Error executing tool {self.name}: {_worded(error.__cause__)}") from error


def _worded(wrong: ValidationError) -> str:
    """Say what is wrong with arguments, each with the stable code that the API has for it."""
    with translation.override("en"):
        told = [
            from_validation({**one, "loc": ("body", "body", *one["loc"])}) for one in wrong.errors(include_url=False)
        ]
    return " ".join(f"{one.code}: {one.detail}" for one in told)


def _strict(function: Callable[..., Any]) -> Tool:
    """Make a tool that overlooks no argument: with `asof` for `as_of` it would read today's law."""
    tool = StrictTool.from_function(function, annotations=READ_ONLY)
    given = tool.fn_metadata.arg_model
    changed = {"model_config": ConfigDict(extra="forbid"), "__module__": __name__}
    strict: Any = new_class(given.__name__, (given,), exec_body=lambda body: body.update(changed))
    tool.fn_metadata = tool.fn_metadata.model_copy(update={"arg_model": strict})
    tool.parameters = strict.model_json_schema(by_alias=True)
    return tool


def _in_a_thread(
    function: Callable[..., Any], pool: Executor, scope: str, failure: type[Exception] = ToolError
) -> Callable[..., Awaitable[Any]]:
    """Make a coroutine of a tool: it asks for the scope, then works in a thread; what is wrong is told to the model."""
    # What the tool calls the parameters of search and lookup.
    own_names = {"q": next(iter(inspect.signature(function).parameters)), "law": "laws"}

    @wraps(function)
    async def call(*, call: Call, **given: Any) -> Any:
        loop, result = asyncio.get_running_loop(), "failed"
        started = time.perf_counter()
        try:
            if caller := caller_of(call):
                caller.require(scope)
            answer = await loop.run_in_executor(pool, partial(_work, function, given))
            result = "answered"
        except (InputError, Refusal) as error:
            result = error.code
            parameter = f" ({own_names.get(error.parameter, error.parameter)})" if isinstance(error, InputError) else ""
            raise failure(f"{error.code}: {error.detail}{parameter}") from error
        except DatabaseError as error:
            raise failure("database_unavailable: try again in a few seconds") from error
        finally:
            TOOL_CALLS.labels(function.__name__, result).observe(time.perf_counter() - started)
        return answer

    kinds = get_type_hints(function, include_extras=True)
    given = inspect.signature(function).parameters.values()
    asked = [one.replace(annotation=kinds[one.name]) for one in given]
    asked.append(inspect.Parameter("call", inspect.Parameter.KEYWORD_ONLY, annotation=Call))
    call.__annotations__ = kinds | {"call": Call}
    call.__signature__ = inspect.Signature(asked, return_annotation=kinds["return"])  # type: ignore[attr-defined]
    return call


def _work(function: Callable[..., Any], given: dict[str, Any]) -> Any:
    with a_request(), translation.override("en"):
        return function(**given)


@contextmanager
def a_request() -> Iterator[None]:
    """Do as Django does around each of its requests: check the thread's connection, and hand it back."""
    request_started.send(sender=MCPServer)
    try:
        yield
    finally:
        request_finished.send(sender=MCPServer)


def caller_of(call: Call[Any, Any]) -> Caller | None:
    """Give who asks over HTTP; None is whoever started this process, and may do all that tools do."""
    request = call.request_context.request
    return request.scope["caller"] if request is not None else None

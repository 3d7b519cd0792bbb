"""The API's documentation page: made from the OpenAPI document, no scripts, a plain form to try each query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.shortcuts import render
from django.utils.html import format_html, format_html_join
from ninja.openapi.docs import DocsBase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString
    from ninja import NinjaAPI

BOUNDS = {
    "minimum": "≥ {}",
    "maximum": "≤ {}",
    "exclusiveMaximum": "< {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
}


@dataclass(frozen=True)
class Parameter:
    """One parameter as the page shows it."""

    name: str
    place: str
    is_required: bool
    kind: SafeString
    description: SafeString
    example: str
    choices: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class Operation:
    """One operation; `try_url` is where its form goes, or an example's address where the path has parameters."""

    id: str
    method: str
    path: str
    summary: str
    description: SafeString
    parameters: tuple[Parameter, ...]
    responses: tuple[tuple[str, SafeString, SafeString], ...]
    try_url: str


class DocumentationPage(DocsBase):
    """Shows every operation with its parameters and answers, and every schema."""

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        """Give the page."""
        document = api.get_openapi_schema(path_params=kwargs)
        context = {
            "document": document,
            "openapi_url": self.get_openapi_url(api, kwargs),
            "operations": list(operations(document)),
            "schemas": [
                (name, prose(schema.get("description", "")), list(_properties(schema)))
                for name, schema in document["components"]["schemas"].items()
            ],
        }
        return render(request, "api/docs.html", context)


def operations(document: dict[str, Any]) -> Iterator[Operation]:
    """Give the document's operations in their order."""
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            parameters = tuple(_parameter(parameter) for parameter in described["parameters"])
            yield Operation(
                id=described["operationId"],
                method=method.upper(),
                path=path,
                summary=described["summary"],
                description=prose(described.get("description", "")),
                parameters=parameters,
                responses=tuple(_responses(described["responses"])),
                try_url=path.format(**{one.name: one.example for one in parameters if one.place == "path"}),
            )


def _parameter(parameter: dict[str, Any]) -> Parameter:
    schema = parameter["schema"]
    default = schema.get("default")
    return Parameter(
        name=parameter["name"],
        place=parameter["in"],
        is_required=parameter["required"],
        kind=kind(schema),
        description=prose(parameter.get("description", "")),
        example=str(parameter.get("example", "")),
        choices=tuple(schema.get("enum", ())),
        default="" if default in (None, []) else str(default).lower() if isinstance(default, bool) else str(default),
    )


def _responses(responses: dict[Any, Any]) -> Iterator[tuple[str, SafeString, SafeString]]:
    for status, response in responses.items():
        content = response.get("content", {}).get("application/json", {})
        yield str(status), prose(response["description"]), kind(content.get("schema", {}))


def _properties(schema: dict[str, Any]) -> Iterator[tuple[str, SafeString, SafeString, bool]]:
    for name, described in schema.get("properties", {}).items():
        yield name, kind(described), prose(described.get("description", "")), name in schema.get("required", ())


def prose(text: str) -> SafeString:
    """Show a description, with what stands between backticks as code.

    >>> prose("Ranks, such as `ley`.")
    'Ranks, such as <code>ley</code>.'
    """
    parts = enumerate(text.split("`"))
    return format_html_join("", "{}", ((format_html("<code>{}</code>", part) if i % 2 else part,) for i, part in parts))


def kind(schema: dict[str, Any]) -> SafeString:
    """Say in a few words what a JSON schema allows, with links to named schemas.

    >>> kind({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]})
    'date or null'
    >>> kind({"type": "integer", "minimum": 1, "maximum": 100})
    'integer, ≥ 1, ≤ 100'
    """
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return format_html('<a href="#schema-{}">{}</a>', name, name)
    for union in ("anyOf", "oneOf", "allOf"):
        if union in schema:
            return format_html_join(" or ", "{}", ((kind(one),) for one in schema[union]))
    if "enum" in schema or "const" in schema:
        values = schema.get("enum") or [schema["const"]]
        return format_html_join(" | ", "<code>{}</code>", ((value,) for value in values))
    if schema.get("type") == "array":
        return format_html("list of {}", kind(schema.get("items", {})))
    limits = [words.format(schema[bound]) for bound, words in BOUNDS.items() if bound in schema]
    return format_html_join(
        ", ", "{}", ((part,) for part in (schema.get("format") or schema.get("type", "any"), *limits))
    )

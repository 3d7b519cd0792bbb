"""The API object's own manners: HEAD wherever GET is, typed errors, no parameter overlooked, readable JSON."""

from __future__ import annotations

import json
import re
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpResponseNotAllowed
from django.urls import URLPattern
from django.urls.converters import StringConverter
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.parser import Parser
from ninja.renderers import JSONRenderer

from search.api import keys
from search.api.errors import LONGEST_NAME, UNPROCESSABLE, ErrorBody
from search.asked import readable, unreadable, without_controls
from search.errors import UnknownParameter, UnknownValue

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponseBase
    from django.urls import URLResolver
    from django.utils.datastructures import MultiValueDict
    from ninja.openapi.schema import OpenAPISchema

UNAVAILABLE = {
    "description": "The database does not answer; `Retry-After` says when to try again.",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}},
}


_PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


class Anything(StringConverter):
    """The rest of a path, line breaks too."""

    regex = r"(?s:.+)"


class ReadableJSON(JSONRenderer):
    """JSON as UTF-8; what UTF-8 cannot hold becomes a question mark."""

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:
        """Give the body."""
        return json.dumps(data, cls=self.encoder_class, ensure_ascii=False).encode(errors="replace")


class QueryParser(Parser):
    """Query strings without control characters; a parameter without value is not given, a list may have commas.

    A value with nothing but control characters or commas is refused: to take it for none would widen the question.
    """

    def parse_querydict(
        self, data: MultiValueDict[str, str], list_fields: list[str], request: HttpRequest
    ) -> dict[str, Any]:
        """Give the parameters as the operations' schemas take them."""
        given: dict[str, Any] = {}
        for name in data:
            is_list, written = name in list_fields, data.getlist(name)
            values = _parts(written) if is_list else written
            wanted = [value for value in (_readable(value, name) for value in values) if value]
            if wanted:
                given[name] = wanted if is_list else _only(name, wanted)
            elif any(map(_is_more_than_blank, written)):
                raise unreadable(name)
        return given

    def parse_body(self, request: HttpRequest) -> Any:
        """Give a JSON body; raise `UnknownValue` for a name that an object has twice."""
        return json.loads(request.body, object_pairs_hook=_each_once)


def _only(name: str, values: list[str]) -> str:
    if len(set(values)) > 1:
        raise _given_twice(name)
    return values[0]


def _given_twice(name: str) -> UnknownValue:
    return UnknownValue(_("%(name)s se ha dado más de una vez.") % {"name": name}, parameter=name, limit=1)


def _parts(values: list[Any]) -> list[Any]:
    texts = [part for value in values if isinstance(value, str) for part in value.split(",")]
    return texts + [value for value in values if not isinstance(value, str)]


def _readable(value: Any, name: str) -> Any:
    """Give a value without control characters; a file as it is."""
    return readable(value, name) if isinstance(value, str) else value


def _is_more_than_blank(value: Any) -> bool:
    return bool(value.strip()) if isinstance(value, str) else True


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _given_twice(without_controls(name)[:LONGEST_NAME])
        found[name] = value
    return found


class GroundingAPI(NinjaAPI):
    """Ninja's API whose every answer is JSON, wrong methods included, and whose document says all it does."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._documents: dict[str, OpenAPISchema] = {}

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: dict[str, Any] | None = None
    ) -> OpenAPISchema:
        """Give the OpenAPI document, made once; what holds for every operation is written into each."""
        prefix = self.get_root_path(path_params or {}) if path_prefix is None else path_prefix
        if prefix not in self._documents:
            self._documents[prefix] = _completed(super().get_openapi_schema(path_prefix=prefix))
        return self._documents[prefix]

    @property
    def urls(self) -> tuple[list[URLResolver | URLPattern], str, str]:
        """Give the URL configuration with each view wrapped."""
        patterns, app_name, namespace = super().urls
        return [self._mannered(pattern) for pattern in patterns], app_name, namespace

    def _mannered(self, pattern: URLResolver | URLPattern) -> URLResolver | URLPattern:
        if isinstance(pattern, URLPattern):
            pattern.callback = self._answering(pattern.callback, _PLACE.sub(r"{\1}", str(pattern.pattern)))
        return pattern

    def _answering(self, view: Callable[..., HttpResponseBase], path: str) -> Callable[..., HttpResponseBase]:
        # Of the document and its page ninja makes no operations, which know their methods.
        is_for_reading = isinstance(view, partial)

        @csrf_exempt  # a key says who asks, never a cookie
        @wraps(view)
        def answer(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
            method = request.method
            if method == "HEAD":
                request.method = "GET"
            if is_for_reading and request.method != "GET":
                return self._typed(request, HttpResponseNotAllowed(["GET"]))
            try:
                unknown: Exception | None = self._unknown_parameter(request, path)
            except SuspiciousOperation as too_many:
                unknown = too_many
            response = self.on_exception(request, unknown) if unknown else view(request, *arguments, **named)
            request.method = method
            for name, value in getattr(request, "budget_headers", {}).items():
                response.setdefault(name, value)
            return self._typed(request, response) if isinstance(response, HttpResponseNotAllowed) else response

        return answer

    def _unknown_parameter(self, request: HttpRequest, path: str) -> UnknownParameter | None:
        """Give the error of a parameter that the document does not name: `asof` must not pass for today."""
        methods = self.get_openapi_schema()["paths"].get(self.get_root_path({}) + path, {})
        operation = methods.get((request.method or "").lower())
        if operation is None or UNPROCESSABLE not in operation["responses"]:
            return None
        known = sorted(one["name"] for one in operation["parameters"] if one["in"] == "query")
        unknown = [name for name in request.GET if name not in known]
        if not unknown:
            return None
        name = without_controls(unknown[0])[:LONGEST_NAME]
        detail = _("No hay ningún parámetro «%s».") % name
        return UnknownParameter(detail, parameter=name, limit=", ".join(known) or None)

    def _typed(self, request: HttpRequest, refused: HttpResponseNotAllowed) -> HttpResponseBase:
        methods = set(refused["Allow"].split(", "))
        allowed = sorted(methods | {"HEAD"} if "GET" in methods else methods)
        body = ErrorBody(
            code="method_not_allowed", detail=_("Método no admitido: %s.") % request.method, limit=", ".join(allowed)
        )
        response = self.create_response(request, body.model_dump(), status=405)
        response["Allow"] = ", ".join(allowed)
        return response


def _completed(document: OpenAPISchema) -> OpenAPISchema:
    for path in document["paths"].values():
        for operation in path.values():
            operation["responses"].setdefault(503, UNAVAILABLE)
            for parameter in operation["parameters"]:
                if parameter["in"] == "query" and not parameter["required"]:
                    parameter["allowEmptyValue"] = True
            if "security" in operation:
                keys.describe(operation, UNAVAILABLE)
    return document

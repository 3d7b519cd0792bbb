"""Errors as the API tells them: a stable code, a sentence, the parameter to mend and its limit."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpResponse, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import defaults
from ninja import Schema
from ninja.errors import HttpError, ValidationError

from search import metrics
from search.errors import (
    BlankQuery,
    InputError,
    InvalidDate,
    InvalidLimit,
    InvalidOffset,
    NoSuchVersion,
    TextTooLong,
    TooManyItems,
    UnknownParameter,
    UnknownValue,
)
from search.figures import figure
from search.keys import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest
    from ninja import NinjaAPI

LOGGER = logging.getLogger(__name__)
UNPROCESSABLE = 422
UNREADABLE = 400
RETRY_SECONDS = 5
LONGEST_NAME = 100
API_PATH = "/api/"
BOUNDS = ("le", "ge", "lt", "gt", "max_length", "min_length", "expected")
STATUS = {InvalidDate.code: 400, NoSuchVersion.code: 404}
CODE_BY_PARAMETER = {
    "q": BlankQuery.code,
    "limit": InvalidLimit.code,
    "max_tokens": InvalidLimit.code,
    "offset": InvalidOffset.code,
    "as_of": InvalidDate.code,
    "from": InvalidDate.code,
    "to": InvalidDate.code,
}

MISSING = "missing_value"
# Errors of `search.api.parameters` beside pydantic's own.
NOT_A_DAY, NOT_WHOLE, NOT_A_NUMBER = "not_a_day", "not_whole", "not_a_number"
CODE_BY_TYPE = {
    "missing": MISSING,
    "string_too_long": TextTooLong.code,
    "too_long": TooManyItems.code,
    "extra_forbidden": UnknownParameter.code,
}
# pydantic writes choices as "'auto', 'hybrid' or 'lexical'".
_CHOICE = re.compile(r"'([^']*)'")


class ErrorBody(Schema):
    """What is wrong with a request: the parameter at fault and what it may be, where there is one."""

    code: str
    detail: str
    parameter: str | None = None
    limit: int | float | str | None = None


def install(api: NinjaAPI) -> None:
    """Make `api` answer every error with an `ErrorBody`."""
    for kind, refuse in REFUSALS.items():
        api.add_exception_handler(kind, partial(refuse, api))


def _refuse_caller(api: NinjaAPI, request: HttpRequest, refusal: Refusal) -> HttpResponse:
    metrics.REFUSALS.labels(refusal.code).inc()
    response = _answer(api, request, ErrorBody(code=refusal.code, detail=refusal.detail), refusal.status)
    for name, value in refusal.headers.items():
        response[name] = value
    return response


def _refuse_input(api: NinjaAPI, request: HttpRequest, error: InputError) -> HttpResponse:
    body = ErrorBody(code=error.code, detail=error.detail, parameter=error.parameter, limit=error.limit)
    return _answer(api, request, body, STATUS.get(error.code, UNPROCESSABLE))


def _refuse_parameters(api: NinjaAPI, request: HttpRequest, error: ValidationError) -> HttpResponse:
    body = from_validation(error.errors[0])
    return _answer(api, request, body, STATUS.get(body.code, UNPROCESSABLE))


def _refuse_body(api: NinjaAPI, request: HttpRequest, error: HttpError) -> HttpResponse:
    """Refuse a body that is no JSON, or whose reading was refused: the only error of ninja's own that reaches here."""
    if isinstance(error.__cause__, InputError):
        return _refuse_input(api, request, error.__cause__)
    body = ErrorBody(code="invalid_json", detail=_("El cuerpo de la petición no es JSON."))
    return _answer(api, request, body, error.status_code)


def _refuse_size(api: NinjaAPI, request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    detail = _("El cuerpo de la petición tiene más de %(limit)d bytes.") % {"limit": limit}
    return _answer(api, request, ErrorBody(code="body_too_large", detail=detail, limit=limit), 413)


def _refuse_form(api: NinjaAPI, request: HttpRequest, error: Exception) -> HttpResponse:
    body = ErrorBody(code="invalid_form", detail=_("El formulario no se puede leer."))
    return _answer(api, request, body, UNREADABLE)


def _refuse_number(api: NinjaAPI, request: HttpRequest, error: SuspiciousOperation) -> HttpResponse:
    """Refuse more fields or files than Django reads."""
    body = ErrorBody(code=TooManyItems.code, detail=_("La petición tiene demasiados campos o ficheros."))
    return _answer(api, request, body, UNPROCESSABLE)


def _refuse_address(api: NinjaAPI, request: HttpRequest, error: Http404) -> HttpResponse:
    return _answer(api, request, ErrorBody(code="not_found", detail=_("En esta dirección no hay nada.")), 404)


def _refuse_for_now(api: NinjaAPI, request: HttpRequest, error: Exception) -> HttpResponse:
    LOGGER.error("no database for %.200r: %s", request.path, error)
    body = ErrorBody(code="database_unavailable", detail=_("La base de datos no responde; inténtelo de nuevo."))
    response = _answer(api, request, body, 503)
    response["Retry-After"] = str(RETRY_SECONDS)
    return response


def _own_up(api: NinjaAPI, request: HttpRequest, error: Exception) -> HttpResponse:
    LOGGER.error("unexpected error at %.200r", request.path, exc_info=error)
    got_request_exception.send(sender=None, request=request)
    return _answer(api, request, ErrorBody(code="internal_error", detail=_("Error interno.")), 500)


REFUSALS: dict[type[Exception], Callable[..., HttpResponse]] = {
    Refusal: _refuse_caller,
    InputError: _refuse_input,
    ValidationError: _refuse_parameters,
    HttpError: _refuse_body,
    RequestDataTooBig: _refuse_size,
    SuspiciousOperation: _refuse_number,
    MultiPartParserError: _refuse_form,
    Http404: _refuse_address,
    OperationalError: _refuse_for_now,
    InterfaceError: _refuse_for_now,
    Exception: _own_up,
}


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what Django refuses before the API sees it, such as a wrong host: as JSON where the API is asked."""
    if not request.path_info.startswith(API_PATH):
        return defaults.bad_request(request, exception)
    if isinstance(exception, DisallowedHost):
        body = ErrorBody(code="host_not_allowed", detail=_("Este nombre de servidor no está en ALLOWED_HOSTS."))
    else:
        body = ErrorBody(code="bad_request", detail=_("La petición no se entiende."))
    return refuse(request, UNREADABLE, body)


def refuse(request: HttpRequest, status: int, body: ErrorBody) -> HttpResponse:
    """Answer a request that no view is to see: as JSON where the API is asked, else as a page."""
    if request.path_info.startswith(API_PATH):
        return JsonResponse(body.model_dump(), status=status)
    return render(request, "400.html", {"error": body}, status=status)


def server_error(request: HttpRequest) -> HttpResponse:
    """Own up to an error outside the API's operations, as JSON where the API is asked."""
    if not request.path_info.startswith(API_PATH):
        return defaults.server_error(request)
    return JsonResponse(ErrorBody(code="internal_error", detail=_("Error interno.")).model_dump(), status=500)


def _answer(api: NinjaAPI, request: HttpRequest, body: ErrorBody, status: int) -> HttpResponse:
    return api.create_response(request, body.model_dump(), status=status)


def from_validation(error: dict[str, Any]) -> ErrorBody:
    """Word one of pydantic's errors: which parameter, why, and the bound it broke.

    >>> told = from_validation({"type": "less_than_equal", "loc": ("query", "limit"), "ctx": {"le": 100}, "msg": ""})
    >>> told.code, told.parameter, told.limit
    ('invalid_limit', 'limit', 100)
    >>> from_validation({"type": "missing", "loc": ("body", "body", "items", 1, "citation"), "msg": ""}).parameter
    'items.1.citation'
    """
    name = [place for place in error["loc"] if isinstance(place, str)][-1]
    context = error.get("ctx", {})
    limit = next((context[bound] for bound in BOUNDS if bound in context), None)
    limit = ", ".join(_CHOICE.findall(str(limit))) if error["type"] == "literal_error" else limit
    parameter = _parameter(error["loc"], name)
    code = CODE_BY_TYPE.get(error["type"]) or CODE_BY_PARAMETER.get(name, UnknownValue.code)
    code = BlankQuery.code if (code, parameter) == (MISSING, "q") else code
    detail = f"{parameter}: {_reason(error['type'], limit)}"
    return ErrorBody(code=code, detail=detail, parameter=parameter, limit=limit)


def _parameter(place: Sequence[str | int], name: str) -> str:
    """Give the path to what is wrong in a body ("items.1.citation"), else the parameter's name."""
    source, _argument, *inside = place if len(place) > 1 else (*place, name)
    return ".".join(map(str, inside)) if source == "body" and inside else name


def _reason(kind: str, limit: Any) -> str:
    """Say in the reader's language what an error of pydantic's, or of `search.api.parameters`, means."""
    reasons = {
        "less_than_equal": _("como máximo %(limit)s."),
        "less_than": _("menos de %(limit)s."),
        "greater_than_equal": _("como mínimo %(limit)s."),
        "string_too_long": _("como máximo %(limit)s caracteres."),
        "too_long": _("como máximo %(limit)s elementos."),
        "too_short": _("hacen falta %(limit)s o más."),
        "string_too_short": _("hacen falta %(limit)s o más."),
        "literal_error": _("debe ser uno de %(limit)s."),
        NOT_A_DAY: _("debe ser un día del calendario, escrito como 2019-06-30."),
        NOT_WHOLE: _("debe ser un número entero."),
        "int_type": _("debe ser un número entero."),
        "int_parsing": _("debe ser un número entero."),
        "int_parsing_size": _("debe ser un número entero."),
        "int_from_float": _("debe ser un número entero."),
        NOT_A_NUMBER: _("debe ser un número."),
        "float_type": _("debe ser un número."),
        "float_parsing": _("debe ser un número."),
        "finite_number": _("debe ser un número."),
        "bool_type": _("debe ser true o false."),
        "bool_parsing": _("debe ser true o false."),
        "missing": _("falta."),
        "list_type": _("debe ser una lista."),
        "model_type": _("debe ser un objeto JSON."),
        "model_attributes_type": _("debe ser un objeto JSON."),
        "extra_forbidden": _("no es un nombre que se conozca aquí."),
        "string_type": _("debe ser un texto."),
        "string_unicode": _("debe ser un texto bien formado."),
    }
    told = figure(limit) if isinstance(limit, float) else limit
    return reasons.get(kind, _("no es un valor que se admita.")) % {"limit": told}

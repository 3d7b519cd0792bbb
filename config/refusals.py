"""Requests that are refused before Django reads them, as the site refuses others: in the reader's language, typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from config.wire import REFUSED, Refusal
from search.api.errors import ErrorBody, refuse

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

STATUS = {"body_too_large": 413, "address_too_long": 414}
DETAILS = {
    "body_too_large": _("El cuerpo de la petición tiene más de %(limit)d bytes."),
    "address_too_long": _("La dirección tiene más de %(limit)d bytes."),
}


class Refused:
    """Middleware, where the reader's language is known: answers what the server refused."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a refused request; pass the others on."""
        refused: Refusal | None = request.META.get(REFUSED)
        if refused is None:
            return self.get_response(request)
        detail = DETAILS[refused.code] % {"limit": refused.limit}
        return refuse(request, STATUS[refused.code], ErrorBody(code=refused.code, detail=detail, limit=refused.limit))

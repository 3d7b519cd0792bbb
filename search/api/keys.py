"""Lets callers of the API in: by key, or as anybody where that is open, and counts what they ask."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from ninja.security.http import HttpAuthBase

from search.keys import Caller, admit

if TYPE_CHECKING:
    from django.http import HttpRequest

REFUSALS = {
    401: "`key_required` where it is not open to everybody, or `key_invalid`.",
    403: "`scope_missing`: the key is not good for this.",
    429: "`budget_spent`; `Retry-After` says after how many seconds to ask again.",
}


class Key(HttpAuthBase):
    """Asks for the scope that an operation takes; what the caller has left goes into the answer's headers."""

    openapi_scheme = "bearer"
    scope = ""

    def __call__(self, request: HttpRequest) -> Caller:
        """Give the caller; raise a `Refusal`."""
        caller, spent = admit(request.headers.get("Authorization", ""), request.META.get("REMOTE_ADDR", ""), self.scope)
        request.budget_headers = spent.headers if spent else {}  # type: ignore[attr-defined]
        return caller


class ReadKey(Key):
    """For what reads the corpus."""

    openapi_description = "A key with the scope `read`."
    scope = "read"


class VerifyKey(Key):
    """For what reads the caller's texts."""

    openapi_description = "A key with the scope `verify`."
    scope = "verify"


class ManageKey(Key):
    """For what changes the corpus."""

    openapi_description = "A key with the scope `manage`."
    scope = "manage"


OPEN = {ReadKey.__name__: ReadKey.scope, VerifyKey.__name__: VerifyKey.scope}


def describe(operation: dict[str, Any], error: dict[str, Any]) -> None:
    """Write into an operation that takes a key whether it is open without one, and what becomes of who is refused."""
    names = [name for requirement in operation["security"] for name in requirement]
    if any(OPEN.get(name) in settings.ANONYMOUS_SCOPES for name in names):
        operation["security"].append({})
    for status, description in REFUSALS.items():
        operation["responses"].setdefault(status, error | {"description": description})

"""Asks the JSON API as any client would."""

from __future__ import annotations

from typing import Any

from django.test import Client

from search.keys import renew
from search.models import ApiKey

V1 = "/api/v1"


def get(path: str, *, expect: int = 200, **params: Any) -> dict[str, Any]:
    """Give the body of an answer, which must be JSON of the status that is expected."""
    response = Client().get(f"{V1}{path}", params)
    assert response.status_code == expect, response.content
    assert response["Content-Type"].startswith("application/json")
    body: dict[str, Any] = response.json()
    return body


def issue(name: str, scopes: list[str], **fields: object) -> tuple[ApiKey, str]:
    """Make a key as the admin does; give it with its secret."""
    key = ApiKey(name=name, scopes=scopes, **fields)
    return key, renew(key)

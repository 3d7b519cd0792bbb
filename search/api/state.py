"""The state of the installation: whether it can answer, and what is missing or behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninja import Router, Status

from search.health import Health, look

if TYPE_CHECKING:
    from django.http import HttpRequest

router = Router(auth=None, tags=["state"])
DESCRIBED = {
    "responses": {
        200: {"description": "It answers; `degraded` says that something is missing or behind."},
        503: {"description": "It cannot answer."},
    }
}


@router.get(
    "/health",
    operation_id="get_health",
    summary="Look at the state",
    response={200: Health, 503: Health},
    openapi_extra=DESCRIBED,
)
def get_health(request: HttpRequest) -> Status[Health]:
    """Say whether questions can be answered, and how current index and vectors are."""
    health = look()
    return Status(503 if health.status == "unavailable" else 200, health)

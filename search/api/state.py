"""The state of the installation: whether it can answer, what is missing or behind, and what the corpus holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ninja import Field, Query, Router, Schema, Status

from search import holdings
from search.api.errors import ErrorBody
from search.api.parameters import PageParameters
from search.health import Health, look
from search.holdings import LACKING, SORTS, AbsentLaw, Derived, HeldLaw, Totals, Wanted

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


class Alive(Schema):
    """That the process answers."""

    status: Literal["alive"] = "alive"


@router.get("/health/live", operation_id="get_liveness", summary="Look whether the process answers", response=Alive)
def get_liveness(request: HttpRequest) -> Alive:
    """Say that the process answers, whatever else is wrong; what does not answer is to be started again."""
    return Alive()


class Readiness(Schema):
    """Whether questions should be sent here, and the checks that failed."""

    status: Literal["ready", "not_ready"]
    failed: list[str]


@router.get(
    "/health/ready",
    operation_id="get_readiness",
    summary="Look whether questions can be answered",
    response={200: Readiness, 503: Readiness},
    openapi_extra={"responses": {503: {"description": "Questions are to be sent elsewhere."}}},
)
def get_readiness(request: HttpRequest) -> Status[Readiness]:
    """Say whether the database and an arm of search answer; `/health` tells of everything."""
    health = look()
    failed = [name for name in type(health.checks).model_fields if getattr(health.checks, name).status == "failed"]
    if health.status == "unavailable":
        return Status(503, Readiness(status="not_ready", failed=failed))
    return Status(200, Readiness(status="ready", failed=failed))


class CoverageParameters(PageParameters):
    """Which laws, and in which order."""

    sort: str = Field(
        "id",
        description=f"One of {', '.join(SORTS)}; after `-` the other way round. Unknown values come last.",
        json_schema_extra={"example": "-gaps"},
    )
    lacking: str = Field(
        "",
        description=f"Only laws that lack something of their source: one of {', '.join(LACKING)}.",
        json_schema_extra={"example": "numbers"},
    )


class CoveragePage(Schema):
    """A page of laws with what is held of each, the whole corpus in numbers, and the laws it lacks."""

    items: list[HeldLaw]
    total: int
    limit: int
    offset: int
    next: str | None
    totals: Totals
    derived: Derived
    most_cited_absent: list[AbsentLaw]
    not_covered: list[str]


@router.get(
    "/coverage",
    operation_id="get_coverage",
    summary="Tell what is held",
    response={200: CoveragePage, 422: ErrorBody},
    description="Per law: texts, days, source, completeness, vectors, and numbers missing between its provisions.",
)
def get_coverage(request: HttpRequest, asked: Query[CoverageParameters]) -> CoveragePage:
    """Tell what the corpus holds of each law and in all, and which laws its texts cite that it does not have."""
    items, total = holdings.laws(Wanted(asked.sort, asked.lacking, asked.limit, asked.offset))
    totals = holdings.totals()
    return CoveragePage(
        items=items,
        total=total,
        **asked.place,
        next=asked.next(request, len(items), total),
        totals=totals,
        derived=holdings.derived(),
        most_cited_absent=holdings.most_cited_absent(),
        not_covered=holdings.not_covered(totals.laws_without_history),
    )

"""Comparing: what changed in a provision from one of its versions to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from ninja import Field, Path, Query, Router, Schema, Status
from ninja.decorators import decorate_view
from pydantic import ConfigDict

from corpus.identifiers import CitationId, InvalidCitationId
from corpus.models import Law
from search.api.caching import CONDITIONAL, revalidated
from search.api.errors import ErrorBody
from search.api.laws import law_key, not_held
from search.comparison import Comparison, compare

if TYPE_CHECKING:
    from django.http import HttpRequest

router = Router(tags=["laws"])
NOT_FOUND = "`law_not_in_corpus`, `no_such_provision`, or `no_such_version`, which names the parameter at fault."
VERSION = {"maxLength": 40}


class ProvisionInPath(Schema):
    """A provision of a law by its id in two parts."""

    law: str = Field(..., description="A law, by canonical or BOE id.", json_schema_extra={"example": "ley-990-2019"})
    unit: str = Field(
        ...,
        description="A provision of it, or a numbered part of one, as it stands in a canonical citation id.",
        json_schema_extra={"example": "art-11"},
    )


class TwoVersions(Schema):
    """Which versions, by number from 1, the oldest first, or by a day on which each was in force."""

    model_config = ConfigDict(populate_by_name=True)

    before: str = Field(
        "",
        alias="from",
        description="The version to compare from; without it, the one before that of `to`.",
        json_schema_extra=VERSION | {"example": "2023-01-01"},
    )
    after: str = Field(
        "",
        alias="to",
        description="The version to compare to; without it, today's, or the last if none is in force.",
        json_schema_extra=VERSION | {"example": "2025-04-01"},
    )


@router.get(
    "/laws/{law}/articles/{unit}/diff",
    operation_id="compare_versions",
    summary="Compare two versions of a provision",
    description=(
        "Word by word. Offsets are code points in the verbatim text of the whole provision, in each version; a part "
        "that only one of them has comes or goes whole."
    ),
    response={200: Comparison, 404: ErrorBody, 422: ErrorBody},
    openapi_extra={"responses": {**CONDITIONAL, 404: {"description": NOT_FOUND}}},
    by_alias=True,
)
@decorate_view(revalidated())
def compare_versions(
    request: HttpRequest, path: Path[ProvisionInPath], asked: Query[TwoVersions]
) -> Comparison | Status[ErrorBody]:
    """Compare two versions of a provision, or of a numbered part of it."""
    key = law_key(path.law)
    law = Law.objects.filter(key=key).first() if key else None
    if law is None:
        return not_held(path.law)
    cited = _read(f"{law.key}:{path.unit}")
    found = compare(law, cited, asked.before.strip(), asked.after.strip()) if cited and cited.on is None else None
    return found or _no_such_provision()


def _read(citation: str) -> CitationId | None:
    try:
        return CitationId.parse(citation)
    except InvalidCitationId:
        return None


def _no_such_provision() -> Status[ErrorBody]:
    detail = _("La norma no tiene ese precepto.")
    return Status(404, ErrorBody(code="no_such_provision", detail=detail, parameter="unit"))

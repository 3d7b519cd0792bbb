"""Parameters that several operations share, with the bounds that the OpenAPI document states."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

from django.utils.translation import gettext as _
from ninja import Field, Schema
from pydantic import BeforeValidator, ConfigDict, WithJsonSchema

from search.requests import MAX_LIMIT

if TYPE_CHECKING:
    from django.http import HttpRequest

MAX_OFFSET = 1_000_000
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WHOLE = re.compile(r"-?[0-9]+")


def _day(given: Any) -> date:
    try:
        if not _DAY.fullmatch(str(given)):
            raise ValueError(given)
        return date.fromisoformat(str(given))
    except ValueError:
        raise ValueError(_("debe ser un día del calendario, escrito como 2019-06-30.")) from None


def _whole(given: Any) -> Any:
    if isinstance(given, str) and not _WHOLE.fullmatch(given):
        raise ValueError(_("debe ser un número entero."))
    return given


Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Whole = Annotated[int, BeforeValidator(_whole)]


class WholeBody(Schema):
    """A body of which no field is overlooked: one that does not exist is refused by name."""

    model_config = ConfigDict(extra="forbid")


class PageParameters(Schema):
    """Which part of a list."""

    limit: Whole = Field(20, ge=1, le=MAX_LIMIT, description="Rows on a page.")
    offset: Whole = Field(0, ge=0, le=MAX_OFFSET, description="Rows to skip; past the end the page is empty.")

    @property
    def place(self) -> dict[str, int]:
        """The part of the list, as the answer repeats it."""
        return {"limit": self.limit, "offset": self.offset}

    def next(self, request: HttpRequest, shown: int, total: int) -> str | None:
        """Give the address of the page after this one; None after the last."""
        following = self.offset + self.limit
        if not shown or following >= total:
            return None
        return address_of(request, offset=following)


def address_of(request: HttpRequest, **changed: int) -> str:
    """Give the address of a request with some of its parameters changed."""
    query = request.GET.copy()
    for name, value in changed.items():
        query[name] = str(value)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")

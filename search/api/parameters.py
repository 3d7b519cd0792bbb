"""Parameters that several operations share, with the bounds that the OpenAPI document states."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any

from ninja import Field, Schema
from pydantic import BeforeValidator, ConfigDict, WithJsonSchema
from pydantic_core import PydanticCustomError

from search.api.errors import NOT_A_DAY, NOT_A_NUMBER, NOT_WHOLE
from search.asked import parse_day
from search.requests import MAX_LIMIT

if TYPE_CHECKING:
    from django.http import HttpRequest

MAX_OFFSET = 1_000_000
_WHOLE = re.compile(r"-?[0-9]+")
_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def _day(given: Any) -> date:
    try:
        return parse_day(str(given))
    except ValueError:
        raise PydanticCustomError(NOT_A_DAY, "no day") from None


def _whole(given: Any) -> Any:
    if isinstance(given, str) and not _WHOLE.fullmatch(given):
        raise PydanticCustomError(NOT_WHOLE, "no whole number")
    return given


def _number(given: Any) -> Any:
    if isinstance(given, str) and not _NUMBER.fullmatch(given):
        raise PydanticCustomError(NOT_A_NUMBER, "no number")
    return given


Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
# Python reads "1_0" as ten, in numbers whole or not.
Whole = Annotated[int, BeforeValidator(_whole)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False), BeforeValidator(_number)]


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

"""Input errors a caller can mend, each with a stable code; pages and API only render them."""

from __future__ import annotations


class InputError(ValueError):
    """The request is wrong in a way its caller can mend: names the parameter and, where there is one, its limit."""

    code = "invalid_input"

    def __init__(self, detail: str, *, parameter: str, limit: int | str | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.parameter = parameter
        self.limit = limit


class BlankQuery(InputError):
    """The query holds nothing that could be looked for."""

    code = "blank_query"


class QueryTooLong(InputError):
    """The query is longer than is read."""

    code = "query_too_long"


class InvalidLimit(InputError):
    """The page size is not between one and its maximum."""

    code = "invalid_limit"


class InvalidOffset(InputError):
    """The first row asked for is negative or past what is ranked."""

    code = "invalid_offset"


class InvalidDate(InputError):
    """A day is not one, or two days that should agree do not."""

    code = "invalid_date"


class UnknownValue(InputError):
    """A parameter has a value outside its list."""

    code = "unknown_value"


class UnknownParameter(InputError):
    """There is no parameter of this name, so what it was meant to change would stay as it is."""

    code = "unknown_parameter"


class ConflictingParameters(InputError):
    """A parameter would be overlooked, since another one asks for something that leaves it no part."""

    code = "conflicting_parameters"


class TextTooLong(InputError):
    """The text is longer than is read."""

    code = "text_too_long"


class TooManyCitations(InputError):
    """The text cites more than is resolved at once."""

    code = "too_many_citations"


class TooManyItems(InputError):
    """The list is longer than is worked through at once."""

    code = "too_many_items"


class NoSuchVersion(InputError):
    """The provision has no version of that number, or none in force on that day."""

    code = "no_such_version"

"""Which redaction of a provision answers for a day, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from corpus.models import Law
from search.filters import ENDED, IN_FORCE, NOT_YET_IN_FORCE, standings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from corpus.models import ArticleVersion


@dataclass(frozen=True)
class Redaction:
    """The redaction that answers; `version` is None where no text does. `status` is the provision's on the day."""

    outcome: Literal["found", "not_in_force", "history_not_held"]
    version: ArticleVersion | None = None
    status: str | None = None


def redaction_on(law: Law, versions: Sequence[ArticleVersion], day: date, *, is_pinned: bool) -> Redaction:
    """Choose among all the versions of a provision, in their order.

    On a day that was asked for (`is_pinned`) only a text in force answers. Otherwise, where none is, the last one
    that was answers as repealed, annulled or expired, and a coming one as not yet in force.
    """
    if is_pinned and _is_before_memory(law, versions, day):
        return Redaction("history_not_held")
    on_the_day = _by_status(law, versions, day)
    status = next((status for status in (IN_FORCE, *ENDED, NOT_YET_IN_FORCE) if status in on_the_day), None)
    if status == IN_FORCE or (status and not is_pinned):
        return Redaction("found", on_the_day[status], status)
    markers = [version for version in versions if version.status != IN_FORCE]
    if status is None and markers and not is_pinned:
        return Redaction("found", markers[-1], markers[-1].status)
    return Redaction("not_in_force", status=status or (markers[-1].status if markers else None))


def law_status_on(law: Law, day: date) -> str:
    """Give the status of a whole law on a day."""
    begin = law.valid_from or law.published
    if begin and day < begin:
        return NOT_YET_IN_FORCE
    if law.status in ENDED:
        return IN_FORCE if law.valid_to and day <= law.valid_to else law.status
    return "expired" if law.valid_to and day > law.valid_to else law.status


def _is_before_memory(law: Law, versions: Sequence[ArticleVersion], day: date) -> bool:
    if law.known_since is None or day >= law.known_since:
        return False
    first_days = [version.valid_from for version in versions if version.valid_from]
    return len(first_days) < len(versions) or day < min(first_days)


def _by_status(law: Law, versions: Sequence[ArticleVersion], day: date) -> dict[str, ArticleVersion]:
    """Give the version that stands for each status on a day: the latest, but the first of those to come."""
    found: dict[str, ArticleVersion] = {}
    for version, standing in zip(versions, standings(versions, law), strict=True):
        status = standing.status_on(day.toordinal()) if standing else None
        if status and not (status == NOT_YET_IN_FORCE and status in found):
            found[status] = version
    return found

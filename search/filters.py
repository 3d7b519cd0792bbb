"""Which texts a question is asked of: the same conditions for both arms, applied inside them, before their limit.

Days are ordinals (`date.toordinal()`), so that an index can hold them as integers; both ends count. Both arms
give `search.candidates.Candidate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST_DAY = date.min.toordinal()
LAST_DAY = date.max.toordinal()

IN_FORCE = "in_force"
NOT_YET_IN_FORCE = "not_yet_in_force"
ENDED = ("repealed", "annulled", "expired")
STATUSES = (IN_FORCE, NOT_YET_IN_FORCE, *ENDED)


@dataclass(frozen=True)
class Standing:
    """When one text of a provision has force, and until when it stays the last text that had any.

    It has force from `first_day` to `last_day`; from the day after to `shown_until` the provision has no text in
    force, for the reason `ended_as`, and this text is the last it had. Later another text takes its place.

    >>> standing = Standing(date(2019, 1, 1).toordinal(), date(2020, 12, 31).toordinal(), LAST_DAY, "repealed")
    >>> [standing.status_on(date(year, 6, 1).toordinal()) for year in (2018, 2020, 2021)]
    ['not_yet_in_force', 'in_force', 'repealed']
    """

    first_day: int
    last_day: int
    shown_until: int
    ended_as: str

    def status_on(self, day: int) -> str | None:
        """Give the status this text has on `day`; None once another text has taken its place."""
        if day < self.first_day:
            return NOT_YET_IN_FORCE
        if day <= self.last_day:
            return IN_FORCE
        return self.ended_as if day <= self.shown_until else None


class Dated(Protocol):
    """A law or a version, as far as its validity goes."""

    @property
    def status(self) -> str:
        """One of `STATUSES`."""

    @property
    def valid_from(self) -> date | None:
        """First day; None is unknown."""

    @property
    def valid_to(self) -> date | None:
        """Last day; None is open."""


def standings(versions: Sequence[Dated], law: Dated) -> list[Standing | None]:
    """Give each version (all of one provision, in their order) its standing; None to a redaction that is no text.

    A text that its source leaves open in a law that has ended counts as ended on an unknown day: it is in force
    on no day, and the last text on every one. One of a bill is yet to come on every day.
    """
    found: list[Standing | None] = []
    next_first, follower = LAST_DAY + 1, ""
    for version in reversed(versions):
        if version.status != IN_FORCE:
            found.append(None)
            follower = version.status
            continue
        found.append(standing_of(version, law, next_first, follower))
        next_first, follower = first_day(version.valid_from, law), IN_FORCE
    return found[::-1]


def standing_of(version: Dated, law: Dated, next_first: int = LAST_DAY + 1, follower: str = "") -> Standing:
    """Give the standing of a text: `next_first` is the first day of the next one of its provision, if there is one.

    `follower` is the status of the redaction that comes next, text or not.
    """
    first = first_day(version.valid_from, law)
    last = _last_day(version, law, first, next_first)
    ended_as = follower if follower in ENDED else _end_without_marker(version, law)
    return Standing(first, last, max(last, next_first - 1), ended_as)


def first_day(valid_from: date | None, law: Dated) -> int:
    """Give the first day of a text; of one that does not tell it long ago, or never yet in what is no law so far."""
    if valid_from:
        return valid_from.toordinal()
    return LAST_DAY if law.status == NOT_YET_IN_FORCE else FIRST_DAY


def _last_day(version: Dated, law: Dated, first: int, next_first: int) -> int:
    if version.valid_to is not None:
        return version.valid_to.toordinal()
    if next_first <= LAST_DAY:
        return next_first - 1
    if law.status not in ENDED:
        return LAST_DAY
    return law.valid_to.toordinal() if law.valid_to else first - 1


def _end_without_marker(version: Dated, law: Dated) -> str:
    is_law_end = law.status in ENDED and (
        version.valid_to is None or law.valid_to is None or version.valid_to >= law.valid_to
    )
    return law.status if is_law_end else "expired"


@dataclass(frozen=True)
class Filters:
    """The conditions a text must meet; an empty tuple or None asks for nothing.

    By default the text in force on the day `on`. `include_repealed` adds, of provisions that then have none, the
    last one they had; `statuses` says instead exactly which are wanted. `valid_from` and `valid_to` hold the
    first and last day between which the text must have begun to apply. A text whose beginning is unknown is let
    through only where it must be right: it has begun by the day `on`, so `valid_to` alone may be that or later.
    """

    on: date
    laws: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    valid_from: date | None = None
    valid_to: date | None = None
    include_repealed: bool = False

    @cached_property
    def day(self) -> int:
        """The day of `on` as an ordinal."""
        return self.on.toordinal()

    @cached_property
    def wanted_statuses(self) -> tuple[str, ...]:
        """The statuses on that day that a text may have."""
        if self.statuses:
            return self.statuses
        return (IN_FORCE, *ENDED) if self.include_repealed else (IN_FORCE,)

    @cached_property
    def begins_between(self) -> tuple[int, int]:
        """The first and last day, both included, on which the text may have begun to apply.

        An unknown beginning is the first day of all, or in what is no law yet the last.
        """
        if self.valid_from is None and (self.valid_to is None or self.valid_to >= self.on):
            return FIRST_DAY, self.valid_to.toordinal() if self.valid_to else LAST_DAY
        return (
            max(self.valid_from.toordinal() if self.valid_from else 0, FIRST_DAY + 1),
            min(self.valid_to.toordinal() if self.valid_to else LAST_DAY, LAST_DAY - 1),
        )

    def admits(self, standing: Standing, *, law: str, rank: str, jurisdiction: str, kind: str) -> bool:
        """Whether a text of that standing, law and kind meets every condition."""
        earliest, latest = self.begins_between
        return (
            standing.status_on(self.day) in self.wanted_statuses
            and earliest <= standing.first_day <= latest
            and (not self.laws or law in self.laws)
            and (not self.ranks or rank in self.ranks)
            and (not self.jurisdictions or jurisdiction in self.jurisdictions)
            and (not self.kinds or kind in self.kinds)
        )

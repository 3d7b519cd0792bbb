"""What an index of vectors holds for each passage: one row of numbers, which filters are put to all at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from corpus.models import Kind
from search.filters import ENDED, IN_FORCE, NOT_YET_IN_FORCE

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from search.filters import Filters

KINDS = tuple(Kind.values)
IDS = ("article", "version", "digest")
COLUMNS = ("law", "kind", "first_day", "last_day", "shown_until", "ended_as", "start", "end", "vector")


@dataclass(frozen=True)
class LawRow:
    """What filters ask of a law."""

    pk: int
    key: str
    rank: str
    jurisdiction: str

    def is_wanted(self, filters: Filters) -> bool:
        """Whether the law meets the conditions on laws."""
        return (
            (not filters.laws or self.key in filters.laws)
            and (not filters.ranks or self.rank in filters.ranks)
            and (not filters.jurisdictions or self.jurisdiction in filters.jurisdictions)
        )


@dataclass(frozen=True)
class Rows:
    """One row per passage that has a vector and stands in a text: `ids` int64[3, n], `columns` int32[9, n].

    `law` is a place in `laws`, `vector` one in the matrix; days are ordinals; `digest` is of the version's text.
    """

    ids: NDArray[np.int64]
    columns: NDArray[np.int32]
    laws: tuple[LawRow, ...]

    def __len__(self) -> int:
        return int(self.ids.shape[1])

    def __getitem__(self, name: str) -> NDArray[np.integer[Any]]:
        found: NDArray[np.integer[Any]] = (
            self.ids[IDS.index(name)] if name in IDS else self.columns[COLUMNS.index(name)]
        )
        return found

    def admitted(self, filters: Filters) -> NDArray[np.intp]:
        """Give the places of the rows that meet every condition of `filters`, as `Filters.admits` would."""
        earliest, latest = filters.begins_between
        first = self["first_day"]
        mask = self._have_status(filters) & (first >= earliest) & (first <= latest)
        if filters.laws or filters.ranks or filters.jurisdictions:
            mask &= np.array([law.is_wanted(filters) for law in self.laws], bool)[self["law"]]
        if filters.kinds:
            mask &= np.array([kind in filters.kinds for kind in KINDS])[self["kind"]]
        return np.flatnonzero(mask)

    def _have_status(self, filters: Filters) -> NDArray[np.bool_]:
        day, wanted = filters.day, filters.wanted_statuses
        first, last = self["first_day"], self["last_day"]
        mask = np.zeros(len(self), bool)
        if IN_FORCE in wanted:
            mask |= (first <= day) & (day <= last)
        if NOT_YET_IN_FORCE in wanted:
            mask |= day < first
        if set(ENDED) & set(wanted):
            is_wanted = np.array([ended in wanted for ended in ENDED])[self["ended_as"]]
            mask |= (first <= day) & (last < day) & (day <= self["shown_until"]) & is_wanted
        return mask


def empty() -> Rows:
    """Give no rows."""
    return Rows(np.empty((len(IDS), 0), np.int64), np.empty((len(COLUMNS), 0), np.int32), ())

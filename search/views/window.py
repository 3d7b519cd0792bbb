"""Which part of a very long text a page shows, and the addresses of the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from search.asked import ALL_PARTS

if TYPE_CHECKING:
    from corpus.structure import SubUnit


@dataclass(frozen=True)
class Window:
    """What is shown of a text: a stretch of it, the `part`-th of `count`; part 0 is all of them."""

    within: tuple[int, int]
    part: int
    count: int
    page: str

    def shows(self, part: SubUnit) -> bool:
        """Whether a part of the text begins in what is shown."""
        return self.within[0] <= part.start < self.within[1]

    def url(self, part: int) -> str:
        """Give the address of a part of this text."""
        return f"{self.page}?part={part or ALL_PARTS}" if self.count > 1 and part != 1 else self.page

    @property
    def all_url(self) -> str:
        """The address of the whole text; nothing where it is what is shown."""
        return self.url(0) if self.count > 1 and self.part else ""

    @property
    def previous_url(self) -> str:
        """The address of the part before this one, if there is one."""
        return self.url(self.part - 1) if self.part > 1 else ""

    @property
    def next_url(self) -> str:
        """The address of the part after this one, if there is one."""
        return self.url(self.part + 1) if 0 < self.part < self.count else ""

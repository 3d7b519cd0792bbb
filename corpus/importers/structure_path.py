"""The headings above a provision: parts, titles, chapters and sections, and those that are gone by today."""

from __future__ import annotations

TITLE_LEVEL = 0


class StructurePath:
    """The headings above the next provision, as they are today and with those that are gone."""

    def __init__(self) -> None:
        self._today: list[tuple[int, str]] = []
        self._ever: list[tuple[int, str]] = []

    def open(self, depth: int, title: str, *, is_gone: bool) -> None:
        """Put a heading below those of a lesser depth; one that is gone closes none that is still there."""
        for stack in [self._ever] if is_gone else [self._ever, self._today]:
            stack[:] = [*((above, text) for above, text in stack if above < depth), (depth, title)]

    def path(self, *, with_gone: bool) -> tuple[str, ...]:
        """Give the titles from the outermost down."""
        return tuple(text for _, text in (self._ever if with_gone else self._today))

    def put_above(self, title: str) -> None:
        """Put a heading above all others."""
        for stack in (self._ever, self._today):
            stack.insert(0, (TITLE_LEVEL, title))

    def drop(self, title: str) -> None:
        """Take a heading away."""
        for stack in (self._ever, self._today):
            stack[:] = [(depth, text) for depth, text in stack if text != title]

    def clear(self) -> None:
        """Take all headings away."""
        self._ever.clear()
        self._today.clear()

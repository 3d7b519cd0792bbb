"""A text as it is laid out: lines of runs, tables of cells, and sub-units that hold both."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Link:
    """A stretch of text that leads somewhere: `text[start:end]`."""

    start: int
    end: int
    url: str


@dataclass(frozen=True)
class Run:
    """A stretch of text with the same inline marks; `anchor` names the sub-unit that begins here inside a line.

    `link` is shared by all runs of one link.
    """

    text: str
    tags: tuple[str, ...] = ()
    anchor: str = ""
    is_label: bool = False
    link: Link | None = None


@dataclass(frozen=True)
class Paragraph:
    """One line of the text; `look` is plain, heading, centred, quote, signature or image."""

    runs: tuple[Run, ...]
    look: str = "plain"
    kind: str = "paragraph"


@dataclass(frozen=True)
class TableCell:
    """One cell as it is shown."""

    text: str
    is_header: bool
    colspan: int = 1
    rowspan: int = 1
    linked: tuple[Run, ...] = ()

    @property
    def runs(self) -> tuple[Run, ...]:
        """The cell's text, in runs."""
        return self.linked or (Run(self.text),)


@dataclass(frozen=True)
class Table:
    """A table: its header rows, then the rest."""

    head: tuple[tuple[TableCell, ...], ...]
    body: tuple[tuple[TableCell, ...], ...]
    kind: str = "table"


@dataclass(frozen=True)
class Unit:
    """A sub-unit with its own lines and the sub-units below it; `anchor` is empty where its path repeats."""

    path: tuple[str, ...]
    anchor: str
    items: tuple[Paragraph | Table | Unit, ...]
    kind: str = "unit"

    @property
    def depth(self) -> int:
        """How deep it lies: 1 is an apartado."""
        return len(self.path)


Item = Paragraph | Table | Unit

"""Reads the citations marked by hand in tests/labelled/, whose rules are in docs/labelling.md."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LABELS = Path(__file__).resolve().parent.parent / "tests" / "labelled" / "citations.jsonl"


@dataclass(frozen=True)
class Cited:
    """One citation of a text, as marked or as found: its place, and the ids or the unsupported type it denotes."""

    start: int
    end: int
    ids: tuple[str, ...] = ()
    unsupported: str = ""
    kind: str = ""

    @property
    def denotes(self) -> tuple[tuple[str, ...], str]:
        """What the citation says, whatever its place."""
        return self.ids, self.unsupported

    def overlaps(self, other: Cited) -> bool:
        """Tell whether two citations share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True)
class Labelled:
    """The marks of one version of a provision, and the stretches of its text that were labelled (none: all of it)."""

    law: str
    unit: str
    sha256: str
    marks: tuple[Cited, ...]
    within: tuple[tuple[int, int], ...] = ()

    @property
    def name(self) -> str:
        """The provision, as an id."""
        return f"{self.law}:{self.unit}"

    def covers(self, at: int) -> bool:
        """Tell whether a place was labelled."""
        return not self.within or any(start <= at < end for start, end in self.within)


def labelled(labels: Path) -> Iterator[Labelled]:
    """Read the labelled texts of a file, one a line."""
    for line in labels.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        marks = tuple(
            Cited(one["start"], one["end"], tuple(one.get("ids", ())), one.get("unsupported", ""), one["kind"])
            for one in label["citations"]
        )
        within = tuple((start, end) for start, end in label.get("within", ()))
        yield Labelled(label["law"], label["unit"], label["sha256"], marks, within)

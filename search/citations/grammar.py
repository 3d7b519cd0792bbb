"""What the grammar of one country's citations offers: a package or module of its own, with these two functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from search.citations.folding import Folded
from search.citations.model import Extraction, Reference


class Grammar(Protocol):
    """Reads citations as one country writes them, in places of the folded text's original."""

    def parse(self, text: Folded) -> Reference | None:
        """Read a text that is one citation and nothing else; None if it is not."""

    def extract(self, text: Folded, most: int | None = None) -> Extraction:
        """Find every citation in a running text, in its order, none overlapping another; stop past `most`."""

    def lists(self, between: Sequence[Folded]) -> bool:
        """Whether texts before, between and behind citations do nothing but list them, or tell days that they have."""

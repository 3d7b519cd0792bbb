"""A very long text in windows of even size, cut between lines and never inside a table, each of which fits a page."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

# Of the densest text seen, a preamble, so much and its page take 59 kB packed (the budget is 60); most take half.
LONGEST_WINDOW = 148_000


def windows(
    text: str,
    blocks: Iterable[Mapping[str, Any]],
    within: tuple[int, int],
    longest: int = LONGEST_WINDOW,
) -> list[tuple[int, int]]:
    r"""Cut the stretch `within` two offsets into as few windows as hold `longest` characters, or little more.

    >>> windows("uno\ndos\ntres\n", (), (0, 13), 8), windows("uno\ndos\n", (), (0, 8), 8)
    ([(0, 8), (8, 13)], [(0, 8)])
    >>> windows("uno\ndos\ntres\n", [{"kind": "table", "start": 4, "end": 12}], (0, 13), 5)
    [(0, 4), (4, 13)]
    """
    start, end = within
    count = -(-(end - start) // longest)
    tables = sorted((block["start"], block["end"]) for block in blocks if block["kind"] == "table")
    near = (start + (end - start) * place // count for place in range(1, count))
    cuts = sorted({_cut_after(text, place, tables) for place in near})
    return list(pairwise([start, *(cut for cut in cuts if cut < end), end]))


def _cut_after(text: str, place: int, tables: Sequence[tuple[int, int]]) -> int:
    """Give where the first line begins that is at `place` or after it, and inside no table."""
    cut = _next_line(text, place)
    for first, last in tables:
        if first < cut < last:
            cut = _next_line(text, last)
    return cut


def _next_line(text: str, place: int) -> int:
    line_break = text.find("\n", max(place - 1, 0))
    return len(text) if line_break < 0 else line_break + 1

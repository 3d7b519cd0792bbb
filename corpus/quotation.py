"""Which lines of a provision stand inside a quotation, such as the new wording that an amending law prints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate

_REPEATED_MARK = re.compile(r"»[ \xa0]*(?=[\w(])")
_MARKS = re.compile("[«»“”]")
_CLOSES_STRAIGHT = re.compile(r'"[.,;:)]*$')


def quoted(lines: Sequence[str]) -> list[bool]:
    """Tell for each line whether it begins inside a quotation that an earlier line opened and a later one closes.

    A mark that nobody closes opens no quotation, so a slip of the printer never swallows the rest.

    >>> quoted(["Uno. El artículo 3 dirá:", "«1. Los plazos.", "2. Los días.»", "Dos. Otro."])
    [False, False, True, False]
    """
    balance = [0, *accumulate(map(_opened, lines))]
    closes = _next_not_above(balance)
    inside = [False] * len(lines)
    line = 0
    while line < len(lines):
        close = closes[line]
        if balance[line + 1] <= balance[line] or close is None:
            line += 1
            continue
        inside[line + 1 : close] = [True] * (close - line - 1)
        line = close
    return inside


def _opened(line: str) -> int:
    """Count the quotations that `line` leaves open, where one of several lines can begin, less those it closes."""
    text = _REPEATED_MARK.sub("", line, count=1) if line.startswith("»") else line
    open_at: list[int] = []
    closed = 0
    for mark in _MARKS.finditer(text):
        if mark[0] in "«“":
            open_at.append(mark.start())
        elif open_at:
            open_at.pop()
        else:
            closed += 1
    balance = sum(_may_begin(text, start) for start in open_at) - closed
    if text.count('"') % 2 == 0:
        return balance
    return balance + (1 if text.startswith('"') else -1 if _CLOSES_STRAIGHT.search(text) else 0)


def _may_begin(text: str, at: int) -> bool:
    """Whether a quotation of several lines can begin at a place: behind no word, or an announcement."""
    while at and text[at - 1].isspace():
        at -= 1
    return not at or text[at - 1] == ":"


def _next_not_above(values: Sequence[int]) -> list[int | None]:
    """Give for each place the next one whose value is not above its own."""
    found: list[int | None] = [None] * len(values)
    waiting: list[int] = []
    for place, value in enumerate(values):
        while waiting and value <= values[waiting[-1]]:
            found[waiting.pop()] = place
        waiting.append(place)
    return found

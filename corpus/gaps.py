"""Numbers that are missing between a law's provisions: what was not imported, or what the law itself leaps over."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

# `art-29-bis` is number 29 too; of `art-111-1` the whole is the number, and what it leaps over cannot be told.
_NUMBERED = re.compile(r"(?P<series>(?:.+\.)?(?:art|da|dt|df|dd)-)(?P<number>\d{1,4})(?P<rest>-[^~]+)?(?:~\d+)?")
_COMPOUND = re.compile(r"-\d+.*")


def gaps(keys: Iterable[str]) -> list[str]:
    """Give the numbers missing between provisions of one series, as citation keys or ranges of them.

    >>> gaps(["art-1", "art-2-bis", "art-5", "da-1", "da-3", "df-unica", "carta.art-7", "carta.art-9", "anexo-i"])
    ['art-3–art-4', 'da-2', 'carta.art-8']
    >>> gaps(["art-111-1", "art-111-2", "art-121-1"])
    []
    """
    numbers: dict[str, set[int]] = {}
    compound: dict[str, int] = {}
    for key in keys:
        found = _NUMBERED.fullmatch(key)
        if found:
            numbers.setdefault(found["series"], set()).add(int(found["number"]))
            compound[found["series"]] = compound.get(found["series"], 0) + bool(
                _COMPOUND.fullmatch(found["rest"] or "")
            )
    return [
        missing
        for series, present in numbers.items()
        if 2 * compound[series] <= len(present)
        for missing in _between(series, sorted(present))
    ]


def _between(series: str, present: list[int]) -> Iterable[str]:
    for before, after in pairwise(present):
        first, last = before + 1, after - 1
        if first == last:
            yield f"{series}{first}"
        elif first < last:
            yield f"{series}{first}–{series}{last}"

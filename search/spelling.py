"""Words one slip of the keyboard away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.analysis import KEPT_N

if TYPE_CHECKING:
    from collections.abc import Iterator

SHORTEST_CORRECTED = 5
LETTERS = f"abcdefghijklmnopqrstuvwxyz{KEPT_N}"


def edits(word: str) -> set[str]:
    """Give every word one letter swapped, dropped, changed or added away from a folded word.

    >>> {"articulo", "deduccion"} <= edits("artiuclo") | edits("deducion")
    True
    """
    return set(_edits(word)) - {word}


def with_a_tilde(word: str) -> list[str]:
    """Give the words that a folded word may be if an ñ was typed as n.

    >>> [written.replace(KEPT_N, "ñ") for written in with_a_tilde("nino")]
    ['ñino', 'niño']
    """
    return [word[:place] + KEPT_N + word[place + 1 :] for place, letter in enumerate(word) if letter == "n"]


def _edits(word: str) -> Iterator[str]:
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        yield from (before + letter + after for letter in LETTERS)
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in LETTERS)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]

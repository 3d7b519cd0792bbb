"""Words one slip of the keyboard away, and words as texts write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from search.analysis import KEPT_N
from search.citations.folding import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SHORTEST_CORRECTED = 5
_WORD = re.compile(r"[^\W\d_ºª]+")
_ACCENTED = {"a": "á", "e": "é", "i": "í", "o": "ó", "u": "úü"}
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


def as_written(text: str, count: Callable[[str], int]) -> str:
    """Write a text's words as most texts do, and its first letter large: one text, however it was typed.

    `count` gives in how many texts a word is written so. What none has is written small and without accents.

    >>> counts = {"tributación": 2, "Tributación": 1, "del": 3, "IVA": 1}
    >>> as_written("¿TRIBUTACION del Iva?", lambda form: counts.get(form, 0))
    '¿Tributación del IVA?'
    """
    written = _WORD.sub(lambda found: max(_forms(found[0]), key=count), text)
    return _WORD.sub(lambda first: first[0][0].upper() + first[0][1:], written, count=1)


def _forms(typed: str) -> list[str]:
    """Give the ways in which a word may be written, the plainest first."""
    plain = fold(typed).lower
    accented = [
        plain[:place] + letter + plain[place + 1 :]
        for place, vowel in enumerate(plain)
        for letter in _ACCENTED.get(vowel, "")
    ]
    return [form for word in (plain, *accented) for form in (word, word.capitalize(), word.upper())] + [typed]


def _edits(word: str) -> Iterator[str]:
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        yield from (before + letter + after for letter in LETTERS)
        if after:
            yield before + after[1:]
            yield from (before + letter + after[1:] for letter in LETTERS)
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]

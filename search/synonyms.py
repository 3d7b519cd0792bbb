"""Everyday words and abbreviations and what the law says instead, from one reviewed file."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from search.analysis import MAIN_LANGUAGE, analyzer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FILE = Path(__file__).with_name("synonyms.toml")

# What texts say instead of a word, or what a law or a part of it is named that goes by initials.
Kind = Literal["words", "names"]


@cache
def synonyms(language: str, kind: Kind) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Give, by the stems of what people write, the words or phrases that laws in this language have for it.

    >>> synonyms("es", "words")[analyzer("es").stem_of["inquilinos"],]
    ('arrendatario',)
    """
    table: dict[str, list[str]] = tomllib.loads(FILE.read_text()).get(language, {}).get(kind, {})
    return {tuple(analyzer(language).stems_in(words)): tuple(meant) for words, meant in table.items()}


def meant_by(stems: Sequence[str], language: str, kind: Kind) -> list[str]:
    """Give what laws have for what some stems say, each once: for several in a row rather than for one of them.

    >>> meant_by(analyzer("es").stems_in("recurrir la plusvalía municipal del piso"), "es", "words")
    ['incremento de valor de los terrenos de naturaleza urbana', 'vivienda']
    """
    return list(dict.fromkeys(_meant(stems, synonyms(language, kind))))


def _meant(stems: Sequence[str], table: Mapping[tuple[str, ...], Sequence[str]]) -> Iterator[str]:
    longest = max(map(len, table), default=0)
    place = 0
    while place < len(stems):
        rows = (tuple(stems[place : place + length]) for length in range(longest, 0, -1))
        found = next((row for row in rows if row in table), ())
        yield from table.get(found, ())
        place += len(found) or 1


def in_the_laws_words(text: str) -> str:
    """Give a text followed by what laws say instead of its everyday words, for an embedder that knows only laws.

    >>> in_the_laws_words("La plusvalía municipal"), in_the_laws_words("Exenciones")
    ('La plusvalía municipal (incremento de valor de los terrenos de naturaleza urbana)', 'Exenciones')
    """
    meant = ", ".join(meant_by(analyzer(MAIN_LANGUAGE).stems_in(text), MAIN_LANGUAGE, "words"))
    return f"{text} ({meant})" if meant else text

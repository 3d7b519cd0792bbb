"""Everyday words and abbreviations and what the law says instead, from one reviewed file."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from search.analysis import MAIN_LANGUAGE, analyzer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FILE = Path(__file__).with_name("synonyms.toml")


@cache
def synonyms(language: str) -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Give, by the stems of everyday words, the words or phrases that laws in this language have for them.

    >>> synonyms("es")[analyzer("es").stem_of["inquilinos"],]
    ('arrendatario',)
    """
    table: dict[str, list[str]] = tomllib.loads(FILE.read_text()).get(language, {})
    return {tuple(analyzer(language).stems_in(words)): tuple(meant) for words, meant in table.items()}


def meant_by(stems: Sequence[str], language: str) -> Iterator[str]:
    """Give what laws say instead of the everyday words among some stems: of several in a row rather than of one.

    >>> list(meant_by(analyzer("es").stems_in("recurrir la plusvalía municipal del piso"), "es"))
    ['incremento de valor de los terrenos de naturaleza urbana', 'vivienda']
    """
    table = synonyms(language)
    longest = max(map(len, table), default=0)
    place = 0
    while place < len(stems):
        rows = (tuple(stems[place : place + length]) for length in range(longest, 0, -1))
        found = next((row for row in rows if row in table), ())
        yield from table.get(found, ())
        place += len(found) or 1


def in_the_laws_words(text: str) -> str:
    """Give a text followed by what laws say instead of its everyday words, for whom word for word tells nothing.

    >>> in_the_laws_words("Exenciones del IBI"), in_the_laws_words("Exenciones")
    ('Exenciones del IBI (impuesto sobre bienes inmuebles)', 'Exenciones')
    """
    meant = ", ".join(dict.fromkeys(meant_by(analyzer(MAIN_LANGUAGE).stems_in(text), MAIN_LANGUAGE)))
    return f"{text} ({meant})" if meant else text

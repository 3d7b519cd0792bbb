"""Everyday words and what the law says instead, from one reviewed file."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from search.analysis import analyzer

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = Path(__file__).with_name("synonyms.toml")


@cache
def synonyms(language: str) -> Mapping[str, tuple[str, ...]]:
    """Give, by the stem of an everyday word, the words or phrases that laws in this language have for it.

    >>> synonyms("es")[analyzer("es").stem_of["inquilinos"]]
    ('arrendatario',)
    """
    table: dict[str, list[str]] = tomllib.loads(FILE.read_text()).get(language, {})
    return {analyzer(language).stem_of[word]: tuple(meant) for word, meant in table.items()}

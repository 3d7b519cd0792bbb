"""Citations of law as people write them, read without a database: one parser for every door."""

from search.citations.hosting import Host, place
from search.citations.model import (
    Extraction,
    LawMention,
    Reference,
    Relative,
    UnitMention,
    UnitRange,
    Unsupported,
)
from search.citations.reading import extract, parse, parse_several

__all__ = [
    "Extraction",
    "Host",
    "LawMention",
    "Reference",
    "Relative",
    "UnitMention",
    "UnitRange",
    "Unsupported",
    "extract",
    "parse",
    "parse_several",
    "place",
]

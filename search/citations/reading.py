"""The two ways in: a text that is one citation, and a running text with citations in it."""

from __future__ import annotations

from search.citations.folding import fold
from search.citations.model import Extraction, Reference
from search.citations.spanish.running import extract_all
from search.citations.spanish.whole import parse_whole


def parse(text: str) -> Reference | None:
    """Read a text that is one citation and nothing else; None if it is not."""
    return parse_whole(fold(text))


def extract(text: str) -> Extraction:
    """Find every citation in a running text, with offsets into it."""
    return extract_all(fold(text))

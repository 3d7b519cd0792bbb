"""Citations that are the same in every country: ELI and Akoma Ntoso addresses, and URN:LEX names.

The day of the state that an address names is the day that is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from corpus.works import read_work
from search.citations.folding import Folded
from search.citations.model import Extraction, LawMention, Reference

_ADDRESS = re.compile(
    r"(?P<law>(?:https?://[a-z0-9.:-]+(?:/[a-z0-9.-]+){0,3}?/|(?<![\w./-])/?)(?:eli|akn)/[a-z0-9][^\s<>\"'«»#\]]*"
    r"|https?://[a-z0-9.-]+/recurso/[a-z]{2}/[^\s<>\"'«»#\]]*"
    r"|(?<![\w:])urn:lex:[^\s<>\"'«»#\]]+)(?:#(?P<block>[^\s<>\"'«»\]]*[a-z0-9]))?",
    re.IGNORECASE,
)
_MARKS = ("eli/", "akn/", "/recurso/", "urn:lex:")
_CLOSING = ".,;:)"


def parse(text: Folded) -> Reference | None:
    """Read a text that is one address; its fragment names a block of the law.

    >>> from search.citations.folding import fold
    >>> found = parse(fold("https://fedlex.data.admin.ch/eli/cc/24/233_245_233/fr#art_1"))
    >>> found.law.eli, found.law.block
    ('https://fedlex.data.admin.ch/eli/cc/24/233_245_233/fr', 'art_1')
    """
    begin = len(text.plain) - len(text.plain.lstrip())
    match = _ADDRESS.match(text.plain, begin)
    if match is None or text.plain[_end(match) :].strip(" \n" + _CLOSING):
        return None
    found = _reference(text, match)
    return Reference(0, len(text.original), text.original, found.law, on=found.on)


def extract(text: Folded, most: int | None = None) -> Extraction:
    """Find every address in a running text, and no more once there are more than `most`."""
    if not any(mark in text.lower for mark in _MARKS):
        return Extraction()
    found = islice(_ADDRESS.finditer(text.plain), None if most is None else most + 1)
    return Extraction(tuple(_reference(text, match) for match in found))


def lists(between: Sequence[Folded]) -> bool:
    """Whether addresses are parted by nothing but blanks, commas and semicolons."""
    return not any(text.lower.strip(" \n,;") for text in between)


def _end(match: re.Match[str]) -> int:
    """End an address before the dot or bracket of the sentence it stands in."""
    return match.end() if match["block"] else match.start() + len(match[0].rstrip(_CLOSING))


def _reference(text: Folded, match: re.Match[str]) -> Reference:
    start, end = text.at(match.start()), text.at(_end(match))
    law = text.slice(match.start("law"), min(match.end("law"), _end(match)))
    written = text.original[start:end]
    work = read_work(law)
    mention = LawMention(written, eli=law, block=match["block"] or "", start=start, end=end)
    return Reference(start, end, written, mention, on=work.on if work else None)

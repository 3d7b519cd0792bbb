"""Tells the law that the title of another one names: "Ley 50/2007, de modificación de la Ley 43/1998"."""

from __future__ import annotations

import re

from search.citations.folding import Folded
from search.citations.spanish.context import Link
from search.citations.spanish.lexicon import spaced

_LONGEST_TITLE = 160
_OF = r"(?:del|de (?:la|el|los|las)|de)"
_ACTS = r"(?:aprueba|modifica|reforma|desarrolla|deroga|adapta|complementa|aplica)n?"
_DIRECT = re.compile(spaced(rf"_,?_(?:reguladora )?{_OF} "))
_BY_ACT = re.compile(
    spaced(
        rf"_,?_{_OF} (?:modificacion|reforma|desarrollo|aplicacion|derogacion)(?: parcial)? {_OF} "
        rf"|_,?_(?:por|sobre) [^.;:()\n]{{0,80}}se {_ACTS}(?: parcialmente)?"
        rf"(?: [^.,;:()\n]{{1,80}}?)? (?:{_OF}|el|la|los|las) "
    )
)
_NEVER_DIRECT = ("ley", "constitucion")
"""What "de" right behind a law lists beside it, and no title names so."""


def is_in_title(text: Folded, start: int, before: Link | None) -> bool:
    """Whether what begins at `start` belongs to the title of the law before it, which has a number of its own."""
    if before is None or before.mention is None or not before.mention.number:
        return False
    if not 0 < start - before.end <= _LONGEST_TITLE:
        return False
    if _BY_ACT.fullmatch(text.lower, before.end, start):
        return True
    is_direct = _DIRECT.fullmatch(text.lower, before.end, start) is not None
    return is_direct and not text.lower.startswith(_NEVER_DIRECT, start)

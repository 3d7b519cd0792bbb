"""The Catalan "i" between what is cited, put into Spanish so that one grammar reads both."""

from __future__ import annotations

import re

from search.citations.folding import Folded
from search.citations.spanish.lexicon import spaced

_LONGEST_LIST = 160
_NOUN = r"(?<![a-z])(?:articles?|arts|disposicio(?:ns)?|lleis?|decrets?)(?![a-z])"
_NOUN_BEFORE = re.compile(_NOUN)
_AND = re.compile(
    r"[ \n](?P<and>i)(?=[ \n]"
    + spaced(r"(?:(?:de|a) )?(?:l'|(?:els?|las?|les|dels?|als?) )?")
    + rf"(?:\d|[A-Z]{{2}}|(?i:{_NOUN}|annex|reial|addicional|transitori|final|derogatori)"
    r"|(?:primera?|segona?|tercera?|quarta?|[a-z]+ena)(?![a-z])))"
)


def with_spanish_and(text: Folded) -> Folded:
    """Give a text with "y" for every "i" of a Catalan list of laws or provisions, each character in its place.

    >>> from search.citations.folding import fold
    >>> with_spanish_and(fold("articles 27 i 28 de la Llei")).lower
    'articles 27 y 28 de la llei'
    >>> with_spanish_and(fold("letras h i 2 del artículo 5")).lower
    'letras h i 2 del articulo 5'
    """
    places = [match.start("and") for match in _AND.finditer(text.plain)]
    places = [at for at in places if _NOUN_BEFORE.search(text.lower, max(0, at - _LONGEST_LIST), at)]
    if not places:
        return text
    return Folded(text.original, _with_y(text.plain, places), _with_y(text.lower, places), text.dropped)


def _with_y(folded: str, places: list[int]) -> str:
    characters = list(folded)
    for at in places:
        characters[at] = "y"
    return "".join(characters)

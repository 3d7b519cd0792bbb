"""The names of provisions that have no number: "artículo único", "artículo preliminar", "artículo A"."""

from __future__ import annotations

import re

from search.citations.folding import Folded
from search.citations.spanish.lexicon import SOLE, spaced

_SOLE = re.compile(SOLE)
_PRELIMINARY = re.compile(r"preliminar(?![a-zñ])")
# In running text a letter is a name only where the law stands right behind it: "ARTÍCULO A QUE SE REFIERE" has none.
_LETTER = re.compile(r"«?(?P<letter>[A-ZÑ])(?![A-Za-z0-9ñÑºª'.)])»?")
_OF_LAW = re.compile(spaced(r",?_(?:del?|de la|d[ao]) [A-Z]|_$"))
_BESIDE_LAW = re.compile(
    spaced(r",?_(?:DEL?|DE LA) [A-Z]|,?_\(?[A-Z][A-Za-z]*[A-Z]|,?_(?:Ley|LEY|Real|Orden|C[oó]digo) ")
)


def unnumbered(text: Folded, start: int, prefix: str, *, is_loose: bool = False) -> tuple[str, int] | None:
    """Read what stands for the number of a provision from `start` on as its key has it, and where it ends.

    >>> from search.citations.folding import fold
    >>> unnumbered(fold("única"), 0, "da"), unnumbered(fold("A de la Ley"), 0, "art")
    (('unica', 5), ('a', 1))
    >>> unnumbered(fold("A los efectos"), 0, "art") is None
    True
    """
    sole = _SOLE.match(text.lower, start)
    if sole:
        return ("unico" if prefix == "art" else "unica"), sole.end()
    if prefix != "art":
        return None
    preliminary = _PRELIMINARY.match(text.lower, start)
    if preliminary:
        return "preliminar", preliminary.end()
    letter = _LETTER.match(text.plain, start)
    is_name = letter and (
        _OF_LAW.match(text.plain, letter.end()) or (is_loose and _BESIDE_LAW.match(text.plain, letter.end()))
    )
    return (letter["letter"].lower(), letter.end()) if letter and is_name else None

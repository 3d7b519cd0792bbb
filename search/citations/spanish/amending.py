"""Tells what an amending provision says of the law it amends from what it says of its own."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import accumulate

from corpus.quotation import quoted
from search.citations.folding import Folded
from search.citations.spanish.lexicon import spaced

_LONGEST_LEAD = 160
_LONGEST_VERB = 80
_QUOTE = re.compile("[«»]")

_CHANGES = r"(?:modifica|añade|introduce|suprime|deroga|incorpora|incluye|sustituye|renumera|da nueva redaccion)n?"
_BEFORE = re.compile(
    spaced(
        rf"(?:se {_CHANGES}|nueva redaccion|supresion|adicion|modificacion)"
        r"(?: (?:al?|el|la|los|las|un|una|dos|tres|nuev[oa]s?|en|del?|y|contenido))* $"
    )
)
_AFTER = re.compile(
    spaced(
        r"_(?:[,(][^.;:\n]{0,60}[,)])?,?_(?:que )?"
        r"(?:queda(?:n|ra|ran)? (?:redactad|modificad|suprimid|sin contenido|como|con la|integrad|renumerad|incorporad)"
        r"|pasan? a (?:tener|ser|numerarse|denominarse|integrar|constituir)|tendran? (?:la|el) siguiente"
        r"|se (?:modifica|suprime|deroga|renumera|sustituye|redacta)n?|con (?:la siguiente|el siguiente)"
        r"|cuy[oa] (?:redaccion|texto|tenor))"
    )
)
_LAW_BEFORE = re.compile(
    spaced(rf"(?:se {_CHANGES}|modificacion)(?: (?:al?|el|la|los|las|de|del|siguientes?|preceptos))* $")
)
_LAW_AFTER = re.compile(
    r"[^.;\n]{0,240}?(?:queda(?:n|ra)?[ \n](?:modificad|redactad)|se[ \n](?:modifica|añade|introduce|incluye|incorpora)"
    r"|en los siguientes terminos)"
)


class Amending:
    """The places of one text that speak of the law it amends."""

    def __init__(self, text: Folded) -> None:
        self._text = text
        self._starts: list[int] = []
        self._is_inside: list[bool] = []
        self._marks: list[int] = []
        self._open: list[int] = []
        self._wordings: dict[int, int] = {}
        if "«" in text.plain:
            lines = text.plain.split("\n")
            self._is_inside = quoted(lines)
            self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
            marks = list(_QUOTE.finditer(text.plain))
            self._marks = [mark.start() for mark in marks]
            self._open = [0, *accumulate(1 if mark[0] == "«" else -1 for mark in marks)]

    def covers(self, start: int, end: int) -> bool:
        """Whether a provision without a law belongs to the amended one: it is quoted, or being changed."""
        lead = self._text.lower
        is_changed = _BEFORE.search(lead, max(0, start - _LONGEST_VERB), start) or _AFTER.match(lead, end)
        return bool(is_changed) or self.quotes(start)

    def changes(self, start: int, end: int) -> bool:
        """Whether a law is named as the one to be amended."""
        text = self._text.lower
        return bool(_LAW_BEFORE.search(text, max(0, start - _LONGEST_VERB), start) or _LAW_AFTER.match(text, end))

    def quotes(self, at: int) -> bool:
        """Whether a place stands in the quoted new wording of another law."""
        if not self._starts:
            return False
        line = bisect_right(self._starts, at) - 1
        if self._is_inside[line]:
            return True
        start = self._starts[line]
        return self._open_at(at) > self._open_at(start) and self._wording_from(line) < at

    def _open_at(self, at: int) -> int:
        """Count the quotation marks before a place that open, less those that close."""
        return self._open[bisect_left(self._marks, at)]

    def _wording_from(self, line: int) -> int:
        """Give where the first wording quoted in a line begins; its end if there is none."""
        if line not in self._wordings:
            start, end = self._starts[line], self._starts[line + 1]
            led = self._text.plain.find(": «", start, end)
            is_first = self._text.plain.startswith("«", start)
            self._wordings[line] = start if is_first else led + 2 if led >= 0 else end
        return self._wordings[line]

"""Tells which units take the law that their sentence named before: "la Ley 39/1988, excepto el artículo 5"."""

from __future__ import annotations

import re

from search.citations.folding import Folded
from search.citations.spanish.context import Context, Link
from search.citations.spanish.lexicon import spaced

_LONGEST_LEAD = 80
_LONGEST_JOINT = 40
_WORDS = r"(?:(?:de|en|por|con) )?(?:lo (?:dispuesto|previsto|establecido) en )?(?:(?:el|la|los|las|del|al|sus?) )?"
_EXCEPTED = re.compile(
    spaced(
        r"(?:(?:con|a|con la) excepcion(?: hecha)?|excepto|excluid[oa]s?|salvo"
        rf"|,_y,? en (?:particular|especial|concreto),?|,_en (?:particular|especial|concreto),?) {_WORDS}$"
    )
)
_LED = re.compile(spaced(r"(?:^|\n)(?:[a-zñ0-9]{1,3}[).]-? )?del?(?: (?:la|el|los|las))? $"))
_GOES_ON = re.compile(spaced(rf"(?:_,_(?:(?:y|e|o|ni|asi como) )?| (?:y|e|o|ni|asi como) ){_WORDS}"))


class Carrying:
    """Remembers, over one text, the law that the last units took from their sentence."""

    def __init__(self, text: Folded, context: Context) -> None:
        self._text = text
        self._context = context
        self._link: Link | None = None
        self._end = 0

    def law_of(self, start: int) -> Link | None:
        """Give the law named before in the sentence that units at `start` are excepted from, led by or listed with."""
        link = self._listed(start) or self._named(start)
        return link._replace(start=start, end=start) if link else None

    def carry(self, link: Link, end: int) -> None:
        """Remember that units ending at `end` took a law from their sentence."""
        self._link, self._end = link, end

    def _listed(self, start: int) -> Link | None:
        is_near = self._link is not None and start - self._end <= _LONGEST_JOINT
        return self._link if is_near and _GOES_ON.fullmatch(self._text.lower, self._end, start) else None

    def _named(self, start: int) -> Link | None:
        last = self._context.last
        if last is None or last.end > start:
            return None
        is_led = _LED.search(self._text.lower, max(0, last.start - _LONGEST_JOINT), last.start)
        is_taken = is_led or _EXCEPTED.search(self._text.lower, max(last.end, start - _LONGEST_LEAD), start)
        return self._context.in_same_sentence(start) if is_taken else None

"""What has been found in a text so far, in terms of the original."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from search.citations.folding import Folded
from search.citations.model import Extraction, Reference, Relative, UnitMention, Unsupported
from search.citations.spanish.context import Link
from search.citations.spanish.days import SaidDay, read_pinned
from search.citations.spanish.foreign import Foreign
from search.citations.spanish.lexicon import AND, spaced
from search.citations.spanish.phrases import Phrase
from search.citations.spanish.publishing import published_law, published_units

_OF = re.compile(spaced("_(?:del?|de (?:la|los|las)) "))
_THEN = re.compile(spaced("_,_(?:el|la|los|las) "))
_AND_OF = re.compile(AND + spaced("(?:(?:del|de (?:la|los|las)|de|el|la|los|las) )?"))
_WROTE = re.compile(spaced(r"(?: (?:por|tras|del?) [^.;\n]{3,90})?_,?_(?:al|a (?:la|los|las)) "))


class Findings:
    """The citations of one text, added in the order in which they stand."""

    def __init__(self, text: Folded, said: Sequence[SaidDay] = ()) -> None:
        self._text = text
        self._said = said
        self._references: list[Reference] = []
        self._unsupported: list[Unsupported] = []
        self._before: tuple[SaidDay, int] | None = None

    def __len__(self) -> int:
        return len(self._references)

    def cite(
        self,
        phrase: Phrase,
        link: Link | None,
        *,
        relative: Relative | None = None,
        units: tuple[UnitMention, ...] = (),
        until: int = 0,
    ) -> None:
        """Add a citation with the day that is said behind it; of a foreign law it is an unsupported one.

        `units` are those an official id went on with, `until` is where the last ends of those that share a law.
        """
        if link and link.foreign:
            self.refuse(phrase.start, phrase.end, link.foreign)
            return
        text = self._text
        law = published_law(text, link.mention) if link and link.mention else None
        said = self._said_within(phrase.start, max(phrase.end, until)) or self._said_before(phrase)
        self._references.append(
            Reference(
                text.at(phrase.start),
                text.until(phrase.end),
                text.slice(phrase.start, phrase.end),
                law,
                units or published_units(text, phrase.units),
                said.on if said else None,
                relative or (link.relative if link else None),
                said.written if said and not said.on else "",
            )
        )

    def _said_within(self, start: int, end: int) -> SaidDay | None:
        """Give the day said inside a citation or right behind it."""
        place = bisect_left(self._said, start, key=lambda said: said.start)
        is_its = place < len(self._said) and self._said[place].start <= end
        return self._said[place] if is_its else read_pinned(self._text, end)

    def _said_before(self, phrase: Phrase) -> SaidDay | None:
        """Give the day of "en la redacción vigente a 1 de enero de 2015 del artículo 7 y del artículo 8"."""
        before, self._before = self._before, None
        start, lower = phrase.start, self._text.lower
        if before and _AND_OF.fullmatch(lower, before[1], start):
            said: SaidDay | None = before[0]
        else:
            place = bisect_left(self._said, start, key=lambda said: said.start) - 1
            said = self._said[place] if place >= 0 and self._leads(self._said[place], start) else None
        self._before = (said, phrase.end) if said else None
        return said

    def _leads(self, said: SaidDay, start: int) -> bool:
        """Whether a day is that of what begins at `start`: tied to it by "de", or said first in the sentence."""
        lower = self._text.lower
        if said.written_by:
            return _WROTE.fullmatch(lower, said.end, start) is not None
        if not _THEN.fullmatch(lower, said.end, start):
            return _OF.fullmatch(lower, said.end, start) is not None
        before = lower[max(0, said.start - 3) : said.start].rstrip(" ")
        return not before or before[-1] in ".;\n"

    def refuse(self, start: int, end: int, foreign: Foreign) -> None:
        """Add a citation of what is not held."""
        text = self._text
        self._unsupported.append(Unsupported(text.at(start), text.until(end), text.slice(start, end), foreign.type))

    def take(self, reference: Reference) -> None:
        """Add a reference that is in terms of the original already."""
        self._references.append(reference)

    def extraction(self) -> Extraction:
        """Give all that was found."""
        return Extraction(tuple(self._references), tuple(self._unsupported))

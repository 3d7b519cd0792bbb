"""Laws listed under one noun, and provisions of all of them: "artículo 5 de las Leyes 39/2015 y 40/2015"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from search.citations.folding import Folded
from search.citations.model import LawMention
from search.citations.spanish.context import Link
from search.citations.spanish.lexicon import spaced
from search.citations.spanish.numbers import is_of_several, read_more_numbers
from search.citations.spanish.phrases import Phrase
from search.citations.spanish.unit_values import Through, Unit

_RESPECTIVELY = re.compile(spaced(r"_,?_respectivamente(?![a-z])"))


def further_laws(text: Folded, link: Link) -> list[Link]:
    """Give the laws whose numbers follow that of the one linked: the 40/2015 of "Leyes 39/2015 y 40/2015"."""
    if link.mention is None or not link.mention.number:
        return []
    more = read_more_numbers(text, link.mention, link.end)
    return [Link(start, law.end, law, rank=law.rank, noun=link.noun) for law, start in more]


def of_several(text: Folded, phrases: Sequence[Phrase], link: Link) -> list[tuple[Phrase, Link]]:
    """Give provisions with the laws that are listed behind them; none where there is only one law.

    One provision is of each law. Of several, each is of its law "respectivamente"; without that word any may be meant.
    """
    further = further_laws(text, link) if link.mention and is_of_several(text, link.mention) else []
    laws, units = [link, *further], [unit for phrase in phrases for unit in phrase.units]
    if not further:
        return []
    if len(units) == 1:
        return list(_of_each(phrases[0], units * len(laws), laws))
    if len(units) == len(laws) and _RESPECTIVELY.match(text.lower, laws[-1].end):
        return list(_of_each(phrases[0], units, laws))
    ids = tuple(one for law in laws if law.mention for one in law.mention.ids)
    written = text.slice(link.start, laws[-1].end)
    either = LawMention(written, ids, is_ambiguous=True, start=link.start, end=laws[-1].end)
    any_law = Link(link.start, either.end, either, noun=link.noun)
    return [*((phrase, any_law) for phrase in phrases[:-1]), (phrases[-1]._replace(end=either.end), any_law)]


def _of_each(phrase: Phrase, units: Sequence[Unit | Through], laws: Sequence[Link]) -> Iterator[tuple[Phrase, Link]]:
    """Give each law its provision: the first where it stands, the others where their law does."""
    yield phrase._replace(units=(units[0],), end=laws[0].end), laws[0]
    for unit, law in zip(units[1:], laws[1:], strict=True):
        placed = unit._replace(start=law.start, end=law.end) if isinstance(unit, Unit) else unit
        yield Phrase((placed,), law.start, law.end, phrase.kind), law

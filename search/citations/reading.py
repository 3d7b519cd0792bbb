"""The two ways in: a text that is one citation, and a running text with citations in it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from search.citations import addresses, spanish
from search.citations.folding import fold
from search.citations.grammar import Grammar
from search.citations.hosting import Host, place
from search.citations.model import Extraction, Reference

GRAMMARS: dict[str, Grammar] = {"es": spanish}
EVERYWHERE: tuple[Grammar, ...] = (addresses,)


def parse(text: str, *, country: str = "es") -> Reference | None:
    """Read a text that is one citation and nothing else; None if it is not.

    >>> parse("art. 27.2.a) LGT").citation
    CitationId(law='ley-58-2003', unit='art-27', path=('2', 'a'), on=None)
    >>> parse("¿qué recargo se paga?") is None
    True
    """
    folded = fold(text)
    return next((found for grammar in _grammars(country) if (found := grammar.parse(folded))), None)


def extract(text: str, *, host: Host | None = None, country: str = "es", most: int | None = None) -> Extraction:
    """Find every citation in a running text, with offsets into it; a host gives relative ones their place.

    Once there are more than `most` the rest of the text is not read. Of a country whose grammar we do not know only
    what is written the same everywhere is found.

    >>> [str(reference.citation) for reference in extract("Véanse los arts. 14 CE y 27.2 de la LGT.").references]
    ['ce:art-14', 'ley-58-2003:art-27.2']
    """
    folded = fold(text)
    first, *others = _grammars(country)
    extraction = first.extract(folded, most)
    for grammar in others:
        extraction = _merged(extraction, grammar.extract(folded, most))
    return place(extraction, host) if host else extraction


def parse_several(text: str, *, country: str = "es") -> tuple[Reference, ...]:
    """Read a text that is several citations and nothing else; none if it is anything more or less.

    >>> [str(reference.citation) for reference in parse_several("art. 27 LGT y 7 de la LIRPF")]
    ['ley-58-2003:art-27', 'ley-35-2006:art-7']
    >>> parse_several("art. 27 LGT"), parse_several("recargos del art. 27 LGT y del art. 7 LIRPF")
    ((), ())
    """
    found = extract(text, country=country)
    if len(found.references) < 2 or found.unsupported:
        return ()
    places = [0, *(place for one in found.references for place in (one.start, one.end)), len(text)]
    between = [fold(text[start:end]) for start, end in zip(places[::2], places[1::2], strict=True)]
    return found.references if _grammars(country)[0].lists(between) else ()


def _grammars(country: str) -> tuple[Grammar, ...]:
    """Give the grammars to read with, that of the country first."""
    own = GRAMMARS.get(country)
    return (own, *EVERYWHERE) if own else EVERYWHERE


def _merged(first: Extraction, second: Extraction) -> Extraction:
    """Add what the second found where the first found nothing."""
    if not (second.references or second.unsupported):
        return first
    spans = [(each.start, each.end) for each in first.references]
    spans = sorted(spans + [(each.start, each.end) for each in first.unsupported])
    starts = [start for start, _end in spans]
    added = [each for each in second.references if _is_apart(each, spans, bisect_right(starts, each.start))]
    references = sorted((*first.references, *added), key=lambda each: each.start)
    return replace(first, references=tuple(references))


def _is_apart(reference: Reference, spans: Sequence[tuple[int, int]], place: int) -> bool:
    """Whether a reference overlaps neither the span before its place among the others nor the one behind."""
    is_behind = place == 0 or spans[place - 1][1] <= reference.start
    return is_behind and (place == len(spans) or reference.end <= spans[place][0])

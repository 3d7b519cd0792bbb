"""A checked text as a page shows it: its citations and quotations marked in place, and a line for each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from search.addresses import page_url
from search.claims import amiss
from search.spans import known_span, written
from search.text_verification import CheckedCitation
from search.views.citation_lines import CitedLine, told_apart

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from search.extraction import UnsupportedCitation
    from search.quote_checks import QuoteCheck
    from search.text_verification import CheckedText

OUTCOMES = {
    "found": (gettext_lazy("encontrada"), "good"),
    "partial": (gettext_lazy("encontrada en parte"), "doubt"),
    "ambiguous": (gettext_lazy("puede ser varias cosas"), "doubt"),
    "no_such_provision": (gettext_lazy("la norma no tiene ese precepto"), "bad"),
    "law_not_in_corpus": (gettext_lazy("norma que no está en el corpus"), "unknown"),
    "not_in_force": (gettext_lazy("sin vigor ese día"), "bad"),
    "history_not_held": (gettext_lazy("sin texto de ese día"), "unknown"),
    "unparsable": (gettext_lazy("no se lee como cita"), "unknown"),
}
QUOTES = {
    "verbatim": (gettext_lazy("literal"), "good"),
    "verbatim_with_elisions": (gettext_lazy("literal, con omisiones"), "good"),
    "different": (gettext_lazy("no coincide"), "bad"),
    "not_compared": (gettext_lazy("sin comparar"), "unknown"),
}
_SUGGESTED = 3
UNSUPPORTED = (gettext_lazy("de una clase que no se comprueba"), "unknown")


@dataclass(frozen=True)
class Mark:
    """A stretch that is marked: what it is, how it stands, and where its line is."""

    start: int
    end: int
    number: int
    words: str
    tone: str
    is_quotation: bool = False


@dataclass(frozen=True)
class Piece:
    """A stretch of text as the innermost mark on it shows it; `begins` are the marks that begin here."""

    text: str
    classes: str = ""
    title: str = ""
    begins: tuple[int, ...] = ()


@dataclass(frozen=True)
class Line:
    """What the table says of one citation or quotation."""

    number: int
    mark: Mark
    text: str
    found: CheckedCitation | None
    facts: Sequence[str] = ()
    offered: Sequence[CitedLine] = ()
    offering: str = ""
    nearest: CitedLine | None = None


@dataclass(frozen=True)
class Tally:
    """How many lines say the same."""

    words: str
    tone: str
    count: int


def marked(text: str, checked: CheckedText) -> tuple[list[Piece], list[Line]]:
    """Give the text in pieces, and a line for each thing marked in it."""
    things: list[CheckedCitation | UnsupportedCitation] = [*checked.found, *checked.unsupported]
    things.sort(key=lambda thing: (thing.start, -thing.end))
    lines = [_line(number, thing) for number, thing in enumerate(things, 1)]
    return list(_pieces(text, [line.mark for line in lines])), lines


def _line(number: int, thing: CheckedCitation | UnsupportedCitation) -> Line:
    if not isinstance(thing, CheckedCitation):
        return Line(number, Mark(thing.start, thing.end, number, str(UNSUPPORTED[0]), UNSUPPORTED[1]), thing.text, None)
    words, tone = QUOTES[thing.quote.state] if thing.quote else OUTCOMES[thing.outcome]
    mark = Mark(thing.start, thing.end, number, str(words), tone, thing.is_quotation)
    offered = (_offered(thing), _offering(thing), _nearest(thing))
    return Line(number, mark, thing.text, thing, list(_facts(thing)), *offered)


def tallies(lines: Sequence[Line]) -> list[Tally]:
    """Count the lines by what they say, the most frequent first."""
    counts = Counter((line.mark.words, line.mark.tone) for line in lines)
    return [Tally(words, tone, count) for (words, tone), count in counts.most_common()]


def _facts(found: CheckedCitation) -> Iterator[str]:
    """Put into words what a citation claims and what is so."""
    if found.unresolved_tail:
        yield _("No se ha podido resolver «%(tail)s».") % {"tail": found.unresolved_tail}
    yield from amiss(found)
    if found.outcome in ("history_not_held", "not_in_force") and found.as_of:
        yield _("Se ha buscado el texto del %(day)s.") % {"day": written(found.as_of)}
    if found.quote:
        yield from _facts_of_quote(found.quote)
    elif found.detail and found.outcome != "law_not_in_corpus":
        yield found.detail


def _facts_of_quote(quote: QuoteCheck) -> Iterator[str]:
    if quote.reason:
        yield quote.reason
    if quote.cuts_words:
        yield _("La cita textual empieza o acaba dentro de una palabra.")
    if quote.nearest and all(part.quote.casefold() == part.text.casefold() for part in quote.nearest.differences):
        yield _("Sólo cambian mayúsculas y minúsculas.")
    reasons = dict.fromkeys(one.reason for one in quote.not_looked_in if one.reason != quote.reason)
    if reasons:
        yield _("No se ha mirado en todas partes: %(why)s") % {"why": " ".join(reasons)}


def _offered(found: CheckedCitation) -> list[CitedLine]:
    """Give where a quote does stand word for word, or else what the citation may mean."""
    if found.quote:
        return told_apart(
            (place.citation, CitedLine(place.label, url=place.url, note=known_span(place.valid_from, place.valid_to)))
            for place in found.quote.elsewhere
        )
    near = [CitedLine(one.label, url=one.url) for one in found.suggestions[:_SUGGESTED]]
    return [*(CitedLine(one.label, one.title, one.url) for one in found.candidates), *near]


def _offering(found: CheckedCitation) -> str:
    """Say what is offered: where a quote is, what is meant, or only what lies nearest."""
    if found.quote:
        return _("Literalmente está en:")
    if found.candidates:
        return _("Puede referirse a:")
    return _("Lo más próximo que tiene la norma:")


def _nearest(found: CheckedCitation) -> CitedLine | None:
    """Give which of several provisions has the wording that is nearest to a quote."""
    near = found.quote.nearest if found.quote else None
    if near is None or not found.items:
        return None
    labels = {item.citation: item.label for item in found.items if item.label}
    return CitedLine(labels.get(near.citation, near.citation), url=page_url(near.citation))


def _pieces(text: str, marks: Sequence[Mark]) -> Iterator[Piece]:
    """Cut the text where a mark begins or ends."""
    cuts = sorted({0, len(text), *(at for mark in marks for at in (mark.start, mark.end))})
    waiting = iter(marks)
    upcoming = next(waiting, None)
    active: list[Mark] = []
    for start, end in pairwise(cuts):
        active = [mark for mark in active if mark.end > start]
        begins = []
        while upcoming and upcoming.start == start:
            active.append(upcoming)
            begins.append(upcoming.number)
            upcoming = next(waiting, None)
        yield _piece(text[start:end], active, tuple(begins))


def _piece(text: str, active: Sequence[Mark], begins: tuple[int, ...]) -> Piece:
    if not active:
        return Piece(text, begins=begins)
    mark = active[-1]
    kinds = {"quoted" if one.is_quotation else "cites" for one in active}
    return Piece(text, " ".join([*sorted(kinds), mark.tone]), mark.words, begins)

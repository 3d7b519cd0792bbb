"""What the page of a provision says of citations: links in its text, what it cites, and what cites it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from search import citation_graph
from search.captions import caption_of_id
from search.citation_graph import Node, cited_places
from search.laid_out import Link
from search.models import CitedTarget
from search.spans import known_span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from corpus.structure import SubUnit
    from search.citation_graph import CitingPlace, CitingText
    from search.models import Citation
    from search.provision_on_day import ProvisionOnDay

SHOWN_CITING = 12
_NOUNS = {
    "art": "art.", "da": "disp. adicional", "dt": "disp. transitoria", "df": "disp. final", "dd": "disp. derogatoria",
}  # fmt: skip


@dataclass(frozen=True)
class CitedLine:
    """One law or provision that is cited, or that cites; without `url` the corpus does not have it.

    `citation` is its id, where another line has the same label.
    """

    label: str
    heading: str = ""
    url: str = ""
    note: str = ""
    citation: str = ""


@dataclass(frozen=True)
class Citations:
    """The links of a provision's text, and the context of the lists beside it."""

    links: list[Link]
    context: dict[str, Any]


def citations_of(held: ProvisionOnDay, unit: SubUnit | None, within: tuple[int, int], pinned: date | None) -> Citations:
    """Give what is cited within two offsets of a text, and what cites it: five queries, two where nothing is cited."""
    start, end = within
    found = citation_graph.of_version(held.body.pk) if held.body else []
    found = [one for one in found if start <= one.start and one.end <= end]
    at = Node(held.law, held.article, unit.path if unit else (), pinned)
    citing = citing_lines(citation_graph.citing_texts(at, SHOWN_CITING))
    total = citation_graph.citing_text_count(at) if len(citing) == SHOWN_CITING else len(citing)
    page = reverse("citing", args=[str(held.citation.at(*at.path).on_day(pinned))])
    return Citations(
        _links(found, pinned),
        {
            "cites": _cited_lines(found, held, pinned),
            "citing": citing,
            "citing_total": total,
            "citing_url": page if total > SHOWN_CITING else "",
        },
    )


def citing_lines(texts: Iterable[CitingText]) -> list[CitedLine]:
    """Give a line for each text that cites, with its days and how often it does."""
    return told_apart((text.source.citation, _citing_line(*text)) for text in texts)


def _citing_line(source: CitingPlace, citations: int) -> CitedLine:
    days = known_span(source.valid_from, source.valid_to)
    often = ngettext("%(n)d cita", "%(n)d citas", citations) % {"n": citations} if citations > 1 else ""
    return CitedLine(source.label, source.heading, source.url, " · ".join(filter(None, (days, often))))


def told_apart(lines: Iterable[tuple[str, CitedLine]]) -> list[CitedLine]:
    """Add their ids to lines of the same label: two regions' "art. 1 Ley 5/2002", two texts that one norm approves."""
    found = list(lines)
    ids: dict[str, set[str]] = {}
    for citation, line in found:
        ids.setdefault(line.label, set()).add(citation)
    return [replace(line, citation=citation) if len(ids[line.label]) > 1 else line for citation, line in found]


def _links(found: Iterable[Citation], pinned: date | None) -> list[Link]:
    pages = ((one, next(iter(cited_places(one.target, pinned)), None)) for one in found)
    return [Link(one.start, one.end, place.url) for one, place in pages if place]


def _cited_lines(found: Iterable[Citation], held: ProvisionOnDay, pinned: date | None) -> list[CitedLine]:
    """Give each thing once that a text cites outside itself; what is not resolved is not told."""
    lines = {place or line.label: (place, line) for one in found for place, line in _lines_of(one, held, pinned)}
    return told_apart(lines.values())


def _lines_of(one: Citation, held: ProvisionOnDay, pinned: date | None) -> Iterator[tuple[str, CitedLine]]:
    """Give what a citation names, each with its id, which is empty where the corpus has not got it."""
    places = cited_places(one.target, pinned)
    for place in places:
        if not place.citation.startswith(f"{held.citation}.") and place.citation != str(held.citation):
            yield place.citation, CitedLine(place.label, place.heading, place.url)
    if not places and one.target.state == CitedTarget.State.LAW_ABSENT:
        yield "", CitedLine(_caption(one.target.citation) or one.text, note=_("no está en este corpus"))


def _caption(citation: str) -> str:
    """Name what is known by its id alone: "art. 27.2 Ley 58/2003"."""
    law, _colon, below = citation.partition(":")
    if not below:
        return caption_of_id(law) if law else ""
    noun, _dash, number = below.partition("-")
    return f"{_NOUNS.get(noun, noun)} {number.replace('-', ' ')} {caption_of_id(law)}"

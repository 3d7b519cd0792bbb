"""What the page of a provision says of citations: links in its text, what it cites, and what cites it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.urls import reverse
from django.utils.translation import gettext as _

from search import citation_graph
from search.captions import caption_of_id
from search.citation_graph import Node, cited_places
from search.laid_out import Link
from search.models import CitedTarget
from search.spans import span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from corpus.structure import SubUnit
    from search.citation_graph import CitationRow
    from search.models import Citation
    from search.provision_on_day import ProvisionOnDay

SHOWN_CITING = 12
_READ_CITING = 60
_NOUNS = {
    "art": "art.", "da": "disp. adicional", "dt": "disp. transitoria", "df": "disp. final", "dd": "disp. derogatoria",
}  # fmt: skip


@dataclass(frozen=True)
class CitedLine:
    """One law or provision that is cited, or that cites; without `url` the corpus does not have it."""

    label: str
    heading: str = ""
    url: str = ""
    note: str = ""


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
    lines = list(citing_lines(citation_graph.citing(at, _READ_CITING)))
    page = reverse("citing", args=[str(held.citation.at(*at.path).on_day(pinned))])
    return Citations(
        _links(found, pinned),
        {
            "cites": list(_cited_lines(found, held, pinned)),
            "citing": lines[:SHOWN_CITING],
            "citing_total": citation_graph.citing_provisions(at) if lines else 0,
            "citing_url": page if len(lines) > SHOWN_CITING else "",
        },
    )


def citing_lines(rows: Iterable[CitationRow]) -> Iterator[CitedLine]:
    """Give a line for each version of a provision that cites, however often it does."""
    seen: set[str] = set()
    for row in rows:
        if row.source.url not in seen:
            seen.add(row.source.url)
            days = row.source.valid_from, row.source.valid_to
            yield CitedLine(row.source.label, row.source.heading, row.source.url, span(*days) if any(days) else "")


def _links(found: Iterable[Citation], pinned: date | None) -> list[Link]:
    pages = ((one, next(iter(cited_places(one.target, pinned)), None)) for one in found)
    return [Link(one.start, one.end, place.url) for one, place in pages if place]


def _cited_lines(found: Iterable[Citation], held: ProvisionOnDay, pinned: date | None) -> Iterator[CitedLine]:
    """Give each thing once that a text cites outside itself; what is not resolved is not told."""
    seen: set[str] = set()
    for line in (line for one in found for line in _lines_of(one, held, pinned)):
        if line.label not in seen:
            seen.add(line.label)
            yield line


def _lines_of(one: Citation, held: ProvisionOnDay, pinned: date | None) -> Iterator[CitedLine]:
    places = cited_places(one.target, pinned)
    for place in places:
        if not place.citation.startswith(f"{held.citation}.") and place.citation != str(held.citation):
            yield CitedLine(place.label, place.heading, place.url)
    if not places and one.target.state == CitedTarget.State.LAW_ABSENT:
        yield CitedLine(_caption(one.target.citation) or one.text, note=_("no está en este corpus"))


def _caption(citation: str) -> str:
    """Name what is known by its id alone: "art. 27.2 Ley 58/2003"."""
    law, _colon, below = citation.partition(":")
    if not below:
        return caption_of_id(law) if law else ""
    noun, _dash, number = below.partition("-")
    return f"{_NOUNS.get(noun, noun)} {number.replace('-', ' ')} {caption_of_id(law)}"

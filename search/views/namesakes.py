"""Laws that share their name: a region's law is numbered like the State's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.captions import law_caption
from search.lookup import lookup
from search.responses import Candidate

if TYPE_CHECKING:
    from corpus.models import Law


def namesakes(law: Law) -> list[Candidate]:
    """Give the other laws that a reader may mean who cites `law` by rank and number alone: one query."""
    if not law.number:
        return []
    found = lookup(law_caption(law))
    named = list(found.candidates)
    if found.outcome == "found" and found.citation and found.url:
        first = Candidate(citation=found.citation, label=found.label or "", title=found.heading or "", url=found.url)
        named.insert(0, first)
    return [other for other in named if other.citation != law.key]

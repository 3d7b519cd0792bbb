"""Everything the page of a provision shows: its text laid out, how it stands, its versions and its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from corpus.clock import today
from corpus.identifiers import CitationId
from corpus.models import Article
from search.addresses import page_url
from search.captions import law_caption
from search.claims import amiss
from search.layout import lay_out, lead_ins
from search.provision_answers import on_day
from search.provision_on_day import ProvisionOnDay, Question
from search.standing import span, standing, version_lines
from search.views.citation_lines import citations_of
from search.views.contents import neighbours
from search.views.namesakes import namesakes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from corpus.structure import SubUnit
    from search.laid_out import Link
    from search.responses import Resolution

FIRST_WORDS = 48


@dataclass(frozen=True)
class Part:
    """A line of the list of a text's parts."""

    url: str
    label: str
    begins: str


def describe(shown: Resolution, pinned: date | None) -> dict[str, Any]:
    """Give the template of a provision's page its context; `pinned` is the day that was asked for: five queries."""
    cited = CitationId.parse(shown.citation or "")
    held = _held(shown, cited, pinned)
    unit = next((unit for unit in held.units if unit.path == cited.path), None) if cited.path else None
    whole = page_url(str(cited.provision.on_day(pinned)))
    beside = neighbours(held.article)
    citations = citations_of(held, unit, pinned)
    return {
        "provision": shown,
        "law": held.law,
        "law_caption": law_caption(held.law),
        "law_url": page_url(f"{held.law.key}@{pinned}" if pinned else held.law.key),
        "canonical": page_url(str(cited.on_day(pinned))),
        "whole_url": f"{whole}#{'.'.join(cited.path)}" if unit else "",
        "whole_label": held.article.label,
        "amiss": amiss(shown),
        "standing": standing(shown, today(), page_url(str(cited))),
        "cited": str(cited.on_day(pinned)),
        "versions": version_lines(shown, today()),
        "outline": _outline(held, unit, whole),
        "namesakes": namesakes(held.law),
        "neighbours": {side: _neighbour(other, held, pinned) for side, other in beside.items()},
        **_laid_out(held, unit, citations.links),
        **citations.context,
        **_to_copy(shown),
    }


def _held(shown: Resolution, cited: CitationId, pinned: date | None) -> ProvisionOnDay:
    article = Article.objects.select_related("law").get(law__key=cited.law, key=cited.unit)
    question = Question(shown.input, pinned or today(), is_pinned=pinned is not None, is_exact=True)
    return on_day(article.law, [article], question)[article.pk]


def _laid_out(held: ProvisionOnDay, unit: SubUnit | None, links: Sequence[Link]) -> dict[str, Any]:
    """Lay out the whole text, or one part with the words that introduce it."""
    blocks = held.body.blocks if held.body else []
    if unit is None:
        return {"items": lay_out(held.text, blocks, held.units, links=links), "lead_ins": ()}
    before = lead_ins(held.text, held.units, unit.path)
    return {
        "items": lay_out(held.text, blocks, held.units, (unit.start, unit.end), links),
        "lead_ins": tuple(item for stretch in before for item in lay_out(held.text, blocks, (), stretch)),
    }


def _outline(held: ProvisionOnDay, unit: SubUnit | None, whole: str) -> list[Part]:
    """List the highest parts of the text; on the page of one part they lead to the whole text."""
    page = whole if unit else ""
    highest = [part for part in held.units if len(part.path) == 1]
    return [
        Part(
            f"{page}#{'.'.join(part.path)}",
            part.label,
            _first_words(held.text[part.start + len(part.label) : part.end]),
        )
        for part in highest
    ]


def _first_words(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= FIRST_WORDS else f"{line[:FIRST_WORDS].rsplit(' ', 1)[0]}…"


def _neighbour(article: Article | None, held: ProvisionOnDay, pinned: date | None) -> dict[str, str] | None:
    if article is None:
        return None
    citation = CitationId(held.law.key, article.key, on=pinned)
    return {"url": page_url(str(citation)), "label": article.label, "heading": article.heading}


def _to_copy(shown: Resolution) -> dict[str, str]:
    """Give what the copy buttons copy: the citation, and what follows the text when it is copied with its source."""
    title = shown.law.title.rstrip(".") if shown.law else ""
    citation = f"{shown.label}, {title}"
    days = _("redacción vigente %(days)s") % {"days": span(shown.valid_from, shown.valid_to)}
    source = _("Fuente: %(url)s") % {"url": shown.source_url} if shown.source_url else ""
    told = [f"{citation} ({days}).", source, shown.citation or ""]
    return {"copied_citation": citation, "copied_source": "\n".join(filter(None, told))}

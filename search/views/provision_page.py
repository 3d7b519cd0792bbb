"""Everything the page of a provision shows: its text laid out, how it stands, its versions and its neighbours."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from django.urls import reverse
from django.utils.translation import gettext as _

from corpus.clock import today
from corpus.identifiers import CitationId
from corpus.models import Article
from search.addresses import page_url
from search.amendments import norms
from search.captions import law_caption
from search.claims import amiss
from search.errors import UnknownValue
from search.filters import ENDED
from search.layout import lay_out, lead_ins
from search.provision_answers import on_day
from search.provision_on_day import WITHOUT_TEXT, ProvisionOnDay, Question
from search.spans import span
from search.standing import standing, version_lines
from search.text_windows import windows
from search.views import copied, metadata
from search.views.citation_lines import citations_of
from search.views.contents import neighbours, titles_above
from search.views.namesakes import namesakes
from search.views.window import Window

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from corpus.structure import SubUnit
    from search.amendments import Norm
    from search.laid_out import Link
    from search.responses import Resolution
    from search.standing import Standing, VersionLine

FIRST_WORDS = 48
SHORT_NOTES = 800
_BARE_REFERENCE = re.compile(r"\W*Ref\.?\s+BOE-\S+\W*")


@dataclass(frozen=True)
class Part:
    """A line of the list of a text's parts."""

    url: str
    label: str
    begins: str


def describe(shown: Resolution, pinned: date | None, part: int, absolute: Callable[[str], str]) -> dict[str, Any]:
    """Give the template of a provision's page its context; `pinned` is the day that was asked for: five queries.

    `part` is the window shown of a very long text, 0 for all of it; raise `UnknownValue` if it has fewer. `absolute`
    gives an address of this site as it is from outside.
    """
    cited = CitationId.parse(shown.citation or "")
    held = _held(shown, cited, pinned)
    unit = next((unit for unit in held.units if unit.path == cited.path), None) if cited.path else None
    whole = page_url(str(cited.provision.on_day(pinned)))
    law_url = page_url(f"{held.law.key}@{pinned}" if pinned else held.law.key)
    beside = neighbours(held.article)
    stands = standing(shown, today(), page_url(str(cited)))
    canonical = page_url(str(cited.on_day(pinned)))
    window = _window(held, unit, part, canonical)
    citations = citations_of(held, unit, window.within, pinned)
    return {
        "provision": shown,
        "law": held.law,
        "law_caption": law_caption(held.law),
        "law_url": law_url,
        "titles": titles_above(held.article, law_url),
        "canonical": window.url(window.part),
        "window": window,
        "undated_url": page_url(str(cited.on_day(None))),
        "as_of": pinned,
        "whole_url": _in_whole(held, unit, whole) if unit else "",
        "whole_label": held.article.label,
        "amiss": amiss(shown),
        "standing": stands,
        "without_text": WITHOUT_TEXT,
        "title_note": _title_note(shown, stands),
        "cited": str(cited.on_day(pinned)),
        "versions": _versions(shown, held),
        "outline": _outline(held, unit, window, whole),
        "namesakes": namesakes(held.law),
        **_notes(held),
        "neighbours": {side: _neighbour(other, held, pinned) for side, other in beside.items()},
        **_laid_out(held, unit, window, citations.links),
        **citations.context,
        "metadata": metadata.of_provision(held.law, shown, absolute),
        "json_url": f"{reverse('search')}api/v1/citations/{quote(str(cited.on_day(pinned)), safe=':@~')}",
        "feed_url": reverse("law_feed", args=[held.law.key]),
        **copied.forms(held.law, shown, cited, pinned, absolute),
    }


def _held(shown: Resolution, cited: CitationId, pinned: date | None) -> ProvisionOnDay:
    article = Article.objects.select_related("law").get(law__key=cited.law, key=cited.unit)
    question = Question(shown.input, pinned or today(), is_pinned=pinned is not None, is_exact=True)
    return on_day(article.law, [article], question)[article.pk]


def _notes(held: ProvisionOnDay) -> dict[str, Any]:
    """Give the source's notes on the text shown; some quote a whole former text, and those are folded away.

    What only refers to a norm (`Ref. BOE-A-2026-9160#cu`) is said by the list of versions.
    """
    notes = [note for note in held.body.notes if not _BARE_REFERENCE.fullmatch(note["text"])] if held.body else []
    return {"source_notes": notes, "has_short_notes": sum(len(note["text"]) for note in notes) <= SHORT_NOTES}


def _versions(shown: Resolution, held: ProvisionOnDay) -> list[tuple[VersionLine, Norm]]:
    """List the versions, newest first, each with the norm that it comes from: one query."""
    by = norms({version.amended_by or "" for version in shown.versions})
    digests = [version.sha256 for version in held.versions if version.status not in ENDED]
    same = {place for place, (before, after) in enumerate(pairwise(digests), 1) if before == after}
    return [
        (line, by[version.amended_by or ""])
        for line, version in zip(version_lines(shown, today(), same), reversed(shown.versions), strict=True)
    ]


def _window(held: ProvisionOnDay, unit: SubUnit | None, part: int, page: str) -> Window:
    whole = (unit.start, unit.end) if unit else (0, len(held.text))
    found = _windows(held, whole)
    if part > len(found):
        detail = _("Este texto tiene %(count)d partes.") % {"count": len(found)}
        raise UnknownValue(detail, parameter="part", limit=len(found))
    return Window(found[part - 1] if part else whole, part, len(found), page)


def _windows(held: ProvisionOnDay, within: tuple[int, int]) -> list[tuple[int, int]]:
    return windows(held.text, held.body.blocks if held.body else [], within)


def _laid_out(held: ProvisionOnDay, unit: SubUnit | None, window: Window, links: Sequence[Link]) -> dict[str, Any]:
    """Lay out what is shown of the text, a part of it after the words that introduce it."""
    blocks = held.body.blocks if held.body else []
    before = lead_ins(held.text, held.units, unit.path) if unit and window.part <= 1 else ()
    return {
        "items": lay_out(held.text, blocks, held.units, window.within, links),
        "lead_ins": tuple(item for stretch in before for item in lay_out(held.text, blocks, (), stretch)),
    }


def _outline(held: ProvisionOnDay, unit: SubUnit | None, window: Window, whole: str) -> list[Part]:
    """List the highest parts of the text; those that are not shown here lead to the whole of it, to their window."""
    ends = [end for _start, end in _windows(held, (0, len(held.text)))]
    highest = [part for part in held.units if len(part.path) == 1]
    return [
        Part(
            f"{'' if unit is None and window.shows(part) else _page_with(part, ends, whole)}#{'.'.join(part.path)}",
            part.label,
            _first_words(held.text[part.start + len(part.label) : part.end]),
        )
        for part in highest
    ]


def _in_whole(held: ProvisionOnDay, unit: SubUnit, whole: str) -> str:
    ends = [end for _start, end in _windows(held, (0, len(held.text)))]
    return f"{_page_with(unit, ends, whole)}#{'.'.join(unit.path)}"


def _page_with(part: SubUnit, ends: Sequence[int], whole: str) -> str:
    """Give the address of the window of the whole text that a part begins in, by where the windows end."""
    number = bisect_right(ends, part.start) + 1
    return whole if number == 1 else f"{whole}?part={number}"


def _first_words(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= FIRST_WORDS else f"{line[:FIRST_WORDS].rsplit(' ', 1)[0]}…"


def _neighbour(article: Article | None, held: ProvisionOnDay, pinned: date | None) -> dict[str, str] | None:
    if article is None:
        return None
    citation = CitationId(held.law.key, article.key, on=pinned)
    return {"url": page_url(str(citation)), "label": article.label, "heading": article.heading}


def _title_note(shown: Resolution, stands: Standing) -> str:
    """Say in the title of a page, by which tabs and bookmarks are told apart, that its text is not the one in force."""
    if not stands.tone:
        return ""
    is_dated = shown.valid_from or shown.valid_to
    return f"{stands.name}, {span(shown.valid_from, shown.valid_to)}" if is_dated else stands.name

"""What the search page says about an answer: counts, mode, filters as links, and the pages around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from corpus.clock import today
from search.captions import brief_title, caption_of_id
from search.confidence import LOW
from search.requests import MAX_DEPTH
from search.templatetags.law_text import kind_name, status_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from search.asked import Asked
    from search.responses import FacetCount, RetrievalResponse

SHOWN_FACETS = 8
MODES = {
    "citation": (gettext_lazy("cita"), gettext_lazy("texto exacto de lo citado")),
    "hybrid": (gettext_lazy("híbrido"), gettext_lazy("por palabras y por significado")),
    "lexical": (gettext_lazy("léxico"), gettext_lazy("por palabras")),
    "semantic": (gettext_lazy("semántico"), gettext_lazy("por significado")),
}
SORTS = [
    ("relevance", gettext_lazy("por relevancia")),
    ("newest", gettext_lazy("lo más reciente antes")),
    ("oldest", gettext_lazy("lo más antiguo antes")),
]
GROUPS = [
    ("law", "laws", gettext_lazy("Norma")),
    ("rank", "ranks", gettext_lazy("Rango")),
    ("status", "statuses", gettext_lazy("Estado")),
    ("jurisdiction", "jurisdictions", gettext_lazy("Ámbito")),
]


@dataclass(frozen=True)
class Link:
    """Words with an address; `count` and `is_chosen` are for facets."""

    label: str
    url: str
    count: int = 0
    is_chosen: bool = False


@dataclass(frozen=True)
class FacetGroup:
    """The values of one facet, most frequent first."""

    title: str
    facets: list[Link]


def describe(asked: Asked, answer: RetrievalResponse) -> dict[str, Any]:
    """Give the template everything around the hits."""
    name = MODES[answer.mode][0]
    first, last = answer.offset + 1, answer.offset + len(answer.hits)
    has_more = answer.hits and (last < answer.total or answer.may_go_on) and last + answer.limit <= MAX_DEPTH
    following = asked.but(offset=last).url if has_more else ""
    preceding = asked.but(offset=max(0, answer.offset - answer.limit)).url if answer.offset and answer.hits else ""
    return {
        "today": today(),
        "count_text": count_text(answer),
        "mode": {"name": name, "meaning": _meaning(answer)},
        "first": first,
        "last": last,
        "place": _place(answer, first, last),
        "next_page": following,
        "previous_page": preceding,
        "first_page": asked.but().url,
        "sorts": SORTS,
        "chips": list(_chips(asked, answer)),
        "facets": list(_facet_groups(asked, answer)),
        "why": f"{reverse('why')}?{urlencode(asked.pairs)}&hit=",
        "confidence": None if answer.confidence is None or not answer.hits else _percent(answer.confidence),
        "is_doubtful": _is_below(LOW, answer),
        "is_very_doubtful": _is_below(LOW / 2, answer),
        "without_filters": asked.without_filters.url,
        "with_repealed": asked.but(include_repealed=True).url,
    }


def _meaning(answer: RetrievalResponse) -> str:
    """Say how was sought, and of how many texts by meaning while vectors are still being made."""
    coverage = answer.semantic_coverage
    if coverage is None or coverage >= 1 or answer.mode not in ("hybrid", "semantic"):
        return str(MODES[answer.mode][1])
    told = _("por palabras, y por significado en el %(part)d %% de los textos: los demás están por preparar")
    if answer.mode == "semantic":
        told = _("por significado en el %(part)d %% de los textos: los demás están por preparar")
    return told % {"part": max(1, int(100 * coverage))}


def _is_below(limit: float, answer: RetrievalResponse) -> bool:
    return bool(answer.hits) and answer.confidence is not None and answer.confidence < limit


def _percent(confidence: float) -> int:
    """Give a likelihood in hundredths, of which none is certain."""
    return min(99, max(1, round(100 * confidence)))


def count_text(answer: RetrievalResponse) -> str:
    """Say how many hits there are, as the screen and a screen reader are told."""
    if not answer.total:
        return _("Sin resultados")
    if answer.total_is_capped:
        return _("Más de %(total)d resultados") % {"total": answer.total}
    return ngettext("%(total)d resultado", "%(total)d resultados", answer.total) % {"total": answer.total}


def _place(answer: RetrievalResponse, first: int, last: int) -> str:
    """Say which hits of how many are on this page."""
    of = _("%(first)d–%(last)d de más de %(total)d") if answer.total_is_capped else _("%(first)d–%(last)d de %(total)d")
    return of % {"first": first, "last": last, "total": answer.total}


def _facet_groups(asked: Asked, answer: RetrievalResponse) -> Iterator[FacetGroup]:
    for facet, field, title in GROUPS:
        counts: list[FacetCount] = getattr(answer.facets, facet)
        chosen = getattr(asked, field)
        if len(counts) > 1 or (counts and chosen):
            links = [_facet(asked, field, chosen, count) for count in counts[:SHOWN_FACETS]]
            yield FacetGroup(str(title), links)


def _facet(asked: Asked, field: str, chosen: tuple[str, ...], count: FacetCount) -> Link:
    is_chosen = count.value in chosen
    values = tuple(v for v in chosen if v != count.value) if is_chosen else (*chosen, count.value)
    return Link(_label(field, count.value, count.label), asked.but(**{field: values}).url, count.count, is_chosen)


def _chips(asked: Asked, answer: RetrievalResponse) -> Iterator[Link]:
    known = {("laws", f.value): f.label for f in answer.facets.law} | {
        ("ranks", f.value): f.label for f in answer.facets.rank
    }
    for field in ("laws", "ranks", "jurisdictions", "kinds", "statuses"):
        chosen = getattr(asked, field)
        for value in chosen:
            rest = tuple(v for v in chosen if v != value)
            yield Link(_label(field, value, known.get((field, value), value)), asked.but(**{field: rest}).url)
    for field, words in (
        ("as_of", _("texto del %(day)s")),
        ("valid_from", _("rige desde el %(day)s o después")),
        ("valid_to", _("rige desde el %(day)s o antes")),
    ):
        day = getattr(asked, field)
        if day:
            yield Link(words % {"day": f"{day:%d/%m/%Y}"}, asked.but(**{field: None}).url)
    if asked.include_repealed:
        yield Link(_("también derogados"), asked.but(include_repealed=False).url)


def _label(field: str, value: str, known: str) -> str:
    if field == "laws":
        return brief_title(caption_of_id(value) if known == value else known)
    if field == "statuses":
        return status_name(value)
    return kind_name(value) if field == "kinds" else known

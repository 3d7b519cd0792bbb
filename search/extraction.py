"""Finds the citations of a running text and resolves them all at once, in the context of where the text stands."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import Field

from corpus.identifiers import CitationId
from corpus.models import Article
from corpus.structure import SubUnit, sub_units
from search import citations
from search.citations import UnitRange
from search.citations.hosting import Host, place
from search.citations.model import UnsupportedType
from search.claims import day_claim, days_enacted
from search.developing import developed_law, developing_norms
from search.errors import TextTooLong, TooManyCitations, UnknownValue
from search.lookup import Inquiry, lookup, resolve_all
from search.provisions import LONGEST_RANGE
from search.responses import Candidate, DayClaim, LawSummary, Outcome, Resolution

if TYPE_CHECKING:
    from search.citations import Extraction, Reference

LONGEST_TEXT = 1_000_000
MOST_PROVISIONS = 30_000
"""How many provisions are resolved at once."""
_NUMBER = re.compile(r"\d+")


class CitedProvision(Schema):
    """What was cited, as it resolved, without its text."""

    citation: str | None
    outcome: Outcome
    resolved_to: str | None
    unresolved_tail: str | None
    law: LawSummary | None
    kind: str | None
    label: str | None
    heading: str | None
    status: str | None
    sha256: str | None
    as_of: date | None
    valid_from: date | None
    valid_to: date | None
    candidates: list[Candidate]
    suggestions: list[Candidate]
    detail: str | None
    url: str | None
    source_url: str | None


class FoundCitation(CitedProvision):
    """A citation in a text: `text` is what stands from `start` to `end`, in code points of the text as it was given.

    Of a list or a range `items` holds each provision, and `citation` is null.
    """

    start: int
    end: int
    text: str
    items: list[CitedProvision]
    enacted: DayClaim | None


class UnsupportedCitation(Schema):
    """A citation of a kind that is not held, such as European law or case law."""

    start: int
    end: int
    text: str
    type: UnsupportedType


class ExtractedCitations(Schema):
    """Every citation of a text, in its order."""

    citations: list[FoundCitation]
    unsupported: list[UnsupportedCitation] = Field(default_factory=list)


def extract(text: str, *, host: str = "", as_of: date | None = None) -> ExtractedCitations:
    """Find and resolve every citation of a text; `host` cites the provision that the text is of, in any form.

    Raise an `InputError` for a text that is too long or cites too much, or a host that is none. The number of
    queries does not depend on how many citations there are.
    """
    found = read(text, host=host)
    resolutions = resolve_all([Inquiry(reference, None if reference.on else as_of) for reference in found.references])
    enacted = days_enacted(resolutions)
    return ExtractedCitations.model_construct(
        citations=[
            _found(reference, resolution, day_claim(reference.law, resolution.law, enacted))
            for reference, resolution in zip(found.references, resolutions, strict=True)
        ],
        unsupported=[
            UnsupportedCitation(start=one.start, end=one.end, text=one.text, type=one.type) for one in found.unsupported
        ],
    )


def read(text: str, *, host: str = "") -> Extraction:
    """Read the citations of a text of bearable length, those that hang on where it stands placed in `host`."""
    if len(text) > LONGEST_TEXT:
        detail = _("Un texto no tiene más de %(limit)d caracteres.") % {"limit": LONGEST_TEXT}
        raise TextTooLong(detail, parameter="text", limit=LONGEST_TEXT)
    found = citations.extract(text, most=MOST_PROVISIONS)
    if sum(map(_weight, found.references)) > MOST_PROVISIONS:
        detail = _("No se resuelven más de %(limit)d preceptos de una vez: divida el texto.") % {
            "limit": MOST_PROVISIONS
        }
        raise TooManyCitations(detail, parameter="text", limit=MOST_PROVISIONS)
    return place(found, _host(host, text)) if host else found


def _weight(reference: Reference) -> int:
    """Guess how many provisions a citation names."""
    return sum(_width(unit) if isinstance(unit, UnitRange) else 1 for unit in reference.units) or 1


def _width(unit: UnitRange) -> int:
    first, last = (_NUMBER.search(end.key) for end in (unit.first, unit.last))
    width = int(last[0]) - int(first[0]) + 1 if first and last else LONGEST_RANGE
    return min(max(width, 1), LONGEST_RANGE)


def _host(cited: str, text: str) -> Host:
    """Give the provision that a text is of, or a part of; its numbered parts are read off the text itself."""
    found = lookup(cited)
    if found.citation is None:
        detail = _("«%(cited)s» no cita el precepto en que está el texto.") % {"cited": cited[:80]}
        raise UnknownValue(detail, parameter="host")
    at = CitationId.parse(found.citation)
    keys = Article.objects.filter(law__key=at.law).order_by("position").values_list("key", flat=True)
    return Host(
        at.law,
        at.unit or "",
        tuple(keys),
        tuple(_parts(text, at.path)),
        developed_law(found.law, at.law) if found.law else "",
        developing_norms(at.law),
    )


def _parts(text: str, path: tuple[str, ...]) -> list[SubUnit]:
    """Give the numbered parts of a text that is itself the part of a provision at `path`, or the whole without one."""
    parts = sub_units(text)
    if not path:
        return list(parts)
    has_own_mark = bool(parts) and parts[0].start == 0 and parts[0].path == path[-1:]
    above = path[:-1] if has_own_mark else path
    whole = SubUnit(path, "", 0, len(text))
    return [whole, *(replace(part, path=above + part.path) for part in parts)]


def _found(reference: Reference, resolution: Resolution, enacted: DayClaim | None) -> FoundCitation:
    return FoundCitation.model_construct(
        start=reference.start,
        end=reference.end,
        text=reference.text,
        items=[CitedProvision.model_construct(**_facts(item)) for item in resolution.items],
        enacted=enacted,
        **_facts(resolution),
    )


def _facts(resolution: Resolution) -> dict[str, Any]:
    return {name: getattr(resolution, name) for name in CitedProvision.model_fields}

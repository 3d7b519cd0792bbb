"""Verifies citations with their quotes and titles: what each resolves to, and what in it is as it was said to be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from ninja import Schema

from corpus.clock import today
from corpus.identifiers import CitationId
from search import quote_places
from search.citations import parse
from search.claims import day_claim, days_enacted, title_claim
from search.errors import InvalidDate, TextTooLong, TooManyItems
from search.extraction import CitedProvision
from search.lookup import LONGEST_CITATION, Inquiry, resolve_all, unread
from search.quote_checks import Budget, Quote, QuoteCheck, compare
from search.quote_places import Sought
from search.responses import DayClaim, Resolution, TitleClaim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from search.citations import Reference

MOST_ITEMS = 250
LONGEST_QUOTE = 20_000
LONGEST_TITLE = 2_000
CHARACTERS_COMPARED = 40_000_000
"""How much text is compared for one request: some two seconds."""

ANSWERED = {"found", "partial", "no_such_provision", "not_in_force"}
"""Outcomes that say what the law has; the others say that it could not be looked up."""

QUOTE_STATES = ("verbatim", "verbatim_with_elisions", "different", "not_compared")


@dataclass(frozen=True)
class Item:
    """A citation to verify, with what is said to be in it; `reference` if it was read before, in a text."""

    citation: str
    quote: str = ""
    title: str = ""
    as_of: date | None = None
    reference: Reference | None = None


class VerifiedItem(CitedProvision):
    """What one citation is, and what of the claims about it holds; what was not claimed is null."""

    input: str
    items: list[CitedProvision]
    quote: QuoteCheck | None
    title: TitleClaim | None
    enacted: DayClaim | None


class TitleCounts(Schema):
    """How many titles agree with what was cited."""

    matching: int
    differing: int
    not_compared: int


class Summary(Schema):
    """How many of each there are; `complete` only if every citation, quote and title was looked at.

    What was not read as a citation, may mean several laws, or is of a law or a day that is not held, was not.
    """

    items: int
    outcomes: dict[str, int]
    quotes: dict[str, int]
    titles: TitleCounts
    complete: bool


class Verification(Schema):
    """One answer for each item, in their order."""

    items: list[VerifiedItem]
    summary: Summary


def verify(items: Sequence[Item], *, most: int = MOST_ITEMS) -> Verification:
    """Verify citations; raise an `InputError` for too many, one that is too long, or a day that disagrees.

    The number of queries does not depend on how many items there are.
    """
    _check(items, most)
    references = [item.reference or parse(item.citation) for item in items]
    _check_days(items, references)
    resolutions = _resolved(items, references)
    budget = Budget(CHARACTERS_COMPARED)
    checks = [
        compare(Quote(item.quote), resolution.items or [resolution], budget) if item.quote else None
        for item, resolution in zip(items, resolutions, strict=True)
    ]
    quote_places.complete(list(_sought(items, resolutions, checks)), budget)
    enacted = days_enacted(resolutions)
    verified = [
        _verified(item, resolution, check, reference, enacted)
        for item, resolution, check, reference in zip(items, resolutions, checks, references, strict=True)
    ]
    return Verification(items=verified, summary=_summary(items, verified))


def _check(items: Sequence[Item], most: int) -> None:
    if len(items) > most:
        detail = _("No se comprueban más de %(limit)d citas de una vez.") % {"limit": most}
        raise TooManyItems(detail, parameter="items", limit=most)
    limits = {"citation": LONGEST_CITATION, "quote": LONGEST_QUOTE, "title": LONGEST_TITLE}
    for place, item in enumerate(items):
        for name, limit in limits.items():
            if len(getattr(item, name)) > limit:
                parameter = f"items.{place}.{name}"
                detail = _("%(name)s: como máximo %(limit)d caracteres.") % {"name": parameter, "limit": limit}
                raise TextTooLong(detail, parameter=parameter, limit=limit)


def _check_days(items: Sequence[Item], references: Sequence[Reference | None]) -> None:
    for place, (item, reference) in enumerate(zip(items, references, strict=True)):
        if reference and reference.on and item.as_of not in (None, reference.on):
            detail = _("La cita %(citation)s lleva otro día que as_of.") % {"citation": item.citation[:80]}
            raise InvalidDate(detail, parameter=f"items.{place}.as_of")


def _resolved(items: Sequence[Item], references: Sequence[Reference | None]) -> list[Resolution]:
    asked = [
        Inquiry(reference, item.as_of, None if item.reference else item.citation)
        for item, reference in zip(items, references, strict=True)
        if reference
    ]
    answers = iter(resolve_all(asked))
    return [
        next(answers) if reference else unread(item.citation) for item, reference in zip(items, references, strict=True)
    ]


def _sought(
    items: Sequence[Item], resolutions: Sequence[Resolution], checks: Sequence[QuoteCheck | None]
) -> list[Sought]:
    """Give the quotes that are not where they were said to be."""
    return [
        Sought(Quote(item.quote), _cited(resolution), resolution.as_of or today(), check)
        for item, resolution, check in zip(items, resolutions, checks, strict=True)
        if check and check.state in ("different", "not_compared") and not Quote(item.quote).is_blank
    ]


def _cited(resolution: Resolution) -> CitationId | None:
    """Give what was cited if the corpus has its law."""
    first = next(iter(resolution.items), resolution)
    if first.law is None:
        return None
    return CitationId.parse(first.resolved_to or first.citation or first.law.id)


def _verified(
    item: Item,
    resolution: Resolution,
    check: QuoteCheck | None,
    reference: Reference | None,
    enacted: dict[str, date],
) -> VerifiedItem:
    mention = reference.law if reference else None
    title = item.title or (mention.title if mention else "")
    return VerifiedItem(
        **_facts(resolution),
        input=resolution.input,
        items=[CitedProvision(**_facts(one)) for one in resolution.items],
        quote=check,
        title=title_claim(title, resolution, is_of_law=not item.title) if title else None,
        enacted=day_claim(mention, resolution.law, enacted),
    )


def _facts(resolution: Resolution) -> dict[str, Any]:
    return {name: getattr(resolution, name) for name in CitedProvision.model_fields}


def _summary(items: Sequence[Item], verified: Sequence[VerifiedItem]) -> Summary:
    quotes = [one.quote for one in verified if one.quote]
    titles = [one.title for one in verified if one.title]
    unlooked = sum(bool(item.title) and one.title is None for item, one in zip(items, verified, strict=True))
    states: Counter[str] = Counter(quote.state for quote in quotes)
    return Summary(
        items=len(items),
        outcomes=dict(Counter(one.outcome for one in verified)),
        quotes={state: states[state] for state in QUOTE_STATES},
        titles=TitleCounts(
            matching=sum(title.matches for title in titles),
            differing=sum(not title.matches for title in titles),
            not_compared=unlooked,
        ),
        complete=not unlooked
        and not any(quote.not_looked_in for quote in quotes)
        and all(one.outcome in ANSWERED for item in verified for one in (item, *item.items)),
    )

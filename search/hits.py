"""Puts the hits of one page together: provisions, their places in the arms, and the passages that are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from search.addresses import page_url, source_url
from search.analysis import analyzer
from search.filters import IN_FORCE, NOT_YET_IN_FORCE
from search.lexical import lexical_index
from search.passages import choose, matches
from search.responses import ArmRank, Hit, Passage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from search.hydration import Provision
    from search.passages import Chosen, LookedFor, Shown
    from search.questions import Question
    from search.ranking import ArmHit, Ranked


def hits(
    page: Sequence[Ranked],
    provisions: Mapping[int, Provision],
    question: Question,
    *,
    first_rank: int,
    as_of: date | None,
) -> list[Hit]:
    """Give the hits of a page in its order, numbered from `first_rank`; each links to a page with the text found."""
    shown = [provisions[ranked.version_id] for ranked in page]
    languages = {provision.law.summary.text_language for provision in shown}
    looked_for = {language: lexical_index().looked_for(question, language) for language in languages}
    return [
        _hit(rank, ranked, provision, looked_for[provision.law.summary.text_language], as_of)
        for rank, (ranked, provision) in enumerate(zip(page, shown, strict=True), start=first_rank)
    ]


def _hit(rank: int, ranked: Ranked, provision: Provision, looked_for: LookedFor, as_of: date | None) -> Hit:
    law = provision.law.summary
    is_known = as_of is None or provision.is_known_on(as_of)
    day = _day_shown(provision, as_of) if is_known else None
    chosen = _chosen(ranked, provision, looked_for)
    return Hit.model_construct(
        rank=rank,
        citation=provision.citation,
        label=provision.label,
        law=law,
        kind=provision.kind,
        heading=provision.heading,
        path=provision.path,
        status=provision.status,
        valid_from=provision.valid_from,
        valid_to=provision.valid_to,
        score=ranked.score,
        lexical=place(ranked.lexical),
        semantic=place(ranked.semantic),
        passages=[_passage(provision, shown) for shown in chosen.shown],
        passages_found=chosen.found,
        url=page_url(f"{provision.citation}@{day}" if day else provision.citation),
        source_url=source_url(provision.law, provision),
        history_not_held=not is_known,
    )


def _day_shown(provision: Provision, as_of: date | None) -> date | None:
    """Give the day whose page shows the text: the one asked for, but one of its own where it has no force then."""
    if provision.status == IN_FORCE:
        return as_of
    if provision.status == NOT_YET_IN_FORCE:
        return provision.valid_from
    return provision.valid_to if as_of else None


def place(hit: ArmHit | None) -> ArmRank | None:
    """Give an article's place in an arm as answers tell it."""
    return ArmRank.model_construct(rank=hit.rank, score=round(hit.score, 6)) if hit else None


def _chosen(ranked: Ranked, provision: Provision, looked_for: LookedFor) -> Chosen:
    found = matches(provision.text, looked_for, analyzer(provision.law.summary.text_language).stem_of)
    return choose(provision.text, provision.spans, found, preferred=ranked.spans, parts=ranked.parts)


def _passage(provision: Provision, shown: Shown) -> Passage:
    citation = f"{provision.citation}.{shown.sub_unit}" if shown.sub_unit else provision.citation
    return Passage.model_construct(
        citation=citation,
        text=provision.text[shown.start : shown.end],
        start=shown.start,
        end=shown.end,
        highlights=shown.highlights,
    )

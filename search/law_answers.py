"""Answers for citations of a whole law, for official addresses of one of its blocks, and for laws that are not held."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.urls import get_script_prefix
from django.utils.translation import gettext as _

from corpus.identifiers import CitationId
from corpus.models import Article
from search.addresses import page_url, source_url
from search.captions import caption_of_id, law_caption, law_summary, provision_caption
from search.citations import Reference, UnitMention
from search.filters import IN_FORCE
from search.provision_answers import on_days, place_of
from search.redactions import law_status_on
from search.responses import Candidate, Resolution
from search.sub_units import locate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus.models import Law
    from search.law_resolution import LawChoice
    from search.provision_on_day import ProvisionOnDay, Question

_STEPS = re.compile(r"/|__")


@dataclass(frozen=True)
class BlockAsked:
    """The source's name of a provision, as an official address has it, and what was asked besides."""

    law: Law
    block: str
    question: Question


def resolve_blocks(asked: Sequence[BlockAsked]) -> list[Resolution]:
    """Resolve official addresses by the source's name of a provision: three queries."""
    named: dict[int, dict[str, list[Article]]] = defaultdict(lambda: defaultdict(list))
    wanted = Q()
    for one in asked:
        wanted |= Q(law=one.law, source_block__in=_anchors(one.block))
    for article in Article.objects.filter(wanted).order_by("position") if wanted else ():
        named[article.law_id][article.source_block].append(article)
    anchors = [next((name for name in _anchors(one.block) if named[one.law.pk][name]), "") for one in asked]
    bearers = [named[one.law.pk][anchor] for one, anchor in zip(asked, anchors, strict=True)]
    held = on_days(
        (one.law, found[0], one.question) for one, found in zip(asked, bearers, strict=True) if len(found) == 1
    )
    return [
        _below(held[place_of(articles[0], one.question)], one, anchor)
        if len(articles) == 1
        else _group_of_articles(one, articles)
        for one, anchor, articles in zip(asked, anchors, bearers, strict=True)
    ]


def _anchors(block: str) -> list[str]:
    """Give an anchor and those of the elements around it, as an eId lists them, from the inside out.

    >>> _anchors("art_1/para_2"), _anchors("A1-2")
    (['art_1/para_2', 'art_1'], ['A1-2', 'a1-2'])
    """
    names = [block]
    while (cut := max(names[-1].rfind("/"), names[-1].rfind("__"))) > 0:
        names.append(names[-1][:cut])
    return list(dict.fromkeys((*names, *(name.lower() for name in names))))


def _below(held: ProvisionOnDay, one: BlockAsked, anchor: str) -> Resolution:
    """Answer with the provision that bears an anchor, or with the part of it that the rest of the address names."""
    rest = one.block[len(anchor) :]
    path = tuple(step.rpartition("_")[2] for step in _STEPS.split(rest) if "_" in step)
    if not rest or not path:
        return held.whole(one.question.given)
    for below in (path, path[1:]):
        located = locate(held.units, below)
        if below and located.depth == len(below) and len(located.units) == 1:
            return held.part(located.units[0], one.question.given)
    return held.whole(one.question.given, outcome="partial", unresolved_tail=f"#{one.block}")


def _group_of_articles(one: BlockAsked, articles: Sequence[Article]) -> Resolution:
    """Say which provisions one name stands for, or that the law has none of that name."""
    if not articles:
        return whole_law(one.law, one.question, unresolved_tail=f"#{one.block}")
    return Resolution(
        input=one.question.given,
        outcome="ambiguous",
        law=law_summary(one.law),
        as_of=one.question.day,
        candidates=[_article_candidate(one.law, article) for article in articles],
    )


def whole_law(law: Law, question: Question, unresolved_tail: str | None = None) -> Resolution:
    """Answer with a whole law as it stands on the day."""
    status = law_status_on(law, question.day)
    is_gone = question.is_pinned and status != IN_FORCE
    citation = f"{law.key}@{question.day}" if question.is_pinned else law.key
    return Resolution(
        input=question.given,
        outcome="not_in_force" if is_gone else "partial" if unresolved_tail else "found",
        citation=law.key,
        resolved_to=None if is_gone else law.key,
        unresolved_tail=unresolved_tail,
        law=law_summary(law),
        kind="law",
        label=law_caption(law),
        heading=law.title,
        status=status,
        as_of=question.day,
        valid_from=law.valid_from,
        valid_to=law.valid_to,
        url=page_url(citation),
        source_url=source_url(law),
    )


def no_law(reference: Reference, choice: LawChoice, question: Question) -> Resolution:
    """Say that the law is not held, or which laws may be meant."""
    mention = reference.law
    law_id = mention.ids[0] if mention and mention.ids else ""
    offered = [law_candidate(law, reference) for law in choice.others]
    if choice.outcome == "ambiguous":
        offered += [_absent_candidate(key, reference) for key in choice.absent_ids]
    return Resolution(
        input=question.given,
        outcome=choice.outcome,
        citation=_cited(law_id, reference) if law_id and choice.outcome != "ambiguous" else None,
        as_of=question.day,
        candidates=offered,
        detail=None if choice.outcome == "ambiguous" else _not_in_corpus(),
    )


def _not_in_corpus() -> str:
    address = f"{get_script_prefix()}coverage"
    return _("Esa norma no está en este corpus; en %(address)s se ve cuáles están.") % {"address": address}


def _cited(law_id: str, reference: Reference) -> str:
    """Give the citation of the same units in a law, of the law alone where they are several."""
    unit = reference.units[0] if len(reference.units) == 1 else None
    if not isinstance(unit, UnitMention) or not unit.key:
        return law_id
    return str(CitationId(law_id, unit.key, unit.path))


def law_candidate(law: Law, reference: Reference) -> Candidate:
    """Offer what is cited in another law."""
    citation = _cited(law.key, reference)
    return Candidate(citation=citation, label=law_caption(law), title=law.title, url=page_url(citation))


def _absent_candidate(law_id: str, reference: Reference) -> Candidate:
    citation, caption = _cited(law_id, reference), caption_of_id(law_id)
    title = _("%(law)s (no está en este corpus)") % {"law": caption}
    return Candidate(citation=citation, label=caption, title=title, url=page_url(citation))


def _article_candidate(law: Law, article: Article) -> Candidate:
    citation = f"{law.key}:{article.key}"
    return Candidate(citation=citation, label=provision_caption(law, article), title=law.title, url=page_url(citation))

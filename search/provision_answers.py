"""Answers for the provisions that citations name: each exactly, partly, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING

from corpus.identifiers import CitationId
from search.addresses import page_url
from search.captions import law_summary, provision_caption
from search.provision_on_day import ProvisionOnDay, Question
from search.provisions import Target, Wanted, articles_of, find_targets, versions_of, with_texts
from search.redactions import redaction_on
from search.responses import RESOLVED, Candidate, Resolution
from search.sub_units import between, ending_in, in_order, locate
from search.suggestions import nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from corpus.models import Article, Law
    from search.citations import UnitMention
    from search.provisions import Targets, Unit

_PARTS_OFFERED = 5
Place = tuple[int, date, bool]


@dataclass(frozen=True)
class UnitsAsked:
    """The units that a citation names of one law, and what was asked besides."""

    law: Law
    units: Sequence[Unit]
    question: Question


@dataclass(frozen=True)
class Answers:
    """One resolution for each provision asked for; `is_list` unless one was; `is_capped` if a range was cut.

    `has_ends_only` if one was not gone through.
    """

    resolutions: list[Resolution]
    is_list: bool = False
    is_capped: bool = False
    has_ends_only: bool = False


@dataclass(frozen=True)
class _Shelf:
    """What was read for all at once: provisions by article and day, and all articles of laws that lack one."""

    held: Mapping[Place, ProvisionOnDay]
    articles: Mapping[int, Sequence[Article]]


def resolve_units(asked: Sequence[UnitsAsked]) -> list[Answers]:
    """Resolve the units of each in their order: three queries, one more with ranges, one for keys that laws lack."""
    found = find_targets([Wanted(one.law, one.units, is_exact=one.question.is_exact) for one in asked])
    held = on_days(
        (one.law, target.articles[0], one.question)
        for one, targets in zip(asked, found, strict=True)
        for target in targets.targets
        if target.articles
    )
    shelf = _Shelf(held, _articles_where_one_lacks(asked, found))
    return [
        Answers(
            [answer for target in targets.targets for answer in _answers(one, target, shelf)],
            targets.is_list,
            targets.is_capped,
            targets.has_ends_only or any(_lacks_row(one, target, shelf) for target in targets.targets),
        )
        for one, targets in zip(asked, found, strict=True)
    ]


def on_day(law: Law, articles: Iterable[Article], question: Question) -> dict[int, ProvisionOnDay]:
    """Give articles of one law as they stand on the day, by id: two queries."""
    held = on_days((law, article, question) for article in articles)
    return {provision.article.pk: provision for provision in held.values()}


def on_days(asked: Iterable[tuple[Law, Article, Question]]) -> dict[Place, ProvisionOnDay]:
    """Give articles as they stand on the day that each is asked for: two queries."""
    places = {place_of(article, question): (law, article, question) for law, article, question in asked}
    versions = versions_of(article for _law, article, _question in places.values())
    chosen = {
        place: redaction_on(law, versions[article.pk], question.day, is_pinned=question.is_pinned)
        for place, (law, article, question) in places.items()
    }
    bodies = with_texts(redaction.version for redaction in chosen.values() if redaction.version)
    return {
        place: ProvisionOnDay(
            law=law,
            article=article,
            versions=versions[article.pk],
            redaction=chosen[place],
            body=bodies.get(version.pk) if (version := chosen[place].version) else None,
            question=question,
        )
        for place, (law, article, question) in places.items()
    }


def place_of(article: Article, question: Question) -> Place:
    """Give what `on_days` names an article on a day by."""
    return article.pk, question.day, question.is_pinned


def _articles_where_one_lacks(asked: Sequence[UnitsAsked], found: Sequence[Targets]) -> dict[int, list[Article]]:
    """Give all articles of the laws that lack something asked for, to tell what lies nearest."""
    lacking = {
        one.law.pk: one.law
        for one, targets in zip(asked, found, strict=True)
        if any(not target.articles or target.instead_of for target in targets.targets)
    }
    return articles_of(lacking.values()) if lacking else {}


def _answers(one: UnitsAsked, target: Target, shelf: _Shelf) -> list[Resolution]:
    law, question = one.law, one.question
    given = question.words(target.mention.start, target.mention.end)
    if not target.articles:
        return [_no_such_provision(one, target.instead_of or target.mention, given, shelf)]
    if len(target.articles) > 1 and not question.is_exact:
        return [_repeated_key(law, target, given, question)]
    provision = shelf.held[place_of(target.articles[0], question)]
    if target.until is not None:
        return _row_of_parts(provision, target)
    answer = _answer(provision, target.mention, given)
    if target.beside and answer.outcome in RESOLVED:
        answer.candidates = [_offer(law, article, target.mention.path) for article in target.beside]
    if target.instead_of and answer.outcome == "partial":
        return [_no_such_provision(one, target.instead_of, given, shelf)]
    return [answer]


def _answer(provision: ProvisionOnDay, mention: UnitMention, given: str) -> Resolution:
    """Answer for a provision or the part of it that was asked for, as deep as its text goes."""
    if provision.body is None or not (mention.path or mention.tail):
        return provision.whole(given)
    mention = in_order(provision.units, mention)
    if not (mention.path or mention.tail):
        return provision.whole(given)
    place = locate(provision.units, mention.path) if mention.path else None
    if place and len(place.units) > 1:
        citation = provision.citation.at(*place.units[0].path)
        offered = [provision.offer(unit) for unit in place.units]
        return provision.without_text(given, citation, "ambiguous", candidates=offered)
    tail = _tail(mention, place.depth if place else 0) or None
    if place and place.units:
        return provision.part(place.units[0], given, outcome="partial" if tail else "found", unresolved_tail=tail)
    deeper = ending_in(provision.units, mention.path, _PARTS_OFFERED) if mention.path else []
    suggestions = [provision.offer(unit) for unit in deeper]
    return provision.whole(given, outcome="partial", unresolved_tail=tail, suggestions=suggestions)


def _lacks_row(one: UnitsAsked, target: Target, shelf: _Shelf) -> bool:
    """Whether of a range of parts only the ends can be given."""
    if target.until is None or not target.articles:
        return False
    provision = shelf.held[place_of(target.articles[0], one.question)]
    return not between(provision.units, target.mention.path, target.until)


def _row_of_parts(provision: ProvisionOnDay, target: Target) -> list[Resolution]:
    """Answer for each part from the first to the last; for the ends alone where the text has no such row."""
    until = target.until or ()
    row = between(provision.units, target.mention.path, until)
    if row:
        return [provision.part(unit, str(provision.citation.at(*unit.path))) for unit in row]
    ends = (replace(target.mention, path=path, labels=path) for path in (target.mention.path, until) if path)
    return [_answer(provision, end, str(provision.citation.at(*end.path))) for end in ends]


def _no_such_provision(one: UnitsAsked, mention: UnitMention, given: str, shelf: _Shelf) -> Resolution:
    """Say that the law has none and which lie nearest, or that several of its parts have one."""
    law, question = one.law, one.question
    articles = {article.key: article for article in shelf.articles[law.pk]}
    in_parts = [article for key, article in articles.items() if key.endswith(f".{mention.key}")]
    if in_parts and not question.is_exact:
        return _repeated_key(law, Target(mention, tuple(in_parts)), given, question)
    near = [articles[key] for key in nearest(mention.key, list(articles))]
    return Resolution(
        input=given,
        outcome="no_such_provision",
        citation=str(CitationId(law.key, mention.key, mention.path)),
        law=law_summary(law),
        as_of=question.day,
        suggestions=[_offer(law, article) for article in near],
    )


def _repeated_key(law: Law, target: Target, given: str, question: Question) -> Resolution:
    """Say that the source itself gives several provisions that name."""
    return Resolution(
        input=given,
        outcome="ambiguous",
        citation=str(CitationId(law.key, target.mention.key, target.mention.path)),
        law=law_summary(law),
        as_of=question.day,
        candidates=[_offer(law, article, target.mention.path) for article in target.articles],
    )


def _offer(law: Law, article: Article, path: tuple[str, ...] = ()) -> Candidate:
    citation = str(CitationId(law.key, article.key, path))
    caption = provision_caption(law, article, path)
    label = f"{caption}. {article.heading}" if article.heading else caption
    return Candidate(citation=citation, label=label, title=law.title, url=page_url(citation))


def _tail(mention: UnitMention, depth: int) -> str:
    """Put together, as it was written, what did not resolve."""
    labels = mention.labels if len(mention.labels) == len(mention.path) else mention.path
    return " ".join(part for part in (*labels[depth:], mention.tail) if part)

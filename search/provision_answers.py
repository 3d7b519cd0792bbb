"""Answers for the provisions of one law that a citation names: each exactly, partly, or not at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corpus.identifiers import CitationId
from search.addresses import page_url
from search.captions import law_summary, provision_caption
from search.provision_on_day import ProvisionOnDay, Question
from search.provisions import Target, all_articles, find_targets, versions_of, with_texts
from search.redactions import redaction_on
from search.responses import Candidate, Resolution
from search.sub_units import between, ending_in, locate
from search.suggestions import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from corpus.models import Article, Law
    from search.citations import UnitMention
    from search.provisions import Unit

_PARTS_OFFERED = 5


@dataclass(frozen=True)
class Answers:
    """One resolution for each provision asked for; `is_list` unless one was; `is_capped` if a range was cut."""

    resolutions: list[Resolution]
    is_list: bool = False
    is_capped: bool = False


def resolve_units(law: Law, units: Sequence[Unit], question: Question) -> Answers:
    """Resolve the units of one law in their order: three queries, one more for a range or for a key it lacks."""
    found = find_targets(law, units, is_exact=question.is_exact)
    held = on_day(law, [target.articles[0] for target in found.targets if target.articles], question)
    resolutions = [answer for target in found.targets for answer in _answers(law, target, held, question)]
    return Answers(resolutions, found.is_list, found.is_capped)


def on_day(law: Law, articles: Sequence[Article], question: Question) -> dict[int, ProvisionOnDay]:
    """Give articles of one law as they stand on the day, by id: two queries."""
    versions = versions_of(articles)
    chosen = {
        article.pk: redaction_on(law, versions[article.pk], question.day, is_pinned=question.is_pinned)
        for article in articles
    }
    bodies = with_texts(redaction.version for redaction in chosen.values() if redaction.version)
    return {
        article.pk: ProvisionOnDay(
            law=law,
            article=article,
            versions=versions[article.pk],
            redaction=chosen[article.pk],
            body=bodies.get(version.pk) if (version := chosen[article.pk].version) else None,
            question=question,
        )
        for article in articles
    }


def _answers(law: Law, target: Target, held: Mapping[int, ProvisionOnDay], question: Question) -> list[Resolution]:
    given = _given(target.mention, question)
    if not target.articles:
        return [_no_such_provision(law, target.instead_of or target.mention, given, question)]
    if len(target.articles) > 1 and not question.is_exact:
        return [_repeated_key(law, target, given, question)]
    provision = held[target.articles[0].pk]
    if target.until:
        return _row_of_parts(provision, target)
    answer = _answer(provision, target.mention, given)
    if target.beside and answer.outcome in ("found", "partial"):
        answer.candidates = [_offer(law, article, target.mention.path) for article in target.beside]
    if target.instead_of and answer.outcome == "partial":
        return [_no_such_provision(law, target.instead_of, given, question)]
    return [answer]


def _answer(provision: ProvisionOnDay, mention: UnitMention, given: str) -> Resolution:
    """Answer for a provision or the part of it that was asked for, as deep as its text goes."""
    if provision.body is None or not (mention.path or mention.tail):
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


def _row_of_parts(provision: ProvisionOnDay, target: Target) -> list[Resolution]:
    """Answer for each part from the first to the last; for those two alone where the text has no such row."""
    row = between(provision.units, target.mention.path, target.until)
    if row:
        return [provision.part(unit, str(provision.citation.at(*unit.path))) for unit in row]
    ends = (replace(target.mention, path=path, labels=path) for path in (target.mention.path, target.until))
    return [_answer(provision, end, str(provision.citation.at(*end.path))) for end in ends]


def _no_such_provision(law: Law, mention: UnitMention, given: str, question: Question) -> Resolution:
    """Say that the law has none and which lie nearest, or that several of its parts have one: one query."""
    articles = {article.key: article for article in all_articles(law)}
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


def _given(mention: UnitMention, question: Question) -> str:
    """Give the words that name one unit of a longer citation."""
    return question.given[mention.start : mention.end] if mention.end > mention.start else question.given


def _tail(mention: UnitMention, depth: int) -> str:
    """Put together, as it was written, what did not resolve."""
    labels = mention.labels if len(mention.labels) == len(mention.path) else mention.path
    return " ".join(part for part in (*labels[depth:], mention.tail) if part)

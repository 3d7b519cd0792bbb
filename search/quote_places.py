"""Finds where else the corpus has the very words of quotes: other versions, the same law, any law; in few queries."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext as _

from corpus.identifiers import CitationId
from corpus.models import ArticleVersion
from corpus.structure import sub_units
from search.addresses import page_url
from search.candidates import ArmUnavailable
from search.captions import provision_caption
from search.filters import IN_FORCE, Filters
from search.indexing import corpus_state, keep_up
from search.lexical import lexical_index
from search.questions import Question
from search.quote_checks import NotLookedAt, Quote, QuotedPlace, match, too_much
from search.quotes import undivided

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from search.quote_checks import Budget, QuoteCheck, Where

MOST_PLACES = 10
_CANDIDATES = 20
# Fewer words stand in too many texts for one of them to tell anything.
_FEWEST_WORDS = 4
_PHRASE_CHARACTERS = 300


@dataclass
class Sought:
    """A quote that is not where it was said to be, what was cited, the day, and the check that is to be completed."""

    quote: Quote
    cited: CitationId | None
    day: date
    check: QuoteCheck


def complete(sought: Sequence[Sought], budget: Budget) -> None:
    """Add to each check where else the quote is verbatim, and where it was not looked for."""
    if not sought:
        return
    _in_versions([one for one in sought if one.cited and one.cited.unit], budget)
    long_enough = [one for one in sought if len(one.quote.words.split()) >= _FEWEST_WORDS]
    for one in sought:
        if one not in long_enough:
            _skip(one, ("law", "corpus"), _("Son muy pocas palabras para buscarlas en otros preceptos."))
    _in_laws([one for one in long_enough if one.cited], budget)
    _in_corpus(long_enough, budget)


def _in_versions(sought: Sequence[Sought], budget: Budget) -> None:
    """Look in all versions of the provision that was cited: one query."""
    wanted = Q()
    for law, unit in {(one.cited.law, one.cited.unit) for one in sought if one.cited}:
        wanted |= Q(article__law__key=law, article__key=unit)
    versions: dict[tuple[str, str], list[ArticleVersion]] = defaultdict(list)
    for version in _versions(wanted) if wanted else ():
        versions[version.article.law.key, version.article.key].append(version)
    for one in sought:
        if one.cited:
            _look(one, versions[one.cited.law, one.cited.unit or ""], "versions", budget)


def _in_laws(sought: Sequence[Sought], budget: Budget) -> None:
    """Look in the other provisions of the law that was cited, as they stand on the day: one query."""
    versions, unread = _of_laws({one.cited.law for one in sought if one.cited}, budget.left)
    for one in sought:
        if one.cited and one.cited.law in unread:
            _skip(one, ("law",), too_much())
        elif one.cited:
            others = (version for version in versions[one.cited.law] if version.article.key != one.cited.unit)
            _look(one, (version for version in others if _stands(version, one.day)), "law", budget)


def _of_laws(laws: set[str], most_characters: int) -> tuple[Mapping[str, list[ArticleVersion]], set[str]]:
    """Give the versions of each law as far as so many characters go, and the laws of which some are missing."""
    found: dict[str, list[ArticleVersion]] = defaultdict(list)
    characters = 0
    for version in _versions(Q(article__law__key__in=laws)) if laws else ():
        characters += len(version.text)
        if characters > most_characters:
            return found, {law for law in laws if law not in found or law == version.article.law.key}
        found[version.article.law.key].append(version)
    return found, set()


def _in_corpus(sought: Sequence[Sought], budget: Budget) -> None:
    """Look in the texts in which the lexical index has the words in a row: one query, and one of the index a quote."""
    keep_up(corpus_state())
    found = [(one, _candidates(one)) for one in sought]
    versions = _versions(Q(pk__in={version for _one, ids in found for version in ids or ()}))
    held = {version.pk: version for version in versions} if any(ids for _one, ids in found) else {}
    for one, ids in found:
        if ids is None:
            continue
        of_others = (held[pk] for pk in ids if pk in held)
        law = one.cited.law if one.cited else ""
        _look(one, (version for version in of_others if version.article.law.key != law), "corpus", budget)
        if len(ids) == _CANDIDATES:
            reason = _("Sólo se han mirado los %(limit)d textos más parecidos.") % {"limit": _CANDIDATES}
            one.check.not_looked_in.append(NotLookedAt(where="corpus", reason=reason))


def _candidates(one: Sought) -> list[int] | None:
    """Give the versions that have the longest part of a quote in a row, as far as the index can tell."""
    part = max(map(undivided, one.quote.parts or [one.quote.words]), key=len)
    phrase = part if len(part) <= _PHRASE_CHARACTERS else part[:_PHRASE_CHARACTERS].rpartition(" ")[0]
    question = Question(phrase, "", phrases=(phrase,))
    try:
        found = lexical_index().search(question, Filters(one.day, include_repealed=True), _CANDIDATES, ("text",))
    except ArmUnavailable as error:
        _skip(one, ("corpus",), str(error))
        return None
    return [candidate.version_id for candidate in found]


def _look(one: Sought, versions: Iterable[ArticleVersion], where: Where, budget: Budget) -> None:
    """Look for a quote in texts; add those that have it, and say so where that was too much."""
    is_complete = True
    for version in versions:
        wording = budget.wording(version.text)
        if wording is None:
            is_complete = False
            break
        found = match(wording, one.quote)
        if found and len(one.check.elsewhere) < MOST_PLACES:
            one.check.elsewhere.append(_place(version, found.spans[0][0], found.spans[-1][1], one))
    if is_complete:
        one.check.looked_in.append(where)
    else:
        _skip(one, (where,), too_much())


def _skip(one: Sought, places: Iterable[Where], reason: str) -> None:
    one.check.not_looked_in += [NotLookedAt(where=where, reason=reason) for where in places]


def _versions(wanted: Q) -> Iterator[ArticleVersion]:
    found = ArticleVersion.objects.filter(wanted, status=IN_FORCE).select_related("article__law")
    without = ("notes", "article__law__notes", "article__law__warnings")
    return found.defer(*without).order_by("article__law__key", "article__position", "position").iterator()


def _stands(version: ArticleVersion, day: date) -> bool:
    has_begun = version.valid_from is None or version.valid_from <= day
    return has_begun and (version.valid_to is None or version.valid_to >= day)


def _place(version: ArticleVersion, start: int, end: int, one: Sought) -> QuotedPlace:
    article = version.article
    around = [unit for unit in sub_units(version.text, version.blocks) if unit.start <= start and end <= unit.end]
    path = max((unit.path for unit in around), key=len, default=())
    citation = CitationId(article.law.key, article.key, path)
    pinned = None if _stands(version, one.day) else version.valid_from or version.valid_to
    return QuotedPlace(
        citation=str(citation),
        label=provision_caption(article.law, article, path),
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        start=start,
        end=end,
        is_cited_provision=one.cited is not None and citation.provision == one.cited.provision,
        url=page_url(str(citation.on_day(pinned))),
    )

"""Citations in a question: the whole of it may be one, which is then the answer, or it may name some on the way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext as _

from corpus.identifiers import CitationId
from corpus.models import ArticleVersion
from corpus.structure import sub_units
from search import citations, lookup
from search.citations.folding import fold_name
from search.filters import IN_FORCE
from search.passages import Span
from search.questions import read
from search.ranking import Ranked
from search.responses import RESOLVED
from search.spelling import SHORTEST_CORRECTED, edits
from search.sub_units import locate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from search.citations import Reference
    from search.responses import Resolution

# Of a longer question: so many citations are read, and so many provisions of one weigh in.
MOST_READ = 3
MOST_NAMED = 10

_ARTICLES = ("artículo", "artículos", "article", "articles", "art", "arts")
_BEFORE_NUMBER = re.compile(r"(?<![^\W_])[^\W\d_]{2,12}(?=\.?[ºª]?\s*\d)")


@dataclass(frozen=True)
class Cited:
    """What a question cites, resolved; `is_whole` if it is one citation and nothing else, with the day it is `on`."""

    resolution: Resolution | None = None
    is_whole: bool = False
    on: date | None = None

    @property
    def named_law(self) -> str:
        """The id of the law that a longer question names, if the corpus has it."""
        law = self.resolution.law if self.resolution and not self.is_whole else None
        return law.id if law else ""

    def named_provisions(self) -> list[Ranked]:
        """Give the provisions that a longer question names: one query if there are any."""
        return ranking(self.resolution, MOST_NAMED) if self.resolution and self.names_provision else []

    @property
    def names_provision(self) -> bool:
        """Whether it is a longer question that names a provision which there is."""
        below_law = (one for one in resolved(self.resolution) if one.kind != "law") if self.resolution else ()
        return not self.is_whole and any(below_law)

    @property
    def is_answer(self) -> bool:
        """Whether the citation answers the question by itself: it names its law, and resolves."""
        return self.is_whole and self.resolution is not None and any(resolved(self.resolution))


def find(text: str, *, as_of: date | None) -> Cited:
    """Read and resolve what a cleaned question cites; raise `InvalidDate` if its day and `as_of` disagree.

    Of several citations in a longer question the first that resolves counts; one with field operators cites nothing.
    One that names no provision as it is typed is read again with its slips in the word for article mended.
    """
    if read(text).headings:
        return Cited()
    whole = citations.parse(text)
    if several := lookup.several(text, whole):
        days = {one.on for one in several}
        listed = lookup.resolve_several(several, as_of=as_of, given=text)
        return Cited(listed, is_whole=len(days) == 1, on=days.pop() if len(days) == 1 else None)
    if whole is not None:
        return Cited(lookup.resolve(whole, as_of=as_of, given=text), is_whole=True, on=whole.on)
    as_typed = _on_the_way(citations.extract(text).references, text, as_of)
    return as_typed if as_typed.names_provision else _mended(text, as_of) or as_typed


def _on_the_way(references: Iterable[Reference], text: str, as_of: date | None) -> Cited:
    first: Resolution | None = None
    for reference in islice((one for one in references if one.law), MOST_READ):
        resolution = lookup.resolve(reference, as_of=as_of, given=text)
        if any(resolved(resolution)):
            return Cited(resolution)
        first = first or resolution
    return Cited(first)


def _mended(text: str, as_of: date | None) -> Cited | None:
    """Read a question with its slips mended, if it names a provision so; what it cites says how it was read.

    It only weighs in the ranking, since nobody wrote it so.
    """
    mended = with_articles_spelt(text)
    if mended == text:
        return None
    whole = citations.parse(mended)
    found = _on_the_way([whole] if whole else citations.extract(mended).references, mended, as_of)
    if found.resolution is None or not found.names_provision:
        return None
    told = {"input": text, "detail": _("Se ha leído «%(read)s».") % {"read": mended}}
    return Cited(found.resolution.model_copy(update=told))


def with_articles_spelt(text: str) -> str:
    """Write the word for article as it is spelt where one slip makes it no word of citations; numbers stay.

    >>> with_articles_spelt("artícluo 27 LGT"), with_articles_spelt("recargos del atr. 27")
    ('artículo 27 LGT', 'recargos del art. 27')
    >>> with_articles_spelt("apt. 2 y acto 27"), with_articles_spelt("artes 3")
    ('apt. 2 y acto 27', 'artes 3')
    >>> with_articles_spelt("art. 27 y artículos 28 a 30"), with_articles_spelt("el artícluo citado de 2003")
    ('art. 27 y artículos 28 a 30', 'el artícluo citado de 2003')
    """
    return _BEFORE_NUMBER.sub(lambda found: _spelt(found[0]), text)


def _spelt(word: str) -> str:
    return _slips().get(fold_name(word), word)


@cache
def _slips() -> dict[str, str]:
    """Give what is meant by every word one slip from it; a short one keeps its letters, as others make a new word."""
    known = {fold_name(article): article for article in _ARTICLES}
    return {
        typed: meant
        for word, meant in reversed(known.items())
        for typed in edits(word) - known.keys()
        if len(word) >= SHORTEST_CORRECTED or set(typed) == set(word)
    }


def resolved(resolution: Resolution) -> Iterator[Resolution]:
    """Give what resolved: of a list its items, else the citation itself."""
    for one in resolution.items or [resolution]:
        if one.outcome in RESOLVED and one.resolved_to:
            yield one


def ranking(resolution: Resolution, depth: int) -> list[Ranked]:
    """Give the provisions that a citation resolved to, in its order; those of a whole law in the law's order."""
    found = [(CitationId.parse(str(one.resolved_to)), one) for one in resolved(resolution)]
    by_unit = _by_unit([target for target, _one in found if target.unit])
    entries = (
        entry
        for target, one in found
        for entry in (
            _of_unit(by_unit, target, one.valid_from) if target.unit else _of_law(target.law, one.as_of, depth)
        )
    )
    return _one_an_article(entries)[:depth]


def _by_unit(targets: Iterable[CitationId]) -> dict[tuple[str, str], list[ArticleVersion]]:
    """Give the versions in force of provisions, by law and unit: one query if there are any."""
    wanted = Q()
    for target in targets:
        wanted |= Q(article__law__key=target.law, article__key=target.unit)
    by_unit: dict[tuple[str, str], list[ArticleVersion]] = {}
    versions = ArticleVersion.objects.filter(wanted, status=IN_FORCE) if wanted else ArticleVersion.objects.none()
    of_laws = versions.select_related("article__law")
    for version in of_laws.only("text", "blocks", "valid_from", "article__key", "article__law__key"):
        by_unit.setdefault((version.article.law.key, version.article.key), []).append(version)
    return by_unit


def _of_unit(
    by_unit: Mapping[tuple[str, str], list[ArticleVersion]], target: CitationId, valid_from: date | None
) -> list[Ranked]:
    """Give the text of a provision that began on a day."""
    versions = by_unit.get((target.law, target.unit or ""), [])
    return [_entry(version, target) for version in versions if version.valid_from == valid_from]


def _of_law(key: str, day: date | None, depth: int) -> list[Ranked]:
    """Give the articles of a law with the last text each had begun to have on the day."""
    begun = Q(valid_from__isnull=True) | Q(valid_from__lte=day)
    versions = (
        ArticleVersion.objects.filter(begun, article__law__key=key, status=IN_FORCE)
        .order_by("article__position", "article_id", "-position")
        .distinct("article__position", "article_id")
        .values_list("article_id", "pk")[:depth]
    )
    return [Ranked(article, version, score=1.0) for article, version in versions]


def _entry(version: ArticleVersion, target: CitationId) -> Ranked:
    """Give an entry whose passage is the part that was cited."""
    parts: tuple[Span, ...] = ()
    if target.path:
        found = locate(sub_units(version.text, version.blocks), target.path).units
        parts = tuple(Span(unit.start, unit.end, ".".join(unit.path)) for unit in found[:1])
    return Ranked(version.article_id, version.pk, score=1.0, parts=parts)


def _one_an_article(entries: Iterable[Ranked]) -> list[Ranked]:
    """Fold several parts of one article into one entry with their passages."""
    folded: dict[int, Ranked] = {}
    for entry in entries:
        held = folded.get(entry.article_id)
        folded[entry.article_id] = entry._replace(parts=(*held.parts, *entry.parts)) if held else entry
    return list(folded.values())

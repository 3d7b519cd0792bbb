"""Citations in a question: the whole of it may be one, which is then the answer, or it may name some on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from corpus.identifiers import CitationId
from corpus.models import ArticleVersion
from corpus.structure import sub_units
from search import citations, lookup
from search.filters import IN_FORCE
from search.passages import Span
from search.questions import read
from search.ranking import Ranked
from search.sub_units import locate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date

    from search.responses import Resolution

RESOLVED = ("found", "partial")
# Of a longer question: so many citations are read, and so many provisions of one weigh in.
MOST_READ = 3
MOST_NAMED = 10


@dataclass(frozen=True)
class Cited:
    """What a question cites, resolved; `is_whole` if it is one citation and nothing else."""

    resolution: Resolution | None = None
    is_whole: bool = False

    @property
    def named_law(self) -> str:
        """The id of the law that a longer question names, if the corpus has it."""
        law = self.resolution.law if self.resolution and not self.is_whole else None
        return law.id if law else ""

    def named_provisions(self) -> list[Ranked]:
        """Give the provisions that a longer question names: one query if there are any."""
        if self.resolution is None or self.is_whole:
            return []
        below_law = [one for one in resolved(self.resolution) if one.kind != "law"]
        return ranking(self.resolution, MOST_NAMED) if below_law else []

    @property
    def is_answer(self) -> bool:
        """Whether the citation answers the question by itself: it names its law, and resolves."""
        return self.is_whole and self.resolution is not None and any(resolved(self.resolution))


def find(text: str, *, as_of: date | None) -> Cited:
    """Read and resolve what a cleaned question cites; raise `InvalidDate` if its day and `as_of` disagree.

    Of several citations in a longer question the first that resolves counts; one with field operators cites nothing.
    """
    if read(text).headings:
        return Cited()
    whole = citations.parse(text)
    if whole is not None:
        return Cited(lookup.resolve(whole, as_of=as_of, given=text), is_whole=True)
    if citations.no_day(text):
        return Cited(lookup.unread(text), is_whole=True)
    first: Resolution | None = None
    for reference in citations.extract(text).references[:MOST_READ]:
        if reference.law is None:
            continue
        resolution = lookup.resolve(reference, as_of=as_of, given=text)
        if any(resolved(resolution)):
            return Cited(resolution)
        first = first or resolution
    return Cited(first)


def resolved(resolution: Resolution) -> Iterator[Resolution]:
    """Give what resolved: of a list its items, else the citation itself."""
    for one in resolution.items or [resolution]:
        if one.outcome in RESOLVED and one.resolved_to:
            yield one


def ranking(resolution: Resolution, depth: int) -> list[Ranked]:
    """Give the provisions that a citation resolved to, in its order; those of a whole law in the law's order."""
    targets = [CitationId.parse(str(one.resolved_to)) for one in resolved(resolution)]
    if all(target.unit is None for target in targets):
        return _of_law(targets[0].law, resolution, depth)
    wanted = Q()
    for target in targets:
        wanted |= Q(article__law__key=target.law, article__key=target.unit)
    by_unit: dict[tuple[str, str], list[ArticleVersion]] = {}
    versions = ArticleVersion.objects.filter(wanted, status=IN_FORCE).select_related("article__law")
    for version in versions.only("text", "blocks", "valid_from", "article__key", "article__law__key"):
        by_unit.setdefault((version.article.law.key, version.article.key), []).append(version)
    entries = (
        _entry(version, target)
        for target, one in zip(targets, resolved(resolution), strict=True)
        for version in by_unit.get((target.law, target.unit or ""), [])
        if version.valid_from == one.valid_from
    )
    return _one_an_article(entries)[:depth]


def _of_law(key: str, resolution: Resolution, depth: int) -> list[Ranked]:
    """Give the articles of a law with the last text each had begun to have on the day."""
    begun = Q(valid_from__isnull=True) | Q(valid_from__lte=resolution.as_of)
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

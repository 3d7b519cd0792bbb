"""What a provision or law cites, and what cites it: read from the citations that were linked, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal, NamedTuple

from django.db.models import Count, Prefetch, Q
from ninja import Schema

from corpus.clock import today
from corpus.identifiers import CitationId
from corpus.models import Article, ArticleVersion, Law
from search.addresses import page_url
from search.captions import law_summary, provision_caption
from search.filters import ENDED, IN_FORCE
from search.models import Citation, CitedTarget
from search.provision_answers import on_day
from search.provision_on_day import Question
from search.responses import LawSummary
from search.sub_units import locate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

State = CitedTarget.State
_BY_LAW = ("version__article__law__key", "version__article__position", "version__position")


class CitedPlace(Schema):
    """A law or provision that is cited."""

    citation: str
    label: str
    heading: str
    law: LawSummary
    url: str


class CitingPlace(CitedPlace):
    """A provision that cites, in the version in which it does."""

    valid_from: date | None
    valid_to: date | None
    amended_by: str | None


class CitationRow(Schema):
    """One citation: `text` is what stands from `start` to `end`, in code points of the source's verbatim text.

    `citation` is what is cited, as precisely as it is, also of a law that is absent; null where that is not known.
    A range has each provision in `targets`, and the first as `citation`.
    """

    start: int
    end: int
    text: str
    state: Literal["resolved", "law_absent", "unresolved"]
    citation: str | None
    source: CitingPlace
    targets: list[CitedPlace]


class CitingText(NamedTuple):
    """A text that cites something, and in how many places."""

    source: CitingPlace
    citations: int


@dataclass(frozen=True)
class Node:
    """A law, or a provision of it down to a part; `day` is None for today, as it stands without being asked for.

    `all_versions` is every version that cites, not only the one that stands on the day.
    """

    law: Law
    article: Article | None = None
    path: tuple[str, ...] = ()
    day: date | None = None
    all_versions: bool = False


def node(citation: CitationId, day: date | None = None, *, all_versions: bool = False) -> Node:
    """Find the node of a citation that the corpus has: one query."""
    if citation.unit is None:
        return Node(Law.objects.get(key=citation.law), day=day, all_versions=all_versions)
    article = Article.objects.select_related("law").get(law__key=citation.law, key=citation.unit)
    return Node(article.law, article, citation.path, day, all_versions)


def cites(asked: Node, limit: int, offset: int = 0) -> tuple[list[CitationRow], int]:
    """Give a page of what is cited there outside itself, in the order of the text, and how many there are."""
    found = Citation.objects.filter(_standing_source(asked))
    if asked.article is None:
        found = found.filter(version__article__law=asked.law).exclude(target__law=asked.law)
    else:
        found = found.filter(version__article=asked.article).exclude(target__articles=asked.article)
    in_order = found.order_by("version__article__position", "version__position", "start", "pk")
    return _rows(in_order[offset : offset + limit], asked.day), found.count()


def cited_by(asked: Node, limit: int, offset: int = 0) -> tuple[list[CitationRow], int]:
    """Give a page of what cites it from outside itself, by law and in its order, and how many there are.

    What cites a part of it counts as well; of a part, what cites that part or one within.
    """
    found = _citing(asked)
    return _rows(found.order_by(*_BY_LAW, "start", "pk")[offset : offset + limit], asked.day), found.count()


def citing_texts(asked: Node, limit: int, offset: int = 0) -> list[CitingText]:
    """Give a page of the texts that cite it, by law and in its order: two queries, one where none does."""
    grouped = _citing(asked).order_by(*_BY_LAW).values("version", *_BY_LAW).annotate(citations=Count("pk"))
    found = {row["version"]: row["citations"] for row in grouped[offset : offset + limit]}
    unread = ("text", "blocks", "notes", "article__law__notes", "article__law__warnings")
    texts = ArticleVersion.objects.select_related("article__law").defer(*unread).order_by().in_bulk(found)
    return [
        CitingText(_source(texts[version], asked.day), citations)
        for version, citations in found.items()
        if version in texts
    ]


def citing_text_count(asked: Node) -> int:
    """Count the texts that cite it, each once: one query."""
    return _citing(asked).values("version").distinct().count()


def of_version(version_id: int) -> list[Citation]:
    """Give all citations of one redaction in the order of its text, with what they cite: two queries."""
    return list(_with_targets(Citation.objects.filter(version=version_id).order_by("start", "pk")))


def cited_places(target: CitedTarget, day: date | None) -> list[CitedPlace]:
    """Give the law or the provisions that a target is, none where the corpus has none."""
    law = target.law
    if law is None:
        return []
    path = tuple(target.path.split(".")) if target.path else ()
    articles = list(target.articles.all())
    if not articles:
        return [] if target.unit else [_place(law, None, (), day)]
    return [_place(law, article, path if len(articles) == 1 else (), day) for article in articles]


def _citing(asked: Node) -> QuerySet[Citation]:
    found = Citation.objects.filter(_standing_on(asked))
    if asked.article is None:
        return found.filter(target__law=asked.law).exclude(version__article__law=asked.law)
    found = found.filter(target__articles=asked.article).exclude(version__article=asked.article)
    part = ".".join(asked.path)
    return found.filter(Q(target__path=part) | Q(target__path__startswith=f"{part}.")) if part else found


def _standing_source(asked: Node) -> Q:
    """Choose the version of a provision that answers on the day, and the part of it; of a law all that stand then."""
    if asked.article is None or asked.all_versions:
        return _standing_on(asked)
    question = Question("", asked.day or today(), is_pinned=asked.day is not None, is_exact=True)
    held = on_day(asked.law, [asked.article], question)[asked.article.pk]
    if held.body is None:
        return Q(version=None)
    unit = next(iter(locate(held.units, asked.path).units), None) if asked.path else None
    of_part = Q(start__gte=unit.start, end__lte=unit.end) if unit else Q()
    return Q(version=held.body.pk) & of_part


def _standing_on(asked: Node) -> Q:
    """Choose citing versions that are in force on the day; a text left open in a law that has ended is not."""
    if asked.all_versions:
        return Q()
    day = asked.day or today()
    return (
        Q(version__status=IN_FORCE)
        & (Q(version__valid_from=None) | Q(version__valid_from__lte=day))
        & (Q(version__valid_to=None) | Q(version__valid_to__gte=day))
        & ~Q(version__article__law__status__in=ENDED, version__valid_to=None)
    )


def _with_targets(found: QuerySet[Citation]) -> QuerySet[Citation]:
    articles = Article.objects.order_by("law_id", "position")
    without_texts = ("version__text", "version__blocks", "version__notes")
    whole = found.select_related("version__article__law", "target__law").defer(
        *without_texts, "version__article__law__notes", "version__article__law__warnings", "target__reading"
    )
    return whole.prefetch_related(Prefetch("target__articles", articles))


def _rows(page: QuerySet[Citation], day: date | None) -> list[CitationRow]:
    return [_row(citation, day) for citation in _with_targets(page)]


def _row(citation: Citation, day: date | None) -> CitationRow:
    target = citation.target
    places = cited_places(target, day)
    return CitationRow(
        start=citation.start,
        end=citation.end,
        text=citation.text,
        state=_state(target, places),
        citation=places[0].citation if places else target.citation or None,
        source=_source(citation.version, day),
        targets=places,
    )


def _state(target: CitedTarget, places: Sequence[CitedPlace]) -> Literal["resolved", "law_absent", "unresolved"]:
    """Say what became of a target; one whose law or article is gone since it was resolved has that no more."""
    if places:
        return "resolved"
    is_absent = target.law is None and target.state != State.UNRESOLVED
    return "law_absent" if is_absent else "unresolved"


def _source(version: ArticleVersion, day: date | None) -> CitingPlace:
    """Describe a provision that cites, with the page that shows the version in which it does."""
    article = version.article
    shown_on = day or (None if _is_in_force(version, today()) else version.valid_from or version.valid_to)
    place = _place(article.law, article, (), shown_on)
    return CitingPlace(
        **place.model_dump(exclude={"heading"}),
        heading=version.heading,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        amended_by=version.amended_by or None,
    )


def _is_in_force(version: ArticleVersion, day: date) -> bool:
    has_begun = version.valid_from is None or version.valid_from <= day
    return has_begun and (version.valid_to is None or version.valid_to >= day)


def _place(law: Law, article: Article | None, path: tuple[str, ...], day: date | None) -> CitedPlace:
    citation = CitationId(law.key, article.key if article else None, path)
    return CitedPlace(
        citation=str(citation),
        label=provision_caption(law, article, path),
        heading=article.heading if article else law.title,
        law=law_summary(law),
        url=page_url(str(citation.on_day(day))),
    )

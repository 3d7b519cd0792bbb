"""What changed in laws, and when: versions by the day they begin and the norm they come from, the newest first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Count, DateField, F, Max, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce, Least, TruncDate
from django.utils import timezone

from corpus.clock import MADRID
from corpus.identifiers import CitationId
from corpus.models import ArticleVersion, Law
from search.addresses import page_url
from search.captions import law_caption
from search.filters import ENDED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from django.db.models import QuerySet

# What a law itself brought is not an amendment of it.
_ORIGINAL = Q(article__law__boe_id__isnull=False, amended_by=F("article__law__boe_id")) | Q(amended_by="", position=1)
LAWS_LOOKED_AT = 200
# No source tells of what is not known yet, so an amendment is known by the day of its law's source at the latest.
_SOURCE_AT = Coalesce("article__law__source_updated_at", "article__law__fetched_at")
_KNOWN = Least(Coalesce("published", "valid_from", output_field=DateField()), TruncDate(_SOURCE_AT, tzinfo=MADRID))
_LATEST = (F("valid_from").desc(nulls_last=True), F("published").desc(nulls_last=True), F("amended_by").asc())


@dataclass(frozen=True)
class Change:
    """A provision whose text begins, changes or ends; `diff_url` compares it to the text before, if there was another.

    `is_same_text`: there was one, word for word the same.
    """

    citation: str
    label: str
    heading: str
    status: str
    url: str
    diff_url: str
    is_same_text: bool = False


@dataclass(frozen=True)
class Norm:
    """What amended: its id in the gazette, and its name and page where the corpus has it."""

    boe_id: str
    title: str = ""
    caption: str = ""
    url: str = ""


class Place(NamedTuple):
    """Where an amendment stands among all, the newest first; what the order hangs on, so that it holds for good.

    >>> str(Place(date(2025, 4, 30), date(2025, 5, 1), "ley-58-2003", "BOE-A-2025-901"))
    '2025-04-30~2025-05-01~ley-58-2003~BOE-A-2025-901'
    >>> Place.parse("2025-04-30~2025-05-01~ley-58-2003~BOE-A-2025-901").law
    'ley-58-2003'
    """

    told: date
    day: date
    law: str
    norm: str

    def __str__(self) -> str:
        return "~".join((self.told.isoformat(), self.day.isoformat(), self.law, self.norm))

    @classmethod
    def parse(cls, text: str) -> Place:
        """Read a place as it is written; raise `ValueError` for what is none."""
        told, day, law, norm = text.split("~", 3)
        return cls(date.fromisoformat(told), date.fromisoformat(day), law, norm)


@dataclass(frozen=True)
class Amendment:
    """What one norm changed in a law from one day on; `total` counts the provisions, `changes` may hold fewer.

    `told` is when it became known.
    """

    law: Law
    day: date | None
    published: date | None
    norm: Norm
    total: int
    changes: Sequence[Change] = ()
    told: date = date.min

    @property
    def name(self) -> str:
        """Name the amendment within its law, for good."""
        return f"{self.day or self.published or ''}-{self.norm.boe_id}".strip("-")

    @property
    def place(self) -> Place:
        """Where it stands among all."""
        return Place(self.told, self.day or date.min, self.law.key, self.norm.boe_id)


def latest(laws: Collection[Law] | None, limit: int, after: Place | None = None) -> list[Amendment]:
    """Give the amendments of laws that became known last, without what they changed; None is the whole corpus.

    `after` goes on from a place towards the older ones. Two queries, three over the whole corpus.
    """
    groups = _groups(laws).order_by("-told", "-first", "article__law__key", "amended_by")
    return _read(list((groups.filter(_beyond(after)) if after else groups)[:limit]), laws)


def newer(laws: Collection[Law] | None, limit: int, than: Place) -> list[Amendment]:
    """Give the amendments right before a place, the newest first: as many queries as `latest`."""
    groups = _groups(laws).order_by("told", "first", "-article__law__key", "-amended_by")
    return _read(list(groups.filter(_short_of(than))[:limit])[::-1], laws)


def newest(limit: int) -> list[Amendment]:
    """Give the newest amendments of the corpus, by way of the laws whose source changed last where that is sure.

    Three queries; six where other laws may tell of newer ones.
    """
    laws = recent_laws(LAWS_LOOKED_AT)
    found = latest(laws, limit)
    if len(laws) < LAWS_LOOKED_AT:
        return found
    oldest = timezone.localdate(laws[-1].source_updated_at or laws[-1].fetched_at, timezone=MADRID)
    return found if len(found) == limit and found[-1].told > oldest else latest(None, limit)


def _groups(laws: Collection[Law] | None) -> QuerySet[Any, Any]:
    return (
        _amending(laws)
        .values("article__law", "article__law__key", "valid_from", "amended_by")
        .annotate(
            told=Max(_KNOWN), printed=Max("published"), total=Count("pk"),
            first=Coalesce("valid_from", Value(date.min), output_field=DateField()),
        )
    )  # fmt: skip


def _beyond(place: Place) -> Q:
    later_norm = Q(article__law__key__gt=place.law) | Q(article__law__key=place.law, amended_by__gt=place.norm)
    return Q(told__lt=place.told) | Q(told=place.told) & (Q(first__lt=place.day) | Q(first=place.day) & later_norm)


def _short_of(place: Place) -> Q:
    earlier_norm = Q(article__law__key__lt=place.law) | Q(article__law__key=place.law, amended_by__lt=place.norm)
    return Q(told__gt=place.told) | Q(told=place.told) & (Q(first__gt=place.day) | Q(first=place.day) & earlier_norm)


def _read(groups: Sequence[dict[str, Any]], laws: Collection[Law] | None) -> list[Amendment]:
    if laws is None:
        laws = Law.objects.defer("notes", "warnings").filter(pk__in={group["article__law"] for group in groups})
    by_pk, by = {law.pk: law for law in laws}, norms({group["amended_by"] for group in groups})
    return [
        Amendment(
            by_pk[group["article__law"]], group["valid_from"], group["printed"], by[group["amended_by"]],
            group["total"], told=group["told"],
        )
        for group in groups
    ]  # fmt: skip


def with_changes(amendments: Sequence[Amendment]) -> list[Amendment]:
    """Give amendments with every provision that they changed: one query."""
    asked = Q()
    for one in amendments:
        asked |= Q(article__law=one.law, valid_from=one.day, amended_by=one.norm.boe_id)
    found: dict[tuple[int, date | None, str], list[Change]] = {}
    for row in _rows(_amending({one.law for one in amendments}).filter(asked)) if asked else ():
        found.setdefault((row.article.law_id, row.valid_from, row.amended_by), []).append(_change(row))
    return [replace(one, changes=found[one.law.pk, one.day, one.norm.boe_id]) for one in amendments]


def history(law: Law, limit: int, offset: int) -> tuple[list[Amendment], int]:
    """Give a window of a law's changes, `limit` provisions from `offset` on, and how many there are: three queries.

    An amendment that reaches beyond the window has in `changes` those inside it, and in `total` no more.
    """
    amending = _amending([law])
    rows = list(_rows(amending)[offset : offset + limit])
    by = norms({row.amended_by for row in rows})
    groups = [
        Amendment(law, day, max((row.published for row in members if row.published), default=None), by[norm],
                  len(members), [_change(row) for row in members])
        for (day, norm), members in _grouped(rows)
    ]  # fmt: skip
    return groups, amending.count()


def originals(law: Law) -> int:
    """Count the texts that a law itself brought: one query."""
    return ArticleVersion.objects.filter(_ORIGINAL, article__law=law).count()


def recent_laws(limit: int) -> list[Law]:
    """Give the laws whose source changed last: one query.

    A law's source is no older than what it tells, so no other law has a newer amendment than the oldest of these.
    """
    newest = Coalesce("source_updated_at", "fetched_at").desc()
    return list(Law.objects.defer("notes", "warnings").order_by(newest, "key")[:limit])


def _amending(laws: Collection[Law] | None) -> QuerySet[ArticleVersion]:
    versions = ArticleVersion.objects.all() if laws is None else ArticleVersion.objects.filter(article__law__in=laws)
    return versions.exclude(_ORIGINAL)


def _rows(versions: QuerySet[ArticleVersion]) -> QuerySet[ArticleVersion]:
    """Give versions without their texts, each with its number among its provision's texts and the digest before."""
    texts = ArticleVersion.objects.filter(article=OuterRef("article")).exclude(status__in=ENDED)
    counted = texts.filter(position__lte=OuterRef("position")).order_by().values("article").annotate(n=Count("pk"))
    before = texts.filter(position__lt=OuterRef("position")).order_by("-position").values("sha256")[:1]
    return (
        versions.annotate(number=Coalesce(Subquery(counted.values("n")), 0), sha256_before=Subquery(before))
        .select_related("article__law")
        .defer("text", "blocks", "notes")
        .order_by(*_LATEST, "article__law__key", "article__position", "position")
    )


def _grouped(rows: Sequence[ArticleVersion]) -> Iterator[tuple[tuple[date | None, str], list[ArticleVersion]]]:
    for key, members in groupby(rows, key=lambda row: (row.valid_from, row.amended_by)):
        yield key, list(members)


def _change(row: ArticleVersion) -> Change:
    citation = CitationId(row.article.law.key, row.article.key)
    number: int = row.number  # type: ignore[attr-defined]
    is_text = row.status not in ENDED
    is_same_text = is_text and row.sha256 == row.sha256_before  # type: ignore[attr-defined]
    is_compared = is_text and number > 1 and not is_same_text
    return Change(
        str(citation),
        row.article.label,
        row.heading or row.article.heading,
        row.status,
        page_url(str(citation.on_day(row.valid_from) if is_text else citation)),
        f"{page_url(str(citation))}/diff?from={number - 1}&to={number}" if is_compared else "",
        is_same_text,
    )


def norms(boe_ids: Collection[str]) -> dict[str, Norm]:
    """Give norms by their ids in the gazette, named where the corpus has them: one query."""
    held = Law.objects.filter(boe_id__in=boe_ids).only("boe_id", "key", "title", "short_title", "rank", "number")
    known = {law.boe_id: Norm(law.boe_id, law.title, law_caption(law), page_url(law.key)) for law in held if law.boe_id}
    return {boe_id: known.get(boe_id, Norm(boe_id)) for boe_id in boe_ids}

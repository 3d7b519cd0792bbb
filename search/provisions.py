"""Fetches the provisions that citations name, with their versions, in few queries however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from corpus.models import Article, ArticleVersion
from search.citations import UnitMention, UnitRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corpus.models import Law

LONGEST_RANGE = 50
OWN = "norma."
"""What the keys of an approving norm's own provisions begin with."""
_REPEATS = range(2, 6)

Unit = UnitMention | UnitRange
Held = Mapping[str, Article]

_BETWEEN = """
    SELECT article.*, spans.place
    FROM unnest(%s::bigint[], %s::text[], %s::int[], %s::int[]) WITH ORDINALITY
        AS spans (law, kind, first, last, place),
    LATERAL (
        SELECT id, law_id, key, kind, label, heading, path, position, source_block FROM corpus_article
        WHERE law_id = spans.law AND kind = spans.kind AND position BETWEEN spans.first AND spans.last
        ORDER BY position LIMIT %s
    ) AS article
    ORDER BY spans.place, article.position
"""


@dataclass(frozen=True)
class Wanted:
    """The units that a citation names of one law.

    Words, unlike an id (`is_exact`), may mean a provision of the norm that approves the text.
    """

    law: Law
    units: Sequence[Unit]
    is_exact: bool


class _Span(NamedTuple):
    """From which to which position of one kind a range goes."""

    law: int
    kind: str
    first: int
    last: int


@dataclass(frozen=True)
class Target:
    """One provision that was asked for: `articles` are those that bear the key, none where the law has none.

    Several bear it where the source repeats it; `beside` are the approving norm's own of that name. `until` is the
    last of a range of its parts, empty where that goes on to the end; one from the beginning on has no path.
    `instead_of` is the first reading, which the law does not bear out: it stands unless
    this one does to the last level.
    """

    mention: UnitMention
    articles: tuple[Article, ...] = ()
    beside: tuple[Article, ...] = ()
    until: tuple[str, ...] | None = None
    instead_of: UnitMention | None = None


@dataclass(frozen=True)
class Targets:
    """Everything asked for, in order; `is_list` unless it is one provision; `is_capped` if a range was cut.

    `has_ends_only` if of a range only the ends are given: one is missing, or it runs backwards.
    """

    targets: tuple[Target, ...]
    is_list: bool = False
    is_capped: bool = False
    has_ends_only: bool = False


def find_targets(wanted: Sequence[Wanted]) -> list[Targets]:
    """Find the articles that units name, each in the reading that the law bears out: one query, two with ranges."""
    held = _articles(wanted)
    readings = [[_reading(unit, by_key) for unit in one.units] for one, by_key in zip(wanted, held, strict=True)]
    spans = {
        span
        for units, by_key in zip(readings, held, strict=True)
        for unit in units
        if isinstance(unit, UnitRange) and (span := _span(unit, by_key))
    }
    between = _between(sorted(spans))
    return [_found(*one, between) for one in zip(wanted, readings, held, strict=True)]


def versions_of(articles: Iterable[Article]) -> dict[int, list[ArticleVersion]]:
    """Give every version of the articles in order, without texts: one query if there are any."""
    found: dict[int, list[ArticleVersion]] = defaultdict(list)
    wanted = [article.pk for article in articles]
    if not wanted:
        return found
    rows = ArticleVersion.objects.filter(article__in=wanted)
    for version in rows.defer("text", "blocks", "notes").order_by("article_id", "position"):
        found[version.article_id].append(version)
    return found


def with_texts(versions: Iterable[ArticleVersion]) -> dict[int, ArticleVersion]:
    """Give versions by id with text, structure and notes: one query."""
    wanted = {version.pk for version in versions}
    if not wanted:
        return {}
    # The order that versions have by themselves would ask of articles and laws as well.
    return ArticleVersion.objects.only("text", "blocks", "notes").order_by().in_bulk(wanted)


def articles_of(laws: Iterable[Law]) -> dict[int, list[Article]]:
    """Give the articles of laws in their order, by law, with what names them: one query."""
    found: dict[int, list[Article]] = defaultdict(list)
    rows = Article.objects.filter(law__in={law.pk for law in laws}).order_by("law_id", "position")
    for article in rows.only("law_id", "key", "label", "heading"):
        found[article.law_id].append(article)
    return found


def _found(one: Wanted, units: Sequence[Unit], by_key: Held, between: Mapping[_Span, list[Article]]) -> Targets:
    targets: list[Target] = []
    is_capped = has_ends_only = False
    for unit, reading in zip(one.units, units, strict=True):
        if isinstance(reading, UnitMention):
            targets.append(_target(reading, by_key, unit))
            continue
        span = _span(reading, by_key)
        members = between.get(span, []) if span else []
        targets += _range(reading, by_key, members)
        is_capped |= len(members) > LONGEST_RANGE
        has_ends_only |= not members and reading.first.key != reading.last.key
    is_list = len(targets) != 1 or targets[0].until is not None
    return Targets(tuple(targets), is_list, is_capped, has_ends_only)


def _keys(units: Iterable[Unit]) -> Iterator[str]:
    for unit in units:
        if isinstance(unit, UnitRange):
            yield from (unit.first.key, unit.last.key)
        else:
            yield unit.key
            yield from _keys(unit.alternatives)


def _articles(wanted: Sequence[Wanted]) -> list[Held]:
    """Give for each the articles by key that its units may mean, and those of a key that the source repeats."""
    named = [set(_spellings(one)) for one in wanted]
    by_law: dict[int, set[str]] = defaultdict(set)
    for one, keys in zip(wanted, named, strict=True):
        by_law[one.law.pk] |= keys
    asked = Q()
    for law, keys in by_law.items():
        asked |= Q(law=law, key__in=keys)
    found: dict[int, dict[str, Article]] = {law: {} for law in by_law}
    for article in Article.objects.filter(asked).order_by("position") if asked else ():
        found[article.law_id][article.key] = article
    return [
        {key: found[one.law.pk][key] for key in keys if key in found[one.law.pk]}
        for one, keys in zip(wanted, named, strict=True)
    ]


def _spellings(one: Wanted) -> Iterator[str]:
    for named in filter(None, _keys(one.units)):
        for key in (named,) if one.is_exact else (named, f"{OWN}{named}"):
            yield key
            if "~" not in key:
                yield from (f"{key}~{n}" for n in _REPEATS)


def _between(spans: Sequence[_Span]) -> dict[_Span, list[Article]]:
    """Give the articles of each span in the law's order, one more at most than are shown."""
    found: dict[_Span, list[Article]] = defaultdict(list)
    if spans:
        for article in Article.objects.raw(_BETWEEN, [*map(list, zip(*spans, strict=True)), LONGEST_RANGE + 1]):
            found[spans[vars(article)["place"] - 1]].append(article)
    return found


def _reading(unit: Unit, by_key: Held) -> Unit:
    """Take a unit as it reads first, unless the law lacks that key and has those of another reading."""
    if isinstance(unit, UnitRange) or unit.key in by_key:
        return unit
    others = (other for other in unit.alternatives if all(key in by_key for key in _keys([other])))
    return next(others, unit)


def _target(unit: UnitMention, by_key: Held, as_read_first: Unit | None = None) -> Target:
    named, own = (_bearers(key, by_key) for key in (unit.key, f"{OWN}{unit.key}"))
    found = Target(unit, named or own, own if named else ())
    if isinstance(as_read_first, UnitMention) and as_read_first is not unit:
        return replace(found, instead_of=as_read_first)
    return found


def _bearers(key: str, by_key: Held) -> tuple[Article, ...]:
    keys = (key, *(f"{key}~{n}" for n in _REPEATS))
    return tuple(by_key[key] for key in keys if key in by_key)


def _span(unit: UnitRange, by_key: Held) -> _Span | None:
    """Give the stretch of the law that a range goes over; None for one of parts, or with an end that is missing."""
    first, last = _target(unit.first, by_key), _target(unit.last, by_key)
    if unit.first.key == unit.last.key or not (first.articles and last.articles):
        return None
    start, end = first.articles[0], last.articles[0]
    return _Span(start.law_id, start.kind, start.position, end.position)


def _range(unit: UnitRange, by_key: Held, members: Sequence[Article]) -> list[Target]:
    """Expand a range in the law's own order; its ends alone where one is missing or it runs backwards.

    Where an end is a part of an article, no more of that article is meant than lies on its side.
    """
    first, last = _target(unit.first, by_key), _target(unit.last, by_key)
    if unit.first.key == unit.last.key:
        return [first if unit.first.path == unit.last.path else replace(first, until=unit.last.path)]
    if not members:
        return [first, last]
    found = [Target(UnitMention(article.key), (article,)) for article in members[:LONGEST_RANGE]]
    if unit.last.tail and len(members) <= LONGEST_RANGE:
        found[-1] = replace(found[-1], mention=replace(found[-1].mention, tail=unit.last.tail))
    if unit.first.path:
        found[0] = replace(first, until=())
    if unit.last.path and len(members) <= LONGEST_RANGE:
        found[-1] = replace(last, mention=replace(unit.last, path=(), labels=()), until=unit.last.path)
    return found

"""Fetches the provisions of one law that a citation names, with their versions, in few queries."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from corpus.models import Article, ArticleVersion
from search.citations import UnitMention, UnitRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from corpus.models import Law

LONGEST_RANGE = 50
OWN = "norma."
"""What the keys of an approving norm's own provisions begin with."""
_REPEATS = range(2, 6)

Unit = UnitMention | UnitRange


@dataclass(frozen=True)
class Target:
    """One provision that was asked for: `articles` are those that bear the key, none where the law has none.

    Several bear it where the source repeats it; `beside` are the approving norm's own of that name. `until` is the
    last of a range of parts. `instead_of` is the first reading, which the law does not bear out: it stands unless
    this one does to the last level.
    """

    mention: UnitMention
    articles: tuple[Article, ...] = ()
    beside: tuple[Article, ...] = ()
    until: tuple[str, ...] = ()
    instead_of: UnitMention | None = None


@dataclass(frozen=True)
class Targets:
    """Everything asked for, in order; `is_list` unless it is one provision; `is_capped` if a range was cut."""

    targets: tuple[Target, ...]
    is_list: bool = False
    is_capped: bool = False


def find_targets(law: Law, units: Sequence[Unit], *, is_exact: bool) -> Targets:
    """Find the articles that units name, each in the reading that the law bears out: one query, and one a range.

    Words, unlike an id (`is_exact`), may mean a provision of the norm that approves the text.
    """
    by_key = _articles(law, _keys(units), with_own=not is_exact)
    targets: list[Target] = []
    is_capped = False
    for unit in units:
        reading = _reading(unit, by_key)
        if isinstance(reading, UnitMention):
            targets.append(_target(reading, by_key, unit))
            continue
        found, was_cut = _range(law, reading, by_key)
        targets += found
        is_capped |= was_cut
    is_list = len(targets) != 1 or bool(targets[0].until)
    return Targets(tuple(targets), is_list, is_capped)


def versions_of(articles: Iterable[Article]) -> dict[int, list[ArticleVersion]]:
    """Give every version of the articles in order, without texts: one query."""
    found: dict[int, list[ArticleVersion]] = defaultdict(list)
    rows = ArticleVersion.objects.filter(article__in=[article.pk for article in articles])
    for version in rows.defer("text", "blocks", "notes").order_by("article_id", "position"):
        found[version.article_id].append(version)
    return found


def with_texts(versions: Iterable[ArticleVersion]) -> dict[int, ArticleVersion]:
    """Give versions by id with text and structure: one query."""
    wanted = {version.pk for version in versions}
    return ArticleVersion.objects.only("text", "blocks").in_bulk(wanted) if wanted else {}


def all_articles(law: Law) -> list[Article]:
    """Give the articles of a law in its order, with what names them: one query."""
    return list(Article.objects.filter(law=law).order_by("position").only("key", "label", "heading"))


def _keys(units: Iterable[Unit]) -> Iterator[str]:
    for unit in units:
        if isinstance(unit, UnitRange):
            yield from (unit.first.key, unit.last.key)
        else:
            yield unit.key
            yield from _keys(unit.alternatives)


def _articles(law: Law, keys: Iterable[str], *, with_own: bool) -> dict[str, Article]:
    wanted = {key for key in keys if key}
    if with_own:
        wanted |= {f"{OWN}{key}" for key in wanted}
    repeated = {f"{key}~{n}" for key in wanted if "~" not in key for n in _REPEATS}
    found = Article.objects.filter(law=law, key__in=wanted | repeated).order_by("position")
    return {article.key: article for article in found}


def _reading(unit: Unit, by_key: Mapping[str, Article]) -> Unit:
    """Take a unit as it reads first, unless the law lacks that key and has those of another reading."""
    if isinstance(unit, UnitRange) or unit.key in by_key:
        return unit
    others = (other for other in unit.alternatives if all(key in by_key for key in _keys([other])))
    return next(others, unit)


def _target(unit: UnitMention, by_key: Mapping[str, Article], as_read_first: Unit | None = None) -> Target:
    named, own = (_bearers(key, by_key) for key in (unit.key, f"{OWN}{unit.key}"))
    found = Target(unit, named or own, own if named else ())
    if isinstance(as_read_first, UnitMention) and as_read_first is not unit:
        return replace(found, instead_of=as_read_first)
    return found


def _bearers(key: str, by_key: Mapping[str, Article]) -> tuple[Article, ...]:
    keys = (key, *(f"{key}~{n}" for n in _REPEATS))
    return tuple(by_key[key] for key in keys if key in by_key)


def _range(law: Law, unit: UnitRange, by_key: Mapping[str, Article]) -> tuple[list[Target], bool]:
    """Expand a range in the law's own order; its ends alone where one is missing or it runs backwards."""
    first, last = _target(unit.first, by_key), _target(unit.last, by_key)
    if unit.first.key == unit.last.key:
        return [replace(first, until=unit.last.path)], False
    if not (first.articles and last.articles):
        return [first, last], False
    start, end = first.articles[0], last.articles[0]
    between = Article.objects.filter(law=law, kind=start.kind, position__range=(start.position, end.position))
    found = list(between.order_by("position")[: LONGEST_RANGE + 1])
    if not found:
        return [first, last], False
    kept = [Target(UnitMention(article.key), (article,)) for article in found[:LONGEST_RANGE]]
    return kept, len(found) > LONGEST_RANGE

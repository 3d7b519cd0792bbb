"""Keeps what texts cite as rows: each thing once, with the law and the articles it is, as the corpus stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from corpus.models import ArticleVersion, Law
from corpus.structure import sub_units
from search.citations import UnitMention
from search.law_resolution import choose_laws, is_identified
from search.models import CitedTarget
from search.provisions import Wanted, find_targets
from search.readings import Reading, names_borne, names_given
from search.sub_units import in_order, locate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from search.law_resolution import LawChoice
    from search.provisions import Target, Targets
    from search.readings import Unit

State = CitedTarget.State
Link = CitedTarget.articles.through
Borne = Mapping["Target", tuple[str, ...]]

_AT_ONCE = 2_000
# So many laws concern so much of what is cited that all of it is looked at.
_MANY_LAWS = 500
_STATED = ("law", "law_key", "unit", "path", "state")


@dataclass(frozen=True)
class Resolved:
    """What a reading is in the corpus as it stands: `articles` by id, in the law's order."""

    state: State
    law: Law | None = None
    law_key: str = ""
    unit: str = ""
    path: str = ""
    articles: tuple[int, ...] = ()


def hold(readings: Iterable[Reading]) -> dict[str, int]:
    """Give the row of each reading by its digest; those that are not there yet are resolved and made."""
    wanted = {reading.digest: reading for reading in readings}
    known = _held(wanted)
    new = [reading for digest, reading in wanted.items() if digest not in known]
    if not new:
        return known
    resolved = resolve(new)
    rows = CitedTarget.objects.bulk_create(
        CitedTarget(
            digest=reading.digest,
            reading=reading.value,
            names=names_given(reading.law),
            **{name: getattr(one, name) for name in _STATED},
        )
        for reading, one in zip(new, resolved, strict=True)
    )
    _link(zip(rows, resolved, strict=True))
    return known | {row.digest: row.pk for row in rows}


def resolve(readings: Sequence[Reading]) -> list[Resolved]:
    """Find what readings are: as few queries as `choose_laws` and `find_targets` take, and one for doubtful parts."""
    choices = choose_laws([reading.law for reading in readings])
    in_law = {
        place: Wanted(choice.law, (reading.unit,), is_exact=False)
        for place, (reading, choice) in enumerate(zip(readings, choices, strict=True))
        if choice.law and reading.unit
    }
    found = dict(zip(in_law, find_targets(list(in_law.values())), strict=True))
    borne = _parts_borne(
        target
        for targets in found.values()
        for target in targets.targets
        if target.instead_of or target.mention.alternatives
    )
    return [
        _resolved(reading, choice, found.get(place), borne)
        for place, (reading, choice) in enumerate(zip(readings, choices, strict=True))
    ]


def affected(laws: Collection[int], last: int) -> list[int]:
    """Give the rows, up to the one of id `last`, that may be something else since these laws changed, came or went."""
    rows = CitedTarget.objects.filter(pk__lte=last).order_by("pk").values_list("pk", flat=True)
    if len(laws) > _MANY_LAWS:
        return list(rows)
    held = Law.objects.in_bulk(laws)
    names = {name for law in held.values() for name in names_borne(law)}
    may_be = Q(law__in=held) | Q(names__overlap=list(names))
    if len(held) < len(laws):
        # A law that is gone left no name: what it was, and what it made doubtful, has no law now.
        may_be |= Q(law=None) & ~Q(state=State.LAW_ABSENT)
    return list(rows.filter(may_be))


def refresh(rows: Sequence[CitedTarget]) -> int:
    """Resolve rows again and write those that are something else now; count them."""
    linked = _articles_of(rows)
    changed: list[tuple[CitedTarget, Resolved]] = []
    for row, now in zip(rows, resolve([Reading.of(row.reading) for row in rows]), strict=True):
        before = (row.state, row.law_id, row.law_key, row.unit, row.path, linked.get(row.pk, set()))
        if before != (now.state, now.law and now.law.pk, now.law_key, now.unit, now.path, set(now.articles)):
            for name in _STATED:
                setattr(row, name, getattr(now, name))
            changed.append((row, now))
    CitedTarget.objects.bulk_update([row for row, _ in changed], _STATED, batch_size=_AT_ONCE)
    Link.objects.filter(citedtarget__in=[row for row, _ in changed]).delete()
    _link(changed)
    return len(changed)


def prune() -> int:
    """Delete the rows that nothing cites any more; count them."""
    unused = list(CitedTarget.objects.filter(citations=None).values_list("pk", flat=True))
    for first in range(0, len(unused), _AT_ONCE):
        CitedTarget.objects.filter(pk__in=unused[first : first + _AT_ONCE]).delete()
    return len(unused)


def _held(digests: Iterable[str]) -> dict[str, int]:
    return dict(CitedTarget.objects.filter(digest__in=list(digests)).values_list("digest", "pk"))


def _link(pairs: Iterable[tuple[CitedTarget, Resolved]]) -> None:
    Link.objects.bulk_create(
        (Link(citedtarget_id=row.pk, article_id=article) for row, one in pairs for article in one.articles),
        batch_size=_AT_ONCE,
    )


def _articles_of(rows: Iterable[CitedTarget]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for row, article in Link.objects.filter(citedtarget__in=rows).values_list("citedtarget_id", "article_id"):
        found.setdefault(row, set()).add(article)
    return found


def _resolved(reading: Reading, choice: LawChoice, found: Targets | None, borne: Borne) -> Resolved:
    named = _first(reading.unit)
    unit, path = (named.key, ".".join(named.path)) if named else ("", "")
    if choice.law is None:
        is_absent = choice.outcome == "law_not_in_corpus" and is_identified(reading.law)
        key = reading.law.ids[0] if is_absent and reading.law.ids else ""
        return Resolved(State.LAW_ABSENT if is_absent else State.UNRESOLVED, None, key, unit, path)
    if found is None:
        return Resolved(State.RESOLVED, choice.law, choice.law.key)
    targets = [target for target in found.targets if _is_certain(target, borne)]
    articles = tuple(dict.fromkeys(target.articles[0].pk for target in targets))
    if not articles:
        return Resolved(State.UNRESOLVED, choice.law, choice.law.key, unit, path)
    first = targets[0]
    key, path = first.articles[0].key, ".".join(borne.get(first, first.mention.path))
    return Resolved(State.RESOLVED, choice.law, choice.law.key, key, path, articles)


def _first(unit: Unit | None) -> UnitMention | None:
    return unit if unit is None or isinstance(unit, UnitMention) else unit.first


def _is_certain(target: Target, borne: Borne) -> bool:
    """Whether one article is meant: not a key that the source repeats, nor another reading that its text lacks."""
    if len(target.articles) != 1:
        return False
    return target.instead_of is None or not target.mention.path or target in borne


def _parts_borne(targets: Iterable[Target]) -> Borne:
    """Give the path of each target whose part some redaction of the article has: one query if there are any."""
    doubtful = [target for target in targets if target.mention.path and target.articles]
    if not doubtful:
        return {}
    paths: dict[int, list[Target]] = {}
    for target in doubtful:
        paths.setdefault(target.articles[0].pk, []).append(target)
    borne: dict[Target, tuple[str, ...]] = {}
    for version in ArticleVersion.objects.filter(article__in=list(paths)).only("article_id", "text", "blocks"):
        units = sub_units(version.text, version.blocks)
        for target in paths[version.article_id]:
            path = in_order(units, target.mention).path
            if locate(units, path).depth == len(path):
                borne[target] = path
    return borne

"""Reads what redactions cite, each in the context of its law and of its own numbered parts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from django.db.models import Count, Min, Q

from corpus.models import Article
from corpus.structure import sub_units
from search.citations import LawMention, UnitMention, UnitRange, extract
from search.citations.hosting import Host, place
from search.developing import developed_law, developing_norms
from search.provisions import OWN
from search.readings import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date

    from corpus.models import ArticleVersion
    from search.citations import Extraction, Reference

_NO_LAW = LawMention("")


@dataclass(frozen=True)
class Occurrence:
    """What is cited at `text[start:end]` of a redaction."""

    start: int
    end: int
    reading: Reading


@dataclass(frozen=True)
class _Unit:
    """A provision of a law, and the first day it had text; None is unknown or as old as the law."""

    key: str
    first_day: date | None


def read_citations(versions: Iterable[ArticleVersion]) -> Iterator[tuple[ArticleVersion, list[Occurrence]]]:
    """Read the citations of redactions that come with article and law: one query for all.

    What a redaction only says of itself ("esta Ley", "este artículo") is left out.
    """
    held = list(versions)
    units = _units({version.article.law_id for version in held})
    for version in held:
        yield version, list(_occurrences(version, _placed(version, units[version.article.law_id])))


def _units(laws: Iterable[int]) -> dict[int, list[_Unit]]:
    """Give the provisions of each law in its order."""
    found: dict[int, list[_Unit]] = defaultdict(list)
    rows = (
        Article.objects.filter(law__in=laws)
        .annotate(first_day=Min("versions__valid_from"), undated=Count("pk", filter=Q(versions__valid_from=None)))
        .order_by("law_id", "position")
    )
    for law, key, first_day, undated in rows.values_list("law_id", "key", "first_day", "undated"):
        found[law].append(_Unit(key, None if undated else first_day))
    return found


def _placed(version: ArticleVersion, units: Sequence[_Unit]) -> Extraction:
    found = extract(version.text, country=version.article.law.jurisdiction.split("-")[0])
    host = Host(
        law=version.article.law.key,
        unit=version.article.key,
        units=_standing_then(units, version.valid_from),
        parts=sub_units(version.text, version.blocks) if any(map(_hangs_on_parts, found.references)) else (),
        develops=developed_law(version.article.law, version.article.law.key),
        developed_by=developing_norms(version.article.law.key),
    )
    return place(found, host)


def _hangs_on_parts(reference: Reference) -> bool:
    """Whether it takes the numbered parts around a reference to place it: "el apartado anterior", "la letra b)"."""
    relative = reference.relative
    if reference.law is not None or relative is None:
        return False
    firsts = (unit.first if isinstance(unit, UnitRange) else unit for unit in reference.units)
    return relative.to == "sub_unit" or any(unit.path and unit.path[0].isalpha() for unit in firsts)


def _standing_then(units: Sequence[_Unit], day: date | None) -> tuple[str, ...]:
    """Give the provisions that the law had when the redaction began: what came between later is not the one before."""
    return tuple(unit.key for unit in units if day is None or unit.first_day is None or unit.first_day <= day)


def _occurrences(version: ArticleVersion, found: Extraction) -> Iterator[Occurrence]:
    for reference in found.references:
        law = reference.law or _NO_LAW
        if not reference.units and law.ids != (version.article.law.key,):
            yield Occurrence(reference.start, reference.end, Reading(law))
        for unit, (start, end) in zip(reference.units, _places(reference), strict=True):
            is_itself = not isinstance(unit, UnitRange) and (unit.key, unit.path) == (version.article.key, ())
            if not (is_itself and law.ids == (version.article.law.key,)):
                yield Occurrence(start, end, Reading(law, unit if law.text else _in_part(unit, version.article.key)))


def _in_part(unit: UnitMention | UnitRange, host: str) -> UnitMention | UnitRange:
    """Look for what a text says of its own law first in the same annexed text or annex, then in the whole."""
    part, dot, _own = host.rpartition(".")
    if not dot or f"{part}." == OWN or isinstance(unit, UnitRange) or "." in unit.key:
        return unit
    return replace(unit, key=f"{part}.{unit.key}", alternatives=(unit, *unit.alternatives))


def _places(reference: Reference) -> list[tuple[int, int]]:
    """Give where each unit of a reference is named, one after the other; if not so, or of one alone, all of it."""
    own = [(unit.start, unit.end) for unit in reference.units]
    is_row = len(own) > 1 and all(start < end for start, end in own)
    is_apart = all(before[1] <= after[0] for before, after in pairwise(own))
    return own if is_row and is_apart else [(reference.start, reference.end)] * len(own)

"""Gives references that hang on where they stand their law and provision, once it is known where that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from search.citations.model import Extraction, LawMention, Reference, Relative, UnitMention, UnitRange


class Placed(Protocol):
    """A numbered part of the host's text: its path, and where it begins and ends."""

    @property
    def path(self) -> tuple[str, ...]:
        """The labels of its levels, outermost first."""

    @property
    def label(self) -> str:
        """Its own mark as printed."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it ends."""


@dataclass(frozen=True)
class Host:
    """The provision that a text is of: its law, its unit, the law's units in order, and its own numbered parts.

    `develops` is the law that a reglamento is written for, which it calls "la Ley"; `developed_by` are a law's own
    reglamentos, any of which it may call "su Reglamento".
    """

    law: str
    unit: str = ""
    units: Sequence[str] = ()
    parts: Sequence[Placed] = ()
    develops: str = ""
    developed_by: Sequence[str] = ()


def place(extraction: Extraction, host: Host) -> Extraction:
    """Give every reference without a law of its own the host's, and what is relative to the host its place in it.

    What points outside the host, such as "el artículo anterior" in the first one, stays relative, and so does what
    belongs to a law that the host amends or, in a disposición derogatoria, repeals.

    >>> from search.citations import extract
    >>> found = place(extract("Véase el artículo 5 y el apartado 2 de este artículo."), Host("ley-900-2019", "art-7"))
    >>> [str(reference.citation) for reference in found.references]
    ['ley-900-2019:art-5', 'ley-900-2019:art-7.2']
    """
    return replace(extraction, references=tuple(_placed(reference, host) for reference in extraction.references))


def _placed(reference: Reference, host: Host) -> Reference:
    if reference.law is not None:
        return _developed(reference, reference.law, host)
    relative = reference.relative
    if relative is None and host.unit.startswith("dd-"):
        return replace(reference, relative=Relative("amended"))
    if relative is None or relative.to == "law":
        return _under(reference, host.law)
    if relative.to == "amended":
        return reference
    if relative.to == "regulation":
        return _of_regulation(reference, host)
    if relative.level.endswith("s"):
        return _several(reference, relative, host)
    key, path = _place_of(reference, relative, host)
    if not key or path is None or (key == host.unit and not path and _is_foreign_to(reference, host.parts)):
        return reference
    units = tuple(_placed_unit(unit, reference, (key, path), host) for unit in reference.units) or (
        UnitMention(key, path, start=reference.start, end=reference.end, labels=path),
    )
    return _under(replace(reference, units=units), host.law)


def _several(reference: Reference, relative: Relative, host: Host) -> Reference:
    """Give "los apartados anteriores" each of them, and "los dos artículos siguientes" both; other words fix none."""
    found: list[tuple[str, tuple[str, ...]]] = []
    if relative.to == "sub_unit" and (relative.count or relative.step < 0):
        found = [(host.unit, path) for path in _parts_beside(relative, reference.start, host.parts)]
    elif relative.count:
        found = [(key, ()) for key in _row_beside(host.units, host.unit, relative)]
    units = tuple(UnitMention(key, path, start=reference.start, end=reference.end, labels=path) for key, path in found)
    return _under(replace(reference, units=units), host.law) if units and not reference.units else reference


def _placed_unit(
    unit: UnitMention | UnitRange, reference: Reference, place_of: tuple[str, tuple[str, ...]], host: Host
) -> UnitMention | UnitRange:
    key, path = place_of
    is_own = key == host.unit and not path
    return _below(unit, key, _around(unit, reference.start, host.parts) if is_own else path)


def _developed(reference: Reference, law: LawMention, host: Host) -> Reference:
    """Give "la Ley" of a reglamento the law that it develops."""
    is_open = not (law.ids or law.name or law.number or law.boe_id or law.eli)
    if not (is_open and host.develops and law.rank == "ley"):
        return reference
    return replace(reference, law=replace(law, ids=(host.develops,)))


def _of_regulation(reference: Reference, host: Host) -> Reference:
    """Give "su Reglamento" of a law the norm that develops it, or those that may."""
    ids = tuple(host.developed_by)
    mention = LawMention("", ids, is_ambiguous=len(ids) > 1, start=reference.start, end=reference.start)
    return replace(reference, law=mention, relative=None) if ids else reference


def _under(reference: Reference, law: str) -> Reference:
    mention = LawMention("", (law,), start=reference.start, end=reference.start)
    return replace(reference, law=mention, relative=None)


def _place_of(reference: Reference, relative: Relative, host: Host) -> tuple[str, tuple[str, ...] | None]:
    """Give the unit of the host that a reference is relative to, and the path within it; no path if there is none."""
    if relative.to == "sub_unit":
        return host.unit, _part(relative, reference.start, host.parts)
    if relative.step:
        return _beside(host.units, host.unit, relative.step), ()
    return host.unit, ()


def _is_foreign_to(reference: Reference, parts: Sequence[Placed]) -> bool:
    """Whether "el apartado Uno" cannot be the host's own, whose apartados are written "1."."""
    firsts = (unit.first if isinstance(unit, UnitRange) else unit for unit in reference.units)
    is_worded = any(not unit.key and unit.labels and _is_worded(unit.labels[0]) for unit in firsts)
    return is_worded and any(len(part.path) == 1 and part.label[:1].isdigit() for part in parts)


def _is_worded(label: str) -> bool:
    return len(label) > 2 and label.isalpha() and label[0].isupper()


def _around(unit: UnitMention | UnitRange, at: int, parts: Sequence[Placed]) -> tuple[str, ...]:
    """Give the part in whose list "la letra b)" is found, from the innermost out; numbers are the provision's own."""
    path = unit.first.path if isinstance(unit, UnitRange) else unit.path
    if not path or not path[0][0].isalpha():
        return ()
    known = {part.path for part in parts}
    return next((around for around in _enclosing(at, parts) if (*around, path[0]) in known), ())


def _enclosing(at: int, parts: Sequence[Placed]) -> Iterator[tuple[str, ...]]:
    """Give the paths of the parts around a place, innermost first, with all that stand above them."""
    around = max((part.path for part in parts if part.start <= at < part.end), key=len, default=())
    return (around[:depth] for depth in range(len(around), 0, -1))


def _below(unit: UnitMention | UnitRange, key: str, path: tuple[str, ...]) -> UnitMention | UnitRange:
    """Put what was read without a provision below one, or below one of its parts."""
    if isinstance(unit, UnitRange):
        return UnitRange(_keyed(unit.first, key, path), _keyed(unit.last, key, path))
    return _keyed(unit, key, path)


def _keyed(unit: UnitMention, key: str, path: tuple[str, ...]) -> UnitMention:
    return unit if unit.key else replace(unit, key=key, path=path + unit.path, labels=path + unit.labels)


def _row_beside(ordered: Sequence[str], key: str, relative: Relative) -> list[str]:
    """Give the `count` units next to one, of its own kind, in their order; none if there are not so many."""
    alike = [unit for unit in ordered if unit.split("-")[0] == key.split("-")[0]]
    places = _nearest(len(alike), alike.index(key), relative) if key in alike else ()
    return [alike[place] for place in places]


def _parts_beside(relative: Relative, at: int, parts: Sequence[Placed]) -> list[tuple[str, ...]]:
    """Give the paths of the parts beside the one that the words stand in, in their order."""
    here = _here(relative, at, parts)
    row = _row(here, parts) if here else []
    places = _nearest(len(row), row.index(here), relative) if here in row else ()
    return [row[place] for place in places]


def _nearest(length: int, here: int, relative: Relative) -> range:
    """Give the places in a row of that length that are meant, seen from one; none if it has not so many."""
    beside = range(here) if relative.step < 0 else range(here + 1, length)
    if len(beside) < relative.count:
        return range(0)
    return beside[-relative.count :] if relative.step < 0 else beside[: relative.count or None]


def _beside(ordered: Sequence[str], key: str, step: int) -> str:
    """Give the unit so many places from another, of its own kind; nothing past either end."""
    alike = [unit for unit in ordered if unit.split("-")[0] == key.split("-")[0]]
    at = alike.index(key) + step if key in alike else -1
    return alike[at] if 0 <= at < len(alike) else ""


def _part(relative: Relative, at: int, parts: Sequence[Placed]) -> tuple[str, ...] | None:
    """Give the path of "este apartado" or "la letra anterior": the part that the words stand in, or its neighbour."""
    here = _here(relative, at, parts)
    if here is None or not relative.step:
        return here
    row = _row(here, parts)
    beside = row.index(here) + relative.step
    return row[beside] if 0 <= beside < len(row) else None


def _here(relative: Relative, at: int, parts: Sequence[Placed]) -> tuple[str, ...] | None:
    """Give the innermost part around a place that a word ("apartado", "letra") can mean."""
    is_letter = relative.level.startswith("letra")
    return next((path for path in _enclosing(at, parts) if path[-1][0].isalpha() == is_letter), None)


def _row(here: tuple[str, ...], parts: Sequence[Placed]) -> list[tuple[str, ...]]:
    """Give the paths of a part and those beside it, in their order."""
    return [part.path for part in parts if part.path[:-1] == here[:-1] and len(part.path) == len(here)]

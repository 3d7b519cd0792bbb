"""Gives references that hang on where they stand their law and provision, once it is known where that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from search.citations.model import Extraction, LawMention, Reference, UnitMention, UnitRange


class Placed(Protocol):
    """A numbered part of the host's text: its path, and where it begins and ends."""

    @property
    def path(self) -> tuple[str, ...]:
        """The labels of its levels, outermost first."""

    @property
    def start(self) -> int:
        """Where it begins."""

    @property
    def end(self) -> int:
        """Where it ends."""


@dataclass(frozen=True)
class Host:
    """The provision that a text is of: its law, its unit, the law's units in order, and its own numbered parts."""

    law: str
    unit: str = ""
    units: Sequence[str] = ()
    parts: Sequence[Placed] = ()


def place(extraction: Extraction, host: Host) -> Extraction:
    """Give every reference without a law of its own the host's, and what is relative to the host its place in it.

    A reference that points outside the host, such as "el artículo anterior" in the first one, stays relative.

    >>> from search.citations import extract
    >>> found = place(extract("Véase el artículo 5 y el apartado 2 de este artículo."), Host("ley-900-2019", "art-7"))
    >>> [str(reference.citation) for reference in found.references]
    ['ley-900-2019:art-5', 'ley-900-2019:art-7.2']
    """
    return replace(extraction, references=tuple(_placed(reference, host) for reference in extraction.references))


def _placed(reference: Reference, host: Host) -> Reference:
    if reference.law is not None:
        return reference
    law = LawMention("", (host.law,), start=reference.start, end=reference.start)
    relative = reference.relative
    if relative is None or relative.to == "law":
        return replace(reference, law=law, relative=None)
    if relative.to == "provision":
        key = _beside(host.units, host.unit, relative.step) if relative.step else host.unit
        path: tuple[str, ...] | None = ()
    else:
        key, path = host.unit, _part(reference, host)
    if not key or path is None:
        return reference
    return replace(reference, law=law, units=_under(reference, key, path), relative=None)


def _under(reference: Reference, key: str, path: tuple[str, ...]) -> tuple[UnitMention | UnitRange, ...]:
    if not reference.units:
        return (UnitMention(key, path, start=reference.start, end=reference.end, labels=path),)
    return tuple(
        UnitRange(_below(unit.first, key, path), _below(unit.last, key, path))
        if isinstance(unit, UnitRange)
        else _below(unit, key, path)
        for unit in reference.units
    )


def _below(unit: UnitMention, key: str, path: tuple[str, ...]) -> UnitMention:
    """Put what was read without a provision below one, or below one of its parts."""
    return unit if unit.key else replace(unit, key=key, path=path + unit.path, labels=path + unit.labels)


def _beside(ordered: Sequence[str], key: str, step: int) -> str:
    """Give the unit so many places from another, of its own kind; nothing past either end."""
    alike = [unit for unit in ordered if unit.split("-")[0] == key.split("-")[0]]
    at = alike.index(key) + step if key in alike else -1
    return alike[at] if 0 <= at < len(alike) else ""


def _part(reference: Reference, host: Host) -> tuple[str, ...] | None:
    """Give the path of "este apartado" or "la letra anterior": the part that the words stand in, or its neighbour."""
    relative = reference.relative
    around = [part for part in host.parts if part.start <= reference.start < part.end]
    wants_letter = relative is not None and relative.level.startswith("letra")
    here = next((part.path for part in reversed(around) if part.path[-1][0].isalpha() == wants_letter), None)
    if here is None or relative is None or not relative.step:
        return here
    row = [part.path for part in host.parts if part.path[:-1] == here[:-1] and len(part.path) == len(here)]
    at = row.index(here) + relative.step
    return row[at] if 0 <= at < len(row) else None

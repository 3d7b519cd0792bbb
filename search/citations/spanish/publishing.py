"""Turns what was read in folded text into values that speak of the original."""

from __future__ import annotations

from dataclasses import replace

from search.citations.folding import Folded
from search.citations.model import LawMention, UnitMention, UnitRange
from search.citations.spanish.unit_values import Through, Unit


def published_unit(text: Folded, unit: Unit | Through) -> UnitMention | UnitRange:
    """Give a unit with its offsets in the original and its levels as they are written there."""
    if isinstance(unit, Through):
        return UnitRange(_mention(text, unit.first), _mention(text, unit.last))
    return _mention(text, unit)


def published_units(text: Folded, units: tuple[Unit | Through, ...]) -> tuple[UnitMention | UnitRange, ...]:
    """Give several units at once."""
    return tuple(published_unit(text, unit) for unit in units)


def published_law(text: Folded, law: LawMention) -> LawMention:
    """Give a law's mention with its offsets in the original."""
    if not text.dropped:
        return law
    return replace(law, start=text.at(law.start), end=text.until(law.end))


def _mention(text: Folded, unit: Unit) -> UnitMention:
    return UnitMention(
        unit.key,
        tuple([part.segment for part in unit.parts]),
        unit.tail,
        text.at(unit.start),
        text.until(unit.end),
        tuple([text.slice(part.start, part.end).strip() for part in unit.parts]),
        tuple([published_unit(text, other) for other in unit.others]),
    )

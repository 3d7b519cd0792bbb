"""What reading provisions gives: nouns, units and ranges of them, in places of the folded text."""

from __future__ import annotations

from typing import NamedTuple

from search.citations.spanish.levels import Part


class Unit(NamedTuple):
    """A provision or a part of it as it was read, in places of the folded text; `others` are its other readings."""

    key: str
    parts: tuple[Part, ...]
    start: int
    end: int
    tail: str = ""
    others: tuple[Unit | Through, ...] = ()
    is_signed: bool = False


class Through(NamedTuple):
    """Every unit from the first to the last."""

    first: Unit
    last: Unit


class Kind(NamedTuple):
    """The noun of a provision: the prefix of its keys, whether it stands for several, where it ends."""

    prefix: str
    is_plural: bool
    end: int

"""Provisions and their parts, pointed at without a number: "este artículo", "el apartado anterior"."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from search.citations.folding import Folded
from search.citations.model import Relative
from search.citations.spanish.lexicon import spaced

_LONGEST_LOOKBACK = 40
_NOUN = (
    r"(?P<noun>articulo|precepto|apartado|letra|numero|anexo|disposicion (?:adicional|transitoria|final|derogatoria))"
)
_ADJACENT = re.compile(
    spaced(
        rf"{_NOUN}(?P<plural>e?s)? (?:inmediatamente )?(?P<step>anterior|precedente|siguiente)(?:e?s)?(?![a-z]| al? \d)"
    )
)
_ADJACENT_BEFORE = re.compile(spaced(r"(?<![a-z])(?P<step>anterior|precedente|siguiente)e?s $"))
_COUNT = re.compile(spaced(r"(?<![a-z])(?P<count>dos|tres|cuatro) $"))
_COUNTS = {"dos": 2, "tres": 3, "cuatro": 4}
_SEVERAL = re.compile(spaced(rf"{_NOUN}(?P<plural>e?s)(?![a-z])"))
_OWN = re.compile(spaced(rf"(?:{_NOUN}|(?P<any>disposicion))(?![a-zñ])"))
_THIS = re.compile(spaced(r"(?<![a-z])(?:est[ea]|(?:el|la|del|al) presente) (?:mism[oa] )?$"))
_THAT = re.compile(
    spaced(r"(?<![a-z])(?:(?:el|la|del|al) )?(?:dich[oa]|citad[oa]|mencionad[oa]|referid[oa]|mism[oa]|es[ea]) $")
)
_PROVISIONS = ("articulo", "precepto", "anexo", "disposicion")


class Beside(NamedTuple):
    """A provision or sub-unit by its noun alone: relative to where it stands, or to what was cited (`is_said`)."""

    noun: str
    start: int
    end: int
    relative: Relative
    is_said: bool = False

    def _counted(self, count: int) -> Beside:
        return self._replace(relative=replace(self.relative, count=count))

    @property
    def is_provision(self) -> bool:
        """Whether it is a whole provision, not a part of one."""
        return self.relative.to == "provision"


def read_beside(text: Folded, start: int) -> Beside | None:
    """Read the noun at `start` with the pointing words that stand before or behind it."""
    adjacent = _ADJACENT.match(text.lower, start)
    if adjacent:
        step = 1 if adjacent["step"] == "siguiente" else -1
        found = _beside(adjacent["noun"], adjacent["plural"] or "", start, adjacent.end(), step)
        count = _COUNT.search(text.lower, max(0, start - _LONGEST_LOOKBACK), start) if adjacent["plural"] else None
        return found._counted(_COUNTS[count["count"]]) if count else found
    several = _SEVERAL.match(text.lower, start)
    before = _ADJACENT_BEFORE.search(text.lower, max(0, start - _LONGEST_LOOKBACK), start) if several else None
    if several and before:
        step = 1 if before["step"] == "siguiente" else -1
        return _beside(several["noun"], several["plural"], before.start(), several.end(), step)
    own = _OWN.match(text.lower, start)
    if own is None:
        return None
    head = max(0, start - _LONGEST_LOOKBACK)
    noun = own["noun"] or own["any"]
    this, that = _THIS.search(text.lower, head, start), _THAT.search(text.lower, head, start)
    if this:
        return _beside(noun, "", this.start(), own.end(), 0)
    if that:
        return _beside(noun, "", that.start(), own.end(), 0)._replace(is_said=True)
    return None


def _beside(noun: str, plural: str, start: int, end: int, step: int) -> Beside:
    if noun.startswith(_PROVISIONS):
        return Beside(noun, start, end, Relative("provision", step, noun + plural if plural else ""))
    return Beside(noun, start, end, Relative("sub_unit", step, noun + plural))

"""Phrases that name units, in either order: "artículo 27, apartado 2", "letra a) del artículo 27"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from search.citations.folding import Folded
from search.citations.model import Relative
from search.citations.spanish.levels import Group, Span, read_group, read_item
from search.citations.spanish.lexicon import ADJECTIVE, AND, spaced
from search.citations.spanish.phrases import (
    MAX_UNITS,
    OF,
    OF_THIS,
    PROVISION,
    Phrase,
    deeper,
    joined,
    read_provisions,
)
from search.citations.spanish.provisions import Through, Unit, read_kind

_TO_PROVISION = re.compile(
    spaced(
        r"_,?_(?:(?:del|de (?:el|la|los|las)|de|of(?: the)?)|al|a la|en (?:el|la)|de est[ea])"
        rf" (?P<said>{ADJECTIVE} )?"
    )
)
_COMMA = re.compile(spaced(r",_(?:(?:el|la) )?"))
# What is typed alone leaves "del" out: "letra a) apartado 2 artículo 27 LGT".
_NEXT = re.compile(spaced(r"_,?_"))
_AND = re.compile(AND + spaced(r"(?:(?:el|la|los|las|del|de (?:la|los|las)) )?"))
_SAME = re.compile(spaced(rf"_,?_(?:de (?:l[ao]s? )?|del )(?:{ADJECTIVE}|es[eao]) {PROVISION}(?! \d)"))
_NEXT_TO = re.compile(spaced(rf"_de(?:l| la) {PROVISION} (?P<step>anterior|precedente|siguiente)(?![a-z])"))
_WITHIN_LEVEL = re.compile(
    spaced(
        r"_de(?:l| la) (?P<level>apartado|numero|letra) (?P<step>anterior|precedente|siguiente)(?![a-z])"
        r"|_(?:de est[ea]|del presente|de la presente) (?P<own>apartado|numero|letra)(?![a-z])"
    )
)
_ADJACENT = re.compile(spaced(r" (?:anterior|precedente|siguiente)(?:es)?(?![a-z])"))
THIS_PROVISION = Relative("provision")


def read_phrase(text: Folded, start: int, *, is_loose: bool = False) -> Phrase | None:
    """Read the units named from `start` on, whichever end they begin with."""
    kind = read_kind(text, start, is_loose=is_loose)
    if kind:
        return read_provisions(text, start, kind, is_loose=is_loose)
    group = read_group(text, start, is_loose=is_loose)
    return _inside_out(text, group, is_loose) if group else None


def _inside_out(text: Folded, group: Group, is_loose: bool) -> Phrase:
    chains, end = _chains(text, group, is_loose)
    container = _container(text, end, is_loose)
    units: Iterable[Unit | Through] = (
        unit for chain in chains for outer in container.units for unit in _nested(outer, chain)
    )
    return container._replace(units=tuple(islice(units, MAX_UNITS)), start=group.start)


def _chains(text: Folded, group: Group, is_loose: bool) -> tuple[list[list[Group]], int]:
    """Read the levels up to the provision, each chain from the inside out: what is joined by "y" begins a new one."""
    chains, end = [[group]], group.end
    while sum(map(len, chains)) < 30:
        of, comma, joint = (pattern.match(text.lower, end) for pattern in (OF, _COMMA, _AND))
        beside = comma or (_NEXT.match(text.lower, end) if is_loose else None)
        if of and (outer := read_group(text, of.end(), is_loose=is_loose)):
            chains[-1].append(outer)
        elif beside and (outer := read_group(text, beside.end(), is_loose=is_loose)) and _is_in_line(outer, chains[-1]):
            chains[-1].insert(0 if _is_deeper(outer, chains[-1][0]) else len(chains[-1]), outer)
        elif joint and (outer := read_group(text, joint.end(), is_loose=is_loose) or _sibling(text, joint, chains[-1])):
            chains.append([outer])
        else:
            break
        end = outer.end
    return [_completed(chain, chains[-1]) for chain in chains], end


def _sibling(text: Folded, joint: re.Match[str], chain: list[Group]) -> Group | None:
    """Read the "3" of "números 2, letras a) y b), y 3 del artículo 33": beside the level that the letters are below."""
    outer = chain[-1]
    item = read_item(text, joint.end(), outer.level) if len(chain) > 1 and outer.level.endswith("s") else None
    if item is None or not item[0][0].segment[0].isdigit() or not _TO_PROVISION.match(text.lower, item[1]):
        return None
    return Group(outer.level, (Span(item[0]),), "", joint.end(), item[1])


def _is_in_line(group: Group, chain: Sequence[Group]) -> bool:
    """Whether a level behind a comma is the next of a chain, further in or out: "letra a), apartado 2", not "y 3"."""
    is_apartado = group.level.startswith("ap") and not group.level.endswith("s")
    return _is_deeper(group, chain[0]) or (is_apartado and not any(one.level.startswith("ap") for one in chain))


def _is_deeper(inner: Group, outer: Group) -> bool:
    is_lettered = bool(inner.spans) and inner.spans[0].parts[0].segment[0].isalpha()
    is_below = not inner.level.startswith("ap") or (is_lettered and outer.level.startswith("num"))
    return inner.level[:3] != outer.level[:3] and is_below


def _completed(chain: list[Group], last: list[Group]) -> list[Group]:
    """Lend "letra a)" the apartado of "y letra b) del apartado 2"."""
    depth = len(chain)
    is_alike = depth < len(last) and chain[-1].level[:3] == last[depth - 1].level[:3]
    return [*chain, *last[depth:]] if is_alike else chain


def _container(text: Folded, end: int, is_loose: bool) -> Phrase:
    """Read the provision that levels belong to; without one they hang on where they stand."""
    of = _TO_PROVISION.match(text.lower, end) or (_NEXT.match(text.lower, end) if is_loose else None)
    kind = read_kind(text, of.end(), is_loose=is_loose) if of else None
    found = read_provisions(text, end, kind, is_loose=is_loose) if kind else None
    return found._replace(is_said=bool(of and of.groupdict().get("said"))) if found else _relative(text, end)


def _relative(text: Folded, end: int) -> Phrase:
    """Read "del artículo anterior", "de este apartado", "de dicho artículo", "anterior", or nothing."""
    bare = (Unit("", (), end, end),)
    beside, within = _NEXT_TO.match(text.lower, end), _WITHIN_LEVEL.match(text.lower, end)
    if beside:
        return Phrase(bare, end, beside.end(), relative=Relative("provision", _step(beside["step"])))
    if within:
        relative = Relative("sub_unit", _step(within["step"]), within["level"] or within["own"])
        return Phrase(bare, end, within.end(), relative=relative)
    this, same = OF_THIS.match(text.lower, end), _SAME.match(text.lower, end)
    match = this or same or _ADJACENT.match(text.lower, end)
    return Phrase(
        bare,
        end,
        match.end() if match else end,
        relative=THIS_PROVISION,
        same_noun=same["noun"] if same and not this else "",
        is_bare=match is None,
    )


def _step(word: str | None) -> int:
    return 0 if not word else 1 if word == "siguiente" else -1


def _nested(outer: Unit | Through, chain: Sequence[Group]) -> Iterator[Unit | Through]:
    """Give every unit a chain of levels names below one provision; párrafos go to the tail."""
    if isinstance(outer, Through):
        yield outer
        return
    tail = " ".join(group.tail for group in chain if group.tail)
    yield from _products(outer._replace(tail=joined(tail, outer.tail)), [g.spans for g in reversed(chain) if g.spans])


def _products(unit: Unit, levels: list[tuple[Span, ...]]) -> Iterator[Unit | Through]:
    if not levels:
        yield unit
        return
    for span in levels[0]:
        if span.last:
            yield Through(deeper(unit, span.parts), deeper(unit, span.last))
        else:
            yield from _products(deeper(unit, span.parts), levels[1:])

"""Phrases that name units, in either order: "artículo 27, apartado 2", "letra a) del artículo 27"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from search.citations.folding import Folded
from search.citations.model import Relative
from search.citations.spanish.chains import MAX_LEVELS, Chain, below
from search.citations.spanish.levels import Group, Span, read_group, read_item
from search.citations.spanish.lexicon import ADJECTIVE, AND, spaced
from search.citations.spanish.phrases import (
    MAX_UNITS,
    OF,
    OF_THIS,
    PROVISION,
    Phrase,
    joined,
    read_provisions,
)
from search.citations.spanish.provisions import read_kind
from search.citations.spanish.unit_values import Through, Unit

_TO_PROVISION = re.compile(
    spaced(
        r"_,?_(?:(?:del|de (?:el|la|los|las)|de|of(?: the)?)|al|a la|en (?:el|la)|de est[ea])"
        rf" (?P<said>{ADJECTIVE} )?"
    )
)
_COMMA = re.compile(spaced(r",_(?:(?:el|la) )?"))
# The comma may be left out, and what is typed alone leaves "del" out too: "letra a) apartado 2 artículo 27 LGT".
_NEXT = re.compile(spaced(r"_,?_"))
_TO_ARTICLE = re.compile(spaced(r"_,_(?=art(?:iculo|\.)?_\d)| (?=art(?:iculo|\.)?_\d)"))
_AND = re.compile(AND + spaced(r"(?:(?P<again>en|a|por|con) )?(?:(?:el|la|los|las|del|de (?:la|los|las)) )?"))
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


def _chains(text: Folded, group: Group, is_loose: bool) -> tuple[list[Chain], int]:
    """Read the levels up to the provision: what is joined by "y" begins a new chain, by "de" a level further out."""
    chains, end = [Chain(((group,),))], group.end
    while sum(chain.length for chain in chains) < MAX_LEVELS:
        of, comma, joint = (pattern.match(text.lower, end) for pattern in (OF, _COMMA, _AND))
        beside = comma or _NEXT.match(text.lower, end)
        chain = chains[-1]
        if of and (outer := read_group(text, of.end(), is_loose=is_loose)):
            chains[-1] = chain.within(outer)
        elif beside and (outer := read_group(text, beside.end(), is_loose=is_loose)) and chain.is_in_line(outer):
            chains[-1] = chain.beside(outer)
        elif joint and (outer := _beside(text, joint, chain, is_loose) or _sibling(text, joint, chain)):
            chains.append(Chain(((outer,),)))
        else:
            break
        end = outer.end
    return [chain.completed(chains[-1]) for chain in chains], end


def _beside(text: Folded, joint: re.Match[str], chain: Chain, is_loose: bool) -> Group | None:
    """Read the level that "y" joins; "y en" only where both chains end in a level of one kind, and so in one article.

    "Letra a) del apartado 1 y en el apartado 2 del artículo 9" is that, "párrafo anterior o en el apartado 2" is not.
    """
    group = outermost = read_group(text, joint.end(), is_loose=is_loose)
    if not joint["again"]:
        return group
    while outermost and (of := OF.match(text.lower, outermost.end)) and (outer := read_group(text, of.end())):
        outermost = outer
    before = chain.groups[-1]
    is_alike = outermost and outermost.spans and before.spans and outermost.level[:2] == before.level[:2]
    return group if is_alike else None


def _sibling(text: Folded, joint: re.Match[str], chain: Chain) -> Group | None:
    """Read the "3" of "números 2, letras a) y b), y 3 del artículo 33": beside the level that the letters are below."""
    outer = chain.groups[-1]
    item = read_item(text, joint.end(), outer.level) if chain.length > 1 and outer.level.endswith("s") else None
    if item is None or not item[0][0].segment[0].isdigit() or not _TO_PROVISION.match(text.lower, item[1]):
        return None
    return Group(outer.level, (Span(item[0]),), "", joint.end(), item[1])


def _container(text: Folded, end: int, is_loose: bool) -> Phrase:
    """Read the provision that levels belong to; without one they hang on where they stand."""
    of = _TO_PROVISION.match(text.lower, end) or (_NEXT if is_loose else _TO_ARTICLE).match(text.lower, end)
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


def _nested(outer: Unit | Through, chain: Chain) -> Iterator[Unit | Through]:
    """Give every unit a chain of levels names below one provision; párrafos go to the tail."""
    if isinstance(outer, Through):
        yield outer
        return
    tail = " ".join(group.tail for group in chain.groups if group.tail)
    yield from below(outer._replace(tail=joined(tail, outer.tail)), chain)

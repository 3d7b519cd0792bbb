"""Phrases that name units, in either order: "artículo 27, apartado 2", "letra a) del artículo 27"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from search.citations.folding import Folded
from search.citations.model import Relative
from search.citations.spanish.levels import Group, Part, Span, read_group, read_tail
from search.citations.spanish.lexicon import ADJECTIVE, AND, spaced
from search.citations.spanish.listing import Listed, read_list
from search.citations.spanish.provisions import KIND, Kind, Through, Unit, read_kind, read_unit

MAX_UNITS = 200

_OF = re.compile(spaced(rf"_,?_(?:del|de (?:el|la|los|las)|de) (?:{ADJECTIVE} )?"))
_TO_PROVISION = re.compile(
    spaced(rf"_,?_(?:(?:del|de (?:el|la|los|las)|de)|al|a la|en (?:el|la)|de est[ea]) (?P<said>{ADJECTIVE} )?")
)
_TRAILING = re.compile(spaced(r"(?:,_| )(?:en su )?(?:el |la )?"))
_COMMA = re.compile(spaced(r",_(?:(?:el|la) )?"))
_AND = re.compile(AND + spaced(r"(?:(?:el|la|los|las|del|de (?:la|los|las)) )?"))
_WITHIN = re.compile(spaced(r"(?:,_| )(?:en su |su )?"))
_NOUN = (
    r"(?P<noun>articulos?|disposicion(?:es)?(?: (?:adicional|transitoria|final|derogatoria)(?:es|s)?)?|anexos?"
    r"|precepto)(?![a-z])"
)
_THIS = re.compile(spaced(rf"_,?_(?:de est[eao]s?|de(?:l| la) presente) {_NOUN}"))
_SAME = re.compile(spaced(rf"_,?_(?:de (?:l[ao]s? )?|del )(?:{ADJECTIVE}|es[eao]) {_NOUN}(?! \d)"))
_NEXT_TO = re.compile(spaced(rf"_de(?:l| la) {_NOUN} (?P<step>anterior|precedente|siguiente)(?![a-z])"))
_WITHIN_LEVEL = re.compile(
    spaced(
        r"_de(?:l| la) (?P<level>apartado|numero|letra) (?P<step>anterior|precedente|siguiente)(?![a-z])"
        r"|_(?:de est[ea]|del presente|de la presente) (?P<own>apartado|numero|letra)(?![a-z])"
    )
)
_ADJACENT = re.compile(spaced(r" (?:anterior|precedente|siguiente)(?:es)?(?![a-z])"))

THIS_PROVISION = Relative("provision")


class Phrase(NamedTuple):
    """Units read together, what they hang on if no provision is named, and the noun a list may go on with.

    `same_noun`: of the provision of that noun named before ("de dicho artículo"). `is_bare`: nothing says of which.
    `is_said`: the provision was cited before ("del citado artículo 27").
    """

    units: tuple[Unit | Through, ...]
    start: int
    end: int
    kind: Kind | None = None
    relative: Relative | None = None
    same_noun: str = ""
    is_bare: bool = False
    is_said: bool = False


def read_phrase(text: Folded, start: int, *, is_loose: bool = False) -> Phrase | None:
    """Read the units named from `start` on, whichever end they begin with."""
    kind = read_kind(text, start, is_loose=is_loose)
    if kind:
        return read_provisions(text, start, kind, is_loose=is_loose)
    group = read_group(text, start, is_loose=is_loose)
    return _inside_out(text, group, is_loose) if group else None


def read_provisions(text: Folded, start: int, kind: Kind, *, is_loose: bool = False) -> Phrase | None:
    """Read the provisions behind a noun, with the levels that follow them and the annex they may stand in."""
    first = read_unit(text, kind.end, kind, is_loose=is_loose)
    if first is None:
        return None
    listed = read_list(text, first, kind, is_loose=is_loose)
    units, end = _with_levels(text, listed, is_loose)
    while end > listed.end and len(units) < MAX_UNITS and isinstance(units[-1], Unit):
        listed = read_list(text, units[-1]._replace(end=end), listed.kind, is_loose=is_loose)
        if listed.end == end:
            break
        more, end = _with_levels(text, listed, is_loose)
        units = (*units[:-1], *more)
    units, end = (
        _in_annex(text, units, end, is_loose) if kind.prefix == "art" else _article_of(text, units, end, is_loose)
    )
    return Phrase(units, start, end, listed.kind)


def read_levels(text: Folded, end: int) -> tuple[tuple[Unit | Through, ...], int]:
    """Read the levels written out behind a provision that has no number: "el artículo anterior, apartado 3"."""
    none = Unit("", (), end, end)
    units, last = _with_levels(text, Listed((none,), Kind("art", is_plural=False, end=end), end), is_loose=False)
    return ((), end) if last == end else (units, last)


def _with_levels(text: Folded, listed: Listed, is_loose: bool) -> tuple[tuple[Unit | Through, ...], int]:
    """Put the levels written out behind the last provision below it: ", apartado 2, letras a) y b)"."""
    units, end = listed.units, listed.end
    while found := _trailing_group(text, end, is_loose):
        last = units[-1]
        if isinstance(last, Through):
            break
        below = (
            [last._replace(tail=_joined(last.tail, found.tail), end=found.end)] if found.tail else _below(last, found)
        )
        units, end = (*units[:-1], *below), found.end
    return units, end


def _trailing_group(text: Folded, end: int, is_loose: bool) -> Group | None:
    gap = _TRAILING.match(text.lower, end)
    if gap is None:
        return None
    tail = read_tail(text, gap.end())
    group = (
        Group("parrafo", (), tail[0], gap.end(), tail[1]) if tail else read_group(text, gap.end(), is_loose=is_loose)
    )
    if group is None:
        return None
    of = _OF.match(text.lower, group.end)
    is_of_another = of and (KIND.match(text.lower, of.end()) or read_group(text, of.end()))
    return None if is_of_another or _THIS.match(text.lower, group.end) else group


def _below(unit: Unit, group: Group) -> list[Unit | Through]:
    return [
        Through(_deeper(unit, span.parts), _deeper(unit, span.last)) if span.last else _deeper(unit, span.parts)
        for span in group.spans
    ]


def _deeper(unit: Unit, parts: tuple[Part, ...]) -> Unit:
    others = tuple(other._replace(parts=other.parts + parts) for other in unit.others if isinstance(other, Unit))
    start, end = min(unit.start, parts[0].start), max(unit.end, parts[-1].end)
    return unit._replace(parts=unit.parts + parts, start=start, end=end, others=others)


def _in_annex(
    text: Folded, units: tuple[Unit | Through, ...], end: int, is_loose: bool
) -> tuple[tuple[Unit | Through, ...], int]:
    """Put articles that are "del anexo I" inside it."""
    of = _OF.match(text.lower, end)
    kind = read_kind(text, of.end(), is_loose=is_loose) if of else None
    if kind is None or kind.prefix != "anexo":
        return units, end
    annex = read_unit(text, kind.end, kind, is_loose=is_loose)
    return (tuple(_inside(annex, unit) for unit in units), max(annex.end, kind.end)) if annex else (units, end)


def _article_of(
    text: Folded, units: tuple[Unit | Through, ...], end: int, is_loose: bool
) -> tuple[tuple[Unit | Through, ...], int]:
    """Read the article that is named behind its annex: "anexo I, artículo 3"."""
    last, gap = units[-1], _WITHIN.match(text.lower, end)
    kind = read_kind(text, gap.end(), is_loose=is_loose) if gap and isinstance(last, Unit) else None
    if (
        kind is None
        or kind.prefix != "art"
        or not isinstance(last, Unit)
        or not last.key.startswith("anexo")
        or last.parts
    ):
        return units, end
    inner = read_provisions(text, kind.end, kind, is_loose=is_loose)
    return ((*units[:-1], *(_inside(last, unit) for unit in inner.units)), inner.end) if inner else (units, end)


def _inside(annex: Unit, unit: Unit | Through) -> Unit | Through:
    if isinstance(unit, Through):
        return Through(_unit_inside(annex, unit.first), _unit_inside(annex, unit.last))
    return _unit_inside(annex, unit)


def _unit_inside(annex: Unit, unit: Unit) -> Unit:
    return unit._replace(key=f"{annex.key}.{unit.key}", others=())


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
        of, comma, joint = (pattern.match(text.lower, end) for pattern in (_OF, _COMMA, _AND))
        if of and (outer := read_group(text, of.end(), is_loose=is_loose)):
            chains[-1].append(outer)
        elif comma and (inner := read_group(text, comma.end(), is_loose=is_loose)) and _is_deeper(inner, chains[-1][0]):
            chains[-1].insert(0, inner)
            outer = inner
        elif joint and (outer := read_group(text, joint.end(), is_loose=is_loose)):
            chains.append([outer])
        else:
            break
        end = outer.end
    return [_completed(chain, chains[-1]) for chain in chains], end


def _is_deeper(inner: Group, outer: Group) -> bool:
    return inner.level[:3] != outer.level[:3] and not inner.level.startswith("ap")


def _completed(chain: list[Group], last: list[Group]) -> list[Group]:
    """Lend "letra a)" the apartado of "y letra b) del apartado 2"."""
    depth = len(chain)
    is_alike = depth < len(last) and chain[-1].level[:3] == last[depth - 1].level[:3]
    return [*chain, *last[depth:]] if is_alike else chain


def _container(text: Folded, end: int, is_loose: bool) -> Phrase:
    """Read the provision that levels belong to; without one they hang on where they stand."""
    of = _TO_PROVISION.match(text.lower, end)
    kind = read_kind(text, of.end(), is_loose=is_loose) if of else None
    found = read_provisions(text, end, kind, is_loose=is_loose) if kind else None
    return found._replace(is_said=bool(of and of["said"])) if found else _relative(text, end)


def _relative(text: Folded, end: int) -> Phrase:
    """Read "del artículo anterior", "de este apartado", "de dicho artículo", "anterior", or nothing."""
    bare = (Unit("", (), end, end),)
    beside, within = _NEXT_TO.match(text.lower, end), _WITHIN_LEVEL.match(text.lower, end)
    if beside:
        return Phrase(bare, end, beside.end(), relative=Relative("provision", _step(beside["step"])))
    if within:
        relative = Relative("sub_unit", _step(within["step"]), within["level"] or within["own"])
        return Phrase(bare, end, within.end(), relative=relative)
    this, same = _THIS.match(text.lower, end), _SAME.match(text.lower, end)
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
    yield from _products(outer._replace(tail=_joined(tail, outer.tail)), [g.spans for g in reversed(chain) if g.spans])


def _products(unit: Unit, levels: list[tuple[Span, ...]]) -> Iterator[Unit | Through]:
    if not levels:
        yield unit
        return
    for span in levels[0]:
        if span.last:
            yield Through(_deeper(unit, span.parts), _deeper(unit, span.last))
        else:
            yield from _products(_deeper(unit, span.parts), levels[1:])


def _joined(first: str, second: str) -> str:
    return f"{first} {second}".strip()

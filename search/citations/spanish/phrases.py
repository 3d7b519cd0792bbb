"""Provisions with what is written behind their number: lists, levels, párrafos, and the annex they stand in."""

from __future__ import annotations

import re
from typing import NamedTuple

from search.citations.folding import Folded
from search.citations.model import Relative
from search.citations.spanish.chains import Chain, below
from search.citations.spanish.levels import Group, read_group, read_tail
from search.citations.spanish.lexicon import ADJECTIVE, AND, spaced
from search.citations.spanish.listing import Listed, read_list
from search.citations.spanish.provisions import KIND, read_kind, read_unit
from search.citations.spanish.unit_values import Kind, Through, Unit

MAX_UNITS = 200
OF = re.compile(spaced(rf"_,?_(?:del|de (?:el|la|los|las)|de|of(?: the)?) (?:{ADJECTIVE} )?"))
_TRAILING = re.compile(spaced(r"(?:,_| (?:- )?)(?:en su )?(?:el |la )?"))
_JOINT = re.compile(AND)
# "artículo 2.º, III, del Real Decreto": an unnumbered párrafo, counted.
_ROMAN_PARAGRAPH = re.compile(r",[ ](?P<roman>[IVX]{1,5})(?=,?[ ](?:del?[ ]|[A-Z]{2}))")
_WITHIN = re.compile(spaced(r"(?:,_| )(?:en su |su )?"))
PROVISION = (
    r"(?P<noun>articulos?|disposicion(?:es)?(?: (?:adicional|transitoria|final|derogatoria)(?:es|s)?)?|anexos?"
    r"|precepto)(?![a-z])"
)
OF_THIS = re.compile(spaced(rf"_,?_(?:de est[eao]s?|de(?:l| la) presente) {PROVISION}"))


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


def read_behind(
    text: Folded, units: tuple[Unit | Through, ...], end: int, *, is_loose: bool = False
) -> tuple[tuple[Unit | Through, ...], int]:
    """Read the levels written behind the law of the units: "art. 27 LGT, apartado 2, letra a)"."""
    return _with_levels(text, Listed(units, Kind("art", is_plural=False, end=end), end), is_loose)


def read_levels(text: Folded, end: int) -> tuple[tuple[Unit | Through, ...], int]:
    """Read the levels written out behind a provision that has no number: "el artículo anterior, apartado 3"."""
    none = Unit("", (), end, end)
    units, last = _with_levels(text, Listed((none,), Kind("art", is_plural=False, end=end), end), is_loose=False)
    return ((), end) if last == end else (units, last)


def _with_levels(text: Folded, listed: Listed, is_loose: bool) -> tuple[tuple[Unit | Through, ...], int]:
    """Put the levels written out behind the last provision below it: ", apartado 2, letras a) y b)"."""
    last, end = listed.units[-1], listed.end
    if isinstance(last, Through):
        return _with_tail(text, listed, last)
    units: list[Unit | Through] = list(listed.units[:-1])
    chain: Chain | None = None
    while found := _trailing_group(text, end, is_loose):
        before, chain = chain.parted if chain else (None, None)
        units += below(last, before) if before else ()
        chain, end = chain.beside(found) if chain else Chain(((found,),), is_behind=True), found.end
        if any(span.last for span in found.spans):
            break
    if chain is None:
        return _with_siblings(text, listed.units, end, is_loose)
    tails = " ".join(group.tail for group in chain.groups[::-1] if group.tail)
    named = last._replace(tail=joined(last.tail, tails), end=end if tails else last.end)
    return _with_siblings(text, (*units, *below(named, chain)), end, is_loose)


def _with_tail(text: Folded, listed: Listed, last: Through) -> tuple[tuple[Unit | Through, ...], int]:
    """Put "y ss." behind the end of a range."""
    gap = _TRAILING.match(text.lower, listed.end)
    tail = read_tail(text, gap.end()) if gap else None
    if tail is None:
        return listed.units, listed.end
    until = last.last._replace(tail=joined(last.last.tail, tail[0]), end=tail[1])
    return (*listed.units[:-1], Through(last.first, until)), tail[1]


def _with_siblings(
    text: Folded, units: tuple[Unit | Through, ...], end: int, is_loose: bool
) -> tuple[tuple[Unit | Through, ...], int]:
    """Put the levels that the list of a provision goes on with below it: "artículo 26, apartado 1, y apartado 3"."""
    while (found := _sibling_group(text, end, is_loose)) and (around := _around(units[-1], found)):
        units, end = (*units, *below(around._replace(end=found.end), Chain(((found,),)))), found.end
        units, end = _with_levels(text, Listed(units, Kind("art", is_plural=False, end=end), end), is_loose)
    return units, end


def _sibling_group(text: Folded, end: int, is_loose: bool) -> Group | None:
    joint = _JOINT.match(text.lower, end)
    group = read_group(text, joint.end(), is_loose=is_loose) if joint else None
    return group if group and group.spans and not _is_of_another(text, group) else None


def _around(before: Unit | Through, group: Group) -> Unit | None:
    """Give what a level is below beside those of the provision before: an apartado the provision, else its own kind."""
    unit = before.last if isinstance(before, Through) else before
    is_lettered = group.spans[0].parts[0].segment[0].isalpha()
    depths = [depth for depth, part in enumerate(unit.parts) if part.segment[0].isalpha() == is_lettered]
    is_apartado = group.level.startswith("ap")
    if not (unit.key and unit.parts) or not (depths or is_apartado):
        return None
    return unit._replace(parts=() if is_apartado else unit.parts[: depths[-1]], others=(), tail="")


def _trailing_group(text: Folded, end: int, is_loose: bool) -> Group | None:
    paragraph = _ROMAN_PARAGRAPH.match(text.plain, end)
    if paragraph:
        return Group("parrafo", (), paragraph["roman"], paragraph.start("roman"), paragraph.end())
    gap = _TRAILING.match(text.lower, end)
    if gap is None:
        return None
    tail = read_tail(text, gap.end())
    group = (
        Group("parrafo", (), tail[0], gap.end(), tail[1]) if tail else read_group(text, gap.end(), is_loose=is_loose)
    )
    if group is None:
        return None
    return None if _is_of_another(text, group) else group


def _is_of_another(text: Folded, group: Group) -> bool:
    """Whether a level belongs to a provision named behind it, or to the one that it stands in."""
    of = OF.match(text.lower, group.end)
    is_of_another = of and (KIND.match(text.lower, of.end()) or read_group(text, of.end()))
    return bool(is_of_another or OF_THIS.match(text.lower, group.end))


def _in_annex(
    text: Folded, units: tuple[Unit | Through, ...], end: int, is_loose: bool
) -> tuple[tuple[Unit | Through, ...], int]:
    """Put articles that are "del anexo I", or "de la disposición adicional segunda", inside it."""
    of = OF.match(text.lower, end)
    kind = read_kind(text, of.end(), is_loose=is_loose) if of else None
    if kind is None or kind.prefix not in {"anexo", "da", "dt", "df", "dd"}:
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


def joined(first: str, second: str) -> str:
    """Join two tails, of which either may be empty."""
    return f"{first} {second}".strip()

"""Lists and ranges of provisions: "artículos 23 a 25 y 27", "artículo 27.2.a) y 3", "anexos I y II"."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from search.citations.folding import Folded
from search.citations.spanish.levels import LETTER, Part, read_chain, suffix_of, with_sign
from search.citations.spanish.lexicon import AND, BLANK, COUNTS, GAP, ORDINAL_WORD, SUFFIX, THROUGH
from search.citations.spanish.provisions import read_kind, read_other_disposition, read_unit
from search.citations.spanish.unit_values import Kind, Through, Unit

MAX_LISTED = 200
_FAR = 10
"""How far behind the last apartado a number of a list of articles is no apartado: the 29 of "32.2, 29"."""

_AND = re.compile(rf"{AND}(?:(?:(?:de{BLANK})?(?:el|la|los|las)|del|en{BLANK}(?:el|la|los|las)){BLANK})?")
_SEMICOLON = re.compile(rf"{GAP};{GAP}(?:y{BLANK})?(?=\d)")
_THROUGH = re.compile(rf"{THROUGH}|[ ]?-[ ]?")
_LETTERED = re.compile(rf"\(?{LETTER}[ ]?'{{0,2}}\)")
_BARE_LETTER = re.compile(r"(?P<letter>[a-zñ])(?!\.?[a-zñ0-9ºª)'])")
# A number goes on a list of one noun in the singular only where nothing is counted by it.
_ENDS_ITEM = re.compile(
    rf"{GAP}$|[.,;:)\]»\"'?!-]|[ ]?[A-Z(]"
    rf"|{BLANK}(?:del?|y|e|o|u|ni|al?|en|anterior|siguiente|[a-z]+{BLANK}del?)(?![a-zñ])"
)
_TYPED_SIGN = re.compile(r"(?P<number>\d{1,2})a(?![a-z0-9ñ)ºª'])")
_NUMBER = re.compile(r"-(\d+)")
_SUFFIX = re.compile(SUFFIX)
_ROMAN = re.compile(r"[IVXLCDM]+(?![A-Za-z0-9ñÑ])")
_SIGNED_NEXT = re.compile(r",[ ]\d{1,2}\.?[ºª]")
_CARDINAL = re.compile(r"(?:uno(?! de )|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)(?![a-z])")
_ORDINAL = re.compile(ORDINAL_WORD)
_OF_ANOTHER = re.compile(rf"(?:{AND}\d{{1,2}}(?![\d.]))*{BLANK}del{BLANK}art(?:iculo|\.)")
_LETRA = re.compile(r",?[ ](?:letra|parrafo)[ ]")


Joint = Literal["and", "through", "below"]


class Listed(NamedTuple):
    """Provisions listed under one noun, and where the list ends."""

    units: tuple[Unit | Through, ...]
    kind: Kind
    end: int


def read_list(text: Folded, first: Unit, kind: Kind, *, is_loose: bool = False) -> Listed:
    """Read on from the first provision of a list as far as it goes."""
    units: list[Unit | Through] = [first]
    end = first.end
    if first.end == kind.end:
        return Listed((first,), kind, end)
    while len(units) < MAX_LISTED:
        found = _next(text, end, units[-1], kind, is_loose)
        if found is None:
            break
        unit, kind, joint = found
        before = units[-1]
        if joint == "through" and isinstance(before, Unit):
            units[-1] = Through(before, unit)
        elif joint == "below" and isinstance(before, Unit):
            units[-1] = unit._replace(start=before.start)
        else:
            units.append(unit)
        end = unit.end
    return Listed(tuple(units), kind, end)


def _next(
    text: Folded, end: int, before: Unit | Through, kind: Kind, is_loose: bool
) -> tuple[Unit, Kind, Joint] | None:
    through = _THROUGH.match(text.lower, end) if isinstance(before, Unit) else None
    last = before if isinstance(before, Unit) else before.last
    if through and through[0] == "-" and (nested := _signed_below(text, through.end(), last, kind)):
        return nested, kind, "below"
    again = read_kind(text, through.end()) if through and (is_loose or "hasta" in through[0]) else None
    until = again.end if again and again.prefix == kind.prefix else through.end() if through else end
    if through and (unit := _item(text, until, last, kind, is_loose)):
        return unit, kind, "through"
    joint = _AND.match(text.lower, end) or (_SEMICOLON.match(text.lower, end) if kind.is_plural else None)
    if joint is None:
        return None
    switched = read_other_disposition(text, joint.end()) if kind.prefix in {"da", "dt", "df", "dd"} else None
    if switched and (unit := read_unit(text, switched.end, switched, is_loose=is_loose)):
        return unit, switched, "and"
    is_comma = joint[0].strip() == "," and not kind.is_plural
    is_nested = is_comma or (joint[0].strip() == "," and not last.is_signed)
    nested = _signed_below(text, joint.end(), last, kind) if is_nested else None
    if nested:
        return nested, kind, "below"
    listed = _own_item(text, joint.end(), last, kind, is_loose)
    is_tight = joint[0] == ","
    below = _below_last(text, listed, last, is_tight) if listed and (is_comma or is_tight) else None
    if below and kind.is_plural and not _is_descending(below, last):
        below = None
    if below:
        return below, kind, "below"
    return (listed, kind, "and") if listed else None


def _own_item(text: Folded, start: int, before: Unit, kind: Kind, is_loose: bool) -> Unit | None:
    """Read what comes next, but for the 7 of "apartados 5 del artículo 26, 7 del artículo 31", which is of the 31."""
    item = _item(text, start, before, kind, is_loose)
    is_of_another = item and not kind.is_plural and _OF_ANOTHER.match(text.lower, item.end)
    return None if is_of_another else item


def _item(text: Folded, start: int, before: Unit, kind: Kind, is_loose: bool) -> Unit | None:
    """Read what comes next: a letter of the same provision, a number of the same level, or another provision."""
    lettered = _LETTERED.match(text.lower, start)
    if lettered:
        return _letter(text, lettered, before) if before.parts else None
    if bare := _bare_letter(text, start, before, is_loose):
        return _letter(text, bare, before)
    if signed := _signed_alike(text, start, before):
        return signed
    suffixed = _suffixed(text, start, before)
    if kind.prefix == "preambulo" or not (suffixed or _may_be_number(text, start, before)):
        return None
    unit = suffixed or read_unit(text, start, kind, is_loose=is_loose)
    if unit is None or unit.end == start or COUNTS.match(text.lower, unit.end):
        return None
    is_certain = is_loose or _is_certain(text, unit, before, kind)
    if not is_certain and not _ENDS_ITEM.match(text.plain, unit.end):
        return None
    return _placed(unit, before, kind)


def _is_certain(text: Folded, unit: Unit, before: Unit, kind: Kind) -> bool:
    """Whether what comes next is sure to go on the list, whatever words follow it: "14.2 y 14.3", "cuarta y décima"."""
    if not kind.is_plural:
        return bool(unit.parts) and unit.key == before.key
    return text.lower[unit.start].isdigit() or kind.prefix in {"da", "dt", "df", "dd"}


def _may_be_number(text: Folded, start: int, before: Unit) -> bool:
    """Whether a list goes on in digits, or in words, as it began: "27.1 y 2", not "27.1, uno de los cuales", ", II"."""
    first = text.lower[start : start + 1]
    if text.lower[before.start].isdigit() and _ROMAN.match(text.plain, start):
        return False
    is_capital = text.plain[start : start + 1].isupper()
    return first.isdigit() or (
        first.isalpha() and (is_capital or text.lower[before.start].isalpha() or before.end == start)
    )


def _suffixed(text: Folded, start: int, before: Unit) -> Unit | None:
    """Read the "ter" of "artículos 33 bis y ter"."""
    match, number = _SUFFIX.match(text.lower, start), _NUMBER.search(before.key)
    if match is None or number is None or before.parts:
        return None
    return Unit(f"{before.key[: number.end()]}{suffix_of(match[0])}", (), start, match.end())


def _bare_letter(text: Folded, start: int, before: Unit, is_loose: bool) -> re.Match[str] | None:
    """Read the b of "53.1.a y b": a later letter, in running text behind one that has no bracket either."""
    last = before.parts[-1] if before.parts else None
    if last is None or len(last.segment) > 1 or not last.segment.isalpha():
        return None
    if text.lower[last.end - 1] == ")" and not is_loose:
        return None
    match = _BARE_LETTER.match(text.lower, start)
    is_next = match is not None and match["letter"] > last.segment
    return match if match and is_next and (is_loose or _ENDS_ITEM.match(text.plain, match.end())) else None


def _signed_alike(text: Folded, start: int, before: Unit) -> Unit | None:
    """Read the 19a of "149.1.18a y 19a", whose a is the sign that it is of the number before."""
    match = _TYPED_SIGN.match(text.lower, start) if len(before.parts) > 2 and with_sign(text, before.parts) else None
    if match is None:
        return None
    number, sign = Part(match["number"], start, match.end("number")), Part("a", match.end("number"), match.end())
    parts = (*before.parts[:-2], number, sign)
    signed = Unit(before.key, with_sign(text, parts), start, match.end())
    return Unit(before.key, parts, start, match.end(), others=(signed,))


def _letter(text: Folded, match: re.Match[str], before: Unit) -> Unit:
    parts, end = read_chain(text, match.end())
    part = Part(match["letter"], match.start(), match.end())
    kept = before.parts if before.parts[-1].segment[0].isdigit() else before.parts[:-1]
    return Unit(before.key, (*kept, part, *parts), match.start(), end)


def _placed(unit: Unit, before: Unit, kind: Kind) -> Unit:
    """Decide whether a number after "27.2.a)" is another apartado of the 27 or another article; the rest stays open."""
    level = _same_level(unit, before)
    own, last = _NUMBER.search(unit.key), _NUMBER.search(before.key)
    if level is None or own is None or last is None or "-" in unit.key[own.end() :]:
        return unit
    below = Unit(
        before.key,
        (*before.parts[:level], Part(own[1], unit.start, unit.end, before.parts[level].is_signed), *unit.parts),
        unit.start,
        unit.end,
    )
    number, article, apartado = int(own[1]), int(last[1]), int(before.parts[level].segment.split("-")[0])
    is_near = apartado < number <= apartado + 5 and not kind.is_plural
    is_far = kind.is_plural and number > apartado + _FAR
    # The sign of "20.Uno.1.º y 22.º" tells what is numbered with it.
    is_signed_alike = unit.is_signed and before.parts[level].is_signed and not before.is_signed
    if is_signed_alike or (number < article and not is_far) or (number != article and is_near and not unit.parts):
        return below._replace(others=(unit._replace(others=()),))
    return unit._replace(others=(*unit.others, below))


def _signed_below(text: Folded, start: int, before: Unit, kind: Kind) -> Unit | None:
    """Take the 9.º of "artículo 20.Uno, 9.º" for a number below what has no such sign."""
    unit = read_unit(text, start, kind) if before.parts and not before.parts[-1].is_signed else None
    number = _NUMBER.search(unit.key) if unit and unit.is_signed and text.lower[start].isdigit() else None
    if unit is None or number is None or unit.key[number.end() :]:
        return None
    parts = (*before.parts, Part(number[1], unit.start, unit.end, is_signed=True), *unit.parts)
    return Unit(before.key, parts, unit.start, unit.end)


def _below_last(text: Folded, unit: Unit, before: Unit, is_tight: bool) -> Unit | None:
    """Take the 3 of "artículo 29, 3, letra b)" and of "art. 29, 3" for an apartado, not another article.

    So is the 2.º of "artículo 1, 2.º", the 1 of "artículo 149, 1, 18.ª" and the two of "artículo primero, dos".
    """
    own, last = _NUMBER.search(unit.key), _NUMBER.search(before.key)
    has_number = bool(unit.parts) and unit.parts[0].segment[0].isdigit()
    if before.parts or has_number or not own or not last:
        return None
    is_signed_below = unit.is_signed and not before.is_signed
    is_led = int(own[1]) < int(last[1]) and _SIGNED_NEXT.match(text.lower, unit.end)
    is_worded_below = _CARDINAL.match(text.lower, unit.start) and _ORDINAL.match(text.lower, before.start)
    is_written_below = is_tight or is_signed_below or bool(unit.parts) or _LETRA.match(text.lower, unit.end) or is_led
    if not (is_written_below or is_worded_below or int(own[1]) < int(last[1])):
        return None
    parts = (Part(own[1], unit.start, unit.end), *unit.parts)
    return Unit(before.key, parts, unit.start, unit.end, others=(unit,))


def _is_descending(below: Unit, before: Unit) -> bool:
    """Whether the apartado of "artículos 9,3 y 24,1" has a lower number than its article, as no list has."""
    last = _NUMBER.search(before.key)
    return last is not None and below.parts[0].segment.isdigit() and int(below.parts[0].segment) < int(last[1])


def _same_level(unit: Unit, before: Unit) -> int | None:
    """Find the level of "27.2.a).1.º" that a further number belongs to: the deepest written with the same signs."""
    numbered = [level for level, part in enumerate(before.parts) if part.segment[0].isdigit()]
    alike = [level for level in numbered if before.parts[level].is_signed == unit.is_signed]
    return alike[-1] if alike else numbered[0] if numbered else None

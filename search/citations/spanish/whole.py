"""Reads a text that is one citation and nothing else: what is typed into a search box or looked up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from search.citations.canonical import read_canonical
from search.citations.folding import Folded, fold_name
from search.citations.model import LawMention, Reference, UnitMention
from search.citations.spanish.catalan import with_spanish_and
from search.citations.spanish.days import read_last_day, said_days, without_days
from search.citations.spanish.laws import Law, read_law
from search.citations.spanish.levels import read_group
from search.citations.spanish.lexicon import ADJECTIVE, AND, MONTH, spaced
from search.citations.spanish.names import is_law_noun
from search.citations.spanish.numbers import (
    begins_with_number,
    is_of_several,
    read_more_numbers,
    read_numbered,
    read_unranked,
)
from search.citations.spanish.official import name_law
from search.citations.spanish.phrases import Phrase, read_behind, read_provisions
from search.citations.spanish.provisions import KIND, read_kind, read_unit
from search.citations.spanish.publishing import published_law, published_units
from search.citations.spanish.unit_values import Kind, Through, Unit
from search.citations.spanish.units import read_phrase

LONGEST_NAME = 400

OPENING = re.compile(
    spaced(
        r"[\s«»\"'(\[¿¡§.,;:-]*(?:(?:vease|vid\.?|ver|cfr\.?|segun|cf\.?"
        r"|(?:ex|conforme(?: con)?|al amparo|en virtud|en relacion con|de acuerdo con)"
        r"(?= (?:(?:a )?(?:el|la|los|las|del|al|de la) )?(?:art|disp|d\.?[atfd]\.? |anexo|apartado|letra|parrafo))) )?"
        r"(?:(?:en |desde |a )?(?:el|la|los|las|del|al|de la) )?"
    )
)
# The text in force is the one that is read: saying so changes nothing.
_NOW = spaced(r"(?:,_| )\(?(?:(?:en )?su )?(?:(?:redaccion|version) )?(?:actual|vigente|en vigor)(?![a-z])")
END = re.compile(rf"(?:,?\s+(?:ambos\s+)?inclusives?|{_NOW})?[\s.,;:»\"'\]!-]*\)?[\s.,;:»\"'\]!-]*$")
_TO_LAW = re.compile(
    spaced(
        r"(?:_,?_\(?(?:(?:ambos )?inclusives?|respectivamente|(?:tod|amb)[oa]s(?: ell[oa]s)?)(?![a-z]))?"
        r"_\)?_(?:\.-|[,;.(\[-])?_"
        rf"(?:(?:del|de (?:el|la|los|las|nuestr[oa])|de|en(?: (?:el|la))?|of(?: the)?|d[ao]) )?(?:{ADJECTIVE} )?"
    )
)
_TO_UNIT = re.compile(spaced(r"_[,;:.(\[-]?_(?:§+_)?(?:(?:en )?sus? |(?:el|la|los|las) )?"))
_JOINT = re.compile(
    rf"(?:{spaced('_,?_en (?:relacion|conexion) con ')}|{AND})"
    + spaced(r"(?:(?:el|la|los|las|del|de (?:la|los|las)) )?")
)
_TITLE = re.compile(spaced(r"_,_|_\(| (?=(?:de|del|por|sobre|para|reguladora?|general|que|relativ[oa])(?![a-z])|\()"))
# What is said of the text and not of its title: "Ley 58/2003 (redacción de 2019)".
_OF_TEXT = re.compile(
    spaced(r"(?<![a-z])(?:redaccion|version|vigente|vigencia|derogad[oa]|modificad[oa] por)(?![a-z])")
)
_DATED = re.compile(spaced(rf"_[,(]?_de(?:l ano)? (?:\d{{1,2}}(?:º)? de {MONTH}|\d{{4}})"))
_QUESTION = re.compile(
    spaced(
        r"[?]|(?<![a-z])(?:que es|como|cuando|cuanto|quien|donde|cual)(?![a-z])|(?<![a-z])(?:de|sobre|a) que (?!se )"
    )
)
_AMENDS = re.compile(spaced(r"por (?:el|la|los|las) que se(?![a-z])"))
# "de desarrollo del artículo 5 de la Ley 39/2015" is of a title; ", art. 5 y LIRPF" is not.
_IN_TITLE = re.compile(spaced(r"(?:(?:del|el|l[ao]s?|al) |\()$"))
_OF_OTHER = re.compile(spaced("_,?_del? "))
_NUMBERED = re.compile(r"\d/(?:1[89]|20)\d\d")
_WORD = re.compile(r"[a-zñ.]+")
_TIME = re.compile(r"[01]?\d:[0-5]\d(?!\d)|2[0-3]:[0-5]\d(?!\d)")
_SPACED_COLON = re.compile(r"\s*:\s*")


class _Cited(NamedTuple):
    """Units and law read up to `end`."""

    law: Law | None
    units: tuple[Unit | Through, ...]
    end: int


def parse(text: Folded) -> Reference | None:
    """Read the whole text as one citation; None if anything is left over that is no part of one.

    A day that is none in any calendar is kept in `no_day`.
    """
    text = Folded(text.original, text.plain.replace("\n", " "), text.lower.replace("\n", " "), text.dropped)
    text = with_spanish_and(text)
    said = read_last_day(text)
    if said:
        body = Folded(text.original, text.plain[: said.start], text.lower[: said.start], text.dropped)
    else:
        said = next(iter(said_days(text)), None)
        body = without_days(text, [said]) if said else text
    found = _parse(body, said.on if said else None)
    return replace(found, no_day=said.written) if found and said and not said.on else found


def _parse(body: Folded, on: date | None) -> Reference | None:
    canonical = _canonical(body, on)
    if canonical:
        return canonical
    for start in _starts(body):
        cited = next((found for found in _readings(body, start) if END.match(body.lower, found.end)), None)
        if cited:
            return _reference(body, cited, on)
    return None


def _canonical(text: Folded, on: date | None) -> Reference | None:
    written = text.original[text.at(0) : text.at(len(text.lower))].strip()
    found = read_canonical(written, name_law) or read_canonical(_SPACED_COLON.sub(":", written), name_law)
    if found is None:
        return None
    is_whole = on is None and found.text == text.original
    return found if is_whole else replace(found, on=on or found.on, text=text.original, end=len(text.original))


def _starts(text: Folded) -> list[int]:
    """Give where the citation may begin: behind quotes and articles, or right there."""
    opening = OPENING.match(text.lower)
    begin = len(text.lower) - len(text.lower.lstrip(" «\"'(["))
    return sorted({opening.end() if opening else begin, begin}, reverse=True)


def _readings(text: Folded, start: int) -> Iterator[_Cited]:
    """Give every way to read on from `start`, the likeliest first."""
    phrase = _phrases(text, start)
    if phrase:
        yield from _with_law(text, phrase.units, phrase.end)
        yield _Cited(None, phrase.units, phrase.end)
    yield from _from_law(text, start)
    yield from _from_unranked(text, start)
    bare = _bare(text, start) if not phrase else None
    if bare:
        yield from _with_law(text, bare.units, bare.end)
    if is_law_noun(text, start):
        yield from _named(text, start, ())


def _with_law(text: Folded, units: tuple[Unit | Through, ...], end: int) -> Iterator[_Cited]:
    """Read the law behind the units, with or without its title."""
    joint = _TO_LAW.match(text.lower, end)
    if joint is None:
        return
    law = _law(text, joint.end())
    if law and _is_first_of_several(text, law):
        return
    if law is None and (number := read_unranked(text, joint.end())):
        yield _Cited(Law(joint.end(), number.end, mention=number), units, number.end)
    if law and law.mention and not law.units:
        yield _Cited(law, units, law.end)
        behind, last = read_behind(text, units, law.end, is_loose=True)
        yield _Cited(law, behind, last)
        yield from _titled(text, law, units)
    if is_law_noun(text, joint.end()):
        yield from _named(text, joint.end(), units)


def _law(text: Folded, start: int) -> Law | None:
    """Read a law; a foreign one goes by its name, so that it can be said not to be held."""
    law = read_law(text, start, is_loose=True)
    if law and law.foreign:
        written = text.slice(start, law.end)
        return law._replace(mention=LawMention(written, name=fold_name(written), start=start, end=law.end))
    return law


def _is_first_of_several(text: Folded, law: Law) -> bool:
    """Whether a law's number is followed by others of its rank, which are no title of it: "39/2015, 40/2015"."""
    return bool(law.mention and law.mention.number and read_more_numbers(text, law.mention, law.end))


def _names_another_law(text: Folded, law: Law) -> bool:
    """Whether another law is listed with one, as in no title: ", General, y Ley 35/2006", "Leyes ..., y 40/2015"."""
    is_of_more = law.mention is not None and is_of_several(text, law.mention)
    for joint in _JOINT.finditer(text.lower, law.end):
        before = text.lower[law.end : joint.start()]
        if _AMENDS.search(before) or _NUMBERED.search(before):
            return False
        if read_numbered(text, joint.end(), is_loose=True) or (is_of_more and read_unranked(text, joint.end())):
            return True
    return False


def _from_law(text: Folded, start: int) -> Iterator[_Cited]:
    """Read a law and the units behind it, with or without its title between."""
    law = _law(text, start)
    if law is None or law.mention is None or _is_first_of_several(text, law):
        return
    yield _Cited(law, (), law.end)
    yield from _units_behind(text, law, law.end)
    yield from _titled_with_units(text, law)
    yield from _titled(text, law, ())


def _from_unranked(text: Folded, start: int) -> Iterator[_Cited]:
    """Read "39/2015, art. 21", where the kind of law is left out; alone the number is none."""
    mention = read_unranked(text, start)
    joint = _TO_UNIT.match(text.lower, mention.end) if mention else None
    phrase = _phrases(text, joint.end()) if joint else None
    if mention and phrase:
        yield _Cited(Law(start, mention.end, mention=mention), phrase.units, phrase.end)


def _units_behind(text: Folded, law: Law, end: int) -> Iterator[_Cited]:
    joint = _TO_UNIT.match(text.lower, end)
    if joint is None or joint.end() == end:
        return
    phrase = _phrases(text, joint.end())
    if phrase:
        yield _Cited(law, phrase.units, phrase.end)
        return
    if law.mention and text.lower[joint.end() :].strip() in {identifier[-4:] for identifier in law.mention.ids}:
        yield _Cited(law, (), len(text.lower))
    bare = _bare(text, joint.end())
    if bare:
        yield _Cited(law, bare.units, bare.end)


def _bare(text: Folded, start: int) -> Phrase | None:
    """Read articles without their noun, "27.2 LGT"; a time of day is none, nor is the "CC" of "LGT, CC"."""
    if _TIME.match(text.lower, start) or read_law(text, start, is_loose=True):
        return None
    return read_provisions(text, start, Kind("art", is_plural=False, end=start), is_loose=True)


def _phrases(text: Folded, start: int) -> Phrase | None:
    """Read units of several nouns that share one law: "artículos 1 y 2 y disposición final primera"."""
    phrase = read_phrase(text, start, is_loose=True) or _sole_disposition(text, start)
    while phrase:
        joint = _JOINT.match(text.lower, phrase.end)
        more = read_phrase(text, joint.end(), is_loose=True) if joint else None
        if more is None:
            break
        phrase = phrase._replace(units=phrase.units + more.units, end=more.end)
    return phrase


def _sole_disposition(text: Folded, start: int) -> Phrase | None:
    """Read "disposición derogatoria" without a number: the only one of its kind."""
    kind = read_kind(text, start, is_loose=True) if KIND.match(text.lower, start) else None
    if kind is None or kind.prefix not in {"da", "dt", "df", "dd"} or kind.is_plural:
        return None
    return Phrase((Unit(f"{kind.prefix}-unica", (), start, kind.end),), start, len(text.lower[: kind.end].rstrip()))


def _titled(text: Folded, law: Law, units: tuple[Unit | Through, ...]) -> Iterator[_Cited]:
    """Take the rest of the text for the law's title; the caller who has the law can tell whether it is."""
    gap = _TITLE.match(text.lower, law.end)
    title = text.lower[law.end :]
    if (
        gap
        and law.mention
        and len(title) <= LONGEST_NAME
        and not _QUESTION.search(title)
        and not _OF_TEXT.search(title)
        and not _names_another_law(text, law)
        and not _names_unit(text, law.end)
        and _may_have_title(text, law.mention, gap.end())
    ):
        yield _Cited(_with_title(text, law, len(text.lower)), units, len(text.lower))


def _may_have_title(text: Folded, law: LawMention, start: int) -> bool:
    """Whether a title may stand behind a law: behind initials only a date, or the number of the same law."""
    if law.eli:
        return False
    if law.number or " " in law.text.strip():
        return True
    again = read_law(text, start, is_loose=True)
    is_same = again is not None and again.mention is not None and bool(set(again.mention.ids) & set(law.ids))
    return is_same or _DATED.match(text.lower, law.end) is not None


def _names_unit(text: Folded, start: int) -> bool:
    """Whether a provision or a part of one is named from `start` on, so that the rest is no title.

    A title may tell what it amends ("por el que se desarrolla el artículo 9"); there the words are its own.
    """
    for word in _WORD.finditer(text.lower, start):
        if _AMENDS.match(text.lower, word.start()):
            return False
        kind = read_kind(text, word.start(), is_loose=False)
        if kind and (kind.end >= len(text.lower) or read_unit(text, kind.end, kind)):
            return True
        if read_group(text, word.start()):
            return True
    return False


def _titled_with_units(text: Folded, law: Law) -> Iterator[_Cited]:
    """Find the units behind a law's title: "Ley 58/2003, de 17 de diciembre, General Tributaria, artículo 27"."""
    gap = _TITLE.match(text.lower, law.end)
    if gap is None or (law.mention and not _may_have_title(text, law.mention, gap.end())):
        return
    for word in _WORD.finditer(text.lower, law.end, min(len(text.lower), law.end + LONGEST_NAME)):
        if read_kind(text, word.start(), is_loose=False) is None and not _is_level(text, word.start()):
            continue
        phrase = _phrases(text, word.start())
        if _OF_TEXT.search(text.lower, law.end, word.start()):
            return
        if phrase and END.match(text.lower, phrase.end):
            yield _Cited(_with_title(text, law, word.start()), phrase.units, phrase.end)
        if phrase and not _is_of_title(text, law.end, word.start(), phrase.end):
            return


def _is_level(text: Folded, start: int) -> bool:
    """Whether a level of a provision is named at a place; "Registro de Lorca n.º 1" is of a title."""
    group = read_group(text, start)
    is_number = group is not None and group.level.startswith(("n.", "nº", "nª", "nu"))
    return group is not None and not (is_number and not _OF_OTHER.match(text.lower, group.end))


def _is_of_title(text: Folded, title: int, start: int, end: int) -> bool:
    """Whether a provision named behind a law is one that the law's title, which begins at `title`, tells of."""
    is_of_other = _IN_TITLE.search(text.lower, title, start) and _OF_OTHER.match(text.lower, end)
    return bool(is_of_other or _AMENDS.search(text.lower, title, start))


def _with_title(text: Folded, law: Law, end: int) -> Law:
    if law.mention is None:
        return law
    title = " ".join(re.findall(r"[a-z0-9/]+", fold_name(text.slice(law.end, end))))
    return law._replace(mention=replace(law.mention, title=title))


def _named(text: Folded, start: int, units: tuple[Unit | Through, ...]) -> Iterator[_Cited]:
    """Take all that is left for the name of a law that the curated list does not have; a number is name enough."""
    numbered = read_law(text, start, is_loose=True)
    if (numbered and numbered.mention and numbered.mention.number) or begins_with_number(text, start):
        return
    end = len(text.lower.rstrip(" .,;:»\"'"))
    written = text.slice(start, end)
    is_name = " " in written.strip() and len(written) <= LONGEST_NAME and not _QUESTION.search(text.lower, start)
    if is_name and not _names_unit(text, start):
        mention = LawMention(written, name=fold_name(written), start=start, end=end)
        yield _Cited(Law(start, end, mention=mention), units, end)


def _reference(text: Folded, cited: _Cited, on: date | None) -> Reference:
    """Make the reference; its text is the whole original, since nothing else was in it."""
    law = cited.law.mention if cited.law else None
    official: tuple[UnitMention, ...] = cited.law.units if cited.law else ()
    return Reference(
        0,
        len(text.original),
        text.original,
        published_law(text, law) if law else None,
        official or published_units(text, cited.units),
        on,
    )

"""A law as it is named anywhere in Spanish text, whichever way: number, name, official id, pointer, or foreign law."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from search.citations.folding import Folded, fold, fold_name
from search.citations.model import LawMention, UnitMention
from search.citations.spanish.curated import curated
from search.citations.spanish.foreign import Foreign, read_foreign
from search.citations.spanish.lexicon import ADJECTIVE, BLANK, GAP
from search.citations.spanish.names import read_abbreviation, read_consolidated, read_name, read_unlisted_name
from search.citations.spanish.numbers import read_dated, read_numbered
from search.citations.spanish.official import read_official
from search.citations.spanish.pointers import Pointer, noun_of, read_pointer

_LONGEST_TITLE = 320
_APPROVED = re.compile(rf"aprobad[oa]s?{BLANK}(?:por|mediante|en{BLANK}virtud{BLANK}de){BLANK}(?:(?:el|la){BLANK})?")
_SENTENCE_END = re.compile(r"[.;:()\n]")
_APPROVED_TEXT = re.compile(
    rf"(?:reglamento|texto{BLANK}(?:refundido|articulado)|estatutos?|codigo|plan{BLANK}general|norma|instruccion|pliego"
    rf"|ley{BLANK}articulada|tarifas)(?![a-z])"
)
# What parts the title of an approved text from "aprobado": another provision, or another law joined to it.
_OTHER_CITATION = re.compile(
    rf"(?:articulos?|arts?\.|apartados?|disposicion(?:es)?|anexos?)(?![a-z])|(?:,{GAP}|{BLANK}(?:y|o|e|u|ni){BLANK})"
    rf"(?:[a-z]{{1,6}}{BLANK}){{0,3}}(?:reglamento|texto{BLANK}refundido|estatuto|codigo|ley(?:es)?|(?:real{BLANK})?decreto"
    rf"|orden|constitucion)(?![a-z])"
)
_DESCRIBED = re.compile(rf"(?:{ADJECTIVE}{BLANK})+(?=[a-z])")
_REGLAMENTO_OF = re.compile(
    rf"reglamento(?:{BLANK}general)?(?:{BLANK}de{BLANK}(?:desarrollo|ejecucion|aplicacion))?{BLANK}de(?:l|{BLANK}la){BLANK}"
)
_FOREIGN_NOUNS: dict[str, str] = {
    "eu_regulation": "reglamento", "eu_directive": "directiva", "eu_decision": "decision", "eu_treaty": "tratado",
    "international_treaty": "tratado",
}  # fmt: skip
_OFFICIAL_START = re.compile(r"bo[a-z]{1,3}-|do[a-z]{1,3}-|https?:|www\.|boe\.|/?eli/")


class Law(NamedTuple):
    """One law read from a text: named, foreign or pointed at; `noun` is the kind of noun it goes by."""

    start: int
    end: int
    mention: LawMention | None = None
    foreign: Foreign | None = None
    pointer: Pointer | None = None
    units: tuple[UnitMention, ...] = ()
    noun: str = ""


def read_law(text: Folded, start: int, *, is_loose: bool = False, is_linked: bool = False) -> Law | None:
    """Read the law named or pointed at from `start` on; `is_linked` when "de" ties it to a unit."""
    named = read_named_law(text, start, is_loose=is_loose, is_linked=is_linked)
    if named:
        return named
    described = _DESCRIBED.match(text.lower, start)
    if described and (named := read_named_law(text, described.end(), is_loose=is_loose, is_linked=is_linked)):
        return named._replace(start=start)
    pointer = read_pointer(text, start, is_linked=is_linked)
    return Law(pointer.start, pointer.end, pointer=pointer, noun=pointer.noun) if pointer else None


def read_named_law(text: Folded, start: int, *, is_loose: bool = False, is_linked: bool = False) -> Law | None:
    """Read a law that is named for what it is, from `start` on."""
    foreign = read_foreign(text, start)
    if foreign:
        noun = noun_of(text, start) or _FOREIGN_NOUNS.get(foreign.type, "")
        return Law(start, foreign.end, foreign=foreign, noun=noun)
    official = read_official(text, start) if _OFFICIAL_START.match(text.lower, start) else None
    if official:
        return Law(start, official.end, mention=official.law, units=official.units)
    mention = (
        read_numbered(text, start, is_loose=is_loose)
        or read_abbreviation(text, start, is_loose=is_loose)
        or read_consolidated(text, start)
        or _approved(text, start, is_loose)
        or read_name(text, start, is_loose=is_loose, is_linked=is_linked)
        or (_reglamento(text, start, is_loose=is_loose) if is_loose or is_linked else None)
        or read_dated(text, start)
        or read_unlisted_name(text, start)
    )
    if mention is None:
        return None
    return Law(start, mention.end, mention=mention, noun=noun_of(text, start) or _noun_of_name(mention.ids))


def _noun_of_name(ids: tuple[str, ...]) -> str:
    """Give the kind of noun that a law goes by where only its initials are written: "ley" for LIRPF."""
    names = curated().names.get(ids[0], ()) if ids else ()
    nouns = [noun for name in names if (noun := noun_of(fold(name), 0))]
    return next((noun for noun in nouns if noun != "texto"), nouns[0] if nouns else "")


def _approved(text: Folded, start: int, is_loose: bool) -> LawMention | None:
    """Read a text by the norm that approved it: "Reglamento ..., aprobado por el Real Decreto 887/2006"."""
    noun = _APPROVED_TEXT.match(text.lower, start)
    at = text.lower.find("aprobad", noun.end(), noun.end() + _LONGEST_TITLE) if noun else -1
    match = _APPROVED.match(text.lower, at) if at >= 0 else None
    if noun is None or match is None:
        return None
    title = text.lower[noun.end() : at]
    if _SENTENCE_END.search(title) or _OTHER_CITATION.search(title):
        return None
    mention = read_numbered(text, match.end(), is_loose=is_loose) or read_dated(text, match.end())
    return replace(mention, text=text.slice(start, mention.end), start=start) if mention else None


def _reglamento(text: Folded, start: int, *, is_loose: bool) -> LawMention | None:
    """Read a reglamento by the law that it develops: "Reglamento de la LIRPF"."""
    match = _REGLAMENTO_OF.match(text.lower, start)
    law = match and (
        read_numbered(text, match.end(), is_loose=is_loose)
        or read_abbreviation(text, match.end(), is_loose=is_loose)
        or read_name(text, match.end(), is_loose=is_loose, is_linked=True)
    )
    ids = developing(law.ids) if law else ()
    if not (law and ids):
        return None
    written = text.slice(start, law.end)
    return identified(LawMention(written, name=fold_name(written), start=start, end=law.end), ids)


def developing(law: tuple[str, ...]) -> tuple[str, ...]:
    """Give the reglamentos of the one law that a mention means, where the list knows all that it ever had."""
    return curated().developing.get(law[0], ()) if len(law) == 1 else ()


def identified(mention: LawMention, ids: tuple[str, ...]) -> LawMention:
    """Give a mention the laws that it may mean: one, or several among which nothing chooses."""
    boe_id = curated().boe_ids[ids[0]] if len(ids) == 1 else ""
    return replace(mention, ids=ids, boe_id=boe_id, is_ambiguous=len(ids) > 1)

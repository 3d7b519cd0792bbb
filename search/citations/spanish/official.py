"""Official names of laws: ids of the official journals, BOE and ELI addresses, with the block they point at."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import NamedTuple
from urllib.parse import unquote

from corpus.identifiers import CitationId, InvalidCitationId
from corpus.ranks import CURATED_IDS, NUMBERED_RANKS, Eli, law_id, read_eli
from search.citations.canonical import CANONICAL_UNIT
from search.citations.folding import Folded
from search.citations.model import LawMention, UnitMention
from search.citations.spanish.curated import curated

JOURNAL_ID = r"(?:bo[a-z]{1,3}|do[a-z]{1,3})-[a-z]-\d{4}-\d{1,6}"
_ID = re.compile(rf"(?P<id>{JOURNAL_ID})(?![0-9a-z])(?:[#:](?P<fragment>[0-9a-zñ.~-]*[0-9a-zñ]))?", re.IGNORECASE)
_UNIT = re.compile(CANONICAL_UNIT)
_ADDRESS = re.compile(
    r"(?:https?://)?(?:[a-z]+\.)*boe\.es/[^\s<>\"'«»)\]]*[0-9a-zñ)/]|(?<![\w./])/?eli/es(?:-[a-z]{2})?/[^\s<>\"'«»\]]*[0-9a-z)]",
    re.IGNORECASE,
)
_ID_WITHIN = re.compile(JOURNAL_ID, re.IGNORECASE)
_BLOCK = re.compile(r"(?:#|/bloque/)(?P<block>[0-9a-zñ.~-]*[0-9a-zñ])", re.IGNORECASE)
# The BOE's own "da-2" is the block of another disposición than the second; it has no block that begins so.
_NEVER_A_BLOCK = "art-"
_ELI = re.compile(r"/?eli/es(?:-[a-z]{2})?/[a-z]+/\d{4}/\d{2}/\d{2}/[^/?#]+", re.IGNORECASE)
_LONG_RANKS = {
    "real-decreto-ley": "rdl", "real-decreto-legislativo": "rdleg", "real-decreto": "rd", "ley-organica": "lo",
    "decreto-ley": "dl", "decreto-legislativo": "dleg",
}  # fmt: skip
_LONG_FORM = re.compile(
    rf"(?P<jurisdiction>(?:es(?:-[a-z]{{2}})?-)?)(?P<rank>{'|'.join(_LONG_RANKS)})(?P<number>-\d{{1,5}}-\d{{4}})"
)


class Official(NamedTuple):
    """A law by its official name, the unit its id went on with, and the end of both."""

    law: LawMention
    units: tuple[UnitMention, ...]
    end: int


def read_official(text: Folded, start: int) -> Official | None:
    """Read an official id or address from `start` on."""
    address = _ADDRESS.match(text.plain, start)
    if address:
        return _addressed(text, start, address.end())
    match = _ID.match(text.plain, start)
    return _identified(text, match) if match else None


def name_law(word: str) -> LawMention | None:
    """Give the law that a word stands for in an id: a curated id or abbreviation, a rank written out, a BOE id.

    >>> name_law("lgt").ids, name_law("real-decreto-ley-7-2024").ids, name_law("ley-900-2019")
    (('ley-58-2003',), ('rdl-7-2024',), None)
    """
    long = _LONG_FORM.fullmatch(word)
    if long:
        return LawMention(word, (f"{long['jurisdiction']}{_LONG_RANKS[long['rank']]}{long['number']}",))
    if _ID_WITHIN.fullmatch(word):
        return _of_journal(word, word)
    known = curated()
    if word in known.boe_ids:
        return LawMention(word, (word,), boe_id=known.boe_ids[word])
    ids = known.abbreviations.get(word.replace("-", ""), ())
    boe_id = known.boe_ids[ids[0]] if len(ids) == 1 else ""
    is_ambiguous = len(ids) > 1 and word not in known.first_only
    return LawMention(word, ids, boe_id=boe_id, is_ambiguous=is_ambiguous) if ids else None


def _identified(text: Folded, match: re.Match[str]) -> Official:
    start, fragment = match.start(), (match["fragment"] or "").lower()
    written = text.slice(start, match.end("id"))
    law = _placed(text, _of_journal(match["id"], written), start, match.end("id"))
    if not fragment:
        return Official(law, (), match.end("id"))
    at = match.start("fragment")
    unit = _unit(text, fragment, at, match.end())
    may_be_block = unit is None or (text.plain[at - 1] == "#" and not fragment.startswith(_NEVER_A_BLOCK))
    if may_be_block:
        law = _placed(text, law, start, match.end(), block=fragment)
    return Official(law, (unit,) if unit else (), match.end())


def _unit(text: Folded, fragment: str, start: int, end: int) -> UnitMention | None:
    if not _UNIT.match(fragment):
        return None
    try:
        cited = CitationId.parse(f"law:{fragment}")
    except InvalidCitationId:
        return None
    return UnitMention(cited.unit or "", cited.path, start=text.at(start), end=text.at(end), labels=cited.path)


def _addressed(text: Folded, start: int, end: int) -> Official | None:
    address = unquote(text.slice(start, end))
    block = _BLOCK.search(address)
    anchor = block["block"] if block else ""
    journal, eli = _ID_WITHIN.search(address), _ELI.search(address)
    if journal:
        law = _of_journal(journal[0], address)
    elif eli:
        law = _of_eli(eli[0].lower().lstrip("/"), address)
    else:
        return None
    is_unit = anchor.lower().startswith(_NEVER_A_BLOCK)
    unit = _unit(text, anchor.lower(), start + address.rfind(anchor), end) if is_unit else None
    law = _placed(text, law, start, end, block="" if unit else anchor)
    return Official(law, (unit,) if unit else (), end)


def _of_journal(journal_id: str, written: str) -> LawMention:
    series, section, *number = journal_id.split("-")
    section = section.upper() if series.upper() == "BOE" else section.lower()
    boe_id = "-".join([series.upper(), section, *number])
    curated_id = CURATED_IDS.get(boe_id) or _curated_by_boe_id().get(boe_id)
    return LawMention(written, (curated_id or boe_id.lower(),), boe_id=boe_id)


@cache
def _curated_by_boe_id() -> dict[str, str]:
    return {boe_id: law for law, boe_id in curated().boe_ids.items()}


def _ids_of(eli: Eli) -> tuple[str, ...]:
    """Give the id that an ELI spells out; an order without its department's letters has none of its own."""
    if eli.rank not in NUMBERED_RANKS:
        return ()
    try:
        return (law_id(rank=eli.rank, number=eli.number, jurisdiction=eli.jurisdiction, boe_id=""),)
    except ValueError:
        return ()


def _of_eli(path: str, written: str) -> LawMention:
    known = read_eli("/" + path)
    ids = _ids_of(known) if known else ()
    jurisdiction = known.jurisdiction if known else ""
    eli = f"https://www.boe.es/{path}"
    return LawMention(
        written,
        ids,
        eli=eli,
        jurisdiction=jurisdiction,
        explicit_region=jurisdiction not in {"", "es"},
        rank=known.rank if known else "",
        number=known.number if known else "",
    )


def _placed(text: Folded, law: LawMention, start: int, end: int, block: str = "") -> LawMention:
    return replace(law, text=text.slice(start, end), block=block or law.block, start=start, end=end)

"""Laws by their official number: "Ley 58/2003", "R.D. 1.065/2007", "Orden HAC/1347/2024", with date and region."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from corpus.ranks import NUMBERED_RANKS
from search.citations.folding import Folded
from search.citations.model import LawMention
from search.citations.spanish.lexicon import BLANK, GAP, MONTH, MONTHS, NUMBER_MARK
from search.citations.spanish.regions import region_adjective, region_after

_YEAR_OF_TWO_DIGITS_PIVOT = 40
_STATE_RANKS = {"lo", "rdl", "rdleg", "rd"}
_REGIONAL_BY_RANK = {"ley-foral": "es-nc", "dl-foral": "es-nc", "dleg-foral": "es-nc", "decreto-foral": "es-nc"}

_RD = rf"(?:rei?al(?:e?s)?{BLANK}decreto?s?|rr?\.?[ ]?d(?:d\.?|to\.?|\.)?)"
_LEY = "(?:ley(?:es)?|lleis?|leis?)"
_RANKS = {
    "lo": rf"{_LEY}{BLANK}organi(?:c|qu)[ae]s?|ll?\.?[ ]?oo?\.?|l(?:ey|\.)?[ ]?org\.?|organic{BLANK}(?:law|act)s?",
    "ley-foral": rf"ley(?:es)?{BLANK}foral(?:es)?|l\.?[ ]?f\.?",
    "ley": rf"{_LEY}|ll?\.|l(?=[ ]?\d)|(?:law|act)s?",
    "rdleg": rf"{_RD}(?:[ ]?-{GAP}|{GAP})(?:le[gx]islativos?|legislatius?|leg\.?|lg\.?|l(?:e?gi?)?t?vos?\.?)"
    rf"|r\.[ ]?d\.[ ]?leg\.?|(?:royal{BLANK}legislative|legislative{BLANK}royal){BLANK}decrees?",
    "rdl": rf"{_RD}(?:[ ]?-{GAP}|{GAP}){_LEY}|r\.?d\.?-l\.?|royal{BLANK}decree[ -]laws?",
    "rdl|rdleg": r"r\.?[ ]?d\.?[ ]?l\.?",
    "rd": rf"{_RD}|royal{BLANK}decrees?",
    "dl-foral": rf"decretos?(?:[ ]?-{GAP}|{BLANK})ley(?:es)?{BLANK}foral(?:es)?",
    "dleg-foral": rf"decretos?{BLANK}foral(?:es)?{BLANK}legislativos?",
    "decreto-foral": rf"decretos?{BLANK}foral(?:es)?",
    "dleg": rf"decreto?s?(?:[ ]?-{GAP}|{BLANK})(?:le[gx]islativos?|legislatius?)|d\.?[ ]?-?[ ]?leg\.?|dlg\.?",
    "dl": rf"decreto?s?(?:[ ]?-{GAP}|{BLANK})(?:ley(?:es)?|llei|lei)|d\.?[ ]?-?[ ]?ley|d\.?l\.?",
    "decreto": r"decreto?s?|dto\.?|d\.",
    "orden": rf"(?:orden|ordenes)(?:{BLANK}ministerial(?:es)?)?|o\.?[ ]?m\.?|o\.(?=[ ]?[a-z]{{2,4}}/\d)",
    "circular": r"circular(?:es)?",
    "instruccion": r"instruccion(?:es)?",
    "resolucion": r"resolucion(?:es)?",
    "acuerdo": r"acuerdos?",
}
RANK_NAMES = rf"(?:{'|'.join(_RANKS.values())})(?![a-zñ])"
_RANK = re.compile("|".join(rf"(?P<r{i}>(?:{pattern})(?![a-zñ]))" for i, pattern in enumerate(_RANKS.values())))
_RANK_SLUGS = list(_RANKS)
_SHORT = re.compile(r"[lrdofmg]{1,3}[.]?(?:[ ]?[lrdofmg][.]?){0,2}-?(?:leg\.?|ley|lg\.?)?$|dto\.?$")

_NUMBER = re.compile(
    rf"{GAP}(?:,|(?P<bracket>\())?{GAP}{NUMBER_MARK}(?:(?P<number>\d{{1,3}}\.\d{{3}}|\d{{1,5}})(?:{GAP}/{GAP}|-|{BLANK}del?{BLANK}(?:a[nñ]o{BLANK})?(?=[12]\.?\d{{3}}))"
    r"(?P<year>1\.?[789]\d\d|2\.?0\d\d|\d\d)(?![\d/])(?!\.\d)"
    rf"|(?P<letters>[a-z]{{2,4}})[ ]?[/ -][ ]?(?P<ordinal>\d{{1,3}}\.\d{{3}}|\d{{1,5}})[ ]?[/-][ ]?"
    r"(?P<issued>1[89]\d\d|20\d\d|(?<=/)\d\d)(?![\d/])(?!\.\d))(?(bracket)\))"
)
_UNRANKED = re.compile(r"(?:(?P<letters>[a-z]{2,4})/)?\d{1,5}/(?:1[89]|20)\d\d(?![\d/])")
_ANY_RANK = "ley|lo|rd|rdl|rdleg"
_TYPED_NUMBER = re.compile(
    rf"{GAP}(?:(?P<number>\d{{1,5}})|(?P<letters>[a-z]{{2,4}})[ ](?P<ordinal>\d{{1,5}}))[ ]"
    r"(?P<year>(?P<issued>(?:1[89]|20)\d\d))(?!\d)"
)
_ANY_NUMBER = re.compile(rf"{GAP}{NUMBER_MARK}\d")
_MORE = re.compile(
    rf"(?:{GAP},{GAP}(?:y{BLANK})?|{BLANK}(?:y|e|o){BLANK})(?:la{BLANK}|el{BLANK})?(?=\d{{1,3}}(?:\.\d{{3}})?{GAP}/{GAP}(?:1\.?[89]|2\.?0)\d\d(?!\d))"
)
_DATE = re.compile(
    rf"{GAP},?{GAP}(?:(?:del?|do){BLANK}|d')(?:fecha{BLANK})?(?P<day>\d{{1,2}}|uno|primero)(?:\.?[ºo])?{BLANK}(?:de{BLANK}|d')?(?P<month>{MONTH})"
    rf"(?:{BLANK}del?{BLANK}(?P<year>1\.?[89]\d\d|2\.?0\d\d)(?!\d))?"
)


def read_numbered(text: Folded, start: int, *, is_loose: bool = False) -> LawMention | None:
    """Read a law cited by rank and number from `start` on, with the date and the region that follow."""
    rank = _RANK.match(text.lower, start)
    if rank is None or (_SHORT.match(rank[0]) and not is_loose and not text.plain[start].isupper()):
        return None
    adjective = region_adjective(text.lower, rank.end())
    at = adjective[1] if adjective else rank.end()
    number = _NUMBER.match(text.lower, at) or (_TYPED_NUMBER.match(text.lower, at) if is_loose else None)
    slug = _RANK_SLUGS[int(rank.lastgroup[1:])] if rank.lastgroup else ""
    if number is None or (number["letters"] and slug != "orden"):
        return None
    return _complete(text, start, slug, number, adjective[0] if adjective else "")


def read_unranked(text: Folded, start: int) -> LawMention | None:
    """Read "39/2015", which laws of several ranks bear; with a department's letters it is an order's."""
    shape = _UNRANKED.match(text.lower, start)
    number = _NUMBER.match(text.lower, start) if shape else None
    return _complete(text, start, "orden" if shape["letters"] else _ANY_RANK, number, "") if shape and number else None


def begins_with_number(text: Folded, start: int) -> bool:
    """Whether a rank and a number stand at `start`, so that what follows is no name: "ley 39"."""
    rank = _RANK.match(text.lower, start)
    return bool(rank and _ANY_NUMBER.match(text.lower, rank.end()))


def read_more_numbers(text: Folded, law: LawMention, end: int) -> list[tuple[LawMention, int]]:
    """Read the further numbers of "Leyes 39/2015 y 40/2015", each a law of the same rank."""
    more = []
    while match := _MORE.match(text.lower, end):
        number = _NUMBER.match(text.lower, match.end())
        found = _complete(text, match.end(), law.rank, number, "") if number else None
        if found is None:
            break
        more.append((found, match.end()))
        end = found.end
    return more


def read_dated(text: Folded, start: int) -> LawMention | None:
    """Read a law that goes by rank and date alone: "Ley de 26 de diciembre de 1958"."""
    rank = _RANK.match(text.lower, start)
    day = _DATE.match(text.lower, rank.end()) if rank else None
    if rank is None or day is None or not day["year"]:
        return None
    slug = _RANK_SLUGS[int(rank.lastgroup[1:])] if rank.lastgroup else ""
    name = " ".join(text.lower[start : day.end()].split())
    return LawMention(
        text.slice(start, day.end()), name=name, rank=slug, enacted=_day(day, None), start=start, end=day.end()
    )


def _complete(text: Folded, start: int, rank: str, number: re.Match[str], region: str) -> LawMention:
    """Make the mention of a number, reading on through its date and region."""
    year, end = _year(number["year"] or number["issued"]), number.end()
    dated = _DATE.match(text.lower, end)
    enacted = _day(dated, year) if dated else None
    end = dated.end() if dated else end
    found = None if rank in _STATE_RANKS or region else region_after(text.lower, end)
    region, end = found or (region, end)
    letters = number["letters"] or ""
    digits = str(int((number["number"] or number["ordinal"]).replace(".", "")))
    mention = LawMention(
        text.slice(start, end),
        number="/".join(part for part in (letters.upper(), digits, str(year)) if part),
        rank=rank,
        enacted=enacted,
        start=start,
        end=end,
    )
    return _identified(mention, region, "-".join(part for part in (letters, digits, str(year)) if part))


def _identified(mention: LawMention, region: str, number: str) -> LawMention:
    """Give a mention its canonical ids; a rank without ids of its own keeps rank and number alone."""
    ranks = [rank for rank in mention.rank.split("|") if rank in NUMBERED_RANKS]
    is_lettered = number[0].isalpha()
    jurisdiction = region or _REGIONAL_BY_RANK.get(mention.rank, "")
    prefix = f"{jurisdiction}-" if jurisdiction not in {"", "es"} else ""
    ids = tuple(f"{prefix}{rank}-{number}" for rank in ranks if (rank == "orden") == is_lettered)
    return replace(
        mention, ids=ids, jurisdiction=jurisdiction, explicit_region=bool(jurisdiction), is_ambiguous=len(ids) > 1
    )


def _year(digits: str) -> int:
    """Read a year, also "1.992"; of two digits it belongs to the century in which laws were so cited."""
    digits = digits.replace(".", "")
    if len(digits) == 4:
        return int(digits)
    return int(digits) + (2000 if int(digits) < _YEAR_OF_TWO_DIGITS_PIVOT else 1900)


def _day(match: re.Match[str], year: int | None) -> date | None:
    day = int(match["day"]) if match["day"].isdigit() else 1
    month = MONTHS[match["month"]]
    try:
        return date(_year(match["year"]) if match["year"] else year or 1, month, day)
    except ValueError:
        return None

"""Laws by their official number: "Ley 58/2003", "R.D. 1.065/2007", "Orden HAC/1347/2024", with date and region."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from typing import NamedTuple

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
_ANY_NUMBER = re.compile(rf"{GAP}-?{NUMBER_MARK}\d")
_PLURAL = re.compile(r"[a-z]+s(?![a-z])|ll\.?$|rr")
_DIGITS = r"(?:\d{1,3}\.\d{3}|\d{1,5})"
_LISTED = rf"(?:{GAP},{GAP}(?:y{BLANK})?|{BLANK}(?:y|e|o){BLANK})(?:la{BLANK}|el{BLANK})?"
_WITH_YEAR = rf"{_DIGITS}(?:{GAP}/{GAP}|{BLANK}de{BLANK})(?P<year>(?:1\.?[89]|2\.?0)\d\d)(?!\d)"
_MORE = re.compile(rf"{_LISTED}(?=(?P<letters>[a-z]{{2,4}}/)?{_WITH_YEAR})")
_NEXT = re.compile(rf"{_LISTED}(?={_DIGITS})")
# The year of "Leyes 39 y 40/2015" is that of both.
_WITHOUT_YEAR = re.compile(
    rf"{GAP}{NUMBER_MARK}(?P<number>{_DIGITS})(?=(?:{_LISTED}{_DIGITS}){{0,20}}{_LISTED}{_WITH_YEAR})"
)
_DATE = re.compile(
    rf"{GAP},?{GAP}(?:(?:del?|do){BLANK}|d')(?:fecha{BLANK})?(?P<day>\d{{1,2}}|uno|primero)(?:\.?[ºo])?{BLANK}(?:de{BLANK}|d')?(?P<month>{MONTH})"
    rf"(?:{BLANK}del?{BLANK}(?P<year>1\.?[89]\d\d|2\.?0\d\d)(?!\d))?"
)


class _Issue(NamedTuple):
    """What a law's number is made of, and where it ends; `region` where a list that shares its year tells one."""

    letters: str
    digits: str
    year: int
    end: int
    region: str = ""


def read_numbered(text: Folded, start: int, *, is_loose: bool = False) -> LawMention | None:
    """Read a law cited by rank and number from `start` on, with the date and the region that follow."""
    rank = _RANK.match(text.lower, start)
    if rank is None or (_SHORT.match(rank[0]) and not is_loose and not text.plain[start].isupper()):
        return None
    region, at = region_adjective(text.lower, rank.end()) or ("", rank.end())
    number = _NUMBER.match(text.lower, at) or (_TYPED_NUMBER.match(text.lower, at) if is_loose else None)
    issue = _issue(number) if number else _sharing_year(text, rank, at)
    slug = _RANK_SLUGS[int(rank.lastgroup[1:])] if rank.lastgroup else ""
    if issue is None or (issue.letters and slug != "orden"):
        return None
    return _complete(text, start, slug, issue, region)


def read_unranked(text: Folded, start: int) -> LawMention | None:
    """Read "39/2015", which laws of several ranks bear; with a department's letters it is an order's."""
    shape = _UNRANKED.match(text.lower, start)
    number = _NUMBER.match(text.lower, start) if shape else None
    rank = "orden" if shape and shape["letters"] else _ANY_RANK
    return _complete(text, start, rank, _issue(number), "") if number else None


def begins_with_number(text: Folded, start: int) -> bool:
    """Whether a rank and a number stand at `start`, so that what follows is no name: "ley 39"."""
    rank = _RANK.match(text.lower, start)
    return bool(rank and _ANY_NUMBER.match(text.lower, rank.end()))


def read_more_numbers(text: Folded, law: LawMention, end: int) -> list[tuple[LawMention, int]]:
    """Read the further numbers of "Leyes 39/2015 y 40/2015", each a law of the same rank."""
    more: list[tuple[LawMention, int]] = []
    rank = _RANK.match(text.lower, law.start)
    region, _end = (rank and region_adjective(text.lower, rank.end())) or ("", 0)
    while issue := _next_issue(text, rank, end, is_order=law.rank == "orden"):
        found = _complete(text, issue[1], law.rank, issue[0], region)
        more.append((found, issue[1]))
        end = found.end
    return more


def is_of_several(text: Folded, law: LawMention) -> bool:
    """Whether the noun of a law stands for several: "las Leyes 39/2015 y 40/2015"."""
    rank = _RANK.match(text.lower, law.start)
    return rank is not None and _PLURAL.match(rank[0]) is not None


def _next_issue(text: Folded, rank: re.Match[str] | None, end: int, *, is_order: bool) -> tuple[_Issue, int] | None:
    """Read the next number of a list of laws, and say where it begins; only an order's has a department's letters."""
    match = _MORE.match(text.lower, end)
    number = _NUMBER.match(text.lower, match.end()) if match else None
    if match and number and (is_order or not match["letters"]):
        return _issue(number), match.end()
    match = _NEXT.match(text.lower, end)
    issue = _sharing_year(text, rank, match.end()) if match and rank else None
    return (issue, match.end()) if match and issue else None


def _sharing_year(text: Folded, rank: re.Match[str], at: int) -> _Issue | None:
    """Read the 39 of "Leyes 39 y 40/2015, de Cataluña", whose year and region stand behind the last of them."""
    match = _WITHOUT_YEAR.match(text.lower, at) if _PLURAL.match(rank[0]) else None
    if match is None:
        return None
    dated = _DATE.match(text.lower, match.end("year"))
    region = region_after(text.lower, dated.end() if dated else match.end("year"))
    return _Issue("", _digits(match["number"]), _year(match["year"]), match.end(), region[0] if region else "")


def _issue(number: re.Match[str]) -> _Issue:
    digits = _digits(number["number"] or number["ordinal"])
    return _Issue(number["letters"] or "", digits, _year(number["year"] or number["issued"]), number.end())


def _digits(written: str) -> str:
    return str(int(written.replace(".", "")))


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


def _complete(text: Folded, start: int, rank: str, issue: _Issue, region: str) -> LawMention:
    """Make the mention of a number, reading on through its date and region."""
    letters, digits, year, end, shared = issue
    dated = _DATE.match(text.lower, end)
    enacted = _day(dated, year) if dated else None
    end = dated.end() if dated else end
    found = None if rank in _STATE_RANKS or region else region_after(text.lower, end) or (shared, end)
    region, end = found or (region, end)
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

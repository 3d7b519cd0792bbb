"""The day of the text that a citation speaks of: "redacción vigente a 28 de febrero de 2020", "@2020-02-28"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from corpus.ordinals import read_number
from search.citations.folding import Folded
from search.citations.spanish.lexicon import MONTH, MONTHS, spaced

_DAY = (
    rf"(?:(?P<day>\d{{1,2}}|[a-z]+(?: y [a-z]+)?)(?:\.?[ºo])? (?:de )?(?P<month>{MONTH}) (?:de |del (?:año )?)?"
    r"(?P<year>\d{4}|\d\.\d{3})(?!\d)"
    r"|(?P<number>\d{1,2}(?P<sign>[/.-])\d{1,2}(?P=sign)\d{4})(?!\d)|(?P<iso>\d{4}-\d{2}-\d{2})(?!\d))"
)
# A month, a year or a day without its year fixes no redaction.
_VAGUE = (
    r"(?:año |ejercicio |mes de )?"
    rf"(?P<vague>(?:\d{{1,2}} de {MONTH}(?: del? \d{{2}})?|(?:{MONTH} del? )?(?:1[89]|20)\d\d)"
    r"(?![\d/]|[.-]\d))"
)
_TEXT = (
    r"(?:redaccion|version|texto)(?: (?:consolidad[oa]|legal|original))?"
    r"(?:,? (?:que (?:estaba|era) )?(?:vigente|en vigor|aplicable))?"
)
_ON = r"(?:a|al|en|el|hasta)(?: (?:la|el|dia|fecha|de|del)){0,4}"
# "del 18/02/2004 al 16/12/2014": on its first day a redaction is that redaction.
_LAST = (
    rf"(?: (?:al|hasta el) (?:\d{{1,2}}(?P<between>[/.-])\d{{1,2}}(?P=between)\d{{4}}"
    rf"|\d{{1,2}} de {MONTH} del? \d{{4}})(?!\d))?"
)
_WITHIN = rf"(?:{_ON}|durante(?: el)?|para(?: el)?)"
# "tras la entrada en vigor en 2016 de la Ley 39/2015" tells no text from another.
_ENTRIES = (
    "entra", "entran", "entro", "entraron", "entrara", "entraran", "entraria", "entrarian", "entre", "entren",
    "entrar", "entrando", "entrada", "entrado", "puesta",
)  # fmt: skip
_NO_ENTRY = "".join(rf"(?<!{entry}\s)" for entry in _ENTRIES)
_SINCE = r"desde(?: (?:la|el|dia|fecha|de|del)){0,4}"
_SAID = re.compile(
    spaced(
        rf"(?<![a-z])(?:(?:{_TEXT} (?:{_ON}|{_SINCE}|del?)|(?:que (?:estaba|era) )?(?:vigente|en vigor) {_ON}"
        rf"|a fecha(?: de(?:l dia)?)?) {_DAY}{_LAST}|(?:{_TEXT}(?: (?:{_WITHIN}|{_SINCE}|del?))?"
        rf"|(?:que (?:estaba|era) )?{_NO_ENTRY}(?:vigente|en vigor) {_WITHIN}) {_VAGUE})(?:_[)\]])?"
    )
)
# A redaction that is told by what it is, or by the law that wrote it, fixes no day either.
_REDACTION = re.compile(
    spaced(
        r"(?:(?:redaccion|version|texto) (?:originari[oa]|original|inicial|primitiv[oa])"
        r"|(?:redaccion|version) (?:anterior|previa|precedente|antigua|derogada))(?![a-z:])(?:_[)\]])?"
        r"|(?:redaccion|version|texto) (?P<by>dad[oa]|introducid[oa]|operad[oa]|establecid[oa]|otorgad[oa]|resultante"
        r"|procedente|derivad[oa])(?= (?:por|de|del|tras|al?)(?![a-z]))"
    )
)
_REST = re.compile(r"[^,;.()\n]{0,60}?(?=[ ]al?[ ]|[,;.()\n]|$)|[^,;.()\n]{0,60}")
_HEAD = re.compile(r"redaccion|version|texto|que (?=est|era)|vigente|en vigor|a fecha")
_LEAD = re.compile(spaced(r"_[,(\[]?_(?:(?:en|segun|conforme a|con) )?(?:(?:su|la|el) )?$"))
_PINNED = re.compile(r"[ ]?@[ ]?(?P<pinned>\d[\d/-]*)(?![\w.])")
_LONGEST_LEAD = 24
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")
_CLOSED = re.compile(r"[\s.,;:»\"')\]!-]*$")


class SaidDay(NamedTuple):
    """A day as it was said, from `start` to `end` with the words around it; `on` is None if no calendar has it.

    `is_redaction` where a redaction is told without a day, by the law that wrote it if that is `written_by`.
    """

    on: date | None
    written: str
    start: int
    end: int
    is_redaction: bool = False
    written_by: bool = False


def said_days(text: Folded) -> list[SaidDay]:
    """Find every day of a text that is said in words, in their order.

    >>> from search.citations.folding import fold
    >>> [said] = said_days(fold("art. 27 LGT, en su redacción vigente a 28 de febrero de 2020"))
    >>> said.on, said.start
    (datetime.date(2020, 2, 28), 11)
    >>> [said] = said_days(fold("art. 27 LGT, redacción vigente del 18/02/2004 al 16/12/2014"))
    >>> said.on, said.end
    (datetime.date(2004, 2, 18), 59)
    >>> [said.on for said in said_days(fold("art. 27 LGT (en vigor el 31/02/2020)"))]
    [None]
    """
    found: list[SaidDay] = []
    end = 0
    for head in _HEAD.finditer(text.lower):
        if head.start() < end:
            continue
        match, redaction = (pattern.match(text.lower, head.start()) for pattern in (_SAID, _REDACTION))
        if match or redaction:
            lead = _LEAD.search(text.lower, max(0, head.start() - _LONGEST_LEAD), head.start())
            start = lead.start() if lead else head.start()
            found += [_said(text, match, start)] if match else [_redaction(text, redaction, start)] if redaction else []
            end = found[-1].end
    return found


def read_pinned(text: Folded, start: int) -> SaidDay | None:
    """Read the "@2020-02-28" right behind a citation that ends at `start`."""
    match = _PINNED.match(text.lower, start)
    return SaidDay(_of_id(match["pinned"]), text.slice(*match.span("pinned")), *match.span()) if match else None


def read_last_day(text: Folded) -> SaidDay | None:
    """Read the day that a whole text is pinned to, or says at its end."""
    at = text.lower.rfind("@")
    pinned = text.lower[at + 1 :].strip()
    if at >= 0 and pinned and not re.search(r"\s", pinned):
        begin = text.lower.index(pinned, at)
        written = text.slice(begin, begin + len(pinned))
        return SaidDay(_of_id(pinned), written, len(text.lower[:at].rstrip()), begin + len(pinned))
    said = said_days(text)
    by_law = next((one for one in said if one.written_by and text.lower[: one.start].strip()), None)
    if by_law:
        return by_law._replace(end=len(text.lower))
    return said[-1] if said and _CLOSED.match(text.lower, said[-1].end) else None


def without_days(text: Folded, said: Iterable[SaidDay]) -> Folded:
    """Give a text with the days that it says blank, every other character in its place."""
    plain, lower = text.plain, text.lower
    for one in said:
        blank = " " * (one.end - one.start)
        plain, lower = (folded[: one.start] + blank + folded[one.end :] for folded in (plain, lower))
    return Folded(text.original, plain, lower, text.dropped)


def _said(text: Folded, match: re.Match[str], start: int) -> SaidDay:
    first = next(name for name in ("day", "number", "iso", "vague") if match[name])
    written = text.slice(match.start(first), match.end("year" if first == "day" else first))
    return SaidDay(_date(match), written, start, match.end())


def _redaction(text: Folded, match: re.Match[str], start: int) -> SaidDay:
    rest = _REST.match(text.lower, match.start())
    written = text.slice(match.start(), rest.end() if rest and match["by"] else match.end()).rstrip(" )]")
    return SaidDay(None, written, start, match.end(), is_redaction=True, written_by=bool(match["by"]))


def _date(match: re.Match[str]) -> date | None:
    if match["day"]:
        day = int(match["day"]) if match["day"].isdigit() else read_number(match["day"])
        return _on(int(match["year"].replace(".", "")), MONTHS[match["month"]], day or 0)
    if match["number"]:
        day, month, year = map(int, re.findall(r"\d+", match["number"]))
        return _on(year, month, day)
    return _of_id(match["iso"]) if match["iso"] else None


def _of_id(written: str) -> date | None:
    return _on(*map(int, written.split("-"))) if _ISO.fullmatch(written) else None


def _on(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None

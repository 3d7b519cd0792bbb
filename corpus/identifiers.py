"""Canonical ids of laws and provisions: values that are parsed, printed and ordered, never guessed."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import date
from functools import total_ordering

SUFFIXES = [
    "bis",
    "ter",
    "quater",
    "quinquies",
    "sexies",
    "septies",
    "octies",
    "nonies",
    "decies",
    "undecies",
    "duodecies",
    "terdecies",
    "quaterdecies",
    "quindecies",
    "sexdecies",
    "septdecies",
    "octodecies",
    "novodecies",
    "vicies",
    "unvicies",
    "duovicies",
    "tervicies",
    "quatervicies",
    "quinvicies",
    "sexvicies",
    "septvicies",
    "octovicies",
    "novovicies",
    "tricies",
]
SUFFIX_SPELLINGS = {name: name for name in SUFFIXES} | {
    "cuater": "quater", "cuarter": "quater", "quarter": "quater", "quinque": "quinquies", "quinques": "quinquies",
    "quinquiens": "quinquies", "sexiens": "sexies", "sexties": "sexies", "novies": "nonies", "tredecies": "terdecies",
    "quinquedecies": "quindecies", "quinquiesdecies": "quindecies", "sedecies": "sexdecies",
    "sexiesdecies": "sexdecies", "septendecies": "septdecies", "septiesdecies": "septdecies",
    "duodevicies": "octodecies", "octiesdecies": "octodecies", "noniesdecies": "novodecies",
    "nonodecies": "novodecies", "undevicies": "novodecies", "quinquiesvicies": "quinvicies",
    "quinquevicies": "quinvicies", "sexiesvicies": "sexvicies", "septiesvicies": "septvicies",
    "octiesvicies": "octovicies", "octavicies": "octovicies", "noniesvicies": "novovicies",
}  # fmt: skip
"""Every unaccented spelling of a suffix that laws use, with the one that ids use."""

_SEGMENT = r"[0-9a-zñ]+(?:-[0-9a-zñ]+)*(?:~[1-9][0-9]*)?"
_LAW = re.compile(r"[0-9a-z]+(?:-[0-9a-z]+)*")
_UNIT_SEGMENT = re.compile(_SEGMENT)
_PATH_SEGMENT = re.compile(rf"(?:[0-9]+|[a-zñ]{{1,2}}|[ivxl]{{1,6}})(?:-(?:{'|'.join(SUFFIXES)}))?")
_CITATION = re.compile(r"(?P<law>[^:@]+)(?::(?P<rest>[^:@]+))?(?:@(?P<day>\d{4}-\d{2}-\d{2}))?")
_RUNS = re.compile(r"(\d+)")


class InvalidCitationId(ValueError):
    """The text is not a canonical citation id; the message quotes it."""


@total_ordering
@dataclass(frozen=True)
class CitationId:
    """A law, or one unit of it down to a sub-unit path, optionally on one day.

    `unit` may hold several dotted segments (`anexo-i.art-3`, `norma.df-2`); `path` holds the
    sub-unit labels below it. The shape decides which is which: a sub-unit label is a number, one
    or two letters, or a small roman numeral, each with an optional Latin suffix; a unit never is.

    >>> cited = CitationId.parse("LEY-58-2003:art-27.2.a@2019-06-30")
    >>> cited.law, cited.unit, cited.path, cited.on
    ('ley-58-2003', 'art-27', ('2', 'a'), datetime.date(2019, 6, 30))
    >>> str(cited)
    'ley-58-2003:art-27.2.a@2019-06-30'
    >>> str(CitationId.parse("ce:anexo-i.art-3.1"))
    'ce:anexo-i.art-3.1'
    >>> CitationId.parse("ley-58-2003:art-2") < CitationId.parse("ley-58-2003:art-12")
    True
    """

    law: str
    unit: str | None = None
    path: tuple[str, ...] = ()
    on: date | None = None

    @classmethod
    def parse(cls, text: str) -> CitationId:
        """Read a canonical id in any case; raise `InvalidCitationId` for anything else."""
        folded = unicodedata.normalize("NFC", text).lower()
        match = _CITATION.fullmatch(folded)
        if match is None or not _LAW.fullmatch(match["law"]):
            raise InvalidCitationId(f"not a citation id: {text!r}")
        unit, path = _split_unit(match["rest"], text)
        try:
            on = date.fromisoformat(match["day"]) if match["day"] else None
        except ValueError as error:
            raise InvalidCitationId(f"not a day in citation id: {text!r}") from error
        return cls(match["law"], unit, path, on)

    def __str__(self) -> str:
        below = ".".join(part for part in (self.unit, *self.path) if part)
        return f"{self.law}{':' + below if below else ''}{f'@{self.on.isoformat()}' if self.on else ''}"

    def __lt__(self, other: CitationId) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[object, ...]:
        return (_natural(self.law), _natural(self.unit or ""), tuple(map(_natural, self.path)), self.on or date.min)

    @property
    def provision(self) -> CitationId:
        """The whole provision this id points into, without sub-unit path or day."""
        return replace(self, path=(), on=None)

    def at(self, *path: str) -> CitationId:
        """Give the same provision at another sub-unit path."""
        return replace(self, path=path)

    def on_day(self, day: date | None) -> CitationId:
        """Give the same citation pinned to a day, or freed of it."""
        return replace(self, on=day)


def _split_unit(rest: str | None, text: str) -> tuple[str | None, tuple[str, ...]]:
    if rest is None:
        return None, ()
    segments = rest.split(".")
    depth = next((i for i, part in enumerate(segments) if _PATH_SEGMENT.fullmatch(part)), len(segments))
    unit, path = segments[:depth], segments[depth:]
    if not unit or not all(map(_UNIT_SEGMENT.fullmatch, unit)) or not all(map(_PATH_SEGMENT.fullmatch, path)):
        raise InvalidCitationId(f"not a citation id: {text!r}")
    return ".".join(unit), tuple(path)


def _natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """Key that orders `art-2` before `art-12`."""
    return tuple((0, int(run), "") if run.isdecimal() else (1, 0, run) for run in _RUNS.split(text) if run)


def slug(text: str) -> str:
    """Fold a title to the characters of an id: lower case, no accents (ñ stays), hyphens.

    >>> slug("Régimen de la Fábrica (España)")
    'regimen-de-la-fabrica-españa'
    """
    kept = unicodedata.normalize("NFC", text.lower()).replace("ñ", "\0")
    plain = "".join(c for c in unicodedata.normalize("NFD", kept) if not unicodedata.combining(c))
    return re.sub(r"[^0-9a-zñ]+", "-", plain.replace("\0", "ñ")).strip("-")

"""Reads laws as the `legalize` project gives the BOE's consolidated texts: Markdown with YAML front matter.

The source has the current text only, without block ids and mostly without tables: `history` says so, and no version
has a first day.
"""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import yaml

from corpus import ranks
from corpus.importers.boe import short_title
from corpus.importers.boe_articles import Ledger, law_notes, make_articles
from corpus.importers.boe_outline import outline
from corpus.importers.legalize_blocks import read_blocks
from corpus.importers.markup import ImportRefused, decode, normalised
from corpus.records import LawRecord, SourceWarning, Status
from corpus.validity import ONE_DAY

SOURCE = "legalize"
CONSULTED_AT = "https://www.boe.es/buscar/act.php?id={}"

_FENCE = "\n---\n"
_RANKS = {
    "acuerdo": "acuerdo",
    "acuerdo_internacional": "acuerdo-internacional",
    "circular": "circular",
    "constitucion": "constitucion",
    "decreto": "decreto",
    "decreto_legislativo": "dleg",
    "decreto_ley": "dl",
    "instruccion": "instruccion",
    "ley": "ley",
    "ley_foral": "ley-foral",
    "ley_organica": "lo",
    "orden": "orden",
    "real_decreto": "rd",
    "real_decreto_legislativo": "rdleg",
    "real_decreto_ley": "rdl",
    "reglamento": "reglamento",
    "resolucion": "resolucion",
}
# The front matter calls every regional law "ley"; its ELI, and else its title, tells the rank.
_TITLE_RANKS = (
    (re.compile(r"Decreto Foral Legislativo\b", re.IGNORECASE), "dleg-foral"),
    (re.compile(r"Decreto[- ]Ley Foral\b", re.IGNORECASE), "dl-foral"),
    (re.compile(r"Ley Foral\b", re.IGNORECASE), "ley-foral"),
    (re.compile(r"Decreto[- ]Ley\b", re.IGNORECASE), "dl"),
    (re.compile(r"Decreto Legislativo\b", re.IGNORECASE), "dleg"),
    (re.compile(r"Ley\b", re.IGNORECASE), "ley"),
)
_NUMBER_IN_TITLE = re.compile(r"^[^\d,]{0,60}?(?P<number>(?:[A-Z]{2,4}/)?\d{1,5}/\d{4})\b")
_STATUSES: dict[str, Status] = {
    "in_force": "in_force",
    "repealed": "repealed",
    "annulled": "annulled",
    "expired": "expired",
}


def read(path: Path, data: bytes) -> LawRecord:
    """Read the law a Markdown file holds; raise `ImportRefused` if its front matter or its text is not sound."""
    text, warnings = decode(data, path)
    matter, body = _parted(normalised(text), path)
    metadata = _Metadata(matter, path)
    blocks = read_blocks(body)
    outlined, ledger = outline(blocks, metadata.title, None), Ledger()
    articles, notes = make_articles(outlined, ledger), law_notes(outlined, ledger, None)
    if not articles:
        raise ImportRefused(path, "no text after the front matter", matter_lines(text))
    return LawRecord(
        id=metadata.id,
        title=metadata.title,
        rank=metadata.rank,
        jurisdiction=metadata.jurisdiction,
        boe_id=metadata.boe_id,
        eli=metadata.eli,
        number=metadata.number,
        short_title=short_title(metadata.title),
        department=metadata.text("department"),
        enacted=metadata.day("enactment_date"),
        published=metadata.day("publication_date"),
        valid_to=metadata.last_day(),
        status=metadata.status,
        history="current_only",
        source=SOURCE,
        source_url=CONSULTED_AT.format(metadata.boe_id),
        source_updated_at=metadata.updated_at(),
        source_sha256=hashlib.sha256(data).hexdigest(),
        subjects=metadata.subjects,
        notes=tuple(notes),
        articles=tuple(articles),
        warnings=(*warnings, *metadata.warnings, *outlined.warnings, *ledger.warnings),
        characters_in_source=ledger.source,
        characters_kept=ledger.kept,
    )


def updated_at(data: bytes) -> tuple[str, datetime | None]:
    """Give BOE id and day of update from the front matter, without parsing the file."""
    head = data[:5000]
    identifier = re.search(rb'^identifier: *"?([^"\s]+)', head, re.MULTILINE)
    updated = re.search(rb'^last_updated: *"?(\d{4}-\d{2}-\d{2})', head, re.MULTILINE)
    return (
        identifier[1].decode("ascii", "replace") if identifier else "",
        _begin_of(updated[1].decode()) if updated else None,
    )


def _begin_of(day: str) -> datetime | None:
    try:
        return datetime.fromisoformat(day).replace(tzinfo=UTC)
    except ValueError:
        return None


def matter_lines(text: str) -> int:
    """Give the number of the line that closes the front matter."""
    return text[: text.find(_FENCE, 3)].count("\n") + 2


def _parted(text: str, path: Path) -> tuple[dict[str, Any], str]:
    text = text.replace("\r\n", "\n")
    end = text.find(_FENCE, 3) if text.startswith("---\n") else -1
    if end < 0:
        raise ImportRefused(path, "no front matter between two lines of '---'", 1)
    try:
        matter = yaml.load(text[4:end], Loader=_LOADER)  # noqa: S506 (it makes nothing but text, in C where it can)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or "it cannot be read"
        raise ImportRefused(path, f"front matter is not YAML: {reason}", mark.line + 2 if mark else 1) from error
    if not isinstance(matter, dict):
        raise ImportRefused(path, "front matter is not a list of fields", 1)
    return matter, text[end + len(_FENCE) :]


# Every scalar stays the text that it is: no day is made of it, nor anything else.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NOTHING = {"", "~", "null", "Null", "NULL"}
_NO_CHARACTERS = re.compile("[\0\ud800-\udfff]")


class _Metadata:
    """The front matter of a law; what is missing but not needed is empty, and told as a warning where it is odd."""

    def __init__(self, matter: dict[str, Any], path: Path) -> None:
        self.matter = matter
        self.warnings: list[SourceWarning] = []
        self.boe_id, self.title = self.text("identifier"), self.text("title")
        for name, value in (("identifier", self.boe_id), ("title", self.title)):
            if not value:
                raise ImportRefused(path, f"front matter has no '{name}'", 1)
        if not ranks.BOE_ID.fullmatch(self.boe_id):
            raise ImportRefused(path, f"identifier {self.boe_id[:40]!r} is no id such as BOE-A-2003-23186", 1)
        source = self.text("url_eli") or self.text("source")
        self.eli = source if ranks.read_eli(source) else ""
        self.jurisdiction = self.text("jurisdiction") or ranks.jurisdiction(eli=self.eli, boe_id=self.boe_id)
        self.rank = self._rank()
        found = _NUMBER_IN_TITLE.match(self.title)
        self.number = self.text("official_number") or (found["number"] if found else "")
        self.id = ranks.law_id(
            rank=self.rank, number=self.number, jurisdiction=self.jurisdiction, boe_id=self.boe_id, eli=self.eli
        )
        self.status = self._status()

    def text(self, name: str) -> str:
        """Give a field as text, empty if there is none, with a warning if it is a list or holds fields itself."""
        value = self.matter.get(name, "")
        if not isinstance(value, str):
            self._warn("odd-field", f"{name} is no text")
            return ""
        return _clean(value)

    def day(self, name: str) -> date | None:
        """Give a day, with a warning if what stands there is none."""
        text = self.text(name)[:10]
        try:
            return date.fromisoformat(text) if text else None
        except ValueError:
            self._warn("impossible-date", f"{name} is {text!r}")
            return None

    def updated_at(self) -> datetime | None:
        """Give the day of the last change as the instant it began."""
        day = self.day("last_updated")
        return _begin_of(day.isoformat()) if day else None

    def last_day(self) -> date | None:
        """Give the last day of a law that has ended, where the source tells it."""
        first_without = self.day("repeal_date") if self.status != "in_force" else None
        return first_without - ONE_DAY if first_without else None

    @property
    def subjects(self) -> tuple[str, ...]:
        """Give the subjects, one by one."""
        value = self.matter.get("subjects", "")
        parts = value.split(";") if isinstance(value, str) else value
        return tuple(clean for part in parts if isinstance(part, str) and (clean := _clean(part)))

    def _rank(self) -> str:
        known = ranks.read_eli(self.eli)
        if known is not None and known.rank != ranks.UNKNOWN:
            return known.rank
        told = _RANKS.get(self.text("rank"), ranks.UNKNOWN)
        if self.jurisdiction != ranks.STATE:
            told = next((rank for pattern, rank in _TITLE_RANKS if pattern.match(self.title)), told)
        if told == ranks.UNKNOWN:
            self._warn("unknown-rank", f"rank {self.text('rank')!r}")
        return told

    def _status(self) -> Status:
        told = self.text("status")
        if told not in _STATUSES:
            self._warn("unknown-status", f"status {told!r}")
        return _STATUSES.get(told, "in_force")

    def _warn(self, kind: str, detail: str) -> None:
        warning = SourceWarning(kind, "front matter", detail)
        if warning not in self.warnings:
            self.warnings.append(warning)


def _clean(text: str) -> str:
    return "" if text in _NOTHING else " ".join(_NO_CHARACTERS.sub("", text).split())

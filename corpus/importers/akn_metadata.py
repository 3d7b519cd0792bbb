"""Reads what an Akoma Ntoso document says of the law: FRBR identification, dates, title, language, periods."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path

from lxml import etree

from corpus import ranks
from corpus.identifiers import slug
from corpus.importers.akn_text import attribute, line_text
from corpus.importers.boe_text import text_of
from corpus.importers.markup import ImportRefused, line_number
from corpus.languages import UNKNOWN, country_code, language_code
from corpus.records import SourceWarning, Status
from corpus.validity import FIRST_YEAR, LAST_YEAR, ONE_DAY
from corpus.works import Work, read_work

_STATE = re.compile(r"/\d{8}$")
_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?:T.*)?")
# The names that publishers give the days of a law, in lower case and without their prefix.
_ENACTED = ("datedocument", "dateissued", "document", "enactment", "promulgation", "workdate", "generation", "expdate")
_PUBLISHED = ("datepublished", "publicationdate", "publication")
_IN_FORCE = ("dateentryinforce", "dateentryintoforce", "entryintoforce", "inforce", "entry-into-force")
_NO_LONGER = ("datenolongerinforce", "dateendofvalidity", "repeal", "daterepealed")
_APPLIES = ("dateapplicability",)
_STATE_OF = ("dateconsolidated", "consolidation", "dateapplicability", "expdate")
_DRAFTS = {"bill", "amendmentList", "amendment"}
_TITLES = ("longTitle", "docTitle", "shortTitle")
_TITLE_ALIASES = ("title", "long title", "short title", "shorttitle")


def start_of(day: date) -> datetime:
    """Give the instant a day begins."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


class Metadata:
    """The metadata of a law; what is missing but not needed is empty, and told as a warning where it is odd."""

    def __init__(self, document: etree._Element, file: Path | str) -> None:
        self.document, self.file = document, file
        self.warnings: list[SourceWarning] = []
        found = document.find("meta/identification")
        if found is None:
            raise ImportRefused(file, "no <identification> in <meta>", line_number(document))
        self.identification = found
        self.language = self._language()
        self.jurisdiction = self._country()
        self.work = self._work()
        self.id = self.work.law_id(self.language)
        self.spanish = ranks.read_eli(self.eli) if self.language == "es" else None
        if self.spanish is not None:
            self._name_as_spanish(self.spanish)

    def _name_as_spanish(self, told: ranks.Eli) -> None:
        """Let a law of Spain go by the id that it has from every other source."""
        numbered = {"rank": told.rank, "number": told.number, "jurisdiction": told.jurisdiction}
        with suppress(ValueError):
            self.id = ranks.law_id(**numbered, boe_id="", eli=self.eli)
            self.jurisdiction = told.jurisdiction

    @cached_property
    def eli(self) -> str:
        """The European Legislation Identifier of the work, empty where the country has none."""
        address = next((one for one in self._addresses("FRBRWork") if "/eli/" in one), "")
        return _STATE.sub("", address)[:200]

    @cached_property
    def source_url(self) -> str:
        """The address of the text: of this language and day if the source has one for it."""
        addresses = [*self._addresses("FRBRExpression"), *self._addresses("FRBRWork")]
        return next((one for one in addresses if one.startswith(("http://", "https://"))), "")

    @cached_property
    def number(self) -> str:
        """The official number, as printed on the title page or as the work has it."""
        if self.spanish is not None and self.spanish.number:
            return self.spanish.number
        printed = line_text(self.document.find("preface//docNumber"))
        return (printed or self._value("FRBRWork", "FRBRnumber"))[:60]

    @cached_property
    def short_title(self) -> str:
        """What the law is called for short, in its own language."""
        name = self._name()
        told = name.get("shortForm", "") if name is not None else ""
        return told or self._told("titleShort") or (line_text(self.document.find("preface//shortTitle")))

    @cached_property
    def rank(self) -> str:
        """The type of act as the source names it, as a slug."""
        if self.spanish is not None and self.spanish.rank != ranks.UNKNOWN:
            return self.spanish.rank
        told = self._told("typeDocument").rsplit("/", 1)[-1]
        concept = self.document.find("meta//typeStatute")
        refers = concept.get("refersTo", "").lstrip("#") if concept is not None else ""
        subtype = self._value("FRBRWork", "FRBRsubtype")
        name = self.document.get("name") or ""
        general = name if name.lower() not in ("", "main", "act", "statute") else ""
        return slug(told or refers or subtype or general or str(self.document.tag))[:60]

    @cached_property
    def department(self) -> str:
        """Who made it, where the source gives a name and not only an address."""
        branch = self.document.find("meta//administrativeBranch")
        author = self.identification.find("FRBRWork/FRBRauthor")
        told = (
            branch.get("refersTo", "") if branch is not None else author.get("href", "") if author is not None else ""
        )
        for one in self.document.iterfind("meta/references/*"):
            if told.startswith("#") and (one.get("eId") or one.get("id")) == told[1:]:
                return " ".join((one.get("showAs") or "").split())
        return ""

    @cached_property
    def enacted(self) -> date | None:
        """The day of the document."""
        return self._day(_ENACTED)

    @cached_property
    def published(self) -> date | None:
        """The day it was published."""
        publication = self.document.find("meta/publication")
        told = publication.get("date", "") if publication is not None else ""
        return self._day(_PUBLISHED) or (self._read(told, "publication") if told else None)

    @cached_property
    def valid_from(self) -> date | None:
        """The first day the law has force: for a law as enacted, when it begins to apply."""
        if self.status == "not_yet_in_force":
            return None
        first = self._day(_IN_FORCE)
        applies = self._day(_APPLIES) if self._is_original else None
        return max(filter(None, (first, applies)), default=None)

    @cached_property
    def valid_to(self) -> date | None:
        """The last day it has, where the source tells one."""
        first_without = self._day(_NO_LONGER)
        if first_without and self.valid_from and first_without <= self.valid_from:
            self._warn("impossible-date", f"the end {first_without} is not after the first day {self.valid_from}")
            return None
        return first_without - ONE_DAY if first_without else None

    @cached_property
    def updated_at(self) -> datetime | None:
        """The day whose text this is, as the instant it begins."""
        day = self._day(_STATE_OF) or self.work_state or self.published or self.enacted
        return start_of(day) if day else None

    @cached_property
    def work_state(self) -> date | None:
        """The day that the address of the expression names."""
        works = (read_work(one, self.jurisdiction) for one in self._addresses("FRBRExpression"))
        return next((work.on for work in works if work and work.on), None)

    @cached_property
    def original_from(self) -> date | None:
        """The first day of every text, in a file that gives the law as it was enacted."""
        return self.valid_from if self._is_original else None

    @property
    def _is_original(self) -> bool:
        return self.document.get("contains") == "originalVersion"

    @cached_property
    def periods(self) -> dict[str, tuple[date | None, date | None]]:
        """The first and last day of each period of the temporal data, by its name."""
        events = {
            one.get("eId") or one.get("id"): self._read(one.get("date", ""), "eventRef")
            for one in self.document.iterfind("meta/lifecycle/eventRef")
        }
        found: dict[str, tuple[date | None, date | None]] = {}
        for group in self.document.iterfind("meta/temporalData/temporalGroup"):
            interval = group.find("timeInterval")
            if interval is None:
                continue
            start, end = (events.get(interval.get(name, "").lstrip("#")) for name in ("start", "end"))
            found[group.get("eId") or group.get("id") or ""] = start, end - ONE_DAY if end else None
        return found

    def period(self, reference: str) -> tuple[date | None, date | None]:
        """Give the first and last day of a period that an element refers to."""
        return self.periods.get(reference.lstrip("#"), (None, None))

    def _language(self) -> str:
        told = self.identification.find("FRBRExpression/FRBRlanguage")
        written = told.get("language", "") if told is not None else ""
        code = language_code(written)
        if not code:
            self._warn("unknown-language", f"FRBRlanguage is {written!r}: the text is searched word for word")
        return code or UNKNOWN

    def _country(self) -> str:
        written = self._value("FRBRWork", "FRBRcountry")
        read = (read_work(one) for one in self._addresses("FRBRWork"))
        code = country_code(written) or next((work.country for work in read if work), "")
        if not code:
            raise ImportRefused(self.file, f"FRBRcountry is {written!r}, no country that is known", self._line())
        return code

    def _work(self) -> Work:
        for address in sorted(self._addresses("FRBRWork"), key=lambda one: "/eli/" not in one):
            work = read_work(address, self.jurisdiction)
            if work is not None:
                return work
        raise ImportRefused(self.file, "no address of the work that names a law (FRBRuri, FRBRthis)", self._line())

    def _addresses(self, level: str) -> list[str]:
        """Give the addresses of the work or expression: those of the whole before those of its main part."""
        found = [self._value(level, "FRBRuri"), self._value(level, "FRBRthis")]
        aliases = [one.get("value", "") for one in self.identification.iterfind(f"{level}/FRBRalias")]
        told = self._told("uriThis") if level == "FRBRWork" else ""
        return [one for one in (told, *aliases, *found) if "/" in one]

    def _value(self, level: str, name: str) -> str:
        found = self.identification.find(f"{level}/{name}")
        return " ".join((found.get("value") or "").split()) if found is not None else ""

    def _told(self, name: str) -> str:
        """Give a property of the Luxembourg and Swiss ontology (JOLux) that stands as an element."""
        for one in self.identification.iter("jolux"):
            if attribute(one, "name") == name:
                return " ".join((one.text or "").replace("\\n", " ").split())
        return ""

    def _name(self) -> etree._Element | None:
        names = self.identification.findall("FRBRWork/FRBRname")
        language = "{http://www.w3.org/XML/1998/namespace}lang"
        return next((one for one in names if language_code(one.get(language, "")) == self.language), None)

    @cached_property
    def title(self) -> str:
        """The title in the language of the text."""
        name = self._name()
        aliases = [
            one.get("value", "")
            for one in self.identification.iterfind(".//FRBRalias")
            if (one.get("name") or "").lower() in _TITLE_ALIASES
        ]
        printed = (line_text(self.document.find(f"preface//{tag}")) for tag in _TITLES)
        told = (name.get("value", "") if name is not None else "", self._told("title"), *aliases)
        title = next((one for one in (*told, *printed) if one.strip()), "")
        if title:
            return " ".join(title.split())
        preface = self.document.find("preface")
        first = " ".join(text_of(preface).split()) if preface is not None else ""
        self._warn("untitled", f"the source gives the law no title; it goes by {self.id!r}")
        return f"{first.rstrip(' :.')} ({self.id})" if first else self.id

    @cached_property
    def status(self) -> Status:
        """Whether the law has force, as far as the source tells."""
        if self.document.tag in _DRAFTS:
            self._warn("draft", f"the document is a <{self.document.tag}>: no law in force")
            return "not_yet_in_force"
        flag = self.document.find("meta//isInForce")
        if flag is not None and flag.get("value") == "false":
            return "repealed"
        ends = [self._read(value, name) for name, value in self._dated() if name in _NO_LONGER]
        today = datetime.now(tz=UTC).date()
        return "repealed" if any(day and day <= today for day in ends) else "in_force"

    def _day(self, names: tuple[str, ...]) -> date | None:
        """Give the first day that goes by one of some names, in their order."""
        dated = [(name, value) for name, value in self._dated() if name in names]
        for name, value in sorted(dated, key=lambda one: names.index(one[0])):
            if day := self._read(value, name):
                return day
        return None

    def _dated(self) -> Iterator[tuple[str, str]]:
        """Give every day of the metadata with its name: FRBR dates, events, and the elements that publishers add."""
        for one in self.identification.iterfind(".//FRBRdate"):
            if one.getparent().tag != "FRBRManifestation":  # type: ignore[union-attr]
                yield (one.get("name") or "").rsplit(":", 1)[-1].lower().lstrip("#"), one.get("date", "")
        for one in self.document.iterfind("meta/lifecycle/eventRef"):
            if one.get("type") in ("repeal", "generation"):
                yield one.get("type", ""), one.get("date", "")
        for one in self.identification.iter("jolux"):
            yield attribute(one, "name").lower(), (one.text or "").strip()
        for one in self.document.iterfind("meta/proprietary/inForce/*"):
            yield str(one.tag).lower(), one.get("date", "")

    def _read(self, written: str, name: str) -> date | None:
        found = _DAY.fullmatch(written.strip())
        try:
            day = date(*map(int, found.groups())) if found else None
        except ValueError:
            day = None
        if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
            if written.strip():
                self._warn("impossible-date", f"{name} is {written!r}")
            return None
        return day

    def _line(self) -> int | None:
        return line_number(self.identification)

    def _warn(self, kind: str, detail: str) -> None:
        warning = SourceWarning(kind, "meta", detail)
        if warning not in self.warnings:
            self.warnings.append(warning)

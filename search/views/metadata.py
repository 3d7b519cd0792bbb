"""What machines read in the head of a page of law: schema.org's `Legislation` and properties of the ELI ontology."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from corpus.clock import today
from search.addresses import page_url
from search.captions import law_caption
from search.filters import IN_FORCE
from search.templatetags.law_text import official

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import date

    from corpus.models import Law
    from search.responses import Resolution

ELI = "http://data.europa.eu/eli/ontology#"
# The authority tables that the BOE's own ELI metadata names, by the parts of an ELI's path.
JURISDICTION = "http://www.elidata.es/mdr/authority/jurisdiction/1/{}"
TYPE_OF_DOCUMENT = "http://www.elidata.es/mdr/authority/resource-type/1/{}"
BOE_SCHEMA = "https://www.boe.es/eli/{jurisdiction}/{type}/{year}/{month}/{day}/{number}"
SCHEMA_ORG = "https://schema.org/"


class Fact(NamedTuple):
    """A property of the ELI ontology with its value: a text, or the address of another thing."""

    name: str
    value: str
    is_address: bool = False

    @property
    def curie(self) -> str:
        """Name the property with its prefix."""
        return self.name if ":" in self.name else f"eli:{self.name}"


@dataclass(frozen=True)
class Metadata:
    """What is said of `about`: ELI's facts, and the same as JSON-LD."""

    about: str
    facts: list[Fact]
    json_ld: dict[str, Any]


def of_law(law: Law, status: str, absolute: Callable[[str], str]) -> Metadata:
    """Describe a law, which stands so on the day shown."""
    about, page = _about(law, absolute), absolute(page_url(law.key))
    facts = [
        *_resource("LegalResource"),
        *_of_eli(law),
        Fact("id_local", law.boe_id or law.key),
        Fact("title", law.title),
        *_texts("title_short", law.short_title),
        *_texts("number", law.number),
        *_days("date_document", law.enacted),
        *_days("date_publication", law.published),
        *_days("first_date_entry_in_force", law.valid_from),
        *_days("date_no_longer_in_force", law.valid_to),
        _force(status),
        Fact("is_realized_by", page, is_address=True),
    ]
    described = _law_in_short(law, about) | {
        "url": page,
        "alternateName": law.short_title,
        "legislationType": law_caption(law).rsplit(" ", 1)[0] if law.number else "",
        "legislationDate": _iso(law.enacted),
        "datePublished": _iso(law.published),
        "temporalCoverage": _coverage(law.valid_from, law.valid_to),
        "legislationLegalForce": _legal_force(status),
        "keywords": list(law.subjects),
    }
    return Metadata(about, facts, _json_ld(law, described))


def of_provision(law: Law, shown: Resolution, absolute: Callable[[str], str]) -> Metadata:
    """Describe a provision, or a part of one, in the redaction that is shown."""
    about = absolute(shown.url or "")
    whole = _about(law, absolute)
    name = f"{shown.label}. {shown.heading}" if shown.heading else str(shown.label)
    status = shown.status if _runs_today(shown) else "ended"
    facts = [
        *_resource("LegalResourceSubdivision"),
        Fact("id_local", shown.citation or ""),
        Fact("title", name),
        *_days("version_date", shown.valid_from),
        *_days("date_no_longer_in_force", shown.valid_to),
        _force(status or ""),
        Fact("is_part_of", whole, is_address=True),
    ]
    described = {
        "@id": about,
        "url": about,
        "name": name,
        "legislationIdentifier": shown.citation,
        "legislationDateVersion": _iso(shown.valid_from),
        "temporalCoverage": _coverage(shown.valid_from, shown.valid_to),
        "legislationLegalForce": _legal_force(status or ""),
        "isPartOf": {"@type": "Legislation", **_law_in_short(law, whole), "url": absolute(page_url(law.key))},
    }
    return Metadata(about, facts, _json_ld(law, described))


def _about(law: Law, absolute: Callable[[str], str]) -> str:
    """Name a law by its ELI; by its page here where it has none, or only an invented one."""
    return law.eli if law.eli and not _is_invented(law) else absolute(page_url(law.key))


def _is_invented(law: Law) -> bool:
    return bool(law.boe_id) and not official(law.boe_id)


def _resource(kind: str) -> Iterator[Fact]:
    yield Fact("rdf:type", f"{ELI}{kind}", is_address=True)


def _of_eli(law: Law) -> Iterator[Fact]:
    """Give what an ELI of the BOE says by its path: `/eli/es/l/2003/12/17/58`."""
    parts = urlsplit(law.eli).path.strip("/").split("/")
    if parts[0] == "eli" and len(parts) > 2 and not _is_invented(law) and "boe.es" in law.eli:
        yield Fact("uri_schema", BOE_SCHEMA)
        yield Fact("jurisdiction", JURISDICTION.format(parts[1]), is_address=True)
        yield Fact("type_document", TYPE_OF_DOCUMENT.format(parts[2]), is_address=True)


def _texts(name: str, *values: str) -> Iterator[Fact]:
    yield from (Fact(name, value) for value in values if value)


def _days(name: str, day: date | None) -> Iterator[Fact]:
    yield from _texts(name, _iso(day))


def _force(status: str) -> Fact:
    return Fact("in_force", f"{ELI}InForce-{'inForce' if status == IN_FORCE else 'notInForce'}", is_address=True)


def _legal_force(status: str) -> str:
    return f"{SCHEMA_ORG}{'InForce' if status == IN_FORCE else 'NotInForce'}"


def _runs_today(shown: Resolution) -> bool:
    day = today()
    return (shown.valid_from is None or shown.valid_from <= day) and (shown.valid_to is None or day <= shown.valid_to)


def _coverage(first: date | None, last: date | None) -> str:
    """Write a stretch of days as ISO 8601 does, `..` where it is open.

    >>> from datetime import date
    >>> _coverage(date(2019, 2, 1), None), _coverage(None, None)
    ('2019-02-01/..', '')
    """
    return f"{_iso(first) or '..'}/{_iso(last) or '..'}" if first or last else ""


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""


def _law_in_short(law: Law, about: str) -> dict[str, Any]:
    return {
        "@id": about,
        "name": law.title,
        "legislationIdentifier": list(_kept((about if about == law.eli else "", law.boe_id or "", law.key))),
    }


def _json_ld(law: Law, described: dict[str, Any]) -> dict[str, Any]:
    """Put the frame around a description, without what is not known."""
    common = {
        "legislationJurisdiction": law.jurisdiction.upper(),
        "legislationLegalValue": f"{SCHEMA_ORG}UnofficialLegalValue",
        "inLanguage": law.language,
    }
    told = {name: value for name, value in (described | common).items() if value}
    return {"@context": "https://schema.org", "@type": "Legislation", **told}


def _kept(values: Iterable[str]) -> Iterator[str]:
    yield from (value for value in dict.fromkeys(values) if value)

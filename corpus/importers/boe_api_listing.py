"""Reads the API's listing of consolidated laws, page by page to its end, whatever a page is capped at."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from corpus.importers.boe_api import Client
from corpus.importers.markup import ImportRefused, line_number, parse
from corpus.ranks import BOE_ID
from corpus.records import SourceWarning
from corpus.validity import read_instant

# The listing is ordered from the last update back: a law that is updated meanwhile moves to pages already read.
_OVERLAP = timedelta(days=1)
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Listed:
    """A law of the listing, with the moment of its last update; None where the listing tells none."""

    boe_id: str
    updated_at: datetime | None


@dataclass
class Listing:
    """What the listing names, each law once, and what was odd in it."""

    laws: dict[str, Listed] = field(default_factory=dict)
    warnings: list[SourceWarning] = field(default_factory=list)

    def add(self, law: Listed) -> None:
        """Take a law in; of one listed twice, the later update counts."""
        known = self.laws.get(law.boe_id)
        if known is None or (law.updated_at or _NEVER) > (known.updated_at or _NEVER):
            self.laws[law.boe_id] = law


def read_listing(client: Client, since: date | None = None) -> Listing:
    """Read the whole listing, or that of the laws updated from a day on; raise `ImportRefused` if it has no end."""
    listing = Listing()
    started = datetime.now(UTC).date()
    if _read_pages(client, listing, since) > 1:
        _read_pages(client, listing, max(since or date.min, started - _OVERLAP))
    return listing


def _read_pages(client: Client, listing: Listing, since: date | None) -> int:
    """Read pages until one is empty, each from where the last one ended; give how many held a law."""
    offset, pages, before = 0, 0, None
    while True:
        query: dict[str, str | int] = {"from": f"{since:%Y%m%d}"} if since else {}
        url, page = _read_page(client, query | {"offset": offset, "limit": client.options.page_size}, listing)
        if not page:
            return pages
        if page == before:
            raise ImportRefused(url, f"the page at {offset} is the one before it again: the listing has no end")
        for law in page:
            if BOE_ID.fullmatch(law.boe_id):
                listing.add(law)
            else:
                listing.warnings.append(SourceWarning("no-boe-id", "", f"the listing names {law.boe_id!r}"))
        offset, pages, before = offset + len(page), pages + 1, page


def _read_page(client: Client, query: dict[str, str | int], listing: Listing) -> tuple[str, list[Listed]]:
    answer = client.page(query)
    markup = parse(answer.body, answer.url)
    listing.warnings += markup.warnings
    data = markup.root.find("data")
    if markup.root.tag != "response" or data is None:
        raise ImportRefused(answer.url, "not a listing of the BOE: it has no <data>", line_number(markup.root))
    strange = next((child for child in data if child.tag != "item"), None)
    if strange is not None:
        raise ImportRefused(answer.url, f"not a listing of the BOE: it has <{strange.tag}>", line_number(strange))
    return answer.url, [
        Listed((item.findtext("identificador") or "").strip(), read_instant(item.findtext("fecha_actualizacion") or ""))
        for item in data
    ]

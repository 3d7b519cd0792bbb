"""Brings laws of the BOE's open-data API into the corpus: chosen ones, all that it lists, or those that changed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import Max
from django.utils import timezone

from corpus.columns import Unstorable
from corpus.import_runs import Report, Reporter, Run, imported, in_a_line, opened, refused
from corpus.importers import boe
from corpus.importers.boe_api import Answer, AskedToWait, Client, Options, Unanswered
from corpus.importers.boe_api_listing import Listed, Listing, read_listing
from corpus.importers.markup import ImportRefused
from corpus.loading import IMPORTER_VERSION, held, store
from corpus.models import ImportRun, Law

# After so many laws in a row without an answer the API itself is taken to be down.
LOSING_STREAK = 5
# A listing that lost more laws than this, and more than one in a hundred, is taken to be cut.
MAY_BE_GONE = 3
_ONE_DAY = timedelta(days=1)

Warnings = list[dict[str, str]]


class NothingSynced(ValueError):
    """There is no earlier run to go on from, and no day was named."""


def options() -> Options:
    """Give what the settings say of the API."""
    return Options(**settings.BOE_API)


def import_ids(boe_ids: Sequence[str], *, force: bool = False, report: Reporter | None = None) -> Run:
    """Import laws by their BOE ids; raise `ValueError` if one is none."""
    with Client(options()) as client:
        for boe_id in boe_ids:
            client.law_url(boe_id)
        wanted = [Listed(boe_id, None) for boe_id in dict.fromkeys(boe_ids)]
        with opened(f"{client.options.url} {' '.join(boe_ids)}", force=force, report=report) as run:
            _Fetching(client, run).fetch(wanted)
    return run


def import_all(*, force: bool = False, report: Reporter | None = None) -> Run:
    """Import every law that the API lists and the corpus does not hold as it is listed."""
    with Client(options()) as client, opened(client.options.url, force=force, report=report) as run:
        run.record.scope, today = ImportRun.Scope.ALL, _today()
        listing = read_listing(client)
        _note_warnings(run, client.options.url, listing)
        is_settled = _Fetching(client, run).fetch(listing.laws.values())
        if cut := "" if force else _shortfall(len(listing.laws)):
            run.note(Report(client.options.url, "failed", detail=cut), len(run.reports) + 1)
            return run
        run.record.listed = len(listing.laws)
        run.record.covers_until = today if is_settled else None
        _note_gone(run, client, listing)
    return run


def sync(
    since: date | None = None, *, only_held: bool = False, force: bool = False, report: Reporter | None = None
) -> Run:
    """Import the laws that changed from a day on, by default from where the last sync or full import came to.

    Raise `NothingSynced` if there is none. A run from a later day than that leaves a gap, and the next begins at it.
    """
    scope, today = ImportRun.Scope.HELD if only_held else ImportRun.Scope.ALL, _today()
    covered = covered_until(scope)
    if since is None and covered is None:
        raise NothingSynced("no earlier sync or import of everything to go on from: name a day with --since")
    if since is not None and since > today:
        raise ValueError(f"nothing can have changed since {since}, which is still to come")
    first_day = since or (covered or date.max) - _ONE_DAY
    source = f"{options().url} from {first_day}"
    with Client(options()) as client, opened(source, force=force, report=report) as run:
        run.record.scope = scope
        listing = read_listing(client, first_day)
        _note_warnings(run, client.options.url, listing)
        is_settled = _Fetching(client, run).fetch(_held_only(listing) if only_held else listing.laws.values())
        leaves_gap = covered is not None and first_day > covered
        run.record.covers_until = today if is_settled and not leaves_gap else None
    return run


def covered_until(scope: str) -> date | None:
    """Give the day up to which runs have asked for every change of the laws of a scope, and were answered."""
    runs = ImportRun.objects.filter(scope__in=[ImportRun.Scope.ALL, scope])
    day: date | None = runs.aggregate(day=Max("covers_until"))["day"]
    return day


def _today() -> date:
    """Give the day as the API counts it: its instants are UTC."""
    return datetime.now(UTC).date()


def _held_only(listing: Listing) -> list[Listed]:
    known = set(Law.objects.filter(boe_id__in=list(listing.laws)).values_list("boe_id", flat=True))
    return [law for law in listing.laws.values() if law.boe_id in known]


def _shortfall(count: int) -> str:
    """Say that a listing is too short to be whole, against the last one; empty if it is not."""
    before = ImportRun.objects.filter(listed__isnull=False).order_by("-started_at").first()
    if before is None or before.listed is None or before.listed - count <= max(MAY_BE_GONE, before.listed // 100):
        return ""
    return f"the listing names {count}, that of {before.started_at:%Y-%m-%d} named {before.listed}: it may be cut"


def _note_warnings(run: Run, url: str, listing: Listing) -> None:
    if listing.warnings:
        warnings = [asdict(warning) for warning in listing.warnings]
        detail = "; ".join(warning.detail for warning in listing.warnings[:3])
        run.note(Report(url, "skipped", detail=detail), len(listing.laws) + 1, warnings)


def _note_gone(run: Run, client: Client, listing: Listing) -> None:
    """Name the laws that the API gave once and lists no more; they are kept."""
    once = Law.objects.filter(fetched_from__startswith=client.options.url).values_list("boe_id", "key", "fetched_from")
    for boe_id, key, url in once.order_by("key"):
        if boe_id not in listing.laws:
            detail = "the BOE no longer lists it; what the corpus holds is kept"
            run.note(Report(url, "skipped", key, detail), len(run.reports) + 1)


class _Fetching:
    """Fetches and stores laws one after another; each is whole in the corpus before the next is asked for."""

    def __init__(self, client: Client, run: Run) -> None:
        self.client, self.run = client, run
        self.is_settled = True

    def fetch(self, laws: Iterable[Listed]) -> bool:
        """Bring the laws that the corpus does not hold as listed; stop where the API is down or wants a pause.

        False if some of them is worth asking for again: it got no answer, or none that could be stored.
        """
        listed = list(laws)
        known = _known(listed)
        wanted = [law for law in listed if self.run.force or not _is_current(known.get(law.boe_id), law)]
        self.run.record.unchanged += len(listed) - len(wanted)
        unanswered = 0
        for number, law in enumerate(wanted, start=1):
            try:
                done, warnings = self._one(law, known.get(law.boe_id))
                unanswered = 0
            except Unanswered as error:
                done, warnings = refused(error, 0.0), []
                unanswered += 1
                self.is_settled = False
            except AskedToWait as error:
                return self._stop(self.client.law_url(law.boe_id), str(error), len(wanted))
            self.run.note(done, len(wanted), warnings)
            if unanswered == LOSING_STREAK and number < len(wanted):
                detail = (
                    f"{unanswered} laws in a row without an answer: {len(wanted) - number} are left for the next run"
                )
                return self._stop(self.client.options.url, detail, len(wanted))
        return self.is_settled

    def _stop(self, url: str, detail: str, total: int) -> bool:
        self.run.note(Report(url, "failed", detail=detail), total)
        return False

    def _one(self, listed: Listed, law: Law | None) -> tuple[Report, Warnings]:
        started, url = time.monotonic(), self.client.law_url(listed.boe_id)
        try:
            answer = self._ask(listed.boe_id, law)
            return self._stored(answer, listed, law, started)
        except Unanswered:
            raise
        except ImportRefused as error:
            return refused(error, time.monotonic() - started), []
        except (Unstorable, DatabaseError) as error:
            self.is_settled = self.is_settled and isinstance(error, Unstorable)
            return refused(ImportRefused(url, in_a_line(error)), time.monotonic() - started), []

    def _ask(self, boe_id: str, law: Law | None) -> Answer:
        """Ask for a law, only if it changed where the corpus holds it from this very address."""
        if law is None or self.run.force or not _is_read_from(law, self.client.law_url(boe_id)):
            return self.client.law(boe_id)
        return self.client.law(boe_id, etag=law.source_etag, last_modified=law.source_last_modified)

    def _stored(self, answer: Answer, listed: Listed, law: Law | None, started: float) -> tuple[Report, Warnings]:
        if law is not None and answer.is_unchanged:
            return Report(answer.url, "unchanged", law.key, seconds=time.monotonic() - started), []
        record = boe.read([(answer.url, answer.body)])
        _refuse_another(answer.url, record.boe_id, record.source_updated_at, listed)
        same = None if self.run.force else held(record.boe_id, record.source_sha256)
        if same is not None:
            _remember(same, answer)
            return Report(answer.url, "unchanged", same.key, seconds=time.monotonic() - started), []
        with transaction.atomic():
            stored = store(record, fetched_at=timezone.now(), force=self.run.force)
            if stored.outcome != "skipped":
                _remember(stored.law, answer)
        warnings = [asdict(warning) for warning in record.warnings]
        return imported(answer.url, record, stored, time.monotonic() - started), warnings


def _known(listed: Sequence[Listed]) -> dict[str | None, Law]:
    """Give what the corpus knows of the source of each law it holds."""
    source = "source", "source_updated_at", "importer_version", "fetched_from", "source_etag", "source_last_modified"
    laws = Law.objects.filter(boe_id__in=[law.boe_id for law in listed]).only("key", "boe_id", *source)
    return {law.boe_id: law for law in laws}


def _is_current(law: Law | None, listed: Listed) -> bool:
    """Whether the corpus holds a law as it is listed, or newer, from a source as rich, as this release reads it."""
    if law is None or listed.updated_at is None or law.source_updated_at is None:
        return False
    is_read_alike = law.source == boe.SOURCE and law.importer_version == IMPORTER_VERSION
    return is_read_alike and law.source_updated_at >= listed.updated_at


def _is_read_from(law: Law, url: str) -> bool:
    return law.fetched_from == url and law.source == boe.SOURCE and law.importer_version == IMPORTER_VERSION


def _refuse_another(url: str, boe_id: str, updated_at: datetime | None, listed: Listed) -> None:
    """Refuse a law that is not the one asked for, or, for this time, one older than the listing says it is."""
    if boe_id != listed.boe_id:
        raise ImportRefused(url, f"asked for {listed.boe_id}, the answer is {boe_id}")
    if listed.updated_at and updated_at and updated_at < listed.updated_at:
        reason = f"the listing tells an update of {listed.updated_at.isoformat()}, the text is of"
        raise Unanswered(url, f"{reason} {updated_at.isoformat()}")


def _remember(law: Law, answer: Answer) -> None:
    """Keep where the text held came from, and what makes the next request for it conditional."""
    Law.objects.filter(pk=law.pk).update(
        fetched_from=answer.url, source_etag=answer.etag, source_last_modified=answer.last_modified
    )

"""The sync_boe command: which laws it asks for, where it goes on, and what an older or newer source may change."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from django.core.management import CommandError
from django.test import override_settings

from corpus import boe_sync
from corpus.models import Article, CorpusChange, ImportEntry, ImportRun, Law
from tests import other_process
from tests.boe_server import LISTING, BoeServer, boe_server
from tests.killing import NAMED, is_alone
from tests.test_boe_api import FIFTH, FIRST, FOURTH, IDS, SECOND, THIRD, details, law, options_for, outcomes, run, texts

pytestmark = pytest.mark.django_db

TODAY = datetime.now(UTC).date()
YESTERDAY = f"{TODAY - timedelta(days=1):%Y%m%d}"
NEWER = f"{TODAY:%Y%m%d}T090000Z"
DATA_PROTECTION = "BOE-A-2018-16673"


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it be the same day from the first test to the last."""
    monkeypatch.setattr(boe_sync, "_today", lambda: TODAY)


@pytest.fixture
def api() -> Iterator[BoeServer]:
    """A server of five invented laws, updated on the first of January to May 2026, and the settings that lead to it."""
    with boe_server({boe_id: law(boe_id) for boe_id in IDS}) as server, override_settings(BOE_API=options_for(server)):
        yield server


def sync(*arguments: str) -> tuple[dict[str, str], int]:
    """Run the command; give what became of each law, and the exit code."""
    summary, code, _ = run(*arguments, command="sync_boe")
    return outcomes(summary) if summary else {}, code


def fetched(api: BoeServer) -> list[str]:
    """Give the laws that were asked for since the last time, and forget them."""
    asked = [path for path in api.asked_for() if not path.startswith(LISTING)]
    api.requests.clear()
    return asked


def asked_from(api: BoeServer) -> str:
    """Give the day that the listing was asked for from, and forget the requests."""
    listed = parse_qs(api.asked_for()[0].partition("?")[2])
    api.requests.clear()
    return listed["from"][0]


def amend(api: BoeServer, boe_id: str, text: str = "Otro.", at: str = NEWER) -> None:
    api.laws[boe_id] = law(boe_id, text, fecha_actualizacion=at)


class TestWhichLaws:
    def test_only_laws_updated_since_the_day_are_asked_for(self, api: BoeServer) -> None:
        assert sync("--since", "2026-04-01") == ({"ley-904-2019": "created", "ley-903-2019": "created"}, 0)
        assert api.asked_for()[0] == f"{LISTING}?from=20260401&offset=0&limit=10000"
        assert fetched(api) == [FIFTH, FOURTH]

    def test_changed_law_is_updated_and_logged(self, api: BoeServer) -> None:
        run("--boe-all")
        before = CorpusChange.objects.count()
        amend(api, SECOND)
        assert sync() == ({"ley-901-2019": "updated"}, 0)
        assert texts()[SECOND] == "Otro."
        assert ImportEntry.objects.latest("pk").changes == {"versions_changed": {"art-1": ["2019-02-01"]}}
        assert CorpusChange.objects.count() == before + 1

    def test_second_sync_asks_for_no_law(self, api: BoeServer) -> None:
        sync("--since", "2026-01-01")
        fetched(api)
        assert sync("--since", "2026-01-01") == ({}, 0)
        assert fetched(api) == []
        assert ImportRun.objects.latest("pk").unchanged == 5

    def test_held_leaves_new_laws(self, api: BoeServer) -> None:
        run("--boe", FIRST)
        amend(api, FIRST)
        assert sync("--since", "2026-01-01", "--held") == ({"ley-900-2019": "updated"}, 0)
        assert Law.objects.count() == 1

    def test_poorer_source_is_replaced_though_it_is_as_new(self, api: BoeServer) -> None:
        sync("--since", "2026-01-01")
        Law.objects.filter(boe_id=FIRST).update(source="legalize", history="current_only")
        fetched(api)
        sync("--since", "2026-01-01")
        assert fetched(api) == [FIRST]

    def test_release_that_reads_otherwise_asks_again(self, api: BoeServer) -> None:
        sync("--since", "2026-01-01")
        Law.objects.filter(boe_id=SECOND).update(importer_version=0)
        fetched(api)
        assert sync("--since", "2026-01-01") == ({"ley-901-2019": "unchanged"}, 0)
        assert "if-none-match" not in api.requests[-1][1]
        assert Law.objects.get(boe_id=SECOND).importer_version > 0

    def test_force_asks_for_all_that_is_listed(self, api: BoeServer) -> None:
        sync("--since", "2026-01-01")
        fetched(api)
        sync("--since", "2026-01-01", "--force")
        assert sorted(fetched(api)) == IDS


class TestWhereItGoesOn:
    def test_first_time_needs_a_day(self, api: BoeServer) -> None:
        with pytest.raises(CommandError, match="name a day with --since"):
            sync()
        assert api.requests == []

    @pytest.mark.parametrize("day", ["ayer", "2026-02-30", "01/02/2026", ""])
    def test_day_that_is_none_is_refused(self, api: BoeServer, day: str) -> None:
        with pytest.raises(CommandError, match="is no day such as 2026-06-30"):
            sync(f"--since={day}")

    def test_day_that_is_still_to_come_is_refused(self, api: BoeServer) -> None:
        with pytest.raises(CommandError, match="nothing can have changed since 2999-01-01, which is still to come"):
            sync("--since", "2999-01-01")

    @pytest.mark.parametrize("before", ["import", "sync"])
    def test_goes_on_the_day_before_the_last_run(self, api: BoeServer, before: str) -> None:
        if before == "import":
            run("--boe-all")
        else:
            sync("--since", "2026-01-01")
        api.requests.clear()
        sync()
        assert asked_from(api) == YESTERDAY

    def test_run_with_an_unanswered_law_is_no_place_to_go_on_from(self, api: BoeServer) -> None:
        sync("--since", "2026-01-01")
        ImportRun.objects.update(covers_until=date(2026, 3, 1))
        amend(api, SECOND)
        amend(api, THIRD)
        api.plan[SECOND] = ["broken", "broken"]
        assert sync() == ({SECOND: "failed", "ley-902-2019": "updated"}, 1)
        fetched(api)
        assert sync() == ({"ley-901-2019": "updated"}, 0)
        assert asked_from(api) == "20260228"
        sync()
        assert asked_from(api) == YESTERDAY

    @pytest.mark.parametrize("behaviour", ["missing", "entity_bomb", "the_law_beside"])
    def test_law_that_is_refused_for_good_holds_nothing_up(self, api: BoeServer, behaviour: str) -> None:
        api.always[SECOND] = behaviour
        assert sync("--since", "2026-01-01")[1] == 1
        api.requests.clear()
        assert sync() == ({}, 0)
        assert asked_from(api) == YESTERDAY

    @pytest.mark.parametrize("behaviour", ["stale", "busy_for_long", "hangs_up"])
    def test_law_that_may_come_another_day_is_asked_for_again(self, api: BoeServer, behaviour: str) -> None:
        api.always[SECOND] = behaviour
        assert sync("--since", "2026-01-01")[1] == 1
        with pytest.raises(CommandError, match="name a day with --since"):
            sync()

    def test_interrupted_run_goes_on(self, api: BoeServer) -> None:
        api.plan[THIRD] = ["interrupts"]
        assert sync("--since", "2026-01-01") == ({}, 130)
        assert (ImportRun.objects.get().state, sorted(texts())) == ("cancelled", [FOURTH, FIFTH])
        fetched(api)
        assert sync("--since", "2026-01-01")[1] == 0
        assert fetched(api) == [THIRD, SECOND, FIRST]

    def test_day_that_leaves_a_gap_does_not_hide_it(self, api: BoeServer) -> None:
        sync("--since", "2026-01-01")
        ImportRun.objects.update(covers_until=date(2026, 3, 1))
        assert sync("--since", "2026-05-01")[1] == 0
        assert ImportRun.objects.latest("pk").covers_until is None
        api.requests.clear()
        sync()
        assert asked_from(api) == "20260228"

    def test_sync_of_held_laws_is_no_place_for_all_to_go_on_from(self, api: BoeServer) -> None:
        run("--boe", FIRST)
        sync("--since", "2026-01-01", "--held")
        with pytest.raises(CommandError, match="name a day with --since"):
            sync()
        assert sync("--held") == ({}, 0)

    def test_api_that_wants_to_be_left_alone_is(self, api: BoeServer) -> None:
        api.plan[LISTING] = ["busy_for_long"]
        with pytest.raises(CommandError, match="asks to wait 86400 s"):
            sync("--since", "2026-01-01")
        assert (ImportRun.objects.get().state, len(api.requests)) == ("failed", 1)


class TestSnapshots:
    """The law on data protection as the BOE gave it in December 2025 and in May 2026, between which it changed."""

    @pytest.fixture
    def old(self, boe_xml: Path) -> bytes:
        return (boe_xml / "snapshots" / "2025-12" / DATA_PROTECTION / "full.xml").read_bytes()

    @pytest.fixture
    def new(self, boe_xml: Path) -> bytes:
        return (boe_xml / DATA_PROTECTION / "full.xml").read_bytes()

    @pytest.fixture
    def real(self) -> Iterator[BoeServer]:
        with boe_server({}) as server, override_settings(BOE_API=options_for(server, max_bytes=10_000_000)):
            yield server

    def state(self) -> list[tuple[object, ...]]:
        """Give every article and redaction that is held."""
        columns = "key", "label", "path", "versions__sha256", "versions__valid_from", "versions__valid_to"
        return list(Article.objects.order_by("position", "versions__position").values_list(*columns))

    def test_newer_snapshot_replaces_exactly_what_changed(self, real: BoeServer, old: bytes, new: bytes) -> None:
        real.laws = {DATA_PROTECTION: new}
        run("--boe", DATA_PROTECTION)
        expected = self.state()
        Law.objects.all().delete()
        real.laws = {DATA_PROTECTION: old}
        run("--boe", DATA_PROTECTION)
        kept = set(Article.objects.values_list("pk", flat=True))
        real.laws = {DATA_PROTECTION: new}
        assert sync("--since", "2026-01-01") == ({"lo-3-2018": "updated"}, 0)
        assert self.state() == expected
        assert kept <= set(Article.objects.values_list("pk", flat=True))
        changes = ImportEntry.objects.latest("pk").changes
        assert 0 < sum(map(len, changes.values())) < len(expected)

    def test_older_snapshot_replaces_nothing_unless_forced(self, real: BoeServer, old: bytes, new: bytes) -> None:
        real.laws = {DATA_PROTECTION: old}
        run("--boe", DATA_PROTECTION)
        expected = self.state()
        Law.objects.all().delete()
        real.laws = {DATA_PROTECTION: new}
        run("--boe", DATA_PROTECTION)
        newer = self.state()
        real.laws = {DATA_PROTECTION: old}
        summary, code, _ = run("--boe", DATA_PROTECTION)
        assert (outcomes(summary), code) == ({"lo-3-2018": "skipped"}, 0)
        assert details(summary) == "the source is of 2025-12-30, the corpus of 2026-05-26"
        assert self.state() == newer
        assert outcomes(run("--boe", DATA_PROTECTION, "--force")[0]) == {"lo-3-2018": "updated"}
        assert self.state() == expected

    def test_listing_that_is_behind_asks_for_nothing(self, real: BoeServer, old: bytes, new: bytes) -> None:
        real.laws = {DATA_PROTECTION: new}
        run("--boe", DATA_PROTECTION)
        real.laws = {DATA_PROTECTION: old}
        fetched(real)
        assert sync("--since", "2025-01-01") == ({}, 0)
        assert fetched(real) == []


def has_begun(held: int) -> bool:
    """Whether one run more than there are laws has begun, and so many laws are held."""
    return ImportRun.objects.count() > held and Law.objects.count() >= held


@pytest.mark.django_db(transaction=True)
def test_killed_sync_leaves_whole_laws_and_goes_on(api: BoeServer) -> None:
    command, there = ("sync_boe", "--since", "2026-01-01"), {"BOE_API_URL": api.url, "BOE_API_SECONDS_BETWEEN": "0.01"}
    api.always = dict.fromkeys(IDS, "when_let")
    for held in (0, 1, 2):
        for boe_id in IDS[len(IDS) - held :]:
            api.let[boe_id].set()
        with other_process.start(*command, **there, PGAPPNAME=NAMED) as process:
            try:
                other_process.wait_until(partial(has_begun, held))
            finally:
                process.kill()
        other_process.wait_until(is_alone)
        assert Article.objects.count() == Law.objects.count() == held
    api.always.clear()
    other_process.run(*command, **there)
    assert texts() == dict.fromkeys(IDS, "Disposición única: año, €")
    assert CorpusChange.objects.count() == 5
    assert list(ImportRun.objects.order_by("pk").values_list("state", flat=True)) == ["failed"] * 3 + ["done"]
    assert len(fetched(api)) <= 5 + 3

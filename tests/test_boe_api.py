"""The BOE's open-data API: laws by id, and all that it lists, from a real server that misbehaves."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from corpus.importers.boe_api import AskedToWait, Client, Options, Unanswered
from corpus.importers.boe_api_listing import read_listing
from corpus.importers.markup import ImportRefused
from corpus.models import Article, ImportEntry, ImportRun, Law
from corpus.validity import read_instant
from tests.boe_response import article, response, write
from tests.boe_server import LISTING, BoeServer, boe_server, laws_of, updated

IDS = [f"BOE-A-2019-{number}" for number in range(900, 905)]
FIRST, SECOND, THIRD, FOURTH, FIFTH = IDS
# Ways in which every answer about a law goes wrong, and what is said of it.
HOPELESS = {
    "missing": "HTTP 404: La información solicitada no existe; laws that only amend others have no consolidated text",
    "said_404": "HTTP 200, but the BOE answered 404: La información solicitada no existe",
    "said_503": "the BOE answered 503: Servicio no disponible, tried 2 times",
    "broken": "HTTP 500, tried 2 times",
    "overloaded": "HTTP 503, tried 2 times",
    "page": "an HTML page instead of XML, tried 2 times",
    "json": "do not end with </response>, tried 2 times",
    "empty": "its 0 bytes do not end with </response>, tried 2 times",
    "cut": "tried 2 times",
    "cut_unseen": "the answer is cut",
    "cut_gzip": "the answer is cut",
    "length_too_short": "the answer is cut",
    "length_too_long": "tried 2 times",
    "false_gzip": "tried 2 times",
    "hangs_up": "tried 2 times",
    "sleeps": "timed out, tried 2 times",
    "drips": "the answer took more than 2 s, tried 2 times",
    "gzip_bomb": "more than the 1000000 bytes that are read",
    "entity_bomb": "it declares entities (entity bomb)",
    "elsewhere": "it redirects to another host, http://localhost.invalid/api/id/BOE-A-2019-900",
    "other_port": "it redirects to another host, http://127.0.0.1:9/api",
    "in_circles": "it redirects more than 3 times",
    "the_law_beside": "asked for BOE-A-2019-901, the answer is BOE-A-2019-900",
}
# For how long those are waited for that take very long.
SLOW = {"sleeps": 0.5, "drips": 2.0}
# Ways in which an answer is odd and right, or wrong only once.
HARMLESS = ["gzipped", "wrong_charset", "windows_1252", "moved", "dated"]
PASSING = ["broken", "overloaded", "hangs_up", "cut", "cut_unseen", "cut_gzip", "page", "empty", "said_503", "sleeps"]


def law(boe_id: str, text: str = "Disposición única: año, €", **metadata: object) -> bytes:
    number = boe_id.rpartition("-")[2]
    told = {"numero_oficial": f"{number}/2019", "fecha_actualizacion": f"20260{int(number[-1]) + 1}01T090000Z"}
    return response(article("Artículo 1", text), identificador=boe_id, **told | metadata)


def options_for(server: BoeServer, **changed: Any) -> dict[str, Any]:
    quick = {"seconds_between": 0.0, "first_wait_seconds": 0.01, "tries": 2, "request_seconds": 20.0}
    return {"url": server.url, "max_bytes": 1_000_000, **quick, **changed}


def impatient(server: BoeServer, behaviour: str, **changed: Any) -> override_settings:
    """Give settings with little patience for a behaviour that tries it."""
    limits = {"request_seconds": SLOW[behaviour]} if behaviour in SLOW else {}
    return override_settings(BOE_API=options_for(server, **limits, **changed))


@pytest.fixture
def server() -> Iterator[BoeServer]:
    with boe_server({boe_id: law(boe_id) for boe_id in IDS}) as running:
        yield running


@pytest.fixture
def api(server: BoeServer) -> Iterator[BoeServer]:
    """The server, with the settings that lead to it."""
    with override_settings(BOE_API=options_for(server)):
        yield server


@pytest.fixture
def client(server: BoeServer) -> Iterator[Client]:
    with Client(Options(**options_for(server))) as opened:
        yield opened


def run(*arguments: str, command: str = "import_laws") -> tuple[dict[str, Any], int, str]:
    """Run a command; give its summary, its exit code, and what it told meanwhile."""
    out, err, code = StringIO(), StringIO(), 0
    try:
        call_command(command, *arguments, "--json", stdout=out, stderr=err)
    except SystemExit as stopped:
        code = int(stopped.code or 0)
    return json.loads(out.getvalue() or "{}"), code, err.getvalue()


def outcomes(summary: dict[str, Any]) -> dict[str, str]:
    return {entry["law"] or entry["path"].rpartition("/")[2]: entry["outcome"] for entry in summary["laws"]}


def details(summary: dict[str, Any]) -> str:
    return "\n".join(entry["detail"] for entry in summary["laws"])


def texts() -> dict[str, str]:
    return {str(boe_id): text for boe_id, text in Article.objects.values_list("law__boe_id", "versions__text")}


class TestClient:
    def test_asks_for_xml_and_says_who_it_is(self, client: Client, server: BoeServer) -> None:
        assert client.law(FIRST).body == server.laws[FIRST]
        path, headers = server.requests[0]
        assert path == f"/api/id/{FIRST}"
        assert (headers["accept"], headers["accept-encoding"]) == ("application/xml", "gzip")
        assert headers["user-agent"] == "fundamento"

    @pytest.mark.parametrize("boe_id", ["", "27", "BOE-A-2019", "../etc/passwd", "BOE-A-2019-900/x", "BOE-A-2019-1\n"])
    def test_what_is_no_boe_id_is_not_asked_for(self, client: Client, server: BoeServer, boe_id: str) -> None:
        with pytest.raises(ValueError, match="is no BOE id such as"):
            client.law(boe_id)
        assert server.requests == []

    def test_address_that_is_none_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"the address of the BOE's API is no URL: 'boe\.es'"):
            Client(Options(url="boe.es"))

    def test_one_connection_serves_all_requests_with_a_pause_between(self, server: BoeServer) -> None:
        started = time.monotonic()
        with Client(Options(**options_for(server, seconds_between=0.2))) as client:
            for boe_id in IDS[:4]:
                client.law(boe_id)
        assert server.most_at_once == 1
        assert len(server.arrivals) == 4
        assert all(at - started >= 0.2 * number for number, at in enumerate(server.arrivals))

    @pytest.mark.parametrize("behaviour", ["busy", "busy_until"])
    def test_waits_as_long_as_it_is_asked_to(self, client: Client, server: BoeServer, behaviour: str) -> None:
        server.plan[FIRST] = [behaviour]
        assert client.law(FIRST).body == server.laws[FIRST]
        asked, again = server.arrivals
        assert again - asked >= 0.95

    def test_wait_that_is_too_long_ends_the_run(self, client: Client, server: BoeServer) -> None:
        server.plan[FIRST] = ["busy_for_long"]
        with pytest.raises(AskedToWait, match=r"asks to wait 86400 s \(HTTP 429\); run again after that"):
            client.law(FIRST)
        assert len(server.requests) == 1

    def test_pauses_between_tries_grow(self, server: BoeServer) -> None:
        server.always[FIRST] = "broken"
        with (
            Client(Options(**options_for(server, tries=4, first_wait_seconds=0.1))) as client,
            pytest.raises(Unanswered, match="HTTP 500, tried 4 times"),
        ):
            client.law(FIRST)
        first, second, third, fourth = server.arrivals
        assert second - first >= 0.05
        assert third - second >= 0.1
        assert fourth - third >= 0.2

    def test_server_that_is_not_there_is_named(self, server: BoeServer) -> None:
        options = options_for(server, url="http://127.0.0.1:9/api")
        with Client(Options(**options)) as client, pytest.raises(Unanswered, match=f"127.0.0.1:9/api/id/{FIRST}: "):
            client.law(FIRST)

    def test_unchanged_law_is_not_sent_again(self, client: Client, server: BoeServer) -> None:
        first = client.law(FIRST)
        again = client.law(FIRST, etag=first.etag, last_modified=first.last_modified)
        assert (again.is_unchanged, again.body) == (True, b"")
        assert server.requests[1][1]["if-none-match"] == first.etag
        assert server.requests[1][1]["if-modified-since"] == "Thu, 01 Jan 2026 00:00:00 GMT"


class TestListing:
    def listed(self, client: Client, since: date | None = None) -> list[str]:
        return list(read_listing(client, since).laws)

    def test_names_each_law_with_its_last_update(self, client: Client) -> None:
        laws = read_listing(client).laws
        assert list(laws) == [FIFTH, FOURTH, THIRD, SECOND, FIRST]
        assert laws[FIFTH].updated_at == datetime(2026, 5, 1, 9, tzinfo=UTC)

    @pytest.mark.parametrize("cap", [1, 2, 3, 4, 5])
    def test_capped_pages_are_followed_to_the_end(self, client: Client, server: BoeServer, cap: int) -> None:
        server.cap = cap
        assert sorted(self.listed(client)) == IDS

    def test_day_is_asked_for_as_the_api_wants_it(self, client: Client, server: BoeServer) -> None:
        assert self.listed(client, date(2026, 4, 1)) == [FIFTH, FOURTH]
        assert server.requests[0][0] == "/api?from=20260401&offset=0&limit=10000"

    def test_empty_listing_is_empty(self, client: Client) -> None:
        assert self.listed(client, date(2026, 12, 1)) == []

    def test_law_listed_twice_counts_once_with_its_later_update(self, client: Client, server: BoeServer) -> None:
        server.plan[LISTING] = ["twice"]
        laws = read_listing(client).laws
        assert sorted(laws) == IDS
        assert laws[FIFTH].updated_at == datetime(2026, 5, 1, 9, tzinfo=UTC)

    def test_law_that_moves_to_the_front_meanwhile_is_not_missed(self, client: Client, server: BoeServer) -> None:
        server.cap = 2
        server.plan[LISTING] = ["update_meanwhile"]
        laws = read_listing(client).laws
        assert sorted(laws) == IDS
        assert laws[FIRST].updated_at == read_instant(updated(server.laws[FIRST]))
        assert list(laws) == [FIFTH, FOURTH, THIRD, SECOND, FIRST]

    def test_listing_that_repeats_its_pages_is_refused(self, client: Client, server: BoeServer) -> None:
        server.always[LISTING] = "first_page_again"
        with pytest.raises(ImportRefused, match="the page at 5 is the one before it again: the listing has no end"):
            read_listing(client)

    def test_what_is_no_boe_id_is_told_and_left(self, client: Client, server: BoeServer) -> None:
        server.plan[LISTING] = ["odd_ids"]
        listing = read_listing(client)
        assert sorted(listing.laws) == IDS
        assert [warning.detail for warning in listing.warnings] == ["the listing names '../../etc/passwd'"]

    def test_law_instead_of_a_listing_is_refused(self, client: Client, server: BoeServer) -> None:
        server.always[LISTING] = "the_law_beside"
        with pytest.raises(ImportRefused, match="not a listing of the BOE: it has <metadatos>"):
            read_listing(client)

    @pytest.mark.parametrize("behaviour", ["page", "cut_unseen", "broken", "entity_bomb", "elsewhere", "said_404"])
    def test_page_that_is_none_refuses_the_whole(self, client: Client, server: BoeServer, behaviour: str) -> None:
        server.cap = 2
        server.plan[LISTING] = ["well", behaviour, behaviour]
        with pytest.raises(ImportRefused, match="offset=2"):
            read_listing(client)


@pytest.mark.django_db
class TestChosenLaws:
    def test_are_imported_with_where_and_when_they_came_from(self, api: BoeServer) -> None:
        summary, code, told = run("--boe", FIRST, SECOND)
        assert (summary["counts"], code) == ({"created": 2}, 0)
        assert told.startswith("[1/2] ley-900-2019 created")
        kept = Law.objects.get(boe_id=FIRST)
        assert kept.fetched_from == api.law_url(FIRST)
        assert kept.source_url == f"https://www.boe.es/buscar/act.php?id={FIRST}"
        assert kept.source_sha256 == hashlib.sha256(api.laws[FIRST]).hexdigest()
        assert kept.source_updated_at == datetime(2026, 1, 1, 9, tzinfo=UTC)
        assert abs((datetime.now(UTC) - kept.fetched_at).total_seconds()) < 60
        assert texts() == {FIRST: "Disposición única: año, €", SECOND: "Disposición única: año, €"}

    def test_are_asked_for_conditionally_the_second_time(self, api: BoeServer) -> None:
        run("--boe", FIRST)
        summary, code, _ = run("--boe", FIRST)
        assert (summary["counts"], code) == ({"unchanged": 1}, 0)
        assert "if-none-match" in api.requests[1][1]

    def test_change_behind_a_condition_is_seen(self, api: BoeServer) -> None:
        run("--boe", FIRST)
        api.laws[FIRST] = law(FIRST, "Otro.", fecha_actualizacion="20260501T000000Z")
        summary, _, _ = run("--boe", FIRST)
        assert outcomes(summary) == {"ley-900-2019": "updated"}
        assert summary["laws"][0]["changes"]["versions_changed"] == {"art-1": ["2019-02-01"]}
        assert texts() == {FIRST: "Otro."}

    def test_file_that_replaced_the_text_ends_the_condition(self, api: BoeServer, tmp_path: Path) -> None:
        run("--boe", FIRST)
        changed = write(tmp_path, article("Artículo 1", "Del fichero."), fecha_actualizacion="20260301T000000Z")
        run(str(changed))
        api.laws[FIRST] = law(FIRST, "De la API.", fecha_actualizacion="20260401T000000Z")
        api.always[FIRST] = "dated"
        run("--boe", FIRST)
        assert "if-modified-since" not in api.requests[-1][1]
        assert texts() == {FIRST: "De la API."}

    def test_same_bytes_as_a_file_are_unchanged_and_their_address_is_kept(self, api: BoeServer, tmp_path: Path) -> None:
        (tmp_path / "law.xml").write_bytes(api.laws[FIRST])
        run(str(tmp_path))
        summary, _, _ = run("--boe", FIRST)
        assert summary["counts"] == {"unchanged": 1}
        assert Law.objects.get().fetched_from == api.law_url(FIRST)

    @pytest.mark.parametrize(("behaviour", "reason"), HOPELESS.items())
    def test_one_that_fails_is_named_and_the_others_go_on(self, api: BoeServer, behaviour: str, reason: str) -> None:
        api.always[SECOND] = behaviour
        with impatient(api, behaviour):
            summary, code, _ = run("--boe", FIRST, SECOND, THIRD)
        assert outcomes(summary) == {"ley-900-2019": "created", SECOND: "failed", "ley-902-2019": "created"}
        assert (code, summary["state"]) == (1, "failed")
        assert reason in details(summary)
        assert api.law_url(SECOND) in details(summary)
        assert not Law.objects.filter(boe_id=SECOND).exists()
        assert ImportEntry.objects.get(outcome="failed").path == api.law_url(SECOND)

    @pytest.mark.parametrize("behaviour", ["cut_unseen", "page", "the_law_beside", "missing", "entity_bomb"])
    def test_law_that_is_held_is_left_as_it_was(self, api: BoeServer, behaviour: str) -> None:
        run("--boe", FIRST, SECOND)
        before = Law.objects.filter(boe_id=SECOND).values().get()
        api.laws[SECOND] = law(SECOND, "Otro.", fecha_actualizacion="20260501T000000Z")
        api.always[SECOND] = behaviour
        _, code, _ = run("--boe", SECOND)
        assert code == 1
        assert texts()[SECOND] == "Disposición única: año, €"
        assert Law.objects.filter(boe_id=SECOND).values().get() == before

    @pytest.mark.parametrize("behaviour", HARMLESS)
    def test_odd_answer_is_read_all_the_same(self, api: BoeServer, behaviour: str) -> None:
        api.always[FIRST] = behaviour
        summary, code, _ = run("--boe", FIRST)
        assert (summary["counts"], code) == ({"created": 1}, 0)
        assert texts() == {FIRST: "Disposición única: año, €"}

    @pytest.mark.parametrize("behaviour", PASSING)
    def test_answer_that_is_wrong_once_is_asked_for_again(self, api: BoeServer, behaviour: str) -> None:
        api.plan[FIRST] = [behaviour]
        with impatient(api, behaviour, tries=5):
            summary, code, _ = run("--boe", FIRST)
        assert (summary["counts"], code) == ({"created": 1}, 0)
        assert texts() == {FIRST: "Disposición única: año, €"}

    def test_dated_condition_is_enough(self, api: BoeServer) -> None:
        api.always[FIRST] = "dated"
        run("--boe", FIRST)
        assert run("--boe", FIRST)[0]["counts"] == {"unchanged": 1}
        assert "if-modified-since" in api.requests[1][1]

    def test_law_named_twice_is_fetched_once(self, api: BoeServer) -> None:
        assert run("--boe", FIRST, FIRST)[0]["counts"] == {"created": 1}
        assert api.asked_for() == [FIRST]

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            ([], "either paths, or --boe with BOE ids, or --boe-all"),
            (["--boe", FIRST, "--boe-all"], "either paths, or --boe with BOE ids, or --boe-all"),
            (["--boe", FIRST, "ley-58-2003"], "'ley-58-2003' is no BOE id such as BOE-A-2003-23186"),
        ],
    )
    def test_unclear_order_is_refused(self, api: BoeServer, arguments: Sequence[str], reason: str) -> None:
        with pytest.raises(CommandError, match=reason):
            run(*arguments)
        assert api.requests == []

    def test_address_in_the_settings_that_is_none_is_named(self, server: BoeServer) -> None:
        with (
            override_settings(BOE_API=options_for(server, url="www.boe.es")),
            pytest.raises(CommandError, match=r"no URL: 'www\.boe\.es'"),
        ):
            run("--boe", FIRST)

    def test_api_that_is_down_is_left_alone(self, api: BoeServer) -> None:
        for boe_id in IDS:
            api.always[boe_id] = "overloaded"
        summary, code, _ = run("--boe", *IDS, "BOE-A-2019-905", "BOE-A-2019-906")
        assert code == 1
        assert "5 laws in a row without an answer: 2 are left for the next run" in details(summary)
        assert len(api.requests) == 10

    def test_api_that_wants_to_be_left_alone_is(self, api: BoeServer) -> None:
        api.plan[SECOND] = ["busy_for_long"]
        summary, code, _ = run("--boe", *IDS)
        assert outcomes(summary) == {"ley-900-2019": "created", SECOND: "failed"}
        assert (code, len(api.requests)) == (1, 2)
        assert "asks to wait 86400 s" in details(summary)

    def test_real_laws_come_out_as_from_their_files(self, boe_xml: Path) -> None:
        wanted = ["BOE-A-2013-12887", "BOE-A-2006-13371"]
        with boe_server(laws_of(boe_xml)) as real, override_settings(BOE_API=options_for(real, max_bytes=10_000_000)):
            assert outcomes(run("--boe", *wanted)[0]) == {"ley-19-2013": "created", "rd-887-2006": "created"}
        assert run(*(str(boe_xml / boe_id / "full.xml") for boe_id in wanted))[0]["counts"] == {"unchanged": 2}


@pytest.mark.django_db
class TestAllLaws:
    def test_are_imported_and_the_second_time_none_is_asked_for(self, api: BoeServer) -> None:
        summary, code, _ = run("--boe-all")
        assert (summary["counts"], summary["listed"], code) == ({"created": 5}, 5, 0)
        before = len(api.requests)
        summary, code, _ = run("--boe-all")
        assert (summary["counts"], summary["listed"], code) == ({"unchanged": 5}, 5, 0)
        assert all(path.startswith(LISTING) for path in api.asked_for()[before:])

    def test_only_what_differs_from_the_listing_is_asked_for(self, api: BoeServer) -> None:
        run("--boe-all")
        api.laws[THIRD] = law(THIRD, "Otro.", fecha_actualizacion="20260601T000000Z")
        api.requests.clear()
        assert run("--boe-all")[0]["counts"] == {"unchanged": 4, "updated": 1}
        assert [path for path in api.asked_for() if not path.startswith(LISTING)] == [THIRD]

    def test_capped_pages_leave_none_out(self, api: BoeServer) -> None:
        api.cap = 2
        assert run("--boe-all")[0]["counts"] == {"created": 5}

    def test_run_goes_on_where_it_was_interrupted(self, api: BoeServer) -> None:
        api.plan[THIRD] = ["interrupts"]
        _, code, told = run("--boe-all")
        assert (code, told.splitlines()[-1]) == (130, "interrupted: run it again to go on")
        assert ImportRun.objects.get().state == "cancelled"
        assert sorted(texts()) == [FOURTH, FIFTH]
        api.requests.clear()
        assert run("--boe-all")[0]["counts"] == {"created": 3, "unchanged": 2}
        assert [path for path in api.asked_for() if not path.startswith(LISTING)] == [THIRD, SECOND, FIRST]

    def test_law_that_disappears_after_the_listing_is_named(self, api: BoeServer) -> None:
        api.always[SECOND] = "missing"
        summary, code, _ = run("--boe-all")
        assert (summary["counts"], code) == ({"created": 4, "failed": 1}, 1)
        assert "HTTP 404" in details(summary)

    def test_text_older_than_its_listing_is_refused(self, api: BoeServer) -> None:
        api.always[SECOND] = "stale"
        summary, code, _ = run("--boe-all")
        assert (summary["counts"], code) == ({"created": 4, "failed": 1}, 1)
        assert "the listing tells an update of 2026-02-01T09:00:00+00:00, the text is of 2001-" in details(summary)

    def test_listing_much_shorter_than_the_last_fails_the_run(self, api: BoeServer) -> None:
        run("--boe-all")
        api.laws = {FIRST: api.laws[FIRST]}
        summary, code, _ = run("--boe-all")
        assert (code, summary["listed"]) == (1, None)
        assert "the listing names 1, that of" in details(summary)
        assert "named 5: it may be cut" in details(summary)
        summary, code, _ = run("--boe-all", "--force")
        assert (code, summary["listed"]) == (0, 1)

    def test_law_no_longer_listed_is_named_and_kept(self, api: BoeServer) -> None:
        run("--boe-all")
        del api.laws[SECOND]
        summary, code, _ = run("--boe-all")
        assert code == 0
        assert outcomes(summary) == {"ley-901-2019": "skipped"}
        assert details(summary) == "the BOE no longer lists it; what the corpus holds is kept"
        assert Law.objects.filter(boe_id=SECOND).exists()

    def test_odd_entry_of_the_listing_is_told(self, api: BoeServer) -> None:
        api.plan[LISTING] = ["odd_ids"]
        summary, code, _ = run("--boe-all")
        assert (summary["counts"], code) == ({"created": 5, "skipped": 1}, 0)
        assert "the listing names '../../etc/passwd'" in details(summary)

    def test_listing_that_cannot_be_read_fails_by_name(self, api: BoeServer) -> None:
        api.always[LISTING] = "page"
        with pytest.raises(CommandError, match="an HTML page instead of XML, tried 2 times"):
            run("--boe-all")
        assert ImportRun.objects.get().state == "failed"

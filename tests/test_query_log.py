"""The query log: what it keeps and for how long, and what the admin makes of it."""

from __future__ import annotations

import csv
import io
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from search import query_log
from search.context import ground
from search.models import QueryLog
from search.query_log import flush, note, prune
from search.query_statistics import csv_lines, statistics
from search.requests import RetrievalRequest
from search.retrieval import retrieve
from tests.conftest import chromium
from tests.law_builder import add_law
from tests.other_process import wait_until


@pytest.fixture
def written_by_hand(monkeypatch):
    """Leave what waits to the test, since a thread of its own would not see the test's transaction."""
    monkeypatch.setattr(query_log, "_start_writer", lambda: None)
    while not query_log._waiting.empty():
        query_log._waiting.get_nowait()


@pytest.fixture
def dogs(indexes, db, settings, written_by_hand):
    settings.QUERY_LOG = True
    law = add_law("ley-900-2019", {"art-1": "Los perros irán atados.", "art-2": "Los perros pagan multa."})
    call_command("embed_chunks", stdout=io.StringIO(), stderr=io.StringIO())
    return law


def asked(**values):
    """Add a row to the log."""
    row = {
        "at": timezone.now(), "channel": "page", "query": "perros", "asked_mode": "auto", "mode": "hybrid",
        "corpus_revision": 1, "milliseconds": 10.0, "total": 2, "confidence": 0.9,
        "hits": ["ley-900-2019:art-1", "ley-900-2019:art-2"],
    }  # fmt: skip
    return QueryLog.objects.create(**row | values)


def test_answer_is_kept_with_all_that_explains_it_and_nobody_s_name(dogs):
    request = RetrievalRequest("perros", limit=1, offset=1, laws=("ley-900-2019",), valid_from=date(2019, 1, 1))
    answer = retrieve(request)

    made = note(request, answer, "api")
    flush()

    row: dict[str, Any] = dict(QueryLog.objects.values().get())
    assert (row.pop("id"), timezone.now() - row.pop("at") < timedelta(minutes=5)) == (made, True)
    assert row == {
        "channel": "api",
        "query": "perros",
        "asked_mode": "auto",
        "mode": "hybrid",
        "missing": "",
        "filters": {"laws": ["ley-900-2019"], "valid_from": "2019-01-01"},
        "corpus_revision": answer.corpus_revision,
        "milliseconds": answer.took_ms,
        "total": 2,
        "confidence": answer.confidence,
        "first_rank": 2,
        "hits": [answer.hits[0].citation],
        "chosen_rank": None,
    }


def test_page_api_and_mcp_keep_what_they_were_asked(dogs, client):
    client.get("/", {"q": "perros"})
    client.get("/api/v1/search", {"q": "multa"})
    client.get("/api/v1/context", {"q": "correa"})
    ground(RetrievalRequest("bozal"), channel="mcp")
    flush()

    asked_and_kept = set(QueryLog.objects.values_list("channel", "query"))
    assert asked_and_kept == {("page", "perros"), ("api", "multa"), ("api", "correa"), ("mcp", "bozal")}


def test_off_nothing_is_kept_and_links_say_nothing(dogs, client, settings):
    settings.QUERY_LOG = False

    page = client.get("/", {"q": "perros"}).content.decode()
    client.post(reverse("chosen", args=[uuid4(), 1]))

    assert "ping=" not in page
    assert flush() == 0


def test_what_is_still_being_typed_is_not_kept(dogs, client):
    client.get("/", {"q": "perr", "stage": "first"}, headers={"HX-Request": "true"})

    assert flush() == 0


def test_opened_hit_is_known_by_the_ping_of_its_link(dogs, client):
    page = client.get("/", {"q": "perros"}).content.decode()
    address = page.split('ping="')[2].split('"')[0]

    answer = client.post(address, b"PING", content_type="text/ping", headers={"Ping-To": "http://testserver/x"})
    flush()

    row = QueryLog.objects.get()
    assert (answer.status_code, answer.content) == (204, b"")
    assert (row.chosen_rank, row.chosen) == (2, row.hits[1])


def test_first_opened_counts_and_none_beyond_the_page(dogs):
    row = asked()
    for rank in (0, 3, 2, 1):
        query_log.choose(row.pk, rank)
    query_log.choose(uuid4(), 1)
    flush()

    row.refresh_from_db()
    assert row.chosen == "ley-900-2019:art-2"


def test_ping_is_no_page(client, dogs):
    assert client.get(reverse("chosen", args=[uuid4(), 1])).status_code == 405
    assert client.post("/chosen/no-such-id/1").status_code in (404, 405)


def test_full_log_has_a_gap_and_the_answer_none(dogs, monkeypatch):
    monkeypatch.setattr(query_log._waiting, "maxsize", 1)
    request = RetrievalRequest("perros")
    answer = retrieve(request)

    assert note(request, answer, "page") is not None
    assert note(request, answer, "page") is None


def test_old_questions_are_deleted(db, settings):
    settings.QUERY_LOG_DAYS = 30
    asked(query="old", at=timezone.now() - timedelta(days=31))
    asked(query="new", at=timezone.now() - timedelta(days=29))

    assert prune() == 1
    assert QueryLog.objects.get().query == "new"


@pytest.mark.django_db(transaction=True)
def test_thread_of_its_own_writes(settings, monkeypatch):
    settings.QUERY_LOG = True
    monkeypatch.setattr(query_log, "WRITE_EVERY_SECONDS", 0.05)
    row = asked()

    query_log.choose(row.pk, 1)

    wait_until(lambda: QueryLog.objects.get(pk=row.pk).chosen_rank == 1)


def test_statistics_tell_what_to_look_into(db, django_assert_num_queries):
    asked(milliseconds=10, chosen_rank=1)
    asked(milliseconds=30)
    asked(query="Xyzzy", total=0, confidence=None, mode="lexical", missing="semantic", milliseconds=5)
    asked(query="xyzzy", total=0, confidence=None, mode="lexical", milliseconds=5)
    asked(query="lo de aquello", confidence=0.2, milliseconds=20)
    asked(query="antes", at=timezone.now() - timedelta(days=8))

    with django_assert_num_queries(5):
        found = statistics(7)

    assert (found.asked, found.without_hits, found.unsure, found.degraded, found.chosen) == (5, 2, 1, 1, 1)
    assert [(one.mode, one.answers) for one in found.latencies] == [("hybrid", 3), ("lexical", 2)]
    assert found.latencies[0][2:] == pytest.approx((20, 29, 29.8))
    assert found.by_day == [(timezone.localdate(), [3, 2])]
    assert [(one.query, one.times) for one in found.finding_nothing] == [("xyzzy", 2)]
    assert [(one.query, one.times) for one in found.finding_little] == [("lo de aquello", 1)]


def test_statistics_of_nothing_are_empty(db):
    found = statistics(7)

    assert (found.asked, found.latencies, found.by_day, found.finding_nothing) == (0, [], [], [])


def test_export_is_a_table_that_no_spreadsheet_runs(db):
    asked(query='=HYPERLINK("http://x")', hits=["ce:art-1", "ce:art-2"])

    names, row = csv.reader(csv_lines())

    assert dict(zip(names, row, strict=True))["query"] == '\'=HYPERLINK("http://x")'
    assert dict(zip(names, row, strict=True))["hits"] == "ce:art-1 ce:art-2"


@pytest.mark.parametrize("days", ["", "7", "1000000", "x"])
def test_admin_shows_the_statistics(db, admin_client, days):
    asked(query="<b>xyzzy</b>", total=0)

    page = admin_client.get(reverse("admin:search_querylog_statistics"), {"days": days})

    assert page.status_code == 200
    assert "&lt;b&gt;xyzzy&lt;/b&gt;" in page.content.decode()


def test_admin_exports_and_lists(db, admin_client):
    asked()

    export = admin_client.get(reverse("admin:search_querylog_export"))
    listed = admin_client.get(reverse("admin:search_querylog_changelist"))

    assert b"".join(export).decode().splitlines()[1].split(",")[2] == "perros"
    assert reverse("admin:search_querylog_statistics") in listed.content.decode()


@pytest.mark.parametrize("name", ["statistics", "export"])
def test_log_is_not_for_everybody(db, client, django_user_model, name):
    client.force_login(django_user_model.objects.create_user("clerk", is_staff=True))

    assert client.get(reverse(f"admin:search_querylog_{name}")).status_code == 403


@pytest.mark.browser
def test_browser_tells_which_hit_was_opened(transactional_db, live_server, indexes, settings, monkeypatch):
    settings.QUERY_LOG = True
    add_law("ley-900-2019", {"art-1": "Los perros irán atados."})
    call_command("index_corpus", stdout=io.StringIO(), stderr=io.StringIO())
    told: list[int] = []
    monkeypatch.setattr(query_log, "_start_writer", lambda: None)
    monkeypatch.setattr(query_log, "choose", lambda asked, rank: told.append(rank))

    with chromium() as browser:
        page = browser.new_page()
        page.goto(f"{live_server.url}/?q=perros")
        page.click(".hit h3 a")
        page.wait_for_url("**/ley-900-2019:art-1")
        wait_until(lambda: told)

    assert told == [1]

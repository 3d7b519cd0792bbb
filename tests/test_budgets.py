"""Budgets hold for all processes together: no two requests, wherever they come in, take what is left for one."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from django.db import OperationalError, connection
from django.test import Client, override_settings

from search import budgets
from search.budgets import spend, spent, sweep
from search.models import Spending
from tests import other_process
from tests.api_client import V1, issue

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

NOON = 6_000_000.0
# Spends from one budget, as one of several server processes would, and prints how often it was let in.
ASKING = """
from search.budgets import spend
import json
print(json.dumps([spend("test", "shared", 30, now=6_000_000.0).wait for _ in range(25)].count(0)))
"""


@pytest.fixture(autouse=True)
def _just_swept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing of long ago, which these tests count in, be swept away unasked."""
    monkeypatch.setattr(budgets, "_swept", time.monotonic())


@pytest.mark.django_db(transaction=True)
def test_two_processes_spend_one_budget() -> None:
    processes = [other_process.start("check", "--tag", "urls", before=ASKING) for _ in range(2)]
    told = [process.communicate(timeout=other_process.PATIENCE_SECONDS) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], told
    admitted = [json.loads(said.splitlines()[0]) for said, _complaints in told]
    assert sum(admitted) == 30
    assert spend("test", "shared", 30, now=NOON).wait > 0


@pytest.mark.django_db(transaction=True)
def test_connections_at_once_never_take_more_than_there_is() -> None:
    def ask(_number: int) -> int:
        try:
            return [spend("test", "crowd", 50, now=NOON).wait for _ in range(20)].count(0)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(ask, range(6))) == 50
    assert spent("test", "crowd", now=NOON) == 50


@pytest.mark.django_db
def test_what_is_left_and_when_is_told() -> None:
    told = [spend("test", "a", 3, now=NOON + 15) for _ in range(4)]
    assert [(one.remaining, one.reset, one.wait) for one in told] == [(2, 45, 0), (1, 45, 0), (0, 45, 0), (0, 45, 65)]
    assert spend("test", "a", 3, now=NOON + 15 + 65).wait == 0
    assert spend("test", "b", 3, now=NOON + 15).remaining == 2


@pytest.mark.django_db
def test_the_period_before_weighs_as_much_as_it_overlaps() -> None:
    for _ in range(10):
        spend("test", "a", 10, now=NOON + 59)
    assert spent("test", "a", now=NOON + 75) == 7.5
    assert [spend("test", "a", 10, now=NOON + 75).wait > 0 for _ in range(3)] == [False, False, True]
    assert spent("test", "a", now=NOON + 75) == 9.5
    assert spent("test", "a", now=NOON + 120) == 2
    assert spent("test", "a", now=NOON + 180) == 0
    assert spend("test", "a", 10, now=NOON + 181).remaining == 9


@pytest.mark.django_db
def test_a_process_whose_clock_is_behind_opens_no_second_budget() -> None:
    assert [spend("test", "a", 2, now=NOON + 60).wait for _ in range(2)] == [0, 0]
    assert spend("test", "a", 2, now=NOON + 59).wait > 0
    assert Spending.objects.get().period == (NOON + 60) // 60


@pytest.mark.django_db
def test_counting_is_one_query_and_refusing_two(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(1):
        spend("test", "a", 1)
    with django_assert_num_queries(2):
        assert spend("test", "a", 1).wait > 0


@pytest.mark.django_db
def test_counts_that_weigh_nothing_are_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    spend("test", "old", 5, now=NOON)
    spend("test", "slow", 5, seconds=900, now=NOON)
    assert sweep(NOON + 100) == 0
    assert sweep(NOON + 130) == 1
    assert [row.caller for row in Spending.objects.all()] == ["test:slow"]
    monkeypatch.setattr(budgets, "_swept", budgets._swept - budgets.SWEEP_SECONDS - 1)
    spend("test", "new", 5)
    assert [row.caller for row in Spending.objects.all()] == ["test:new"]


@pytest.mark.django_db
def test_the_table_is_not_logged() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT relpersistence FROM pg_class WHERE relname = 'search_spending'")
        assert cursor.fetchone() == ("u",)


@pytest.mark.usefixtures("live")
@pytest.mark.django_db
@override_settings(ANONYMOUS_PER_MINUTE=100, KEY_PER_MINUTE=100)
def test_a_budget_costs_the_api_one_query_and_pages_none(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    _key, secret = issue("prueba", ["read"])
    headers = {"authorization": f"Bearer {secret}"}
    path = f"{V1}/laws/ley-990-2019"
    Client().get(path, headers=headers)
    with django_assert_num_queries(2):
        assert Client().get(path).status_code == 200
    with django_assert_num_queries(3):
        assert Client().get(path, headers=headers).status_code == 200
    counted = list(Spending.objects.values_list("caller", "counted"))
    for page in ("/", "/?q=recargo", "/ley-990-2019:art-11", "/coverage", "/feed", f"{V1}/health", "/metrics"):
        assert Client().get(page).status_code == 200
    assert list(Spending.objects.values_list("caller", "counted")) == counted


@pytest.mark.django_db
def test_without_a_database_nobody_is_counted_and_the_answer_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr("search.keys.spend", fail)
    with override_settings(ANONYMOUS_PER_MINUTE=5):
        response = Client().get(f"{V1}/laws")
    assert (response.status_code, response.json()["code"]) == (503, "database_unavailable")
    assert int(response["Retry-After"]) >= 1

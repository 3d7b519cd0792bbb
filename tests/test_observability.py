"""What an operator sees: live and ready, figures for Prometheus, request ids, and logs that hold no question."""

from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.db import OperationalError, connection
from django.test import Client, override_settings
from prometheus_client.parser import text_string_to_metric_families

from config.logs import JsonLines, WithRequestId, request_id
from tests.api_client import V1, get, issue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

SECRET_QUESTION = "recargo de la señora Pérez"


def figures() -> dict[tuple[str, ...], float]:
    """Give the figures by name and labels."""
    page = Client().get("/metrics")
    assert (page.status_code, page["Content-Type"].startswith("text/plain")) == (200, True)
    return {
        (sample.name, *(f"{name}={value}" for name, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(page.content.decode())
        for sample in family.samples
    }


def grown(before: dict[tuple[str, ...], float], *series: str) -> float:
    return figures().get(series, 0) - before.get(series, 0)


def test_a_process_is_live_whatever_is_wrong() -> None:
    def away(*_: Any) -> None:
        raise OperationalError("gone")

    with connection.execute_wrapper(away):
        assert get("/health/live") == {"status": "alive"}
        assert get("/health/ready", expect=503)["status"] == "not_ready"
    cache.clear()
    assert get("/health/ready") == {"status": "ready", "failed": []}


def test_a_question_is_counted_by_mode_and_by_what_came() -> None:
    before = figures()
    get("/search", q="recargo")
    get("/search", q="recargo", mode="lexical")
    get("/search", q="xqzv wkjh")
    assert grown(before, "fundamento_answers_total", "missing=none", "mode=lexical", "result=hits") == 1
    assert grown(before, "fundamento_answers_total", "missing=none", "mode=hybrid", "result=hits") == 1
    assert grown(before, "fundamento_answers_total", "missing=none", "mode=hybrid", "result=nothing") == 1
    assert grown(before, "fundamento_retrieval_seconds_count", "mode=hybrid") == 2


def test_requests_are_counted_by_the_pattern_of_their_address() -> None:
    before = figures()
    for citation in ("ley-990-2019:art-1", "ley-990-2019:art-2"):
        get(f"/citations/{citation}")
    get("/citations/ley-990-2019:art-99", expect=404)
    Client().get("/no/such/page")
    Client().generic("BREW", "/")
    route = "route=api/v1/citations/<citation>"
    assert grown(before, "fundamento_request_seconds_count", "method=GET", route, "status=200") == 2
    assert grown(before, "fundamento_request_seconds_count", "method=GET", route, "status=404") == 1
    assert grown(before, "fundamento_request_seconds_count", "method=GET", "route=unmatched", "status=404") == 1
    assert grown(before, "fundamento_lookups_total", "outcome=found") == 2
    assert not any("BREW" in label for series in figures() for label in series)


def test_refusals_are_counted() -> None:
    before = figures()
    Client().get(f"{V1}/laws", headers={"authorization": "Bearer fnd_nobody"})
    assert grown(before, "fundamento_refusals_total", "code=key_invalid") == 1


def test_the_state_of_index_and_vectors_is_shown() -> None:
    cache.clear()
    shown = figures()
    assert shown["fundamento_corpus_laws",] == 5
    assert shown["fundamento_lexical_index_lag",] == 0
    assert shown["fundamento_chunks",] == shown["fundamento_chunks_with_vector",] > 0
    assert shown["fundamento_check", "check=database"] == 1
    assert shown["fundamento_question_vectors_total", "found=made"] >= 0


def test_no_label_holds_what_was_asked_or_who_asked() -> None:
    _key, secret = issue("Despacho Pérez", ["read"])
    Client().get(f"{V1}/search", {"q": SECRET_QUESTION}, headers={"authorization": f"Bearer {secret}"})
    Client().get("/", {"q": SECRET_QUESTION})
    text = Client().get("/metrics").content.decode()
    assert not any(word in text for word in ("Pérez", secret, "203.0.113", "127.0.0.1"))
    assert SECRET_QUESTION not in text


@pytest.mark.parametrize(("address", "status"), [("127.0.0.1", 200), ("::1", 200), ("203.0.113.9", 404), ("", 404)])
def test_figures_are_shown_to_named_networks_only(address: str, status: int) -> None:
    assert Client().get("/metrics", REMOTE_ADDR=address).status_code == status
    with override_settings(METRICS_FROM=["203.0.113.0/24"]):
        assert Client().get("/metrics", REMOTE_ADDR="203.0.113.9").status_code == 200


@pytest.mark.parametrize("given", ["abc-1.2_3", "A" * 64])
def test_a_sane_request_id_is_kept(given: str) -> None:
    for path in ("/", f"{V1}/laws", f"{V1}/laws?limit=0", "/no/such/page"):
        assert Client().get(path, headers={"x-request-id": given})["X-Request-ID"] == given


@pytest.mark.parametrize("given", ["", "a b", "A" * 65, "x\r\ny: z", "ñ", "<script>"])
def test_another_request_id_is_replaced(given: str) -> None:
    answer = Client().get(f"{V1}/laws", headers={"x-request-id": given} if given else {})
    assert re.fullmatch(r"[0-9a-f]{32}", answer["X-Request-ID"])


@pytest.fixture
def lines() -> Iterator[list[dict[str, Any]]]:
    """The lines that are logged, from INFO on, as JSON."""
    written: list[dict[str, Any]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(json.loads(self.format(record)))

    handler, root = Kept(), logging.getLogger()
    handler.addFilter(WithRequestId())
    handler.setFormatter(JsonLines())
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield written
    root.removeHandler(handler)
    root.setLevel(level)


def test_a_request_leaves_one_line_with_its_id_and_without_its_question(lines: list[dict[str, Any]]) -> None:
    Client().get(f"{V1}/search", {"q": SECRET_QUESTION}, headers={"x-request-id": "abc"})
    (line,) = [line for line in lines if line["logger"] == "fundamento.requests"]
    assert {name: line[name] for name in ("level", "method", "route", "status", "request_id")} == {
        "level": "INFO", "method": "GET", "route": "api/v1/search", "status": 200, "request_id": "abc",
    }  # fmt: skip
    assert line["ms"] > 0
    assert "Pérez" not in json.dumps(lines, ensure_ascii=False)
    assert "P%C3%A9rez" not in json.dumps(lines)


@pytest.mark.parametrize("path", ["/?q=%00Pérez", f"{V1}/citations?q=%00Pérez", f"{V1}/search?q=iva&limit=Pérez"])
def test_no_line_holds_a_question_that_was_refused(lines: list[dict[str, Any]], path: str) -> None:
    Client().get(path)
    written = json.dumps(lines, ensure_ascii=False)
    assert "Pérez" not in written
    assert not re.search(r"[\x00-\x1f]", written)


def test_questions_are_logged_if_asked(lines: list[dict[str, Any]]) -> None:
    with override_settings(LOG_QUERIES=True):
        Client().get(f"{V1}/search?q=recargo")
    assert [line["address"] for line in lines if "address" in line] == [f"{V1}/search?q=recargo"]


def test_an_exception_is_one_line_with_its_traceback() -> None:
    token = request_id.set("abc")
    try:
        raise ZeroDivisionError("two\nlines")
    except ZeroDivisionError as error:
        record = logging.makeLogRecord(
            {"name": "x", "levelname": "ERROR", "msg": "broke", "exc_info": (type(error), error, error.__traceback__)}
        )
    WithRequestId().filter(record)
    request_id.reset(token)
    written = JsonLines().format(record)
    line = json.loads(written)
    assert "\n" not in written
    assert (line["message"], line["request_id"], "ZeroDivisionError" in line["exception"]) == ("broke", "abc", True)


def test_several_processes_are_shown_as_one(tmp_path: Path) -> None:
    with override_settings(PROMETHEUS_MULTIPROC_DIR=str(tmp_path)):
        page = Client().get("/metrics").content.decode()
    assert "fundamento_corpus_laws 5.0" in page

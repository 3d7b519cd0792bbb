"""The JSON API over HTTP: answers that are asked for again, other origins, compression, HEAD."""

from __future__ import annotations

import gzip
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client, override_settings
from django.utils.http import http_date, parse_http_date

from corpus.clock import MADRID, today
from corpus.models import CorpusChange, Law
from search.api import caching
from tests.api_client import V1

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

TEXT = f"{V1}/citations/ley-990-2019:art-11"
TAGGED = [
    TEXT, f"{V1}/citations?q=art.+11+Ley+990/2019", f"{TEXT}/cites", f"{TEXT}/cited_by", f"{V1}/laws",
    f"{V1}/laws/ley-990-2019", f"{V1}/laws/ley-990-2019/articles", f"{V1}/context?q=recargo",
    f"{V1}/laws/ley-990-2019/articles/art-11/diff?from=2023-01-01",
]  # fmt: skip
ANOTHER = "https://app.example"


def ask(path: str = TEXT, **headers: str) -> Any:
    return Client().get(path, headers={name.replace("_", "-"): value for name, value in headers.items()})


@pytest.fixture
def _long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program have started, and the texts have changed, days ago."""
    monkeypatch.setattr(caching, "STARTED", datetime(2020, 1, 1, tzinfo=UTC))
    CorpusChange.objects.update(at=datetime(2020, 1, 2, tzinfo=UTC))


@pytest.mark.parametrize("path", TAGGED)
def test_an_answer_that_is_no_longer_the_one_meant_is_refused(path: str) -> None:
    tag = ask(path)["ETag"]
    assert ask(path, if_match=tag).status_code == 200
    answer = ask(path, if_match='"another"')
    assert (answer.status_code, answer.json()["code"]) == (412, "precondition_failed")
    assert "If-Match" in answer.json()["detail"]


@pytest.mark.parametrize("path", TAGGED)
def test_who_holds_the_answer_is_not_sent_it_again(path: str) -> None:
    whole = ask(path)
    again = ask(path, if_none_match=whole["ETag"])
    assert (whole.status_code, again.status_code, again.content) == (200, 304, b"")
    assert whole["ETag"].startswith('"')
    assert again["ETag"] == whole["ETag"]
    assert ask(path, if_none_match='"other"').content == whole.content
    assert ask(path, if_none_match=f'"other", W/{whole["ETag"]}').status_code == 304


@pytest.mark.parametrize(
    ("one", "headers", "other", "other_headers"),
    [
        (TEXT, {}, f"{TEXT}@2023-01-01", {}),
        (TEXT, {}, f"{TEXT}?as_of=2023-01-01", {}),
        (f"{TEXT}?as_of={today()}", {}, TEXT, {}),
        (f"{V1}/context?q=recargo", {}, f"{V1}/context?q=recargo", {"accept": "text/markdown"}),
        (
            f"{V1}/citations/ley-990-2019:art-11@2010-01-01", {"accept_language": "es"},
            f"{V1}/context?q=xqzv", {"accept_language": "en"},
        ),
    ],
)  # fmt: skip
def test_another_answer_has_another_tag(
    one: str, headers: dict[str, str], other: str, other_headers: dict[str, str]
) -> None:
    first, second = ask(one, **headers), ask(other, **other_headers)
    assert first.content != second.content
    assert first.get("ETag") != second["ETag"]


def test_a_tag_changes_with_the_text() -> None:
    before = ask()
    Law.objects.filter(key="ley-990-2019").update(short_title="Otra")
    assert ask(if_none_match=before["ETag"]).status_code == 200


@pytest.mark.parametrize("path", [f"{V1}/search?q=recargo", f"{V1}/health", f"{V1}/citations?q=hola"])
def test_what_is_new_each_time_or_an_error_has_no_tag(path: str) -> None:
    assert "ETag" not in ask(path)


@pytest.mark.usefixtures("_long_ago")
def test_texts_say_when_they_changed() -> None:
    midnight = parse_http_date(ask()["Last-Modified"])
    assert datetime.fromtimestamp(midnight, UTC).astimezone(MADRID).date() == today()
    assert ask(if_modified_since=ask()["Last-Modified"]).status_code == 304
    assert ask(if_modified_since=http_date(midnight - 1)).status_code == 200
    newer = datetime.now(UTC) - timedelta(minutes=1)
    CorpusChange.objects.create(law_id=1)
    CorpusChange.objects.filter(law_id=1).update(at=max(newer, datetime.fromtimestamp(midnight + 2, UTC)))
    assert ask(if_modified_since=http_date(midnight)).status_code == 200


def test_what_changed_this_moment_has_no_time_yet() -> None:
    CorpusChange.objects.create(law_id=1)
    assert "Last-Modified" not in ask()


def test_an_answer_says_what_it_hangs_on() -> None:
    varies = {name.strip().lower() for name in ask()["Vary"].split(",")}
    assert {"accept", "accept-language", "cookie", "authorization"} <= varies
    assert ask()["Cache-Control"] == "no-cache"
    assert "vary" in ask(if_none_match=ask()["ETag"]).headers


def test_head_is_conditional_too() -> None:
    tag = Client().head(TEXT)["ETag"]
    assert tag == ask()["ETag"]
    assert Client().head(TEXT, headers={"if-none-match": tag}).status_code == 304


def test_a_compressed_answer_is_the_same_one() -> None:
    plain, packed = ask(), ask(accept_encoding="gzip")
    assert (packed["Content-Encoding"], gzip.decompress(packed.content)) == ("gzip", plain.content)
    assert packed["ETag"] == f"W/{plain['ETag']}"
    assert ask(accept_encoding="gzip", if_none_match=packed["ETag"]).status_code == 304


def test_another_origin_may_not_read_by_default() -> None:
    assert "Access-Control-Allow-Origin" not in ask(origin=ANOTHER)


@override_settings(CORS_ALLOWED_ORIGINS=[ANOTHER])
def test_a_named_origin_may_read_the_api_and_nothing_else() -> None:
    allowed = ask(origin=ANOTHER)
    assert allowed["Access-Control-Allow-Origin"] == ANOTHER
    assert "etag" in allowed["Access-Control-Expose-Headers"]
    assert "Access-Control-Allow-Credentials" not in allowed
    assert "Access-Control-Allow-Origin" not in ask(origin="https://app.example.evil.example")
    assert "Access-Control-Allow-Origin" not in ask("/", origin=ANOTHER)
    preflight = Client().options(
        f"{V1}/citations/verify",
        headers={
            "origin": ANOTHER,
            "access-control-request-method": "POST",
            "access-control-request-headers": "authorization",
        },
    )
    assert (preflight.status_code, preflight["Access-Control-Allow-Origin"]) == (200, ANOTHER)
    assert "authorization" in preflight["Access-Control-Allow-Headers"]

"""No answer sends a reader to the gazette for an invented law, which the gazette does not have."""

from __future__ import annotations

import re

import pytest
from django.core.management import call_command
from django.test import Client

from search.lookup import lookup
from tests.api_client import V1, get
from tests.law_builder import add_law

pytestmark = [pytest.mark.usefixtures("live"), pytest.mark.django_db]

GAZETTE = re.compile(r"https?://www\.boe\.es/[^\"<\s]*")


@pytest.mark.parametrize(
    "path",
    [
        f"{V1}/search?q=recargo&law=ley-990-2019",
        f"{V1}/citations/ley-990-2019:art-11.4.b",
        f"{V1}/citations/ley-990-2019",
        f"{V1}/citations?q=art.+11+Ley+990/2019",
        f"{V1}/citations/ley-990-2019:art-11/cited_by",
        f"{V1}/context?q=art.+11.4.b)+Ley+990/2019",
        f"{V1}/context?q=art.+11.4.b)+Ley+990/2019&format=markdown",
        f"{V1}/laws",
        f"{V1}/laws/ley-990-2019",
        f"{V1}/laws/ley-990-2019/articles",
        f"{V1}/coverage",
        "/?q=recargo",
        "/coverage",
        "/feed",
        "/ley-990-2019",
        "/ley-990-2019/feed",
        "/ley-990-2019/history",
        "/ley-990-2019/download.txt",
        "/ley-990-2019/download.json",
        "/ley-990-2019:art-11.4.b",
        "/ley-990-2019:art-11/diff",
    ],
)
def test_no_link_leads_to_a_text_that_is_not_there(path: str) -> None:
    response = Client().get(path)
    assert response.status_code == 200
    body = b"".join(response) if response.streaming else response.content
    assert GAZETTE.findall(body.decode()) == []


def test_an_invented_law_has_no_official_source_and_says_what_it_is() -> None:
    answer = get("/citations/ley-990-2019:art-11")
    assert answer["source_url"] is None
    assert "norma inventada" in answer["law"]["title"]
    assert (
        "source: none, the law is invented"
        in Client().get(f"{V1}/context", {"q": "ley-990-2019:art-11", "format": "markdown"}).content.decode()
    )


def test_lookup_prints_no_address_of_an_invented_law(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("lookup", "art. 11.4.b) Ley 990/2019")
    assert "https://" not in capsys.readouterr().out


def test_a_real_law_keeps_its_official_source() -> None:
    add_law("ley-58-2003", {"art-1": "Objeto."}, boe_id="BOE-A-2003-23186")
    assert lookup("ley-58-2003:art-1").source_url == "https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186"

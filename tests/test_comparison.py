"""Two versions of a provision compared: in the API and on a page of its own, from the list of versions on."""

from __future__ import annotations

import hashlib
import re
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from tests.law_builder import Redaction, add_law

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from corpus.models import Law

pytestmark = pytest.mark.django_db

OLD = "1. Se reconoce la gran invalidez.\n2. Otros grados:\na) Total.\nb) Parcial."
NEW = "1. Se reconoce la gran incapacidad.\n2. Otros grados:\na) Total.\nb) Parcial.\n3. Y más."
API = "/api/v1/laws/ley-900-2019/articles"


@pytest.fixture
def law() -> Law:
    return add_law(
        "ley-900-2019",
        {
            "art-5": [
                Redaction(OLD, date(2019, 2, 1), date(2025, 4, 30)),
                Redaction(NEW, date(2025, 5, 1)),
            ],
            "art-6": "Solo.",
            "art-7": [
                Redaction("Uno.", date(2019, 2, 1), date(2019, 12, 31)),
                Redaction("Dos.", date(2020, 1, 1), date(2020, 12, 31)),
                Redaction("(Derogado)", date(2021, 1, 1), status="repealed"),
            ],
            "art-8": [
                Redaction("1. Hoy.", date(2019, 2, 1), date(2098, 12, 31)),
                Redaction("1. Mañana.", date(2099, 1, 1)),
            ],
        },
        number="900/2019",
        title="Ley 900/2019, de prueba.",
        boe_id="BOE-A-2019-900",
    )


def diff(unit: str, status: int = 200, **asked: str | int) -> dict[str, Any]:
    response = Client().get(f"{API}/{unit}/diff", {key.rstrip("_"): value for key, value in asked.items()})
    assert response.status_code == status, response.content
    body: dict[str, Any] = response.json()
    return body


def changed(body: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(one["op"], one["from_text"], one["to_text"]) for one in body["changes"] if one["op"] != "equal"]


def html_of(path: str, status: int = 200) -> str:
    response = Client().get(path)
    assert response.status_code == status
    return response.content.decode()


def test_br_34_two_versions_are_compared_word_by_word(law: Law) -> None:
    body = diff("art-5", from_="2019-02-01", to="2025-05-01")
    assert changed(body) == [("replace", " invalidez", " incapacidad"), ("insert", "", "\n3. Y más.")]
    assert [(body[side]["number"], body[side]["valid_from"], body[side]["valid_to"]) for side in ("from", "to")] == [
        (1, "2019-02-01", "2025-04-30"),
        (2, "2025-05-01", None),
    ]
    assert (body["from"]["text"], body["to"]["text"]) == (OLD, NEW)
    assert body["to"]["sha256"] == hashlib.sha256(NEW.encode()).hexdigest()
    assert not body["is_equal"]


def test_offsets_count_in_both_verbatim_texts(law: Law) -> None:
    for unit in ("art-5", "art-5.1"):
        for one in diff(unit)["changes"]:
            assert OLD[one["from_start"] : one["from_end"]] == one["from_text"]
            assert NEW[one["to_start"] : one["to_end"]] == one["to_text"]


@pytest.mark.parametrize("asked", [{}, {"from_": 1, "to": 2}, {"from_": "2020-06-30"}, {"to": "2026-01-01"}])
def test_versions_are_named_by_number_by_day_or_not_at_all(law: Law, asked: dict[str, Any]) -> None:
    body = diff("art-5", **asked)
    assert (body["from"]["number"], body["to"]["number"]) == (1, 2)


def test_a_comparison_goes_backwards_too(law: Law) -> None:
    assert changed(diff("art-5", from_=2, to=1))[0] == ("replace", " incapacidad", " invalidez")


def test_a_version_is_equal_to_itself(law: Law) -> None:
    assert diff("art-5", from_=1, to=1)["is_equal"] is True


def test_one_part_is_compared_alone(law: Law) -> None:
    body = diff("art-5.1")
    assert (body["citation"], body["label"]) == ("ley-900-2019:art-5.1", "Artículo 5.1")
    assert changed(body) == [("replace", " invalidez", " incapacidad")]


def test_a_part_that_only_one_version_has_comes_whole(law: Law) -> None:
    body = diff("art-5.3")
    assert changed(body) == [("insert", "", "3. Y más.")]
    assert [body["from"][field] for field in ("text", "sha256", "start", "end")] == [None] * 4


def test_the_last_text_of_a_repealed_provision_is_compared(law: Law) -> None:
    assert changed(diff("art-7")) == [("replace", "Uno", "Dos")]


def test_without_to_a_version_to_come_is_not_the_one_compared(law: Law) -> None:
    assert diff("art-8", status=404)["detail"] == "No se conserva ninguna redacción anterior."
    assert changed(diff("art-8", from_=1, to="2099-06-01")) == [("replace", " Hoy", " Mañana")]


@pytest.mark.parametrize(
    ("unit", "asked", "status", "code", "parameter"),
    [
        ("art-5", {"from_": 3}, 404, "no_such_version", "from"),
        ("art-5", {"to": 0}, 404, "no_such_version", "to"),
        ("art-5", {"from_": "1999-01-01"}, 404, "no_such_version", "from"),
        ("art-7", {"from_": 1, "to": "2022-01-01"}, 404, "no_such_version", "to"),
        ("art-6", {}, 404, "no_such_version", "from"),
        ("art-5", {"from_": "ayer"}, 422, "unknown_value", "from"),
        ("art-5", {"to": "2023-02-30"}, 422, "unknown_value", "to"),
        ("art-5", {"to": "-1"}, 422, "unknown_value", "to"),
        ("art-5.9", {"from_": 1, "to": 2}, 404, "no_such_provision", "unit"),
        ("art-99", {}, 404, "no_such_provision", "unit"),
        ("art-5@2020-01-01", {}, 404, "no_such_provision", "unit"),
        ("nada", {}, 404, "no_such_provision", "unit"),
        ("%00", {}, 404, "no_such_provision", "unit"),
    ],
)
def test_what_cannot_be_compared_is_named(
    law: Law, unit: str, asked: dict[str, Any], status: int, code: str, parameter: str
) -> None:
    body = diff(unit, status, **asked)
    assert (body["code"], body["parameter"]) == (code, parameter)


def test_the_law_may_be_named_by_its_boe_id(law: Law) -> None:
    law.boe_id = "BOE-A-2019-900"
    law.save()
    body = Client().get("/api/v1/laws/BOE-A-2019-900/articles/art-5/diff").json()
    assert (body["citation"], body["law"]["id"]) == ("ley-900-2019:art-5", "ley-900-2019")


def test_a_law_that_is_not_held_is_told_from_a_provision(law: Law) -> None:
    for path in ("ley-1-1900/articles/art-1", "%00/articles/art-1", "ley-900-2019:art-5/articles/art-5"):
        response = Client().get(f"/api/v1/laws/{path}/diff")
        assert (response.status_code, response.json()["code"]) == (404, "law_not_in_corpus")


def test_the_page_marks_what_goes_and_what_comes_without_scripts(law: Law) -> None:
    html = html_of("/ley-900-2019:art-5/diff?from=2019-02-01&to=2025-05-01")
    marks = re.findall(r'<(del|ins) class="\w+" data-says="[^"]+">([^<]*)</', html.split('class="diff-text"')[1])
    assert marks == [("del", " invalidez"), ("ins", " incapacidad"), ("ins", "3. Y más.")]
    assert "del 01/02/2019 al 30/04/2025" in html


def test_the_page_lets_both_versions_be_chosen(law: Law) -> None:
    chosen = re.findall(r'<option value="([^"]+)" selected>', html_of("/ley-900-2019:art-5/diff"))
    assert chosen == ["2019-02-01", "2025-05-01"]


def test_a_provisions_list_of_versions_leads_to_what_changed(law: Law) -> None:
    links = re.findall(r'href="([^"]*/diff[^"]*)"', html_of("/ley-900-2019:art-5"))
    assert links == ["/ley-900-2019:art-5/diff?from=2019-02-01&amp;to=2025-05-01"]
    assert "gran" in html_of(links[0].replace("&amp;", "&"))


def test_the_page_leads_to_the_same_comparison_as_json(law: Law) -> None:
    (link,) = re.findall(r'href="([^"]*)">JSON', html_of("/ley-900-2019:art-5.1/diff"))
    assert Client().get(link.replace("&amp;", "&")).json()["citation"] == "ley-900-2019:art-5.1"


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/LEY-900-2019:Art-5/diff?from=1&to=2", "/ley-900-2019:art-5/diff?from=1&to=2"),
        ("/BOE-A-2019-900:art-5.1/diff", "/ley-900-2019:art-5.1/diff"),
        ("/ley-900-2019:art-5@2020-01-01/diff", "/ley-900-2019:art-5/diff"),
    ],
)
def test_other_spellings_redirect_once(law: Law, path: str, location: str) -> None:
    response = Client().get(path)
    assert (response.status_code, response["Location"]) == (301, location)
    assert Client().get(location).status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/ley-900-2019:art-5/diff?from=9", 404),
        ("/ley-900-2019:art-6/diff", 404),
        ("/ley-900-2019:art-5/diff?from=%00x", 422),
        ("/ley-900-2019:art-99/diff", 404),
        ("/ley-900-2019/diff", 404),
        ("/ley-1-1900:art-5/diff", 404),
        ("/hola/diff", 404),
        (f"/{'a' * 3000}:art-1/diff", 400),
    ],
)
def test_the_page_says_what_cannot_be_compared(law: Law, path: str, status: int) -> None:
    assert "<h1" in html_of(path, status)


def test_markup_in_a_text_is_shown_and_not_made(law: Law) -> None:
    add_law("ley-9-2020", {"art-1": [Redaction("a <b>x</b>", date(2020, 1, 1), date(2020, 12, 31)),
                                     Redaction("a <img src=x>", date(2021, 1, 1))]})  # fmt: skip
    html = html_of("/ley-9-2020:art-1/diff")
    assert "<img" not in html
    assert "&lt;" in html


def test_a_comparison_takes_few_queries(law: Law, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(4):
        diff("art-5")

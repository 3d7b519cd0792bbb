"""The page that checks a text: marked in place, told in a table, taken away as CSV or JSON; without JavaScript."""

from __future__ import annotations

import csv
import io
import json
import re
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import escape

from search.quotations import find_quotations
from search.views.verify_page import LONGEST_TEXT
from tests.law_builder import Redaction, add_article, add_law

if TYPE_CHECKING:
    from django.http import HttpResponse

    from corpus.models import Law

TEXT = "El plazo de prescripción será de cuatro años."
GOOD = f"El artículo 2 de la Ley 900/2019 dice: «{TEXT}»"
BAD = "Y el artículo 2 de la misma: «el plazo de caducidad será de cinco años»."
ABSENT = "El artículo 9 de la Ley 1/1999 y el Reglamento (UE) 2016/679; el artículo 99 de la Ley 900/2019."


@pytest.fixture
def law(db: None) -> Law:
    return add_law("ley-900-2019", {"art-1": "Uno.", "art-2": TEXT}, number="900/2019", title="Ley 900/2019, de Prueba")


def send(text: str, **fields: Any) -> HttpResponse:
    response: HttpResponse = Client(enforce_csrf_checks=True).post("/verify", {"text": text, **fields})  # type: ignore[assignment]
    return response


def html_of(text: str, **fields: Any) -> str:
    response = send(text, **fields)
    assert response.status_code == 200
    return response.content.decode()


def marks(html: str) -> list[tuple[str, str]]:
    """Give what is marked in the text, with its classes."""
    return [
        (text, classes)
        for classes, text in re.findall(r'<span class="((?:cites|quoted)[^"]*)"[^>]*>([^<]*)</span>', html)
    ]


def rows(html: str) -> list[str]:
    """Give the lines of the table as they are read."""
    found = re.findall(r'<tr id="line-\d+"[^>]*>.*?</tr>', html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in found]


class TestPage:
    def test_citations_and_quotations_are_marked_in_place(self, law: Law) -> None:
        html = html_of(f"{GOOD}\n\n{BAD}\n\n{ABSENT}")
        assert marks(html) == [
            ("artículo 2 de la Ley 900/2019", "cites good"),
            (f"«{TEXT}»", "quoted good"),
            ("artículo 2 de la misma", "cites good"),
            ("«el plazo de caducidad será de cinco años»", "quoted bad"),
            ("artículo 9 de la Ley 1/1999", "cites unknown"),
            ("Reglamento (UE) 2016/679", "cites unknown"),
            ("artículo 99 de la Ley 900/2019", "cites bad"),
        ]

    def test_the_table_tells_each_with_what_differs(self, law: Law) -> None:
        html = html_of(f"{GOOD}\n\n{BAD}")
        told = rows(html)
        assert len(told) == 4
        assert "literal" in told[1]
        assert "no coincide" in told[3]
        assert re.findall(r"<(del|ins)>([^<]*)</\1>", html) == [
            ("del", "el "),
            ("ins", "El "),
            ("del", "caducidad "),
            ("ins", "prescripción "),
            ("del", "cinco "),
            ("ins", "cuatro "),
        ]
        assert html.count('href="/ley-900-2019:art-2"') == 4

    def test_counts_are_those_of_the_table(self, law: Law) -> None:
        html = html_of(f"{GOOD}\n\n{BAD}")
        heading = re.search(r'<h2 id="checked-heading"[^>]*>(.*?)</h2>', html)
        assert heading
        assert heading[1] == "2 citas y 2 textos entre comillas"
        assert re.findall(r'<li><span class="verdict \w+">([^<]+)</span> (\d+)</li>', html) == [
            ("encontrada", "2"), ("literal", "1"), ("no coincide", "1"),
        ]  # fmt: skip

    def test_of_several_provisions_the_one_with_the_nearest_wording_is_named(self, law: Law) -> None:
        told = rows(
            html_of("Los artículos 1 y 2 de la Ley 900/2019 dicen: «el plazo de caducidad será de cinco años».")
        )
        assert "Lo más parecido está en: Artículo 2" in told[1]

    def test_other_redactions_with_the_very_words_are_told_apart_by_their_days(self, law: Law) -> None:
        former = [
            Redaction(TEXT, date(2019, 2, 1), date(2020, 1, 1)),
            Redaction(TEXT, date(2020, 1, 2), date(2021, 1, 1)),
        ]
        add_article(law, "art-3", [*former, Redaction("Otro.", date(2021, 1, 2))])
        told = rows(html_of(f"El artículo 3 de la Ley 900/2019 dice: «{TEXT}»"))
        for days in ("del 01/02/2019 al 01/01/2020", "del 02/01/2020 al 01/01/2021"):
            assert f"art. 3 Ley 900/2019 {days}" in told[1]

    def test_the_day_on_which_there_was_no_text_is_told(self, law: Law) -> None:
        (told,) = rows(html_of("Art. 2 de la Ley 900/2019, en su redacción vigente a 1 de enero de 1999."))
        assert "Se ha buscado el texto del 01/01/1999." in told

    def test_what_lies_nearest_is_not_said_to_be_meant(self, law: Law) -> None:
        (told,) = rows(html_of("El artículo 3 de la Ley 900/2019."))
        assert "Lo más próximo que tiene la norma: art. 2 Ley 900/2019" in told
        assert "Puede referirse a" not in told

    def test_a_citation_without_its_law_says_so(self, law: Law) -> None:
        (told,) = rows(html_of("Véase el artículo 2."))
        assert "Falta la norma" in told

    def test_a_quotation_that_differs_in_its_capital_alone_says_so(self, law: Law) -> None:
        html = html_of("El artículo 2 de la Ley 900/2019 dice que «el plazo de prescripción será de cuatro años».")
        assert "no coincide Artículo 2" in rows(html)[1]
        assert "Sólo cambian mayúsculas y minúsculas." in rows(html)[1]

    def test_why_it_was_not_compared_is_said_once(self, law: Law) -> None:
        told = rows(html_of("El artículo 9 de la Ley 1/1999 dice «el plazo de caducidad será de cinco años»."))
        assert told[1].count("Lo citado no da un texto con el que comparar.") == 1

    def test_european_law_leaves_the_whole_incomplete(self, law: Law) -> None:
        assert "No todo se ha podido mirar" in html_of(f"{GOOD} Véase el Reglamento (UE) 2016/679.")
        assert "No todo se ha podido mirar" not in html_of(GOOD)

    def test_the_text_stays_whole(self, law: Law) -> None:
        text = f"\n {GOOD} <b>&amp;</b>\n\n\tFin. "
        html = html_of(text)
        shown = re.search(r'<div class="checked-text">(.*?)</div>', html, re.DOTALL)
        assert shown
        plain = re.sub(r"<a class=\"mark-number\".*?</a>|<[^>]+>", "", shown[1])
        assert plain.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == text
        assert re.search(r"<textarea[^>]*>\n(.*?)</textarea>", html, re.DOTALL)

    @pytest.mark.parametrize(
        "attack",
        ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</textarea><svg onload=1>", "{{ 7*7 }}"],
    )
    def test_nothing_in_the_text_becomes_an_element(self, law: Law, attack: str) -> None:
        html = html_of(f"{attack} el artículo 2 de la Ley 900/2019 «{attack} uno dos tres cuatro» {attack}")
        assert escape(attack) in html
        assert "<" not in attack or attack not in html

    def test_what_was_not_looked_at_is_said(self, law: Law) -> None:
        assert "No todo se ha podido mirar" not in html_of(GOOD)
        assert "No todo se ha podido mirar" in html_of("El artículo 9 de la Ley 1/1999: «uno dos tres cuatro».")
        assert "1 texto entre comillas o cita sin comprobar" in html_of(
            f"{GOOD}\n\n«Unas palabras sin cita alguna al lado»."
        )

    def test_a_file_is_read_too(self, law: Law) -> None:
        for content in (GOOD.encode(), b"\xef\xbb\xbf" + GOOD.encode(), GOOD.encode("cp1252")):
            html = html_of("", file=SimpleUploadedFile("texto.txt", content, "text/plain"))
            assert marks(html)[0] == ("artículo 2 de la Ley 900/2019", "cites good")

    def test_a_day_is_heeded(self, law: Law) -> None:
        html = html_of("El artículo 2 de la Ley 900/2019.", as_of="2020-01-01")
        assert 'href="/ley-900-2019:art-2@2020-01-01"' in html
        assert 'value="2020-01-01"' in html

    def test_the_empty_form_has_no_results(self, db: None) -> None:
        html = Client().get("/verify").content.decode()
        assert html.startswith("<!doctype html>")
        assert 'id="checked"' not in html
        assert 'id="checked"' not in html_of("   ")

    def test_it_needs_no_cookie_and_sets_none(self, law: Law) -> None:
        assert not Client().get("/verify").cookies
        assert not send(GOOD).cookies

    def test_the_policy_holds_no_inline_code(self, law: Law) -> None:
        response = send(GOOD)
        html = response.content.decode()
        assert "script-src 'self'" in response["Content-Security-Policy"]
        assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=\"|\bon[a-z]+=\"", html)

    def test_head_is_answered(self, db: None) -> None:
        assert Client().head("/verify").status_code == 200


class TestRefusals:
    def test_a_text_that_is_too_long_is_refused_with_the_limit(self, db: None) -> None:
        response = send("a" * (LONGEST_TEXT + 1))
        assert response.status_code == 413
        assert str(LONGEST_TEXT) in response.content.decode()

    def test_a_file_that_is_too_large_is_refused_with_the_limit(self, db: None) -> None:
        response = send("", file=SimpleUploadedFile("grande.txt", b"a" * (4 * LONGEST_TEXT + 1)))
        assert response.status_code == 413

    def test_a_body_that_is_too_large_is_refused(self, db: None, settings: Any) -> None:
        settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
        assert send("a" * 2000).status_code == 413

    def test_a_day_that_is_none_is_refused(self, law: Law) -> None:
        assert send(GOOD, as_of="2020-02-30").status_code == 400

    @pytest.mark.parametrize("odd", ["\x00", "\x1b[2J", "\ufeff", "\u2028", "e\u0301", "\U0001f600"], ids=ascii)
    def test_odd_characters_are_no_error(self, law: Law, odd: str) -> None:
        assert "checked-text" in html_of(f"{odd}{GOOD}{odd}")


class TestExports:
    def test_csv_has_a_row_for_each(self, law: Law) -> None:
        response = send(f"{GOOD}\n\n{BAD}", format="csv")
        assert response["Content-Type"] == "text/csv; charset=utf-8"
        assert response["Content-Disposition"] == 'attachment; filename="citas.csv"'
        written = list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))
        assert [(row["citation"], row["outcome"], row["quote_state"]) for row in written] == [
            ("ley-900-2019:art-2", "found", ""),
            ("ley-900-2019:art-2", "found", "verbatim"),
            ("ley-900-2019:art-2", "found", ""),
            ("ley-900-2019:art-2", "found", "different"),
        ]

    def test_no_cell_is_a_formula(self, law: Law) -> None:
        text = 'El artículo 2 de la Ley 900/2019 dice "=1+1 uno dos tres cuatro cinco".'
        law.articles.filter(key="art-2").update(label="=cmd|' /C calc'!A0")
        written = csv.reader(io.StringIO(send(text, format="csv").content.decode("utf-8-sig")))
        assert [cell for row in written for cell in row if cell[:1] in "=+-@" and cell] == []

    def test_json_is_the_whole_check(self, law: Law) -> None:
        response = send(GOOD, format="json")
        answer = json.loads(response.content)
        assert set(answer) == {"found", "unsupported", "summary", "unchecked"}
        assert [one["text"] for one in answer["found"]] == ["artículo 2 de la Ley 900/2019", f"«{TEXT}»"]
        assert answer["summary"]["complete"] is True


class TestQuotations:
    """Which citation a quotation is of."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("C1 dice: «uno dos tres».", [("«uno dos tres»", 0)]),
            ("«uno dos tres» (C1).", [("«uno dos tres»", 0)]),
            ("C1 dice algo. «uno dos tres» (C2).", [("«uno dos tres»", 1)]),
            ("«uno dos tres», según C1.", [("«uno dos tres»", 0)]),
            ("«uno dos tres». Otra frase sobre C1.", [("«uno dos tres»", None)]),
            ("C1.\n\n«uno dos tres».", [("«uno dos tres»", None)]),
            ("C1 dice: «uno “dos tres cuatro” cinco».", [("«uno “dos tres cuatro” cinco»", 0)]),
            ('C1 dice: "uno dos tres" y "cuatro cinco seis".', [('"uno dos tres"', 0), ('"cuatro cinco seis"', 0)]),
            ("C1 dice: «uno dos».", []),
            ("C1 dice: «uno dos tres cuatro.", []),
            ("C1 dice: «uno dos tres\n»cuatro cinco».", [("«uno dos tres\n»cuatro cinco»", 0)]),
            ("C1 dice: «según C2 uno dos tres».", [("«según C2 uno dos tres»", 0)]),
            ("", []),
        ],
    )
    def test_it_is_of_the_citation_beside_it(self, text: str, expected: list[tuple[str, int | None]]) -> None:
        citations = [match.span() for match in re.finditer(r"C\d", text)]
        found = find_quotations(text, citations)
        assert [(text[one.start : one.end], one.citation) for one in found] == expected

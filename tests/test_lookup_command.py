"""The lookup command prints the text or the API's body, and its exit code tells what became of the citation."""

from __future__ import annotations

import json
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from search.lookup import lookup
from tests.law_builder import Redaction, add_law

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def law():
    old = Redaction("1. Uno.\n2. Dos.", date(2019, 2, 1), date(2024, 12, 31))
    articles: dict[str, str | list[Redaction]] = {
        "art-5": [old, Redaction("1. Uno nuevo.", date(2025, 1, 1))],
        "art-6": "1. A.\nAsí:\na) X.\n2. B.",
    }
    return add_law(
        "ley-900-2019", articles, number="900/2019", title="Ley 900/2019, de pruebas.", boe_id="BOE-A-2019-900"
    )


def run(*arguments):
    """Run the command; give its exit code and what it printed."""
    printed = StringIO()
    try:
        call_command("lookup", *arguments, stdout=printed)
    except SystemExit as stopped:
        return stopped.code, printed.getvalue()
    return 0, printed.getvalue()


def test_it_prints_name_days_source_and_text():
    assert run("art. 5.2 Ley 900/2019", "--as-of", "2020-01-01") == (
        0,
        "Artículo 5.2 · Ley 900/2019, de pruebas.\n"
        "ley-900-2019:art-5.2 · vigente · del 01/02/2019 al 31/12/2024\n"
        "https://www.boe.es/buscar/act.php?id=BOE-A-2019-900\n"
        "\n2. Dos.\n",
    )


@pytest.mark.parametrize(
    ("citation", "code"),
    [
        ("ley-900-2019:art-5", 0),
        ("ley-900-2019:art-5.9", 0),
        ("ley-900-2019:art-7", 1),
        ("ley-901-2019:art-7", 1),
        ("ley-900-2019:art-5@2018-01-01", 1),
        ("artículo 5", 1),
        ("RDL 1/2020", 1),
        ("hola", 2),
    ],
)
def test_json_is_the_api_s_body_and_the_exit_code_tells_found_from_not(citation, code):
    found, printed = run(citation, "--json")
    assert found == code
    assert json.loads(printed) == lookup(citation).model_dump(mode="json")


def test_every_item_of_a_list_is_printed():
    _, printed = run("artículos 5 y 6 de la Ley 900/2019")
    assert [line for line in printed.splitlines() if line.startswith("ley-900-2019:")] == [
        "ley-900-2019:art-5 · vigente · desde el 01/01/2025",
        "ley-900-2019:art-6 · vigente · desde el 01/02/2019",
    ]


def test_what_was_not_found_is_said_with_what_lies_nearest():
    code, printed = run("ley-900-2019:art-5-bis")
    assert code == 1
    assert printed.startswith("La norma no tiene ese precepto: ley-900-2019:art-5-bis\n")
    assert "  ley-900-2019:art-5  art. 5 Ley 900/2019 — Ley 900/2019, de pruebas." in printed


def test_a_law_that_is_not_held_points_to_what_is():
    code, printed = run("ley-901-2019:art-1")
    assert (code, "/coverage" in printed) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["ley-900-2019:art-5", "--as-of", "ayer"], "--as-of: 'ayer' is not a day such as 2020-01-31"),
        (
            ["ley-900-2019:art-5@2020-01-01", "--as-of", "2021-01-01"],
            "La cita dice 2020-01-01 y se pide el texto de 2021-01-01.",
        ),
        (["x" * 3000], "Una cita no tiene más de 2000 caracteres."),
    ],
)
def test_bad_input_is_one_line_and_exit_code_two(arguments, message):
    with pytest.raises(CommandError, match=f"^{message}$") as error:
        call_command("lookup", *arguments)
    assert error.value.returncode == 2

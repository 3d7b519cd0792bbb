"""search_corpus: answers on the command line."""

import json
import re

import pytest
from django.core.management import CommandError, call_command

from search.retrieval import RetrievalRequest, retrieve
from tests.law_builder import add_law

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("indexes")]


@pytest.fixture(autouse=True)
def corpus() -> None:
    add_law("ley-900-2019", {"art-1": "Un recargo del 15 por 100.", "art-2": "Otro recargo."}, short_title="Ley A")


def run(capsys, *arguments: str) -> tuple[int, str]:
    try:
        call_command("search_corpus", *arguments)
    except SystemExit as end:
        return int(end.code or 0), capsys.readouterr().out
    except CommandError as error:
        return error.returncode, str(error)
    return 0, capsys.readouterr().out


def test_what_is_found_is_printed_to_be_read(capsys):
    code, printed = run(capsys, "recargo", "--mode", "lexical", "--limit", "1")
    lines = printed.splitlines()
    assert code == 0
    assert lines[0].startswith("2 resultados · modo lexical · ")
    assert (lines[2], lines[4]) == ("1. Artículo 2", "   Otro [recargo].")
    assert re.fullmatch(r"   ley-900-2019:art-2 · Ley A · 0\.\d{3} · léxico 1", lines[3])


def test_json_is_what_the_api_answers(capsys):
    code, printed = run(capsys, "recargo", "--json", "--law", "ley-900-2019")
    expected = retrieve(RetrievalRequest("recargo", limit=5, laws=("ley-900-2019",))).model_dump(mode="json")
    assert code == 0
    assert json.loads(printed) | {"took_ms": 0} == expected | {"took_ms": 0}


def test_nothing_found_is_exit_code_one(capsys):
    code, printed = run(capsys, "desahucio")
    assert (code, printed.splitlines()[0].split(" · ")[0]) == (1, "0 resultados")


@pytest.mark.parametrize(
    "arguments",
    [(" ",), ("recargo", "--limit", "0"), ("recargo", "--limit", "101"), ("recargo", "--law", "ley-1-1800")],
)
def test_bad_input_is_exit_code_two(capsys, arguments):
    assert run(capsys, *arguments)[0] == 2


def test_the_command_line_refuses_what_is_no_day(capsys):
    with pytest.raises(CommandError, match="not a day"):
        call_command("search_corpus", "recargo", "--as-of", "2020-13-01")

"""What docs/api.md and docs/mcp.md show is so: each command and program is run against the product."""

from __future__ import annotations

import json
import re
import shlex
import sys
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from search.api import api
from tests.conftest import ROOT
from tests.test_readme import CONSOLE, in_part

API, MCP = (ROOT / "docs" / "api.md").read_text(), (ROOT / "docs" / "mcp.md").read_text()
PROGRAM = re.compile(r"```python\n(.*?)```", re.DOTALL)
ADDRESS = "http://127.0.0.1:8000"


def curl(command: str) -> str:
    """Do what a curl command does, as far as the examples go."""
    headers, body, method, url = {}, None, None, ""
    words = iter(shlex.split(command)[1:])
    for word in words:
        if word == "-H":
            name, value = next(words).split(": ")
            headers[name] = value
        elif word == "-d":
            body = next(words).encode()
        elif word == "-X":
            method = next(words)
        else:
            url = word
    try:
        with urlopen(Request(url, body, headers, method=method)) as answer:
            text: str = answer.read().decode()
    except HTTPError as error:
        with error:
            text = error.read().decode()
    return text


@pytest.mark.parametrize(("command", "shown"), CONSOLE.findall(API) + CONSOLE.findall(MCP))
def test_each_command_answers_as_shown(command: str, shown: str, site: str) -> None:
    answer = curl(command.replace(ADDRESS, site))
    if shown.startswith("{"):
        assert in_part(json.loads(shown), json.loads(answer)), answer
    else:
        assert answer.startswith(shown)


@pytest.mark.parametrize("program", PROGRAM.findall(API) + PROGRAM.findall(MCP))
def test_each_program_runs(program: str, site: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "clients" / "python")
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(program.replace(ADDRESS, site), "docs", "exec"), names)
    sys.modules.pop("fundamento", None)


def test_every_code_of_the_table_is_one_that_the_api_gives() -> None:
    table = API.partition("| status | codes |")[2].partition("\n\n")[0]
    codes = set(re.findall(r"`([a-z_]+)`", table))
    sources = "".join(path.read_text() for room in ("config", "search") for path in (ROOT / room).rglob("*.py"))
    assert {code for code in codes if f'"{code}"' not in sources} == set()
    assert len(codes) > 20


def test_every_operation_for_managing_is_described() -> None:
    document = api.get_openapi_schema()
    managing = {
        f"{method.upper()} {path}"
        for path, methods in document["paths"].items()
        for method, one in methods.items()
        if one["tags"] == ["manage"]
    }
    assert managing == {found for found in re.findall(r"`([A-Z]+ /api/v1/[^`?]+)`", API) if found in managing} != set()

"""What the README says is so: commands, settings, API paths, answers, and the list of files.

Run as a program (`make layout`), it writes the list of files into the README.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from django.core.management import get_commands

from tests.conftest import ROOT, copy_of, environment_of
from tests.test_house import tracked

README = ROOT / "README.md"
TEXT = README.read_text()
LAYOUT = re.compile(
    r"(?<=<!-- layout: written by `make layout` from the files' own first lines -->\n).*?(?=<!-- /layout)", re.DOTALL
)
COMMENT = re.compile(r"^(?:/\*|//|#)\s*(.+?)\s*(?:\*/)?$")
CONSOLE = re.compile(r"```console\n\$ (.+?)\n(.*?)```", re.DOTALL)
OURS = {"config", "corpus", "search"}


def purpose_of(path: Path) -> str:
    """Give a file's own first line: a module's docstring, or the comment it begins with."""
    text = path.read_text()
    if path.suffix == ".py":
        docstring = ast.get_docstring(ast.parse(text)) or ""
        return docstring.partition("\n")[0]
    lines = text.splitlines()
    comment = next(
        (COMMENT.match(line) for line in lines if not line.startswith(("#!", "{% extends", "{% load"))), None
    )
    return comment[1] if comment else ""


def layout() -> str:
    """Write the list of files, room by room; what a template is for is kept as the list already has it."""
    kept = dict(re.findall(r"^- `([^`]+)`: (.+)$", TEXT, re.MULTILINE))
    paths = [
        path.relative_to(ROOT)
        for path in tracked("*.py", "*.css", "*.js", "*.toml", "*.html", "Makefile", ".ci/run")
        if "migrations" not in path.parts and path.read_text().strip()
    ]
    told = []
    for room, inside in groupby(
        sorted(paths, key=lambda path: (len(path.parts) > 1, path)), lambda path: path.parts[:-1][:1]
    ):
        told.append("".join(f"\n**{name}**\n" for name in room))
        told += [f"- `{path}`: {purpose_of(ROOT / path) or kept.get(str(path), '')}" for path in inside]
    return "\n".join(told).strip() + "\n\n"


def examples(start: str) -> list[tuple[str, str]]:
    return [(command, output) for command, output in CONSOLE.findall(TEXT) if command.startswith(start)]


def in_part(shown: Any, real: Any) -> bool:
    """Whether all that is shown is in the real answer; lists are shown from their beginning."""
    if isinstance(shown, dict):
        return isinstance(real, dict) and all(name in real and in_part(shown[name], real[name]) for name in shown)
    if isinstance(shown, list):
        return isinstance(real, list) and all(map(in_part, shown, real)) and len(shown) <= len(real)
    return bool(shown == real)


def test_list_of_files_is_as_the_files_say():
    assert LAYOUT.findall(TEXT) == [layout()], "run 'make layout'"


def test_every_listed_file_says_what_it_is():
    assert re.findall(r"^- `[^`]+`: $", layout(), re.MULTILINE) == []


def test_commands_are_ours_and_all_of_them():
    ours = {name for name, package in get_commands().items() if str(package).split(".")[0] in OURS}
    assert set(re.findall(r"manage\.py (\w+)", TEXT)) - {"createsuperuser"} == ours


def test_make_targets_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert targets == set(re.findall(r"\bmake ([a-z]+)\b", TEXT))


def test_settings_table_has_every_environment_variable():
    read = set(re.findall(r'environ\.get\(\s*"(\w+)"', (ROOT / "config" / "settings.py").read_text()))
    table = TEXT.partition("## Settings")[2].partition("###")[0]
    assert set(re.findall(r"`([A-Z_]+)`", "".join(re.findall(r"^\|([^|]+)\|", table, re.MULTILINE)))) == read


def test_api_table_has_every_path():
    from search.api import api

    document = api.get_openapi_schema()
    paths = {f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods}
    assert set(re.findall(r"^\| `([A-Z]+ [^`?]+)", TEXT, re.MULTILINE)) == paths


@pytest.mark.parametrize(("command", "output"), examples("curl"))
def test_api_answers_as_shown(site, command, output):
    address = command.split("'")[1].replace("http://127.0.0.1:8000", site)
    try:
        with urlopen(address) as response:
            answer = json.load(response)
    except HTTPError as error:
        with error:
            answer = json.load(error)
    assert in_part(json.loads(output), answer)


@pytest.fixture(scope="module")
def folder(prepared_data):
    with copy_of(prepared_data) as copied:
        yield copied


@pytest.mark.parametrize(("command", "output"), examples(".venv/bin/python manage.py"))
def test_command_prints_what_is_shown(folder, command, output):
    done = subprocess.run(
        [sys.executable, *shlex.split(command)[1:]],
        cwd=ROOT, env=environment_of(folder), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert [line for line in output.splitlines() if line not in done.stdout.splitlines()] == []


def test_pictures_and_links_lead_somewhere():
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", TEXT) if "://" not in link]
    assert [link for link in links if not (ROOT / link).exists()] == []


if __name__ == "__main__":
    README.write_text(LAYOUT.sub(lambda _: layout(), TEXT))

"""The house rules that no linter knows."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.conftest import ROOT, environment_of

VAGUE = {"utils", "util", "helpers", "helper", "common", "services", "selectors", "misc", "constants", "base"}
# Django looks for a database backend in a module of this name.
NAMED_BY_OTHERS = {Path("config/postgres/base.py")}
REQUIREMENT = re.compile(r"^([A-Za-z0-9._-]+)==\S+ \\$", re.MULTILINE)


def tracked(*patterns: str) -> list[Path]:
    """List the project's files, all or those that match; without git, whatever lies outside the ignored folders."""
    try:
        done = subprocess.run(["git", "ls-files", *patterns], cwd=ROOT, capture_output=True, text=True, check=True)
        names = done.stdout.splitlines()
    except (OSError, subprocess.CalledProcessError):
        everything = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
        names = [
            str(path)
            for path in everything
            if not {".venv", "var", "__pycache__"} & set(path.parts)
            and (not patterns or any(fnmatch(str(path), pattern) for pattern in patterns))
        ]
    return [ROOT / name for name in names if (ROOT / name).is_file()]


def found(pattern: str, paths: list[Path]) -> list[str]:
    """List the lines of files that match, as `path:number: line`."""
    expression = re.compile(pattern)
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in paths
        for number, line in enumerate(path.read_text(errors="ignore").splitlines(), start=1)
        if expression.search(line)
    ]


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_pinned_with_hashes_and_no_address(lock):
    text = (ROOT / lock).read_text()
    entries = re.split(r"\n(?=\S)(?!#)", text.strip())
    assert [entry for entry in entries if not REQUIREMENT.match(entry) or "--hash=sha256:" not in entry] == []
    assert "://" not in text


@pytest.mark.parametrize(("lock", "extras"), [("requirements.txt", []), ("requirements-dev.txt", ["dev"])])
def test_lock_holds_what_the_project_asks_for(lock, extras):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *(name for extra in extras for name in project["optional-dependencies"][extra])]
    names = {normal(re.split(r"[^A-Za-z0-9._-]", line)[0]) for line in asked}
    assert names - {normal(name) for name in REQUIREMENT.findall((ROOT / lock).read_text())} == set()


def test_locks_agree():
    runtime, development = ((ROOT / lock).read_text() for lock in ("requirements.txt", "requirements-dev.txt"))
    pins = set(re.findall(r"^(\S+==\S+)", runtime, re.MULTILINE))
    assert pins - set(re.findall(r"^(\S+==\S+)", development, re.MULTILINE)) == set()


def test_no_module_has_a_vague_name():
    modules = {path.relative_to(ROOT) for path in tracked("*.py")}
    assert {module for module in modules if module.stem in VAGUE} == NAMED_BY_OTHERS


def test_only_the_settings_read_the_environment():
    sources = [path for path in tracked("corpus/*.py", "search/*.py", "config/*.py") if path.name != "settings.py"]
    readings = found(r"os\.(environ(\[|\.get)|getenv)", sources)
    assert readings == []


def test_deployment_behind_tls_passes_django_s_own_check(tmp_path):
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment_of(tmp_path) | {"HTTPS": "1"}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_no_text_is_marked_safe_unescaped():
    assert found(r"\|\s*safe\b|autoescape off", tracked("*.html")) == []


def test_templates_hold_no_script_style_or_foreign_address():
    templates = tracked("templates/*.html")
    assert (
        found(r"<script(?![^>]*\bsrc=)(?![^>]*type=\"application/ld\+json\")|<style|\bon[a-z]+=\"|style=\"", templates)
        == []
    )
    assert found(r"(src|href)=\"(https?:)?//", templates) == []


def test_nothing_names_the_machine_it_was_made_on():
    places = "|".join(["/wo" + "rk/", "/ro" + "ot/", "/tm" + "p/br", "py" + "pi.org", "pythonhos" + "ted"])
    assert found(places, [path for path in tracked() if path.suffix != ".png"]) == []


def test_changelog_is_dated_newest_first_with_one_line_a_change():
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    days = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    assert days == sorted(days, reverse=True)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", day) for day in days)
    assert [line for line in lines[1:] if line and not line.startswith(("## ", "- "))] == []

"""The audit of what is pinned fails for a known fault, and never because nobody could be asked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT
from tests.serving import serving

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

FAULT = {
    "id": "PYSEC-0000-1",
    "aliases": ["CVE-0000-1"],
    "summary": "Something is wrong.",
    "affected": [
        {
            "package": {"name": "django", "ecosystem": "PyPI"},
            "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "3.2.9"}]}],
            "versions": ["3.2", "3.2.1"],
        }
    ],
}
ALL_ABOUT_DJANGO = {("django", "3.2"): [FAULT], ("django", "3.2.1"): [FAULT]}
Faults = dict[tuple[str, str], list[dict[str, Any]]]


class Advisories(ThreadingHTTPServer):
    """Answers as OSV does, `answers` times, then with an error."""

    daemon_threads = True

    def __init__(self, faults: Faults, answers: int = 1_000_000, body: bytes | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.faults, self.answers, self.body = faults, answers, body
        self.asked: list[tuple[str, str]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Advisories

    def do_POST(self) -> None:
        query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        package = query["package"]["name"], query["version"]
        self.server.asked.append(package)
        found = self.server.faults.get(package)
        body = self.server.body or json.dumps({"vulns": found} if found else {}).encode()
        self.send_response(200 if len(self.server.asked) <= self.server.answers else 503)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
        """Say nothing."""


@contextmanager
def asking(faults: Faults, **more: Any) -> Iterator[tuple[Advisories, str]]:
    with serving(Advisories(faults, **more)) as server:
        yield server, f"http://127.0.0.1:{server.server_address[1]}/v1/query"


def audit(folder: Path, url: str, pinned: Mapping[str, str]) -> tuple[int, str]:
    """Audit a file of pinned versions; give the exit code and what was said."""
    file = folder / "requirements.txt"
    file.write_text("".join(f"{name}=={version} --hash=sha256:{'0' * 64}\n" for name, version in pinned.items()))
    done = subprocess.run(
        [sys.executable, ".ci/audit.py", str(file)],
        cwd=ROOT, env=os.environ | {"AUDIT_URL": url}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def test_a_known_fault_fails(tmp_path: Path) -> None:
    with asking(ALL_ABOUT_DJANGO) as (server, url):
        code, said = audit(tmp_path, url, {"django": "3.2.1", "lxml": "6.1.3"})
    assert (code, said.splitlines()) == (
        1,
        [
            "audit: django 3.2.1: PYSEC-0000-1 CVE-0000-1, mended in 3.2.9",
            "audit: 2 packages, 1 known faults",
        ],
    )
    assert ("lxml", "6.1.3") in server.asked


def test_what_has_no_known_fault_passes(tmp_path: Path) -> None:
    with asking(ALL_ABOUT_DJANGO) as (_server, url):
        assert audit(tmp_path, url, {"lxml": "6.1.3"}) == (0, "audit: 1 packages, 0 known faults\n")


@pytest.mark.parametrize(
    ("server", "because"),
    [
        ({"faults": ALL_ABOUT_DJANGO, "answers": 0}, "503"),
        ({"faults": ALL_ABOUT_DJANGO, "answers": 1}, "503"),
        ({"faults": ALL_ABOUT_DJANGO, "body": b"<html>maintenance</html>"}, "JSONDecodeError"),
        ({"faults": {}}, "it knows no fault of Django 3.2"),
    ],
    ids=["down", "down in the middle", "a page", "a mirror that knows nothing"],
)
def test_a_service_that_fails_is_told_in_one_line_and_fails_nothing(
    tmp_path: Path, server: dict[str, Any], because: str
) -> None:
    with asking(**server) as (_server, url):
        code, said = audit(tmp_path, url, {"django": "3.2.1"})
    assert code == 0
    assert said.startswith("audit: NOT DONE, ")
    assert because in said
    assert len(said.splitlines()) == 1


@pytest.mark.parametrize("url", ["http://127.0.0.1:9/v1/query", "http://nowhere.invalid/v1/query"])
def test_a_service_that_cannot_be_reached_fails_nothing(tmp_path: Path, url: str) -> None:
    code, said = audit(tmp_path, url, {"django": "3.2.1"})
    assert (code, said.count("\n"), "NOT DONE" in said) == (0, 1, True)


def test_a_file_that_cannot_be_read_is_no_outage(tmp_path: Path) -> None:
    with asking(ALL_ABOUT_DJANGO) as (_server, url):
        code, said = audit(tmp_path, url, {"django": "not a version"})
    assert (code, "pip-audit failed" in said) == (2, True)


def test_checking_audits_what_is_pinned() -> None:
    check = (ROOT / "Makefile").read_text().partition("\ncheck:")[2].partition("\n\n")[0]
    assert "$(BIN)/python .ci/audit.py requirements.txt\n" in check

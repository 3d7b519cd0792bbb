"""Asks whether what is pinned has known faults: fails for one, and only says so where the service does not answer.

    python .ci/audit.py requirements.txt ...

AUDIT_URL is the query address of a service that speaks as OSV does (https://osv.dev), which is also the default.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx

URL = os.environ.get("AUDIT_URL") or "https://api.osv.dev/v1/query"
SECONDS = 15
# Of this everybody who knows anything knows faults: who tells of none, such as a mirror, cannot be believed.
KNOWN_FAULTY = {"package": {"name": "django", "ecosystem": "PyPI"}, "version": "3.2"}
FAULTY, UNREADABLE = 1, 2


def main(files: list[str]) -> int:
    """Audit the files; give the exit code."""
    if reason := _silence():
        return _go_on(reason)
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        asked = [word for file in files for word in ("--requirement", file)]
        done = subprocess.run(  # noqa: S603 (our own tool)
            [
                sys.executable, "-m", "pip_audit", "--require-hashes", "--disable-pip", "--progress-spinner", "off",
                "--vulnerability-service", "osv", "--osv-url", URL, "--timeout", str(SECONDS), "--format", "json",
                "--output", str(report), *asked,
            ],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if not report.exists():
            return _go_on(reason) if (reason := _silence()) else _fail(done.stderr)
        return _judge(json.loads(report.read_text())["dependencies"])


def _silence() -> str:
    """Say why the service is not to be relied on; nothing if it is."""
    try:
        answer = httpx.post(URL, json=KNOWN_FAULTY, timeout=SECONDS)
        answer.raise_for_status()
        told = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    return "" if isinstance(told, dict) and told.get("vulns") else "it knows no fault of Django 3.2, which has many"


def _go_on(reason: str) -> int:
    sys.stdout.write(f"audit: NOT DONE, {URL} does not answer ({reason[:200]}); nothing is known of faults\n")
    return 0


def _fail(complaint: str) -> int:
    sys.stdout.write(f"audit: pip-audit failed\n{complaint}")
    return UNREADABLE


def _judge(dependencies: list[dict[str, Any]]) -> int:
    skipped = [f"{one['name']}: {one['skip_reason']}" for one in dependencies if "skip_reason" in one]
    faults = [
        f"{one['name']} {one['version']}: {' '.join((fault['id'], *fault['aliases']))},"
        f" mended in {', '.join(fault['fix_versions']) or 'no release'}"
        for one in dependencies
        for fault in one.get("vulns", ())
    ]
    sys.stdout.writelines(f"audit: {line}\n" for line in (*skipped, *faults))
    sys.stdout.write(f"audit: {len(dependencies) - len(skipped)} packages, {len(faults)} known faults\n")
    return FAULTY if faults or skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["requirements.txt"]))

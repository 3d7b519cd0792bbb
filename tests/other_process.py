"""Runs a command in a process of its own, over the test's database and folders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection

from tests.conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable

SCRIPT = """
import json, sys
from pathlib import Path
from django.conf import settings
database, folders, before, command = json.loads(sys.argv[1])
settings.DATABASES["default"]["NAME"] = database
for name, folder in folders.items():
    setattr(settings, name, Path(folder))
import django
django.setup()
exec(before)
from django.core.management import call_command
call_command(*command)
"""
# Beyond any pause of a busy machine, and only waited for where a test fails anyway.
PATIENCE_SECONDS = 120.0
FOLDERS = ("MEDIA_ROOT", "LEXICAL_INDEX_DIR", "VECTOR_INDEX_DIR")


def start(*command: str, before: str = "", database: str = "", **environment: str) -> subprocess.Popen[str]:
    """Start a management command; `before` is Python that runs first, `database` another than the test's."""
    folders = {name: str(getattr(settings, name)) for name in FOLDERS}
    asked: list[Any] = [database or connection.settings_dict["NAME"], folders, before, command]
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, json.dumps(asked)],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.test_settings", **environment},
    )  # fmt: skip


def run(*command: str, before: str = "", **environment: str) -> str:
    """Run a management command to its end, which must be good; give what it printed."""
    process = start(*command, before=before, **environment)
    said, complaints = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0, complaints
    return said


def wait_until(condition: Callable[[], object], seconds: float = PATIENCE_SECONDS) -> None:
    """Wait for something to come about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come about in time"
        time.sleep(0.02)

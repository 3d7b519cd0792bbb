"""Kills work at a chosen moment: a process that is ready to work forks a child for each piece, which may end mid-way.

Moments are counted in statements to the database and changes to files; a child is killed at one, or some thousandths
of a second after it, wherever native code is by then.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import connection

from tests.conftest import ROOT
from tests.other_process import FOLDERS, wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMED = "to be killed"
FILE_CHANGES = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link"}
PREPARED = """
import sys
from tests.killing import serve
serve(sys.argv[1])
"""


class Forge:
    """Does work in children of a process that has everything loaded, and tells how each ended."""

    def __init__(self) -> None:
        folders = {name: str(getattr(settings, name)) for name in FOLDERS}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PREPARED, json.dumps([connection.settings_dict["NAME"], folders])],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.test_settings", "PGAPPNAME": NAMED},
        )  # fmt: skip

    def do(self, work: str, *arguments: str, at: int = 0, delay: float = 0.0) -> tuple[bool, int]:
        """Do a piece of work, killed at the moment `at` if that is not 0; give whether it was, and moments passed."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps([work, arguments, at, delay]) + "\n")
        self.process.stdin.flush()
        ended, moments = json.loads(self.process.stdout.readline())
        wait_until(is_alone)
        assert ended in {0, -signal.SIGKILL, -signal.SIGALRM}, f"{work} ended with {ended}"
        return ended != 0, moments


@contextmanager
def forge() -> Iterator[Forge]:
    """Give a forge that ends with the test."""
    made = Forge()
    try:
        yield made
    finally:
        assert made.process.stdin
        assert made.process.stdout
        made.process.stdin.close()
        made.process.stdout.close()
        made.process.kill()
        made.process.wait()


def is_alone() -> bool:
    """Whether the server has noticed that the child is gone."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = %s",
            [NAMED],
        )
        return bool(cursor.fetchone()[0] == 0)


def serve(asked: str) -> None:
    """Fork a child for each line of input, and answer with how it ended and how many moments it had."""
    import django

    database, folders = json.loads(asked)
    settings.DATABASES["default"]["NAME"] = database
    for name, folder in folders.items():
        setattr(settings, name, ROOT / folder)
    django.setup()
    from tests import killed_work

    for line in sys.stdin:
        work, arguments, at, delay = json.loads(line)
        told, tell = os.pipe()
        child = os.fork()
        if not child:
            _work(getattr(killed_work, work), arguments, at, delay, tell)
        os.close(tell)
        moments = os.read(told, 100)
        os.close(told)
        _, status = os.waitpid(child, 0)
        sys.stdout.write(json.dumps([os.waitstatus_to_exitcode(status), int(moments or 0)]) + "\n")
        sys.stdout.flush()


def _work(work: Any, arguments: list[str], at: int, delay: float, tell: int) -> None:
    """Work in the child, and leave without the ceremony of a whole process."""
    count = 0

    def pass_moment() -> None:
        nonlocal count
        count += 1
        if count == at and delay:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, delay)
        elif count == at:
            os.kill(os.getpid(), signal.SIGKILL)

    def hear(event: str, given: tuple[Any, ...]) -> None:
        is_written = event == "open" and isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if event in FILE_CHANGES or is_written:
            pass_moment()

    def execute(run: Any, *given: Any) -> Any:
        pass_moment()
        return run(*given)

    code = 1
    try:
        # What the work prints is nobody's answer.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        connection.ensure_connection()
        sys.addaudithook(hear)
        with connection.execute_wrapper(execute):
            work(*arguments)
        code = 0
    except BaseException:
        import traceback

        traceback.print_exc()
    finally:
        at = 0
        os.write(tell, str(count).encode())
        os._exit(code)

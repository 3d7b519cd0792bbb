"""serve: the whole product on one machine, started and stopped together."""

from __future__ import annotations

import errno
import signal
import socket
import subprocess
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import uvicorn
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from search import citation_linking, indexing, preparation

GRACE_SECONDS = 5
WORKER_GRACE_SECONDS = 8
WORKER_LOOK_SECONDS = 0.2
WORKER_PAUSE_SECONDS = 5
EXAMPLE_QUESTIONS = (
    ("a question", "/?q=recargo+por+declarar+tarde+sin+requerimiento"),
    ("a citation", "/ley-990-2019:art-11.4.b"),
    ("the law on another day", "/ley-990-2019:art-11@2023-01-01"),
    ("the same as JSON", "/api/v1/citations?q=art.+11.4.b)+Ley+990/2019"),
)


class Command(BaseCommand):
    """Serve pages and API, with the embedded database if no other is named, until stopped."""

    help = "Serve pages and API with everything they need on one machine, until Ctrl-C or SIGTERM stops it all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (default %(default)s)")
        parser.add_argument("--port", type=_port, default=8000, help="the port; 0 takes a free one (default 8000)")
        parser.add_argument("--examples", action="store_true", help="load, embed and index the laws of examples/ first")

    def handle(self, *args: Any, **options: Any) -> None:
        """Prepare, serve, and leave nothing running."""
        signal.signal(signal.SIGINT, _stop)
        signal.signal(signal.SIGTERM, _stop)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup leaves it
            signal.signal(signal.SIGHUP, _stop)
        with suppress(KeyboardInterrupt), _bound_socket(options["host"], options["port"]) as listener:
            self._prepare(with_examples=options["examples"])
            server = _Server(lambda: self._announce(listener, with_examples=options["examples"]))
            with _work_beside():
                server.run(sockets=[listener])
        self._say("Stopped.")

    def _prepare(self, *, with_examples: bool) -> None:
        preparation.migrate(self._say)
        preparation.collect_static(self._say)
        if with_examples:
            preparation.load(settings.BASE_DIR / "examples", self._say)
            preparation.embed(self._say)
        preparation.make_ready(self._say)

    def _announce(self, listener: socket.socket, *, with_examples: bool) -> None:
        host, port = listener.getsockname()[:2]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        self._say(f"Fundamento serves on {address} (Ctrl-C stops it).")
        if with_examples:
            self._say("Try:")
            for what, path in EXAMPLE_QUESTIONS:
                self._say(f"  {what + ':':<24}{address}{path}")
        self._say(f"  {'the API:':<24}{address}/api/v1/docs")

    def _say(self, text: str) -> None:
        self.stdout.write(text)
        self.stdout.flush()


class _Server(uvicorn.Server):
    """Uvicorn, telling when it takes requests."""

    def __init__(self, when_started: Callable[[], None]) -> None:
        config = uvicorn.Config(
            "config.asgi:application",
            http="config.wire:Wire",
            lifespan="off",
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        super().__init__(config)
        self.when_started = when_started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Take requests, and say so."""
        await super().startup(sockets)
        self.when_started()


@contextmanager
def _work_beside() -> Iterator[None]:
    stop = threading.Event()
    work = {"index-follower": indexing.follow, "citation-follower": citation_linking.follow, "worker": _keep_a_worker}
    threads = [threading.Thread(target=task, args=[stop], name=name) for name, task in work.items()]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def _keep_a_worker(stop: threading.Event) -> None:
    """Have jobs carried out by a process of its own, which ends with this one, however this one ends."""
    while not stop.is_set():
        command = [sys.executable, sys.argv[0], "run_jobs", "--until-input-ends"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as worker:  # noqa: S603 (ours)
            while worker.poll() is None and not stop.wait(WORKER_LOOK_SECONDS):
                pass
            _end(worker)
        stop.wait(WORKER_PAUSE_SECONDS)


def _end(worker: subprocess.Popen[bytes]) -> None:
    worker.terminate()
    try:
        worker.wait(WORKER_GRACE_SECONDS)
    except subprocess.TimeoutExpired:
        # What it is at is undone by the database, and taken up at the next start.
        worker.kill()


def _bound_socket(host: str, port: int) -> socket.socket:
    """Take the address before any work is done for it; raise `CommandError` if it is not to be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise CommandError(
                f"port {port} of {host} is taken: stop what uses it, or choose another with --port"
            ) from error
        raise CommandError(f"cannot listen on {host}, port {port}: {error.strerror}") from error
    return listener


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) < 65_536):
        raise ValueError(text)
    return int(text)


def _stop(*_: object) -> NoReturn:
    raise KeyboardInterrupt

"""run_jobs: carries out the jobs that are queued, and takes up again what a killed worker left."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from argparse import ArgumentParser
from typing import TYPE_CHECKING, Any

from asgiref.sync import sync_to_async
from django.core.management.base import BaseCommand
from procrastinate.contrib.django import app
from procrastinate.contrib.django.utils import connector_params
from procrastinate.psycopg_connector import PsycopgConnector

from corpus import jobs, uploads

if TYPE_CHECKING:
    from procrastinate.app import WorkerOptions

# One job that reads texts, one that makes vectors, one that builds indexes, one that links citations.
ALWAYS: WorkerOptions = {"delete_jobs": "always", "update_heartbeat_interval": jobs.HEARTBEAT_SECONDS}
UNTIL_STOPPED: WorkerOptions = {**ALWAYS, "concurrency": 4, "shutdown_graceful_timeout": 0}
# One by one, the worker knows only after the last that there is no other.
ONCE: WorkerOptions = {**ALWAYS, "wait": False, "concurrency": 1}
LOOK_FOR_LOST_SECONDS = 30
# Questions come first.
NICENESS = 10


class Command(BaseCommand):
    """Carry out queued jobs until stopped; what is under way then goes on at the next start."""

    help = "Carry out the jobs that are queued, until Ctrl-C or SIGTERM; 'serve' does so by itself."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--once", action="store_true", help="end when nothing is left to do")
        parser.add_argument("--until-input-ends", action="store_true", help="also stop when standard input is closed")

    def handle(self, *args: Any, **options: Any) -> None:
        """Work."""
        os.nice(NICENESS)
        if options["until_input_ends"]:
            threading.Thread(target=_stop_at_end_of_input, daemon=True).start()
        asyncio.run(_work(wait=not options["once"]))


async def _work(*, wait: bool) -> None:
    connector = PsycopgConnector(kwargs=connector_params(), min_size=1, max_size=3)
    resume = sync_to_async(jobs.resume)
    with app.replace_connector(connector):
        async with app.open_async():
            await resume()
            await sync_to_async(uploads.forget_old)()
            looking = asyncio.create_task(_look_for_lost(resume))
            try:
                await app.run_worker_async(**(UNTIL_STOPPED if wait else ONCE))
            finally:
                looking.cancel()


async def _look_for_lost(resume: Any) -> None:
    """Take up what another machine's worker left when it was killed."""
    while True:
        await asyncio.sleep(LOOK_FOR_LOST_SECONDS)
        await resume()


def _stop_at_end_of_input() -> None:
    """Stop when the process that started this one is gone, however it went."""
    # Not through Python's buffer, whose lock a thread that never ends would hold as the interpreter does.
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)

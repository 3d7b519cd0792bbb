"""Reads laws in worker processes: in the order asked for, a bounded number ahead, each failure told of its own file."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

from corpus.columns import Unstorable
from corpus.importers.markup import ImportRefused
from corpus.importers.sources import Source
from corpus.law_rows import LawRows, rows_of
from corpus.records import LawRecord

# Starting processes takes half a second: less than this is read at once.
WORTH_PROCESSES_BYTES = 4_000_000
BYTES_AHEAD = 24_000_000
MOST_PROCESSES = 8


@dataclass(frozen=True)
class Order:
    """A source to read: to `rows` for a law that the corpus does not hold, else to its record."""

    source: Source
    is_new: bool


@dataclass(frozen=True)
class Reading:
    """What a source holds, or why it was refused; `fault` is the traceback of an error that is ours.

    `key` names the law that the corpus holds from these very bytes, so that there was nothing to read.
    """

    source: Source
    rows: LawRows | None = None
    record: LawRecord | None = None
    key: str = ""
    refusal: str = ""
    fault: str = ""
    seconds: float = 0.0


def read_all(orders: Sequence[Order], today: date) -> Generator[Reading]:
    """Read sources in their order, in as many processes as there are processors if that is worth it."""
    processes = min(_processors(), MOST_PROCESSES, len(orders))
    if processes < 2 or sum(order.source.size for order in orders) < WORTH_PROCESSES_BYTES:
        yield from (read_one(order, today) for order in orders)
        return
    pool = _Pool(processes, today)
    try:
        yield from pool.read(orders)
    finally:
        pool.close()


def read_one(order: Order, today: date) -> Reading:
    """Read one source; nothing that is wrong with it is raised."""
    started = time.perf_counter()
    rows = record = None
    refusal = fault = ""
    try:
        record = order.source.read()
        if order.is_new:
            rows, record = rows_of(record, today), None
    except ImportRefused as error:
        refusal = str(error)
    except Unstorable as error:
        refusal = str(ImportRefused(order.source.path, str(error)))
    except Exception as error:
        refusal = f"{order.source.name}: it could not be read: {type(error).__name__}: {error}"
        fault = traceback.format_exc()
    return Reading(order.source, rows, record, refusal=refusal, fault=fault, seconds=time.perf_counter() - started)


class _Pool:
    """Worker processes with what they were asked for and have not been asked to hand over."""

    def __init__(self, processes: int, today: date) -> None:
        self.processes, self.today = processes, today
        self.executor = _executor(processes)
        self.waiting: deque[tuple[Order, Future[Reading]]] = deque()
        self.bytes_ahead = 0

    def read(self, orders: Sequence[Order]) -> Iterator[Reading]:
        """Give the readings in order, asking for the next ones while the last are stored."""
        for order in orders:
            while self.waiting and self.bytes_ahead + order.source.size > BYTES_AHEAD:
                yield self._next()
            self.bytes_ahead += order.source.size
            self.waiting.append((order, self._ask(order)))
        while self.waiting:
            yield self._next()

    def close(self) -> None:
        """End the processes; what they have not begun is left."""
        self.executor.shutdown(wait=True, cancel_futures=True)

    def _ask(self, order: Order) -> Future[Reading]:
        try:
            return self.executor.submit(read_one, order, self.today)
        except BrokenProcessPool as error:
            broken: Future[Reading] = Future()
            broken.set_exception(error)
            return broken

    def _next(self) -> Reading:
        order, future = self.waiting.popleft()
        self.bytes_ahead -= order.source.size
        try:
            return future.result()
        except BrokenProcessPool:
            return self._alone(order)

    def _alone(self, order: Order) -> Reading:
        """Read a source by itself after a process has died, to learn whether it died of this one."""
        self.executor.shutdown(wait=True, cancel_futures=True)
        with suppress(BrokenProcessPool), _executor(1) as single:
            reading = single.submit(read_one, order, self.today).result()
            self._begin_anew()
            return reading
        self._begin_anew()
        return Reading(order.source, refusal=f"{order.source.name}: the process that read it was killed")

    def _begin_anew(self) -> None:
        self.executor = _executor(self.processes)
        self.waiting = deque((order, self._ask(order)) for order, _ in self.waiting)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _executor(processes: int) -> ProcessPoolExecutor:
    """Start fresh processes: one forked from a server would share its connections and locks."""
    return ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _prepare)


def _prepare() -> None:
    """Leave Ctrl-C to the process that asked, and end when that one does, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    asking = multiprocessing.parent_process()
    if asking is not None:
        threading.Thread(target=_end_with, args=(asking,), daemon=True).start()


def _end_with(asking: multiprocessing.process.BaseProcess) -> None:
    asking.join()
    os._exit(1)

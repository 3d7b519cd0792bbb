"""Laws are read in worker processes: in order, every failure told of its own file, and none outlives who asked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from corpus import reading
from corpus.importers.sources import Source, find
from corpus.law_rows import rows_of
from corpus.reading import Order, read_all, read_one
from corpus.records import LawRecord
from tests.boe_response import article, write
from tests.other_process import wait_until

TODAY = date(2026, 1, 2)


@dataclass(frozen=True)
class Harmful(Source):
    """A source that does something to the process that reads it."""

    harm: str = ""

    def read(self) -> LawRecord:
        if self.harm == "kills":
            os.kill(os.getpid(), signal.SIGKILL)
        raise ZeroDivisionError("a fault of ours")


@pytest.fixture(autouse=True)
def always_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WORTH_PROCESSES_BYTES", 0)


def laws(folder: Path, count: int) -> list[Source]:
    for number in range(count):
        text = article("Artículo 1", f"Texto {number}.")
        write(
            folder, text, identificador=f"BOE-A-2019-{number}", numero_oficial=f"{number}/2019", name=f"{number:03}.xml"
        )
    return list(find([folder]).sources)


def harmful(harm: str) -> Source:
    return Harmful((Path(f"{harm}.xml"),), "", None, "", 10, harm)


def orders(*sources: Source) -> list[Order]:
    return [Order(source, is_new=True) for source in sources]


def test_readings_come_in_order_and_are_what_one_process_reads(tmp_path: Path) -> None:
    sources = laws(tmp_path, 25)
    found = list(read_all(orders(*sources), TODAY))
    assert [one.source for one in found] == sources
    assert [one.rows for one in found] == [rows_of(source.read(), TODAY) for source in sources]


def test_known_law_is_given_as_its_record(tmp_path: Path) -> None:
    first, second = laws(tmp_path, 2)
    found = list(read_all([Order(first, is_new=False), Order(second, is_new=True)], TODAY))
    assert (found[0].record, found[0].rows, found[1].record) == (first.read(), None, None)


def test_refused_file_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "bad.xml").write_bytes(b"<response><data>")
    sources = laws(tmp_path, 2)
    found = {one.source.path.name: one.refusal for one in read_all(orders(*sources), TODAY)}
    assert found.pop("bad.xml").startswith(f"{tmp_path}/bad.xml, line 1: not well-formed XML")
    assert set(found.values()) == {""}


def test_fault_of_ours_is_told_of_its_file_with_a_traceback(tmp_path: Path) -> None:
    found = list(read_all(orders(harmful("fails"), *laws(tmp_path, 2)), TODAY))
    assert found[0].refusal == "fails.xml: it could not be read: ZeroDivisionError: a fault of ours"
    assert "Traceback" in found[0].fault
    assert [one.refusal for one in found[1:]] == ["", ""]


def test_file_that_kills_its_process_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    sources = laws(tmp_path, 6)
    sources.insert(2, harmful("kills"))
    found = list(read_all(orders(*sources), TODAY))
    refusals = ["", "", "kills.xml: the process that read it was killed", "", "", "", ""]
    assert [one.refusal for one in found] == refusals
    assert [one.source for one in found] == sources


def test_few_bytes_are_read_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "WORTH_PROCESSES_BYTES", 1_000_000)
    monkeypatch.setattr(reading, "_executor", None)
    sources = laws(tmp_path, 2)
    assert [one.rows for one in read_all(orders(*sources), TODAY)] == [
        read_one(one, TODAY).rows for one in orders(*sources)
    ]


def test_processes_end_with_the_one_that_asked_though_it_is_killed(tmp_path: Path) -> None:
    laws(tmp_path, 3)
    program = (
        "import multiprocessing, time\n"
        "from datetime import date\nfrom pathlib import Path\nfrom corpus import reading\n"
        "from corpus.importers.sources import find\n"
        "if __name__ == '__main__':\n"
        "    reading.WORTH_PROCESSES_BYTES = 0\n"
        f"    found = find([Path({str(tmp_path)!r})]).sources\n"
        "    readings = reading.read_all([reading.Order(one, True) for one in found], date(2026, 1, 2))\n"
        "    next(readings)\n"
        "    print(*[one.pid for one in multiprocessing.active_children()], flush=True)\n"
        "    time.sleep(600)\n"
    )
    script = tmp_path / "asks.py"
    script.write_text(program)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    asking = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment)
    assert asking.stdout is not None
    readers = list(map(int, asking.stdout.readline().split()))
    asking.kill()
    asking.wait()
    asking.stdout.close()
    assert len(readers) == 2
    wait_until(lambda: not any(map(_is_alive, readers)))


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"

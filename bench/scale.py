"""Measures import and indexing of a whole corpus: time, processor time and peak memory by stage, sizes and counts.

    DATA_DIR=/tmp/whole python bench/scale.py path/to/legalize-es

runs `import_laws`, the same again, and `index_corpus --rebuild`, each as a process of its own, and watches them and
the database server through /proc (Linux). Memory is proportional set size: what is shared is counted once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import django

ROOT = Path(__file__).resolve().parent.parent
TICK = os.sysconf("SC_CLK_TCK")
SAMPLE_SECONDS = 1.0
TABLES = ("law", "article", "articleversion", "chunk", "importentry")


@dataclass
class Watch:
    """What the processes of one stage used; `groups` parts the command, its workers and the database server."""

    peak_bytes: int = 0
    busy: dict[int, tuple[str, float]] = field(default_factory=dict)
    before: dict[int, float] = field(default_factory=dict)

    def sample(self, command: int) -> None:
        """Look at every process of the stage once."""
        total = 0
        for group, process in _processes(command):
            seconds = _busy_seconds(process)
            self.before.setdefault(process, seconds if group == "database" and not self.busy else 0.0)
            self.busy[process] = group, seconds - self.before[process]
            total += _memory(process)
        self.peak_bytes = max(self.peak_bytes, total)

    def busy_by_group(self) -> dict[str, float]:
        """Give processor seconds of the command, of its workers, and of the database server."""
        found = {"command": 0.0, "workers": 0.0, "database": 0.0}
        for group, seconds in self.busy.values():
            found[group] += seconds
        return found


def main() -> None:
    """Run the stages and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="a folder of laws")
    parser.add_argument("--no-import", action="store_true", help="only index what is there")
    folder = parser.parse_args()
    _prepare()
    imports = [] if folder.no_import else [("import", "import_laws", str(folder.corpus), "--json"),
                                           ("import again", "import_laws", str(folder.corpus), "--json")]  # fmt: skip
    print(f"{'stage':<14}{'seconds':>9}{'command':>9}{'workers':>9}{'database':>10}{'peak MB':>9}")
    for name, *command in [*imports, ("index", "index_corpus", "--rebuild")]:
        seconds, watch = _run(command)
        busy = watch.busy_by_group()
        print(f"{name:<14}{seconds:>9.1f}{busy['command']:>9.1f}{busy['workers']:>9.1f}{busy['database']:>10.1f}"
              f"{watch.peak_bytes / 1e6:>9.0f}", flush=True)  # fmt: skip
    print("\n".join(_sizes()))


def _prepare() -> None:
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)


def _run(command: list[str]) -> tuple[float, Watch]:
    """Run a command of manage.py and watch it; stop if it could not do its work."""
    watch, started = Watch(), time.monotonic()
    log = Path(os.environ.get("SCALE_LOG", os.devnull))
    with (
        log.open("ab") as out,
        subprocess.Popen([sys.executable, ROOT / "manage.py", *command], stdout=out, stderr=out) as running,
    ):
        while running.poll() is None:
            watch.sample(running.pid)
            time.sleep(SAMPLE_SECONDS)
    if running.returncode not in (0, 1):
        raise SystemExit(f"{command[0]} ended with exit code {running.returncode}")
    return time.monotonic() - started, watch


def _processes(command: int) -> Iterator[tuple[str, int]]:
    """Give the command, what it started, and the processes of the database server that we use."""
    parents = {int(entry.name): _parent(int(entry.name)) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    server = _server()
    for process in parents:
        line = list(_ancestors(process, parents))
        if process == command:
            yield "command", process
        elif command in line:
            yield "workers", process
        elif server and (process == server or server in line):
            yield "database", process


def _ancestors(process: int, parents: dict[int, int]) -> Iterator[int]:
    while process := parents.get(process, 0):
        yield process


def _server() -> int:
    """Give the process id of the embedded server; 0 for a server of one's own, which is not watched."""
    from django.conf import settings

    pid = Path(settings.DATA_DIR) / "postgres" / "postmaster.pid"
    return int(pid.read_text().split("\n", 1)[0]) if pid.exists() else 0


def _parent(process: int) -> int:
    fields = _stat(process)
    return int(fields[1]) if fields else 0


def _busy_seconds(process: int) -> float:
    fields = _stat(process)
    return (int(fields[11]) + int(fields[12])) / TICK if fields else 0.0


def _stat(process: int) -> list[str]:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return []


def _memory(process: int) -> int:
    """Give the proportional set size in bytes."""
    try:
        rolled = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in rolled.splitlines() if line.startswith("Pss:")), 0)


def _sizes() -> Iterator[str]:
    from django.conf import settings
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        yield f"database: {cursor.fetchone()[0] / 1e6:,.0f} MB"
        for table in TABLES:
            cursor.execute(f"SELECT count(*), pg_total_relation_size('corpus_{table}') FROM corpus_{table}")
            rows, size = cursor.fetchone()
            yield f"  {table}: {rows:,} rows, {size / 1e6:,.0f} MB"
        cursor.execute("SELECT count(*) FROM corpus_article WHERE key LIKE '%~%'")
        yield f"keys that a source repeats (~2, ~3 ...): {cursor.fetchone()[0]:,}"
        cursor.execute("SELECT count(*) - count(DISTINCT (law_id, key)) FROM corpus_article")
        yield f"keys that collide: {cursor.fetchone()[0]:,}"
    index = sum(file.stat().st_size for file in Path(settings.LEXICAL_INDEX_DIR).rglob("*") if file.is_file())
    yield f"lexical index: {index / 1e6:,.0f} MB"


if __name__ == "__main__":
    main()

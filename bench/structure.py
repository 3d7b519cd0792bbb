"""Measures how cleanly provisions slice into apartados, números and letras, and lists every one that does not.

    python bench/structure.py                       the real laws under SHARED_DIR
    python bench/structure.py PATH... [--current]   other sources; only the last redaction of each provision

A provision slices cleanly when every row of marks runs from its first to its last without a gap and no path comes
twice. What is listed is ambiguous or short in its source: the product then answers with candidates or in part.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from corpus import numbering  # noqa: E402 (the path must be set first)
from corpus.importers import load  # noqa: E402
from corpus.numbering import Marker  # noqa: E402
from corpus.records import VersionRecord  # noqa: E402
from corpus.structure import SubUnit, sub_units  # noqa: E402

SHARED_DIR = Path(os.environ.get("SHARED_DIR") or ROOT.parent / "shared")


def irregularities(units: Sequence[SubUnit]) -> list[str]:
    """Say what is not 1..n: a path that comes twice, a row that begins late, a gap in it."""
    counted = Counter(unit.path for unit in units)
    found = [f"{'.'.join(path)} comes {times} times" for path, times in counted.items() if times > 1]
    rows: dict[tuple[str, ...], list[SubUnit]] = defaultdict(list)
    for unit in units:
        rows[unit.path[:-1]].append(unit)
    for row in rows.values():
        found += _gaps([unit for unit in row if counted[unit.path] == 1])
    return found


def _gaps(row: Sequence[SubUnit]) -> Iterator[str]:
    last: list[Marker] = []
    for unit in row:
        readings = [marker for marker in numbering.read(f"{unit.label} X") if marker.segment == unit.path[-1]]
        goes_on = [marker for marker in readings if any(marker.follows(before) for before in last)]
        first = [marker for marker in readings if marker.is_first]
        if not goes_on and not first:
            yield f"{'.'.join(unit.path)} follows {last[0].label if last else 'nothing'}"
        last = goes_on or first or readings


def main() -> None:
    """Measure and print a table, then the provisions that do not slice cleanly."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", type=Path)
    parser.add_argument("--current", action="store_true", help="only the last redaction of each provision")
    arguments = parser.parse_args()
    paths = arguments.paths or sorted((SHARED_DIR / "data" / "boe-xml").glob("BOE-*/full.xml"))
    if not paths:
        parser.error(f"no laws under {SHARED_DIR}; name some files")
    total: Counter[str] = Counter()
    listed: list[str] = []
    print(f"{'law':<16} {'versions':>8} {'numbered':>8} {'units':>7} {'clean':>7}")
    for path in paths:
        for law in load(path):
            figures: Counter[str] = Counter()
            for article in law.articles:
                for version in article.versions[-1:] if arguments.current else article.versions:
                    _measure(version, figures, listed, f"{law.id}:{article.key} ({version.valid_from})")
            total += figures
            _print_row(law.id, figures)
    _print_row("all", total)
    print(f"{total['microseconds'] / 1e3 / max(1, total['versions']):.2f} ms a version\n")
    print("\n".join(listed))


def _measure(version: VersionRecord, figures: Counter[str], listed: list[str], name: str) -> None:
    blocks = [asdict(block) for block in version.blocks]
    start = time.perf_counter()
    units = sub_units(version.text, blocks)
    figures["microseconds"] += round((time.perf_counter() - start) * 1e6)
    figures["versions"] += 1
    figures["units"] += len(units)
    figures["numbered"] += bool(units)
    found = irregularities(units)
    figures["irregular"] += bool(found)
    if found:
        listed.append(f"{name}: {'; '.join(found[:6])}{' …' if len(found) > 6 else ''}")


def _print_row(name: str, figures: Counter[str]) -> None:
    clean = 1 - figures["irregular"] / max(1, figures["numbered"])
    print(f"{name:<16} {figures['versions']:>8} {figures['numbered']:>8} {figures['units']:>7} {clean:>7.1%}")


if __name__ == "__main__":
    main()

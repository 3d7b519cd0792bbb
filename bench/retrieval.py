"""Times `retrieve()` in every mode and under filters over real questions, one client, in this process.

    python bench/retrieval.py [--questions 200] [--sets DIR ...] [--modes lexical]

Needs a corpus that is imported and indexed, and for the other modes embedded; `bench/fill_vectors.py` gives a copy of
one that is not yet what times need. Answers are not kept. Every question is new to the process when it is first asked,
so that its embedding counts; under filters its vector is kept. The time on the processor is this process's alone: on a
machine that does other work it is what can be compared.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.cache import cache  # noqa: E402
from django.test import override_settings  # noqa: E402

from corpus.models import ArticleVersion, Chunk, Law  # noqa: E402
from search import semantic  # noqa: E402
from search.evaluation import load, percentile  # noqa: E402
from search.retrieval import RetrievalRequest, retrieve  # noqa: E402

MODES = ("lexical", "semantic", "hybrid")
SETS = ("corpus92-dev", "constitucion-dev", "aeat-renta-dev")
WARM_UP = 5
FILTERS: dict[str, dict[str, Any]] = {
    "none": {},
    "a rank": {"ranks": ("ley",)},
    "a jurisdiction": {"jurisdictions": ("es",)},
    "a day": {"as_of": date(2010, 1, 1)},
    "ended too": {"include_repealed": True},
    "begun since": {"valid_from": date(2015, 1, 1)},
}


@dataclass
class Timed:
    """What asking some questions took, in milliseconds on the clock and on the processor, and who answered."""

    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    modes: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        told = (f"{percentile(self.clock, share):8.1f}" for share in (0.5, 0.95))
        used = (f"{percentile(self.processor, share):8.1f}" for share in (0.5, 0.95))
        return f"{''.join(told)}{''.join(used)}   {dict(self.modes)}"


def questions(folders: Sequence[Path], count: int) -> list[str]:
    """Take questions from each set in turn, until there are `count`."""
    columns = [list(load(folder).questions.values()) for folder in folders]
    longest = max(map(len, columns))
    mixed = [column[place] for place in range(longest) for column in columns if place < len(column)]
    return mixed[:count]


def timed(asked: Sequence[str], mode: str, conditions: dict[str, Any]) -> Timed:
    """Ask every question once."""
    times = Timed()
    for question in asked:
        request = RetrievalRequest(question, mode=mode, **conditions)
        started, used = time.perf_counter(), time.process_time()
        times.modes[retrieve(request).mode] += 1
        times.processor.append((time.process_time() - used) * 1000)
        times.clock.append((time.perf_counter() - started) * 1000)
    return times


@override_settings(RESPONSE_CACHE_ENTRIES=0)
def main() -> None:
    """Print one line for each mode and filter."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--questions", type=int, default=200)
    options.add_argument("--sets", type=Path, nargs="+", default=[settings.SHARED_DIR / "eval" / name for name in SETS])
    options.add_argument("--modes", nargs="+", choices=MODES, default=MODES)
    arguments = options.parse_args()
    asked = questions(arguments.sets, arguments.questions + WARM_UP)
    if set(arguments.modes) != {"lexical"}:
        semantic.make_ready()
    print(
        f"{Law.objects.count():,} laws, {ArticleVersion.objects.count():,} versions, {Chunk.objects.count():,} chunks"
    )
    print(f"{len(asked) - WARM_UP} questions; load average {os.getloadavg()[0]:.1f}; milliseconds")
    print(f"{'mode':<10}{'filter':<16}{'p50':>8}{'p95':>8}{'CPU p50':>8}{'CPU p95':>8}   answered in")
    for mode in arguments.modes:
        timed(asked[-WARM_UP:], mode, {})
        cache.clear()
        for name, conditions in FILTERS.items():
            print(f"{mode:<10}{name:<16}{timed(asked[:-WARM_UP], mode, conditions)}", flush=True)


if __name__ == "__main__":
    main()

"""Times `retrieve()` in every mode over real questions, one client, in this process.

    python bench/retrieval.py [--questions 200] [--sets DIR ...]

Needs a corpus that is imported, embedded and indexed. Every question is new to the process when it is first asked, so
that its embedding counts; `again` is the same question once more, its vector kept.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.core.cache import cache  # noqa: E402

from corpus.models import ArticleVersion, Chunk, Law  # noqa: E402
from search import semantic  # noqa: E402
from search.evaluation import load, percentile  # noqa: E402
from search.retrieval import RetrievalRequest, retrieve  # noqa: E402

MODES = ("lexical", "semantic", "hybrid")
SETS = ("corpus92-dev", "constitucion-dev", "aeat-renta-dev")
WARM_UP = 5


def questions(folders: Sequence[Path], count: int) -> list[str]:
    """Take questions from each set in turn, until there are `count`."""
    columns = [list(load(folder).questions.values()) for folder in folders]
    longest = max(map(len, columns))
    mixed = [column[place] for place in range(longest) for column in columns if place < len(column)]
    return mixed[:count]


def timed(asked: Sequence[str], mode: str) -> tuple[list[float], Counter[str]]:
    """Ask every question once; give the milliseconds of each and the modes that answered."""
    milliseconds, modes = [], Counter[str]()
    for question in asked:
        started = time.perf_counter()
        modes[retrieve(RetrievalRequest(question, mode=mode)).mode] += 1
        milliseconds.append((time.perf_counter() - started) * 1000)
    return milliseconds, modes


def main() -> None:
    """Print one line a mode."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--questions", type=int, default=200)
    options.add_argument("--sets", type=Path, nargs="+", default=[settings.SHARED_DIR / "eval" / name for name in SETS])
    arguments = options.parse_args()
    asked = questions(arguments.sets, arguments.questions)
    semantic.make_ready()
    print(
        f"{Law.objects.count():,} laws, {ArticleVersion.objects.count():,} versions, {Chunk.objects.count():,} chunks"
    )
    print(f"{len(asked)} questions; load average {os.getloadavg()[0]:.1f}")
    for mode in MODES:
        timed(asked[-WARM_UP:], mode)
        cache.clear()
        for name in ("first", "again"):
            milliseconds, modes = timed(asked, mode)
            figures = "  ".join(f"p{share:.0%} {percentile(milliseconds, share):6.1f} ms" for share in (0.5, 0.95))
            print(f"{mode:<10}{name:<7}{figures.replace('%', '')}   answered in {dict(modes)}")


if __name__ == "__main__":
    main()

"""Tells what each floor of confidence keeps from a language model: wrong answers, and right ones.

    python bench/grounding.py --mode lexical [--sets DIR ...] [--unanswerable DIR ...]

Needs a corpus that is imported and indexed, and for the other modes embedded. A question counts as answered if one of
its first ten hits is relevant; what the floor withholds of those is lost. Noise is in this file.
"""

from __future__ import annotations

import argparse
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402

from search.evaluation import load  # noqa: E402
from search.evaluation_runs import resolved  # noqa: E402
from search.retrieval import RetrievalRequest, retrieve  # noqa: E402

SETS = ("corpus92-dev", "constitucion-dev", "aeat-renta-dev")
UNANSWERABLE = ("corpus92-unanswerable-dev",)
FLOORS = (0.02, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
NOISE = (
    "xqzv wkjh", "asdf qwer zxcv", "kjsdhf ksjdhf kjsdf ley", "aaaaaaa bbbbbb cccccc", "12345 67890",
    "lorem ipsum dolor sit amet", "the quick brown fox jumps over the lazy dog", "how do I install python on windows",
    "le chat est sur la table", "Warum ist der Himmel blau?", "пример текста на русском",
    "receta de tortilla de patatas", "mejor restaurante japonés de Bilbao", "quién ganó el mundial de 2010",
    "mañana lloverá en Sevilla", "cuál es la capital de Mongolia", "cómo se dice perro en alemán",
    "resultado del partido de ayer", "letra de la canción del verano", "cuántas calorías tiene un plátano",
)  # fmt: skip


@dataclass
class Asked:
    """The confidence of answers, by what they are: some hit is relevant, none is though a law answers, or no law does.

    An answer without confidence is never withheld; it counts as 1.
    """

    right: list[float] = field(default_factory=list)
    wrong: list[float] = field(default_factory=list)


def main() -> None:
    """Ask and print the table."""
    options = _options()
    table: dict[str, list[float]] = {}
    for folder in options.sets:
        labelled = load(folder)
        labels = resolved(labelled)
        asked = Asked()
        for query, grades in labels.judgements.items():
            confidence, hits = _ask(labelled.questions[query], options.mode)
            is_right = any(grades.get(hit, 0) > 0 for hit in hits)
            (asked.right if is_right else asked.wrong).append(confidence)
        table |= {f"{folder.name}, answered": asked.right, f"{folder.name}, not answered": asked.wrong}
    for folder in options.unanswerable:
        table[folder.name] = [_ask(question, options.mode)[0] for question in load(folder).questions.values()]
    table["noise"] = [_ask(question, options.mode)[0] for question in NOISE]
    print(f"{'withheld, in %':<36}{'n':>6}" + "".join(f"{floor:>7}" for floor in FLOORS))
    for name, values in table.items():
        print(f"{name:<36}{len(values):>6}" + "".join(f"{_withheld(values, floor):>7.1f}" for floor in FLOORS))


def _ask(question: str, mode: str) -> tuple[float, list[str]]:
    answer = retrieve(RetrievalRequest(question, limit=10, mode=mode))
    return 1.0 if answer.confidence is None else answer.confidence, [hit.citation for hit in answer.hits]


def _withheld(values: list[float], floor: float) -> float:
    return 100 * sum(value < floor for value in values) / len(values) if values else 0.0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    folder = settings.SHARED_DIR / "eval"
    parser.add_argument("--mode", default="auto", help="auto, hybrid, lexical or semantic")
    parser.add_argument("--sets", nargs="*", type=Path, default=[folder / name for name in SETS])
    parser.add_argument("--unanswerable", nargs="*", type=Path, default=[folder / name for name in UNANSWERABLE])
    return parser.parse_args()


if __name__ == "__main__":
    main()

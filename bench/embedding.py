"""Measures the embedder on passages of the corpus: passages and tokens a second, and milliseconds a question.

    python bench/embedding.py [--passages 200]

Needs an imported corpus; writes nothing.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from corpus import vectors  # noqa: E402
from corpus.embedding import get_embedder  # noqa: E402
from corpus.models import Chunk  # noqa: E402

QUESTIONS = [
    "¿Qué recargo se paga por declarar tarde sin requerimiento?",
    "plazo para recurrir en alzada",
    "¿Puede el casero subirme el alquiler cada año?",
    "consentimiento de los menores para tratar sus datos",
    "silencio administrativo positivo",
]
BATCH = 32


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=200)
    wanted = parser.parse_args().passages
    embedder = get_embedder()
    embedder.query("calentar")
    texts = [
        vectors.text_of(chunk, chunk.version)
        for chunk in Chunk.objects.order_by("sha256").select_related("version__article")[:wanted]
    ]
    tokens = [embedder.token_count(text) for text in texts]
    started = time.perf_counter()
    for start in range(0, len(texts), BATCH):
        embedder.passages(texts[start : start + BATCH])
    seconds = time.perf_counter() - started
    print(f"embedder              {embedder.fingerprint}, {embedder.dimensions} dimensions")
    print(f"passages              {len(texts)}, {statistics.mean(map(len, texts)):.0f} characters on average")
    print(f"tokens a passage      {statistics.mean(tokens):.0f} on average, {max(tokens)} at most")
    print(f"passages a second     {len(texts) / seconds:.1f}")
    print(f"tokens a second       {sum(tokens) / seconds:.0f}")
    print(f"question, p50 / p95   {_milliseconds(embedder)} ms")


def _milliseconds(embedder: object) -> str:
    times = []
    for number in range(60):
        question = f"{QUESTIONS[number % len(QUESTIONS)]} {number}"
        started = time.perf_counter()
        embedder.query(question)
        times.append(1000 * (time.perf_counter() - started))
    times.sort()
    return f"{times[30]:.1f} / {times[56]:.1f}"


if __name__ == "__main__":
    main()

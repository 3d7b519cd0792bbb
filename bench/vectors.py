"""Measures every index of vectors side by side, on the corpus's own vectors and on as many more as are wanted.

    python bench/vectors.py [--vectors 300000] [--questions 40] [--milvus]

With --milvus also Milvus, at MILVUS_URI: a cluster, or by default Milvus Lite in a file. Needs a corpus that is
imported and embedded. The corpus is multiplied in a transaction that is rolled back: each copy has every law under
another key, with its vectors moved by noise of a third of their length.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import django
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection, models, transaction  # noqa: E402

from corpus import clock  # noqa: E402
from corpus.embedding import get_embedder  # noqa: E402
from corpus.models import Article, ArticleVersion, Chunk, ChunkEmbedding, CorpusChange, Law  # noqa: E402
from search import milvus_feed, pgvector_index, vector_horizon, vector_refresh  # noqa: E402
from search.filters import Filters  # noqa: E402
from search.milvus_server import Milvus  # noqa: E402
from search.pgvector_index import PgvectorIndex  # noqa: E402
from search.semantic import nearest  # noqa: E402
from search.vector_horizon import Horizon  # noqa: E402
from search.vector_index import VectorIndex  # noqa: E402

DEPTH = 50
NOISE = 0.33
QUESTIONS = [
    "recargo por declarar tarde", "plazo para recurrir", "subida del alquiler", "datos de menores",
    "silencio administrativo", "ordenanza fiscal de basuras", "licencia de obras", "circulación en glorieta",
    "espectro radioeléctrico", "sesiones del pleno del ayuntamiento", "notificación electrónica", "prescripción",
]  # fmt: skip


def line(index: str, filters: str, milliseconds: list[float], recall: float) -> str:
    """Write what was measured as a line of the table."""
    times = sorted(milliseconds)
    p50, p95 = times[len(times) // 2], times[int(len(times) * 0.95)]
    return f"{index:<28} {filters:<22} {p50:>8.1f} {p95:>8.1f} {recall:>8.3f}"


def main() -> None:
    """Measure the corpus as it is, then multiplied."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=int, default=300_000)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--milvus", action="store_true")
    options = parser.parse_args()
    embedder = get_embedder()
    questions = [embedder.query(f"{QUESTIONS[n % len(QUESTIONS)]} {n}") for n in range(options.questions)]
    with tempfile.TemporaryDirectory() as folder, transaction.atomic():
        connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")
        measure(Path(folder) / "real", questions, with_milvus=options.milvus)
        if options.vectors > Chunk.objects.count():
            seconds = timed(lambda: multiply(options.vectors))
            print(f"\nmultiplied in {seconds:.0f} s")
            measure(Path(folder) / "multiplied", questions, with_milvus=options.milvus)
        transaction.set_rollback(True)


def measure(folder: Path, questions: list[np.ndarray], *, with_milvus: bool) -> None:
    """Build every index over the corpus as it stands, ask all the same, print a line for each."""
    horizon = Horizon.now()
    if horizon is None:
        raise SystemExit("nothing is embedded: run embed_chunks first")
    store = vector_refresh.keeper(folder).source.store
    built = timed(lambda: vector_refresh.refresh(store))
    graph = timed(lambda: pgvector_index.build_hnsw(horizon))
    connection.cursor().execute("ANALYZE")
    matrix = vector_refresh.keeper(folder).index(horizon)
    print(f"\n{len(matrix.table):,} vectors, {len(matrix.rows):,} rows, {len(matrix.rows.laws):,} laws")
    print(f"matrix built in {built:.1f} s ({_size(folder)} MB), graph in {graph:.1f} s ({_graph_size(horizon)} MB)")
    others: list[tuple[str, VectorIndex]] = []
    if with_milvus:
        server = milvus_of(folder)
        fed = timed(lambda: milvus_feed.refresh(server))
        print(f"milvus fed in {fed:.1f} s")
        others.append(("milvus", milvus_feed.Collections(server).load()))
    print(f"{'index':<28} {'filter':<22} {'p50 ms':>8} {'p95 ms':>8} {'recall':>8}")
    for name, filters in kinds_of_filters():
        exact: list[set[int]] = []
        for index_name, index in (*indexes(matrix, horizon), *others):
            times, answers = asked(index, filters, questions)
            exact = exact or answers
            print(line(index_name, name, times, recall(answers, exact)))


def milvus_of(folder: Path) -> Milvus:
    """Give the server of the settings, where MILVUS_URI is set, under a name of its own; else a file in the folder."""
    uri = os.environ.get("MILVUS_URI") or str(folder / "milvus.db")
    return Milvus(uri, settings.MILVUS["token"], f"bench_{folder.name}", 60.0)


def indexes(matrix: VectorIndex, horizon: Horizon) -> Iterator[tuple[str, VectorIndex]]:
    """Give the indexes to compare; the first is exact."""
    yield "matrix", matrix
    narrow = pgvector_index.NARROW_ROWS
    yield "pgvector as chosen", PgvectorIndex(horizon)
    pgvector_index.NARROW_ROWS = 0
    yield "pgvector through its graph", PgvectorIndex(horizon)
    pgvector_index.NARROW_ROWS = 10**9
    yield "pgvector, narrow ones exact", PgvectorIndex(horizon)
    pgvector_index.NARROW_ROWS = narrow


def kinds_of_filters() -> Iterator[tuple[str, Filters]]:
    """Give filters from wide to narrow."""
    today = clock.today()
    laws = tuple(Law.objects.order_by("-pk").values_list("key", flat=True)[:5])
    yield "in force today", Filters(today)
    yield "on a day in 2012", Filters(today.replace(year=2012))
    yield "with the repealed", Filters(today, include_repealed=True)
    yield "disposiciones", Filters(today, kinds=("additional", "transitional", "final", "repealing"))
    yield "five laws", Filters(today, laws=laws)
    yield "one law", Filters(today, laws=laws[:1])


def asked(index: VectorIndex, filters: Filters, questions: list[np.ndarray]) -> tuple[list[float], list[set[int]]]:
    """Ask every question; give the milliseconds and the articles found."""
    nearest(index, questions[0], filters, DEPTH)
    times, answers = [], []
    for question in questions:
        started = time.perf_counter()
        found = nearest(index, question, filters, DEPTH)
        times.append(1000 * (time.perf_counter() - started))
        answers.append({candidate.article_id for candidate in found})
    return times, answers


def recall(answers: list[set[int]], exact: list[set[int]]) -> float:
    """Give the share of the exact answers that was found."""
    return float(
        np.mean([len(found & wanted) / max(1, len(wanted)) for found, wanted in zip(answers, exact, strict=True)])
    )


def timed(work: Callable[[], object]) -> float:
    """Do the work and give its seconds."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def multiply(target: int) -> None:
    """Copy the whole corpus until it has `target` chunks with vectors of their own."""
    horizon = Horizon.now()
    blocks = list(vector_horizon.vectors(horizon, after=0))
    real = np.concatenate([vectors for _, vectors in blocks])
    hashes = np.array(
        ChunkEmbedding.objects.filter(model=horizon.model).order_by("pk").values_list("sha256", flat=True)
    )
    random = np.random.default_rng(1)
    for copy in range(1, target // Chunk.objects.count()):
        shift = copy * 10_000_000
        text = {"text": "'x'", "blocks": "'[]'", "notes": "'[]'"}
        clone(Law, shift, {"key": f"key || '-copia-{copy}'", "boe_id": "NULL"})
        clone(Article, shift, {"law_id": f"law_id + {shift}"})
        clone(ArticleVersion, shift, {"article_id": f"article_id + {shift}", **text})
        clone(Chunk, shift, {"version_id": f"version_id + {shift}", "sha256": f"'{copy:08}' || substr(sha256, 9)"})
        noise = random.standard_normal(real.shape, np.float32)
        moved = real + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)
        insert(horizon.model, [f"{copy:08}{sha256[8:]}" for sha256 in hashes], moved)
    CorpusChange.objects.bulk_create(CorpusChange(law_id=pk) for pk in Law.objects.values_list("pk", flat=True))


def clone(model: type[models.Model], shift: int, values: dict[str, str]) -> None:
    """Copy the rows of the corpus proper under ids moved by `shift`."""
    columns = [field.column for field in model._meta.concrete_fields]
    values = {"id": f"id + {shift}", **values}
    names = ", ".join(f'"{column}"' for column in columns)
    selected = ", ".join(values.get(column, f'"{column}"') for column in columns)
    table = model._meta.db_table
    connection.cursor().execute(f"INSERT INTO {table} ({names}) SELECT {selected} FROM {table} WHERE id < 10000000")


def insert(model: int, hashes: list[str], vectors: np.ndarray) -> None:
    """Insert vectors through binary COPY."""
    dimensions = vectors.shape[1]
    row = np.dtype(
        [("fields", ">i2"), ("b1", ">i4"), ("model", ">i8"), ("b2", ">i4"), ("sha256", "S64"), ("b3", ">i4"),
         ("dimensions", ">i2"), ("unused", ">i2"), ("vector", ">f2", (dimensions,))]
    )  # fmt: skip
    rows = np.zeros(len(vectors), row)
    rows["fields"], rows["b1"], rows["model"], rows["b2"], rows["sha256"] = 3, 8, model, 64, hashes
    rows["b3"], rows["dimensions"], rows["vector"] = 4 + 2 * dimensions, dimensions, vectors
    with (
        connection.cursor() as cursor,
        cursor.copy("COPY corpus_chunkembedding (model_id, sha256, vector) FROM STDIN (FORMAT BINARY)") as copy,
    ):
        copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8) + rows.tobytes() + b"\xff\xff")


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 2**20


def _graph_size(horizon: Horizon) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_relation_size(%s) / 1048576", [f"embedding_hnsw_{horizon.model}"])
        return int(cursor.fetchone()[0])


if __name__ == "__main__":
    main()

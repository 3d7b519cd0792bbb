"""Measures every index of vectors side by side, on the corpus's own vectors and on as many more as are wanted.

    python bench/vectors.py [--vectors 300000] [--questions 40] [--milvus] [--no-pgvector]

With --milvus also Milvus, at MILVUS_URI: a cluster, or by default Milvus Lite in a file. Recall is of the 50 nearest
articles, against comparing all; "full" is the share of questions that got as many articles as that. The time on the
processor is this process's alone, without the database's. Needs a corpus that is imported and embedded. The corpus is
multiplied in a transaction that is rolled back: each copy has every law under another key, with its vectors moved by
noise of a third of their length.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
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
from search.evaluation import percentile  # noqa: E402
from search.filters import Filters  # noqa: E402
from search.milvus_server import Milvus  # noqa: E402
from search.pgvector_index import PgvectorIndex  # noqa: E402
from search.semantic import nearest  # noqa: E402
from search.vector_horizon import Horizon  # noqa: E402
from search.vector_index import VectorIndex  # noqa: E402
from search.vector_matrix import Matrix  # noqa: E402
from search.vector_store import Store  # noqa: E402

DEPTH = 50
NOISE = 0.33
QUESTIONS = [
    "recargo por declarar tarde", "plazo para recurrir", "subida del alquiler", "datos de menores",
    "silencio administrativo", "ordenanza fiscal de basuras", "licencia de obras", "circulación en glorieta",
    "espectro radioeléctrico", "sesiones del pleno del ayuntamiento", "notificación electrónica", "prescripción",
]  # fmt: skip


@dataclass
class Asked:
    """What an index answered, as articles, and in how many milliseconds on the clock and on the processor."""

    articles: list[set[int]] = field(default_factory=list)
    clock: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def line(self, exact: list[set[int]]) -> str:
        """Write percentiles, recall and fullness against the exact answers."""
        pairs = list(zip(self.articles, exact, strict=True))
        recall = np.mean([len(found & wanted) / max(1, len(wanted)) for found, wanted in pairs])
        full = np.mean([len(found) >= len(wanted) for found, wanted in pairs])
        times = (percentile(self.clock, 0.5), percentile(self.clock, 0.95), percentile(self.processor, 0.5))
        return "".join(f"{value:>9.1f}" for value in times) + f"{recall:>9.4f}{full:>6.2f}"


def main() -> None:
    """Measure the corpus as it is, then multiplied."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", type=int, default=300_000)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--milvus", action="store_true")
    parser.add_argument(
        "--no-pgvector", dest="pgvector", action="store_false", help="spare the time to build its graph"
    )
    options = parser.parse_args()
    embedder = get_embedder()
    questions = [embedder.query(f"{QUESTIONS[n % len(QUESTIONS)]} {n}") for n in range(options.questions)]
    with tempfile.TemporaryDirectory() as folder, transaction.atomic():
        connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")
        measure(Path(folder), settings.VECTOR_INDEX_DIR, questions, options)
        if options.vectors > Chunk.objects.count():
            seconds = timed(lambda: multiply(options.vectors))
            print(f"\nmultiplied in {seconds:.0f} s")
            measure(Path(folder), Path(folder) / "multiplied", questions, options)
        transaction.set_rollback(True)


def measure(folder: Path, directory: Path, questions: list[np.ndarray], options: argparse.Namespace) -> None:
    """Build every index over the corpus as it stands, the matrix in `directory`; ask all the same, a line for each."""
    horizon = Horizon.now()
    if horizon is None:
        raise SystemExit("nothing is embedded: run embed_chunks first")
    store = vector_refresh.keeper(directory).source.store
    built = timed(lambda: vector_refresh.refresh(store))
    connection.cursor().execute("ANALYZE")
    matrix = vector_refresh.keeper(directory).index(horizon)
    print(f"\n{len(matrix.table):,} vectors, {len(matrix.rows):,} rows, {len(matrix.rows.laws):,} laws")
    print(f"matrix brought up in {built:.1f} s ({_size(directory)} MB)")
    others: list[tuple[str, VectorIndex]] = []
    if options.pgvector:
        graph = timed(lambda: pgvector_index.build_hnsw(horizon))
        print(f"graph built in {graph:.1f} s ({_graph_size(horizon)} MB)")
    if options.milvus:
        server = milvus_of(folder / f"milvus_{directory.name}")
        fed = timed(lambda: milvus_feed.refresh(server))
        print(f"milvus fed in {fed:.1f} s")
        others.append(("milvus", milvus_feed.Collections(server).load()))
    print(f"{'index':<28}{'filter':<22}{'p50 ms':>9}{'p95 ms':>9}{'CPU p50':>9}{'recall':>9}{'full':>6}")
    for name, filters in kinds_of_filters():
        exact: list[set[int]] = []
        for index_name, index in (*matrices(store), *(graphs(horizon) if options.pgvector else ()), *others):
            answers = asked(index, filters, questions)
            exact = exact or answers.articles
            print(f"{index_name:<28}{name:<22}{answers.line(exact)}", flush=True)


def milvus_of(path: Path) -> Milvus:
    """Give the server of the settings, where MILVUS_URI is set, under a name of its own; else a file of that name."""
    uri = os.environ.get("MILVUS_URI") or str(path.with_suffix(".db"))
    return Milvus(uri, settings.MILVUS["token"], f"bench_{path.name}", 60.0)


def matrices(store: Store) -> Iterator[tuple[str, VectorIndex]]:
    """Give the matrix as it compares all, and as it is asked where that is another way."""
    generation = store.load()
    table = generation.table
    yield "matrix, all compared", Matrix(replace(generation, table=replace(table, signs=table.signs[:0])))
    if len(table.signs):
        yield "matrix, signs first", Matrix(generation)


def graphs(horizon: Horizon) -> Iterator[tuple[str, VectorIndex]]:
    """Give the ways to ask PostgreSQL."""
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


def asked(index: VectorIndex, filters: Filters, questions: list[np.ndarray]) -> Asked:
    """Ask every question."""
    nearest(index, questions[0], filters, DEPTH)
    answers = Asked()
    for question in questions:
        started, used = time.perf_counter(), time.process_time()
        found = nearest(index, question, filters, DEPTH)
        answers.processor.append(1000 * (time.process_time() - used))
        answers.clock.append(1000 * (time.perf_counter() - started))
        answers.articles.append({candidate.article_id for candidate in found})
    return answers


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
        insert(horizon.model, [f"{copy:08}{sha256[8:]}" for sha256 in hashes], moved(real, random))
    CorpusChange.objects.bulk_create(CorpusChange(law_id=pk) for pk in Law.objects.values_list("pk", flat=True))


def moved(vectors: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Move unit vectors by noise of a third of their length."""
    noise = random.standard_normal(vectors.shape, np.float32)
    return vectors + NOISE * noise / np.linalg.norm(noise, axis=1, keepdims=True)


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

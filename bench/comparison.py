"""Compares hybrid search with what could be put together from other parts: same passages, vectors and questions.

    python bench/comparison.py [--sets DIR ...] [--laws FILE]

Needs a corpus that is imported, indexed and embedded; `pip install lancedb` adds LanceDB. Every question is put to all
in turn, so that what else the machine does weighs on all alike. Its embedding is not counted. Each gives its fifty best
passages by words and by meaning, fused by reciprocal rank, folded to articles: the nDCG@10 of that, and milliseconds.
"""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import override_settings  # noqa: E402

from corpus.chunking import embedded_text  # noqa: E402
from corpus.embedding import Vectors, get_embedder  # noqa: E402
from corpus.models import Chunk, ChunkEmbedding  # noqa: E402
from search import semantic  # noqa: E402
from search.evaluation import interval, load, measure, percentile  # noqa: E402
from search.evaluation_runs import law_keys, resolved  # noqa: E402
from search.fusion import reciprocal_rank  # noqa: E402
from search.lexical import lexical_index  # noqa: E402
from search.question_vectors import question_vector  # noqa: E402
from search.questions import clean, read  # noqa: E402
from search.retrieval import RetrievalRequest, retrieve  # noqa: E402

SETS = ("corpus92-dev", "constitucion-dev")
LAWS = "corpus92-laws.txt"
DEPTH = 50
WARM_UP = 5

# Puts a question and its vector to a system and gives the citations of articles, best first.
Search = Callable[[str, Vectors], list[str]]


@dataclass(frozen=True)
class Passages:
    """The passages in force of the laws compared: their article's citation, the text embedded, and float32[n, d]."""

    citations: list[str]
    texts: list[str]
    vectors: Vectors


def passages(laws: Sequence[str]) -> Passages:
    """Read the passages that have a vector."""
    found = Chunk.objects.filter(
        version__article__law__key__in=laws,
        version__article__law__status="in_force",
        version__status="in_force",
        version__valid_to=None,
    ).select_related("version__article__law")
    model = get_embedder().fingerprint
    vectors = dict(ChunkEmbedding.objects.filter(model__fingerprint=model).values_list("sha256", "vector"))
    chunks = [chunk for chunk in found.iterator(chunk_size=2_000) if chunk.sha256 in vectors]
    return Passages(
        [str(chunk.version.article) for chunk in chunks],
        [_text(chunk) for chunk in chunks],
        np.array([vectors[chunk.sha256] for chunk in chunks], np.float32),
    )


def _text(chunk: Chunk) -> str:
    version = chunk.version
    return embedded_text(version.article.label, version.heading, version.text[chunk.start : chunk.end])


def fused(citations: Sequence[str], *rankings: Sequence[int]) -> list[str]:
    """Fold rankings of passages to articles by their best passage, and fuse them by reciprocal rank."""
    return [
        key for key, _score in reciprocal_rank([list(dict.fromkeys(citations[n] for n in one)) for one in rankings])
    ]


def ours(laws: Sequence[str], *, rerank: bool) -> Search:
    """Give this product's own search."""

    def search(question: str, _vector: Vectors) -> list[str]:
        answer = retrieve(RetrievalRequest(question, laws=tuple(laws), rerank=rerank))
        return [hit.citation for hit in answer.hits]

    return search


def postgres(held: Passages, operator: str) -> Search:
    """Give PostgreSQL's full text (Spanish, every word or any) with pgvector's HNSW, in a table of this connection."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE IF NOT EXISTS compared (id int, words tsvector, vector halfvec)")
        cursor.execute("SELECT count(*) FROM compared")
        if not cursor.fetchone()[0]:
            rows = list(_words(held))
            with cursor.copy("COPY compared (id, words, vector) FROM STDIN") as copy:
                copy.set_types(["int4", "text", "text"])
                for row in rows:
                    copy.write_row(row)
            dimensions = held.vectors.shape[1]
            cursor.execute("CREATE INDEX ON compared USING gin (words)")
            cursor.execute(f"CREATE INDEX ON compared USING hnsw ((vector::halfvec({dimensions})) halfvec_ip_ops)")
            cursor.execute("ANALYZE compared")
            cursor.execute("SET hnsw.ef_search = 100")
    by_words = (
        "SELECT id FROM compared,"
        " (SELECT replace(plainto_tsquery('spanish', %s)::text, '&', %s)::tsquery AS asked) query"
        " WHERE words @@ asked ORDER BY ts_rank_cd(words, asked) DESC LIMIT %s"
    )
    by_meaning = f"SELECT id FROM compared ORDER BY vector::halfvec({held.vectors.shape[1]}) <#> %s::halfvec LIMIT %s"

    def search(question: str, vector: Vectors) -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute(by_words, [question, operator, DEPTH])
            lexical = [row[0] for row in cursor.fetchall()]
            cursor.execute(by_meaning, [_literal(vector), DEPTH])
            return fused(held.citations, lexical, [row[0] for row in cursor.fetchall()])

    return search


def _words(held: Passages) -> Any:
    with connection.cursor() as cursor:
        for start in range(0, len(held.texts), 500):
            part = held.texts[start : start + 500]
            cursor.execute("SELECT to_tsvector('spanish', text)::text FROM unnest(%s::text[]) AS text", [part])
            for place, (words,) in enumerate(cursor.fetchall(), start=start):
                yield place, words, _literal(held.vectors[place])


def _literal(vector: Vectors) -> str:
    return "[" + ",".join(f"{value:.6f}" for value in vector) + "]"


def sqlite(held: Passages) -> Search:
    """Give SQLite's FTS5 (any word, accents folded) with an exact comparison of all vectors in numpy."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE compared USING fts5(text, tokenize='unicode61 remove_diacritics 2')")
    database.executemany("INSERT INTO compared (rowid, text) VALUES (?, ?)", enumerate(held.texts))
    asked = "SELECT rowid FROM compared WHERE compared MATCH ? ORDER BY rank LIMIT ?"

    def search(question: str, vector: Vectors) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question))
        lexical = [row[0] for row in database.execute(asked, [words, DEPTH])]
        cosines = held.vectors @ vector
        best = np.argpartition(-cosines, DEPTH)[:DEPTH]
        return fused(held.citations, lexical, best[np.argsort(-cosines[best])].tolist())

    return search


def lance(held: Passages, folder: Path) -> Search:
    """Give LanceDB's hybrid search: its full text (Spanish, stemmed, folded), exact vectors, and its own fusion."""
    import lancedb
    from lancedb.rerankers import RRFReranker

    table = lancedb.connect(folder).create_table(
        "compared",
        [
            {"id": place, "text": text, "vector": vector}
            for place, (text, vector) in enumerate(zip(held.texts, held.vectors, strict=True))
        ],
    )
    table.create_fts_index("text", language="Spanish", stem=True, remove_stop_words=True, ascii_folding=True)
    reranker = RRFReranker()

    def search(question: str, vector: Vectors) -> list[str]:
        asked: Any = table.search(query_type="hybrid")
        rows = (
            asked.vector(vector)
            .text(question)
            .distance_type("dot")
            .rerank(reranker)
            .limit(DEPTH)
            .select(["id"])
            .to_arrow()
        )
        return fused(held.citations, rows["id"].to_pylist())

    return search


def systems(held: Passages, laws: Sequence[str], folder: Path) -> dict[str, Search]:
    """Give every system that can be had here, filled."""
    found = {
        "PostgreSQL AND + pgvector": postgres(held, "&"),
        "PostgreSQL OR + pgvector": postgres(held, "|"),
        "SQLite FTS5 + numpy": sqlite(held),
    }
    try:
        found["LanceDB hybrid"] = lance(held, folder)
    except ImportError:
        print("LanceDB is left out: pip install lancedb")
    return found | {"Fundamento, fused": ours(laws, rerank=False), "Fundamento": ours(laws, rerank=True)}


def as_embedded(question: str) -> str:
    """Give a question as search embeds it, so that its vector is kept before anything is timed."""
    return lexical_index().as_written(read(clean(question)).plain)


@override_settings(RESPONSE_CACHE_ENTRIES=0)
def main() -> None:
    """Print a line for each system."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shared = settings.SHARED_DIR / "eval"
    options.add_argument("--sets", type=Path, nargs="+", default=[shared / name for name in SETS])
    options.add_argument("--laws", type=Path, default=shared / LAWS)
    arguments = options.parse_args()
    laws = law_keys(arguments.laws.read_text().split())[0]
    held = passages(laws)
    if not held.texts:
        sys.exit("no passage of these laws has a vector: run embed_chunks first")
    semantic.make_ready()
    embedder = get_embedder()
    sets = [load(folder) for folder in arguments.sets]
    judgements = {one.name: resolved(one).judgements for one in sets}
    asked = [(one.name, query, one.questions[query]) for one in sets for query in judgements[one.name]]
    vectors = {question: question_vector(embedder, as_embedded(question)) for _name, _query, question in asked}
    rankings: dict[str, dict[str, dict[str, list[str]]]] = defaultdict(lambda: defaultdict(dict))
    times: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        compared = systems(held, laws, Path(folder))
        print(f"{len(held.texts):,} passages, {len(asked)} questions; load average {os.getloadavg()[0]:.1f}")
        for place, (name, query, question) in enumerate([*asked[:WARM_UP], *asked]):
            for system, search in compared.items():
                started = time.perf_counter()
                rankings[system][name][query] = search(question, vectors[question])
                if place >= WARM_UP:
                    times[system].append((time.perf_counter() - started) * 1000)
    names = [one.name for one in sets]
    print(f"{'':<28}{'p50 ms':>8}{'p95 ms':>8}  nDCG@10 " + "".join(f"{name:>18}" for name in ["all", *names]))
    for system in compared:
        scores = [measure(rankings[system][name], judgements[name])["ndcg@10"] for name in names]
        means = [
            interval([value for one in scores for value in one.values()]),
            *(interval(one.values()) for one in scores),
        ]
        told = "".join(f"{percentile(times[system], share):8.1f}" for share in (0.5, 0.95))
        print(f"{system:<28}{told}{'':10}" + "".join(f"{one.mean:18.3f}" for one in means))


if __name__ == "__main__":
    main()

"""Gives every passage of a corpus without vectors one that is made up, so that search can be timed at its size.

    DATA_DIR=/tmp/copy python bench/fill_vectors.py path/to/other/var/vectors

The vectors are real ones, read from the matrix of another corpus (its files alone, which are only read), each moved by
noise of a third of its length. They bear the name of the model that made the real ones, so that questions are asked of
them as they would be of real ones: times are right, answers by meaning are not. Give it a copy of a corpus and
throw that away; a corpus that has a vector is refused. The matrix is then built as the product builds it.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from django.conf import settings
from django.db import connection, transaction

from bench.vectors import insert, moved
from corpus.embedding import Vectors
from corpus.models import ChunkEmbedding, CorpusChange, EmbeddingModel, Law
from search import vector_refresh
from search.vector_store import Store

_DIGESTS = "SELECT sha256 FROM corpus_chunk GROUP BY sha256 ORDER BY min(id)"


def main() -> None:
    """Fill the corpus, build the matrix, and say how long each took."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("real", type=Path, help="the folder of another corpus's matrix: its DATA_DIR/vectors")
    found = Store(options.parse_args().real).load()
    if found is None or not len(found.table):
        sys.exit("there is no matrix of vectors in that folder")
    if ChunkEmbedding.objects.exists():
        sys.exit("this corpus has vectors: made-up ones are never put beside them")
    started = time.perf_counter()
    with transaction.atomic():
        count = fill(found.manifest.horizon.fingerprint, found.table.vectors)
    filled = time.perf_counter()
    vector_refresh.refresh(Store(settings.VECTOR_INDEX_DIR))
    print(f"{count:,} vectors in {filled - started:.0f} s, matrix in {time.perf_counter() - filled:.0f} s")


def fill(fingerprint: str, real: Vectors) -> int:
    """Give the passages vectors under an active model of that fingerprint, and count them."""
    model = EmbeddingModel.objects.create(fingerprint=fingerprint, dimensions=real.shape[1], state="active")
    with connection.cursor() as cursor:
        cursor.execute(_DIGESTS)
        digests = [digest for (digest,) in cursor.fetchall()]
    random = np.random.default_rng(1)
    for start in range(0, len(digests), len(real)):
        some = digests[start : start + len(real)]
        insert(model.pk, some, moved(real[: len(some)], random))
    CorpusChange.objects.bulk_create(CorpusChange(law_id=pk) for pk in Law.objects.values_list("pk", flat=True))
    return len(digests)


if __name__ == "__main__":
    main()

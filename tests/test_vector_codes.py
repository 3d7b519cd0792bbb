"""Short codes of vectors: how far off they are, and that the answer is exact all the same."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from search import vector_codes, vector_matrix
from search.filters import FIRST_DAY, LAST_DAY, Filters
from search.vector_codes import compare, encode
from search.vector_horizon import Horizon
from search.vector_matrix import Matrix
from search.vector_rows import COLUMNS, IDS, LawRow, Rows
from search.vector_store import Generation, Manifest
from search.vector_table import Extent, append, load


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def drawn(seed, count, dimensions, spread=1.0):
    """Draw unit vectors around one direction: the smaller `spread`, the closer."""
    random = np.random.default_rng(seed)
    return unit(random.standard_normal(dimensions) + spread * random.standard_normal((count, dimensions)))


@given(st.integers(0, 10_000), st.integers(1, 400), st.sampled_from([0.01, 0.3, 3.0]))
def test_cosine_is_never_further_off_than_it_says(seed, dimensions, spread):
    vectors = drawn(seed, 50, dimensions, spread)
    question = vectors[0]

    near, error = compare(*encode(vectors), question)

    assert np.abs(near - vectors @ question).max() <= error < 0.12


def test_error_is_small_for_vectors_like_an_embedder_makes():
    vectors = drawn(1, 1000, 384, 0.6)

    _, error = compare(*encode(vectors), vectors[0])

    assert error < 0.02


@pytest.mark.parametrize("count", [0, 1, 2, 99, 1000])
def test_cores_share_the_work_without_gaps(count, monkeypatch):
    monkeypatch.setattr(vector_codes, "SHARED_OUT", 7)
    monkeypatch.setattr("os.cpu_count", lambda: 5)
    vectors = drawn(2, count, 64)
    question = drawn(3, 1, 64)[0]

    near, error = compare(*encode(vectors), question)

    assert near.shape == (count,)
    assert np.abs(near - vectors @ question).max(initial=0) <= error


def test_zeros_have_codes_too():
    codes, scales, residual = encode(np.zeros((2, 8), np.float32))

    assert not codes.any()
    assert np.isfinite(scales).all()
    assert residual == 0


def matrix(vectors, folder):
    """Make a matrix with one row, of an article of its own, for each vector."""
    count = len(vectors)
    extent = append(folder, Extent.new(vectors.shape[1]), [(np.arange(1, count + 1), vectors)])
    columns = np.zeros((len(COLUMNS), count), np.int32)
    values = {"first_day": FIRST_DAY, "last_day": LAST_DAY, "shown_until": LAST_DAY, "end": 1}
    for name, value in values.items():
        columns[COLUMNS.index(name)] = value
    columns[COLUMNS.index("vector")] = np.arange(count)
    ids = np.tile(np.arange(count, dtype=np.int64), (len(IDS), 1))
    rows = Rows(ids, columns, (LawRow(1, "ley-1-2000", "ley", "es"),))
    horizon = Horizon(1, "drawn", vectors.shape[1], "", 0, count)
    return Matrix(Generation(Manifest(horizon, (None, None), extent), load(folder, extent), rows))


@pytest.mark.parametrize("spread", [0.0005, 0.02, 0.3, 3.0])
@pytest.mark.parametrize("narrow", [0.0, 1.1], ids=["all compared", "the wanted compared"])
def test_nearest_are_exact_however_close_they_lie(tmp_path, monkeypatch, spread, narrow):
    monkeypatch.setattr(vector_matrix, "FEW", 10)
    monkeypatch.setattr(vector_matrix, "NARROW", narrow)
    vectors = drawn(4, 5000, 96, spread)
    asked = matrix(vectors, tmp_path)

    for seed in range(5):
        question = unit(vectors[seed] + spread * drawn(seed, 1, 96))[0]
        exact = np.vecdot(vectors, question)
        expected = np.lexsort((np.arange(5000), -np.round(exact.astype(float), 6)))[:50]
        found = asked.search(question, Filters(date(2026, 1, 1)), 50)
        assert [candidate.article_id for candidate in found] == expected.tolist()


def test_blocks_written_one_after_another_are_one_table(tmp_path):
    vectors = drawn(5, 30, 16)
    blocks = [(np.arange(1, 11), vectors[:10]), (np.arange(11, 21), vectors[10:20])]

    extent = append(tmp_path, Extent.new(16), blocks)
    extent = append(tmp_path, extent, [(np.arange(21, 31), vectors[20:])])
    table = load(tmp_path, extent)

    assert np.array_equal(table.vectors, vectors)
    assert table.ids.tolist() == list(range(1, 31))
    assert np.abs(table.codes * table.scales[:, None] - vectors).max() <= table.residual

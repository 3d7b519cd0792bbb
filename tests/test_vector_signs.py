"""The first look at very many vectors: what it leaves out, what it must never leave out, and how its file grows."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest

from search import vector_signs
from search.filters import Filters
from search.vector_table import Extent, append, load
from tests.test_vector_codes import drawn, matrix, unit

TODAY = Filters(date(2026, 1, 1))
MANY = 3_000


@pytest.fixture
def few_are_many(monkeypatch):
    monkeypatch.setattr(vector_signs, "MANY", MANY)
    monkeypatch.setattr(vector_signs, "CLOSE", 300)


def written(folder, *blocks):
    """Write blocks of vectors one after another; give the table and its extent."""
    extent, last = Extent.new(blocks[0].shape[1]), 0
    for block in blocks:
        ids = np.arange(last + 1, last + 1 + len(block))
        extent, last = append(folder, extent, [(ids, block)]), last + len(block)
    return load(folder, extent), extent


def test_as_many_as_are_wanted_and_all_that_are_as_close():
    held = np.packbits(np.tri(8, dtype=bool), axis=1)  # the row n differs from the first in n bits
    wanted = np.array([7, 2, 2, 5])

    assert vector_signs.closest(held, held[:1], wanted, 1).tolist() == [1, 2]
    assert vector_signs.closest(held, held[:1], wanted, 3).tolist() == [1, 2, 3]
    assert vector_signs.closest(held, held[:1], wanted, 9).tolist() == [0, 1, 2, 3]


def test_one_vector_has_the_signs_that_it_has_among_others():
    vectors = drawn(1, 50, 64)
    middle = vectors.mean(axis=0)

    assert vector_signs.signs_of_one(vectors[7], middle).tolist() == [vector_signs.signs(vectors, middle)[7].tolist()]


@pytest.mark.parametrize("spread", [0.2, 3.0])
def test_nearest_are_among_the_close_however_close_all_lie(tmp_path, few_are_many, spread):
    topics, noise = drawn(4, 60, 96, spread), np.random.default_rng(5).standard_normal((6000, 96))
    vectors = unit(np.tile(topics, (100, 1)) + 0.05 * spread * noise)
    index = matrix(vectors, tmp_path)

    recalls = []
    for seed in range(10):
        question = unit(topics[[seed]] + 0.05 * spread * noise[[-seed]])[0]
        expected = set(np.argsort(-(vectors @ question))[:10].tolist())
        found = index.search(question, TODAY, 10)
        recalls.append(len(expected & {candidate.article_id for candidate in found}) / 10)

    assert not index.capabilities.is_exact
    assert np.mean(recalls) >= 0.98


def test_articles_that_the_close_do_not_make_up_are_looked_for_among_all(tmp_path, few_are_many):
    index = matrix(drawn(5, MANY, 16), tmp_path)
    passages_of_one = drawn(5, MANY, 16) @ (question := drawn(6, 1, 16)[0]) > 0
    index.rows.ids[0] = np.where(passages_of_one, 0, index.rows.ids[0])

    found = {candidate.article_id for candidate in index.search(question, TODAY, MANY)}

    assert found == set(index.rows.ids[0].tolist())


def test_few_vectors_have_no_signs_and_are_all_compared(tmp_path, few_are_many):
    table, _ = written(tmp_path, drawn(2, MANY - 1, 16))

    assert len(table.signs) == 0
    assert matrix(drawn(2, MANY - 1, 16), tmp_path).capabilities.is_exact


def test_signs_are_the_same_however_the_vectors_came(tmp_path, few_are_many):
    vectors = drawn(3, MANY + 500, 16)

    by_parts, _ = written(tmp_path, vectors[:1000], vectors[1000:MANY], vectors[MANY : MANY + 1], vectors[MANY + 1 :])
    at_once, _ = written(tmp_path, vectors)

    assert by_parts.signs.shape == (MANY + 500, vector_signs.PLANES // 8)
    assert np.array_equal(by_parts.signs, at_once.signs)


def test_what_a_killed_writer_left_of_signs_is_cut_off(tmp_path, few_are_many):
    vectors = drawn(3, MANY + 500, 16)
    _, extent = written(tmp_path, vectors[:MANY])
    with (tmp_path / f"{extent.name}.signs").open("ab") as file:
        file.write(b"half a row")

    extent = append(tmp_path, extent, [(np.arange(MANY + 1, MANY + 501), vectors[MANY:])])

    assert np.array_equal(load(tmp_path, extent).signs, written(tmp_path, vectors)[0].signs)


def test_missing_signs_are_an_error_that_has_the_table_made_anew(tmp_path, few_are_many):
    _, extent = written(tmp_path, drawn(3, MANY, 16))
    (tmp_path / f"{extent.name}.signs").unlink()

    with pytest.raises(OSError, match="signs"):
        load(tmp_path, extent)

"""The citations marked by hand in the real laws, found again (docs/labelling.md)."""

from collections import Counter
from itertools import pairwise

import pytest

from bench.citation_quality import Score, measure, read_laws
from bench.labelled_citations import LABELS, labelled


@pytest.fixture(scope="module")
def score(shared_dir) -> Score:
    return measure(LABELS, read_laws(shared_dir))


def test_marks_are_many_and_of_every_form():
    texts = list(labelled(LABELS))
    kinds = Counter(mark.kind for text in texts for mark in text.marks)
    assert kinds.total() >= 400
    assert len({text.law for text in texts}) >= 6
    assert set(kinds) == {
        "annex", "article", "disposition", "inside-out", "law by name", "law by number", "list", "pointer", "range",
        "relative", "sub-unit", "unsupported",
    }  # fmt: skip
    assert any(not text.marks for text in texts)


def test_marks_stand_in_order_and_apart():
    for text in labelled(LABELS):
        assert all(mark.start < mark.end for mark in text.marks)
        assert all(before.end <= after.start for before, after in pairwise(text.marks))


def test_each_provision_is_labelled_once():
    counted = Counter((text.law, text.unit, text.sha256) for text in labelled(LABELS))
    assert set(counted.values()) == {1}


def test_labelled_texts_are_those_of_the_shared_data(score):
    assert score.changed == []


def test_citations_are_found_where_they_were_marked(score):
    assert score.precision >= 0.98
    assert score.recall >= 0.98


def test_citations_found_denote_what_was_marked(score):
    assert score.accuracy >= 0.99


def test_nothing_wrong_is_found(score):
    assert score.wrong_found == []

"""Rankings fused into one."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.arms import Arms
from search.candidates import Candidate
from search.fusion import reciprocal_rank, scaled_reciprocal_rank, stretched, weighted
from search.ranking import DEPTHS, FIRST, ArmHit, depth_for, folded, pool
from search.weighting import Weighting

rankings = st.lists(st.lists(st.integers(0, 30), unique=True, max_size=20), min_size=1, max_size=3)
RRF = Weighting("rrf", 0.5)


def test_br_48_a_key_in_both_rankings_stands_once_with_both_shares():
    assert reciprocal_rank([["A", "B"], ["A", "C"]]) == [("A", 1 / 61 + 1 / 61), ("B", 1 / 62), ("C", 1 / 62)]


def test_weights_count():
    assert reciprocal_rank([["A"], ["B"]], weights=[1, 2]) == [("B", 2 / 61), ("A", 1 / 61)]


def test_nothing_fuses_to_nothing():
    assert (reciprocal_rank([]), scaled_reciprocal_rank([[], []]), weighted([{}, {}])) == ([], [], [])


@given(rankings)
def test_scaled_ranks_run_from_zero_to_one_in_the_same_order(lists):
    scaled = scaled_reciprocal_rank(lists)
    assert [key for key, _score in scaled] == [key for key, _score in reciprocal_rank(lists)]
    assert all(0 < score <= 1 for _key, score in scaled)


@given(rankings)
def test_fusing_twice_gives_the_same(lists):
    assert reciprocal_rank(lists) == reciprocal_rank([list(ranking) for ranking in lists])


def test_weighted_scores_are_stretched_within_their_arm():
    assert weighted([{"a": 30.0, "b": 10.0}, {"b": 0.86, "c": 0.82}], weights=[0.4, 0.6]) == [
        ("b", pytest.approx(0.6)), ("a", pytest.approx(0.4)), ("c", 0.0),
    ]  # fmt: skip


def test_equal_scores_are_all_first():
    assert stretched({"a": 2.0, "b": 2.0}) == {"a": 1.0, "b": 1.0}


def candidates(*articles: int, version: int = 0, score: float = 100.0) -> list[Candidate]:
    return [Candidate(article, version or article, score - place) for place, article in enumerate(articles)]


def test_passages_of_one_article_fold_into_one_entry():
    passages = [Candidate(20, 1, 0.9, 0, 10), Candidate(7, 2, 0.8, 0, 5), Candidate(20, 1, 0.7, 50, 60)]
    assert [(article, hit.rank, len(hit.candidates)) for article, hit in folded(passages).items()] == [
        (20, 1, 2), (7, 2, 1),
    ]  # fmt: skip
    (first, second) = pool(Arms("semantic", semantic=passages), RRF, DEPTHS[0])
    assert (first.article_id, first.spans) == (20, ((0, 10), (50, 60)))
    assert (second.article_id, second.spans) == (7, ((0, 5),))


def test_the_arms_name_an_article_alike():
    lexical, semantic = [Candidate(1, 1, 9.0, digest=5)], [Candidate(1, 1, 0.9, 3, 8)]
    (ranked,) = pool(Arms("hybrid", lexical, semantic), RRF, DEPTHS[0])
    assert (ranked.score, ranked.digest, ranked.spans) == (1.0, 5, ((3, 8),))
    assert ranked.lexical == ArmHit(1, 9.0, tuple(lexical))
    assert ranked.semantic == ArmHit(1, 0.9, tuple(semantic))


def test_where_the_arms_found_two_versions_the_better_ranked_stands():
    lexical = [Candidate(1, 11, 9.0)]
    semantic = [Candidate(2, 20, 0.95), Candidate(1, 12, 0.9, 3, 8)]
    ranked = {one.article_id: one for one in pool(Arms("hybrid", lexical, semantic), RRF, DEPTHS[0])}
    assert (ranked[1].version_id, ranked[1].spans) == (11, ())


@pytest.mark.parametrize("weighting", [RRF, Weighting("weighted", 0.6), Weighting("weighted", 1.0)])
def test_a_deeper_pool_begins_with_the_shallower_one(weighting):
    lexical = candidates(*range(1, 301))
    semantic = candidates(*range(400, 150, -1), score=1000.0)
    semantic += [one._replace(score=one.score - 80, start=5, end=9) for one in semantic]
    semantic.sort(key=lambda one: -one.score)
    pools = [pool(Arms("hybrid", lexical, semantic), weighting, depth) for depth in DEPTHS]
    for shorter, longer in pairwise(pools):
        assert longer[: len(shorter)] == shorter
    scores = [ranked.score for ranked in pools[-1]]
    assert scores == sorted(scores, reverse=True)
    assert len({ranked.article_id for ranked in pools[-1]}) == len(pools[-1]) == 400


def test_the_depth_reaches_what_is_asked_for():
    assert [depth_for(last) for last in (1, 120, 121, 201, 1_000)] == [150, 150, 200, 500, 1_000]


def test_of_the_first_pool_the_best_are_taken_and_the_others_follow_in_the_next():
    lexical, semantic = candidates(*range(1, 101)), candidates(*range(100, 200))
    first, second = (pool(Arms("hybrid", lexical, semantic), RRF, depth) for depth in DEPTHS[:2])
    assert (len(first), len(second)) == (FIRST, 199)
    assert second[:FIRST] == first
    assert all(one.score >= second[FIRST].score for one in first)

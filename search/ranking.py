"""Folds what the arms found to one entry an article, and fuses it into one ranked pool."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from search import fusion
from search.candidates import Candidate
from search.passages import Span
from search.vector_index import first_articles

if TYPE_CHECKING:
    from search.arms import Arms
    from search.weighting import Weighting

# The arms are asked this deep; pages beyond what that gives are of a deeper pool, whose new entries follow the old.
DEPTHS = (150, 200, 500, 1_000)
# Of the first depth so many are taken, the best when fused: of the others each arm thinks little.
FIRST = 120
# What an article that the question names gains over what its words and meaning earn it.
NAMED = 0.5


class ArmHit(NamedTuple):
    """An article's place in one arm: 1-based rank, the arm's best score, and its passages there, best first."""

    rank: int
    score: float
    candidates: tuple[Candidate, ...]


class Ranked(NamedTuple):
    """An article's place in the pool; `score` runs from 0 to 1, to six places.

    `spans` are the passages it owes its place to, `parts` those that the question cites.
    """

    article_id: int
    version_id: int
    score: float
    digest: int = 0
    lexical: ArmHit | None = None
    semantic: ArmHit | None = None
    spans: tuple[tuple[int, int], ...] = ()
    parts: tuple[Span, ...] = ()


def depth_for(last: int) -> int:
    """Give the smallest depth of the pool that reaches the entry number `last`.

    >>> depth_for(10), depth_for(120), depth_for(121), depth_for(201), depth_for(1_000)
    (150, 150, 200, 500, 1000)
    """
    if last <= FIRST:
        return DEPTHS[0]
    return next((depth for depth in DEPTHS[1:] if depth >= last), DEPTHS[-1])


def pool(arms: Arms, weighting: Weighting, depth: int, named: Sequence[Ranked] = ()) -> list[Ranked]:
    """Rank the articles that the arms found, and those that the question `named`, best first.

    The entries of a shallower pool come first, as they are in it: so the list of one page never depends on how far
    another reaches.
    """
    by_name = {entry.article_id: entry for entry in named}
    entries: dict[int, Ranked] = {}
    for step in (one for one in DEPTHS if one <= depth):
        lexical, semantic = (folded(first_articles(found, step)) for found in (arms.lexical, arms.semantic))
        floor = min((entry.score for entry in entries.values()), default=1.0)
        fused = _fused(lexical, semantic, weighting)
        if not entries:
            fused = (_raised(fused, by_name) if by_name else fused)[:FIRST]
        entries |= {
            article: _ranked(
                min(round(score, 6), floor), lexical.get(article), semantic.get(article), by_name.get(article)
            )
            for article, score in fused
            if article not in entries
        }
    return list(entries.values())


def folded(candidates: Iterable[Candidate]) -> dict[int, ArmHit]:
    """Give an arm's articles in its order, each ranked by its best passage and with the passages of that version."""
    found: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        held = found.setdefault(candidate.article_id, [])
        if not held or held[0].version_id == candidate.version_id:
            held.append(candidate)
    return {
        article: ArmHit(rank, passages[0].score, tuple(passages))
        for rank, (article, passages) in enumerate(found.items(), start=1)
    }


def _fused(lexical: Mapping[int, ArmHit], semantic: Mapping[int, ArmHit], weighting: Weighting) -> fusion.Fused[int]:
    """Fuse by the formula asked for; an arm that found nothing takes its share along."""
    arms = [(arm, share) for arm, share in ((lexical, 1 - weighting.semantic), (semantic, weighting.semantic)) if arm]
    if sum(share for _arm, share in arms) == 0:
        arms = [(arm, 1.0) for arm, _share in arms]
    scores = [{article: hit.score for article, hit in arm.items()} for arm, _share in arms]
    weights = [share for _arm, share in arms]
    if weighting.fusion == "rrf":
        return fusion.scaled_reciprocal_rank([list(arm) for arm in scores], weights=weights)
    return fusion.weighted(scores, weights=weights) if scores else []


def _raised(fused: fusion.Fused[int], named: Iterable[int]) -> fusion.Fused[int]:
    """Put what the question names above what speaks of the same."""
    scores = dict(fused)
    raised = fusion.by_score(scores | {article: scores.get(article, 0.0) + NAMED for article in named})
    return [(article, min(1.0, score)) for article, score in raised]


def _ranked(score: float, lexical: ArmHit | None, semantic: ArmHit | None, named: Ranked | None) -> Ranked:
    """Put an entry together; where the arms found different versions, that of the better rank stands."""
    if named and not (lexical or semantic):
        return named._replace(score=score)
    is_lexical_better = lexical and not (semantic and semantic.rank < lexical.rank)
    in_order = (lexical, semantic) if is_lexical_better else (semantic, lexical)
    candidates = [candidate for hit in in_order if hit for candidate in hit.candidates]
    best = candidates[0]
    same = [candidate for candidate in candidates if candidate.version_id == best.version_id]
    return Ranked(
        article_id=best.article_id,
        version_id=best.version_id,
        score=score,
        digest=next((candidate.digest for candidate in same if candidate.digest), 0),
        lexical=lexical,
        semantic=semantic,
        spans=tuple((candidate.start, candidate.end) for candidate in same if candidate.end > candidate.start),
        parts=named.parts if named and named.version_id == best.version_id else (),
    )

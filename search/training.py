"""Learns what the features of a pool count, from labelled questions: arithmetic over matrices, no corpus, no clock."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

STEPS = 300
STEP = 0.15
CALIBRATION_STEPS = 60
FOLDS = 5
_SEED = 20261130


@dataclass(frozen=True)
class Example:
    """One question: the features of its pool, float64[n, f], and the grade of each entry, float64[n].

    `group` is the set it comes from: each set counts the same, however many questions it has. `query` is its name.
    """

    group: str
    query: str
    features: NDArray[np.float64]
    grades: NDArray[np.float64]


def fit(examples: Sequence[Example], *, penalty: float) -> NDArray[np.float64]:
    """Give the weights, float64[f], that make the grades likeliest as a softmax over each pool (ListNet).

    Source: Cao, Qin, Liu, Tsai and Li, "Learning to rank: from pairwise approach to listwise approach", ICML 2007.
    Steps by Adam. `penalty` is of the squared weights, per example; pools with nothing relevant teach nothing.
    """
    known = [example for example in examples if example.grades.sum() > 0]
    if not known:
        raise ValueError("no example has anything relevant in its pool")
    groups = Counter(example.group for example in known)
    lengths = [len(example.grades) for example in known]
    starts = np.cumsum([0, *lengths[:-1]])
    features = np.concatenate([example.features for example in known])
    wanted = np.concatenate([example.grades / example.grades.sum() for example in known])
    shares = np.repeat([1 / (len(groups) * groups[example.group]) for example in known], lengths)
    weights = np.zeros(features.shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        totals = features @ weights
        powers = np.exp(totals - np.repeat(np.maximum.reduceat(totals, starts), lengths))
        chances = powers / np.repeat(np.add.reduceat(powers, starts), lengths)
        slope = penalty * weights / len(known) + features.T @ (shares * (chances - wanted))
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope * slope
        weights -= STEP * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-9)
    return weights


def calibrate(totals: NDArray[np.float64], is_relevant: NDArray[np.bool_]) -> tuple[float, float]:
    """Give slope and intercept of the logistic line from a total to the probability of being relevant.

    Source: Platt, "Probabilistic outputs for support vector machines", 1999, with its targets away from 0 and 1.
    """
    positive, negative = int(is_relevant.sum()), int((~is_relevant).sum())
    targets = np.where(is_relevant, (positive + 1) / (positive + 2), 1 / (negative + 2))
    design = np.stack([totals, np.ones_like(totals)], axis=1)
    line = np.zeros(2)
    for _ in range(CALIBRATION_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(design @ line, -30, 30)))
        curve = (design * (chances * (1 - chances))[:, None]).T @ design + 1e-9 * np.eye(2)
        line = line - np.linalg.solve(curve, design.T @ (chances - targets))
    return float(line[0]), float(line[1])


def separate(
    values: NDArray[np.float64], is_positive: NDArray[np.bool_], *, penalty: float
) -> tuple[NDArray[np.float64], float]:
    """Give the weights and the intercept of a logistic line that parts two kinds, each counting the same in all.

    `values` is float64[n, f]; `penalty` is of the squared weights of standardised values.
    """
    centre, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    design = np.concatenate([(values - centre) / spread, np.ones((len(values), 1))], axis=1)
    share = np.where(is_positive, 0.5 / max(1, is_positive.sum()), 0.5 / max(1, (~is_positive).sum())) * len(values)
    ridge = penalty * np.diag([*np.ones(values.shape[1]), 0.0]) + 1e-9 * np.eye(values.shape[1] + 1)
    line = np.zeros(values.shape[1] + 1)
    for _ in range(CALIBRATION_STEPS):
        chances = 1 / (1 + np.exp(-np.clip(design @ line, -30, 30)))
        curve = (design * (share * chances * (1 - chances))[:, None]).T @ design + ridge
        line -= np.linalg.solve(curve, design.T @ (share * (chances - is_positive)) + ridge @ line)
    weights = line[:-1] / spread
    return weights, float(line[-1] - weights @ centre)


def area_under_curve(scores: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> float:
    """Give the share of pairs, one of each kind, in which the positive has the higher score; ties count half.

    >>> area_under_curve(np.array([0.9, 0.4, 0.4]), np.array([True, True, False]))
    0.75
    """
    above = scores[is_positive][:, None] - scores[~is_positive][None, :]
    return float(((above > 0) + 0.5 * (above == 0)).mean())


def unseen(examples: Sequence[Example], *, penalty: float) -> dict[tuple[str, str], NDArray[np.float64]]:
    """Give, by set and question, the totals of its pool from weights learned without it (cross-validation)."""
    folds = np.random.default_rng(_SEED).permutation(len(examples)) % FOLDS
    totals: dict[tuple[str, str], NDArray[np.float64]] = {}
    for fold in range(FOLDS):
        weights = fit([one for one, own in zip(examples, folds, strict=True) if own != fold], penalty=penalty)
        for example, own in zip(examples, folds, strict=True):
            if own == fold:
                totals[example.group, example.query] = np.asarray(example.features @ weights, np.float64)
    return totals

"""Puts the best of a pool in a better order: by a learned model over facts of its entries, or a model at an address."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from django.conf import settings
from django.utils.module_loading import import_string

from search.analysis import analyzer
from search.confidence import Line, facts
from search.features import NAMES, Asked, Entry, features
from search.ranking import DEPTHS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from search.evidence import Evidence
    from search.hydration import Provision
    from search.ranking import ArmHit, Ranked

MODELS = Path(__file__).with_name("reranker.json")
MOST_REMEMBERED = 50_000


class RerankerUnavailable(RuntimeError):
    """A reranker cannot answer now; the message says why, for the people who read the answer without it."""


@dataclass(frozen=True)
class Reranked:
    """The relevance of each entry, from 0 to 1 in the entries' order.

    A model of features also tells what each `counted`, float64[n, len(NAMES)], and how likely it is that the answer
    holds what was asked for.
    """

    scores: list[float]
    counted: NDArray[np.float64] | None = None
    confidence: float | None = None


class Reranker(Protocol):
    """Judges entries of a pool against a question."""

    @property
    def name(self) -> str:
        """Tell one reranker from another, in answers and in what is kept of them."""

    @property
    def needs_texts(self) -> bool:
        """Whether it reads the texts of the entries."""

    def rerank(self, asked: Asked, entries: Sequence[Entry], texts: Sequence[str]) -> Reranked:
        """Judge by the `texts` of the entries where those are needed, else by the `entries`; the other is empty.

        Raise `RerankerUnavailable`.
        """


@dataclass(frozen=True)
class Model:
    """A linear model of the features: what each counts, and the line that turns the sum into a probability.

    `arms` and `fingerprint` say what pools it was trained on; `metrics` how it did on questions it had not seen.
    """

    arms: str
    fingerprint: str
    weights: Mapping[str, float]
    slope: float
    intercept: float
    metrics: Mapping[str, Any]
    confidence: Mapping[str, Any] | None = None

    @property
    def line(self) -> Line | None:
        """How likely an answer is to hold what was asked for, by facts of its pool."""
        return Line(**self.confidence) if self.confidence else None

    @property
    def vector(self) -> NDArray[np.float64]:
        """The weights in the order of `features.NAMES`; a feature that it does not know counts nothing."""
        return np.array([self.weights.get(name, 0.0) for name in NAMES])


class Learned:
    """The built-in reranker: reads no text and needs no download.

    It is a linear model over `search.features`, trained by `train_reranker` on labelled questions.
    """

    needs_texts = False

    def __init__(self, model: Model) -> None:
        self.model = model

    @property
    def name(self) -> str:
        """Tell the model by what it was trained on."""
        return f"learned-{self.model.arms}"

    def rerank(self, asked: Asked, entries: Sequence[Entry], texts: Sequence[str] = ()) -> Reranked:
        """Judge the entries by what their features count."""
        values = features(asked, entries, stems_of)
        counted = values * self.model.vector
        totals = counted.sum(axis=1)
        scores = 1 / (1 + np.exp(-np.clip(self.model.slope * totals + self.model.intercept, -30.0, 30.0)))
        line = self.model.line
        return Reranked(scores.tolist(), counted, line.of(facts(asked, entries, values, totals)) if line else None)


def stems_of(text: str, language: str) -> frozenset[str]:
    """Give the stems of a text as the index has them."""
    return _remembered(language)[text]


def entry_of(ranked: Ranked, provision: Provision, evidence: Evidence) -> Entry:
    """Give what a model may know of an article of a pool: the same however deep the pool of a later page is."""
    law = provision.law.summary
    return Entry(
        unit=provision.key,
        kind=provision.kind,
        heading=provision.heading,
        path=tuple(provision.path),
        law=law.id,
        law_title=provision.law.names,
        law_rank=law.rank,
        language=law.text_language,
        lexical=_place(ranked.lexical),
        semantic=_place(ranked.semantic),
        article=ranked.article_id,
        cites=evidence.cites,
        pairs=evidence.pairs,
        nearness=evidence.nearness,
        length=provision.size,
    )


def _place(hit: ArmHit | None) -> tuple[int, float] | None:
    return (hit.rank, hit.score) if hit and hit.rank <= DEPTHS[0] else None


@cache
def _models() -> list[Model]:
    return [Model(**model) for model in json.loads(MODELS.read_text())["models"]] if MODELS.exists() else []


def learned(arms: str, fingerprint: str = "") -> Learned | None:
    """Give the model trained for pools of these arms (hybrid, lexical or semantic) and this embedder, if any."""
    fitting = (model for model in _models() if model.arms == arms and fingerprint.startswith(model.fingerprint))
    return next((Learned(model) for model in fitting), None)


def configured() -> Reranker | None:
    """Give the reranker that the setting RERANKER names by its dotted path; None where the built-in one is meant.

    Raise `RerankerUnavailable` if the setting names nothing that can be made.
    """
    return _made(settings.RERANKER) if settings.RERANKER else None


@cache
def _made(path: str) -> Reranker:
    try:
        made: Reranker = import_string(path)()
    except ImportError as error:
        raise RerankerUnavailable(f"RERANKER names no class: {error}") from error
    return made


@cache
def _remembered(language: str) -> _Stems:
    return _Stems(language)


class _Stems(dict[str, frozenset[str]]):
    """The stems of headings, paths and titles, each worked out once."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._stems_in = analyzer(language).stems_in

    def __missing__(self, text: str) -> frozenset[str]:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        found = self[text] = frozenset(self._stems_in(text))
        return found

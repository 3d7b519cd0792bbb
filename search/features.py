"""What a ranking may go by beside the scores of its arms: facts of each entry of a pool, as numbers from 0 to 1."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from math import log1p
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from search.fusion import stretched

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

NAMES = (
    "lexical", "lexical_rank", "semantic", "semantic_rank", "semantic_nearness", "both", "semantic_of_question",
    "semantic_of_text", "heading", "heading_share", "law", "law_share", "path", "in_leading_law", "number", "article",
    "additional", "transitional", "repealing", "final", "annex", "preamble", "amends", "formal", "older_of_series",
    "rank", "length", "pairs", "cited",
    "heading_of_keywords", "heading_share_of_keywords", "length_of_keywords", "pairs_of_keywords",
)  # fmt: skip

# A rank counts by its place in this order: what stands higher says in general terms what the lower ones carry out. So
# it counts for what is asked in general terms, in a question or a few words; for a statement in detail all are as laws.
# How a text says a few words that are no question counts by itself (`..._of_keywords`): they are looked for as such.
RANKS = {
    "constitucion": 1.0, "lo": 0.8, "ley": 0.7, "rdleg": 0.7, "rdl": 0.6, "ley-foral": 0.6, "dleg": 0.6,
    "dleg-foral": 0.6, "dl": 0.6, "dl-foral": 0.6, "rd": 0.4, "decreto": 0.4, "reglamento": 0.4, "orden": 0.2,
}  # fmt: skip
OTHER_RANK = 0.1
FEW_WORDS = 5
RANK_SCALE = 5
NEARNESS_SCALE = 0.05
# More of the pool's worth that cites an entry counts no more.
MOST_CITING = 3.0
# A text of as many bytes is as long as any; the longer a text, the likelier some passage or word fits by chance.
LONGEST = 100_000

Stems = Callable[[str, str], Set[str]]

_ASKS = re.compile(r"[¿?]")
_NUMBER = re.compile(r"\bart(?:[íi]culos?|s?\.)\s*(\d+(?:\s+(?:bis|ter|quater|quinquies|sexies))?)\b", re.IGNORECASE)
# What a law does besides ("del Impuesto X y de modificación parcial de Y") makes it no amending law.
_AMENDING_LAW = re.compile(
    r"(?<!\by )\b(?:por (?:la|el|los|las) que se (?:modifica|reforma)n?|de (?:modificación|reforma))\b", re.IGNORECASE
)
_AMENDMENT = re.compile(r"(?:modificaci|reforma)", re.IGNORECASE)
_FORMAL = re.compile(
    r"entrada en vigor|derogaci|t[ií]tulos? competencial|habilitaci|desarrollo (?:reglamentario|normativo)"
    r"|facultad(?:es)? (?:de|para el) desarrollo|incorporaci[oó]n de",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_YEAR = re.compile(r"\b(?:18|19|20)\d\d\b")


class Entry(NamedTuple):
    """What is known of one article of a pool: its place in the arms (rank from 1, the arm's own score) and itself.

    `cites` names the articles of the pool that it cites, `pairs` is the share of the question's neighbouring words that
    stand together in it, `length` is of its text, in bytes, `nearness` the mean cosine of
    its nearest passages, if known.
    """

    unit: str
    kind: str
    heading: str
    path: tuple[str, ...]
    law: str
    law_title: str
    law_rank: str
    language: str = "es"
    lexical: tuple[int, float] | None = None
    semantic: tuple[int, float] | None = None
    article: int = 0
    cites: frozenset[int] = frozenset()
    pairs: float = 0.0
    length: int = 0
    nearness: float | None = None


@dataclass(frozen=True)
class Asked:
    """A question as features see it: its text, and by language its stems with their worth."""

    text: str
    worths: Mapping[str, Mapping[str, float]]


def features(asked: Asked, entries: Sequence[Entry], stems: Stems) -> NDArray[np.float64]:
    """Give float64[len(entries), len(NAMES)]; every value is from 0 to 1, and those of an arm without scores are 0.

    `stems` gives the stems of a text in a language, each once, as those of the question are given.
    """
    lexical = stretched({place: entry.lexical[1] for place, entry in enumerate(entries) if entry.lexical})
    semantic = stretched({place: entry.semantic[1] for place, entry in enumerate(entries) if entry.semantic})
    of_text = stretched({place: entry.nearness for place, entry in enumerate(entries) if entry.nearness is not None})
    nearest = max((entry.semantic[1] for entry in entries if entry.semantic), default=0.0)
    arms = [arm for arm in (lexical, semantic) if arm]
    worth = [sum(arm.get(place, 0.0) for arm in arms) / max(1, len(arms)) for place in range(len(entries))]
    words = {one: _Words(asked.worths.get(one, {}), one, stems) for one in {entry.language for entry in entries}}
    laws = _Laws(entries, worth)
    asks = bool(_ASKS.search(asked.text))
    is_short = len(asked.text.split()) <= FEW_WORDS
    is_general, are_keywords = asks or is_short, is_short and not asks
    numbers = {"art-" + re.sub(r"\s+", "-", number.lower()) for number in _NUMBER.findall(asked.text)}
    older = _older_of_series(entries)
    citing = _citing(entries, worth)
    rows = []
    for place, entry in enumerate(entries):
        covered = words[entry.language].covered
        near = semantic.get(place, 0.0)
        heading = covered(entry.heading, least=1)
        length = min(1.0, log1p(entry.length) / _LOG_LONGEST)
        rows.append(
            (
                lexical.get(place, 0.0),
                _by_rank(entry.lexical),
                near,
                _by_rank(entry.semantic),
                max(0.0, 1 - (nearest - entry.semantic[1]) / NEARNESS_SCALE) if entry.semantic else 0.0,
                float(place in lexical and place in semantic),
                near * asks,
                of_text.get(place, 0.0),
                *heading,
                *covered(entry.law_title, least=3),
                covered(" ".join(entry.path), least=1)[0],
                laws.share(entry.law),
                float(entry.unit in numbers),
                *_of_kind(entry.kind),
                *_of_names(entry.law_title, entry.heading),
                float(place in older),
                RANKS.get(entry.law_rank, OTHER_RANK) if is_general else RANKS["ley"],
                length,
                entry.pairs,
                min(citing[place], MOST_CITING) / MOST_CITING,
                *((*heading, length, entry.pairs) if are_keywords else _NO_KEYWORDS),
            )
        )
    return np.array(rows, np.float64).reshape(len(entries), len(NAMES))


_KINDS = ("article", "additional", "transitional", "repealing", "final", "annex", "preamble")
_LOG_LONGEST = log1p(LONGEST)
_NO_KEYWORDS = (0.0,) * 4


@cache
def _of_kind(kind: str) -> tuple[float, ...]:
    return tuple(float(kind == one) for one in _KINDS)


@lru_cache(maxsize=16_384)
def _of_names(law_title: str, heading: str) -> tuple[float, float]:
    """Say whether a law or a provision amends others, and whether a provision is but a formality."""
    amends = bool(_AMENDING_LAW.search(law_title) or _AMENDMENT.match(heading))
    return float(amends), float(bool(_FORMAL.match(heading)))


def _by_rank(place: tuple[int, float] | None) -> float:
    return 1 / (1 + place[0] / RANK_SCALE) if place else 0.0


class _Words:
    """How much of the question a text says, and how much of a text the question does."""

    def __init__(self, worths: Mapping[str, float], language: str, stems: Stems) -> None:
        self._worths = tuple(worths.items())
        self._whole = sum(worths.values()) or 1.0
        self._language = language
        self._stems = stems
        self._known: dict[str, tuple[float, float]] = {}

    def covered(self, text: str, *, least: int) -> tuple[float, float]:
        """Give the share of the question's worth in `text`, and of the words of `text` (taken as `least`) in it."""
        known = self._known.get(text)
        if known is None:
            said = self._stems(text, self._language) if text else frozenset()
            common = [worth for stem, worth in self._worths if stem in said]
            known = self._known[text] = sum(common) / self._whole, len(common) / max(least, len(said))
        return known


class _Laws:
    """Which laws of a pool hold most of its worth."""

    def __init__(self, entries: Sequence[Entry], worth: Sequence[float]) -> None:
        mass: defaultdict[str, float] = defaultdict(float)
        for entry, value in zip(entries, worth, strict=True):
            mass[entry.law] += value * value
        self._mass = mass
        self._most = max(mass.values(), default=0.0) or 1.0

    def share(self, law: str) -> float:
        """Give the worth of a law's entries as a share of the leading law's."""
        return self._mass[law] / self._most


def _citing(entries: Sequence[Entry], worth: Sequence[float]) -> list[float]:
    """Give of each entry the worth of those in the pool that cite it."""
    places = {entry.article: place for place, entry in enumerate(entries)}
    citing = [0.0] * len(entries)
    for entry, own in zip(entries, worth, strict=True):
        for article in entry.cites:
            citing[places[article]] += own
    return citing


@lru_cache(maxsize=4096)
def _series(title: str) -> tuple[str, int]:
    """Give a title without its figures, and the last year in it; 0 where there is none."""
    return _DIGITS.sub("#", title), max(map(int, _YEAR.findall(title)), default=0)


def _older_of_series(entries: Iterable[Entry]) -> set[int]:
    """Give the entries of a law that comes every year, such as a budget, where the pool has a later one's."""
    series: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for place, entry in enumerate(entries):
        name, year = _series(entry.law_title)
        if year:
            series[name, entry.heading or entry.unit].append((year, place))
    older: set[int] = set()
    for members in series.values():
        newest = max(year for year, _place in members)
        older |= {place for year, place in members if year < newest}
    return older

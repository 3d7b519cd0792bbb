"""A reranker behind an address: Cohere's and Jina's `/rerank`, as vLLM and others have it too, or that of TEI."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from django.conf import settings

from corpus.embedding import clean
from corpus.model_server import ModelServer, Refused, Unanswered
from search.reranking import Reranked, RerankerUnavailable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from search.features import Asked, Entry

_PATH = "rerank"
# What TEI takes at once by default, and what Cohere does; a model that reads the texts together needs them at once.
_AT_ONCE = {"tei": 32, "cohere": 1_000}


@dataclass(frozen=True)
class Options:
    """How to reach and address a model; `seconds` are for a whole answer, `max_characters` are sent of a text."""

    url: str
    model: str = ""
    key: str = ""
    api: Literal["cohere", "tei"] = "cohere"
    seconds: float = 2.0
    max_characters: int = 2_000


class RerankerEndpoint:
    """Asks the address that the settings RERANKER_* name, once a question; its scores are brought to 0 to 1."""

    needs_texts = True

    def __init__(self, options: Options | None = None) -> None:
        self.options = options or Options(**settings.RERANKER_ENDPOINT)
        _check(self.options)
        self._server = ModelServer(self.options.url, self.options.key)

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    @property
    def name(self) -> str:
        """Name the model."""
        return f"endpoint-{self.options.model or self.options.url}"

    def rerank(self, asked: Asked, entries: Sequence[Entry], texts: Sequence[str]) -> Reranked:
        """Judge the entries by their texts, one each; raise `RerankerUnavailable` at the deadline or before."""
        deadline, size = time.monotonic() + self.options.seconds, _AT_ONCE[self.options.api]
        prepared = [clean(text)[: self.options.max_characters] for text in texts]
        scores: list[float] = []
        try:
            for start in range(0, len(prepared), size):
                scores += self._ask(deadline, clean(asked.text), prepared[start : start + size])
        except Unanswered as error:
            raise RerankerUnavailable(str(error)) from error
        return Reranked(as_shares(scores))

    def _ask(self, deadline: float, question: str, texts: Sequence[str]) -> list[float]:
        def read(answer: Any) -> list[float]:
            return _scores(answer if self.options.api == "tei" else _results(answer), len(texts))

        return self._server.ask_by(deadline, _PATH, self._body(question, texts), read, tries=2)

    def _body(self, question: str, texts: Sequence[str]) -> dict[str, Any]:
        if self.options.api == "tei":
            return {"query": question, "texts": texts, "truncate": True}
        return {"model": self.options.model, "query": question, "documents": texts, "top_n": len(texts)}


def as_shares(scores: Sequence[float]) -> list[float]:
    """Give scores from 0 to 1: as they are, or where one is not, all taken for logits, by the logistic function.

    The order is the same either way.

    >>> as_shares([0.9, 0.2]), [round(share, 2) for share in as_shares([0.0, 2.0, -2.0])]
    ([0.9, 0.2], [0.5, 0.88, 0.12])
    """
    if all(0 <= score <= 1 for score in scores):
        return list(scores)
    return [(1 + math.tanh(score / 2)) / 2 for score in scores]


def _check(options: Options) -> None:
    if options.api not in _AT_ONCE:
        raise RerankerUnavailable(f"RERANKER_API is {options.api!r}, neither cohere nor tei")
    if not options.url:
        raise RerankerUnavailable("RERANKER_URL must be set for a reranker at an address")
    if options.api == "cohere" and not options.model:
        raise RerankerUnavailable("RERANKER_MODEL must be set for a reranker that speaks as Cohere's")


def _results(answer: Any) -> list[dict[str, Any]]:
    """Give the items of Cohere's shape in TEI's."""
    try:
        return [{"index": item["index"], "score": item["relevance_score"]} for item in answer["results"]]
    except (KeyError, TypeError) as error:
        raise Refused(f"an answer that is no list of results ({error!r})") from error


def _scores(items: Any, count: int) -> list[float]:
    """Put the scores in the order of the texts; raise `Refused` unless there is a finite one for each, once."""
    try:
        pairs = [(item["index"], float(item["score"])) for item in items]
        found = dict(pairs)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise Refused(f"an answer that is no list of scores ({error!r})") from error
    if len(pairs) != count:
        raise Refused(f"{len(pairs)} scores for {count} texts")
    if found.keys() != set(range(count)):
        raise Refused(f"scores of {sorted(map(str, found))[:20]} for {count} texts")
    if not all(map(math.isfinite, found.values())):
        raise Refused("a score that is no number")
    return [found[place] for place in range(count)]

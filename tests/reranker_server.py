"""A real HTTP server with a `/rerank` as Cohere's or as TEI's, which misbehaves on demand."""

from __future__ import annotations

from typing import Any

from tests.embeddings_server import Handler


class RerankerHandler(Handler):
    """Judges a text by the share of its words that the question has; the best comes first."""

    def texts_of(self, request: dict[str, Any]) -> list[str]:
        self.question = set(request["query"].lower().split())
        self.is_tei = "texts" in request
        texts: list[str] = request["texts" if self.is_tei else "documents"]
        return texts

    def well(self, texts: list[str]) -> None:
        self._answer_with(self._judged(texts))

    def logits(self, texts: list[str]) -> None:
        self._answer_with([(place, 8 * score - 4) for place, score in self._judged(texts)])

    def one_too_few(self, texts: list[str]) -> None:
        self._answer_with(self._judged(texts)[1:])

    def twice_the_same(self, texts: list[str]) -> None:
        self._answer_with([(0, 0.5) for _ in texts])

    def out_of_range(self, texts: list[str]) -> None:
        self._answer_with([(place + 1, score) for place, score in self._judged(texts)])

    def indexes_in_words(self, texts: list[str]) -> None:
        self._answer_with([(str(place), score) for place, score in self._judged(texts)])

    def not_a_number(self, texts: list[str]) -> None:
        self._answer_with([(place, float("nan")) for place in range(len(texts))])

    def no_score(self, texts: list[str]) -> None:
        self._answer_with([(place, None) for place in range(len(texts))])

    def another_shape(self, texts: list[str]) -> None:
        self._send(200, {"data": {"ranking": [0, 1]}})

    def deep(self, texts: list[str]) -> None:
        self._send(200, "[" * 100_000)

    def _judged(self, texts: list[str]) -> list[tuple[int, float]]:
        shares = [len(self.question & set(words)) / len(words) for words in (text.lower().split() for text in texts)]
        return sorted(enumerate(shares), key=lambda pair: -pair[1])

    def _answer_with(self, pairs: list[tuple[Any, Any]]) -> None:
        if self.is_tei:
            self._send(200, [{"index": place, "score": score} for place, score in pairs])
        else:
            self._send(200, {"results": [{"index": place, "relevance_score": score} for place, score in pairs]})

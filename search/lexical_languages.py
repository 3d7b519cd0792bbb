"""One query of those that each language of the index makes of a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from tantivy import Query, Schema

from search import spelling
from search.analysis import prepared
from search.lexical_query import DocFreq, LanguageQueries, any_of
from search.lexical_schema import WRITTEN_FIELD

if TYPE_CHECKING:
    from search.passages import LookedFor
    from search.questions import Question

# One question is asked for what to mark in its texts by whoever orders them and whoever shows them.
MOST_REMEMBERED = 64


@dataclass(frozen=True)
class QueryMaker:
    """Makes queries in every language that the index has texts in: a question does not say in which it is asked.

    A language counts by how much of the question its texts know, so that the words of one that happen to be in
    another weigh little there. With one language the query is that language's own.
    """

    languages: Sequence[LanguageQueries]

    @property
    def schema(self) -> Schema:
        """The schema of the index."""
        return self.languages[0].schema

    @property
    def count(self) -> DocFreq:
        """What gives in how many texts a field has a word, as the index holds it."""
        return self.languages[0].count

    def ranking(self, question: Question, fields: Sequence[str] = (), favoured: str = "") -> Query | None:
        """Give the query that ranks texts by the question; None if no language finds a content word to look for."""
        weighed = [(one.ranking(question, fields, favoured), weight) for one, weight in self._weighed(question)]
        queries = [(query, weight) for query, weight in weighed if query is not None]
        if len(queries) <= 1:
            return queries[0][0] if queries else None
        return any_of([Query.boost_query(query, weight) for query, weight in queries])

    def conditions(self, question: Question) -> Query:
        """Give the query that any text found must meet, whatever arm found it."""
        if len(self.languages) == 1:
            return self.languages[0].conditions(question, Query.all_query())
        of_each = ((one, Query.term_query(self.schema, "language", one.analyzer.language)) for one in self.languages)
        return any_of([one.conditions(question, among) for one, among in of_each])

    def pairs(self, question: Question) -> list[Query]:
        """Give queries that score a text by the share of the pairs, in its language, that stand together in it."""
        of_each = [one.pairs(question) for one in self.languages]
        return [Query.const_score_query(pair, 1 / len(pairs)) for pairs in of_each for pair in pairs]

    def unknown(self, question: Question) -> bool:
        """Whether not one content word of the question, nor a likely spelling of one, is in any text."""
        return all(one.unknown(question) for one in self.languages)

    def as_written(self, text: str) -> str:
        """Give a text with its words as most texts write them."""
        return spelling.as_written(text, lambda form: self.count(WRITTEN_FIELD, prepared(form)))

    def has_content(self, question: Question) -> bool:
        """Whether some word of the question is a content word whatever its language is."""
        places = [{term.position for term in one.content(question)} for one in self.languages]
        return bool(set.intersection(*places))

    def looked_for(self, question: Question, language: str) -> LookedFor:
        """Give what to mark in a text found in a language."""
        known = self._looking.get(language) or self._looking[self.languages[0].analyzer.language]
        return known(question)

    @cached_property
    def _looking(self) -> dict[str, Callable[[Question], LookedFor]]:
        return {one.analyzer.language: lru_cache(MOST_REMEMBERED)(one.looked_for) for one in self.languages}

    def _weighed(self, question: Question) -> list[tuple[LanguageQueries, float]]:
        """Give the languages that know anything of the question, the best at 1; all where none does."""
        if len(self.languages) == 1:
            return [(self.languages[0], 1.0)]
        shares = [(one, one.share_known(question)) for one in self.languages]
        best = max(share for _one, share in shares)
        return [(one, share / best) for one, share in shares if share] if best else [(one, 1.0) for one, _ in shares]

"""The lexical arm: BM25 over the texts of the corpus, from an index on disk that any process may renew."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from tantivy import Occur, Query

from corpus.languages import LANGUAGES, UNKNOWN
from search.analysis import MAIN_LANGUAGE, analyzer
from search.candidates import ArmUnavailable, Candidate
from search.generations import Generations
from search.lexical_languages import QueryMaker
from search.lexical_query import LanguageQueries, any_of, filtered, share_admitted
from search.lexical_schema import META, layout, open_index, schema

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from tantivy import DocAddress, Index, Searcher

    from search.filters import Filters
    from search.passages import LookedFor
    from search.questions import Question

# So many words are remembered with the number of texts that have them.
MOST_REMEMBERED = 200_000
# Filters that at least this share of the texts meets are looked at after ranking, over so many times what is wanted.
MOST = 0.8
SPARE = 2
# Matches with the score of the last one are all looked at, up to so many, so that ties never depend on the index.
MOST_TIED = 1_000
NO_INDEX = gettext_noop("El índice de la búsqueda por palabras falta o se está construyendo.")
BROKEN_INDEX = gettext_noop("El índice de la búsqueda por palabras no se puede leer.")
BROKEN = (OSError, ValueError)

_Mark = tuple[int, int] | None


@dataclass(frozen=True)
class IndexState:
    """The newest entry of the corpus's change log that an index holds; its time tells one database from another."""

    revision: int
    changed_at: int


class LexicalIndex:
    """Reads the index in one folder; sees what other processes commit by a look at two files a search."""

    def __init__(self, directory: Path) -> None:
        self._generations = Generations(directory, layout())
        self._lock = threading.Lock()
        self._index: Index | None = None
        self._folder: Path | None = None
        self._seen: tuple[_Mark, _Mark] = (None, None)
        self._state: IndexState | None = None
        self._read: tuple[QueryMaker, Searcher] | None = None

    def search(
        self, question: Question, filters: Filters, depth: int, fields: Sequence[str] = (), favoured: str = ""
    ) -> list[Candidate]:
        """Give the `depth` best texts, ties by article; none for a question without content words.

        Texts of the law `favoured` gain. Raise `ArmUnavailable` where there is no index to ask.
        """
        maker, searcher = self._maker()
        ranking = maker.ranking(question, fields, favoured)
        if ranking is None:
            return []
        found = self._best_of_many(maker, searcher, ranking, filters, depth)
        if found is None:
            found = self._best(searcher, filtered(ranking, maker.schema, filters), depth)
        return sorted(found, key=lambda candidate: (-candidate.score, candidate.article_id))[:depth]

    def meeting_conditions(self, question: Question, version_ids: Collection[int]) -> set[int]:
        """Give those of the versions that hold what the question requires and nothing that it excludes."""
        maker, searcher = self._maker()
        among = Query.term_set_query(maker.schema, "version_id", list(version_ids))
        return _versions(maker.conditions(question).and_must_match(among), len(version_ids), searcher)

    def pairs(self, question: Question, version_ids: Collection[int]) -> dict[int, float]:
        """Give of those versions that have any the share of the question's neighbouring words that stand together."""
        maker, searcher = self._maker()
        return _sums(maker.pairs(question), version_ids, searcher)

    def knows_nothing_of(self, question: Question) -> bool:
        """Whether no content word of the question, nor a likely spelling of one, is in any text."""
        return self._maker()[0].unknown(question)

    def has_content(self, question: Question) -> bool:
        """Whether the question holds a content word, whatever its language is; also where there is no index."""
        return self._any_maker().has_content(question)

    def as_written(self, text: str) -> str:
        """Give a text with its words as most texts write them, however it was typed; as it is where no index is."""
        try:
            return self._maker()[0].as_written(text)
        except ArmUnavailable:
            return text

    def looked_for(self, question: Question, language: str) -> LookedFor:
        """Give what to mark in the texts found in a language; also where there is no index to ask."""
        return self._any_maker(language).looked_for(question, language)

    def state(self) -> IndexState | None:
        """Give the state of the corpus that the index holds; None where there is no readable index."""
        try:
            self._maker()
        except ArmUnavailable:
            return None
        return self._state

    def _maker(self) -> tuple[QueryMaker, Searcher]:
        """Give a searcher over the newest commit of the generation that serves, and what makes queries for it."""
        with self._lock:
            try:
                return self._renewed()
            except BROKEN as error:
                self._index = self._read = None
                raise ArmUnavailable(_(BROKEN_INDEX)) from error

    def _any_maker(self, language: str = MAIN_LANGUAGE) -> QueryMaker:
        """Give the maker for the index, or one that knows no words where there is none."""
        try:
            return self._maker()[0]
        except ArmUnavailable:
            return QueryMaker([LanguageQueries(schema(), analyzer(language), lambda _field, _word: 0)])

    def _best_of_many(
        self, maker: QueryMaker, searcher: Searcher, ranking: Query, filters: Filters, depth: int
    ) -> list[Candidate] | None:
        """Give the best of those that meet filters which most texts meet; None if they do not, or too few are seen.

        The engine ranks all texts in less time than it takes to look at the conditions of each.
        """
        if share_admitted(maker.count, searcher.num_docs, filters) < MOST:
            return None
        seen = _candidates(searcher.search(ranking, SPARE * depth, count=False).hits, searcher)
        of_those = _any_version([one.version_id for one in seen])
        admitted = _versions(filtered(of_those, maker.schema, filters), len(seen), searcher)
        found = [one for one in seen if one.version_id in admitted]
        if len(seen) < SPARE * depth or (len(found) > depth and found[depth].score < found[depth - 1].score):
            return found
        return None

    def _best(self, searcher: Searcher, query: Query, depth: int) -> list[Candidate]:
        """Give at least the `depth` best, with all that tie with the last."""
        hits = searcher.search(query, depth + 1, count=False).hits
        if len(hits) > depth and hits[depth][0] == hits[depth - 1][0]:
            hits = searcher.search(query, max(MOST_TIED, depth), count=False).hits
        return _candidates(hits, searcher)

    def _renewed(self) -> tuple[QueryMaker, Searcher]:
        if self._read is not None and self._seen == self._marks():
            return self._read
        pointer = _mark(self._generations.pointer)
        folder = self._generations.current()
        if folder is None or pointer is None:
            raise ArmUnavailable(_(NO_INDEX))
        meta = _mark(folder / "meta.json")
        if meta is None:
            raise FileNotFoundError("the lexical index has lost its list of segments")
        if self._index is None or folder != self._folder:
            self._index, self._folder = open_index(folder), folder
        self._seen = (pointer, meta)
        self._index.reload()
        searcher = self._index.searcher()
        self._state = _state(searcher)
        self._read = _query_maker(searcher), searcher
        return self._read

    def _marks(self) -> tuple[_Mark, _Mark]:
        """Give what tells of a new generation, and of a new commit in the one that was read."""
        return _mark(self._generations.pointer), _mark(self._folder / "meta.json") if self._folder else None


def _mark(path: Path) -> _Mark:
    """Give what changes when a file is replaced; None where there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns


def _candidates(hits: Sequence[tuple[Any, DocAddress]], searcher: Searcher) -> list[Candidate]:
    addresses = [address for _score, address in hits]
    columns = (searcher.fast_field_values(name, addresses) for name in ("article_id", "version_id", "digest"))
    return [
        Candidate(int(article or 0), int(version or 0), float(score), digest=int(digest or 0))
        for (score, _address), article, version, digest in zip(hits, *columns, strict=True)
    ]


def _sums(queries: Sequence[Query], version_ids: Collection[int], searcher: Searcher) -> dict[int, float]:
    """Give what queries score in all, of those versions that any of them finds.

    Each is asked of the versions by itself: the engine would look for a union of them in far more texts.
    """
    if not (queries and version_ids):
        return {}
    among = Query.const_score_query(_any_version(version_ids), 0.0)
    narrowed = [Query.boolean_query([(Occur.Must, among), (Occur.Must, query)]) for query in queries]
    hits = searcher.search(any_of(narrowed), len(version_ids), count=False).hits
    found = searcher.fast_field_values("version_id", [address for _score, address in hits])
    return {int(version or 0): float(score) for (score, _address), version in zip(hits, found, strict=True)}


def _any_version(version_ids: Collection[int]) -> Query:
    """Give the query for some versions: a union of a few terms is found three times as fast as a set of them."""
    return any_of([Query.term_query(schema(), "version_id", one) for one in version_ids])


def _versions(query: Query, most: int, searcher: Searcher) -> set[int]:
    """Give the versions that a query finds, `most` at most."""
    hits = searcher.search(query, max(1, most), count=False).hits
    return {int(value) for value in searcher.fast_field_values("version_id", [hit[1] for hit in hits]) if value}


def _query_maker(searcher: Searcher) -> QueryMaker:
    sizes = _languages(searcher) or {MAIN_LANGUAGE: searcher.num_docs}
    analyzers = [analyzer(language) for language in sizes]
    count = lru_cache(MOST_REMEMBERED)(searcher.doc_freq)
    return QueryMaker(
        [
            LanguageQueries(schema(), own, count, size, tuple(one.mark for one in analyzers if one is not own))
            for own, size in zip(analyzers, sizes.values(), strict=True)
        ]
    )


def _state(searcher: Searcher) -> IndexState | None:
    hits = searcher.search(Query.term_query(schema(), "meta", META), 1, count=False).hits
    if not hits:
        return None
    columns = (searcher.fast_field_values(name, [hits[0][1]]) for name in ("revision", "changed_at"))
    revision, changed_at = (int(values[0] or 0) for values in columns)
    return IndexState(revision, changed_at)


def _languages(searcher: Searcher) -> dict[str, int]:
    """Give the languages of the texts with how many are in each, the most frequent first; one alone has all."""
    counts = {language: searcher.doc_freq("language", language) for language in (*sorted(LANGUAGES), UNKNOWN)}
    held = sorted(((count, language) for language, count in counts.items() if count), reverse=True)
    return {held[0][1]: searcher.num_docs} if len(held) == 1 else {language: count for count, language in held}


@cache
def _reader(directory: Path) -> LexicalIndex:
    return LexicalIndex(directory)


def lexical_index() -> LexicalIndex:
    """Give this process's one reader of the index that the settings name."""
    return _reader(Path(settings.LEXICAL_INDEX_DIR))

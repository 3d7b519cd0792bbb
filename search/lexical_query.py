"""Turns a question and its filters into one query of the engine: no text a person types is parsed by the engine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from math import log, prod
from typing import TYPE_CHECKING

from tantivy import FieldType, Occur, Query, Schema

from search.analysis import Analyzer, Term
from search.filters import ENDED, IN_FORCE, NOT_YET_IN_FORCE
from search.passages import LookedFor, Stems
from search.spelling import SHORTEST_CORRECTED, edits, with_a_tilde
from search.stretches import above
from search.synonyms import meant_by

if TYPE_CHECKING:
    from search.filters import Filters
    from search.questions import Question

Clause = tuple[Occur, Query]
DocFreq = Callable[[str, str], int]

# Chosen by nDCG@10 on the labelled questions, with `evaluate_search`.
BOOSTS = {"text": 1.0, "words": 0.5, "law": 0.3, "heading": 0.2}
OTHER_NUMBER = 0.7
CORRECTED = 0.5
CORRECTIONS = 3
SYNONYM = 0.6
# A word in more texts than this share of them (and this many) tells too little to find texts by it alone.
COMMON_SHARE = 0.1
COMMON_IN = 2_000
# What a text gains for being of the law that the question names: as much as a word or two.
FAVOURED = 5.0
# Two words of the question count as standing together with at most so many between them that it has not.
BETWEEN = 2
MOST_PAIRS = 40
# A word in no more texts than this may be a slip that got into one of them.
RARE = 2
# What is put in place of a word that texts have must be so many times as common.
MUCH_COMMONER = 10

# These turn a rule round, so they are looked for; marked by themselves they show nothing.
TURNING = {"no", "sin"}

FIELDS = {"heading": ("heading",), "text": ("text",), "law": ("law",)}
_JOINED = re.compile(r"(?<!\w)\w++(?:(?:[./:-]|(?<=\d),(?=\d))\w++)+")
# What says that a number comes says nothing itself.
_NUMBER_COMES = re.compile(r"(?<!\w)n(?:\.?\s?[ºo°]|úm(?:ero)?\.?|um(?:ero)?\.?)\s*(?=\d)", re.IGNORECASE)
_THOUSANDS = re.compile(r"\d{1,3}(?:\.\d{3})+(?!\d)")


@dataclass(frozen=True)
class LanguageQueries:
    """Makes queries in one language against one state of the index, whose words tell a slip from a rare word.

    `count` gives in how many texts a field has a word, as the index holds it; `size` is how many texts there are.
    `others` are the marks of the other languages: a word of theirs is no slip.
    """

    schema: Schema
    analyzer: Analyzer
    count: DocFreq
    size: int = 1
    others: tuple[str, ...] = ()

    def doc_freq(self, field: str, word: str) -> int:
        """Give in how many texts of this language a field has a word."""
        return self.count(field, self.analyzer.mark + word)

    def share_known(self, question: Question) -> float:
        """Give what share of the question's content words some text of this language has."""
        terms = self.analyzer.terms(question.plain)
        return sum(bool(self.doc_freq("text", term.stem)) for term in terms) / len(terms) if terms else 0.0

    def ranking(self, question: Question, fields: Sequence[str] = (), favoured: str = "") -> Query | None:
        """Give the query that ranks texts by the question; None if it holds no content word to look for."""
        boosts = _boosts(fields)
        telling, common = self._words(question.words, boosts)
        required = self._required(question, tuple(boosts))
        if not (required or self.content(question)):
            return None
        wanted = [*telling, *common]
        if telling and common and not required:
            wanted = [(Occur.Must, Query.boolean_query(telling)), *common]
        favour = [(Occur.Should, self._of_law(favoured))] if favoured else []
        found = Query.boolean_query([*wanted, *required, *self._excluded(question)])
        return Query.boolean_query([(Occur.Must, found), *favour]) if favour else found

    def conditions(self, question: Question, among: Query) -> Query:
        """Give the query that any text found `among` those of this language must meet, whatever arm found it."""
        required = self._required(question, ("text", "heading", "law"))
        return Query.boolean_query([(Occur.Must, among), *required, *self._excluded(question)])

    def content(self, question: Question) -> list[Term]:
        """Give the content words of the question, without those that only turn what others say."""
        return [term for term in self.analyzer.terms(question.plain) if term.word not in TURNING]

    def unknown(self, question: Question) -> bool:
        """Whether not one content word or code of the question, nor a likely spelling of one, is in any text."""
        plain, codes = _parted(question.plain)
        of_codes = (self.analyzer.terms(code) for code in codes)
        return not (
            any(self.doc_freq("words", term.word) or self._corrections(term) for term in self.analyzer.terms(plain))
            or any(all(self.doc_freq("words", term.word) for term in terms) for terms in of_codes)
        )

    def pairs(self, question: Question) -> list[Query]:
        """Give a query for each two neighbouring content words that finds where they stand together in a text.

        Neighbours that stand together tell more than their words alone. Source: Metzler and Croft, "A Markov random
        field model for term dependencies", SIGIR 2005.
        """
        terms = self.analyzer.terms(question.plain)
        pairs = dict.fromkeys((one.stem, other.stem) for one, other in pairwise(terms) if one.stem != other.stem)
        return [self._near(pair) for pair in islice(pairs, MOST_PAIRS)]

    def looked_for(self, question: Question) -> LookedFor:
        """Give what to mark in a text found, each word worth the more the fewer texts have it."""
        plain, codes = _parted(question.words)
        words: dict[str, float] = {}
        for term in self.analyzer.terms(plain):
            if term.word in TURNING:
                continue
            others = [] if term.is_number else [*self._other_number(term), *self._corrections(term)]
            for stem in (term.stem, *map(self.analyzer.stem_of.__getitem__, others)):
                words[stem] = log(1 + self.size / (1 + self.doc_freq("text", stem)))
        phrases = (self.analyzer.terms(said) for said in (*codes, *question.phrases, *question.headings))
        return LookedFor(words, tuple(_places(terms) for terms in phrases if terms))

    def _words(self, text: str, boosts: dict[str, float]) -> tuple[list[Clause], list[Clause]]:
        """Give the clauses that find texts, and those of words so common that they only rank what others find.

        What is written as one code is looked for as one.
        """
        plain, codes = _parted(text)
        terms = self.analyzer.terms(plain)
        telling = list(self._synonyms([term.stem for term in terms], boosts))
        common: list[Clause] = []
        for term in {term.word: term for term in terms}.values():
            (common if self._is_common(term) else telling).extend(self._word(term, boosts))
        phrases = (self._phrase(code, tuple(boosts)) for code in codes)
        return [*telling, *((Occur.Should, phrase) for phrase in phrases if phrase)], common

    def _is_common(self, term: Term) -> bool:
        return self.doc_freq("text", term.stem) > max(COMMON_IN, COMMON_SHARE * self.size)

    def _of_law(self, key: str) -> Query:
        return Query.const_score_query(Query.term_query(self.schema, "law_key", key), FAVOURED)

    def _word(self, term: Term, boosts: dict[str, float]) -> Iterator[Clause]:
        yield from self._term(term.stem, term.word, boosts, 1.0)
        if term.is_number:
            yield from self._thousands(term)
            return
        for word in self._other_number(term):
            yield from self._term(self.analyzer.stem_of[word], word, boosts, OTHER_NUMBER)
        for word in self._corrections(term):
            yield from self._term(self.analyzer.stem_of[word], word, boosts, CORRECTED)

    def _synonyms(self, stems: Sequence[str], boosts: Mapping[str, float]) -> Iterator[Clause]:
        """Give the clauses for what laws say instead; a law that goes by its initials counts as if it were named."""
        fields = ("text",) if "text" in boosts else tuple(boosts)
        for meant in meant_by(stems, self.analyzer.language, "words"):
            if query := self._phrase(meant, fields):
                yield Occur.Should, Query.boost_query(query, SYNONYM)
        for name in meant_by(stems, self.analyzer.language, "names") if "law" in boosts else ():
            if query := self._phrase(name, ("law",)):
                yield Occur.Should, query

    def _term(self, stem: str, word: str, boosts: dict[str, float], weight: float) -> Iterator[Clause]:
        for field, boost in boosts.items():
            query = self._holding(field, word if field == "words" else stem)
            yield Occur.Should, Query.boost_query(query, boost * weight)

    def _other_number(self, term: Term) -> list[str]:
        """Give the singular or plural that the stemmer does not see as the same word."""
        others = (word for word in self.analyzer.other_numbers(term.word) if self.analyzer.stem_of[word] != term.stem)
        return [word for word in others if self.doc_freq("words", word)]

    def _thousands(self, term: Term) -> Iterator[Clause]:
        """Give the phrase for a large number that a text may part with full stops."""
        if term.word.isdecimal() and len(term.word) > 3:
            grouped = f"{int(term.word):,}".replace(",", " ")
            if query := self._phrase(grouped, ("text",)):
                yield Occur.Should, query

    def _corrections(self, term: Term) -> list[str]:
        """Give the commonest words one slip away from a long word that (almost) no text has, or one ñ away."""
        known_in = self.doc_freq("words", term.word)
        enough = MUCH_COMMONER * known_in or 1
        typed = with_a_tilde(term.word) if self.analyzer.language == "es" else []
        with_tilde = [word for word in typed if self.doc_freq("words", word) >= enough]
        if with_tilde or known_in > RARE or len(term.word) < SHORTEST_CORRECTED or not term.word.isalpha():
            return with_tilde
        if any(self.count("words", mark + term.word) for mark in self.others):
            return with_tilde
        counted = ((self.doc_freq("words", word), word) for word in edits(term.word))
        common = sorted((count_and_word for count_and_word in counted if count_and_word[0] >= enough), reverse=True)
        return [word for _count, word in common[:CORRECTIONS]]

    def _required(self, question: Question, fields: tuple[str, ...]) -> list[Clause]:
        phrases = [self._phrase(phrase, fields) for phrase in question.phrases]
        headings = [self._phrase(phrase, ("heading",)) for phrase in question.headings]
        return [(Occur.Must, query) for query in (*phrases, *headings) if query]

    def _excluded(self, question: Question) -> list[Clause]:
        phrases = (self._phrase(phrase, ("text",)) for phrase in question.excluded)
        return [(Occur.MustNot, query) for query in phrases if query]

    def _phrase(self, text: str, fields: Sequence[str]) -> Query | None:
        """Give the query for words that stand together, in any of the fields; None if all are stop words."""
        terms = self.analyzer.terms(text)
        if not terms:
            return None
        held = [field for field in fields if field != "words"] or ["text"]
        spellings = [_places(terms)]
        if joined := _THOUSANDS.search(text):
            whole = text.replace(joined[0], joined[0].replace(".", ""))
            spellings.append(_places(self.analyzer.terms(whole)))
        queries = [self._together(field, spelling) for field in held for spelling in spellings]
        return queries[0] if len(queries) == 1 else Query.disjunction_max_query(queries)

    def _together(self, field: str, words: Stems) -> Query:
        if len(words) == 1:
            return self._holding(field, words[0][1])
        return Query.phrase_query(self.schema, field, [(place, self.analyzer.mark + word) for place, word in words])

    def _near(self, stems: Sequence[str]) -> Query:
        words: list[str | tuple[int, str]] = [self.analyzer.mark + stem for stem in stems]
        return Query.phrase_query(self.schema, "text", words, slop=BETWEEN)

    def _holding(self, field: str, word: str) -> Query:
        return Query.term_query(self.schema, field, self.analyzer.mark + word)


def _places(terms: Sequence[Term]) -> Stems:
    """Give the stems of a phrase with their places, counted from the first; stop words leave gaps."""
    return tuple((term.position - terms[0].position, term.stem) for term in terms)


def _boosts(fields: Sequence[str]) -> dict[str, float]:
    if not fields:
        return BOOSTS
    return {name: 1.0 for field in fields for name in FIELDS[field]}


def _parted(text: str) -> tuple[str, list[str]]:
    """Part the codes of a question, such as 58/2003, 27.2, 1,3 or BOE-A-2003-23186, from its words.

    >>> _parted("el n.º 910/2014 y el número de la LGT")
    ('el   y el número de la LGT', ['910/2014'])
    """
    said = _NUMBER_COMES.sub("", text)
    codes = [match[0] for match in _JOINED.finditer(said) if _is_code(match[0])]
    return _JOINED.sub(lambda match: " " if _is_code(match[0]) else match[0], said), codes


def _is_code(joined: str) -> bool:
    """Whether words joined by signs are one code: full stops join only what begins with a figure (27.2, not art.27)."""
    has_figure = any(character.isdigit() for character in joined)
    return has_figure and (joined[0].isdigit() or not set(joined).isdisjoint("/-:"))


def filtered(query: Query, schema: Schema, filters: Filters) -> Query:
    """Give `query` narrowed to the texts that meet the filters; their conditions do not change its scores."""
    unscored = [(Occur.Must, Query.const_score_query(one, 0.0)) for one in _conditions(schema, filters)]
    return Query.boolean_query([(Occur.Must, query), *unscored])


def share_admitted(count: DocFreq, size: int, filters: Filters) -> float:
    """Give what share of the texts meets the filters, or less: what cannot be told from counts is taken as none."""
    if IN_FORCE not in filters.wanted_statuses or filters.valid_from or filters.valid_to:
        return 0.0
    asked = [("in_force", above(filters.day)), *((field, values) for field, values in _keywords(filters) if values)]
    return prod(sum(count(field, value) for value in values) / max(1, size) for field, values in asked)


def _conditions(schema: Schema, filters: Filters) -> list[Query]:
    conditions = [_statuses(schema, filters)]
    earliest, latest = filters.begins_between
    if filters.valid_from or filters.valid_to:
        conditions.append(_days(schema, "first_day", earliest, latest))
    for field, values in _keywords(filters):
        if values:
            conditions.append(Query.term_set_query(schema, field, list(values)))
    return conditions


def _keywords(filters: Filters) -> list[tuple[str, Sequence[str]]]:
    """Give the fields of the index that hold one word, with the words that the filters let through, if not all."""
    return [
        ("law_key", filters.laws),
        ("rank", filters.ranks),
        ("jurisdiction", filters.jurisdictions),
        ("kind", filters.kinds),
    ]


def _statuses(schema: Schema, filters: Filters) -> Query:
    """Give the query for the statuses wanted on the day, which for the usual ones compares no days at all."""
    wanted = set(filters.wanted_statuses)
    nodes = above(filters.day)
    options = [Query.term_query(schema, "in_force", node) for node in nodes if IN_FORCE in wanted]
    if ended := sorted(wanted.intersection(ENDED)):
        last = [Query.term_query(schema, "last_text", node) for node in nodes]
        if len(ended) == len(ENDED):
            options += last
        else:
            options.append(any_of(last).and_must_match(Query.term_set_query(schema, "ended_as", ended)))
    if NOT_YET_IN_FORCE in wanted:
        options.append(_days(schema, "first_day", filters.day + 1, None))
    return any_of(options)


def any_of(queries: Sequence[Query]) -> Query:
    """Give the query for what any of some queries finds."""
    return Query.boolean_query([(Occur.Should, query) for query in queries])


def _days(schema: Schema, field: str, first: int | None, last: int | None) -> Query:
    return Query.range_query(schema, field, FieldType.Integer, first, last)

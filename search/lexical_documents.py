"""Makes the documents of the lexical index: one for each text that ever had, or will have, force."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Q
from tantivy import Document

from corpus.models import ArticleVersion
from search.analysis import MAIN_LANGUAGE, analyzer, prepared
from search.candidates import digest_of
from search.filters import Standing, standings
from search.lexical_schema import META, STEMS, TEXT_FIELDS, WRITTEN_FIELD
from search.stretches import covering

BATCH = 1_000


class _Law(NamedTuple):
    """What `standings` asks of a law."""

    status: str
    valid_from: date | None
    valid_to: date | None


class _Row(NamedTuple):
    """A version with what the index takes from its article and law, in the order of `_COLUMNS`."""

    version: int
    article: int
    law: int
    text: str
    heading: str
    sha256: str
    status: str
    valid_from: date | None
    valid_to: date | None
    kind: str
    label: str
    path: list[str]
    law_key: str
    title: str
    short_title: str
    boe_id: str | None
    rank: str
    jurisdiction: str
    language: str
    law_status: str
    law_valid_from: date | None
    law_valid_to: date | None


_COLUMNS = (
    "pk", "article_id", "article__law_id", "text", "heading", "sha256", "status", "valid_from", "valid_to",
    "article__kind", "article__label", "article__path", "article__law__key", "article__law__title",
    "article__law__short_title", "article__law__boe_id", "article__law__rank", "article__law__jurisdiction",
    "article__law__language", "article__law__status", "article__law__valid_from", "article__law__valid_to",
)  # fmt: skip


def documents(which: Q) -> Iterator[tuple[int, list[Document]]]:
    """Give, for each article with a version that meets `which`, how many versions it has and their documents.

    `which` must speak of articles and laws only, so that no article is seen in part.
    """
    rows = ArticleVersion.objects.filter(which).order_by("article_id", "position").values_list(*_COLUMNS)
    for _article, group in groupby(map(_Row._make, rows.iterator(chunk_size=BATCH)), key=attrgetter("article")):
        versions = list(group)
        law = _Law(versions[0].law_status, versions[0].law_valid_from, versions[0].law_valid_to)
        pairs = zip(versions, standings(versions, law), strict=True)
        yield len(versions), [_document(version, standing) for version, standing in pairs if standing]


def state_document(revision: int, changed_at: int) -> Document:
    """Give the one document that says which state of the corpus the index holds."""
    return Document.from_dict({"meta": META, "revision": revision, "changed_at": changed_at})


def _document(row: _Row, standing: Standing) -> Document:
    document = Document()
    for name, value in (("law_id", row.law), ("article_id", row.article), ("version_id", row.version),
                        ("first_day", standing.first_day), ("digest", digest_of(row.sha256))):  # fmt: skip
        document.add_integer(name, value)
    document.add_text("in_force", _days(standing.first_day, standing.last_day))
    document.add_text("last_text", _days(standing.last_day + 1, standing.shown_until))
    for name, keyword in (("law_key", row.law_key), ("rank", row.rank), ("jurisdiction", row.jurisdiction),
                          ("kind", row.kind), ("ended_as", standing.ended_as), ("language", row.language)):  # fmt: skip
        document.add_text(name, keyword)
    heading = f"{row.label}. {row.heading}"
    text = f"{heading}\n{row.text}"
    law = "\n".join((row.title, row.short_title, row.boe_id or "", *row.path))
    for name, content in (("text", text), ("heading", heading), ("law", law), ("words", f"{text}\n{law}")):
        _add_text(document, name, content, row.language)
    document.add_text(WRITTEN_FIELD, prepared(text))
    return document


@lru_cache(maxsize=4096)
def _days(first: int, last: int) -> str:
    return " ".join(covering(first, last))


def _add_text(document: Document, name: str, content: str, language: str) -> None:
    """Add a field that the index analyses itself; what is not in the main language comes analysed and marked."""
    if language == MAIN_LANGUAGE:
        document.add_text(name, prepared(content))
        return
    chains = analyzer(language)
    chain = chains.stems if TEXT_FIELDS[name][0] == STEMS else chains.words
    document.add_pre_tokenized_text(name, chains.marked(chain, content))

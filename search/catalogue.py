"""What the corpus holds, as lists: laws by filter, one law in full, a law's provisions as they stand on a day."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Q
from ninja import Schema

from corpus.clock import today
from corpus.coverage import counted, with_article_count
from corpus.models import Law
from search.addresses import names_invented, page_url, source_url
from search.captions import law_summary
from search.lookup import lookup
from search.provisions import versions_of, with_texts
from search.redactions import redaction_on
from search.responses import LawSummary

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from corpus.models import Article, ArticleVersion
    from search.redactions import Redaction

_ACCENTS = {"a": "áàâä", "e": "éèêë", "i": "íìîï", "o": "óòôö", "u": "úùûü", "c": "ç"}
_WRITTEN = {letter: f"{letter}{marked}{marked.upper()}" for letter, marked in _ACCENTS.items()} | {"ñ": "ñÑ"}
_WORD = re.compile(r"\w+(?:[/.-]\w+)*")
_UNACCENTED = {ord(one): letter for letter, marked in _ACCENTS.items() for one in marked}


class LawRow(LawSummary):
    """A law in a list."""

    published: date | None
    valid_from: date | None
    valid_to: date | None
    articles: int
    url: str
    source_url: str | None


class LawDetail(LawRow):
    """A law with what is held of it and where it comes from."""

    number: str
    eli: str
    language: str
    department: str
    subjects: list[str]
    enacted: date | None
    history: str
    source: str
    source_updated_at: datetime | None
    fetched_at: datetime
    versions: int
    chunks: int
    chunks_with_vector: int


class ArticleRow(Schema):
    """A provision in a list, as it stands on a day; `text` is null where none answers for that day."""

    citation: str
    kind: str
    label: str
    heading: str
    path: list[str]
    status: str | None
    valid_from: date | None
    valid_to: date | None
    amended_by: str | None
    text: str | None
    sha256: str | None
    url: str
    source_url: str | None


@dataclass(frozen=True)
class LawFilters:
    """Which laws are listed; an empty tuple asks for nothing. `words` must all be in the title, accents aside."""

    words: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()


def laws(filters: LawFilters, limit: int, offset: int) -> tuple[list[LawRow], int]:
    """Give a page of the laws that pass, by id, and how many pass: two queries."""
    passing = _passing(filters)
    page = with_article_count(passing.order_by("key"))[offset : offset + limit]
    return [LawRow(**_row(law)) for law in page], passing.count()


def law(key: str) -> LawDetail | None:
    """Give one law in full, or None if the corpus has none of that id: one query."""
    found = counted(Law.objects.filter(key=key)).first()
    return LawDetail(**_row(found), **_detail(found)) if found else None


def articles(law: Law, as_of: date | None, limit: int, offset: int) -> tuple[list[ArticleRow], int]:
    """Give a page of a law's provisions in its order, and how many it has: four queries.

    They stand as on the day `as_of`, where only a text in force answers; without one as today, where for a
    provision without force its last text answers, or its first to come.
    """
    page = list(law.articles.order_by("position")[offset : offset + limit])
    versions = versions_of(page)
    chosen = {
        article.pk: redaction_on(law, versions[article.pk], as_of or today(), is_pinned=as_of is not None)
        for article in page
    }
    texts = with_texts(redaction.version for redaction in chosen.values() if redaction.version)
    rows = [_article_row(law, article, chosen[article.pk], texts, as_of) for article in page]
    return rows, law.articles.count()


def named(laws: QuerySet[Law], name: str) -> QuerySet[Law]:
    """Keep the laws in whose title each word of `name` begins a word, accents aside, and the one that goes by it."""
    cited = lookup(name)
    known_as = Q(key=cited.law.id) if cited.kind == "law" and cited.law else Q()
    begun = [_says(rf"\m{_accented(word)}") for word in _WORD.findall(name)]
    return laws.filter((Q(*begun) if begun else Q(pk__in=())) | known_as)


def _passing(filters: LawFilters) -> QuerySet[Law]:
    wanted = {
        "rank__in": filters.ranks,
        "jurisdiction__in": filters.jurisdictions,
        "status__in": filters.statuses,
    }
    return Law.objects.filter(
        *(_says(_accented(word)) for word in filters.words),
        **{field: values for field, values in wanted.items() if values},
    )


def _says(pattern: str) -> Q:
    return Q(title__iregex=pattern) | Q(short_title__iregex=pattern)


def _accented(word: str) -> str:
    r"""Write a pattern for a word with whatever accents; PostgreSQL is far quicker at that than at taking accents away.

    >>> _accented("Tú+ñ")
    't[uúùûüÚÙÛÜ]\\+[ñÑ]'
    """
    plain = word.lower().translate(_UNACCENTED)
    return "".join(f"[{_WRITTEN[letter]}]" if letter in _WRITTEN else re.escape(letter) for letter in plain)


def _row(law: Law) -> dict[str, Any]:
    return law_summary(law).model_dump() | {
        "published": law.published,
        "valid_from": law.valid_from,
        "valid_to": law.valid_to,
        "articles": law.article_count,  # type: ignore[attr-defined]
        "url": page_url(law.key),
        "source_url": source_url(law),
    }


def _detail(law: Law) -> dict[str, Any]:
    as_stored = (
        "number", "language", "department", "subjects", "enacted", "history", "source", "source_updated_at",
        "fetched_at",
    )  # fmt: skip
    return {name: getattr(law, name) for name in as_stored} | {
        "eli": "" if names_invented(law.boe_id) else law.eli,
        "versions": law.version_count,  # type: ignore[attr-defined]
        "chunks": law.chunk_count,  # type: ignore[attr-defined]
        "chunks_with_vector": law.embedded_count,  # type: ignore[attr-defined]
    }


def _article_row(
    law: Law, article: Article, redaction: Redaction, texts: dict[int, ArticleVersion], as_of: date | None
) -> ArticleRow:
    version = redaction.version
    citation = f"{law.key}:{article.key}"
    return ArticleRow(
        citation=citation,
        kind=article.kind,
        label=article.label,
        heading=version.heading if version else article.heading,
        path=article.path,
        status=redaction.status,
        valid_from=version.valid_from if version else None,
        valid_to=version.valid_to if version else None,
        amended_by=version.amended_by or None if version else None,
        text=texts[version.pk].text if version else None,
        sha256=version.sha256 if version else None,
        url=page_url(f"{citation}@{as_of}" if as_of else citation),
        source_url=source_url(law, article),
    )

"""Builds laws row by row, for tests of what comes after the import; chunks are made as the import makes them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from corpus.chunking import chunk, embedded_text
from corpus.models import Article, ArticleVersion, Chunk, CorpusChange, Law


@dataclass(frozen=True)
class Redaction:
    """One version to build."""

    text: str
    valid_from: date | None = date(2019, 2, 1)
    valid_to: date | None = None
    status: str = "in_force"


def add_law(key: str, articles: Mapping[str, str | Sequence[Redaction]] | None = None, **fields: Any) -> Law:
    """Add a law with articles by key (a text, or its redactions in order) and log it as new."""
    law = Law.objects.create(
        **{
            "key": key,
            "title": f"Ley inventada {key}",
            "rank": key.split("-")[0],
            "source": "test",
            "fetched_at": datetime(2026, 1, 1, tzinfo=UTC),
            **fields,
        }
    )
    for article_key, redactions in (articles or {}).items():
        add_article(law, article_key, redactions)
    CorpusChange.objects.create(law_id=law.pk)
    return law


def add_article(law: Law, key: str, redactions: str | Sequence[Redaction], **fields: Any) -> Article:
    """Add one article with its redactions and their chunks; log nothing."""
    label = f"Artículo {key.removeprefix('art-')}"
    values = {"kind": "article", "label": label, "position": law.articles.count() + 1, **fields}
    article = Article.objects.create(law=law, key=key, **values)
    for redaction in [Redaction(redactions)] if isinstance(redactions, str) else redactions:
        add_version(article, redaction)
    return article


def add_version(article: Article, redaction: Redaction) -> ArticleVersion:
    """Add one redaction after the others, with its chunks; log nothing."""
    version = ArticleVersion.objects.create(
        article=article,
        position=article.versions.count() + 1,
        text=redaction.text,
        sha256=hashlib.sha256(redaction.text.encode()).hexdigest(),
        valid_from=redaction.valid_from,
        valid_to=redaction.valid_to,
        status=redaction.status,
    )
    for position, passage in enumerate(chunk(redaction.text), 1):
        text = embedded_text(article.label, "", redaction.text[passage.start : passage.end], passage.header)
        sha256 = hashlib.sha256(text.encode()).hexdigest()
        Chunk.objects.create(version=version, position=position, start=passage.start, end=passage.end, sha256=sha256)
    return version

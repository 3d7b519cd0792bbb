"""Reads what ranked versions are now, in one query, and drops those that are gone, changed or no longer wanted."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from corpus.models import Law
from search.candidates import digest_of
from search.filters import IN_FORCE, LAST_DAY, first_day, standing_of
from search.passages import Span
from search.redactions import first_known
from search.responses import LawSummary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from search.filters import Filters
    from search.ranking import Ranked

# The redaction that comes next, and the next that is a text, tell how long a text has force.
_ROWS = """
    SELECT version.id, version.article_id, version.heading, version.sha256, version.status,
           version.valid_from, version.valid_to, octet_length(version.text),
           article.key, article.kind, article.label, article.path, article.source_block,
           follower.status, next.id, next.valid_from,
           law.id, law.key, law.boe_id, law.title, law.short_title, law.rank, law.jurisdiction, law.status,
           law.valid_from, law.valid_to, law.source_url, law.language,
           law.published, law.history, law.source_updated_at, law.fetched_at
    FROM corpus_articleversion AS version
    JOIN corpus_article AS article ON article.id = version.article_id
    JOIN corpus_law AS law ON law.id = article.law_id
    LEFT JOIN LATERAL (
        SELECT other.status FROM corpus_articleversion AS other
        WHERE other.article_id = version.article_id AND other.position > version.position
        ORDER BY other.position LIMIT 1
    ) AS follower ON true
    LEFT JOIN LATERAL (
        SELECT other.id, other.valid_from FROM corpus_articleversion AS other
        WHERE other.article_id = version.article_id AND other.position > version.position
        AND other.status = 'in_force' ORDER BY other.position LIMIT 1
    ) AS next ON true
    WHERE version.id = ANY(%s)
"""
_TEXTS = """
    SELECT version.id, version.sha256, version.text,
           (SELECT json_agg(json_build_array(chunk.start, chunk."end", chunk.sub_unit) ORDER BY chunk.position)
            FROM corpus_chunk AS chunk WHERE chunk.version_id = version.id)
    FROM corpus_articleversion AS version
    WHERE version.id = ANY(%s)
"""


class _Validity(NamedTuple):
    """What `standings` asks of a version or a law."""

    status: str
    valid_from: date | None
    valid_to: date | None


class LawRow(NamedTuple):
    """A law as hits name it, with what its official address is made of, and what is known of its past.

    `known_since` is the first day of which its source tells what it said; None where that is all its time.
    """

    summary: LawSummary
    boe_id: str | None
    source_url: str
    published: date | None
    known_since: date | None


class Provision(NamedTuple):
    """A version as it is in the database, with its status on the day asked for; `text` and `spans` only to be shown.

    `size` is of its text, in bytes: the database tells it without reading the text.
    """

    version_id: int
    article_id: int
    key: str
    kind: str
    label: str
    heading: str
    path: list[str]
    source_block: str
    status: str
    valid_from: date | None
    valid_to: date | None
    law: LawRow
    size: int
    text: str = ""
    spans: tuple[Span, ...] = ()

    @property
    def citation(self) -> str:
        """The canonical citation of the provision."""
        return f"{self.law.summary.id}:{self.key}"

    def is_known_on(self, day: date) -> bool:
        """Whether this is known to be what the provision said on a day: not where a source has only today's text."""
        return self.valid_from is not None or self.law.known_since is None or day >= self.law.known_since


def hydrate(digests: Mapping[int, int], filters: Filters) -> dict[int, Provision]:
    """Give by id, without their texts, the versions that are there, unchanged and meet the filters: one query.

    A digest of 0 takes any text.
    """
    if not digests:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, [list(digests)])
        rows = cursor.fetchall()
    found = (_provision(row, digests, filters) for row in rows)
    return {provision.version_id: provision for provision in found if provision}


def with_texts(page: Iterable[Ranked], provisions: Mapping[int, Provision]) -> dict[int, Provision]:
    """Give by id the provisions of a page with text and passages, but for what has changed: one query if any."""
    digests = {ranked.version_id: ranked.digest for ranked in page}
    if not digests:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_TEXTS, [list(digests)])
        rows = cursor.fetchall()
    return {
        version_id: provisions[version_id]._replace(text=text, spans=tuple(Span(*chunk) for chunk in chunks or ()))
        for version_id, sha256, text, chunks in rows
        if digests[version_id] in (0, digest_of(sha256))
    }


def _provision(row: Sequence[Any], digests: Mapping[int, int], filters: Filters) -> Provision | None:
    version_id, article_id, heading, sha256, own_status, valid_from, valid_to, size = row[:8]
    key, kind, label, path, source_block = row[8:13]
    follower, next_id, next_from = row[13:16]
    if own_status != IN_FORCE or digests[version_id] not in (0, digest_of(sha256)):
        return None
    law, law_validity = _law(*row[16:])
    if valid_from is None and law.published and filters.on < law.published:
        return None
    next_first = first_day(next_from, law_validity) if next_id else LAST_DAY + 1
    standing = standing_of(_Validity(own_status, valid_from, valid_to), law_validity, next_first, follower or "")
    status = standing.status_on(filters.day)
    summary = law.summary
    if status is None or not filters.admits(
        standing, law=summary.id, rank=summary.rank, jurisdiction=summary.jurisdiction, kind=kind
    ):
        return None
    return Provision(
        version_id=version_id,
        article_id=article_id,
        key=key,
        kind=kind,
        label=label,
        heading=heading,
        path=path,
        source_block=source_block,
        status=status,
        valid_from=valid_from,
        valid_to=valid_to,
        law=law,
        size=size,
    )


@lru_cache(maxsize=1024)
def _law(_pk: int, *values: Any) -> tuple[LawRow, _Validity]:
    """Give a law from its row; the same laws come up in one question after another."""
    key, boe_id, title, short_title, rank, jurisdiction, status, first, last, source_url, language = values[:11]
    published, history, source_updated_at, fetched_at = values[11:]
    summary = LawSummary.model_construct(
        id=key, boe_id=boe_id, title=title, short_title=short_title, rank=rank, jurisdiction=jurisdiction, status=status
    )
    known_since = first_known(source_updated_at, fetched_at) if history == Law.History.CURRENT_ONLY else None
    row = LawRow(summary.in_language(language), boe_id, source_url, published, known_since)
    return row, _Validity(status, first, last)

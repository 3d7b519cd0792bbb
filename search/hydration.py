"""Reads what ranked versions are now, in one query, and drops those that are gone, changed or no longer wanted."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from search.candidates import digest_of
from search.filters import standings
from search.passages import Span
from search.responses import LawSummary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from search.filters import Filters, Standing
    from search.ranking import Ranked

# Texts and chunks come only for the versions that will be shown.
_ROWS = """
    SELECT version.id, version.article_id, version.heading, version.sha256, version.valid_from, version.valid_to,
           CASE WHEN version.id = ANY(%(shown)s) THEN version.text END,
           article.key, article.kind, article.label, article.path, article.source_block,
           law.id, law.key, law.boe_id, law.title, law.short_title, law.rank, law.jurisdiction, law.status,
           law.valid_from, law.valid_to, law.source_url, law.language,
           (SELECT json_agg(json_build_array(other.id, other.status, other.valid_from, other.valid_to)
                            ORDER BY other.position)
            FROM corpus_articleversion AS other WHERE other.article_id = version.article_id),
           CASE WHEN version.id = ANY(%(shown)s) THEN
               (SELECT json_agg(json_build_array(chunk.start, chunk."end", chunk.sub_unit) ORDER BY chunk.position)
                FROM corpus_chunk AS chunk WHERE chunk.version_id = version.id) END
    FROM corpus_articleversion AS version
    JOIN corpus_article AS article ON article.id = version.article_id
    JOIN corpus_law AS law ON law.id = article.law_id
    WHERE version.id = ANY(%(versions)s)
"""


class _Validity(NamedTuple):
    """What `standings` asks of a version or a law."""

    status: str
    valid_from: date | None
    valid_to: date | None


class LawRow(NamedTuple):
    """A law as hits name it, with what its official address is made of."""

    summary: LawSummary
    boe_id: str | None
    source_url: str


class Provision(NamedTuple):
    """A version as it is in the database, with its status on the day asked for; no `text` where none was asked for."""

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
    text: str = ""
    spans: tuple[Span, ...] = ()

    @property
    def citation(self) -> str:
        """The canonical citation of the provision."""
        return f"{self.law.summary.id}:{self.key}"


def hydrate(digests: Mapping[int, int], filters: Filters, shown: Collection[int] = ()) -> dict[int, Provision]:
    """Give by id the versions of `digests` that are there, unchanged and meet the filters: one query.

    A digest of 0 takes any text; `shown` are those whose text is read too.
    """
    if not digests:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, {"versions": list(digests), "shown": list(shown)})
        rows = cursor.fetchall()
    laws: dict[int, LawRow] = {}
    found = (_provision(row, digests, filters, laws) for row in rows)
    return {provision.version_id: provision for provision in found if provision}


def hydrate_shown(page: Iterable[Ranked], filters: Filters) -> dict[int, Provision]:
    """Give by id the versions of a page with their texts: one query if there are any."""
    versions = {ranked.version_id: ranked.digest for ranked in page}
    return hydrate(versions, filters, versions)


def _provision(
    row: Sequence[Any], digests: Mapping[int, int], filters: Filters, laws: dict[int, LawRow]
) -> Provision | None:
    version_id, article_id, heading, sha256, valid_from, valid_to, text = row[:7]
    key, kind, label, path, source_block = row[7:12]
    law_values, siblings, chunks = row[12:24], row[24], row[25]
    law = laws.get(law_values[0]) or laws.setdefault(law_values[0], _law(law_values))
    standing = _standing(version_id, siblings, _Validity(law_values[7], law_values[8], law_values[9]))
    status = standing.status_on(filters.day) if standing else None
    if digests[version_id] not in (0, digest_of(sha256)) or standing is None or status is None:
        return None
    summary = law.summary
    if not filters.admits(standing, law=summary.id, rank=summary.rank, jurisdiction=summary.jurisdiction, kind=kind):
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
        text=text or "",
        spans=tuple(Span(*chunk) for chunk in chunks or ()),
    )


def _law(values: Sequence[Any]) -> LawRow:
    _pk, key, boe_id, title, short_title, rank, jurisdiction, status, _first, _last, source_url, language = values
    summary = LawSummary.model_construct(
        id=key, boe_id=boe_id, title=title, short_title=short_title, rank=rank, jurisdiction=jurisdiction, status=status
    )
    return LawRow(summary.in_language(language), boe_id, source_url)


def _standing(version_id: int, siblings: Sequence[Sequence[Any]], law: _Validity) -> Standing | None:
    """Give the standing of one version among all of its article."""
    versions = [_Validity(status, _day(first), _day(last)) for _id, status, first, last in siblings]
    place = next(place for place, sibling in enumerate(siblings) if sibling[0] == version_id)
    return standings(versions, law)[place]


def _day(written: str | None) -> date | None:
    return date.fromisoformat(written) if written else None

"""Tells what ranked versions are now, and drops those that are gone, changed or no longer wanted.

What was read is kept while the corpus, its citations and the version's own row stay as they are: one question brings
up much of what the last one did.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection

from corpus.clock import known_since
from search.candidates import digest_of
from search.filters import IN_FORCE, LAST_DAY, Standing, first_day, standing_of
from search.passages import Span
from search.responses import LawSummary

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from search.filters import Filters
    from search.ranking import Ranked

# So many versions are kept, of about one and a half kilobytes each.
MOST_KEPT = 20_000
# So often what changes while it is read is read again.
_TRIES = 3

# The state of the corpus and of its citations, which end in the revision of before when they are all read again. Every
# statement that is kept of tells it: the next one may find another.
_STATE = """
    (SELECT row(revision, at)::text FROM corpus_corpuschange ORDER BY revision DESC LIMIT 1),
    (SELECT row(revision, reader, xmin, ctid)::text FROM search_graphstate)
"""
_STATES = 2
# With every change PostgreSQL gives a row another place.
_MARKS = f"""
    SELECT id, xmin, ctid, {_STATE}
    FROM corpus_articleversion WHERE id = ANY(%s)
"""  # noqa: S608 (nothing of the caller's)
# The redaction that comes next, and the next that is a text, tell how long a text has force.
_VERSIONS = f"""
    SELECT version.id, version.xmin, version.ctid, version.article_id, version.heading, version.sha256, version.status,
           version.valid_from, version.valid_to, octet_length(version.text),
           article.law_id, article.key, article.kind, article.label, article.path, article.source_block,
           follower.status, next.id, next.valid_from,
           ARRAY(
               SELECT cited.article_id FROM search_citation AS citation
               JOIN search_citedtarget_articles AS cited ON cited.citedtarget_id = citation.target_id
               WHERE citation.version_id = version.id
           ), {_STATE}
    FROM corpus_articleversion AS version
    JOIN corpus_article AS article ON article.id = version.article_id
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
"""  # noqa: S608 (nothing of the caller's)
_LAWS = f"""
    SELECT id, key, boe_id, title, short_title, rank, jurisdiction, status, valid_from, valid_to, source_url, language,
           published, history, source_updated_at, fetched_at, {_STATE}
    FROM corpus_law WHERE id = ANY(%s)
"""  # noqa: S608 (nothing of the caller's)
_TEXTS = """
    SELECT version.id, version.sha256, version.text,
           ARRAY(SELECT start FROM corpus_chunk WHERE version_id = version.id ORDER BY position),
           ARRAY(SELECT "end" FROM corpus_chunk WHERE version_id = version.id ORDER BY position),
           ARRAY(SELECT sub_unit FROM corpus_chunk WHERE version_id = version.id ORDER BY position)
    FROM corpus_articleversion AS version
    WHERE version.id = ANY(%s)
"""
# The column that parts what is of the version from what is of its article.
_LAW_ID = 10
# So many columns tell a version from every other and from itself before a change.
_MARK = 3


class _Validity(NamedTuple):
    """What `standings` asks of a version or a law."""

    status: str
    valid_from: date | None
    valid_to: date | None


class LawRow(NamedTuple):
    """A law as hits name it, with all its names, what its official address is made of, and what is known of its past.

    `known_since` is the first day of which its source tells what it said; None where that is all its time.
    """

    summary: LawSummary
    names: str
    boe_id: str | None
    source_url: str
    published: date | None
    known_since: date | None


class Provision(NamedTuple):
    """A version as it is in the database, with its status on the day asked for; `text` and `spans` only to be shown.

    `size` is of its text, in bytes: the database tells it without reading the text. `cites` names the articles cited.
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
    cites: frozenset[int] = frozenset()
    text: str = ""
    spans: tuple[Span, ...] = ()

    @property
    def citation(self) -> str:
        """The canonical citation of the provision."""
        return f"{self.law.summary.id}:{self.key}"

    def is_known_on(self, day: date) -> bool:
        """Whether this is known to be what the provision said on a day: not where a source has only today's text."""
        return self.valid_from is not None or self.law.known_since is None or day >= self.law.known_since


class _Known(NamedTuple):
    """What is kept of a version: the provision it is while in force, its standing, and the digest of its text."""

    provision: Provision
    standing: Standing
    digest: int

    def under(self, filters: Filters) -> Provision | None:
        """Give the provision with its status on the day of the filters; None if it does not meet them."""
        one, law = self.provision, self.provision.law
        if one.valid_from is None and law.published and filters.on < law.published:
            return None
        status = self.standing.status_on(filters.day)
        summary = law.summary
        if status is None or not filters.admits(
            self.standing, law=summary.id, rank=summary.rank, jurisdiction=summary.jurisdiction, kind=one.kind
        ):
            return None
        return one if status == IN_FORCE else one._replace(status=status)


@dataclass
class _Kept:
    """What was read in one state of the database: versions by id and mark, None for one that is no text; laws by id.

    Without a state it is what was read in whatever states there were.
    """

    state: tuple[object, ...] = ()
    versions: dict[tuple[object, ...], _Known | None] = field(default_factory=dict)
    laws: dict[int, tuple[LawRow, _Validity]] = field(default_factory=dict)

    def read(self, version_ids: Sequence[int]) -> bool:
        """Read versions, and those of their laws that are not kept, in one query each; false if the state has passed.

        Nothing is kept then.
        """
        rows = _rows(_VERSIONS, version_ids)
        unknown = list({row[_LAW_ID] for row in rows} - self.laws.keys())
        laws = _rows(_LAWS, unknown) if unknown else []
        if self.state and any(row[-_STATES:] != self.state for row in (*rows, *laws)):
            return False
        self.laws |= {row[0]: _law(*row[1:-_STATES]) for row in laws}
        # A law that was deleted in between took its versions along.
        self.versions |= {
            row[:_MARK]: _known(row[:-_STATES], *self.laws[row[_LAW_ID]]) for row in rows if row[_LAW_ID] in self.laws
        }
        return True


_kept = _Kept()


def hydrate(digests: Mapping[int, int], filters: Filters) -> dict[int, Provision]:
    """Give by id, without their texts, the versions that are there, unchanged and meet the filters: three queries.

    More are asked while an import changes what they read. A digest of 0 takes any text.
    """
    if not digests:
        return {}
    found = {
        version_id: known.under(filters)
        for version_id, known in _now(list(digests)).items()
        if digests[version_id] in (0, known.digest)
    }
    return {version_id: provision for version_id, provision in found.items() if provision}


def _now(version_ids: Sequence[int]) -> dict[int, _Known]:
    """Give the versions that are texts as they are now, reading what is not kept of them."""
    for _try in range(_TRIES):
        marks = _rows(_MARKS, version_ids)
        kept = _kept_in(marks[0][_MARK:]) if marks else _Kept()
        missing = [mark[0] for mark in marks if mark[:_MARK] not in kept.versions]
        if not missing or kept.read(missing):
            return {mark[0]: known for mark in marks if (known := kept.versions.get(mark[:_MARK]))}
    # Changes follow each other closely: what is read between them is for this answer alone.
    kept = _Kept()
    kept.read(version_ids)
    return {mark[0]: known for mark, known in kept.versions.items() if known}  # type: ignore[misc]


def _kept_in(state: tuple[object, ...]) -> _Kept:
    """Give what is kept as of a state; a thread in an older one goes on filling its own, which nobody else sees."""
    global _kept
    kept = _kept
    if kept.state != state or len(kept.versions) > MOST_KEPT:
        kept = _kept = _Kept(state)
    return kept


def _rows(query: str, ids: Sequence[int]) -> list[tuple[Any, ...]]:
    with connection.binary_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(query, [ids])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def with_texts(page: Iterable[Ranked], provisions: Mapping[int, Provision]) -> dict[int, Provision]:
    """Give by id the provisions of a page with text and passages, but for what has changed: one query if any."""
    digests = {ranked.version_id: ranked.digest for ranked in page}
    if not digests:
        return {}
    return {
        version_id: provisions[version_id]._replace(text=text, spans=tuple(map(Span, *chunks)))
        for version_id, sha256, text, *chunks in _rows(_TEXTS, list(digests))
        if digests[version_id] in (0, digest_of(sha256))
    }


def _known(row: Sequence[Any], law: LawRow, law_validity: _Validity) -> _Known | None:
    version_id, _, _, article_id, heading, sha256, own_status, valid_from, valid_to, size = row[:_LAW_ID]
    key, kind, label, path, source_block, follower, next_id, next_from, cites = row[_LAW_ID + 1 :]
    if own_status != IN_FORCE:
        return None
    next_first = first_day(next_from, law_validity) if next_id else LAST_DAY + 1
    provision = Provision(
        version_id=version_id,
        article_id=article_id,
        key=key,
        kind=kind,
        label=label,
        heading=heading,
        path=path,
        source_block=source_block,
        status=IN_FORCE,
        valid_from=valid_from,
        valid_to=valid_to,
        law=law,
        size=size,
        cites=frozenset(cites),
    )
    standing = standing_of(_Validity(own_status, valid_from, valid_to), law_validity, next_first, follower or "")
    return _Known(provision, standing, digest_of(sha256))


def _law(*values: Any) -> tuple[LawRow, _Validity]:
    key, boe_id, title, short_title, rank, jurisdiction, status, first, last, source_url, language = values[:11]
    published, history, source_updated_at, fetched_at = values[11:]
    summary = LawSummary.model_construct(
        id=key, boe_id=boe_id, title=title, short_title=short_title, rank=rank, jurisdiction=jurisdiction, status=status
    )
    since = known_since(history, source_updated_at, fetched_at)
    row = LawRow(summary.in_language(language), f"{title} {short_title}", boe_id, source_url, published, since)
    return row, _Validity(status, first, last)

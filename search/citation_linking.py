"""Keeps the citations between provisions in step with the corpus, from its change log; can be stopped at any moment.

A text is read once, however often its law is imported. What it cites is resolved again when a law that it may mean
comes, goes or changes, without reading the text again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, connection, transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet

from corpus.models import ArticleVersion, CorpusChange
from search import cited_targets, following
from search.following import Followed
from search.locks import sole_holder
from search.models import Citation, CitedTarget, GraphState, ReadVersion
from search.text_citations import read_citations

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Collection, Sequence

READER = 5
"""Raise it when a release reads citations otherwise: every text is read again."""
_VERSIONS_AT_ONCE = 200
_TARGETS_AT_ONCE = 2_000
_TRIES = 3
_LOCK = 0x43495445
_RECOUNT = """
    WITH counted AS (
        SELECT links.article_id, count(DISTINCT version.article_id) AS citing
        FROM search_citedtarget_articles AS links
        JOIN search_citation AS citation ON citation.target_id = links.citedtarget_id
        JOIN corpus_articleversion AS version ON version.id = citation.version_id
        WHERE version.article_id <> links.article_id
        GROUP BY links.article_id
    ), gone AS (
        DELETE FROM search_citationcount AS held
        WHERE NOT EXISTS (SELECT FROM counted WHERE counted.article_id = held.article_id)
    )
    INSERT INTO search_citationcount (article_id, citing) SELECT article_id, citing FROM counted
    ON CONFLICT (article_id) DO UPDATE SET citing = EXCLUDED.citing
    WHERE search_citationcount.citing <> EXCLUDED.citing
"""


@dataclass(frozen=True)
class Linked:
    """What was done: how many versions were read, and how many cited things turned out to be something else."""

    versions: int = 0
    targets: int = 0


def _silent(_versions: int) -> None:
    """Tell nobody how far the work is."""


def link(*, wait: bool = True, rebuild: bool = False, advance: Callable[[int], None] = _silent) -> Linked | None:
    """Bring the citations to the newest state of the corpus; None if another process is at it and we do not `wait`.

    `rebuild` reads every text again; what is held serves until its text's turn comes. `advance` hears how many
    versions were read since it last did; an exception of its own stops the work, which goes on from there next time.
    """
    with sole_holder(_LOCK, wait=wait) as is_ours:
        if not is_ours:
            return None
        target, state = CorpusChange.newest(), _state()
        if rebuild or state.reader != READER:
            ReadVersion.objects.all().delete()
            state = GraphState(pk=1, revision=0, reader=READER)
            state.save()
        if state.revision == target:
            return Linked()
        done = _follow_changes(state.revision, advance)
        GraphState.objects.filter(pk=1).update(revision=target)
        return done


def follow(stop: threading.Event) -> None:
    """Keep the citations in step with the corpus until `stop` is set: the work of one thread of a server."""
    following.follow(
        stop,
        Followed(
            "what the texts cite",
            is_behind=is_behind,
            catch_up=lambda give_way: link(wait=False, advance=give_way),
            is_gentle=True,
        ),
    )


def is_behind() -> bool:
    """Whether there is anything to link: two small queries."""
    state = _state()
    return state.reader != READER or state.revision != CorpusChange.newest()


def backlog(*, rebuild: bool = False) -> int:
    """Count the versions that `link` will read."""
    state = _state()
    if rebuild or state.reader != READER:
        return ArticleVersion.objects.count()
    return _unread(*_changed_since(state.revision)).count() if state.revision != CorpusChange.newest() else 0


def summary() -> dict[str, int]:
    """Count the citations that are held by what became of them."""
    return {
        state: Citation.objects.filter(target__state=state).count()
        for state in (state.value for state in CitedTarget.State)
    }


def _state() -> GraphState:
    return GraphState.objects.filter(pk=1).first() or GraphState(pk=1)


def _follow_changes(revision: int, advance: Callable[[int], None]) -> Linked:
    laws, articles = _changed_since(revision)
    known = CitedTarget.objects.aggregate(last=Max("pk"))["last"]
    versions = targets = 0
    unread = list(_unread(laws, articles).values_list("pk", flat=True))
    for first in range(0, len(unread), _VERSIONS_AT_ONCE):
        batch = unread[first : first + _VERSIONS_AT_ONCE]
        _try_again(_read, batch)
        versions += len(batch)
        advance(len(batch))
    affected = cited_targets.affected(laws | set(articles.values()), known) if known else []
    for first in range(0, len(affected), _TARGETS_AT_ONCE):
        targets += _try_again(_resolve_again, affected[first : first + _TARGETS_AT_ONCE])
        advance(0)
    cited_targets.prune()
    _try_again(_count, ())
    return Linked(versions, targets)


def _changed_since(revision: int) -> tuple[set[int], dict[int, int]]:
    """Give the laws that changed whole, and the law of every article that changed by itself."""
    rows = CorpusChange.objects.filter(revision__gt=revision).values_list("law_id", "article_id").distinct()
    laws, articles = set(), {}
    for law, article in rows:
        if article is None:
            laws.add(law)
        else:
            articles[article] = law
    return laws, articles


def _unread(laws: Collection[int], articles: Collection[int]) -> QuerySet[ArticleVersion]:
    """Give the changed versions whose text was never read as it is now, in the order of their laws."""
    as_is = ReadVersion.objects.filter(version=OuterRef("pk"), sha256=OuterRef("sha256"))
    changed = ArticleVersion.objects.filter(Q(article__law_id__in=laws) | Q(article_id__in=articles))
    return changed.filter(~Exists(as_is)).order_by("article__law_id", "article__position", "position")


def _try_again(work: Callable[[Sequence[int]], int], batch: Sequence[int]) -> int:
    """Work through a batch in one transaction, anew if an import took away under it what it points at."""
    for tries_left in reversed(range(_TRIES)):
        try:
            with transaction.atomic():
                return work(batch)
        except IntegrityError:
            if not tries_left:
                raise
    raise AssertionError("unreachable")


def _read(batch: Sequence[int]) -> int:
    """Read the citations of these versions and let them take the place of those that are held."""
    versions = ArticleVersion.objects.filter(pk__in=batch).select_related("article__law").defer("notes")
    found = list(read_citations(versions.order_by("article__law_id", "article__position", "position")))
    targets = cited_targets.hold(one.reading for _, occurrences in found for one in occurrences)
    Citation.objects.filter(version__in=batch).delete()
    Citation.objects.bulk_create(
        Citation(
            version=version,
            target_id=targets[one.reading.digest],
            start=one.start,
            end=one.end,
            text=version.text[one.start : one.end],
        )
        for version, occurrences in found
        for one in occurrences
    )
    ReadVersion.objects.bulk_create(
        (ReadVersion(version=version, sha256=version.sha256) for version, _ in found),
        update_conflicts=True,
        unique_fields=["version"],
        update_fields=["sha256"],
    )
    return len(found)


def _resolve_again(batch: Sequence[int]) -> int:
    return cited_targets.refresh(list(CitedTarget.objects.filter(pk__in=batch)))


def _count(_: Sequence[int]) -> int:
    """Write how many provisions cite each, where that has changed."""
    with connection.cursor() as cursor:
        cursor.execute(_RECOUNT)
        return int(cursor.rowcount)

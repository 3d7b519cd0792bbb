"""Keeps the lexical index in step with the corpus, from its change log; one writer at a time, readers undisturbed."""

from __future__ import annotations

import logging
import shutil
import threading
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import connection
from django.db.models import Q

from corpus.models import ArticleVersion, CorpusChange
from search import following
from search.following import Followed
from search.generations import Generations
from search.lexical import IndexState, lexical_index
from search.lexical_documents import documents, state_document
from search.lexical_schema import META, layout, open_index
from search.locks import sole_holder

if TYPE_CHECKING:
    from collections.abc import Callable

    from tantivy import IndexWriter

logger = logging.getLogger(__name__)

# So many versions are indexed on the way to an answer, in about a second; more are left to a thread.
ON_THE_WAY = 4_000
# One thread with room for many texts leaves few segments, which a question is put to one after another.
WRITER_BYTES = 400_000_000
WRITER_THREADS = 1
SMALL_WRITER_BYTES = 24_000_000
_LOCK = 0x4C455849
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_follower = threading.Lock()


@dataclass(frozen=True)
class Indexed:
    """What was done: how many versions were read, and whether the whole index was built anew."""

    versions: int = 0
    is_rebuilt: bool = False


def _silent(_versions: int) -> None:
    """Tell nobody how far the work is."""


def corpus_state() -> IndexState:
    """Give the newest entry of the corpus's change log; revision 0 of an empty one. Every question asks this."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT revision, at FROM corpus_corpuschange ORDER BY revision DESC LIMIT 1")
        newest = cursor.fetchone()
    return IndexState(newest[0], _microseconds(newest[1])) if newest else IndexState(0, 0)


def keep_up(corpus: IndexState) -> None:
    """Bring the index to the corpus before a question is answered, if that is quick; else start on it.

    Fails in silence but for the log: an old index answers too, and a missing one says so itself.
    """
    if lexical_index().state() == corpus or _follower.locked():
        return
    try:
        if backlog(most=ON_THE_WAY + 1) <= ON_THE_WAY:
            catch_up(wait=False)
        else:
            _start_catching_up()
    except Exception:
        logger.exception("the lexical index could not be brought up to date")


def catch_up(*, wait: bool = True, advance: Callable[[int], None] = _silent) -> Indexed | None:
    """Bring the index to the newest state of the corpus; None if another process is at it and we do not `wait`.

    An index that is missing, unreadable, of another layout, or of another database is built anew. `advance` hears
    how many versions were read since it last did.
    """
    with sole_holder(_LOCK, wait=wait) as is_ours:
        if not is_ours:
            return None
        target, held = corpus_state(), lexical_index().state()
        if held == target:
            return Indexed()
        if held is None or not _is_of_this_corpus(held) or _is_most_of_it(backlog()):
            return _build(target, advance)
        return _amend(held, target, advance)


def rebuild(*, advance: Callable[[int], None] = _silent) -> Indexed:
    """Build the whole index aside and let it take the place of the one that serves."""
    with sole_holder(_LOCK, wait=True):
        return _build(corpus_state(), advance)


def follow(stop: threading.Event) -> None:
    """Keep the index in step with the corpus until `stop` is set: the work of one thread of a server."""
    following.follow(
        stop,
        Followed(
            "the lexical index",
            is_behind=lambda: lexical_index().state() != corpus_state(),
            catch_up=lambda give_way: catch_up(wait=False, advance=give_way),
        ),
    )


def backlog(*, most: int | None = None) -> int:
    """Count the versions that `catch_up` will read, no further than to `most`: a question waits for this."""
    held = lexical_index().state()
    if held is None or not _is_of_this_corpus(held):
        return count_versions()
    laws, articles = _changed_since(held)
    changed = ArticleVersion.objects.filter(Q(article__law_id__in=laws) | Q(article_id__in=articles))
    return changed.order_by()[:most].count()


def _is_most_of_it(versions: int) -> bool:
    """Whether so much has changed that a new index is made sooner than the old one is mended."""
    return versions > ON_THE_WAY and versions > count_versions() / 2


def count_versions() -> int:
    """Count what a rebuild will read."""
    return ArticleVersion.objects.count()


def _build(target: IndexState, advance: Callable[[int], None]) -> Indexed:
    generations = Generations(Path(settings.LEXICAL_INDEX_DIR), layout())
    folder = generations.fresh()
    writer = open_index(folder).writer(WRITER_BYTES, WRITER_THREADS)
    try:
        versions = _write(writer, Q(), target, advance)
    except BaseException:
        # Its threads write on into the folder until they are told to stop.
        with suppress(RuntimeError):
            writer.rollback()
            writer.wait_merging_threads()
        shutil.rmtree(folder, ignore_errors=True)
        raise
    generations.publish(folder)
    generations.prune()
    return Indexed(versions, is_rebuilt=True)


def _amend(held: IndexState, target: IndexState, advance: Callable[[int], None]) -> Indexed:
    laws, articles = _changed_since(held)
    folder = Generations(Path(settings.LEXICAL_INDEX_DIR), layout()).current()
    if folder is None:
        raise FileNotFoundError("the lexical index went away while it was being written")
    writer = open_index(folder).writer(SMALL_WRITER_BYTES, 1)
    for law in laws:
        writer.delete_documents_by_term("law_id", law)
    for article in articles:
        writer.delete_documents_by_term("article_id", article)
    which = Q(article__law_id__in=laws) | Q(article_id__in=articles)
    return Indexed(_write(writer, which, target, advance))


def _write(writer: IndexWriter, which: Q, target: IndexState, advance: Callable[[int], None]) -> int:
    """Add the documents, say in the same commit what state they are of, and let segments merge.

    Whether it ends well or not, no thread of the writer is left that might still touch the folder.
    """
    try:
        total = _add(writer, which, advance)
        writer.delete_documents_by_term("meta", META)
        writer.add_document(state_document(target.revision, target.changed_at))
        writer.commit()
    except BaseException:
        writer.rollback()
        raise
    finally:
        writer.wait_merging_threads()
    return total


def _add(writer: IndexWriter, which: Q, advance: Callable[[int], None]) -> int:
    total = 0
    for versions, found in documents(which):
        for document in found:
            writer.add_document(document)
        total += versions
        advance(versions)
    return total


def _changed_since(held: IndexState) -> tuple[list[int], list[int]]:
    """Give the laws that changed whole, and the other articles that changed."""
    rows = list(CorpusChange.objects.filter(revision__gt=held.revision).values_list("law_id", "article_id"))
    laws = {law for law, article in rows if article is None}
    return sorted(laws), sorted({article for law, article in rows if article is not None and law not in laws})


def _is_of_this_corpus(held: IndexState) -> bool:
    """Whether the change log still has the entry that the index came to; a restored database has another."""
    if held.revision == 0:
        return True
    at = CorpusChange.objects.filter(revision=held.revision).values_list("at", flat=True).first()
    return at is not None and _microseconds(at) == held.changed_at


def _microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)


def _start_catching_up() -> None:
    """Catch up in a thread, unless one is at it."""
    if _follower.acquire(blocking=False):
        threading.Thread(target=_catch_up_once, name="lexical-index", daemon=True).start()


def _catch_up_once() -> None:
    try:
        catch_up(wait=False)
    except Exception:
        logger.exception("the lexical index could not be brought up to date")
    finally:
        connection.close()
        _follower.release()

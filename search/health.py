"""Whether questions can be answered here, and what is missing or behind: a few cheap looks, no trial question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from django.core.cache import cache
from django.db import DatabaseError, Error, connection
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _
from ninja import Schema

from corpus.coverage import embedded_chunks
from corpus.embedding import EmbedderUnavailable, embedder_of, get_embedder
from corpus.jobs import is_worker_alive
from corpus.models import Article, CorpusChange, Job, Law
from corpus.vectors import active_model
from search.indexing import corpus_state
from search.lexical import lexical_index

if TYPE_CHECKING:
    from search.lexical import IndexState

CheckStatus = Literal["ok", "degraded", "failed"]
# Counting a million chunks takes a second or so.
COUNTED_FOR_SECONDS = 30
_COUNTS = "health:embedded_chunks"
_VECTOR_EXTENSION = "SELECT extversion FROM pg_extension WHERE extname = 'vector'"


class Check(Schema):
    """One thing that was looked at; `detail` says what is wrong."""

    status: CheckStatus = "ok"
    detail: str = ""


class CorpusCheck(Check):
    """The texts: the newest revision of the change log, and how many laws there are."""

    revision: int | None = None
    laws: int | None = None


class IndexCheck(Check):
    """The lexical index: `lag` changes are not in it yet, `orphans` of them are of rows that are gone."""

    revision: int | None = None
    lag: int | None = None
    orphans: int | None = None


class EmbedderCheck(Check):
    """The embedder that questions are given to."""

    fingerprint: str | None = None


class VectorsCheck(Check):
    """The vectors of the model that answers: how many chunks have one, of how many."""

    model: str | None = None
    chunks: int | None = None
    chunks_with_vector: int | None = None


class WorkerCheck(Check):
    """What carries out jobs: how many wait for it."""

    waiting: int | None = None


class Checks(Schema):
    """Everything that was looked at."""

    database: Check
    vector_extension: Check
    corpus: CorpusCheck
    lexical_index: IndexCheck
    embedder: EmbedderCheck
    vectors: VectorsCheck
    worker: WorkerCheck


class Health(Schema):
    """`ok`, `degraded` (answers, but something is missing or behind) or `unavailable` (no question is answered)."""

    status: Literal["ok", "degraded", "unavailable"]
    checks: Checks


def look() -> Health:
    """Look at everything; eight queries, six while the counts of chunks are fresh."""
    embedder = _embedder()
    try:
        checks = _with_database(embedder)
    except (DatabaseError, Error, OSError) as error:
        unseen = _("No se ha podido mirar.")
        checks = Checks(
            database=Check(status="failed", detail=_one_line(error)),
            vector_extension=Check(status="failed", detail=unseen),
            corpus=CorpusCheck(status="failed", detail=unseen),
            lexical_index=IndexCheck(status="failed", detail=unseen),
            embedder=embedder,
            vectors=VectorsCheck(status="failed", detail=unseen),
            worker=WorkerCheck(status="failed", detail=unseen),
        )
    return Health(status=_overall(checks), checks=checks)


def _with_database(embedder: EmbedderCheck) -> Checks:
    extension = _vector_extension()
    corpus = CorpusCheck(revision=corpus_state().revision, laws=Law.objects.count())
    return Checks(
        database=Check(),
        vector_extension=extension,
        corpus=corpus,
        lexical_index=_lexical_index(corpus.revision or 0),
        embedder=embedder,
        vectors=_vectors() if extension.status == "ok" else VectorsCheck(status="failed"),
        worker=_worker(),
    )


def _overall(checks: Checks) -> Literal["ok", "degraded", "unavailable"]:
    looked_at: list[Check] = [getattr(checks, name) for name in Checks.model_fields]
    if all(check.status == "ok" for check in looked_at):
        return "ok"
    has_arm = checks.lexical_index.status != "failed" or checks.vectors.status != "failed"
    is_empty = checks.corpus.laws == 0
    return "degraded" if checks.database.status == "ok" and (has_arm or is_empty) else "unavailable"


def _vector_extension() -> Check:
    with connection.cursor() as cursor:
        cursor.execute(_VECTOR_EXTENSION)
        found = cursor.fetchone()
    return Check() if found else Check(status="failed", detail=_("La base de datos no tiene la extensión vector."))


def _lexical_index(revision: int) -> IndexCheck:
    held = lexical_index().state()
    if held is None:
        return IndexCheck(status="failed", detail=_("El índice léxico falta o se está construyendo."))
    lag, orphans = _behind(held)
    check = IndexCheck(revision=held.revision, lag=lag, orphans=orphans)
    if held.revision > revision:
        check.status, check.detail = "degraded", _("El índice léxico es de otra base de datos.")
    elif lag:
        check.status, check.detail = "degraded", _("Al índice léxico le faltan cambios.")
    return check


def _behind(held: IndexState) -> tuple[int, int]:
    pending = CorpusChange.objects.filter(revision__gt=held.revision)
    lag = pending.count()
    if not lag:
        return 0, 0
    laws, articles = Law.objects.filter(pk=OuterRef("law_id")), Article.objects.filter(pk=OuterRef("article_id"))
    gone = pending.filter(article_id=None).exclude(Exists(laws)) | pending.exclude(article_id=None).exclude(
        Exists(articles)
    )
    return lag, gone.count()


def _embedder() -> EmbedderCheck:
    try:
        return EmbedderCheck(fingerprint=get_embedder().fingerprint)
    except EmbedderUnavailable as error:
        return EmbedderCheck(status="degraded", detail=_one_line(error))


def _vectors() -> VectorsCheck:
    model = active_model()
    if model is None:
        return VectorsCheck(status="failed", detail=_("Todavía no hay ningún vector: ejecute embed_chunks."))
    with_vector, chunks = _counts()
    check = VectorsCheck(model=model.fingerprint, chunks=chunks, chunks_with_vector=with_vector)
    if not _is_spoken(model.fingerprint):
        check.status = "failed"
        check.detail = _("Ningún modelo configurado es el de los vectores: ejecute embed_chunks.")
    elif with_vector < chunks:
        check.status, check.detail = "degraded", _("A algunos fragmentos les falta el vector.")
    return check


def _worker() -> WorkerCheck:
    check = WorkerCheck(waiting=Job.objects.filter(state=Job.State.QUEUED).count())
    if check.waiting and not is_worker_alive():
        check.status, check.detail = "degraded", _("Hay tareas en espera y nadie que las lleve a cabo: run_jobs.")
    return check


def _counts() -> tuple[int, int]:
    counts: tuple[int, int] | None = cache.get(_COUNTS)
    if counts is None:
        counts = embedded_chunks()
        cache.set(_COUNTS, counts, COUNTED_FOR_SECONDS)
    return counts


def _is_spoken(fingerprint: str) -> bool:
    """Whether some configured embedder makes vectors of that model."""
    try:
        return embedder_of(fingerprint) is not None
    except EmbedderUnavailable:
        return False


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())

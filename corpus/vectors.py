"""Keeps one vector per distinct passage and model: which are missing, which are worth most, which model answers."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.db import connection, transaction
from django.db.models import Case, Exists, Min, OuterRef, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from pgvector import HalfVector

from corpus import clock
from corpus.chunking import embedded_text, table_header
from corpus.embedding import Embedder
from corpus.models import ArticleVersion, Chunk, ChunkEmbedding, EmbeddingModel, Kind, Status

State = EmbeddingModel.State

# Ids of vectors grow in commit order because writers take this lock first: an index reads "all after the last one".
_WRITE_LOCK = (0x46554E, 2)
_DECREES = ("rd", "decreto", "reglamento")
_LESSER_RANKS = ("orden", "resolucion", "circular", "instruccion", "acuerdo", "acuerdo-internacional")
_LESSER_KINDS = (Kind.FINAL, Kind.REPEALING, Kind.PREAMBLE)
_ENTRY_INTO_FORCE = r"^(la )?(fecha de )?(entrada en vigor|vigencia)"
_ENTERS_INTO_FORCE = r"(entrará|entrarán|comenzará) (en vigor|a regir)"
_LONGEST_FORMULA = 400


class StaleChunks(RuntimeError):
    """Chunks were made by another release, which told the embedder something else."""


def active_model() -> EmbeddingModel | None:
    """Give the model whose vectors answer, if there is one."""
    return EmbeddingModel.objects.filter(state=State.ACTIVE).first()


@transaction.atomic
def register(embedder: Embedder) -> EmbeddingModel:
    """Give the model of an embedder, which answers at once where no other does, and else when it is complete."""
    _take_write_lock()
    model, _ = EmbeddingModel.objects.get_or_create(
        fingerprint=embedder.fingerprint, defaults={"dimensions": embedder.dimensions}
    )
    if not EmbeddingModel.objects.filter(state=State.ACTIVE).exists():
        model.state = State.ACTIVE
    elif model.state == State.RETIRED:
        model.state = State.BUILDING
    model.save(update_fields=["state"])
    return model


@transaction.atomic
def activate_if_complete(model: EmbeddingModel) -> None:
    """Let `model` answer in the place of the one before it, unless a chunk has no vector of it yet."""
    _take_write_lock()
    if missing(model).exists():
        return
    EmbeddingModel.objects.filter(state=State.ACTIVE).exclude(pk=model.pk).update(state=State.RETIRED)
    model.state = State.ACTIVE
    model.save(update_fields=["state"])


def missing(model: EmbeddingModel) -> QuerySet[Chunk]:
    """Give the chunks whose passage has no vector of `model`."""
    held = ChunkEmbedding.objects.filter(model=model, sha256=OuterRef("sha256"))
    return Chunk.objects.filter(~Exists(held)).order_by()


def count_missing(model: EmbeddingModel) -> int:
    """Count the distinct passages that have no vector of `model`."""
    return missing(model).values("sha256").distinct().count()


def worth_most(model: EmbeddingModel, limit: int, *, among_equals: Combinable | None = None) -> list[int]:
    """Give one chunk id for each passage without a vector, those that questions most likely need first.

    Texts in force today come before the past, rules before what every law ends with, laws before decrees before
    orders; what is equal in all that goes by `among_equals`, an expression over chunks, the lowest first.
    """
    texts = missing(model).values("sha256").annotate(
        past=Min(_is_past()), formula=Min(_is_formula()), rank=Min(_rank()), lesser=Min(_is_lesser()),
        place=Min(among_equals or Value(0)), first=Min("pk"),
    )  # fmt: skip
    order = ("past", "formula", "rank", "lesser", "place", "first")
    return list(texts.order_by(*order).values_list("first", flat=True)[:limit])


def _is_past() -> Combinable:
    today = clock.today()
    in_force = (
        Q(version__status=Status.IN_FORCE, version__article__law__status=Status.IN_FORCE)
        & (Q(version__valid_from=None) | Q(version__valid_from__lte=today))
        & (Q(version__valid_to=None) | Q(version__valid_to__gte=today))
    )
    return Case(When(in_force, then=Value(0)), default=Value(1))


def _rank() -> Combinable:
    rank = "version__article__law__rank__in"
    return Case(When(**{rank: _DECREES}, then=Value(1)), When(**{rank: _LESSER_RANKS}, then=Value(2)), default=Value(0))


def _is_formula() -> Combinable:
    """Find what all laws end with: when they enter into force, and that what contradicts them is repealed."""
    kind = "version__article__kind"
    says_when = Q(version__heading__iregex=_ENTRY_INTO_FORCE) | Q(
        version__heading="", end__lte=_LONGEST_FORMULA, version__text__iregex=_ENTERS_INTO_FORCE
    )
    is_short_repeal = Q(**{kind: Kind.REPEALING}, end__lte=_LONGEST_FORMULA)
    is_formula = is_short_repeal | (Q(**{kind: Kind.FINAL}) & says_when)
    return Case(When(is_formula, then=Value(1)), default=Value(0))


def _is_lesser() -> Combinable:
    return Case(When(version__article__kind__in=_LESSER_KINDS, then=Value(1)), default=Value(0))


@transaction.atomic
def embed(model: EmbeddingModel, embedder: Embedder, chunk_ids: Sequence[int]) -> int:
    """Make the vectors that these chunks miss and count them; what another process is at is left to it.

    Raise `EmbedderUnavailable`, or `StaleChunks` when a chunk is not what this release would embed.
    """
    texts = _texts(model, chunk_ids)
    if not texts:
        return 0
    vectors = embedder.passages(list(texts.values()))
    _take_write_lock()
    ChunkEmbedding.objects.bulk_create(
        ChunkEmbedding(model=model, sha256=sha256, vector=HalfVector(vector))
        for sha256, vector in zip(texts, vectors, strict=True)
    )
    return len(texts)


def _texts(model: EmbeddingModel, chunk_ids: Sequence[int]) -> dict[str, str]:
    """Give what is to be embedded by its hash, in the order of the chunks."""
    wanted = ("version__text", "version__blocks", "version__heading", "version__article__label")
    chunks = missing(model).select_related("version__article").only("version", "start", "end", "sha256", *wanted)
    found = chunks.in_bulk(_claimed(model, chunk_ids))
    texts = {}
    for chunk in (found[chunk_id] for chunk_id in chunk_ids if chunk_id in found):
        text = text_of(chunk, chunk.version)
        if hashlib.sha256(text.encode()).hexdigest() != chunk.sha256:
            raise StaleChunks(f"a chunk of {chunk.version} is not what this release embeds: run embed_chunks --rechunk")
        texts[chunk.sha256] = text
    return texts


def _claimed(model: EmbeddingModel, chunk_ids: Sequence[int]) -> list[int]:
    """Lock the passages of these chunks until the transaction ends, save those that another process holds.

    Which of them still miss their vector is for a later statement to read: it sees what the last holder committed.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH wanted AS MATERIALIZED (SELECT id, sha256 FROM corpus_chunk WHERE id = ANY(%s)) "
            "SELECT id FROM wanted WHERE pg_try_advisory_xact_lock(hashtextextended(sha256, %s))",
            [list(chunk_ids), model.pk],
        )
        return [row[0] for row in cursor.fetchall()]


def text_of(chunk: Chunk, version: ArticleVersion) -> str:
    """Compose what the embedder gets for a chunk of `version`."""
    header = table_header(version.text, version.blocks, chunk.start)
    return embedded_text(version.article.label, version.heading, version.text[chunk.start : chunk.end], header)


def prune() -> int:
    """Delete retired models, and the vectors that no chunk needs; count the vectors."""
    deleted, _ = ChunkEmbedding.objects.filter(
        Q(model__state=State.RETIRED) | ~Exists(Chunk.objects.filter(sha256=OuterRef("sha256")))
    ).delete()
    EmbeddingModel.objects.filter(state=State.RETIRED).delete()
    return deleted


def _take_write_lock() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", _WRITE_LOCK)

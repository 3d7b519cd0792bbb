"""Keeps an index of vectors that lies outside the database as fresh as the database, whoever else writes it."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from django.db import connection

from corpus.models import ChunkEmbedding, CorpusChange

if TYPE_CHECKING:
    from search.vector_horizon import Horizon

logger = logging.getLogger(__name__)

# What takes longer than a question may wait is done beside it, on the index as it was.
ROWS_WHILE_ASKED = 20_000
_ROWS_PER_LAW = 100
# To write so many rows anew takes a while, so that it is done only so often.
_MANY_ROWS = 100_000
_PAUSE_SECONDS = 1.0


class Held(Protocol):
    """An index of vectors as this process has it."""

    @property
    def horizon(self) -> Horizon:
        """How far it goes."""

    def __len__(self) -> int:
        """Count the rows that a refresh may have to write anew."""


Index = TypeVar("Index", bound=Held)
Loaded = TypeVar("Loaded", bound=Held, covariant=True)


class Source(Protocol[Loaded]):
    """Where an index lies."""

    def published(self) -> Horizon | None:
        """Say how far what is published goes; None when that is nothing."""

    def load(self) -> Loaded | None:
        """Give what is published."""

    def refresh(self) -> None:
        """Bring it up to the database, unless another process is at it."""


class Keeper(Generic[Index]):
    """The index of one source as this process has it."""

    def __init__(self, source: Source[Index]) -> None:
        self.source = source
        self._index: Index | None = None
        self._refreshing = threading.Lock()
        self._beside: threading.Thread | None = None
        self._not_before = 0.0

    @property
    def held(self) -> Index | None:
        """The index that this process has, however old."""
        return self._index

    def index(self, horizon: Horizon) -> Index | None:
        """Give the index at `horizon`, or as near to it as can be had at once; None while there is none."""
        if self._index is None or self._index.horizon != horizon:
            self._approach(horizon)
        index = self._index
        return index if index is not None and index.horizon.is_same_model(horizon) else None

    def _approach(self, horizon: Horizon) -> None:
        """Refresh, here if it is soon done; not at all if another thread is at it, or has only just been."""
        if time.monotonic() < self._not_before or not self._refreshing.acquire(blocking=self._index is None):
            return
        try:
            self._reload()
            if _lag(self.source.published(), horizon) > ROWS_WHILE_ASKED:
                self._refresh_beside()
            else:
                self._refresh()
        finally:
            self._refreshing.release()

    def _refresh(self) -> None:
        self.source.refresh()
        self._reload()
        if self._index is not None and len(self._index) > _MANY_ROWS:
            self._not_before = time.monotonic() + _PAUSE_SECONDS

    def _refresh_beside(self) -> None:
        if self._beside is None or not self._beside.is_alive():
            self._beside = threading.Thread(target=self._refresh_and_leave, daemon=True)
            self._beside.start()

    def _refresh_and_leave(self) -> None:
        try:
            self._refresh()
        except Exception:
            logger.exception("the index of vectors could not be refreshed")
        finally:
            connection.close()

    def _reload(self) -> None:
        published = self.source.published()
        if published is None or (self._index is not None and self._index.horizon == published):
            return
        loaded = self.source.load()
        if loaded is not None:
            self._index = loaded


def _lag(known: Horizon | None, horizon: Horizon) -> int:
    """Guess how many rows a refresh would have to read."""
    if known is None or not horizon.follows(known):
        return ChunkEmbedding.objects.filter(model=horizon.model).count()
    laws = CorpusChange.objects.filter(revision__gt=known.revision, article_id=None).count()
    return horizon.last_vector - known.last_vector + horizon.revision - known.revision + _ROWS_PER_LAW * laws

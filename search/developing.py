"""Which law a reglamento is written for, as its own title tells, and which reglamentos a law has."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

from search.citations import extract
from search.citations.spanish.curated import curated

_MAY_BE_DEVELOPED = ("ley", "lo", "ley-foral", "rdleg", "dleg")
_DEVELOPING = ("rd", "decreto", "orden", "reglamento", "decreto-foral")


class Titled(Protocol):
    """A law, as far as its title goes."""

    @property
    def rank(self) -> str:
        """Its rank's slug."""

    @property
    def title(self) -> str:
        """Its title."""


def developed_law(law: Titled, own_id: str) -> str:
    """Give the id of the law that a reglamento is written for, which its title names; nothing if it is none."""
    return _first_law_in(law.title, own_id) if law.rank in _DEVELOPING else ""


def developing_norms(law_id: str) -> tuple[str, ...]:
    """Give the ids of the reglamentos of a law, where the reviewed list knows all that it ever had."""
    return curated().developing.get(law_id, ())


@lru_cache(maxsize=512)
def _first_law_in(title: str, own_id: str) -> str:
    named = (reference.law for reference in extract(title).references)
    ids = (law.ids[0] for law in named if law and len(law.ids) == 1 and law.rank in _MAY_BE_DEVELOPED)
    return next((identifier for identifier in ids if identifier != own_id), "")

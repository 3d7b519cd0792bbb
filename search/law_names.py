"""Finds laws by the name they are called by: title, short title, or rank and subject without number and date."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from django.db.models import Count, Max

from corpus.models import CorpusChange, Law
from search.citations.folding import fold_words

_RANK = (
    r"ley(?: organica| foral)?|real decreto(?: ley| legislativo)?|decreto(?: foral)?(?: ley| legislativo)?"
    r"|orden(?: ministerial)?"
)
_TITLE = re.compile(
    rf"(?P<rank>{_RANK}) (?:(?:[a-z]+/)?\d+/\d{{4}} )?(?:de \d{{1,2}} de [a-z]+(?: de \d{{4}})? )?(?P<subject>\D.*)"
)


def laws_named(names: Collection[str]) -> dict[str, list[Law]]:
    """Give for each name the laws that are called exactly that, case, accents and punctuation apart: three queries."""
    folded = {name: fold_title(name) for name in names}
    if not any(folded.values()):
        return {}
    known = _names(*_corpus_state())
    held = Law.objects.defer("notes", "warnings").in_bulk(
        {key for name in folded.values() for key in known.get(name, ())}
    )
    return {
        name: sorted((held[key] for key in known.get(its, ()) if key in held), key=lambda law: law.key)
        for name, its in folded.items()
    }


def names_of(title: str, short_title: str = "") -> set[str]:
    """Give the names a law goes by, folded.

    >>> sorted(names_of("Ley 22/1988, de 28 de julio, de Costas."))
    ['ley 22/1988 de 28 de julio de costas', 'ley de costas']
    """
    return {name for written in (title, short_title) if written for name in _variants(fold_title(written))}


def subject_of(folded: str) -> str:
    """Give what a folded title says after rank, number and day; all of it where it has none.

    >>> subject_of("ley 22/1988 de 28 de julio de costas")
    'de costas'
    """
    parts = _TITLE.fullmatch(folded)
    return parts["subject"] if parts else folded


def fold_title(title: str) -> str:
    """Fold a title to words alone: no case, accents or punctuation.

    >>> fold_title("Ley 22/1988, de 28 de julio, de Costas.")
    'ley 22/1988 de 28 de julio de costas'
    """
    return fold_words(title)


def _variants(folded: str) -> Iterator[str]:
    if not folded:
        return
    yield folded
    parts = _TITLE.fullmatch(folded)
    if parts:
        yield f"{parts['rank']} {parts['subject']}"


def _corpus_state() -> tuple[int | None, ...]:
    """Give figures that change whenever a law comes, goes or is told anew."""
    laws = Law.objects.aggregate(count=Count("pk"), last=Max("pk"))
    return laws["count"], laws["last"], CorpusChange.newest()


@lru_cache(maxsize=2)
def _names(*_state: int | None) -> Mapping[str, list[int]]:
    """Index the names of all laws, once for each state of the corpus."""
    found: dict[str, list[int]] = defaultdict(list)
    for key, title, short_title in Law.objects.values_list("pk", "title", "short_title"):
        for name in names_of(title, short_title):
            found[name].append(key)
    return dict(found)

"""A law's contents: its titles and a window of its provisions, as they stand on a day, without their texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from corpus.clock import today
from corpus.identifiers import CitationId, slug
from corpus.models import Article
from search.addresses import page_url
from search.provisions import versions_of
from search.redactions import redaction_on

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from corpus.models import ArticleVersion, Law

WINDOW = 100
# So few at the end are no page of their own.
TAIL = 25
OUTLINE_LEVELS = 2
OUTLINE_ENTRIES = 60
SLUG_LENGTH = 40


@dataclass(frozen=True)
class Title:
    """A title that begins before some provision; level 1 is the highest."""

    level: int
    text: str
    anchor: str
    url: str = ""


@dataclass(frozen=True)
class Entry:
    """One provision in the list."""

    url: str
    label: str
    heading: str
    status: str


@dataclass(frozen=True)
class Section:
    """The titles that begin here and the provisions directly under the last of them."""

    titles: list[Title]
    entries: list[Entry]


@dataclass(frozen=True)
class Contents:
    """The whole law's outline and one window of its provisions; `first` and `last` are 1-based places."""

    total: int
    first: int
    last: int
    outline: list[Title]
    sections: list[Section]


def contents(law: Law, pinned: date | None = None, offset: int = 0) -> Contents:
    """Give a law's contents as they stand today or on a day, `WINDOW` provisions from `offset` on: three queries.

    The last few stand with those before them.
    """
    paths: list[list[str]] = list(law.articles.order_by("position").values_list("path", flat=True))
    end = offset + WINDOW
    window = list(law.articles.order_by("position")[offset : end + TAIL if len(paths) <= end + TAIL else end])
    return Contents(
        total=len(paths),
        first=offset + 1,
        last=offset + len(window),
        outline=_outline(paths, page_url(str(CitationId(law.key, on=pinned))), offset),
        sections=list(_sections(window, _entries(law, window, pinned))),
    )


def _sections(window: Sequence[Article], entries: Sequence[Entry]) -> Iterator[Section]:
    """Group the window under its titles; one that begins inside a title says again under which."""
    section: Section | None = None
    previous: list[str] | None = None
    for article, entry in zip(window, entries, strict=True):
        if section is None or article.path != previous:
            if section:
                yield section
            section = Section(list(_new_titles(article.path, previous or [])), [])
            previous = article.path
        section.entries.append(entry)
    if section:
        yield section


def _new_titles(path: Sequence[str], before: Sequence[str]) -> Iterator[Title]:
    shared = next(
        (i for i, (a, b) in enumerate(zip(path, before, strict=False)) if a != b), min(len(path), len(before))
    )
    for level in range(shared, len(path)):
        yield Title(level + 1, path[level], _anchor(path[: level + 1]))


def _anchor(path: Sequence[str]) -> str:
    """Name a title by the words of its place, so that the link outlives a change of order."""
    return ".".join(map(_name, path))


@lru_cache(maxsize=5000)
def _name(title: str) -> str:
    return slug(title)[:SLUG_LENGTH].strip("-")


def titles_above(article: Article, page: str) -> list[tuple[str, str]]:
    """Give the titles a provision stands under, each with its place in the contents, at `page`, of its law."""
    window = window_url(page, (article.position - 1) // WINDOW * WINDOW)
    return [(title, f"{window}#{_anchor(article.path[:level])}") for level, title in enumerate(article.path, 1)]


def window_url(page: str, offset: int) -> str:
    """Give the address of the window of a law's contents that begins at `offset`."""
    return f"{page}?offset={offset}" if offset else page


def _outline(paths: Sequence[Sequence[str]], page: str, offset: int) -> list[Title]:
    """List the highest titles with the page and place where each begins; fewer levels where there are very many."""
    found = []
    previous: Sequence[str] = []
    for place, path in enumerate(paths):
        window = max(0, min(place, len(paths) - 1 - TAIL)) // WINDOW * WINDOW
        here = "" if window == offset else window_url(page, window)
        found += [
            Title(title.level, title.text, title.anchor, f"{here}#{title.anchor}")
            for title in _new_titles(path, previous)
        ]
        previous = path
    for levels in range(OUTLINE_LEVELS, 0, -1):
        shown = [title for title in found if title.level <= levels]
        if len(shown) <= OUTLINE_ENTRIES:
            return shown
    return shown[:OUTLINE_ENTRIES]


def _entries(law: Law, window: Sequence[Article], pinned: date | None) -> list[Entry]:
    versions = versions_of(window)
    return [_entry(law, article, versions[article.pk], pinned) for article in window]


def _entry(law: Law, article: Article, versions: Sequence[ArticleVersion], pinned: date | None) -> Entry:
    """Tell a provision as it stands on the day; one that had no text on a day asked for is still listed."""
    shown = redaction_on(law, versions, pinned or today(), is_pinned=False)
    heading = shown.version.heading if shown.version else article.heading
    return Entry(page_url(str(CitationId(law.key, article.key, on=pinned))), article.label, heading, shown.status or "")


def neighbours(article: Article) -> dict[str, Article | None]:
    """Give the provisions before and after one in its law: one query."""
    others = Article.objects.filter(law=article.law_id)
    preceding = others.filter(position__lt=article.position).order_by("-position")[:1]
    following = others.filter(position__gt=article.position).order_by("position")[:1]
    found = {other.position > article.position: other for other in preceding.union(following, all=True)}
    return {"previous": found.get(False), "next": found.get(True)}

"""A law's contents: its titles and a window of its provisions, as they stand on a day, without their texts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.identifiers import slug
from corpus.models import Article, ArticleVersion, Law
from search.addresses import page_url
from search.filters import standings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

WINDOW = 100
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


def contents(law: Law, day: date, offset: int = 0) -> Contents:
    """Give the contents of `law` as they stand on `day`, `WINDOW` provisions from `offset` on: three queries."""
    paths: list[list[str]] = list(law.articles.order_by("position").values_list("path", flat=True))
    window = list(law.articles.order_by("position")[offset : offset + WINDOW])
    return Contents(
        total=len(paths),
        first=offset + 1,
        last=offset + len(window),
        outline=_outline(law, paths, offset),
        sections=list(_sections(window, _entries(law, window, day))),
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
    return ".".join(slug(title)[:SLUG_LENGTH].strip("-") for title in path)


def _outline(law: Law, paths: Sequence[Sequence[str]], offset: int) -> list[Title]:
    """List the highest titles with the page and place where each begins; fewer levels where there are very many."""
    found = []
    previous: Sequence[str] = []
    for place, path in enumerate(paths):
        window = place - place % WINDOW
        page = "" if window == offset else f"{page_url(law.key)}{f'?offset={window}' if window else ''}"
        found += [
            Title(title.level, title.text, title.anchor, f"{page}#{title.anchor}")
            for title in _new_titles(path, previous)
        ]
        previous = path
    for levels in range(OUTLINE_LEVELS, 0, -1):
        shown = [title for title in found if title.level <= levels]
        if len(shown) <= OUTLINE_ENTRIES:
            return shown
    return shown[:OUTLINE_ENTRIES]


def _entries(law: Law, window: Sequence[Article], day: date) -> list[Entry]:
    versions: dict[int, list[ArticleVersion]] = defaultdict(list)
    rows = (
        ArticleVersion.objects.filter(article__in=window)
        .order_by("article", "position")
        .defer("text", "blocks", "notes")
    )
    for version in rows:
        versions[version.article_id].append(version)
    return [_entry(law, article, versions[article.pk], day) for article in window]


def _entry(law: Law, article: Article, versions: Sequence[ArticleVersion], day: date) -> Entry:
    shown = _shown_on(versions, law, day)
    heading = shown[0].heading if shown else article.heading
    status = shown[1] if shown else ""
    return Entry(page_url(f"{law.key}:{article.key}"), article.label, heading, status)


def _shown_on(versions: Sequence[ArticleVersion], law: Law, day: date) -> tuple[ArticleVersion, str] | None:
    """Give the text that stands for the provision on a day and how it stands."""
    coming = None
    for version, standing in zip(versions, standings(versions, law), strict=True):
        status = standing.status_on(day.toordinal()) if standing else None
        if status == "not_yet_in_force":
            coming = coming or (version, status)
        elif status:
            return version, status
    return coming


def neighbours(article: Article) -> dict[str, Article | None]:
    """Give the provisions before and after one in its law: one query."""
    others = Article.objects.filter(law=article.law_id)
    preceding = others.filter(position__lt=article.position).order_by("-position")[:1]
    following = others.filter(position__gt=article.position).order_by("position")[:1]
    found = {other.position > article.position: other for other in preceding.union(following, all=True)}
    return {"previous": found.get(False), "next": found.get(True)}

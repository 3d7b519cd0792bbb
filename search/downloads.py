"""A whole law to take away, as text or JSON, some provisions at a time: verbatim, with dates, hash and source."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from django.utils import timezone, translation
from django.utils.translation import gettext as _

from corpus.clock import MADRID
from search import catalogue
from search.addresses import page_url
from search.provision_on_day import WITHOUT_TEXT
from search.spans import span
from search.templatetags.law_text import status_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from corpus.models import Law
    from search.catalogue import ArticleRow

WINDOW = 200


def as_json(law: Law, day: date | None, absolute: Callable[[str], str]) -> Iterator[str]:
    """Write a law as one JSON object: the law as the API describes it, and `articles` as the API lists them."""
    described = catalogue.law(law.key)
    head = {
        "law": described.model_dump(mode="json") if described else {"id": law.key},
        "as_of": day.isoformat() if day else None,
        "url": absolute(page_url(f"{law.key}@{day}" if day else law.key)),
    }
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "articles": ['
    parted_by = "\n"
    for row in _rows(law, day):
        yield parted_by + json.dumps(row.model_dump(mode="json"), ensure_ascii=False)
        parted_by = ",\n"
    yield "\n]}\n"


def as_text(law: Law, day: date | None, absolute: Callable[[str], str]) -> Iterator[str]:
    """Write a law as plain text: titles, each provision under what names it, and its text as it is."""
    language = translation.get_language()
    yield _head(law, day, absolute)
    path: list[str] = []
    for row in _rows(law, day):
        with translation.override(language):
            written = "".join(_titles(row.path, path)) + _provision(row)
        yield written
        path = row.path


def _rows(law: Law, day: date | None) -> Iterator[ArticleRow]:
    offset, total = 0, 1
    while offset < total:
        rows, total = catalogue.articles(law, day, WINDOW, offset)
        yield from rows
        offset += WINDOW


def _head(law: Law, day: date | None, absolute: Callable[[str], str]) -> str:
    updated = law.source_updated_at and timezone.localdate(law.source_updated_at, timezone=MADRID)
    lines = [
        law.title,
        " · ".join(filter(None, (law.key, law.boe_id, status_name(law.status)))),
        _("Texto vigente el %(day)s.") % {"day": f"{day:%d/%m/%Y}"} if day else "",
        _("Texto consolidado a %(day)s.") % {"day": f"{updated:%d/%m/%Y}"} if updated else "",
        absolute(page_url(f"{law.key}@{day}" if day else law.key)),
        _("Los textos proceden de su fuente oficial y no tienen valor oficial aquí."),
    ]
    return "\n".join(filter(None, lines)) + "\n"


def _titles(path: list[str], before: list[str]) -> Iterator[str]:
    is_new = False
    for level, title in enumerate(path):
        is_new = is_new or before[level : level + 1] != [title]
        if is_new:
            yield f"\n\n{'#' * (level + 1)} {title}\n"


def _provision(row: ArticleRow) -> str:
    name = f"{row.label}. {row.heading}" if row.heading else row.label
    if row.text is None:
        said = _("sin texto ese día")
        return f"\n\n{name}\n[{row.citation} · {said}]\n"
    facts = [
        row.citation,
        status_name(row.status or ""),
        span(row.valid_from, row.valid_to),
        row.amended_by or "",
        f"sha256 {row.sha256}",
    ]
    return f"\n\n{name}\n[{' · '.join(filter(None, facts))}]\n\n{row.text or f'[{WITHOUT_TEXT}]'}\n"

"""How a text stands on a day, in words: the badge, the banner and the list of versions of a provision's page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from corpus.identifiers import CitationId
from search.addresses import page_url
from search.spans import span, written
from search.templatetags.law_text import status_name

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import date

    from search.responses import Resolution, VersionSummary

ENDED = ("repealed", "annulled", "expired")


@dataclass(frozen=True)
class Standing:
    """What the reader is told first; `tone` is past, ended, coming or nothing, for text and banner alike."""

    badge: str
    name: str
    tone: str = ""
    notice: str = ""
    notice_tone: str = ""
    link: str = ""
    link_text: str = ""


@dataclass(frozen=True)
class VersionLine:
    """One version in the list of a provision's versions; `change_url` compares it to the one before, if they differ."""

    url: str
    span: str
    note: str
    is_shown: bool
    change_url: str = ""
    is_same_text: bool = False


def standing(shown: Resolution, today: date, current_url: str) -> Standing:
    """Say how the text shown stands, seen from today; `current_url` is the page without a day."""
    status = shown.status or "in_force"
    if status in ENDED:
        return Standing(status, status_name(status), "ended", _ended(shown, status), "ended")
    if status == "not_yet_in_force" or (shown.valid_from and shown.valid_from > today):
        notice = _("Aún no vigente: no se sabe cuándo empezará a regir.")
        if shown.valid_from:
            notice = _("Aún no vigente: empieza a regir el %(day)s.") % {"day": written(shown.valid_from)}
        return Standing("not_yet_in_force", status_name("not_yet_in_force"), "coming", notice, "coming",
                        *_to_current(shown, today, current_url))  # fmt: skip
    if shown.valid_to and shown.valid_to < today:
        notice = _("Redacción anterior: rigió %(span)s.") % {"span": span(shown.valid_from, shown.valid_to)}
        return Standing("past", _("redacción anterior"), "past", notice, "past",
                        *_to_current(shown, today, current_url))  # fmt: skip
    return _in_force(shown, today)


def version_lines(shown: Resolution, today: date, same: Collection[int] = ()) -> list[VersionLine]:
    """List the versions, newest first, each with its days and the norm it comes from.

    `same` are the places of those whose text is that of the version before.
    """
    own = shown.law.boe_id if shown.law else None
    compared = f"{page_url(str(CitationId.parse(shown.citation).on_day(None)))}/diff" if shown.citation else ""
    names = [_name(shown.versions, place) for place in range(len(shown.versions))]
    return [
        VersionLine(
            version.url,
            _days(version, is_last=place == len(shown.versions) - 1),
            _note(version, today, own),
            (version.valid_from, version.valid_to) == (shown.valid_from, shown.valid_to),
            f"{compared}?from={names[place - 1]}&to={names[place]}" if compared and place and place not in same else "",
            place in same,
        )
        for place, version in reversed(list(enumerate(shown.versions)))
    ]


def _days(version: VersionSummary, *, is_last: bool) -> str:
    if is_last and version.valid_from is None and version.valid_to is None:
        return _("la actual; no consta desde cuándo rige")
    return span(version.valid_from, version.valid_to)


def _ended(shown: Resolution, status: str) -> str:
    notice = {
        "repealed": _("Derogado: este texto ya no rige."),
        "annulled": _("Anulado: este texto ya no rige."),
        "expired": _("Vigencia agotada: este texto ya no rige."),
    }[status]
    if shown.valid_to:
        last = _("Es el último que estuvo en vigor, hasta el %(day)s.") % {"day": written(shown.valid_to)}
        return f"{notice} {last}"
    return notice


def _in_force(shown: Resolution, today: date) -> Standing:
    coming = _first_after(shown.versions, today)
    if coming is None:
        return Standing("in_force", status_name("in_force"))
    notice = _("Este texto cambiará el %(day)s.") % {"day": written(coming.valid_from)}
    return Standing("in_force", status_name("in_force"), "", notice, "coming",
                    coming.url, _("Ver la redacción futura"))  # fmt: skip


def _to_current(shown: Resolution, today: date, current_url: str) -> tuple[str, str]:
    is_current = any(_runs_on(version, today) for version in shown.versions)
    return current_url, _("Ver la redacción vigente") if is_current else _("Ver cómo está hoy")


def _runs_on(version: VersionSummary, day: date) -> bool:
    started = version.valid_from is None or version.valid_from <= day
    return started and (version.valid_to is None or version.valid_to >= day)


def _note(version: VersionSummary, today: date, own: str | None) -> str:
    parts = [_("redacción original") if own and version.amended_by == own else version.amended_by or ""]
    if version.valid_from and version.valid_from > today:
        parts.insert(0, status_name("not_yet_in_force"))
    return " · ".join(filter(None, parts))


def _name(versions: Sequence[VersionSummary], place: int) -> str:
    """Name a version by its first day, or by number where that is unknown or a later one runs on it too."""
    day = versions[place].valid_from
    is_its_own = day is not None and not any(_runs_on(later, day) for later in versions[place + 1 :])
    return day.isoformat() if day and is_its_own else str(place + 1)


def _first_after(versions: Sequence[VersionSummary], day: date) -> VersionSummary | None:
    later = [version for version in versions if version.valid_from and version.valid_from > day]
    return min(later, key=lambda version: version.valid_from or day, default=None)

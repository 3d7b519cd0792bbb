"""What a citation claims besides pointing somewhere: the title of what it cites, and the day of the law. Facts only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from django.utils.translation import gettext as _

from corpus.models import Law
from search.captions import sub_unit_label
from search.citations import parse
from search.citations.spanish.curated import FILLERS
from search.law_names import fold_title, names_of, subject_of
from search.responses import DayClaim, TitleClaim

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date

    from search.citations import LawMention
    from search.responses import LawSummary, Resolution

_SHORTEST_BEGINNING = 3


class Claiming(Protocol):
    """What has claims beside what it resolved to."""

    @property
    def title(self) -> TitleClaim | None:
        """What is said of the title."""

    @property
    def enacted(self) -> DayClaim | None:
        """What is said of the day."""


def title_claim(given: str, resolution: Resolution, *, is_of_law: bool = False) -> TitleClaim | None:
    """Compare a title with the law's and, of a provision, with its heading; None where nothing was resolved.

    Case, accents and punctuation do not count, nor whether a law's rank and number come with its title. One that
    `is_of_law`, as it stands behind the law's number, is told against the law's title.
    """
    if resolution.law is None:
        return None
    heading = resolution.heading if resolution.kind not in (None, "law") else None
    if heading and _is_heading(given, heading, resolution.label or ""):
        return TitleClaim(given=given, actual=heading, matches=True)
    if _is_title(given, resolution.law, 1 if is_of_law else _SHORTEST_BEGINNING):
        return TitleClaim(given=given, actual=resolution.law.title, matches=True)
    titles = [resolution.law.title] if is_of_law or not heading else [heading, resolution.law.title]
    nearest = max(titles, key=lambda actual: _words_shared(given, actual))
    return TitleClaim(given=given, actual=nearest, matches=False)


def claims_of(mention: LawMention | None, resolution: Resolution) -> dict[str, TitleClaim | DayClaim | None]:
    """Give what a citation itself claims of its law, its title and its day, as facts: one query if it gives a day."""
    if mention is None or resolution.law is None:
        return {}
    enacted = days_enacted([resolution]) if mention.enacted else {}
    return {
        "title": title_claim(mention.title, resolution, is_of_law=True) if mention.title else None,
        "enacted": day_claim(mention, resolution.law, enacted),
    }


def day_claim(mention: LawMention | None, law: LawSummary | None, enacted: Mapping[str, date]) -> DayClaim | None:
    """Compare the day in "Ley 58/2003, de 17 de diciembre" with the law's; `enacted` are the laws' days by id."""
    actual = enacted.get(law.id) if law else None
    if mention is None or mention.enacted is None or actual is None:
        return None
    return DayClaim(given=mention.enacted, actual=actual, matches=mention.enacted == actual)


def days_enacted(resolutions: Iterable[Resolution]) -> dict[str, date]:
    """Give the day of every law that was resolved to, where it is known: one query."""
    keys = {resolution.law.id for resolution in resolutions if resolution.law}
    days = Law.objects.filter(key__in=keys).values_list("key", "enacted") if keys else ()
    return {key: enacted for key, enacted in days if enacted}


def amiss(claimed: Claiming) -> list[str]:
    """Put into words what a citation says of its law that is not so."""
    told = []
    if claimed.enacted and not claimed.enacted.matches:
        days = {"given": f"{claimed.enacted.given:%d/%m/%Y}", "actual": f"{claimed.enacted.actual:%d/%m/%Y}"}
        told.append(_("La cita dice %(given)s; la norma es de %(actual)s.") % days)
    if claimed.title and not claimed.title.matches:
        told.append(_("Se titula «%(actual)s».") % {"actual": claimed.title.actual})
    return told


def _is_heading(given: str, heading: str, label: str) -> bool:
    return fold_title(given) in (fold_title(heading), fold_title(f"{sub_unit_label(label, [])} {heading}"))


def _is_title(given: str, law: LawSummary, shortest: int) -> bool:
    """Whether a text is the law's title or so many words of its beginning, its short title, number, or another name."""
    folded = fold_title(given)
    names = names_of(law.title, law.short_title)
    subjects = {subject_of(name) for name in names}
    if folded in names | subjects:
        return True
    named = parse(given)
    mention = named.law if named and not named.units else None
    subject = mention.title if mention and mention.title else subject_of(folded)
    if mention and not mention.title and law.id in mention.ids[:1]:
        return True
    is_other_law = mention is not None and bool(mention.ids) and law.id not in mention.ids
    return not is_other_law and any(_begins(actual, subject, shortest) for actual in subjects)


def _begins(title: str, beginning: str, shortest: int) -> bool:
    return len(beginning.split()) >= shortest and f"{_content(title)} ".startswith(f"{_content(beginning)} ")


def _content(title: str) -> str:
    """Give the words of a title that count, so that "de" is as good as "del"."""
    return " ".join(word for word in title.split() if word not in FILLERS)


def _words_shared(given: str, actual: str) -> int:
    return len(set(re.findall(r"\w+", fold_title(given))) & set(re.findall(r"\w+", fold_title(actual))))

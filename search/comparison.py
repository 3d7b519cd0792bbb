"""Two versions of a provision, or of a part of one, and what changed between them."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext as _
from ninja import Schema
from pydantic import Field

from corpus.clock import today
from corpus.identifiers import CitationId
from corpus.models import Article
from corpus.structure import sub_units
from search.addresses import page_url
from search.captions import law_summary, sub_unit_label
from search.errors import NoSuchVersion, UnknownValue
from search.filters import ENDED
from search.provisions import versions_of, with_texts
from search.redactions import redaction_on
from search.responses import LawSummary
from search.sub_units import locate, marks
from search.text_diff import changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpus.models import ArticleVersion, Law
    from search.text_diff import Change

_NUMBER = re.compile(r"[0-9]{1,6}")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
Side = Literal["from", "to"]


class ComparedVersion(Schema):
    """One side of a comparison: `number` counts from 1, the oldest first, as `versions` of a provision lists them.

    `text` is the verbatim text from `start` to `end` of that version; null if the part is not in it.
    """

    number: int
    valid_from: date | None
    valid_to: date | None
    published: date | None
    amended_by: str | None
    text: str | None
    sha256: str | None
    start: int | None
    end: int | None
    url: str


class TextChange(Schema):
    """A stretch that stays, goes, comes or is replaced: its texts and their offsets in both verbatim versions."""

    op: Literal["equal", "delete", "insert", "replace"]
    from_start: int
    from_end: int
    to_start: int
    to_end: int
    from_text: str
    to_text: str


class Comparison(Schema):
    """What changed in a provision from one of its versions to another; the changes cover both texts without a gap."""

    citation: str
    label: str
    heading: str
    law: LawSummary
    before: ComparedVersion = Field(serialization_alias="from")
    after: ComparedVersion = Field(serialization_alias="to")
    is_equal: bool
    changes: list[TextChange]
    url: str


@dataclass(frozen=True)
class VersionOffered:
    """A version that may be compared, and what names it in an address: its first day if that day gives it."""

    number: int
    version: ArticleVersion
    name: str


@dataclass(frozen=True)
class _Text:
    """The text of a version, the stretch of it that is compared, if it is there, and the marks that lead to it."""

    whole: str
    span: tuple[int, int] | None
    marks: Sequence[str] = ()

    @property
    def compared(self) -> str:
        """The text that is compared, empty where the version has none."""
        return self.whole[slice(*self.span)] if self.span else ""


def compare(law: Law, citation: CitationId, before: str, after: str) -> Comparison | None:
    """Compare two versions, each named by number or by a day on which it was in force; three queries.

    Nothing for `after` means today's version, nothing for `before` the one before that. None if the law has no such
    provision, or no version compared has such a part of it. Raises `NoSuchVersion` and `UnknownValue`.
    """
    article = Article.objects.filter(law=law, key=citation.unit).first()
    if article is None:
        return None
    offered = versions_offered(law, article)
    later = _chosen(law, offered, after, "to") if after else _of_today(law, offered)
    earlier = _chosen(law, offered, before, "from") if before else _preceding(offered, later)
    bodies = with_texts([earlier.version, later.version])
    texts = [_text(bodies[one.version.pk], citation.path) for one in (earlier, later)]
    if all(text.span is None for text in texts):
        return None
    found = [_placed(one, *texts) for one in changes(texts[0].compared, texts[1].compared)]
    return Comparison(
        citation=str(citation.on_day(None)),
        label=sub_unit_label(article.label, next(text.marks for text in texts if text.span)),
        heading=later.version.heading or article.heading,
        law=law_summary(law),
        before=_side(citation, earlier, texts[0]),
        after=_side(citation, later, texts[1]),
        is_equal=all(one.op == "equal" for one in found) and None not in (texts[0].span, texts[1].span),
        changes=found,
        url=comparison_url(citation, earlier, later),
    )


def versions_offered(law: Law, article: Article) -> list[VersionOffered]:
    """Give the versions of a provision that have a text, the oldest first: one query."""
    versions = versions_of([article])[article.pk]
    texts = [version for version in versions if version.status not in ENDED]
    return [
        VersionOffered(number, version, _name(law, versions, version) or str(number))
        for number, version in enumerate(texts, 1)
    ]


def comparison_url(citation: CitationId, before: VersionOffered, after: VersionOffered) -> str:
    """Give the path of the page that compares two versions."""
    return f"{page_url(str(citation.on_day(None)))}/diff?from={before.name}&to={after.name}"


def _name(law: Law, versions: Sequence[ArticleVersion], version: ArticleVersion) -> str | None:
    """Name a version by its first day, or None if another one answers for that day."""
    day = version.valid_from
    on_the_day = redaction_on(law, versions, day, is_pinned=True).version if day else None
    return day.isoformat() if day and on_the_day and on_the_day.pk == version.pk else None


def _chosen(law: Law, offered: Sequence[VersionOffered], written: str, side: Side) -> VersionOffered:
    if _NUMBER.fullmatch(written):
        if 1 <= int(written) <= len(offered):
            return offered[int(written) - 1]
        detail = _("No hay redacción número %(number)s: hay %(count)d.") % {"number": written, "count": len(offered)}
        raise NoSuchVersion(detail, parameter=side, limit=len(offered))
    found = _on_day(law, offered, _day(written, side))
    if found is None:
        detail = _("El %(day)s no regía ninguna redacción que se conserve.") % {"day": written}
        raise NoSuchVersion(detail, parameter=side)
    return found


def _day(written: str, side: Side) -> date:
    try:
        if _DAY.fullmatch(written):
            return date.fromisoformat(written)
    except ValueError:
        pass
    detail = _("«%(written)s» no es una redacción: se escribe su número (2) o un día en que regía (2019-06-30).")
    raise UnknownValue(detail % {"written": written[:40]}, parameter=side)


def _on_day(law: Law, offered: Sequence[VersionOffered], day: date) -> VersionOffered | None:
    versions = [one.version for one in offered]
    version = redaction_on(law, versions, day, is_pinned=True).version
    return next((one for one in offered if version and one.version.pk == version.pk), None)


def _of_today(law: Law, offered: Sequence[VersionOffered]) -> VersionOffered:
    """Give the version that is in force, else the last one."""
    if not offered:
        raise NoSuchVersion(_("De este precepto no se conserva ninguna redacción."), parameter="to")
    return _on_day(law, offered, today()) or offered[-1]


def _preceding(offered: Sequence[VersionOffered], later: VersionOffered) -> VersionOffered:
    if later.number == 1:
        raise NoSuchVersion(_("No se conserva ninguna redacción anterior."), parameter="from")
    return offered[later.number - 2]


def _text(body: ArticleVersion, path: tuple[str, ...]) -> _Text:
    if not path:
        return _Text(body.text, (0, len(body.text)))
    units = sub_units(body.text, body.blocks)
    place = locate(units, path)
    if place.depth < len(path):
        return _Text(body.text, None)
    if len(place.units) > 1:
        detail = _("Ese apartado está varias veces en el texto: compare el precepto entero.")
        raise UnknownValue(detail, parameter="unit")
    unit = place.units[0]
    return _Text(body.text, (unit.start, unit.end), marks(units, unit))


def _side(citation: CitationId, offered: VersionOffered, text: _Text) -> ComparedVersion:
    version = offered.version
    start, end = text.span or (None, None)
    day = version.valid_from or version.valid_to
    return ComparedVersion(
        number=offered.number,
        valid_from=version.valid_from,
        valid_to=version.valid_to,
        published=version.published,
        amended_by=version.amended_by or None,
        text=text.compared if text.span else None,
        sha256=hashlib.sha256(text.compared.encode()).hexdigest() if text.span else None,
        start=start,
        end=end,
        url=page_url(str(citation.on_day(day))),
    )


def _placed(change: Change, before: _Text, after: _Text) -> TextChange:
    """Give a change its words, and offsets in the whole texts."""
    at, to = (text.span[0] if text.span else 0 for text in (before, after))
    return TextChange(
        op=change.op,
        from_start=at + change.from_start,
        from_end=at + change.from_end,
        to_start=to + change.to_start,
        to_end=to + change.to_end,
        from_text=before.compared[change.from_start : change.from_end],
        to_text=after.compared[change.to_start : change.to_end],
    )

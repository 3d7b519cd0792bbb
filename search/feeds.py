"""Atom feeds of amendments, of one law and of the corpus: entries keep their ids, and readers may ask what is new.

A feed is paged (RFC 5005): who follows `next` to its end sees each amendment once, whatever comes meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import wraps
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlencode

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page, require_safe

from corpus.clock import MADRID
from corpus.models import Law
from search.amendments import Place, latest, newer, newest, with_changes
from search.asked import read_text, without_controls
from search.captions import law_caption
from search.errors import InputError, UnknownValue
from search.spans import written
from search.templatetags.law_text import gazette_page

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from django.http import HttpRequest
    from django.utils.safestring import SafeString

    from search.amendments import Amendment, Change

ENTRIES = 50
LISTED = 50
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


View = Callable[..., HttpResponse]


def _told_what_is_wrong(view: View) -> View:
    @wraps(view)
    def answer(request: HttpRequest, **named: str) -> HttpResponse:
        try:
            return view(request, **named)
        except InputError as error:
            return render(request, "400.html", {"error": error}, status=400)

    return answer


@require_safe
@conditional_page
@_told_what_is_wrong
def corpus_feed(request: HttpRequest) -> HttpResponse:
    """Give a page of the feed of the corpus."""
    return CorpusFeed(request)(request)


@require_safe
@conditional_page
@_told_what_is_wrong
def law_feed(request: HttpRequest, citation: str) -> HttpResponse:
    """Give a page of the feed of the law that a path names."""
    return LawFeed(request)(request, citation=citation)


@dataclass(frozen=True)
class Page:
    """A page of a feed, newest entries first: reached from the page before it (`after`), or after it, or neither."""

    amendments: Sequence[Amendment]
    has_newer: bool
    has_older: bool

    @classmethod
    def of(cls, laws: Collection[Law] | None, after: Place | None, before: Place | None) -> Page:
        """Give the entries next to a place, or the newest; one more than is shown tells whether there are others."""
        if before:
            found = newer(laws, ENTRIES + 1, before)
            return cls(found[-ENTRIES:], has_newer=len(found) > ENTRIES, has_older=True)
        found = newest(ENTRIES + 1) if laws is None and not after else latest(laws, ENTRIES + 1, after)
        return cls(found[:ENTRIES], has_newer=after is not None, has_older=len(found) > ENTRIES)

    def links(self, address: str) -> dict[str, str]:
        """Give the addresses of the other pages by their relation, as RFC 5005 names them."""
        found = {"first": address, "current": address}
        if self.amendments and self.has_newer:
            found["previous"] = f"{address}?{urlencode({'before': str(self.amendments[0].place)})}"
        if self.amendments and self.has_older:
            found["next"] = f"{address}?{urlencode({'after': str(self.amendments[-1].place)})}"
        return found


class ChangesFeed(Atom1Feed):
    """Atom whose time is that of its newest entry, or of what it is about where it has none, never of the asking."""

    def latest_post_date(self) -> datetime:
        """Give when anything in the feed changed."""
        told: list[datetime] = [item["updateddate"] for item in self.items if item["updateddate"]]
        return max(told) if told else cast("datetime", self.feed["changed"])

    def add_root_elements(self, handler: Any) -> None:
        """Write the feed's own elements, and where its other pages are."""
        super().add_root_elements(handler)
        for relation, address in self.feed["pages"].items():
            handler.addQuickElement("link", "", {"rel": relation, "href": address})


class CorpusFeed(Feed):  # type: ignore[type-arg]
    """The amendments of any law that were published last."""

    feed_type = ChangesFeed
    author_name = "Fundamento"

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self._after, self._before = _place(request, "after"), _place(request, "before")
        if self._after and self._before:
            raise UnknownValue(_("after y before no van juntos."), parameter="before")
        self._found: Page | None = None

    def title(self, about: Any) -> str:
        """Say what the feed is of."""
        return _("Cambios en las normas de este corpus")

    def subtitle(self, about: Any) -> str:
        """Say what an entry is."""
        return _("Qué preceptos cambian, desde qué día y por qué norma.")

    def link(self, about: Any) -> str:
        """Lead to the site."""
        return reverse("search")

    def address(self, about: Any) -> str:
        """Give the address of the feed's first page."""
        return reverse("feed")

    def feed_url(self, about: Any) -> str:
        """Give the page's own address."""
        asked = {name: str(place) for name, place in (("after", self._after), ("before", self._before)) if place}
        return self.address(about) + (f"?{urlencode(asked)}" if asked else "")

    def feed_extra_kwargs(self, about: Any) -> dict[str, Any]:
        """Tell the time of a feed without entries, and the addresses of the other pages."""
        return {
            "changed": self._changed(about),
            "pages": self._page(about).links(self.request.build_absolute_uri(self.address(about))),
        }

    def items(self, about: Any) -> Sequence[Amendment]:
        """Give the amendments of the page, with what they changed."""
        return with_changes(self._page(about).amendments)

    def _changed(self, about: Any) -> datetime:
        return _NEVER

    def _laws(self, about: Any) -> Collection[Law] | None:
        """Give the laws that the feed is of; None is all."""
        return None

    def _page(self, about: Any) -> Page:
        if self._found is None:
            self._found = Page.of(self._laws(about), self._after, self._before)
        return self._found

    def item_title(self, item: Any) -> str:
        """Say how much changes, where and when."""
        count = ngettext("%(count)d precepto", "%(count)d preceptos", item.total) % {"count": item.total}
        return _("%(law)s: %(count)s, redacción desde el %(day)s") % {
            "law": law_caption(item.law), "count": count, "day": written(item.day),
        }  # fmt: skip

    def item_description(self, item: Any) -> SafeString:
        """Name the norm and list the provisions, each with its text and its comparison."""
        return format_html(
            "<p>{}</p><ul>{}</ul>{}", self._by(item), format_html_join("", "{}", self._lines(item)), self._rest(item)
        )

    def item_link(self, item: Any) -> str:
        """Lead to the amendment on the page of its law's history."""
        return f"{reverse('history', args=[item.law.key])}#{item.name}"

    def item_guid(self, item: Any) -> str:
        """Name the amendment the same way for good: by law, day and norm (RFC 4151)."""
        return f"tag:{self.request.get_host().partition(':')[0]},2026:{item.law.key}/{item.name}"

    def item_updateddate(self, item: Any) -> datetime:
        """Give when the amendment became known: the day it was published, else the day it begins."""
        return _start_of(item.published or item.day)

    def item_pubdate(self, item: Any) -> datetime:
        """Give the day the amendment was published."""
        return self.item_updateddate(item)

    def _by(self, item: Amendment) -> SafeString | str:
        norm = item.norm
        if norm.url:
            return format_html(
                '<a href="{}">{}</a> ({})', self.request.build_absolute_uri(norm.url), norm.title, norm.boe_id
            )
        page = gazette_page(norm.boe_id)
        return format_html('<a href="{}">{}</a>', page, norm.boe_id) if page else norm.boe_id

    def _lines(self, item: Amendment) -> list[tuple[SafeString]]:
        return [(self._line(change),) for change in item.changes[:LISTED]]

    def _line(self, change: Change) -> SafeString:
        address = self.request.build_absolute_uri
        heading = f". {change.heading}" if change.heading else ""
        shown = format_html('<a href="{}">{}{}</a>', address(change.url), change.label, heading)
        if change.diff_url:
            compared = format_html(' (<a href="{}">{}</a>)', address(change.diff_url), _("qué cambió"))
            return format_html("<li>{}{}</li>", shown, compared)
        if change.is_same_text:
            return format_html("<li>{} ({})</li>", shown, _("el texto es el mismo"))
        return format_html("<li>{}</li>", shown)

    def _rest(self, item: Amendment) -> SafeString | str:
        more = len(item.changes) - LISTED
        if more <= 0:
            return ""
        return format_html("<p>{}</p>", ngettext("y %(n)d más", "y %(n)d más", more) % {"n": more})


class LawFeed(CorpusFeed):
    """The amendments of one law that were published last."""

    def get_object(self, request: HttpRequest, *arguments: Any, citation: str = "", **named: Any) -> Law:
        """Give the law, or say that there is none."""
        law = Law.objects.filter(key=without_controls(citation)).first()
        if law is None:
            raise Http404(citation)
        return law

    def title(self, about: Law) -> str:
        """Name the law."""
        return _("Cambios de %(law)s") % {"law": law_caption(about)}

    def subtitle(self, about: Law) -> str:
        """Give the law's whole title."""
        return about.title

    def link(self, about: Law) -> str:
        """Lead to the law's history."""
        return reverse("history", args=[about.key])

    def address(self, about: Law) -> str:
        """Give the address of the feed's first page."""
        return reverse("law_feed", args=[about.key])

    def _changed(self, about: Law) -> datetime:
        return about.source_updated_at or about.fetched_at

    def _laws(self, about: Law) -> Collection[Law] | None:
        return [about]


def _place(request: HttpRequest, name: str) -> Place | None:
    """Read the place that a page begins or ends at; raise `UnknownValue` for what is none."""
    given = read_text(request.GET, name)
    try:
        return Place.parse(given) if given else None
    except ValueError as error:
        detail = _("«%(value)s» no es un lugar de este canal.") % {"value": given[:80]}
        raise UnknownValue(detail, parameter=name) from error


def _start_of(day: date | None) -> datetime:
    return datetime.combine(day, time.min, MADRID) if day else _NEVER

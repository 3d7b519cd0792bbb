"""Atom feeds of amendments, of one law and of the corpus: entries keep their ids, and readers may ask what is new."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, cast

from django.contrib.syndication.views import Feed
from django.http import Http404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page, require_safe

from corpus.clock import MADRID
from corpus.models import Law
from search.amendments import latest, recent_laws, with_changes
from search.asked import without_controls
from search.captions import law_caption
from search.standing import written
from search.templatetags.law_text import gazette_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from search.amendments import Amendment, Change

ENTRIES = 50
LAWS_LOOKED_AT = 200
LISTED = 50
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


@require_safe
@conditional_page
def corpus_feed(request: HttpRequest) -> HttpResponse:
    """Give the feed of the corpus."""
    return CorpusFeed(request)(request)


@require_safe
@conditional_page
def law_feed(request: HttpRequest, citation: str) -> HttpResponse:
    """Give the feed of the law that a path names."""
    return LawFeed(request)(request, citation=citation)


class ChangesFeed(Atom1Feed):
    """Atom whose time is that of its newest entry, or of what it is about where it has none, never of the asking."""

    def latest_post_date(self) -> datetime:
        """Give when anything in the feed changed."""
        told: list[datetime] = [item["updateddate"] for item in self.items if item["updateddate"]]
        return max(told) if told else cast("datetime", self.feed["changed"])


class CorpusFeed(Feed):  # type: ignore[type-arg]
    """The amendments of any law that were published last."""

    feed_type = ChangesFeed
    author_name = "Fundamento"

    def __init__(self, request: HttpRequest) -> None:
        self.request = request

    def title(self, about: Any) -> str:
        """Say what the feed is of."""
        return _("Cambios en las normas de este corpus")

    def subtitle(self, about: Any) -> str:
        """Say what an entry is."""
        return _("Qué preceptos cambian, desde qué día y por qué norma.")

    def link(self, about: Any) -> str:
        """Lead to the site."""
        return reverse("search")

    def feed_url(self, about: Any) -> str:
        """Give the feed's own address."""
        return reverse("feed")

    def feed_extra_kwargs(self, about: Any) -> dict[str, Any]:
        """Tell the time of a feed without entries."""
        return {"changed": _NEVER}

    def items(self, about: Any) -> Sequence[Amendment]:
        """Give the newest amendments, with what they changed."""
        return with_changes(latest(recent_laws(LAWS_LOOKED_AT), ENTRIES))

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

    def feed_url(self, about: Law) -> str:
        """Give the feed's own address."""
        return reverse("law_feed", args=[about.key])

    def feed_extra_kwargs(self, about: Law) -> dict[str, Any]:
        """Tell the time of the law itself where nothing ever changed it."""
        return {"changed": about.source_updated_at or about.fetched_at}

    def items(self, about: Law) -> Sequence[Amendment]:
        """Give the law's newest amendments, with what they changed."""
        return with_changes(latest([about], ENTRIES))


def _start_of(day: date | None) -> datetime:
    return datetime.combine(day, time.min, MADRID) if day else _NEVER

"""Template filters for law text, dates and standings: everything that came from outside is escaped here."""

from __future__ import annotations

import json
import re
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.formats import number_format
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from corpus.models import Kind, Status
from search.addresses import names_invented
from search.captions import CONDITIONS, short_label
from search.citation_forms import markdown, reference_to
from search.passages import excerpt
from search.spans import unmistakable

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from search.laid_out import Link, Paragraph, Run, TableCell
    from search.responses import Hit, Passage

register = template.Library()

_SOURCES = {"boe": "BOE", "akn": "Akoma Ntoso", "legalize": "Legalize"}
INLINE_TAGS = {"sub", "sup", "em", "strong"}
_GAZETTE_ID = re.compile(r"BOE-[A-Z]-\d{4}-\d+")
_GAZETTE = "https://www.boe.es/buscar/doc.php?id="
_OUT_OF_MARKUP = {ord("<"): "\\u003C", ord(">"): "\\u003E", ord("&"): "\\u0026"}


@register.filter
def highlighted(passage: Passage) -> SafeString:
    """Show what speaks most of the question in a passage, marked: every piece is escaped before markup is added.

    Dots say that the text begins before it, or that the passage goes on.
    """
    marks = sorted(passage.highlights)
    cursor, stop = excerpt(passage.text, marks)
    pieces: list[tuple[SafeString | str]] = [("… " if passage.start + cursor else "",)]
    for start, end in marks:
        first, last = max(start, cursor), min(end, stop)
        if first >= last:
            continue
        pieces.append((conditional_escape(passage.text[cursor:first]),))
        pieces.append((format_html("<mark>{}</mark>", passage.text[first:last]),))
        cursor = last
    pieces.append((conditional_escape(passage.text[cursor:stop]),))
    pieces.append(("\u00a0…" if stop < len(passage.text) else "",))
    return format_html_join("", "{}", pieces)


@register.simple_tag(takes_context=True)
def forms_of(context: template.Context, hit: Hit, as_of: date | None) -> list[tuple[str, str]]:
    """Give the forms in which a hit is cited elsewhere, by name; with a day, the Markdown leads to that day's text.

    A text that is not today's goes with its days.
    """
    reference = reference_to(hit.law.title, hit.law.boe_id, hit.law.text_language, short_label(hit.label))
    reference = unmistakable(reference, hit)
    address = text_address(hit, as_of)
    request = context.get("request")
    absolute = request.build_absolute_uri(address) if request else address
    return [(_("Referencia"), reference), ("Markdown", markdown(reference, absolute))]


@register.filter
def inline(line: Paragraph | TableCell) -> SafeString:
    """Show a line's or a cell's runs with their sub, sup, em and strong, sub-unit labels, anchors and links."""
    return _joined(_linked(link, _joined(map(_run, runs))) for link, runs in groupby(line.runs, lambda run: run.link))


@register.filter
def spans(cell: TableCell) -> SafeString:
    """Give the attributes of a cell that reaches over several columns or rows."""
    reach = {"colspan": cell.colspan, "rowspan": cell.rowspan}
    return format_html_join("", ' {}="{}"', ((name, count) for name, count in reach.items() if count > 1))


@register.filter
def day(value: date | None) -> SafeString | str:
    """Show a calendar date as 18/12/2003, machine-readable; it is never turned into an instant."""
    if value is None:
        return ""
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), f"{value:%d/%m/%Y}")


@register.filter
def share(part: int, whole: int) -> str:
    """Show what part of a whole something is, rounded down, so that nothing less than all is 100 %.

    >>> share(99_999, 100_000), share(5, 5), share(0, 0)
    ('99,99 %', '100,00 %', '–')
    """
    return f"{number_format(part * 10_000 // whole / 100, 2)} %" if whole else "–"


@register.filter
def grouped(count: int) -> str:
    r"""Show a count with its thousands apart.

    >>> grouped(12_285).replace("\xa0", " ").replace(".", " ")
    '12 285'
    """
    return number_format(count, 0, use_l10n=True, force_grouping=True)


@register.filter
def status_name(value: str) -> str:
    """Name a status for people."""
    return str(Status(value).label) if value in Status else value


@register.filter
def source_name(value: str) -> str:
    """Name what a law was read from, as it calls itself."""
    return _SOURCES.get(value, value)


@register.filter
def condition_name(parameter: str) -> str:
    """Name a parameter as people call what it asks for; nothing for one that no page of ours asks."""
    return str(CONDITIONS.get(parameter, ""))


def kind_name(value: str) -> str:
    """Name a kind of provision for people."""
    return str(Kind(value).label) if value in Kind else value


def _run(run: Run) -> SafeString:
    shown = conditional_escape(run.text)
    for tag in run.tags:
        if tag in INLINE_TAGS:
            shown = format_html("<{0}>{1}</{0}>", mark_safe(tag), shown)  # noqa: S308 (one of four words)
    if run.is_label:
        shown = format_html('<span class="label">{}</span>', shown)
    return format_html('<span id="{}">{}</span>', run.anchor, shown) if run.anchor else shown


def _linked(link: Link | None, shown: SafeString) -> SafeString:
    return format_html('<a class="cited" href="{}">{}</a>', link.url, shown) if link else shown


def _joined(pieces: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((piece,) for piece in pieces))


@register.filter
def on_day(url: str, as_of: date | None) -> str:
    """Keep the day a reader asked for in a link to a page."""
    if not as_of or not url or "@" in url:
        return url
    return f"{url}{'&' if '?' in url else '?'}as_of={as_of.isoformat()}"


@register.filter
def text_address(hit: Hit, as_of: date | None) -> str:
    """Give the link to a hit's text: that of the day a reader asked for, where what it said then is known."""
    return hit.url if hit.history_not_held else on_day(hit.url, as_of)


@register.filter
def heading_level(level: int) -> int:
    """Give the HTML heading level of a law's title under the page's second-level heading."""
    return min(level + 2, 6)


@register.filter
def official(address: str | None) -> str:
    """Give an address or id of the gazette; nothing for an invented law's, which no gazette has.

    >>> official("https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186#a27")
    'https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186#a27'
    >>> official("https://www.boe.es/buscar/act.php?id=BOE-A-2019-99001"), official(None)
    ('', '')
    """
    return "" if not address or names_invented(address) else address


@register.filter
def gazette_page(norm: str | None) -> str:
    """Give the page of the gazette that published a norm, by the norm's id there; nothing for what is no such id.

    >>> gazette_page("BOE-A-2022-10757")
    'https://www.boe.es/buscar/doc.php?id=BOE-A-2022-10757'
    >>> gazette_page("BOE-A-2019-99001"), gazette_page("DOGC-f-2008-90017")
    ('', '')
    """
    return f"{_GAZETTE}{norm}" if norm and official(norm) and _GAZETTE_ID.fullmatch(norm) else ""


@register.filter
def json_ld(value: dict[str, Any]) -> SafeString:
    r"""Write JSON that may stand inside a script element, whatever it holds.

    >>> json_ld({"name": "</script>&"})
    '{"name": "\\u003C/script\\u003E\\u0026"}'
    """
    written = json.dumps(value, ensure_ascii=False).translate(_OUT_OF_MARKUP)
    return mark_safe(written)  # noqa: S308 (nothing of markup is left)


@register.filter
def signed(value: float) -> str:
    """Show a number with its sign and three decimals.

    >>> signed(0.25), signed(-1)
    ('+0,250', '-1,000')
    """
    return f"{'+' if value > 0 else ''}{number_format(value, 3)}"

"""The page of what is held, law by law and in all, and of what is known to be missing; and all of it as CSV."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.http import StreamingHttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from search import holdings
from search.asked import read_offset, read_text
from search.captions import caption_of_id
from search.errors import InputError
from search.holdings import HeldLaw, Wanted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict

LAWS_SHOWN = 50
LONGEST_NAME = 200
# What each column is sorted by, under which name, and whether the largest come first; numbers stand to the right.
NUMBERS, WORDS = "number", ""
COLUMNS = (
    (WORDS, (("id", _("Norma"), False),)),
    (WORDS, (("status", _("Estado"), False),)),
    (NUMBERS, (("articles", _("Preceptos"), True),)),
    (NUMBERS, (("versions", _("Redacciones"), True), ("first_day", _("desde"), False), ("last_day", _("hasta"), True))),
    (NUMBERS, (("completeness", _("Texto conservado"), False),)),
    (NUMBERS, (("gaps", _("Saltos de numeración"), True),)),
    (NUMBERS, (("chunks", _("Fragmentos por preparar"), True),)),
    (WORDS, (("source_updated_at", _("Fuente"), True), ("fetched_at", _("obtenida"), True))),
)
CHOICES = (
    ("", _("todas")),
    ("characters", _("con texto perdido")),
    ("numbers", _("con saltos de numeración")),
    ("history", _("sólo con la redacción actual")),
    ("vectors", _("con fragmentos que aún no se buscan por significado")),
)


@require_safe
def coverage_page(request: HttpRequest) -> HttpResponse:
    """List the laws of the corpus, a page at a time."""
    try:
        wanted = _read(request.GET)
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    laws, total = holdings.laws(wanted)
    totals, last = holdings.totals(), wanted.offset + len(laws)
    context = {
        "wanted": wanted,
        "without_name": _address(wanted, q="", offset=0),
        "laws": laws,
        "total": total,
        "totals": totals,
        "derived": holdings.derived(),
        "absent": [(caption_of_id(one.law), one) for one in holdings.most_cited_absent()],
        "not_covered": holdings.not_covered(totals.laws_without_history),
        "columns": [
            (kind, [_sorting(wanted, *sorting) for sorting in sortings], _direction(wanted, sortings))
            for kind, sortings in COLUMNS
        ],
        "choices": [(name, _address(wanted, lacking=key, offset=0), key == wanted.lacking) for key, name in CHOICES],
        "csv_url": _address(wanted, page="coverage_csv", offset=0),
        "first": wanted.offset + 1,
        "last": last,
        "next_url": _address(wanted, offset=wanted.offset + LAWS_SHOWN) if last < total and laws else "",
        "previous_url": _address(wanted, offset=max(0, wanted.offset - LAWS_SHOWN)) if wanted.offset else "",
    }
    return render(request, "coverage.html", context)


@require_safe
def coverage_csv(request: HttpRequest) -> HttpResponseBase:
    """Give every law as a line of CSV, with the API's names."""
    try:
        wanted = _read(request.GET)
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    response = StreamingHttpResponse(_lines(wanted), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = 'attachment; filename="coverage.csv"'
    return response


class _Line:
    """What a CSV writer writes to: it hands back the line."""

    def write(self, line: str) -> str:
        return line


def _lines(wanted: Wanted) -> Iterator[str]:
    writer = csv.writer(_Line())
    names = list(HeldLaw.model_fields)
    yield writer.writerow(names)
    for law in holdings.every_law(wanted):
        yield writer.writerow([_cell(getattr(law, name)) for name in names])


def _cell(value: Any) -> Any:
    """Write a value so that no spreadsheet takes it for a formula."""
    shown = " ".join(value) if isinstance(value, list) else value
    return f"'{shown}" if isinstance(shown, str) and shown.startswith(("=", "+", "-", "@", "\t", "\r")) else shown


def _read(params: QueryDict) -> Wanted:
    sort, lacking = (read_text(params, name) for name in ("sort", "lacking"))
    return Wanted(sort or "id", lacking, LAWS_SHOWN, read_offset(params), read_text(params, "q")[:LONGEST_NAME])


def _address(wanted: Wanted, *, page: str = "coverage", **changed: Any) -> str:
    asked = {"q": wanted.name, "sort": wanted.sort, "lacking": wanted.lacking, "offset": wanted.offset} | changed
    plain = {"q": "", "sort": "id", "lacking": "", "offset": 0}
    params = urlencode({name: value for name, value in asked.items() if value != plain[name]})
    return f"{reverse(page)}{'?' if params else ''}{params}"


def _sorting(wanted: Wanted, key: str, name: Any, is_largest_first: bool) -> tuple[str, Any, str]:
    """Give the address that sorts by something, the other way round if it does so already; its name and arrow."""
    first, second = (f"-{key}", key) if is_largest_first else (key, f"-{key}")
    arrow = {key: "↑", f"-{key}": "↓"}.get(wanted.sort, "")
    return _address(wanted, sort=second if wanted.sort == first else first, offset=0), name, arrow


def _direction(wanted: Wanted, sortings: Sequence[tuple[str, Any, bool]]) -> str:
    """Say which way a column is sorted, for those who hear the page; empty if it is not."""
    if wanted.sort.removeprefix("-") not in {key for key, _name, _is_largest_first in sortings}:
        return ""
    return "descending" if wanted.sort.startswith("-") else "ascending"

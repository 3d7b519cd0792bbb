"""The page that checks a text: its citations and quotations marked in place, a table of them, and both to take away."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from search.asked import read_day
from search.errors import InputError, TextTooLong
from search.text_verification import CheckedText, check_text
from search.views.marked_text import marked, tallies

if TYPE_CHECKING:
    from django.http import HttpRequest

LONGEST_TEXT = 200_000
_BYTES_A_CHARACTER = 4
_COLUMNS = (
    "start", "end", "text", "is_quotation", "citation", "outcome", "resolved_to", "unresolved_tail", "label", "heading",
    "status", "as_of", "valid_from", "valid_to", "url",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


# It changes nothing and reads nothing of the reader's, so the form needs no token and no reader a cookie.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def verify_page(request: HttpRequest) -> HttpResponse:
    """Show the form, or what was found in the text that it sent, as a page, CSV or JSON."""
    if request.method != "POST":
        return _show(request, {})
    try:
        text = _read_text(request)
        as_of = read_day(request.POST, "as_of")
        checked = check_text(text, as_of=as_of) if text.strip() else None
    except InputError as error:
        return _show(request, {"error": error}, status=413 if isinstance(error, TextTooLong) else 400)
    if checked is None:
        return _show(request, {"notice": _("Pegue o suba un texto que cite normas.")})
    wanted = request.POST.get("format")
    if wanted in _EXPORTS:
        return _EXPORTS[wanted](checked)
    pieces, lines = marked(text, checked)
    quotations = sum(line.mark.is_quotation for line in lines)
    counts = {"citations": len(lines) - quotations, "quotations": quotations, "tallies": tallies(lines)}
    context = {"text": text, "as_of": as_of, "checked": checked, "pieces": pieces, "lines": lines} | counts
    return _show(request, context)


def _read_text(request: HttpRequest) -> str:
    """Give the text that was typed or sent as a file, with plain line breaks; raise `TextTooLong`."""
    try:
        uploaded = request.FILES.get("file")
        text = request.POST.get("text", "")
    except RequestDataTooBig as error:
        raise _too_long(settings.DATA_UPLOAD_MAX_MEMORY_SIZE) from error
    if uploaded:
        if uploaded.size is None or uploaded.size > LONGEST_TEXT * _BYTES_A_CHARACTER:
            raise _too_long(LONGEST_TEXT)
        text = _decoded(uploaded.read())
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd")
    if len(text) > LONGEST_TEXT:
        raise _too_long(LONGEST_TEXT)
    return text


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _too_long(limit: int) -> TextTooLong:
    detail = _("Aquí se comprueban textos de hasta %(limit)d caracteres; por la API, más largos.") % {
        "limit": LONGEST_TEXT
    }
    return TextTooLong(detail, parameter="text", limit=limit)


def _show(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    typed = {"text": "", "longest": LONGEST_TEXT}
    return render(request, "verify.html", typed | context, status=status)


def _as_csv(checked: CheckedText) -> HttpResponse:
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow([*_COLUMNS, "quote_state", "quote_start", "quote_end", "nearest", "elsewhere"])
    for one in checked.found:
        quote = one.quote
        nearest = quote.nearest.text if quote and quote.nearest else ""
        elsewhere = " ".join(place.citation for place in quote.elsewhere) if quote else ""
        of_quote = (quote.state, quote.start, quote.end) if quote else ("", "", "")
        values = [getattr(one, name) for name in _COLUMNS]
        rows.writerow(map(_cell, [*values, *of_quote, nearest, elsewhere]))
    return _file("\ufeff" + written.getvalue(), "text/csv", "citas.csv")


def _cell(value: Any) -> str:
    """Write a value so that no spreadsheet takes it for a formula."""
    written = "" if value is None else str(value)
    return f"'{written}" if written.startswith(_FORMULA) else written


def _as_json(checked: CheckedText) -> HttpResponse:
    content = json.dumps(checked.model_dump(mode="json"), ensure_ascii=False, indent=2)
    return _file(content, "application/json", "citas.json")


def _file(content: str, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content.encode(errors="replace"), content_type=f"{kind}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


_EXPORTS = {"csv": _as_csv, "json": _as_json}

"""A whole law as a file: plain text, or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponseBase, StreamingHttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from search import downloads
from search.asked import read_day
from search.errors import InputError
from search.views.text_pages import held_law

if TYPE_CHECKING:
    from django.http import HttpRequest

_WRITERS = {"txt": (downloads.as_text, "text/plain"), "json": (downloads.as_json, "application/json")}


@require_safe
def download(request: HttpRequest, citation: str, form: str) -> HttpResponseBase:
    """Send the law that a path names, as it stands today or stood on the day `as_of`."""
    law = held_law(citation)
    try:
        day = read_day(request.GET, "as_of")
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    write, kind = _WRITERS[form]
    response = StreamingHttpResponse(write(law, day, request.build_absolute_uri), content_type=f"{kind}; charset=utf-8")
    name = f"{law.key}@{day}" if day else law.key
    response["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    return response

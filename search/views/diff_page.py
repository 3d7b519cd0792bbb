"""The page that compares two versions of a provision: what goes and what comes, marked in one text."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from corpus.models import Article
from search.addresses import page_url
from search.asked import read_text, without_controls
from search.captions import law_caption
from search.comparison import compare, versions_offered
from search.errors import InputError, NoSuchVersion
from search.lookup import check_length, lookup
from search.spans import span
from search.views.text_pages import as_id, canonical_path, say_outcome
from search.word_diff import Words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from corpus.identifiers import CitationId
    from search.comparison import ComparedVersion, Comparison, TextChange, VersionOffered
    from search.responses import Resolution

# Paragraphs without a change are shown so far from one with a change; a longer row of them is folded away.
_BESIDE = 1
_SHORTEST_FOLD = 3


@dataclass(frozen=True)
class Piece:
    """Words that stay, go ("delete") or come ("insert"); `is_break` marks a line break that does."""

    op: str
    text: str
    is_break: bool = False


@dataclass(frozen=True)
class Stretch:
    """Paragraphs in a row; `is_folded` if nothing changes in them and they are many."""

    paragraphs: Sequence[Sequence[Piece]]
    is_folded: bool


@dataclass(frozen=True)
class Choice:
    """A version that may be chosen for either side."""

    name: str
    label: str
    is_from: bool
    is_to: bool


@require_safe
def diff_page(request: HttpRequest, citation: str) -> HttpResponse:
    """Compare the versions `from` and `to` of the provision that a path names."""
    try:
        check_length(citation, "citation")
        resolution = lookup(without_controls(citation))
    except InputError as error:
        return render(request, "400.html", {"error": error}, status=400)
    canonical = _canonical(citation, resolution)
    if canonical is None:
        return say_outcome(request, resolution)
    address = f"{page_url(str(canonical))}/diff"
    if unquote(address) != request.path:
        query = f"?{request.GET.urlencode()}" if request.GET else ""
        return HttpResponsePermanentRedirect(f"{address}{query}")
    article = Article.objects.select_related("law").filter(law__key=canonical.law, key=canonical.unit).first()
    return _show(request, article, canonical) if article else say_outcome(request, resolution)


def _canonical(citation: str, resolution: Resolution) -> CitationId | None:
    """Give the provision that is cited, whatever day; None if it is none of the corpus."""
    if resolution.kind == "law":
        raise Http404(citation)
    path = canonical_path(as_id(citation), resolution) if resolution.law else ""
    found = as_id(unquote(path).removeprefix(page_url(""))) if path else None
    return found.on_day(None) if found and found.unit else None


def _show(request: HttpRequest, article: Article, cited: CitationId) -> HttpResponse:
    offered = versions_offered(article.law, article)
    context = {
        "article": article,
        "law": article.law,
        "law_caption": law_caption(article.law),
        "law_url": page_url(article.law.key),
        "text_url": page_url(str(cited)),
        "json_url": f"{reverse('search')}api/v1/laws/{article.law.key}/articles/{_below_law(cited)}/diff",
    }
    try:
        before, after = (read_text(request.GET, side) for side in ("from", "to"))
        found = compare(article.law, cited, before, after)
    except InputError as error:
        status = 404 if isinstance(error, NoSuchVersion) else 422
        return render(request, "diff.html", context | {"error": error, "choices": _choices(offered)}, status=status)
    if found is None:
        return say_outcome(request, lookup(str(cited)))
    return render(request, "diff.html", context | _described(found, offered))


def _below_law(cited: CitationId) -> str:
    return quote(str(cited).partition(":")[2], safe="~")


def _described(found: Comparison, offered: Sequence[VersionOffered]) -> dict[str, Any]:
    return {
        "compared": found,
        "sides": [(_("Antes"), found.before, _days(found.before)), (_("Después"), found.after, _days(found.after))],
        "choices": _choices(offered, found.before.number, found.after.number),
        "stretches": list(_stretches(list(paragraphs(found.changes)))),
        "gone": sum(len(Words(one.from_text).spans) for one in found.changes if one.op != "equal"),
        "come": sum(len(Words(one.to_text).spans) for one in found.changes if one.op != "equal"),
        "json_query": found.url.partition("?")[2],
    }


def _days(version: ComparedVersion) -> str:
    return span(version.valid_from, version.valid_to)


def _choices(offered: Iterable[VersionOffered], before: int = 0, after: int = 0) -> list[Choice]:
    return [
        Choice(
            one.name,
            " · ".join(filter(None, (span(one.version.valid_from, one.version.valid_to), one.version.amended_by))),
            one.number == before,
            one.number == after,
        )
        for one in offered
    ]


def paragraphs(changes: Iterable[TextChange]) -> Iterator[list[Piece]]:
    """Cut the text with its changes into paragraphs, at every line break of either version."""
    paragraph: list[Piece] = []
    for op, text in _marked(changes):
        lines = text.split("\n")
        for place, line in enumerate(lines):
            is_last = place == len(lines) - 1
            if line:
                paragraph.append(Piece(op, line))
            elif op != "equal" and not is_last:
                paragraph.append(Piece(op, "¶", is_break=True))
            if not is_last:
                yield paragraph
                paragraph = []
    if paragraph:
        yield paragraph


def _marked(changes: Iterable[TextChange]) -> Iterator[tuple[str, str]]:
    """Give what goes, then what comes, of every change."""
    for one in changes:
        if one.op == "equal":
            yield "equal", one.from_text
            continue
        if one.from_text:
            yield "delete", one.from_text
        if one.to_text:
            yield "insert", one.to_text


def _stretches(rows: Sequence[Sequence[Piece]]) -> Iterator[Stretch]:
    """Fold away long rows of paragraphs in which nothing changes, but for those beside a change."""
    changed = [place for place, row in enumerate(rows) if any(piece.op != "equal" for piece in row)]
    near = {place + by for place in changed for by in range(-_BESIDE, _BESIDE + 1)}
    if not changed:
        near = set(range(len(rows)))
    for is_near, places in groupby(range(len(rows)), key=near.__contains__):
        row = [rows[place] for place in places]
        yield Stretch(row, is_folded=not is_near and len(row) >= _SHORTEST_FOLD)

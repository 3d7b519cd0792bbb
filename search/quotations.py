"""Finds what a running text quotes, and which of its citations each quotation is of."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

FEWEST_WORDS = 3
LONGEST = 20_000

_MARK = re.compile('[«»“”„"]|\n[^\\S\n]*\n')
_CLOSING = {"«": "»", "“": "”", "„": "”", '"': '"'}
# A quotation goes on over a mark that is repeated at the head of each paragraph.
_REPEATED = re.compile(r"(?:^|\n)[^\S\n]*$")
_WORD = re.compile(r"\w+")
_ONLY_OPENING = re.compile(r"[\s(\[,;:.–—-]*")
_SENTENCE_END = re.compile(r"[.;!?][»”\")\]]*\s+(?=[A-ZÁÉÍÓÚÑ¿¡«“])")
_NEAR = 400

Span = tuple[int, int]


@dataclass(frozen=True)
class Quotation:
    """What stands between marks: `text[start:end]` with them; `citation` is the place of the one it is of, if any."""

    start: int
    end: int
    citation: int | None = None


def find_quotations(text: str, citations: Sequence[Span]) -> list[Quotation]:
    """Find the quotations of at least a few words, each with the citation next to it in its paragraph.

    That is the citation right behind it, else the last before it, else the first after it in the same sentence; never
    one inside it.

    >>> text = 'El artículo 2 dice: «los plazos son de días». «Los meses no cuentan» (artículo 3).'
    >>> [one.citation for one in find_quotations(text, [(3, 13), (70, 80)])]
    [0, 1]
    """
    spans = [span for span in _spans(text) if len(_WORD.findall(text, *span)) >= FEWEST_WORDS]
    return [Quotation(start, end, _citation_of(text, (start, end), citations)) for start, end in spans]


def _spans(text: str) -> Iterator[Span]:
    """Give the outermost stretches between marks; one that its paragraphs do not close is none."""
    opened: list[tuple[str, int]] = []
    for mark in _MARK.finditer(text):
        if mark[0][0] == "\n":
            opened = [] if not _goes_on(text, mark.end(), opened) else opened
        elif opened and mark[0] == _CLOSING[opened[-1][0]]:
            if _repeats(text, mark):
                continue
            _sign, start = opened.pop()
            if not opened and mark.end() - start <= LONGEST:
                yield start, mark.end()
        elif mark[0] in _CLOSING:
            opened.append((mark[0], mark.start()))


def _goes_on(text: str, at: int, opened: Sequence[tuple[str, int]]) -> bool:
    """Whether the paragraph from `at` on repeats a closing mark, as printers do where a quotation goes on."""
    return bool(opened) and text[at : at + 1] in ("»", "”")


def _repeats(text: str, mark: re.Match[str]) -> bool:
    begins_line = _REPEATED.search(text, max(0, mark.start() - 20), mark.start()) is not None
    return begins_line and mark[0] in "»”" and text[mark.end() : mark.end() + 1].isalnum()


def _citation_of(text: str, quotation: Span, citations: Sequence[Span]) -> int | None:
    start, end = quotation
    starts = [citation[0] for citation in citations]
    after = bisect_left(starts, end)
    before = bisect_left(starts, start) - 1
    if after < len(citations) and _ONLY_OPENING.fullmatch(text, end, citations[after][0]):
        return after
    if before >= 0 and citations[before][1] <= start and _is_near(text, citations[before][1], start):
        return before
    if after < len(citations) and _is_near(text, end, citations[after][0]):
        return None if _SENTENCE_END.search(text, end - 1, citations[after][0]) else after
    return None


def _is_near(text: str, start: int, end: int) -> bool:
    return end - start <= _NEAR and "\n\n" not in text[start:end]

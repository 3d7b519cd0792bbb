"""Checks a whole text: every citation in it resolved, every quotation beside one compared with what it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ninja import Schema

from search import extraction, verification
from search.extraction import UnsupportedCitation
from search.quotations import find_quotations
from search.verification import Item, Summary, VerifiedItem

if TYPE_CHECKING:
    from datetime import date

    from search.citations import Reference
    from search.quotations import Quotation


MOST_CHECKED = 1_000


class CheckedCitation(VerifiedItem):
    """A citation or a quotation of a text: `text` is what stands from `start` to `end`.

    A quotation has its check in `quote`, and is of the citation that is told.
    """

    start: int
    end: int
    text: str
    is_quotation: bool


class CheckedText(Schema):
    """Every citation and quotation of a text, in its order.

    `unchecked` counts those beyond what is checked at once, and quotations with no citation near them.
    """

    found: list[CheckedCitation]
    unsupported: list[UnsupportedCitation]
    summary: Summary
    unchecked: int


def check_text(text: str, *, as_of: date | None = None) -> CheckedText:
    """Check a text; raise an `InputError` if it is too long or cites too much."""
    read = extraction.read(text)
    references = read.references
    quotations = find_quotations(text, [(one.start, one.end) for one in references])
    asked = sorted(
        [*_of_citations(references, as_of), *_of_quotations(text, references, quotations, as_of)], key=_place
    )
    told = verification.verify([item for _start, _end, item in asked[:MOST_CHECKED]], most=MOST_CHECKED)
    found = [
        CheckedCitation(**one.model_dump(), start=start, end=end, text=text[start:end], is_quotation=bool(item.quote))
        for (start, end, item), one in zip(asked, told.items, strict=False)
    ]
    unchecked = len(asked) - len(found) + sum(one.citation is None for one in quotations)
    unsupported = [UnsupportedCitation(start=o.start, end=o.end, text=o.text, type=o.type) for o in read.unsupported]
    is_complete = told.summary.complete and not unchecked and not unsupported
    summary = told.summary.model_copy(update={"complete": is_complete})
    return CheckedText(found=found, unsupported=unsupported, summary=summary, unchecked=unchecked)


Asked = tuple[int, int, Item]


def _place(asked: Asked) -> tuple[int, int]:
    return asked[0], -asked[1]


def _of_citations(references: tuple[Reference, ...], as_of: date | None) -> list[Asked]:
    return [(one.start, one.end, _item(one, "", as_of)) for one in references]


def _of_quotations(
    text: str, references: tuple[Reference, ...], quotations: list[Quotation], as_of: date | None
) -> list[Asked]:
    return [
        (one.start, one.end, _item(references[one.citation], text[one.start : one.end], as_of))
        for one in quotations
        if one.citation is not None
    ]


def _item(reference: Reference, quote: str, as_of: date | None) -> Item:
    return Item(reference.text, quote, as_of=None if reference.on else as_of, reference=reference)

"""lookup: resolves one citation on the command line."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from search.claims import amiss
from search.errors import InputError
from search.lookup import lookup
from search.outcomes import words
from search.responses import RESOLVED, Candidate, Resolution
from search.spans import span
from search.templatetags.law_text import status_name

NOT_RESOLVED, BAD_INPUT = 1, 2


class Command(BaseCommand):
    """Print the text that a citation names on a day, or why there is none."""

    help = (
        "Print the text a citation names. Exit code: 0 found, in whole or in part; 1 not found or ambiguous; "
        "2 not a citation, or bad input."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("citation", help='in any form: "art. 21.3 Ley 39/2015", ley-39-2015:art-21.3@2020-01-01')
        parser.add_argument("--as-of", metavar="DATE", default="", help="the day whose text is wanted, as 2020-01-31")
        parser.add_argument("--json", action="store_true", help="print exactly what the API answers")

    def handle(self, *args: Any, **options: Any) -> None:
        """Resolve and print; exit with what became of it."""
        try:
            answer = lookup(options["citation"], as_of=_day(options["as_of"]))
        except InputError as error:
            raise CommandError(error.detail, returncode=BAD_INPUT) from error
        if options["json"]:
            self.stdout.write(json.dumps(answer.model_dump(mode="json"), ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(_readable(answer)))
        if answer.outcome not in RESOLVED:
            sys.exit(BAD_INPUT if answer.outcome == "unparsable" else NOT_RESOLVED)


def _day(written: str) -> date | None:
    if not written:
        return None
    try:
        return date.fromisoformat(written)
    except ValueError as error:
        raise CommandError(f"--as-of: {written!r} is not a day such as 2020-01-31", returncode=BAD_INPUT) from error


def _readable(answer: Resolution) -> Iterator[str]:
    """Give the lines of an answer: what it is, how it stands, its text, and what may have been meant instead."""
    if answer.items:
        for place, item in enumerate(answer.items):
            yield from ([""] if place else [])
            yield from _readable(item)
        yield from ([f"\n{answer.detail}"] if answer.detail else [])
        return
    told = words(answer)
    if answer.outcome != "found":
        yield f"{told.title}: {answer.input}"
        yield answer.detail or told.detail
    if answer.label and answer.law:
        yield from _named(answer)
    elif answer.detail and answer.outcome == "found":
        yield answer.detail
    yield from amiss(answer)
    if answer.text is not None:
        yield f"\n{answer.text}"
    yield from _offered(_("Puede ser"), answer.candidates)
    yield from _offered(_("Lo más cercano"), answer.suggestions)


def _named(answer: Resolution) -> Iterator[str]:
    law = answer.law.name if answer.law else ""
    yield " · ".join(filter(None, [answer.label, answer.heading if answer.kind != "law" else "", law]))
    standing = status_name(answer.status) if answer.status else ""
    days = span(answer.valid_from, answer.valid_to) if answer.text is not None or answer.kind == "law" else ""
    yield " · ".join(filter(None, [answer.citation, standing, days, answer.amended_by]))
    if answer.outcome == "found" and answer.detail:
        yield answer.detail
    if answer.source_url:
        yield answer.source_url


def _offered(title: str, candidates: list[Candidate]) -> Iterator[str]:
    if candidates:
        yield f"\n{title}:"
        yield from (f"  {one.citation}  {one.label} — {one.title}" for one in candidates)

"""search_corpus: answers one question on the command line."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Iterator
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from search.errors import InputError
from search.requests import MODES
from search.responses import Hit, Passage, RetrievalResponse
from search.retrieval import RetrievalRequest, retrieve
from search.templatetags.law_text import status_name

NOTHING_FOUND, BAD_INPUT = 1, 2
_INDENT = "   "


class Command(BaseCommand):
    """Print the provisions that answer a question, best first."""

    help = "Answer a question with the provisions that speak of it. Exit code: 0 found, 1 nothing found, 2 bad input."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("question", help="words, a sentence, or a citation")
        parser.add_argument("--mode", choices=MODES, default="auto", help="which arms answer (default %(default)s)")
        parser.add_argument("--limit", type=int, default=5, help="how many provisions (default %(default)s)")
        parser.add_argument("--offset", type=int, default=0, help="how many to leave out first")
        parser.add_argument("--law", action="append", default=[], help="only this law; may be repeated")
        parser.add_argument("--as-of", type=_day, help="the day whose law is read, as 2020-01-31")
        parser.add_argument("--include-repealed", action="store_true", help="also what has no force any more")
        parser.add_argument("--json", action="store_true", help="print exactly what the API answers")

    def handle(self, *args: Any, **options: Any) -> None:
        """Retrieve and print; exit with whether anything was found."""
        request = RetrievalRequest(
            query=options["question"],
            mode=options["mode"],
            limit=options["limit"],
            offset=options["offset"],
            laws=tuple(options["law"]),
            as_of=options["as_of"],
            include_repealed=options["include_repealed"],
        )
        try:
            answer = retrieve(request)
        except InputError as error:
            raise CommandError(error.detail, returncode=BAD_INPUT) from error
        if options["json"]:
            self.stdout.write(json.dumps(answer.model_dump(mode="json"), ensure_ascii=False, indent=2))
        else:
            self.stdout.write("\n".join(_readable(answer)))
        if not answer.hits:
            sys.exit(NOTHING_FOUND)


def _day(written: str) -> date:
    try:
        return date.fromisoformat(written)
    except ValueError as error:
        raise ArgumentTypeError(f"{written!r} is not a day such as 2020-01-31") from error


def _readable(answer: RetrievalResponse) -> Iterator[str]:
    """Give the lines of an answer: how it came about, then each provision with its passages."""
    count = _("más de %d") % answer.total if answer.total_is_capped else str(answer.total)
    yield _("%(count)s resultados · modo %(mode)s · %(milliseconds).0f ms") % {
        "count": count,
        "mode": answer.mode,
        "milliseconds": answer.took_ms,
    }
    if answer.degraded:
        yield answer.degraded.reason
    for hit in answer.hits:
        yield ""
        yield from _lines(hit)


def _lines(hit: Hit) -> Iterator[str]:
    heading = f". {hit.heading}" if hit.heading else ""
    status = "" if hit.status == "in_force" else f" [{status_name(hit.status)}]"
    yield f"{hit.rank}. {hit.label}{heading}{status}"
    arms = [f"{name} {place.rank}" for name, place in ((_("léxico"), hit.lexical), (_("semántico"), hit.semantic))
            if place]  # fmt: skip
    yield _INDENT + " · ".join([hit.citation, hit.law.name, f"{hit.score:.3f}", *arms])
    for passage in hit.passages[:1]:
        yield from (_INDENT + line for line in _marked(passage).splitlines())


def _marked(passage: Passage) -> str:
    """Give a passage with what was looked for between brackets."""
    text, end = [], 0
    for start, stop in passage.highlights:
        text += [passage.text[end:start], "[", passage.text[start:stop], "]"]
        end = stop
    return "".join([*text, passage.text[end:]])

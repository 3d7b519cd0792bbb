"""Writes a context as Markdown for a model to read, and counts its tokens by a stated estimate."""

from __future__ import annotations

import re
from textwrap import shorten
from typing import TYPE_CHECKING

from search.addresses import names_invented

if TYPE_CHECKING:
    from search.context_answers import Context, ContextProvision
    from search.responses import Resolution

TOKENIZER = "estimate: 4 letters, 3 digits or 1 sign"
WIDEST = 120
# What telling of the provisions without room takes, at most.
ROOM_TO_TELL = 20
_TOKEN = re.compile(r"[^\W\d_]{1,4}|\d{1,3}|[^\w\s]|_")
_FENCE = re.compile(r"`{3,}")


def count_tokens(text: str) -> int:
    """Estimate the tokens of a text: one for each 4 letters or 3 digits of a word begun, and one for each sign.

    It does not depend on any model, adds up over parts, and errs on the side of more.

    >>> count_tokens("Artículo 27.2: 1.234,50 euros")
    13
    """
    return sum(1 for _found in _TOKEN.finditer(text))


def write(context: Context) -> str:
    """Write the whole context: what it answers and how it was found, then each provision with its source."""
    parts = [head(context)]
    if context.empty:
        parts.append(f"{context.empty.code}: {context.empty.detail}")
    return "\n\n".join([*parts, *map(section, context.provisions)]) + "\n"


def head(context: Context) -> str:
    """Write what the question was, and how and on which day it was answered."""
    lines = [f"# {shorten(context.query, WIDEST, placeholder='…')}", f"mode: {context.mode} | law of: {context.as_of}"]
    if context.confidence is not None:
        lines[1] += f" | confidence: {context.confidence:.2f}"
    if context.degraded:
        reason = shorten(context.degraded.reason, WIDEST, placeholder="…")
        kind = "" if context.degraded.missing == "reranker" else " search"
        lines.append(f"degraded: no {context.degraded.missing}{kind} ({reason})")
    if context.citation and (context.citation.outcome != "found" or context.citation.detail):
        lines.append(_cited(context.citation))
    if context.history_not_held:
        laws = dict.fromkeys(citation.partition(":")[0] for citation in context.history_not_held)
        lines.append(f"history not held on that day: {shorten(', '.join(laws), WIDEST, placeholder='…')}")
    if context.provisions and (missing := _without_room(context)):
        lines.append(missing)
    return "\n".join(lines)


def _cited(citation: Resolution) -> str:
    told = f"cited: {citation.citation or citation.outcome} ({citation.outcome})"
    return shorten(f"{told}. {citation.detail}", 2 * WIDEST, placeholder="…") if citation.detail else told


def _without_room(context: Context) -> str:
    """Say how much of what was found or cited is not there, so that nobody takes the rest for all of it."""
    left_out = len(context.left_out) + context.unread
    told = [f"given in part: {len(context.in_part)}"] if context.in_part else []
    told += [f"left out: {left_out}"] if left_out else []
    return f"no room for all ({', '.join(told)})" if told else ""


def section(provision: ContextProvision) -> str:
    """Write one provision: its citation, name, force and source, and the verbatim text in a fence of its own."""
    fence = _fence("\n".join((provision.text, *(one.text for one in provision.lead_in))))
    name = ". ".join(filter(None, (provision.label, provision.heading.rstrip("."))))
    lines = [
        f"## {provision.citation}",
        f"{name} | {provision.law.name}",
        _force(provision),
        f"sha256: {provision.sha256[:16]} | characters: {provision.start}-{provision.end}{_extent(provision)}",
        _source(provision),
    ]
    if provision.same_text:
        lines.append(f"same text: {', '.join(provision.same_text)}")
    if provision.lead_in:
        lines += ["announced by:", fence, *(one.text for one in provision.lead_in), fence, "text:"]
    return "\n".join([*lines, fence, provision.text, fence])


def resolved(found: Resolution) -> str:
    """Write what a citation resolved to; of a whole law what it is, since its provisions have their own citations."""
    law = found.law
    name = ". ".join(part.rstrip(".") for part in (found.label, found.heading) if part)
    lines = [f"## {found.resolved_to}", " | ".join(filter(None, (name, law.name if law else "")))]
    lines.append(_force(found))
    if found.sha256:
        lines.append(f"sha256: {found.sha256[:16]} | characters: {found.start}-{found.end}")
    if found.unresolved_tail:
        lines.append(f"not resolved: {found.unresolved_tail}")
    lines.append(_source(found))
    if found.text:
        fence = _fence(found.text)
        lines += [fence, found.text, fence]
    return "\n".join(lines) + "\n"


def _fence(text: str) -> str:
    """Give a fence that is longer than any in the text."""
    runs: list[str] = _FENCE.findall(text)
    return max(("```", *(run + "`" for run in runs)), key=len)


def _force(provision: ContextProvision | Resolution) -> str:
    until = f" to {provision.valid_to}" if provision.valid_to else ""
    since = f" from {provision.valid_from}" if provision.valid_from else ""
    is_amended = provision.amended_by not in (None, provision.law and provision.law.boe_id)
    by = f" | amended by: {provision.amended_by}" if is_amended else ""
    return f"status: {provision.status}{since}{until}{by}"


def _source(provision: ContextProvision | Resolution) -> str:
    law = provision.law
    if law and names_invented(law.boe_id):
        return "source: none, the law is invented"
    return f"source: {provision.source_url or provision.url}"


def _extent(provision: ContextProvision) -> str:
    if provision.is_whole:
        return " (whole)"
    return " (part)" if provision.is_citable else " (paragraphs of it)"

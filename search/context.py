"""Puts together what a language model should read on a question: verbatim provisions within a budget of tokens."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Q
from django.utils.translation import gettext as _

from corpus.clock import today
from corpus.identifiers import CitationId
from corpus.models import Article
from search import query_log
from search.citations import parse
from search.cited import resolved
from search.context_answers import Context, Empty
from search.context_markdown import ROOM_TO_TELL, TOKENIZER, count_tokens, head, write
from search.context_reading import FEWEST_TOKENS, Reading
from search.errors import InvalidLimit, UnknownValue
from search.figures import figure
from search.lookup import several
from search.provision_answers import on_days, place_of
from search.provision_on_day import Question
from search.requests import MAX_LIMIT
from search.responses import RESOLVED
from search.retrieval import retrieve

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from search.requests import RetrievalRequest
    from search.responses import Hit, Resolution, RetrievalResponse

LEAST_TOKENS = 200
MOST_TOKENS = 32_000
USUAL_TOKENS = 4_000
MOST_HITS = 30
# What was cited is not merely found: so many provisions of it are read.
MOST_CITED = MAX_LIMIT
# Chosen by bench/grounding.py so that it withholds noise and next to no question whose answer was found.
LEAST_CONFIDENCE = 0.02
# So much of the room goes to the parts that were found; the rest to what surrounds them, best hits first.
SHARE_FOR_BREADTH = 0.5


def ground(
    request: RetrievalRequest,
    max_tokens: int = USUAL_TOKENS,
    channel: str = "api",
    *,
    min_confidence: float = LEAST_CONFIDENCE,
) -> Context:
    """Give the provisions that a question is to be answered from; raise an `InputError` for a wrong request.

    An answer of less confidence than `min_confidence` grounds nothing, unless the question cites what it asks for.
    Three queries more than `retrieve`, whatever the budget; a citation of many provisions is retrieved twice.
    """
    if not LEAST_TOKENS <= max_tokens <= MOST_TOKENS:
        detail = _("max_tokens va de %(least)d a %(most)d.") % {"least": LEAST_TOKENS, "most": MOST_TOKENS}
        limit = MOST_TOKENS if max_tokens > MOST_TOKENS else LEAST_TOKENS
        raise InvalidLimit(detail, parameter="max_tokens", limit=limit)
    if not 0 <= min_confidence <= 1:
        raise UnknownValue(_("%(name)s va de 0 a 1.") % {"name": "min_confidence"}, parameter="min_confidence", limit=1)
    wanted = replace(request, limit=MOST_HITS, offset=0)
    answer = retrieve(wanted)
    if answer.mode == "citation" and answer.total > MOST_HITS:
        answer = retrieve(replace(wanted, limit=MOST_CITED))
    query_log.note(wanted, answer, channel)
    return assemble(answer, max_tokens, min_confidence)


def assemble(answer: RetrievalResponse, max_tokens: int, min_confidence: float = LEAST_CONFIDENCE) -> Context:
    """Choose from the hits of an answer what fits into `max_tokens`: whole parts only, each text once.

    Half of the room goes to the parts that were found, best hit first; what is left to the rest of those provisions,
    best first too, and then to further hits. What was cited comes as it was cited, and nothing besides.
    """
    reference = parse(answer.query)
    is_citation = reference is not None or bool(several(answer.query))
    pinned = answer.as_of or (reference.on if reference else None)
    context = Context(
        query=answer.query,
        mode=answer.mode,
        degraded=answer.degraded,
        confidence=answer.confidence,
        min_confidence=min_confidence,
        as_of=pinned or today(),
        corpus_revision=answer.corpus_revision,
        max_tokens=max_tokens,
        tokens=0,
        tokenizer=TOKENIZER,
        citation=answer.citation,
        history_not_held=[hit.citation for hit in answer.hits if hit.history_not_held],
    )
    if is_citation and answer.citation is not None and answer.mode != "citation":
        context.empty = Empty(code="citation_not_resolved", detail=_unanswered(answer.citation))
    elif _is_doubtful(answer, min_confidence):
        context.left_out = [hit.citation for hit in answer.hits]
        detail = _("Lo hallado tiene una confianza de %(confidence)s, menos que min_confidence (%(least)s).") % {
            "confidence": figure(answer.confidence or 0, 4),
            "least": figure(min_confidence),
        }
        context.empty = Empty(code="low_confidence", detail=detail)
    else:
        _choose(context, answer, is_pinned=pinned is not None)
    context.tokens = count_tokens(write(context))
    return context


def _unanswered(cited: Resolution) -> str:
    """Say why what is cited is no answer by itself."""
    if cited.outcome in RESOLVED and cited.items and cited.as_of is None:
        return _("Se citan textos de días distintos: hay que pedirlos por separado.")
    return _("La cita no se resuelve (%(outcome)s).") % {"outcome": cited.outcome}


def _choose(context: Context, answer: RetrievalResponse, *, is_pinned: bool) -> None:
    """Put into a context what fits of the hits."""
    cited = _paths(answer.citation) if answer.mode == "citation" and answer.citation else None
    found = _distinct(_readings(answer.hits, context.as_of, cited, is_pinned=is_pinned))
    room = context.max_tokens - count_tokens(head(context)) - ROOM_TO_TELL
    _fill(found, room, 1 if answer.mode == "citation" else SHARE_FOR_BREADTH)
    context.provisions = [provision for reading in found for provision in reading.chosen]
    context.left_out = [reading.hit.citation for reading in found if not reading.chosen]
    context.in_part = [reading.hit.citation for reading in found if cited is not None and reading.is_cut_short]
    context.unread = answer.total - len(answer.hits) if cited is not None else 0
    context.empty = None if context.provisions else _nothing(found, context)


def _is_doubtful(answer: RetrievalResponse, min_confidence: float) -> bool:
    """Whether what was found is too likely beside the question; what it cites itself never is."""
    cites = answer.citation is not None and answer.citation.outcome in RESOLVED
    return bool(answer.hits) and not cites and answer.confidence is not None and answer.confidence < min_confidence


def _readings(
    hits: Sequence[Hit], day: date, cited: dict[str, list[tuple[str, ...]]] | None, *, is_pinned: bool
) -> Iterable[Reading]:
    """Read the provisions of hits as lookup does, leaving out any that has changed since it was found: three queries.

    `cited` are the paths that were cited of each provision, where a citation is all that was asked.
    """
    wanted = Q()
    for hit in hits:
        target = CitationId.parse(hit.citation)
        wanted |= Q(law__key=target.law, key=target.unit)
    articles = Article.objects.filter(wanted).select_related("law") if hits else ()
    question = Question("", day, is_pinned=is_pinned, is_exact=True)
    placed = {f"{article.law.key}:{article.key}": place_of(article, question) for article in articles}
    held = on_days((article.law, article, question) for article in articles)
    for hit in hits:
        provision = held.get(placed[hit.citation]) if hit.citation in placed else None
        version = provision.redaction.version if provision else None
        if provision and provision.text and version and version.valid_from == hit.valid_from:
            yield Reading(hit, provision, paths=None if cited is None else cited.get(hit.citation, []))


def _paths(resolution: Resolution) -> dict[str, list[tuple[str, ...]]]:
    """Give the paths of the sub-units that were cited, by their provision."""
    paths: dict[str, list[tuple[str, ...]]] = {}
    for one in resolved(resolution):
        target = CitationId.parse(str(one.resolved_to))
        paths.setdefault(str(target.provision), []).extend([target.path] if target.path else [])
    return paths


def _distinct(readings: Iterable[Reading]) -> list[Reading]:
    """Keep the first of provisions that say the same word for word, which then names the others."""
    by_text: dict[str, Reading] = {}
    for reading in readings:
        first = by_text.setdefault(reading.provision.text, reading)
        if first is not reading:
            first.same_text.append(reading.hit.citation)
    return list(by_text.values())


def _fill(readings: Sequence[Reading], room: int, share_for_breadth: float) -> None:
    """Choose of each reading what fits into a room of tokens; none is cut where there is no room for any."""
    left = room
    for reading in readings:
        for_breadth = left if left == room else left - round(room * (1 - share_for_breadth))
        left -= reading.grow(for_breadth, reading.core) if for_breadth >= FEWEST_TOKENS else 0
    for reading in readings:
        if reading.chosen:
            left -= reading.grow(left, reading.most)
    for reading in readings:
        if left >= FEWEST_TOKENS and not reading.chosen:
            left -= reading.grow(left, reading.most)


def _nothing(found: Sequence[Reading], context: Context) -> Empty:
    if found:
        detail = _("Ningún precepto hallado cabe entero en max_tokens.")
        return Empty(code="budget_too_small", detail=detail)
    if context.history_not_held:
        detail = _("La fuente no permite saber qué texto regía el %(day)s.") % {"day": f"{context.as_of:%d/%m/%Y}"}
        return Empty(code="history_not_held", detail=detail)
    told = context.citation.detail if context.citation and context.mode == "citation" else None
    return Empty(code="nothing_found", detail=told or _("Nada en este corpus responde a la pregunta."))

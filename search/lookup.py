"""Resolves citations to the exact text they mean on a day: the one throat for pages, API, MCP and commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.urls import get_script_prefix
from django.utils.translation import gettext as _

from corpus.clock import today
from corpus.identifiers import CitationId
from corpus.models import Article
from search.addresses import page_url, source_url
from search.captions import caption_of_id, law_caption, law_summary, provision_caption
from search.citations import LawMention, Reference, UnitMention, parse
from search.errors import InvalidDate, QueryTooLong
from search.filters import IN_FORCE
from search.law_resolution import LawChoice, choose_law
from search.provision_answers import on_day, resolve_units
from search.provision_on_day import Question
from search.provisions import LONGEST_RANGE
from search.redactions import law_status_on
from search.responses import Candidate, Resolution

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from corpus.models import Law
    from search.responses import Outcome

LONGEST_CITATION = 2000
_MACHINE_FORM = re.compile(r"[^\s:#@]+(?:[:#][^\s:#@]+)?(?:@\S+)?")
_LAWS_OFFERED = 10


def lookup(text: str, *, as_of: date | None = None) -> Resolution:
    """Resolve one citation in any form; raise an `InputError` for a day that disagrees or an endless text."""
    if len(text) > LONGEST_CITATION:
        raise QueryTooLong(
            _("Una cita no tiene más de %(limit)d caracteres.") % {"limit": LONGEST_CITATION},
            parameter="q",
            limit=LONGEST_CITATION,
        )
    reference = parse(text)
    if reference is None:
        detail = _("Una cita nombra la norma y el precepto: «artículo 21.3 de la Ley 39/2015».")
        return Resolution(input=_printable(text), outcome="unparsable", detail=detail)
    return resolve(reference, as_of=as_of, given=text)


def resolve(reference: Reference, *, as_of: date | None = None, given: str | None = None) -> Resolution:
    """Resolve a citation that was read before; `given` is the text its offsets count in."""
    question = _question(reference, as_of, reference.text if given is None else given)
    if reference.law is None:
        return _without_law(reference, question)
    choice = choose_law(reference.law)
    if choice.law is None:
        return _no_law(reference, choice, question)
    found = _in_law(choice.law, reference, question)
    if choice.others and found.outcome in ("found", "partial"):
        found.candidates = [_law_candidate(law, reference) for law in choice.others]
    return found


def resolve_id(citation: CitationId, *, as_of: date | None = None) -> Resolution:
    """Resolve a canonical id, without reading it again."""
    units = (UnitMention(citation.unit, citation.path, labels=citation.path),) if citation.unit else ()
    law = LawMention(citation.law, (citation.law,))
    return resolve(Reference(0, 0, str(citation), law, units, citation.on), as_of=as_of)


def _question(reference: Reference, as_of: date | None, given: str) -> Question:
    if reference.on and as_of and reference.on != as_of:
        detail = _("La cita dice %(cited)s y se pide el texto de %(asked)s.") % {
            "cited": reference.on.isoformat(),
            "asked": as_of.isoformat(),
        }
        raise InvalidDate(detail, parameter="as_of")
    day = reference.on or as_of
    is_exact = bool(_MACHINE_FORM.fullmatch(reference.text.strip()))
    return Question(_printable(given), day or today(), is_pinned=day is not None, is_exact=is_exact)


def _printable(text: str) -> str:
    """Give a text that JSON can carry: what is half a character becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def _in_law(law: Law, reference: Reference, question: Question) -> Resolution:
    """Resolve what is cited of a law that is held: the whole of it, one provision, or several."""
    if not reference.units:
        block = reference.law.block if reference.law else ""
        return _by_block(law, block, question) if block else _whole_law(law, question)
    keyless = next((unit for unit in reference.units if isinstance(unit, UnitMention) and not unit.key), None)
    if keyless is not None:
        return _whole_law(law, question, unresolved_tail=_words(keyless, question))
    answers = resolve_units(law, reference.units, question)
    if not answers.is_list:
        return answers.resolutions[0].model_copy(update={"input": question.given})
    return Resolution(
        input=question.given,
        outcome=_outcome_of_all([answer.outcome for answer in answers.resolutions]),
        law=law_summary(law),
        as_of=question.day,
        items=answers.resolutions,
        detail=_("Se muestran los %(limit)d primeros.") % {"limit": LONGEST_RANGE} if answers.is_capped else None,
    )


def _outcome_of_all(outcomes: Sequence[Outcome]) -> Outcome:
    """Sum up a list: found if all are, partial if some are, else what became of the first."""
    if all(outcome == "found" for outcome in outcomes):
        return "found"
    return "partial" if any(outcome in ("found", "partial") for outcome in outcomes) else outcomes[0]


def _by_block(law: Law, block: str, question: Question) -> Resolution:
    """Resolve an official address by the source's name of a provision; one name may stand for a group of them."""
    articles = list(Article.objects.filter(law=law, source_block=block).order_by("position"))
    if not articles:
        return _whole_law(law, question, unresolved_tail=f"#{block}")
    if len(articles) > 1:
        return Resolution(
            input=question.given,
            outcome="ambiguous",
            law=law_summary(law),
            as_of=question.day,
            candidates=[_article_candidate(law, article) for article in articles],
        )
    return on_day(law, articles, question)[articles[0].pk].whole(question.given)


def _whole_law(law: Law, question: Question, unresolved_tail: str | None = None) -> Resolution:
    status = law_status_on(law, question.day)
    is_gone = question.is_pinned and status != IN_FORCE
    citation = f"{law.key}@{question.day}" if question.is_pinned else law.key
    return Resolution(
        input=question.given,
        outcome="not_in_force" if is_gone else "partial" if unresolved_tail else "found",
        citation=law.key,
        resolved_to=None if is_gone else law.key,
        unresolved_tail=unresolved_tail,
        law=law_summary(law),
        kind="law",
        label=law_caption(law),
        heading=law.title,
        status=status,
        as_of=question.day,
        valid_from=law.valid_from,
        valid_to=law.valid_to,
        url=page_url(citation),
        source_url=source_url(law),
    )


def _no_law(reference: Reference, choice: LawChoice, question: Question) -> Resolution:
    """Say that the law is not held, or which laws may be meant."""
    mention = reference.law
    law_id = mention.ids[0] if mention and mention.ids else ""
    offered = [_law_candidate(law, reference) for law in choice.others]
    if choice.outcome == "ambiguous":
        offered += [_absent_candidate(key, reference) for key in choice.absent_ids]
    return Resolution(
        input=question.given,
        outcome=choice.outcome,
        citation=_cited(law_id, reference) if law_id and choice.outcome != "ambiguous" else None,
        as_of=question.day,
        candidates=offered,
        detail=None if choice.outcome == "ambiguous" else _not_in_corpus(),
    )


def _not_in_corpus() -> str:
    address = f"{get_script_prefix()}coverage"
    return _("Esa norma no está en este corpus; en %(address)s se ve cuáles están.") % {"address": address}


def _without_law(reference: Reference, question: Question) -> Resolution:
    """Say which laws have a provision of that name, since none was named."""
    key = next((unit.key for unit in reference.units if isinstance(unit, UnitMention)), "")
    articles = Article.objects.filter(key=key).select_related("law").order_by("law__jurisdiction", "law__key")
    return Resolution(
        input=question.given,
        outcome="ambiguous",
        as_of=question.day,
        candidates=[_law_candidate(article.law, reference) for article in articles[:_LAWS_OFFERED]] if key else [],
        detail=_("Falta la norma: se escribe «artículo 26 de la Ley 58/2003»."),
    )


def _words(unit: UnitMention, question: Question) -> str:
    return question.given[unit.start : unit.end] or " ".join((*unit.labels, unit.tail))


def _cited(law_id: str, reference: Reference) -> str:
    """Give the citation of the same units in a law, of the law alone where they are several."""
    unit = reference.units[0] if len(reference.units) == 1 else None
    if not isinstance(unit, UnitMention) or not unit.key:
        return law_id
    return str(CitationId(law_id, unit.key, unit.path))


def _law_candidate(law: Law, reference: Reference) -> Candidate:
    citation = _cited(law.key, reference)
    return Candidate(citation=citation, label=law_caption(law), title=law.title, url=page_url(citation))


def _absent_candidate(law_id: str, reference: Reference) -> Candidate:
    citation, caption = _cited(law_id, reference), caption_of_id(law_id)
    title = _("%(law)s (no está en este corpus)") % {"law": caption}
    return Candidate(citation=citation, label=caption, title=title, url=page_url(citation))


def _article_candidate(law: Law, article: Article) -> Candidate:
    citation = f"{law.key}:{article.key}"
    return Candidate(citation=citation, label=provision_caption(law, article), title=law.title, url=page_url(citation))

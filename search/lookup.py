"""Resolves citations to the exact text they mean on a day: the one throat for pages, API, MCP and commands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from corpus.clock import today
from corpus.identifiers import CitationId, InvalidCitationId
from corpus.models import Article, Law
from search.captions import law_summary
from search.citations import LawMention, Reference, UnitMention, parse, parse_several
from search.claims import claims_of
from search.errors import InvalidDate, QueryTooLong
from search.law_answers import BlockAsked, law_candidate, no_law, resolve_blocks, whole_law
from search.law_resolution import LawChoice, choose_laws, is_identified
from search.metrics import note_lookups
from search.provision_answers import Answers, UnitsAsked, resolve_units
from search.provision_on_day import Question
from search.provisions import LONGEST_RANGE
from search.responses import RESOLVED, Candidate, Resolution

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from search.responses import Outcome

LONGEST_CITATION = 2000
_MACHINE_FORM = re.compile(r"[^\s:#@]+(?:[:#][^\s:#@]+)?(?:@\S+)?")
_LAWS_OFFERED = 10


@dataclass(frozen=True)
class Inquiry:
    """A citation that was read, the day it is asked for, and the text its offsets count in, if not its own words."""

    reference: Reference
    as_of: date | None = None
    given: str | None = None


def lookup(text: str, *, as_of: date | None = None) -> Resolution:
    """Resolve one citation in any form; raise an `InputError` for a day that disagrees or an endless text."""
    check_length(text, "q")
    reference = parse(text)
    if references := several(text, reference):
        return resolve_several(references, as_of=as_of, given=text)
    return resolve(reference, as_of=as_of, given=text) if reference else unread(text)


def lookup_id(text: str, *, as_of: date | None = None) -> Resolution:
    """Resolve a canonical id in any case, and no other form of citation; raise as `lookup` does."""
    check_length(text, "citation")
    try:
        CitationId.parse(text)
    except InvalidCitationId:
        reference = parse(text)
        return unread(text, reference.no_day if reference else "")
    return lookup(text, as_of=as_of)


def unread(text: str, no_day: str = "") -> Resolution:
    """Say of a text that is no citation what one is made of, or that the day it names is none."""
    if not no_day and several(text):
        detail = _("Son varias citas: aquí se lee una cada vez.")
    elif no_day:
        detail = _("«%(written)s» no es un día: se escribe como 2019-06-30.") % {"written": _printable(no_day[:40])}
    else:
        detail = _("Una cita nombra la norma y el precepto: «artículo 21.3 de la Ley 39/2015».")
    return Resolution(input=_printable(text), outcome="unparsable", detail=detail)


def check_length(text: str, parameter: str) -> None:
    """Raise `QueryTooLong`, naming the parameter, for a citation that is longer than is read."""
    if len(text) > LONGEST_CITATION:
        detail = _("Una cita no tiene más de %(limit)d caracteres.") % {"limit": LONGEST_CITATION}
        raise QueryTooLong(detail, parameter=parameter, limit=LONGEST_CITATION)


def resolve(reference: Reference, *, as_of: date | None = None, given: str | None = None) -> Resolution:
    """Resolve a citation that was read before; `given` is the text its offsets count in."""
    (answer,) = resolve_all([Inquiry(reference, as_of, given)])
    if _law_named(reference) is None and not reference.no_day:
        answer.candidates = _laws_that_have_one(reference)
    return answer.model_copy(update=claims_of(reference.law, answer))


def several(text: str, one: Reference | None = None) -> tuple[Reference, ...]:
    """Read a text that is several citations, each of a law that it names, and nothing else; none if it is not.

    As `one` citation it must be none, or of a law that goes by a name which is that of several laws that are known.
    """
    if one is not None and not (one.law and one.law.name and not one.law.ids):
        return ()
    references = parse_several(text)
    is_told = all(_law_named(each) if one is None else each.law and each.law.ids for each in references)
    return references if is_told else ()


def resolve_several(references: Sequence[Reference], *, as_of: date | None, given: str) -> Resolution:
    """Resolve several citations as one list; raise `InvalidDate` if the day of one and `as_of` disagree."""
    answers = resolve_all([Inquiry(reference, as_of) for reference in references])
    items = [
        item.model_copy(update=claims_of(reference.law, item))
        for reference, answer in zip(references, answers, strict=True)
        for item in answer.items or [answer]
    ]
    days = {item.as_of for item in items if item.as_of}
    cited = _("», «").join(_printable(reference.text) for reference in references)
    told = [_("Se han leído varias citas: «%(cited)s».") % {"cited": cited}]
    return Resolution(
        input=_printable(given),
        outcome=_outcome_of_all([item.outcome for item in items]),
        as_of=days.pop() if len(days) == 1 else None,
        items=items,
        items_are_capped=any(answer.items_are_capped for answer in answers),
        detail=" ".join(
            dict.fromkeys([*told, *(answer.detail for answer in answers if answer.items and answer.detail)])
        ),
    )


def resolve_all(inquiries: Sequence[Inquiry]) -> list[Resolution]:
    """Resolve many citations in their order, in as few queries as one; raise `InvalidDate` as for one alone.

    Those that name no law come without candidates.
    """
    questions = [_question(inquiry) for inquiry in inquiries]
    named = {
        place: law
        for place, inquiry in enumerate(inquiries)
        if (law := _law_named(inquiry.reference)) and not inquiry.reference.no_day
    }
    choices = dict(zip(named, choose_laws(list(named.values())), strict=True))
    laws = {place: choice.law for place, choice in choices.items() if choice.law}
    found = _found_in_laws(laws, inquiries, questions)
    resolved = [
        _resolved(inquiry.reference, question, choices.get(place), found.get(place))
        for place, (inquiry, question) in enumerate(zip(inquiries, questions, strict=True))
    ]
    note_lookups(resolved)
    return resolved


def _resolved(
    reference: Reference, question: Question, choice: LawChoice | None, found: Resolution | None
) -> Resolution:
    """Give what was found in the law that was chosen, or say why nothing was."""
    if found is not None and choice is not None:
        return found.model_copy(update={"candidates": _namesakes(found, choice, reference)})
    if choice is not None:
        return no_law(reference, choice, question)
    return unread(question.given, reference.no_day) if reference.no_day else _without_law(question)


def _question(inquiry: Inquiry) -> Question:
    reference, as_of, given = inquiry.reference, inquiry.as_of, inquiry.given
    if reference.on and as_of and reference.on != as_of:
        detail = _("La cita dice %(cited)s y se pide el texto de %(asked)s.") % {
            "cited": reference.on.isoformat(),
            "asked": as_of.isoformat(),
        }
        raise InvalidDate(detail, parameter="as_of")
    day = reference.on or as_of
    return Question(
        _printable(reference.text if given is None else given),
        day or today(),
        is_pinned=day is not None,
        is_exact=bool(_MACHINE_FORM.fullmatch(reference.text.strip())),
        base=reference.start if given is None else 0,
    )


def _printable(text: str) -> str:
    """Give a text that JSON can carry: what is half a character becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def _law_named(reference: Reference) -> LawMention | None:
    """Give the law that is named, not only pointed at ("la Ley")."""
    return reference.law if reference.law and is_identified(reference.law) else None


def _found_in_laws(
    laws: Mapping[int, Law], inquiries: Sequence[Inquiry], questions: Sequence[Question]
) -> dict[int, Resolution]:
    """Resolve, by place, what is cited of laws that are held."""
    references = {place: inquiries[place].reference for place in laws}
    units = {
        place: UnitsAsked(law, references[place].units, questions[place])
        for place, law in laws.items()
        if references[place].units and _without_key(references[place]) is None
    }
    blocks = {
        place: BlockAsked(law, mention.block, questions[place])
        for place, law in laws.items()
        if (mention := references[place].law) and mention.block
    }
    wholes = {
        place: _whole_law(law, references[place], questions[place])
        for place, law in laws.items()
        if place not in units and place not in blocks
    }
    answers = resolve_units(list(units.values()))
    lists = (_in_one(one, answer) for one, answer in zip(units.values(), answers, strict=True))
    by_unit = dict(zip(units, lists, strict=True))
    by_block = dict(zip(blocks, resolve_blocks(list(blocks.values())), strict=True))
    both = {place: _either(by_unit[place], by_block[place]) for place in by_unit.keys() & by_block.keys()}
    return wholes | by_unit | by_block | both


def _either(by_unit: Resolution, by_block: Resolution) -> Resolution:
    """Answer "BOE-A-2015-10565#da-2", ours by its key or the source's by its block: what both or only one has."""
    if by_block.kind == "law" or by_block.resolved_to == by_unit.resolved_to:
        return by_unit
    if by_unit.outcome not in RESOLVED:
        return by_block
    meant = [
        Candidate(citation=one.resolved_to, label=one.label or "", title=one.law.title, url=one.url or "")
        for one in (by_unit, by_block)
        if one.resolved_to and one.law
    ]
    return Resolution(input=by_unit.input, outcome="ambiguous", law=by_unit.law, as_of=by_unit.as_of, candidates=meant)


def _without_key(reference: Reference) -> UnitMention | None:
    """Give the first unit that says no more than "apartado 2"."""
    return next((unit for unit in reference.units if isinstance(unit, UnitMention) and not unit.key), None)


def _whole_law(law: Law, reference: Reference, question: Question) -> Resolution:
    keyless = _without_key(reference)
    return whole_law(law, question, unresolved_tail=_words(keyless, question) if keyless else None)


def _in_one(asked: UnitsAsked, below: Answers) -> Resolution:
    """Give the one provision that is cited, or the list of them."""
    given = asked.question.given
    if not below.is_list:
        return below.resolutions[0].model_copy(update={"input": given})
    return Resolution(
        input=given,
        outcome=_outcome_of_all([answer.outcome for answer in below.resolutions]),
        law=law_summary(asked.law),
        as_of=asked.question.day,
        items=below.resolutions,
        items_are_capped=below.is_capped,
        detail=_detail(below),
    )


def _detail(below: Answers) -> str | None:
    """Say what of a range is not among its items."""
    if below.has_ends_only:
        return _("De este intervalo sólo se dan los extremos: falta uno en la norma, o va hacia atrás.")
    return _("Se muestran los %(limit)d primeros.") % {"limit": LONGEST_RANGE} if below.is_capped else None


def _namesakes(found: Resolution, choice: LawChoice, reference: Reference) -> list[Candidate]:
    """Offer the laws that share the number of the one that was found."""
    if choice.others and found.outcome in RESOLVED:
        return [law_candidate(law, reference) for law in choice.others]
    return found.candidates


def _outcome_of_all(outcomes: Sequence[Outcome]) -> Outcome:
    """Sum up a list: found if all are, partial if some are, else what became of the first."""
    if all(outcome == "found" for outcome in outcomes):
        return "found"
    return "partial" if any(outcome in RESOLVED for outcome in outcomes) else outcomes[0]


def _without_law(question: Question) -> Resolution:
    """Say that the law is wanting."""
    return Resolution(
        input=question.given,
        outcome="ambiguous",
        as_of=question.day,
        detail=_("Falta la norma: se escribe «artículo 26 de la Ley 58/2003»."),
    )


def _laws_that_have_one(reference: Reference) -> list[Candidate]:
    """Offer the laws that have a provision of that name, since none was named: one query."""
    key = next((unit.key for unit in reference.units if isinstance(unit, UnitMention)), "")
    if not key:
        return []
    having_one = Law.objects.filter(pk__in=Article.objects.filter(key=key).values("law"))
    laws = having_one.defer("notes", "warnings").order_by("jurisdiction", "key")
    return [law_candidate(law, reference) for law in laws[:_LAWS_OFFERED]]


def _words(unit: UnitMention, question: Question) -> str:
    if unit.end > unit.start:
        return question.words(unit.start, unit.end)
    return " ".join((*unit.labels, unit.tail))

"""Finds every citation in running Spanish text, carrying on what a sentence only points back at."""

from __future__ import annotations

import re
from dataclasses import replace

from search.citations.canonical import read_canonical
from search.citations.folding import Folded
from search.citations.model import Extraction, Reference, Relative, UnitMention, Unsupported, UnsupportedType
from search.citations.spanish.context import Context, Link
from search.citations.spanish.laws import Law, read_law, read_named_law
from search.citations.spanish.lexicon import ADJECTIVE, AND, spaced
from search.citations.spanish.names import title_end
from search.citations.spanish.numbers import read_more_numbers
from search.citations.spanish.official import name_law
from search.citations.spanish.pointers import read_pointer
from search.citations.spanish.provisions import Kind, Unit, read_kind
from search.citations.spanish.publishing import published_law, published_units
from search.citations.spanish.triggers import triggers
from search.citations.spanish.units import Phrase, read_levels, read_phrase, read_provisions

_MOST_JOINED = 6
_LONGEST_LOOKBACK = 40

_TO_LAW = re.compile(
    spaced(
        r"_(?:,?_(?:respectivamente|ambos inclusive|inclusive|tod[oa]s ell[oa]s|amb[oa]s|tod[oa]s)_)?"
        r"(?:(?P<mark>[,(])_)?(?P<of>(?:del|de (?:el|la|los|las)|de|en (?:el|la)) )?"
    )
)
_TO_UNIT = re.compile(spaced(r"_(?P<mark>[,:;(\[])?_(?:(?:en )?sus? )?"))
_JOINT = re.compile(AND + spaced(r"(?:(?:en|a|por|con|de) )?(?:(?:el|la|los|las|del|al) )?"))
_SU = re.compile(r"(?<![a-z])sus?[ \n]{1,2}$")
_DETERMINED = re.compile(
    r"(?<![a-zñ])(?<!una )"
    + spaced(rf"(?:(?:la |el |al |del )?presente|est[ea]|(?:(?:la|el|lo) )?{ADJECTIVE}|es[ea]|aquella?) $")
)
_DETERMINER = re.compile(r"[a-z]+[ \n]")
_NOUN = (
    r"(?P<noun>articulo|precepto|apartado|letra|numero|anexo|disposicion (?:adicional|transitoria|final|derogatoria))"
)
_ADJACENT = re.compile(
    spaced(rf"{_NOUN}(?:es|s)? (?:inmediatamente )?(?P<step>anterior|precedente|siguiente)(?:es)?(?![a-z])")
)
_OWN = re.compile(spaced(rf"{_NOUN}(?![a-zñ])"))
_THIS = re.compile(spaced(r"(?<![a-z])(?:est[ea]|(?:el|la|del|al) presente) (?:mism[oa] )?$"))
_THAT = re.compile(
    spaced(r"(?<![a-z])(?:(?:el|la|del|al) )?(?:dich[oa]|citad[oa]|mencionad[oa]|referid[oa]|mism[oa]|es[ea]) $")
)
_PROVISION_NOUNS = ("articulo", "precepto", "anexo", "disposicion")
_CANONICAL = re.compile(r"[0-9a-z-]+(?::[0-9a-zñ~-]+(?:\.[0-9a-zñ-]+)*)?(?:@\d{4}-\d{2}-\d{2})?")
_HEADING = re.compile(r"[ ]*(?:\.-?[ ]+\S|\.?[ ]*\n)")
_STANDS_ALONE = ("apartado", "apdo", "aptdo", "letra")


def extract_all(text: Folded) -> Extraction:
    """Find every citation of a text, in its order."""
    return _Reading(text).run()


def _is_only_a_title(law: Law) -> bool:
    """Whether a name is known by its capitals alone and its noun names other things as well: "Reglamento Interno"."""
    mention = law.mention
    if mention is None or mention.ids or mention.number or mention.enacted or mention.boe_id or mention.eli:
        return False
    return law.noun != "ley" and not mention.explicit_region


class _Reading:
    """One pass over one text."""

    def __init__(self, text: Folded) -> None:
        self._text = text
        self._context = Context(text)
        self._references: list[Reference] = []
        self._unsupported: list[Unsupported] = []
        self._lawless_until = 0

    def run(self) -> Extraction:
        """Read at every place where a citation may begin that no citation before it has taken."""
        readers = {"unit": self._from_unit, "law": self._from_law, "id": self._from_id, "number": self._from_number}
        at = 0
        for start, trigger in triggers(self._text, self._context.defined):
            if start >= at:
                self._context.advance(start)
                at = readers[trigger](start) or at
        return Extraction(tuple(self._references), tuple(self._unsupported))

    def _from_id(self, start: int) -> int | None:
        match = _CANONICAL.match(self._text.lower, start)
        found = read_canonical(self._text.slice(start, match.end()), name_law) if match else None
        if found is None or match is None or found.law is None:
            return self._from_law(start)
        by = self._text.at(start)
        units = tuple(
            replace(unit, start=unit.start + by, end=unit.end + by)
            for unit in found.units
            if isinstance(unit, UnitMention)
        )
        law = replace(found.law, start=by, end=found.law.end + by)
        self._references.append(replace(found, start=by, end=found.end + by, law=law, units=units))
        self._context.note(Link(start, match.end(), replace(law, start=start, end=start + len(law.text))))
        return match.end()

    def _from_number(self, start: int) -> int | None:
        """Cite "el 27 de la misma", once an article has been cited in the same sentence."""
        kind = self._context.unit_kind(start)
        gap = _DETERMINER.match(self._text.lower, start)
        return self._continued(kind._replace(end=gap.end()), gap.end()) if kind and gap else None

    # Units first: "artículo 27 de la Ley 58/2003"

    def _from_unit(self, start: int) -> int | None:
        phrase = read_phrase(self._text, start)
        if phrase is None or (phrase.is_bare and not self._text.lower.startswith(_STANDS_ALONE, start)):
            return self._beside(start)
        if phrase.relative:
            return self._relative(phrase)
        phrases, link = self._joined(phrase)
        if link is None and self._is_heading(phrase):
            return phrase.end
        link = link or self._of_sentence(start)
        last = phrases[-1]
        end = max(last.end, link.end) if link else last.end
        for each in phrases:
            self._cite(each if each is not last else each._replace(end=end), link)
        if link is None:
            return end
        self._context.note(link)
        joint = _JOINT.match(self._text.lower, end)
        if joint is None or read_kind(self._text, joint.end()):
            return end
        return self._continued(last.kind, joint.end()) or end

    def _is_heading(self, phrase: Phrase) -> bool:
        """Whether a provision is only named at the head of its own text: "Artículo 5. Objeto."."""
        begins_line = phrase.start == 0 or self._text.plain[phrase.start - 1] == "\n"
        return begins_line and _HEADING.match(self._text.plain, phrase.end) is not None

    def _joined(self, first: Phrase) -> tuple[list[Phrase], Link | None]:
        """Read on over "y" to the law that several phrases share; without one the first stands alone."""
        phrases = [first]
        while len(phrases) <= _MOST_JOINED and first.end > self._lawless_until:
            link = self._law_behind(phrases[-1].end)
            if link:
                return phrases, link
            joint = _JOINT.match(self._text.lower, phrases[-1].end)
            more = read_phrase(self._text, joint.end()) if joint else None
            if more is None or more.relative:
                break
            phrases.append(more)
        self._lawless_until = max(self._lawless_until, phrases[-1].end)
        return [first], None

    def _law_behind(self, end: int) -> Link | None:
        joint = _TO_LAW.match(self._text.lower, end)
        alias = self._context.alias(joint.end()) if joint else None
        if alias:
            return alias
        law = read_law(self._text, joint.end(), is_linked=bool(joint["of"])) if joint else None
        if joint is None or law is None or law.units or (law.pointer and not joint["of"]):
            return None
        if joint.end() == end and not (law.mention and law.mention.ids):
            return None
        return self._context.link(law)

    def _of_sentence(self, start: int) -> Link | None:
        """Give the law of "en su artículo 27"."""
        if not _SU.search(self._text.lower, max(0, start - 5), start):
            return None
        link = self._context.in_same_sentence(start)
        return link._replace(start=start, end=start) if link else None

    def _continued(self, kind: Kind | None, start: int) -> int | None:
        """Read provisions without their noun, and those after them: "27 de la misma, y 6 de la Ley 39/2015"."""
        end: int | None = None
        while kind:
            more = read_provisions(self._text, start, kind._replace(end=start))
            link = self._law_behind(more.end) if more and more.end > start else None
            if more is None or link is None:
                break
            end, kind = max(more.end, link.end), more.kind
            self._cite(more._replace(end=end), link)
            self._context.note(link)
            joint = _JOINT.match(self._text.lower, end)
            if joint is None or read_kind(self._text, joint.end()):
                break
            start = joint.end()
        return end

    def _relative(self, phrase: Phrase) -> int:
        """Cite levels of the provision they stand in, or of the one named before."""
        same = self._same_behind(phrase.end) if phrase.is_bare else None
        key = self._context.unit_of(phrase.same_noun or "mismo") if phrase.same_noun or same else ""
        if key:
            units = tuple(unit._replace(key=key) for unit in phrase.units if isinstance(unit, Unit))
            self._cite(phrase._replace(units=units, relative=None, end=same or phrase.end), self._context.unit_link)
        else:
            self._add(phrase, None, relative=phrase.relative)
        return same or phrase.end

    def _same_behind(self, end: int) -> int | None:
        """Find "del mismo" behind levels: of the article just named."""
        joint = _TO_LAW.match(self._text.lower, end)
        pointer = read_pointer(self._text, joint.end()) if joint and joint["of"] else None
        return pointer.end if pointer and pointer.kind == "same" else None

    def _sole(self, start: int) -> int | None:
        """Cite "la disposición derogatoria de la Ley 39/2015", the only one of its kind."""
        kind = read_kind(self._text, start)
        if kind is None or kind.prefix not in {"da", "dt", "df", "dd"} or kind.is_plural:
            return None
        end = kind.end - 1 if self._text.lower[kind.end - 1].isspace() else kind.end
        link = self._law_behind(end)
        if link is None:
            return None
        self._cite(Phrase((Unit(f"{kind.prefix}-unica", (), start, end),), start, link.end), link)
        self._context.note(link)
        return link.end

    def _beside(self, start: int) -> int | None:
        """Cite what has no number: "el artículo anterior", "este artículo", "dicho apartado"."""
        text = self._text.lower
        adjacent = _ADJACENT.match(text, start)
        if adjacent:
            step = 1 if adjacent["step"] == "siguiente" else -1
            return self._add_relative(start, adjacent.end(), adjacent["noun"], step)
        own = _OWN.match(text, start)
        if own is None:
            return self._sole(start)
        this = _THIS.search(text, max(0, start - _LONGEST_LOOKBACK), start)
        if this:
            return self._add_relative(this.start(), own.end(), own["noun"], 0)
        that = _THAT.search(text, max(0, start - _LONGEST_LOOKBACK), start)
        key = self._context.unit_of(own["noun"]) if that else ""
        if that and key:
            unit = Unit(key, (), start, own.end())
            self._cite(Phrase((unit,), that.start(), own.end()), self._context.unit_link)
            return own.end()
        return self._sole(start)

    def _add_relative(self, start: int, end: int, noun: str, step: int) -> int:
        is_provision = noun.startswith(_PROVISION_NOUNS)
        relative = Relative("provision" if is_provision else "sub_unit", step, "" if is_provision else noun)
        units, end = read_levels(self._text, end) if is_provision else ((), end)
        self._add(Phrase(units, start, end), None, relative=relative)
        return end

    # Laws first: "Ley 58/2003, artículo 27"

    def _from_law(self, start: int) -> int | None:
        alias = self._context.alias(start)
        law = alias.law if alias else read_named_law(self._text, start)
        if law is None:
            return self._pointed(start)
        link = alias or self._context.link(law)
        if link is None or _is_only_a_title(law):
            return None
        self._context.note(link)
        phrase = None if law.units else self._units_behind(law)
        if phrase:
            self._cite(phrase._replace(start=law.start), link)
            return phrase.end
        self._cite_law(law, link)
        return self._more(law)

    def _units_behind(self, law: Law) -> Phrase | None:
        """Read the units behind a law, unless they have a law of their own."""
        end = title_end(self._text, law.mention) if law.mention else law.end
        joint = _TO_UNIT.match(self._text.lower, end)
        if joint is None or joint.end() == end:
            return None
        phrase = read_phrase(self._text, joint.end())
        if phrase is None or phrase.relative:
            return None
        phrases, link = self._joined(phrase)
        return None if link else phrases[0]

    def _cite_law(self, law: Law, link: Link) -> None:
        """Cite a whole law; the shortest abbreviations are too often other things to stand alone."""
        if law.foreign:
            self._add_unsupported(law.start, law.end, law.foreign.type)
            return
        is_short = law.mention is not None and len(law.mention.text) <= 2
        if not is_short:
            self._add(Phrase((), law.start, law.end), link, relative=link.relative)
            if law.units:
                self._references[-1] = replace(self._references[-1], units=law.units)

    def _more(self, law: Law) -> int:
        """Cite the further numbers of "Leyes 39/2015 y 40/2015"."""
        end = law.end
        if law.mention is None or not law.mention.number:
            return end
        for mention, start in read_more_numbers(self._text, law.mention, law.end):
            link = Link(start, mention.end, mention, rank=mention.rank, noun=law.noun)
            self._context.note(link)
            self._add(Phrase((), start, mention.end), link)
            end = mention.end
        return end

    def _pointed(self, start: int) -> int | None:
        """Cite "la presente Ley" and "dicha Ley", which begin before their noun."""
        determiner = _DETERMINED.search(self._text.lower, max(0, start - _LONGEST_LOOKBACK), start)
        pointer = read_pointer(self._text, determiner.start()) if determiner else None
        if pointer is None or pointer.kind not in {"this", "said"}:
            return None
        link = self._context.link(Law(pointer.start, pointer.end, pointer=pointer, noun=pointer.noun))
        if link is None or link.foreign or (link.mention and not (link.mention.ids or link.mention.name)):
            return None
        self._context.note(link)
        self._add(Phrase((), pointer.start, pointer.end), link, relative=link.relative)
        return pointer.end

    # Writing down

    def _cite(self, phrase: Phrase, link: Link | None) -> None:
        first = phrase.units[0] if phrase.units else None
        if isinstance(first, Unit):
            self._context.note_unit(first.key, link, phrase.kind, phrase.end)
        if link and link.foreign:
            self._add_unsupported(phrase.start, phrase.end, link.foreign.type)
        else:
            self._add(phrase, link, relative=link.relative if link else None)

    def _add(self, phrase: Phrase, link: Link | None, relative: Relative | None = None) -> None:
        start, end = phrase.start, phrase.end
        law = published_law(self._text, link.mention) if link and link.mention else None
        self._references.append(
            Reference(
                self._text.at(start),
                self._text.at(end),
                self._text.slice(start, end),
                law,
                published_units(self._text, phrase.units),
                relative=relative,
            )
        )

    def _add_unsupported(self, start: int, end: int, kind: UnsupportedType) -> None:
        text = self._text
        self._unsupported.append(Unsupported(text.at(start), text.at(end), text.slice(start, end), kind))

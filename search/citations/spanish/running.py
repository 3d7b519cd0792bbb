"""Finds every citation in running Spanish text, carrying on what a sentence only points back at."""

from __future__ import annotations

import re
from dataclasses import replace

from search.citations.canonical import read_canonical_at
from search.citations.folding import Folded
from search.citations.model import Extraction, Relative
from search.citations.spanish.amending import Amending
from search.citations.spanish.beside import Beside, read_beside
from search.citations.spanish.carrying import Carrying
from search.citations.spanish.catalan import with_spanish_and
from search.citations.spanish.context import Context, Link
from search.citations.spanish.days import said_days, without_days
from search.citations.spanish.findings import Findings
from search.citations.spanish.laws import Law, read_named_law
from search.citations.spanish.lexicon import ADJECTIVE, AND, spaced
from search.citations.spanish.linking import Linking, unnamed
from search.citations.spanish.names import is_unlisted, title_end
from search.citations.spanish.official import name_law
from search.citations.spanish.phrases import Phrase, read_behind, read_levels, read_provisions
from search.citations.spanish.pointers import read_pointer
from search.citations.spanish.provisions import read_kind
from search.citations.spanish.several_laws import further_laws, of_several
from search.citations.spanish.titles import is_in_title
from search.citations.spanish.triggers import triggers
from search.citations.spanish.unit_values import Kind, Unit
from search.citations.spanish.units import read_phrase

_LONGEST_LOOKBACK = 40
_TO_UNIT = re.compile(spaced(r"_(?P<mark>[,:;(\[-])?_(?:(?:en )?sus? )?"))
_BRACKET = re.compile(spaced(r"\((?:en (?:adelante|lo sucesivo),? )?(?:(?:la|el) )?[«\"]?$"))
_CLOSED = re.compile(r"[»\"]?\)")
_JOINT = re.compile(AND + spaced(r"(?:(?:en|a|por|con|de) )?(?:(?:el|la|los|las|del|al) )?"))
_DETERMINED = re.compile(
    r"(?<![a-zñ])(?<!una )"
    + spaced(rf"(?:(?:la |el )?presente|est[ea]|(?:(?:la|el|lo) )?{ADJECTIVE}|es[ea]|aquella?) $")
)
_DETERMINER = re.compile(r"[a-z]+[ \n]")
_HEADING = re.compile(r"[ ]*(?:\.-?[ ]+\S|\.?[ ]*\n)")
_GOES_ON = re.compile(r",|[ \n](?:y|et)[ \n](?:ss?|sigs?|s?gtes?|stes|siguientes|concordantes|conc)(?![a-z])")
_STANDS_ALONE = ("apartado", "apdo", "aptdo", "letra")
_NEEDS_LAW = {"anexo", "apendice", "preambulo"}
_AMENDED = Relative("amended")


def extract(text: Folded, most: int | None = None) -> Extraction:
    """Find every citation of a text, in its order; read no further once there are more than `most`."""
    return _Reading(with_spanish_and(text)).run(len(text.lower) if most is None else most)


class _Reading:
    """One pass over one text."""

    def __init__(self, whole: Folded) -> None:
        said = said_days(whole)
        days = [one for one in said if not one.is_redaction]
        self._text = text = without_days(whole, days) if days else whole
        self._context = Context(text)
        self._findings = Findings(text, said)
        self._linking = Linking(text, self._context)
        self._amending = Amending(text)
        self._carrying = Carrying(text, self._context)
        self._amended: Link | None = None

    def run(self, most: int) -> Extraction:
        """Read at every place where a citation may begin that no citation before it has taken."""
        readers = {"unit": self._from_unit, "law": self._from_law, "id": self._from_id, "number": self._from_number}
        at = 0
        for start, trigger in triggers(self._text, self._context.defined):
            if start >= at:
                self._context.advance(start)
                at = readers[trigger](start) or at
            if len(self._findings) > most:
                break
        return self._findings.extraction()

    # Units first: "artículo 27 de la Ley 58/2003"

    def _from_unit(self, start: int) -> int | None:
        phrase = read_phrase(self._text, start)
        if phrase is None or (phrase.is_bare and not self._text.lower.startswith(_STANDS_ALONE, start)):
            return self._beside(start)
        if phrase.relative:
            return self._relative(phrase)
        phrases, link = self._linking.shared(phrase)
        link = (
            link
            or self._linking.of_sentence(start)
            or self._linking.of_said(phrase)
            or self._linking.of_constitution(phrase)
            or self._carrying.law_of(start)
        )
        last = phrases[-1]
        if link is None:
            return self._lawless(last)
        end = max(last.end, link.end)
        if link.end > last.end and _GOES_ON.match(self._text.lower, end):
            units, end = read_behind(self._text, last.units, end)
            phrases[-1] = last = last._replace(units=units)
        if link.end <= start:
            self._carrying.carry(link, end)
        end = self._cite_units([*phrases[:-1], last._replace(end=end)], link)
        joint = _JOINT.match(self._text.lower, end)
        if joint is None or read_kind(self._text, joint.end()):
            return end
        return self._continued(last.kind, joint.end()) or end

    def _cite_units(self, phrases: list[Phrase], link: Link) -> int:
        """Cite provisions that share a law, or the laws listed behind them, and say where the last of all ends."""
        whose = of_several(self._text, phrases, link)
        end = whose[-1][0].end if whose else phrases[-1].end
        for each, law in whose or [(each, link) for each in phrases]:
            self._cite(each, law, until=end)
        for law in dict.fromkeys(law for _phrase, law in whose) or [link]:
            self._note(law)
        return end if whose else max(end, self._more(link))

    def _lawless(self, phrase: Phrase) -> int:
        """Cite a provision whose law is not named: the host's, or that which the host amends; headings are neither."""
        units = [unit for unit in phrase.units if isinstance(unit, Unit)]
        is_word = len(units) == 1 and units[0].key in _NEEDS_LAW and not units[0].parts
        is_english = self._text.lower.startswith("article", phrase.start)
        if is_word or is_english or self._is_heading(phrase):
            return phrase.end
        if self._amending.covers(phrase.start, phrase.end):
            self._cite(phrase, self._of_amended(phrase.start))
        else:
            self._cite(phrase, None)
        return phrase.end

    def _of_amended(self, at: int) -> Link:
        """Give the law being amended, or say that it is not known which."""
        return self._amended._replace(start=at, end=at) if self._amended else Link(at, at, relative=_AMENDED)

    def _is_heading(self, phrase: Phrase) -> bool:
        """Whether a provision is only named at the head of its own text: "Artículo 5. Objeto."."""
        begins_line = phrase.start == 0 or self._text.plain[phrase.start - 1] in "\n«"
        return begins_line and _HEADING.match(self._text.plain, phrase.end) is not None

    def _from_number(self, start: int) -> int | None:
        """Cite "el 27 de la misma", once an article has been cited in the same sentence."""
        kind = self._context.unit_kind(start)
        gap = _DETERMINER.match(self._text.lower, start)
        return self._continued(kind, gap.end()) if kind and gap else None

    def _continued(self, kind: Kind | None, start: int) -> int | None:
        """Read provisions without their noun, and those after them: "27 de la misma, y 6 de la Ley 39/2015"."""
        end: int | None = None
        while kind:
            more = read_provisions(self._text, start, kind._replace(end=start))
            link = self._linking.behind(more.end) if more and more.end > start else None
            if more is None or link is None:
                break
            end, kind = max(more.end, link.end), more.kind
            self._cite(more._replace(end=end), link)
            self._note(link)
            joint = _JOINT.match(self._text.lower, end)
            if joint is None or read_kind(self._text, joint.end()):
                break
            start = joint.end()
        return end

    # What only points

    def _relative(self, phrase: Phrase) -> int:
        """Cite levels of the provision they stand in, or of the one named before."""
        same = self._linking.same_behind(phrase.end) if phrase.is_bare else None
        key, link = self._context.unit_of(phrase.same_noun or "mismo"), self._context.unit_link
        if not (phrase.same_noun or same):
            key, link = self._bare_unit(phrase)
        is_possessed = phrase.is_bare and self._linking.is_possessed(phrase.start)
        if key:
            units = tuple(unit._replace(key=key) for unit in phrase.units if isinstance(unit, Unit))
            self._cite(phrase._replace(units=units, relative=None, end=same or phrase.end), link)
        elif is_possessed and not self._linking.is_of_here(phrase.start):
            self._findings.cite(phrase, unnamed(phrase.end))
        else:
            self._findings.cite(phrase, None, relative=self._seen_from(phrase.start, phrase.end, phrase.relative))
        return same or phrase.end

    def _bare_unit(self, phrase: Phrase) -> tuple[str, Link | None]:
        """Give the provision of "su apartado 1", "dicho apartado 3" and "tipificadas en el apartado 3", and its law."""
        is_its_own = self._linking.is_possessed(phrase.start) or self._context.is_described_by(phrase.start)
        if phrase.is_bare and is_its_own:
            return self._context.unit_before(phrase.start), self._context.unit_link
        if phrase.is_bare and self._linking.is_said_before(phrase.start):
            return self._context.unit_with(phrase.units)
        return "", None

    def _seen_from(self, start: int, end: int, relative: Relative | None) -> Relative | None:
        """Give what words are relative to: in the quoted wording of another law, nothing of the host's."""
        is_amended = self._amending.quotes(start) or (
            relative and not relative.step and self._amending.covers(start, end)
        )
        return _AMENDED if is_amended else relative

    def _beside(self, start: int) -> int | None:
        """Cite "el artículo anterior", "este artículo", "dicho artículo", or a disposición that is the only one."""
        found = read_beside(self._text, start)
        if found is None:
            return self._sole(start)
        if found.is_said:
            return self._said(found)
        units, end = read_levels(self._text, found.end) if found.is_provision else ((), found.end)
        phrase = Phrase(units, found.start, end)
        relative = _AMENDED if self._amending.quotes(start) else found.relative
        self._findings.cite(phrase, None, relative=relative)
        return end

    def _said(self, found: Beside) -> int | None:
        key = self._context.unit_of(found.noun) if found.is_provision else ""
        unit = Unit(key, (), 0, 0) if key else None if found.is_provision else self._context.part_of(found.noun)
        if unit is None:
            return None
        phrase = Phrase((unit._replace(start=found.start, end=found.end),), found.start, found.end)
        self._cite(phrase, self._context.unit_link)
        return found.end

    def _sole(self, start: int) -> int | None:
        """Cite "la disposición derogatoria de la Ley 39/2015", the only one of its kind."""
        kind = read_kind(self._text, start)
        if kind is None or kind.prefix not in {"da", "dt", "df", "dd"} or kind.is_plural:
            return None
        end = kind.end - 1 if self._text.lower[kind.end - 1].isspace() else kind.end
        link = self._linking.behind(end)
        phrase = Phrase((Unit(f"{kind.prefix}-unica", (), start, end),), start, link.end if link else end)
        if link is None:
            is_its_own = kind.prefix == "dd" and self._text.lower.startswith("la", max(0, start - 3))
            return self._lawless(phrase) if is_its_own else None
        self._cite(phrase, link)
        self._note(link)
        return link.end

    def _pointed(self, start: int) -> int | None:
        """Cite "la presente Ley" and "dicha Ley", which begin before their noun."""
        determiner = _DETERMINED.search(self._text.lower, max(0, start - _LONGEST_LOOKBACK), start)
        pointer = read_pointer(self._text, determiner.start()) if determiner else None
        if pointer is None or pointer.kind not in {"this", "said"}:
            return None
        link = self._context.link(Law(pointer.start, pointer.end, pointer=pointer, noun=pointer.noun))
        if link is None or not (link.is_known or self._context.has_antecedent(pointer)):
            return None
        if link.foreign and pointer.is_general:
            return None
        self._note(link)
        self._cite(Phrase((), pointer.start, pointer.end), link)
        return pointer.end

    # Laws first: "Ley 58/2003, artículo 27"

    def _from_law(self, start: int) -> int | None:
        alias = self._context.alias(start)
        law = alias.law if alias else read_named_law(self._text, start)
        if law and law.mention and is_unlisted(law.mention):
            law = law if law.noun == "ley" and not self._pointed_before(start) else None
        if law is None:
            return self._pointed(start)
        link = alias or self._context.link(law)
        if link is None:
            return None
        if law.mention and not law.mention.number and is_in_title(self._text, law.start, self._context.last):
            return law.end
        self._note(link)
        phrase = None if law.units else self._units_behind(law)
        if phrase:
            self._cite(phrase._replace(start=law.start), link)
            return phrase.end
        self._cite_law(law, link)
        return max(law.end, self._more(link))

    def _pointed_before(self, start: int) -> bool:
        """Whether capitals behind "esta Ley" are not a name."""
        return _DETERMINED.search(self._text.lower, max(0, start - _LONGEST_LOOKBACK), start) is not None

    def _units_behind(self, law: Law) -> Phrase | None:
        """Read the units behind a law, unless they have a law of their own."""
        end = title_end(self._text, law.mention) if law.mention else law.end
        closed = _CLOSED.match(self._text.lower, end) if self._is_in_brackets(law.start) else None
        end = closed.end() if closed else end
        joint = _TO_UNIT.match(self._text.lower, end)
        if joint is None or joint.end() == end or (closed and not joint["mark"]):
            return None
        phrase = read_phrase(self._text, joint.end())
        if phrase is None or phrase.relative:
            return None
        phrases, link = self._linking.shared(phrase)
        return None if link else phrases[0]

    def _is_in_brackets(self, start: int) -> bool:
        """Whether initials stand in brackets behind the law's full name: "Ley 39/2015 (LPAC), artículo 21"."""
        return _BRACKET.search(self._text.lower, max(0, start - _LONGEST_LOOKBACK), start) is not None

    def _cite_law(self, law: Law, link: Link) -> None:
        """Cite a whole law; the shortest abbreviations are too often other things to stand alone."""
        if law.mention is None or len(law.mention.text) > 2:
            self._findings.cite(Phrase((), law.start, law.end), link, units=law.units)

    def _more(self, link: Link) -> int:
        """Cite the further laws that a list goes on with."""
        end = link.end
        for further in further_laws(self._text, link):
            self._note(further)
            self._findings.cite(Phrase((), further.start, further.end), further)
            end = further.end
        return end

    def _from_id(self, start: int) -> int | None:
        found = read_canonical_at(self._text, start, name_law)
        if found is None:
            return self._from_law(start)
        reference, end = found
        self._findings.take(reference)
        if reference.law:
            law = replace(reference.law, start=start, end=start + len(reference.law.text))
            self._context.note(Link(start, end, law))
        return end

    # Remembering

    def _note(self, link: Link) -> None:
        self._context.note(link, is_in_title=is_in_title(self._text, link.start, self._context.last))
        if link.mention and link.mention.ids and self._amending.changes(link.start, link.end):
            self._amended = link._replace(mention=replace(link.mention, text="", start=link.end, end=link.end))

    def _cite(self, phrase: Phrase, link: Link | None, *, until: int = 0) -> None:
        self._context.note_unit(phrase.units, link, phrase.kind, phrase.end)
        if link and link.relative and link.relative.to == "law" and self._amending.quotes(phrase.start):
            link = self._of_amended(phrase.end)
        self._findings.cite(phrase, link, until=until)

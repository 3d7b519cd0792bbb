"""Ties units to the law that is named behind them, or in their sentence."""

from __future__ import annotations

import re

from search.citations.folding import Folded
from search.citations.model import LawMention
from search.citations.spanish.context import Context, Link
from search.citations.spanish.laws import Law, read_law
from search.citations.spanish.lexicon import ADJECTIVE, AND, spaced
from search.citations.spanish.names import read_abbreviation
from search.citations.spanish.phrases import Phrase, read_provisions
from search.citations.spanish.pointers import read_pointer
from search.citations.spanish.unit_values import Unit
from search.citations.spanish.units import read_phrase

_MOST_JOINED = 6
_LONGEST_WORD = 16
_LONGEST_SU = 8
_TO_LAW = re.compile(
    spaced(
        r"_(?:\.(?= del? )_)?(?:,?_(?:respectivamente|ambos inclusive|inclusive|tod[oa]s ell[oa]s|amb[oa]s|tod[oa]s)_)?"
        r"(?:(?P<mark>[,(])_)?"
        r"(?P<of>(?:del|de (?:el|la|los|las|nuestr[oa])|de|en (?:el|la)|en(?= sus? reglamento)|al|a (?:la|est[ea])"
        r"|of(?: the)?|d[ao]) )?"
    )
)
_IN_RELATION = spaced(r"_,?_(?:puest[oa]s? )?en (?:relacion|conexion) con ")
JOINT = re.compile(rf"(?:{_IN_RELATION}|{AND})" + spaced(r"(?:(?:en|a|por|con|de) )?(?:(?:el|la|los|las|del|al) )?"))
_RELATED = re.compile(_IN_RELATION)
_SU = re.compile(r"(?<![a-z])(?:sus?|cuy[oa]s?)[ \n]{1,2}$")
_IBIDEM = r"(?:ib)?id(?:em\b|\b\.?)"
_IBIDEM_BEFORE = re.compile(spaced(rf"(?<![a-z]){_IBIDEM}_[,;:]?_(?:(?:el|la|los|las) )?$"))
_IBIDEM_BEHIND = re.compile(spaced(rf"_[,(]?_{_IBIDEM}"))
_SAID = re.compile(spaced(rf"(?<![a-z]){ADJECTIVE} $"))


def unnamed(at: int) -> Link:
    """Give a law that is not the text's own, and that nothing names."""
    return Link(at, at, LawMention("", start=at, end=at))


class Linking:
    """Finds the laws of units in one text."""

    def __init__(self, text: Folded, context: Context) -> None:
        self._text = text
        self._context = context
        self._lawless_until = 0

    def behind(self, end: int) -> Link | None:
        """Give the law that follows units ending at `end`: "de la Ley 58/2003", " LGT", "del mismo"."""
        joint = _TO_LAW.match(self._text.lower, end)
        if joint is None:
            return None
        if self._begins_sentence(end, joint):
            return None
        alias = self._context.alias(joint.end()) or self._ibidem(end)
        if alias:
            return alias
        law = read_law(self._text, joint.end(), is_linked=bool(joint["of"])) or self._small(joint)
        if law is None or law.units or (law.pointer and not joint["of"]):
            return None
        if joint.end() == end and not (law.mention and law.mention.ids):
            return None
        return self._context.link(law)

    def _small(self, joint: re.Match[str]) -> Law | None:
        """Read initials in lower case right behind a unit: "art. 27 lgt"."""
        mention = None if joint["mark"] else read_abbreviation(self._text, joint.end(), is_beside=True)
        return Law(mention.start, mention.end, mention) if mention else None

    def _begins_sentence(self, end: int, joint: re.Match[str]) -> bool:
        """Whether a stop before "De la Ley" ends what came before it, as it does not in "35.4. de la Ley"."""
        if not joint["of"] or "." not in self._text.lower[end : joint.start("of")]:
            return False
        return self._text.plain[joint.start("of")].isupper()

    def shared(self, first: Phrase) -> tuple[list[Phrase], Link | None]:
        """Read on over "y" to the law that several phrases share; without one the first stands alone."""
        phrases = [first]
        while len(phrases) <= _MOST_JOINED and first.end > self._lawless_until:
            link = self.behind(phrases[-1].end)
            if link:
                return phrases, link
            joint = JOINT.match(self._text.lower, phrases[-1].end)
            more = self._more(phrases[-1], joint) if joint else None
            if more is None or more.relative:
                break
            phrases.append(more)
        self._lawless_until = max(self._lawless_until, phrases[-1].end)
        return [first], None

    def _more(self, before: Phrase, joint: re.Match[str]) -> Phrase | None:
        """Read what is joined to units: with a noun of its own, or the 25 of "artículo 24 en relación con el 25"."""
        more = read_phrase(self._text, joint.end())
        if more or before.kind is None or not _RELATED.match(joint[0]):
            return more
        return read_provisions(self._text, joint.end(), before.kind._replace(end=joint.end()))

    def elsewhere(self, phrase: Phrase) -> Link | None:
        """Give the law that units have from what came before: "su artículo 27", "el citado artículo 27"."""
        return self.of_sentence(phrase.start) or self.of_said(phrase) or self.of_constitution(phrase)

    def of_sentence(self, start: int) -> Link | None:
        """Give the law of "en su artículo 27" and of "ibídem, artículo 27"; "Su artículo 27" is never the host's."""
        if self._is_ibidem_before(start):
            link = self._context.last
        elif self.is_possessed(start):
            link = self._context.in_same_sentence(start)
        else:
            return None
        if link:
            return link._replace(start=start, end=start)
        return None if self.is_of_here(start) else unnamed(start)

    def is_of_here(self, start: int) -> bool:
        """Whether "su" may speak of the text's own law: not where a sentence begins with it, nor as "cuyo"."""
        word = _SU.search(self._text.lower, max(0, start - _LONGEST_SU), start)
        return word is not None and self._text.plain[word.start()] == "s"

    def _is_ibidem_before(self, start: int) -> bool:
        return _IBIDEM_BEFORE.search(self._text.lower, max(0, start - _LONGEST_WORD), start) is not None

    def _ibidem(self, end: int) -> Link | None:
        """Give the law of "artículo 28 (ibídem)"."""
        match = _IBIDEM_BEHIND.match(self._text.lower, end)
        link = self._context.last or unnamed(end) if match else None
        return link._replace(start=end, end=match.end()) if match and link else None

    def of_said(self, phrase: Phrase) -> Link | None:
        """Give the law of "la citada disposición adicional décima", if that was cited before."""
        first = phrase.units[0] if phrase.units else None
        if not isinstance(first, Unit) or not (phrase.is_said or self.is_said_before(phrase.start)):
            return None
        link = self._context.link_of(first.key)
        return link._replace(start=phrase.start, end=phrase.start) if link else None

    def of_constitution(self, phrase: Phrase) -> Link | None:
        """Give the Constitution for "149.1.18.ª", which no other law has, once it has been named."""
        unit = phrase.units[0] if phrase.units else None
        if not isinstance(unit, Unit) or unit.key not in {"art-148", "art-149"} or len(unit.parts) < 2:
            return None
        readings = (unit, *(other for other in unit.others if isinstance(other, Unit)))
        is_signed = any(one.parts[1:2] and one.parts[1].is_signed for one in readings)
        is_competence = is_signed and self._context.has_named("ce")
        law = LawMention("", ("ce",), start=phrase.end, end=phrase.end)
        return Link(phrase.end, phrase.end, law, noun="constitucion") if is_competence else None

    def is_said_before(self, start: int) -> bool:
        """Whether "dicho" or "citado" stands before a place."""
        return _SAID.search(self._text.lower, max(0, start - _LONGEST_WORD), start) is not None

    def is_possessed(self, start: int) -> bool:
        """Whether "su" or "sus" stands before a place."""
        return _SU.search(self._text.lower, max(0, start - _LONGEST_SU), start) is not None

    def same_behind(self, end: int) -> int | None:
        """Find "del mismo" behind levels: of the article just named."""
        joint = _TO_LAW.match(self._text.lower, end)
        pointer = read_pointer(self._text, joint.end()) if joint and joint["of"] else None
        return pointer.end if pointer and pointer.kind == "same" else None

"""Words that point at a law instead of naming it: "esta Ley", "dicho Reglamento", "la misma", "la Ley"."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from search.citations.folding import Folded
from search.citations.spanish.lexicon import spaced

_NOUNS = {
    "ley": r"ley(?:es)?(?: (?:organica|foral|especial))?(?![a-z])",
    "rdl": r"real decreto(?:_-_|_)ley(?![a-z])",
    "rdleg": r"real decreto(?:_-_|_)legislativo(?![a-z])",
    "rd": r"real decreto(?: (?:por el que se aprueba|que aprueba) (?:este|el presente) reglamento)?(?![a-z])",
    "decreto": r"decreto(?:(?:-| )(?:ley|legislativo|foral))?(?![a-z])",
    "orden": r"orden(?: ministerial)?(?![a-z])",
    "reglamento": r"reglamento(?![a-z])",
    "codigo": r"codigo(?: europeo)?(?![a-z])",
    "texto": r"texto(?: (?:refundido|articulado|legal|normativo))?(?![a-z])|cuerpo legal(?![a-z])",
    "estatuto": r"estatuto(?![a-z])",
    "constitucion": r"constitucion(?![a-z])",
    "norma": r"normas?(?: legal)?(?![a-z])|disposicion legal(?![a-z])",
    "circular": r"(?:circular|instruccion|resolucion)(?![a-z])",
    "tratado": r"(?:tratado|convenio|convencion|acuerdo|protocolo|pacto|carta|concierto|concordato)(?![a-z])",
    "directiva": r"directiva(?![a-z])",
    "decision": r"decision(?![a-z])",
    "estatutos": r"(?:estatutos|plan|pliego|contrato|programa|bases|baremo|arancel|ordenanzas?)(?![a-z])",
}


def _noun(prefix: str) -> str:
    """Give the pattern of any noun, each in a group of its own that begins with `prefix`."""
    return "|".join(f"(?P<{prefix}{name}>{spaced(pattern)})" for name, pattern in _NOUNS.items())


_ONE_NOUN = re.compile(_noun(""))
_PAST = r"(?:citad|mencionad|referid|expresad|indicad|aludid)"
_BACK = rf"(?:{_PAST}|dich|precitad|antecitad|antedich|susodich|repetid|es|aquel)"
_THIS = spaced(r"(?:(?:la|el) presente|est[ea]|presente) (?:(?:mism[ao]|propi[oa]) )?")
_SAID = spaced(rf"(?:(?:el|la|los|las|del|lo) )?(?:{_BACK}[oae]s?|aquell[ao]|mism[oa]) ")
_SAME = spaced(r"(?:(?:el|la) )?mism[oa](?![a-z])|aquell[ao](?![a-z])|est[ea] ultim[oa](?![a-z])")
_AFTER = spaced(rf"(?: (?:(?:antes|anteriormente|ya|arriba)(?:-| ))?{_PAST}[oa](?![a-z]))?")
_ITS = spaced("sus? (?:propio )?reglamento(?![a-z])(?: (?:general|de (?:desarrollo|ejecucion|aplicacion))(?![a-z]))?")
_POINTER = re.compile(
    f"(?P<its>{_ITS})|(?P<this>{_THIS}(?:{_noun('t_')}))|(?P<said>{_SAID}(?:{_noun('s_')}))|(?P<same>{_SAME})"
    f"|(?P<bare>{spaced('(?:(?:el|la) )?')}(?:{_noun('b_')})(?P<after>{_AFTER}))"
)
_FEMININE = {"ley", "orden", "constitucion", "norma", "circular", "directiva", "decision"}
_FAMILIES = {
    "ley": {"ley", "lo", "ley-foral"},
    "rdl": {"rdl", "rdl|rdleg"},
    "rdleg": {"rdleg", "rdl|rdleg"},
    "rd": {"rd"},
    "decreto": {"decreto", "dl", "dleg", "dl-foral", "dleg-foral", "decreto-foral", "rd"},
    "orden": {"orden"},
    "circular": {"circular", "instruccion", "resolucion"},
}
_GENERAL = {"texto", "norma"}


class Pointer(NamedTuple):
    """A pointer as read: at its own law, one named before, the reglamento of that, or at a law by its noun alone."""

    kind: Literal["this", "said", "same", "its", "bare"]
    noun: str
    is_feminine: bool
    start: int
    end: int

    @property
    def is_general(self) -> bool:
        """Whether its noun fits a law of any rank: "dicha norma"."""
        return self.noun in _GENERAL


def read_pointer(text: Folded, start: int, *, is_linked: bool = False) -> Pointer | None:
    """Read a pointer at a law from `start` on; `is_linked` when "de" stands before it, so that "ley" needs no capital.

    >>> from search.citations.folding import fold
    >>> read_pointer(fold("dicha Ley"), 0)
    Pointer(kind='said', noun='ley', is_feminine=True, start=0, end=9)
    >>> read_pointer(fold("la presente Orden"), 0).kind, read_pointer(fold("el mismo"), 0).kind
    ('this', 'same')
    """
    match = _POINTER.match(text.lower, start)
    if match is None:
        return None
    groups = match.groupdict()
    noun = next((name[2:] for name, value in groups.items() if value and name[1] == "_"), "")
    noun = "reglamento" if groups["its"] else noun
    kind: Literal["this", "said", "same", "its", "bare"] = (
        "its"
        if groups["its"]
        else "this"
        if groups["this"]
        else "said"
        if groups["said"] or groups["after"]
        else "same"
        if groups["same"]
        else "bare"
    )
    if kind == "said" and match[0].rstrip().endswith(("leyes", "normas")):
        return None
    if kind == "bare" and not is_linked and not _is_capital_noun(text, match):
        return None
    is_feminine = noun in _FEMININE if noun else match[0].rstrip().endswith("a")
    return Pointer(kind, noun, is_feminine, start, match.end())


def suits(pointer: Pointer, rank: str, noun: str) -> bool:
    """Whether a law of this rank, or named by this noun, can be what is pointed at."""
    if not pointer.noun:
        return is_feminine(rank, noun) == pointer.is_feminine
    if pointer.noun in _GENERAL:
        return True
    return pointer.noun == noun or rank in _FAMILIES.get(pointer.noun, set())


def noun_of(text: Folded, start: int) -> str:
    """Give the kind of noun that a law's mention begins with: "reglamento" of "Reglamento General de Costas"."""
    match = _ONE_NOUN.match(text.lower, start)
    return (match.lastgroup or "") if match else ""


def is_feminine(rank: str, noun: str) -> bool:
    """Whether "la misma", not "el mismo", would point at such a law."""
    if noun:
        return noun in _FEMININE
    return rank in {"", "ley", "lo", "ley-foral", "orden", "circular", "instruccion", "resolucion"}


def _is_capital_noun(text: Folded, match: re.Match[str]) -> bool:
    """Whether "la Ley" is written as a proper noun."""
    place = next(match.start(name) for name, value in match.groupdict().items() if value and name.startswith("b_"))
    return text.plain[place].isupper()

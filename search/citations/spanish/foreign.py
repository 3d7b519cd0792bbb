"""Citations of what the corpus does not hold: European law, case law, administrative doctrine, treaties."""

from __future__ import annotations

import re
from typing import NamedTuple

from search.citations.folding import Folded
from search.citations.model import UnsupportedType
from search.citations.spanish.lexicon import MONTH, spaced

_DAY = rf"(?:\d{{1,2}}|uno|primero) de {MONTH}(?: del? \d{{4}})?"
_DATED = rf"(?:_,?_de(?: fecha)? {_DAY})?"
_NUMBER = r"#\d{1,5}_/_(?:\d{4}|\d{2})(?!\d)"
_NUMBERED = rf"{_NUMBER}{_DATED}(?:(?:_[,;]_(?:y )?| y ){_NUMBER}{_DATED}){{0,20}}"
_ON_A_DAY = rf"de (?:fecha )?(?:{_DAY}|\d{{1,2}}[/.-]\d{{1,2}}[/.-]\d{{4}}(?!\d))"

_UNION = r"(?:ue|ce|cee|euratom|ceca|jai|pesc)"
_DELEGATED = r"(?: delegad[oa]| de ejecucion| marco)?"
_EU_NUMBER = (
    rf"{_DELEGATED}_(?:\({_UNION}(?:_,_{_UNION})*\)_|{_UNION} )?#\d{{1,4}}_/_\d{{1,4}}(?:_/_{_UNION}(?![a-z]))?"
    rf"(?:_,?_\({_UNION}\))?"
    rf"(?:,? del? (?:la |el )?(?:parlamento europeo|consejo|comision)(?: y del? consejo)?)?{_DATED}"
)
# A bare number is an act of the Union only where it is marked so, or counts as its regulations do.
_EU_MARKED = (
    rf"(?={_DELEGATED}_(?:\({_UNION}|{_UNION} #\d)|[^/\n]{{0,40}}/_\d{{2,4}}_(?:/_{_UNION}(?![a-z])|,?_\({_UNION}\))"
    rf"|_#(?:\d{{3,4}}_/_\d{{2,4}}))"
)

_COURT = (
    r"(?:tribunal supremo|audiencia (?:nacional|provincial)|tribunal superior de justicia|tribunal general"
    r"|tribunal europeo|juzgado)"
)
_COURT_INITIALS = r"(?:ss?tt?sj?|aa?tt?sj?|ss?aa?[np]|aa?aa?[np]|ss?jm?[a-z]?)(?![a-z])"
_PLACE = r"(?: (?:(?:de|del|de la) )?[a-z]+(?: y [a-z]+)?)?"
_TREATY = r"(?:funcionamiento de la union europea|(?:la )?union europea|lisboa|maastricht|amsterdam|niza|roma)(?![a-z])"

_PATTERNS: dict[UnsupportedType, tuple[str, ...]] = {
    "eu_regulation": (
        rf"(?:reglamentos?|regs?\.){_EU_MARKED}{_EU_NUMBER}",
        r"rgpd(?![a-z])",
        r"reglamento general de proteccion de datos(?![a-z])",
    ),
    "eu_directive": (
        r"(?:directiva por la que se (?:aprueba|establece) el )?codigo europeo de (?:las )?comunicaciones electronicas",
        rf"(?:directivas?|dir\.){_EU_NUMBER}(?:(?:_,_(?:y )?| y ){_EU_NUMBER}){{0,8}}",
    ),
    "eu_decision": (rf"decision(?:es)?{_EU_MARKED}{_EU_NUMBER}",),
    "eu_treaty": (
        r"(?:tfue|tue|cdfue)(?![a-z])",
        rf"tratado (?:de|constitutivo de) {_TREATY}",
        r"carta de (?:los )?derechos fundamentales de la union europea",
        r"estatutos del sistema europeo de bancos centrales(?: y del banco central europeo)?",
    ),
    "constitutional_case_law": (
        rf"(?:ss?tt?c|aa?tt?c)(?![a-z]) {_NUMBERED}",
        rf"(?:sentencia|auto) del (?:pleno del )?tribunal constitucional {_NUMBERED}",
        rf"(?:sentencia|auto) {_NUMBERED}_,?_del tribunal constitucional",
    ),
    "eu_case_law": (
        r"[sa]tjue(?![a-z])[^.;\n]{0,80}?[ct]-\d{1,4}/\d{2}(?!\d)",
        rf"[sa]tjue(?![a-z])(?: {_ON_A_DAY})?",
        r"asuntos? [ct]-\d{1,4}/\d{2}(?!\d)",
        rf"sentencia del tribunal de justicia (?:de la union europea )?{_ON_A_DAY}",
        r"ecli:eu:[a-z]:\d{4}:\d+",
    ),
    "human_rights_case_law": (rf"stedh(?![a-z])(?: {_ON_A_DAY})?", r"ecli:ce:echr:[0-9a-z:]+"),
    "case_law": (
        rf"{_COURT_INITIALS}{_PLACE}_,?_(?:{_NUMBERED}|{_ON_A_DAY})",
        rf"(?:sentencia|auto) (?:{_NUMBERED}_,?_)?(?:del|de la) {_COURT}(?: (?:{_NUMBERED}|{_ON_A_DAY}))?",
        r"ecli:es:[a-z]+:\d{4}:\d+[a-z]?",
    ),
    "administrative_doctrine": (
        r"(?:consultas? (?:vinculantes? )?(?:de la )?(?:dgt )?#)?(?:dgt )?v\d{4}-\d{2}(?!\d)",
        rf"(?:rteac|resolucion del (?:teac|tribunal economico-administrativo central))(?![a-z])(?:_,?_de {_DAY})?",
    ),
    "international_treaty": (
        r"cedh(?![a-z])",
        r"convenio europeo (?:de|para la proteccion de) (?:los )?derechos humanos",
        r"declaracion universal de (?:los )?derechos humanos",
        r"pacto internacional de derechos (?:civiles y politicos|economicos(?:_, | y )sociales y culturales)",
    ),
}


_FOREIGN = re.compile("|".join(f"(?P<{name}>{spaced('|'.join(forms))})" for name, forms in _PATTERNS.items()))
_NAMES: dict[str, UnsupportedType] = {name: name for name in _PATTERNS}
# Initials that are words or other things in lower case.
_INITIALS = re.compile(rf"{_COURT_INITIALS}|(?:tue|tfue|cedh|rgpd|cdfue)(?![a-z])")


_RULING = re.compile(spaced(rf"(?:sentencia|auto) {_NUMBER}_,?_de {_DAY}"))
_COURTS = re.compile(rf"tribunal constitucional|{_COURT}")
_LONGEST_MEMORY = 2000


class Foreign(NamedTuple):
    """What was cited, by type, and where."""

    type: UnsupportedType
    start: int
    end: int


def read_foreign(text: Folded, start: int) -> Foreign | None:
    """Read a citation of an unsupported kind from `start` on.

    >>> from search.citations.folding import fold
    >>> read_foreign(fold("Reglamento (UE) 2016/679 del Parlamento Europeo y del Consejo"), 0)
    Foreign(type='eu_regulation', start=0, end=61)
    """
    match = _FOREIGN.match(text.lower, start)
    if match is None or match.lastgroup is None:
        return _ruling(text, start)
    initials = _INITIALS.match(text.lower, start)
    if initials and not text.plain[start : initials.end()].isupper():
        return None
    return Foreign(_NAMES[match.lastgroup], start, match.end())


def _ruling(text: Folded, start: int) -> Foreign | None:
    """Read "la Sentencia 292/2000, de 30 de noviembre", of the court that the text spoke of last."""
    match = _RULING.match(text.lower, start)
    if match is None or not text.plain[start].isupper():
        return None
    courts = _COURTS.findall(text.lower, max(0, start - _LONGEST_MEMORY), start)
    is_constitutional = courts[-1:] == ["tribunal constitucional"]
    return (
        Foreign("constitutional_case_law" if is_constitutional else "case_law", start, match.end()) if courts else None
    )

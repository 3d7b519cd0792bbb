"""Citations of what the corpus does not hold: European law, case law, administrative doctrine, treaties."""

from __future__ import annotations

import re
from typing import NamedTuple

from search.citations.folding import Folded
from search.citations.model import UnsupportedType
from search.citations.spanish.lexicon import BLANK, GAP, MONTH, NUMBER_MARK

_DAY = rf"(?:\d{{1,2}}|uno|primero){BLANK}de{BLANK}{MONTH}(?:{BLANK}del?{BLANK}\d{{4}})?"
_DATED = rf"(?:{GAP},?{GAP}de(?:{BLANK}fecha)?{BLANK}{_DAY})?"
_NUMBERED = rf"{NUMBER_MARK}\d{{1,5}}{GAP}/{GAP}(?:\d{{4}}|\d{{2}})(?!\d)"
_UNION = r"(?:ue|ce|cee|euratom|ceca)"
_BODY = rf"(?:{BLANK}(?:delegado|de{BLANK}ejecucion|marco))?"
_EU_NUMBER = (
    rf"{_BODY}{GAP}(?:\({_UNION}(?:{GAP},{GAP}{_UNION})*\){GAP})?{NUMBER_MARK}\d{{1,4}}{GAP}/{GAP}\d{{1,4}}"
    rf"(?:{GAP}/{GAP}{_UNION}(?![a-z]))?(?:{GAP},?{GAP}\({_UNION}\))?"
)
_EU_MARKED = rf"(?=[^/\n]{{0,40}}/{GAP}\d{{2,4}}{GAP}/{GAP}{_UNION}(?![a-z])|{_BODY}{GAP}\({_UNION}|[^/\n]{{0,40}}/\d{{2,4}}{GAP},?{GAP}\({_UNION}\))"
_BY = (
    rf"(?:,?{BLANK}del?{BLANK}(?:la{BLANK}|el{BLANK})?(?:parlamento{BLANK}europeo|consejo|comision)"
    rf"(?:{BLANK}y{BLANK}del?{BLANK}consejo)?)?"
)
_COURTS = (
    rf"tribunal{BLANK}supremo|tribunal{BLANK}constitucional|audiencia{BLANK}(?:nacional|provincial)|"
    rf"tribunal{BLANK}superior{BLANK}de{BLANK}justicia|tribunal{BLANK}de{BLANK}justicia|tribunal{BLANK}europeo|"
    rf"tribunal{BLANK}general"
)
_TREATY_NAME = (
    rf"funcionamiento{BLANK}de{BLANK}la{BLANK}union{BLANK}europea|(?:la{BLANK})?union{BLANK}europea|lisboa|maastricht"
    rf"|amsterdam|niza|roma"
)

_PATTERNS: dict[UnsupportedType, str] = {
    "eu_regulation": rf"reglamentos?{_EU_MARKED}{_EU_NUMBER}{_BY}{_DATED}|rgpd(?![a-z])|reglamento{BLANK}general{BLANK}de{BLANK}proteccion{BLANK}de{BLANK}datos",
    "eu_directive": rf"directivas?{_EU_NUMBER}{_BY}{_DATED}",
    "eu_decision": rf"decision(?:es)?{_EU_MARKED}{_EU_NUMBER}{_BY}{_DATED}",
    "eu_treaty": rf"tfue(?![a-z])|tue(?![a-z])|cdfue(?![a-z])|tratado{BLANK}(?:de|constitutivo{BLANK}de){BLANK}(?:{_TREATY_NAME})|carta{BLANK}de{BLANK}(?:los{BLANK})?derechos{BLANK}fundamentales{BLANK}de{BLANK}la{BLANK}union{BLANK}europea",
    "constitutional_case_law": rf"(?:ss?tt?c|aa?tt?c)(?![a-z]){BLANK}{_NUMBERED}{_DATED}|(?:sentencia|auto){BLANK}(?:del{BLANK}(?:pleno{BLANK}del{BLANK})?tribunal{BLANK}constitucional{BLANK}{_NUMBERED}{_DATED}|{_NUMBERED}{_DATED}{GAP},?{GAP}del{BLANK}tribunal{BLANK}constitucional)",
    "eu_case_law": rf"(?:s|a)tjue(?![a-z])[^.;\n]{{0,80}}?(?:c|t)-\d{{1,4}}/\d{{2}}(?!\d)|(?:s|a)tjue(?![a-z])(?:{BLANK}de{BLANK}{_DAY})?|asuntos?{BLANK}[ct]-\d{{1,4}}/\d{{2}}(?!\d)|sentencia{BLANK}del{BLANK}tribunal{BLANK}de{BLANK}justicia{BLANK}(?:de{BLANK}la{BLANK}union{BLANK}europea{BLANK})?de{BLANK}{_DAY}|ecli:eu:[a-z]:\d{{4}}:\d+",
    "human_rights_case_law": rf"stedh(?![a-z])(?:{BLANK}de{BLANK}{_DAY})?|ecli:ce:echr:[0-9a-z:.]+",
    "case_law": rf"(?:ss?tt?sj?|aa?tt?sj?|ss?aa?[np]|aa?aa?[np]|ss?jm?[a-z]?)(?![a-z])(?:{BLANK}(?:de|del?{BLANK}la){BLANK}[a-z]+(?:{BLANK}y{BLANK}[a-z]+)?)?{GAP},?{GAP}(?:{_NUMBERED}{_DATED}|(?:de{BLANK}(?:fecha{BLANK})?)?{_DAY})|(?:sentencia|auto){BLANK}(?:{_NUMBERED}{_DATED}{GAP},?{GAP})?(?:del?|de{BLANK}la){BLANK}(?:{_COURTS})(?:{BLANK}(?:{_NUMBERED}{_DATED}|de{BLANK}(?:fecha{BLANK})?{_DAY}))?|ecli:es:[a-z]+:\d{{4}}:\d+[a-z]?",
    "administrative_doctrine": rf"(?:consultas?{BLANK}(?:vinculantes?{BLANK})?(?:de{BLANK}la{BLANK})?(?:dgt{BLANK})?{NUMBER_MARK})?(?:dgt{BLANK})?v\d{{4}}-\d{{2}}(?!\d)|(?:rteac|resolucion{BLANK}del{BLANK}(?:teac|tribunal{BLANK}economico-administrativo{BLANK}central))(?![a-z])(?:{GAP},?{GAP}de{BLANK}{_DAY})?",
    "international_treaty": rf"cedh(?![a-z])|convenio{BLANK}europeo{BLANK}(?:de|para{BLANK}la{BLANK}proteccion{BLANK}de){BLANK}(?:los{BLANK})?derechos{BLANK}humanos|declaracion{BLANK}universal{BLANK}de{BLANK}(?:los{BLANK})?derechos{BLANK}humanos|pacto{BLANK}internacional{BLANK}de{BLANK}derechos{BLANK}(?:civiles{BLANK}y{BLANK}politicos|economicos(?:,|{BLANK}y){BLANK}sociales{BLANK}y{BLANK}culturales)",
}
_FOREIGN = re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in _PATTERNS.items()))
_NAMES: dict[str, UnsupportedType] = {name: name for name in _PATTERNS}
# Initials that are words or other things in lower case.
_INITIALS = re.compile(
    r"(?:ss?tt?[cs]j?|aa?tt?[cs]j?|ss?aa?[np]|aa?aa?[np]|ss?jm?[a-z]?|tue|tfue|cedh|rgpd|cdfue)(?![a-z])"
)


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
        return None
    initials = _INITIALS.match(text.lower, start)
    if initials and not text.plain[start : initials.end()].isupper():
        return None
    return Foreign(_NAMES[match.lastgroup], start, match.end())

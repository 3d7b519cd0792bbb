"""The words and signs of Spanish citations, as pieces of regular expressions over folded lower-case text."""

from __future__ import annotations

import re

from corpus.identifiers import SUFFIX_SPELLINGS

# Possessive, so that long runs of blanks cost no backtracking; a citation crosses a line's end, not a paragraph's.
BLANK = r"(?:[ ]++\n?+[ ]*+|\n[ ]*+)"
GAP = r"[ ]*+\n?+[ ]*+"

SIGN = r"(?:\.?[ºª]|\.?(?:er[oa]?|[rdtvm][oa])(?![a-z]))"
SUFFIX = rf"(?:{'|'.join(sorted(SUFFIX_SPELLINGS, key=len, reverse=True))})(?![a-z0-9ñ])"

SOLE = r"(?:unic[oa]s?|u(?=[ .,;)]|$))(?![a-zñ])(?:\.(?![a-z0-9]))?"

_MONTHS = (
    ("enero", "gener", "xaneiro"), ("febrero", "febrer", "febreiro"), ("marzo", "marc"), ("abril",),
    ("mayo", "maig", "maio"), ("junio", "juny", "xuño"), ("julio", "juliol", "xullo"), ("agosto", "agost"),
    ("septiembre", "setiembre", "setembre", "setembro"), ("octubre", "outubro"), ("noviembre", "novembre", "novembro"),
    ("diciembre", "desembre", "decembro"),
)  # fmt: skip
MONTHS = {name: number for number, names in enumerate(_MONTHS, start=1) for name in names}
"""The months as folded text has them, in Spanish, Catalan and Galician, with their numbers."""
MONTH = rf"(?:{'|'.join(MONTHS)})(?![a-zñ])"

# "artículo núm. 27", "art. nº 27", "disposición adicional n.º 3"
NUMBER_MARK = rf"(?:(?:numeros?|nums?\.?|nros?\.?|n\.?{GAP}[ºª]s?\.?|no?\.|#){GAP})?"
_PIECES = {" ": BLANK, "_": GAP, "#": NUMBER_MARK, "~": "[ ]?"}


def spaced(pattern: str) -> str:
    """Write out a readable pattern: " " for blanks that must be there, "_" for blanks that may, "#" for "núm.".

    A "~" is one space that may be there. Names of groups cannot hold an underscore.
    """
    return re.sub("[ _#~]", lambda match: _PIECES[match[0]], pattern)


ADJECTIVE = (
    r"(?:citad|mencionad|referid|expresad|indicad|aludid|precitad|antecitad|antedich|repetid|dich|propi|mism|vigente"
    r"|actual|nuev|antigu|anterior|derogad|present|susodich)(?:[oae]s?)?"
)
ARTICLE = r"(?:el|la|los|las|lo)"
OF = rf"(?:del|de{BLANK}(?:el|la|los|las)|de)"

ORDINAL_WORD = (
    r"(?:primer[oa]?|segund[oa]|tercer[oa]?|cuart[oa]|quint[oa]|sext[oa]|septim[oa]|octav[oa]|noven[oa]|decim[oa]"
    r"|undecim[oa]|duodecim[oa]|ultim[oa]|penultim[oa]|antepenultim[oa])"
)
AND = rf"(?:{GAP},{GAP}(?:(?:y|e|o|u|ni|and|or|&){BLANK})?|{BLANK}(?:y/o|y|e|o|u|ni|and|or|&|asi{BLANK}como){BLANK})"
THROUGH = rf"(?:{BLANK}(?:al?|to|hasta(?:{BLANK}(?:el|la))?){BLANK}(?:(?:el|la){BLANK})?)"

# What makes the number before it a quantity or a day, so that a list does not go on: "y 3 años", "y 2 de mayo".
COUNTS = re.compile(
    rf"{BLANK}(?:an(?:o|y)s?|di[ae]s?|mes(?:es|os)?|hor[ae]s?|setmanes|semanas?|minutos?|euros?|pesetas?|puntos?|metros?|kilometros?|personas?"
    rf"|por{BLANK}(?:100|cien(?:to)?)|de{BLANK}{MONTH})(?![a-zñ])|[ ]?[%\x7f]|[ ]?(?:m|km|kg)[ .,;]|/\d"
)

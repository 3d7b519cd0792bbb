"""Where in a running text a Spanish citation may begin: a cheap scan before anything is read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from search.citations.folding import Folded
from search.citations.spanish.names import is_abbreviation

_WORD_START = r"(?<![a-z0-9ñ/\-])"
_UNIT = (
    r"art(?=iculo|s?[. ºª\d]|ic|igos?[ \n])|disp(?=osic|[. s])|ane[xj]o|apendice|preambulo"
    r"|exposicion(?=[ \n]+de[ \n]+motivos)"
    r"|(?:ap(?:s|art)?|nums?|parrs?|ords?)\.(?=[ ]?\d)|lets?\.(?=[ ]?[a-zñ](?:[ ]?\)|[ ]))|sub-?(?:apartado|letra)"
    r"|apartado|apdo|aptdo|(?:letra|parrafo|numero|regla|punto|inciso|precepto)(?=s?[ \n.])|ordinal(?=es[ \n]|[ \n])"
    r"|(?:primer|segund|tercer|ultim|penultim)[oa]?(?=[ \n]+(?:parrafo|inciso))"
    r"|paragraphs?(?=[ \n]+\d)"
)
_LAW = (
    r"ley(?:es)?(?![a-z])|ll?eis?(?=[ \n]+(?:\d|org))|rei?al(?:e?s)?(?=[ \n]+decret)"
    r"|decreto?|orden(?:es)?(?![a-z])|reglamento|codigo|texto(?=[ \n])"
    r"|(?:regs?|dir)\.(?=[ \n]?[(n\d])|constitucion(?![a-z])|estatuto|circular|directiva|decision(?=es[ \n]|[ \n])"
    r"|tratado(?=[ \n])|carta(?=[ \n])|convenio(?=[ \n]+europeo)|sentencia|auto(?=[ \n])|asunto|consulta"
    r"|declaracion(?=[ \n]+universal)|pacto(?=[ \n]+internacional)|esquema(?=[ \n]+nacional)|plan(?=[ \n]+general)"
    r"|ecli:|v\d{4}-|bo[a-z]{1,3}-[a-z]-|do[a-z]{1,3}-[a-z]-|https?:|www\.boe|/?eli/es|normas?(?![a-z])"
    r"|cuerpo(?=[ \n]+legal)|(?:instruccion|resolucion)(?=[ \n])"
    r"|(?:organic[ \n]+)?(?:law|act)s?(?=[ \n]+\d)|(?:legislative[ \n]+)?royal[ \n]+(?:legislative[ \n]+)?decree"
)
_ID = (
    r"(?:es-[a-z]{2}-)?(?:ley|lo|rd|rdl|rdleg|decreto|dl|dleg|ley-foral|orden-[a-z]{2,4})-\d{1,5}-\d{4}"
    r"(?=[:@ .,;)\n]|$)"
)
_BARE_NUMBER = r"(?:el|los|la|las|del|al)[ \n](?=\d)"
_WORDS = re.compile(rf"{_WORD_START}(?:(?P<id>{_ID})|(?P<unit>{_UNIT})|(?P<law>{_LAW})|(?P<number>{_BARE_NUMBER}))")
_INITIALS = re.compile(
    r"(?<![A-Za-z0-9ñÑ.\-/])(?:O\.(?=[ ]?[A-Z]{2,4}/\d)"
    r"|[A-Z](?:[a-z]{0,3}[A-Z]|\.[ ]?[A-Z])(?:[A-Za-z]|\.(?=[A-Za-z])|-(?=[A-Z])){0,15}+"
    r"|[LDO]\.(?=[ ]?\d)|(?<![A-Z.][ ])L(?=[ ]\d{1,3}/(?:19|20)\d\d)|C\.(?=[ ]?(?:Civil|Penal|Com|c\.)))"
)
_CURATED_ID = re.compile(r":(?:art|d[atfd])-")
_BEFORE_COLON = re.compile(r"(?<![0-9a-z-])[a-z]{2,10}$")
_UNIT_INITIALS = re.compile(r"d(?:[atfd]u?|d(?:aa|tt|ff|dd)|ad|adic|trans|derog|fin)")
_RANKS = ("rd", "rrdd", "lo", "lf", "om", "dl")
_FOREIGN = re.compile(
    r"ss?tt?[cs]j?|aa?tt?[cs]j?|ss?aa?[np]|aa?aa?[np]|ss?jm?[a-z]?|tue|tfue|cedh|rgpd|cdfue|[sa]tjue|stedh|rteac"
)


def triggers(text: Folded, defined: frozenset[str] = frozenset()) -> list[tuple[int, str]]:
    """Find every place where a citation may begin, in order, and what kind it may be.

    The kinds are unit, law, id and number ("el 27", which only what was cited before makes a provision). `defined`
    are initials that the text itself gives a meaning.
    """
    found = [(match.start(), match.lastgroup or "") for match in _WORDS.finditer(text.lower)]
    found += _initials(text, defined)
    found += _curated_ids(text)
    found.sort()
    return found


def _initials(text: Folded, defined: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Find what only its capitals give away: "LGT", "D.A.", "R.D."."""
    for match in _INITIALS.finditer(text.plain):
        key = match[0].replace(".", "").replace("-", "").replace(" ", "").lower()
        if _UNIT_INITIALS.fullmatch(key):
            yield match.start(), "unit"
        elif (
            len(key) == 1
            or key.startswith(_RANKS)
            or is_abbreviation(key)
            or _FOREIGN.fullmatch(key)
            or match[0] in defined
        ):
            yield match.start(), "law"
        elif "." in match[0] or "-" in match[0]:
            yield from _first_initials(match)


def _first_initials(match: re.Match[str]) -> Iterator[tuple[int, str]]:
    """Try initials without the word that a dot or a hyphen ties to them: "LGT-art"."""
    head = re.split(r"[-]", match[0])[0].replace(".", "").lower()
    if is_abbreviation(head):
        yield match.start(), "law"


def _curated_ids(text: Folded) -> Iterator[tuple[int, str]]:
    """Find ids of laws that go by a short word: "ce:art-14"."""
    for match in _CURATED_ID.finditer(text.lower):
        head = max(0, match.start() - 12)
        word = _BEFORE_COLON.search(text.lower, head, match.start())
        if word:
            yield word.start(), "id"

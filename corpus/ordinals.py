"""Numbers as Spanish law writes them: digits with ordinal signs, ordinal and cardinal words, roman numerals."""

from __future__ import annotations

import re
import unicodedata

_UNITS = {
    "primer": 1, "segund": 2, "tercer": 3, "cuart": 4, "quint": 5,
    "sext": 6, "septim": 7, "setim": 7, "octav": 8, "noven": 9, "non": 9,
}  # fmt: skip
_TENS = {
    "undecim": 11, "duodecim": 12, "decim": 10, "vigesim": 20, "trigesim": 30, "cuadragesim": 40, "quincuagesim": 50,
    "sexagesim": 60, "septuagesim": 70, "octogesim": 80, "nonagesim": 90,
}  # fmt: skip
_HUNDREDS = {
    "centesim": 100, "ducentesim": 200, "tricentesim": 300, "cuadringentesim": 400, "quingentesim": 500,
    "sexcentesim": 600, "septingentesim": 700, "octingentesim": 800, "noningentesim": 900,
}  # fmt: skip
_ONES = {
    "un": 1, "uno": 1, "una": 1, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8,
    "nueve": 9,
}  # fmt: skip
_TEENS = {
    "diez": 10, "once": 11, "doce": 12, "trece": 13, "catorce": 14, "quince": 15, "dieciseis": 16, "diecisiete": 17,
    "dieciocho": 18, "diecinueve": 19, "veinte": 20,
} | {f"veinti{one}": 20 + value for one, value in _ONES.items()}  # fmt: skip
_DECADES = {
    "treinta": 30, "cuarenta": 40, "cincuenta": 50, "sesenta": 60, "setenta": 70, "ochenta": 80, "noventa": 90,
}  # fmt: skip
_CENTURIES = {
    "cien": 100, "ciento": 100, "doscient": 200, "trescient": 300, "cuatrocient": 400, "quinient": 500,
    "seiscient": 600, "setecient": 700, "ochocient": 800, "novecient": 900,
}  # fmt: skip


# Those that differ from Spanish, as far as laws go on in words.
_CATALAN_AND_GALICIAN = {
    word: number
    for number, words in {
        1: "primeira primeiro", 2: "segona segon", 3: "terceira terceiro", 4: "quarta quart", 5: "cinquena cinque",
        6: "sisena sise", 7: "setena sete", 8: "vuitena vuite oitava oitavo", 9: "novena nove", 10: "desena dese",
        11: "onzena onze", 12: "dotzena dotze", 13: "tretzena tretze", 14: "catorzena catorze", 15: "quinzena quinze",
        16: "setzena setze", 17: "dissetena dissete", 18: "divuitena divuite", 19: "dinovena dinove",
        20: "vintena vinte vixesima vixesimo", 30: "trentena trente trixesima trixesimo",
    }.items()
    for word in words.split()
}  # fmt: skip


def _any(words: dict[str, int], name: str, ending: str = "") -> str:
    """Name a group that matches one of the words, the longest first."""
    return rf"(?P<{name}>{'|'.join(sorted(words, key=len, reverse=True))}){ending}"


# The vowel between the parts of a joined ordinal may go ("decimoctava"), and apart they may disagree in gender.
_ORDINAL = re.compile(
    rf"(?:{_any(_HUNDREDS, 'hundreds', '[oa]?')}[ -]?)?(?:{_any(_TENS, 'tens', '[oa]?')}[ -]?)?"
    rf"(?:{_any(_UNITS, 'units', '(?:[oa]|(?<=er))')})?"
)
_CARDINAL = re.compile(
    rf"(?:(?:{_any(_ONES, 'thousands', ' ')})?(?P<mil>mil)(?: |$))?"
    rf"(?:{_any(_CENTURIES, 'centuries', '(?:[oa]s)?')}(?: |$))?"
    rf"(?:{_any(_TEENS, 'teens')}|(?:{_any(_DECADES, 'decades')}(?:$|(?: y | |i)(?!$)))?(?:{_any(_ONES, 'ones')})?)"
)
_DIGITS = re.compile(r"(\d{1,3}(?:\.\d{3})+|\d{1,9})(?:\.?(?:[ºª°]|er[oa]?))?")
_MIXED = re.compile(r"(?:cien(?:to)?) (?=[dvtcqson]\w*esim)")
_ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
          (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip


def read_number(text: str) -> int | None:
    """Read a number in digits or words, accents and case optional; None for anything else, roman numerals included.

    >>> read_number("1.º"), read_number("primero"), read_number("vigésima primera"), read_number("decimoctava")
    (1, 1, 21, 18)
    >>> read_number("Ciento cincuenta y cinco"), read_number("1.902"), read_number("XIV"), read_number("única")
    (155, 1902, None, None)
    """
    folded = _fold(text)
    digits = _DIGITS.fullmatch(folded)
    if digits:
        return int(digits[1].replace(".", ""))
    if folded in _CATALAN_AND_GALICIAN:
        return _CATALAN_AND_GALICIAN[folded]
    return _ordinal(_MIXED.sub("centesim", folded)) or _cardinal(folded)


def roman(text: str) -> int | None:
    """Read a well-formed roman numeral of any case, up to MMMCMXCIX.

    >>> roman("XIV"), roman("iv"), roman("IIII"), roman("")
    (14, 4, None, None)
    """
    upper, rest, total = text.upper(), text.upper(), 0
    for value, letters in _ROMAN:
        while rest.startswith(letters) and total < 4000:
            total, rest = total + value, rest[len(letters) :]
    return total if total and not rest and total < 4000 and to_roman(total) == upper else None


def to_roman(number: int) -> str:
    """Write a number from 1 to 3999 as a roman numeral; raise `ValueError` for any other.

    >>> to_roman(14), to_roman(1999)
    ('XIV', 'MCMXCIX')
    """
    if not 1 <= number <= 3999:
        raise ValueError(f"no roman numeral for {number}")
    letters = []
    for value, symbol in _ROMAN:
        count, number = divmod(number, value)
        letters.append(symbol * count)
    return "".join(letters)


def _fold(text: str) -> str:
    """Lower, strip accents (ordinal signs stay) and join white space."""
    decomposed = unicodedata.normalize("NFD", text.lower())
    return " ".join("".join(c for c in decomposed if not unicodedata.combining(c)).split())


def _ordinal(folded: str) -> int | None:
    match = _ORDINAL.fullmatch(folded)
    if not match or not folded:
        return None
    parts = match.groupdict()
    if not parts["units"] and not folded.endswith(("o", "a")):
        return None
    return _sum(parts, hundreds=_HUNDREDS, tens=_TENS, units=_UNITS)


def _cardinal(folded: str) -> int | None:
    match = _CARDINAL.fullmatch(folded)
    if not match or not folded:
        return None
    parts = match.groupdict()
    thousands = 1000 * (_ONES[parts["thousands"]] if parts["thousands"] else 1) if parts["mil"] else 0
    below = _sum(parts, centuries=_CENTURIES, teens=_TEENS, decades=_DECADES, ones=_ONES)
    return thousands + (below or 0) or None


def _sum(parts: dict[str, str | None], **tables: dict[str, int]) -> int | None:
    return sum(table[part] for name, table in tables.items() if (part := parts[name])) or None

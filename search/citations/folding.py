"""Text folded for reading: one plain character per character of the original, and the way back to its offsets."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

# Characters that print nothing, only adorn the letter before them, mark it as Markdown does ("**artículo 5** de la
# **Ley**") or lead to a note ("LGT" and a raised 1): the reading goes on without them. A raised 0 alone is a sign.
_NOTE = "\u00b9\u00b2\u00b3\u2074-\u2079"
_MARKS = f"*{_NOTE}\u2070"
_NO_SIGN = f"(?<![^{_NOTE}]\u2070)"
_DROPPED = re.compile(f"[{_MARKS}\xad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]{_NO_SIGN}")
_BEHIND = re.compile(f"[{_MARKS}]{_NO_SIGN}")
# A word that a line's end divides goes on behind it; a hyphen before "ley" is one of "decreto-ley".
_DIVIDED = re.compile(
    f"{_DROPPED.pattern}|-(?=\n[a-zà-ÿ])(?<=[a-zà-ÿ]-)(?!\nle[yg])|\n(?=[A-Za-zÀ-ÿ])(?:(?<=\xad\n)|(?<=[a-zà-ÿ]-\n)(?!le[yg]))"
)
_BEYOND_LATIN = re.compile("[^\x00-\xff]")
_UNREADABLE = "\x7f"
_ALIASES = {
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u02b9\u02bc", "'"),
    **dict.fromkeys("\u201c\u201e\u201f", "«"),
    "\u201d": "»",
    **dict.fromkeys("\u2033\u2036", '"'),
    **dict.fromkeys("\u02da\u1d52\u1d3c\u2070", "º"),
    **dict.fromkeys("\u1d43\u1d2c", "ª"),
    **dict.fromkeys("\u2028\u2029", "\n"),
    **dict.fromkeys("\u2044\u2215", "/"),
    **dict.fromkeys("\u2024\uff0e", "."),
    "\u2116": "#",
}
_LATIN_ALIASES = {"\n": "\n", "\x85": "\n", "°": "º", "´": "'", "`": "'", "\x7f": _UNREADABLE}


def _plain_latin(character: str) -> str:
    """Give the unaccented form of a Latin-1 character; blanks and controls are a space, ñ stays."""
    if character in _LATIN_ALIASES:
        return _LATIN_ALIASES[character]
    if character in "ñÑºª«»":
        return character
    if character.isspace() or unicodedata.category(character) == "Cc":
        return " "
    return unicodedata.normalize("NFD", character)[0]


_PLAIN = "".join(_plain_latin(chr(code)) for code in range(256)).encode("latin-1")
_LOWER = _PLAIN.decode("latin-1").lower().encode("latin-1")
_NAME = _LOWER.decode("latin-1").replace("ñ", "n").encode("latin-1")
_WORDS = re.sub(r"[^\w/]", " ", _NAME.decode("latin-1")).encode("latin-1")


@dataclass(frozen=True, slots=True)
class Folded:
    """A text without accents, odd blanks, dashes and signs, in its own case and in lower case.

    `plain[i]` and `lower[i]` stand for `original[at(i):at(i + 1)]`. `dropped` holds, for every character of the
    original that has no place in the folded text, the place that it stands before.
    """

    original: str
    plain: str
    lower: str
    dropped: Sequence[int] = ()

    def at(self, index: int) -> int:
        """Give the offset in the original of a place in the folded text."""
        return index + bisect_right(self.dropped, index) if self.dropped else index

    def until(self, index: int) -> int:
        """Give the offset in the original at which what stands before a place ends, without the marks behind it."""
        end = self.at(index)
        while self.dropped and end and _BEHIND.match(self.original, end - 1):
            end -= 1
        return end

    def slice(self, start: int, end: int) -> str:
        """Give the original between two places of the folded text."""
        return self.original[self.at(start) : self.until(end)]


def fold(text: str) -> Folded:
    """Fold any text, whatever is in it, keeping the way back to its offsets.

    >>> folded = fold("ART\u00cdCULO\u00a027.\u00ba")
    >>> folded.lower, folded.plain
    ('articulo 27.º', 'ARTICULO 27.º')
    >>> nfd = fold("art\u0069\u0301culo 2")
    >>> nfd.lower, nfd.slice(9, 10), nfd.at(9)
    ('articulo 2', '2', 10)
    """
    kept, dropped = _without_dropped(text)
    latin = _latin(kept)
    return Folded(text, latin.translate(_PLAIN).decode("latin-1"), latin.translate(_LOWER).decode("latin-1"), dropped)


def fold_name(name: str) -> str:
    """Fold a name for comparison: lower case, no accents nor ñ, words parted by single spaces.

    >>> fold_name("Ley del Patrimonio Hist\u00f3rico\u00a0Espa\u00f1ol")
    'ley del patrimonio historico espanol'
    """
    kept, _dropped = _without_dropped(name)
    return " ".join(_latin(kept).translate(_NAME).decode("latin-1").split())


def fold_words(name: str) -> str:
    """Fold a name to its words alone: as `fold_name`, without punctuation other than a slash.

    >>> fold_words("Ley 22/1988, de 28 de julio, de Costas.")
    'ley 22/1988 de 28 de julio de costas'
    """
    kept, _dropped = _without_dropped(name)
    return " ".join(_latin(kept).translate(_WORDS).decode("latin-1").split())


def _latin(text: str) -> bytes:
    """Give one Latin-1 byte for each character."""
    try:
        return text.encode("latin-1")
    except UnicodeEncodeError:
        return _BEYOND_LATIN.sub(_alias, text).encode("latin-1")


def _without_dropped(text: str) -> tuple[str, Sequence[int]]:
    """Take out what prints nothing, and say before which places of the rest it stood."""
    dropped_here = _DIVIDED if "-\n" in text or "\xad\n" in text else _DROPPED
    if not dropped_here.search(text):
        return text, ()
    composed = text.replace("n\u0303", "ñ\u0303").replace("N\u0303", "Ñ\u0303")
    dropped = [match.start() - count for count, match in enumerate(dropped_here.finditer(composed))]
    return dropped_here.sub("", composed), dropped


def _alias(match: re.Match[str]) -> str:
    """Give one Latin-1 character for one that is not."""
    character = match[0]
    if character in _ALIASES:
        return _ALIASES[character]
    if character.isspace():
        return " "
    form = unicodedata.normalize("NFKD", character)[0]
    return form if form < "\x7f" else _UNREADABLE

"""Numbers of the parts of an Akoma Ntoso law: as printed, and as paths have them."""

from __future__ import annotations

import re

from corpus.identifiers import SUFFIX_SPELLINGS, CitationId, InvalidCitationId, slug

_NUMBER = re.compile(r"(\d+)([a-z]+)?")
_ORDINAL_ENDINGS = {"er", "re", "ere", "eme", "st", "nd", "rd", "th", "o", "a"}


def segment(printed: str) -> str:
    """Give what a printed number adds to a citation path; nothing if no path can hold it.

    >>> [segment(text) for text in ("1.-", "(a)", "1bis", "12°", "1er", "iv)", "Abs. 3 bis", "–")]
    ['1', 'a', '1-bis', '12', '1', 'iv', '3-bis', '']
    """
    words = number_words(printed)
    while len(words) > 1 and len(words[0]) > 2 and not words[0][0].isdigit() and words[0] not in SUFFIX_SPELLINGS:
        words = words[1:]
    joined = "-".join(words)
    try:
        return joined if CitationId.parse(f"law:unit-1.{joined}").path == (joined,) else ""
    except InvalidCitationId:
        return ""


def number_words(printed: str) -> list[str]:
    """Give the words of a printed number, folded, with letters and suffixes apart and ordinal endings off.

    >>> number_words("Art. 1er"), number_words("§ 12a"), number_words("Art. 6bis"), number_words("Article L. 121-1")
    (['art', '1'], ['12', 'a'], ['art', '6', 'bis'], ['article', 'l', '121', '1'])
    """
    words: list[str] = []
    for word in slug(printed.replace("º", "").replace("ª", "")).split("-"):
        found = _NUMBER.fullmatch(word)
        if found is None:
            words.append(SUFFIX_SPELLINGS.get(word, word))
            continue
        words.append(found[1])
        ending = found[2] or ""
        if ending in SUFFIX_SPELLINGS:
            words.append(SUFFIX_SPELLINGS[ending])
        elif ending and (ending not in _ORDINAL_ENDINGS or ending in "ao"):
            words.append(ending)
    return [word for word in words if word]

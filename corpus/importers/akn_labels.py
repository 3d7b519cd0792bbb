"""How laws name their provisions in each language: nouns, sole provisions, and texts that only say they are gone."""

from __future__ import annotations

import re
from itertools import takewhile

from corpus.headings import classify_all
from corpus.identifiers import SUFFIXES
from corpus.importers.akn_numbers import number_words
from corpus.ordinals import read_number, roman
from corpus.records import ArticleKind

PREFIXES = {
    "article": "art", "section": "sec", "rule": "rule", "paragraph": "para", "clause": "cl", "level": "lvl",
    "chapter": "chp", "subchapter": "subchp", "part": "part", "subpart": "subpart", "title": "title", "book": "book",
    "tome": "tome", "division": "dvs", "subdivision": "subdvs", "point": "point", "hcontainer": "hcontainer",
}  # fmt: skip
"""The short names of elements (OASIS LegalDocML, Naming Convention 1.0, 5.5)."""

_NOUNS = {
    "de": {"article": "Artikel", "section": "§", "preamble": "Ingress", "annex": "Anhang"},
    "en": {"article": "Article", "section": "Section", "preamble": "Preamble", "annex": "Annex", "rule": "Rule"},
    "es": {"article": "Artículo", "section": "Sección", "preamble": "Preámbulo", "annex": "Anexo"},
    "fi": {"article": "artikla", "section": "§", "preamble": "Johtolause", "annex": "Liite"},
    "fr": {"article": "Article", "section": "Section", "preamble": "Préambule", "annex": "Annexe"},
    "it": {"article": "Articolo", "section": "Sezione", "preamble": "Ingresso", "annex": "Allegato"},
    "nl": {"article": "Artikel", "section": "Afdeling", "preamble": "Aanhef", "annex": "Bijlage"},
    "pt": {"article": "Artigo", "section": "Secção", "preamble": "Preâmbulo", "annex": "Anexo"},
    "sv": {"article": "Artikel", "section": "§", "preamble": "Ingress", "annex": "Bilaga"},
}
_AS_IN_SPAIN = {"es", "ca", "gl"}
_AFTER = {"§", "artikla"}
_SOLE = {"unique", "unico", "unica", "einziger", "einziges", "einzige", "enig", "ainoa", "enda", "sole", "only"}
# Nouns that stand behind a number ("1 luku") or are too short to be told from one.
_NO_NUMBERS = {"luku", "osa", "osasto", "kap", "kapitel", "nr", "no", "num", "art", "sec", "abs", "cap", "chap", "reg"}
_MORE = {*SUFFIXES, "transitorio", "transitoria"}
_RANGE = re.compile(r"(?P<first>\d+)\s*[–—]\s*(?P<last>\d+)\W*")
_WIDEST_RANGE = 200
_LONGEST_MARKER = 160

_GONE = {
    "de": r"aufgehoben|ausser kraft|außer kraft|weggefallen",
    "en": r"repealed|revoked|deleted|omitted|rescinded",
    "es": r"derogad[oa]|suprimid[oa]|eliminad[oa]",
    "fi": r"kumottu|kumoamalla|poistettu",
    "fr": r"abrogée?s?|supprimée?s?",
    "it": r"abrogat[oaie]|soppress[oaie]",
    "nl": r"vervallen|opgeheven|ingetrokken",
    "pt": r"revogad[oa]s?|eliminad[oa]s?",
    "sv": r"upphävd|upphävts|har upphävts",
}
_BY = "(?:by|par|durch|gem|mit|per|da|dal|dall|door|bij|por|pelo|pela|genom|l|a)"
_MARKERS = {
    language: re.compile(
        rf"\W*(?:[\w .]{{0,24}}§?\s*(?:on|är|is|est|è|has been)\s+)?(?:{words})\b(?:\W*{_BY}\b.{{0,120}})?\W*",
        re.IGNORECASE,
    )
    for language, words in _GONE.items()
}


def label(printed: str, tag: str, language: str) -> str:
    """Give the name of a provision as printed; one that is a bare number gets its noun in the law's language.

    >>> label("Art. 1", "article", "de"), label("5.", "section", "en"), label("Artículo único.-", "article", "es")
    ('Art. 1', 'Section 5', 'Artículo único')
    """
    bare = printed.strip().rstrip(" .:-–—").strip()
    if not bare or re.search(r"[^\W\d]{2}|§", bare):
        return bare
    name = noun(tag, language)
    return f"{bare} {name}" if name in _AFTER else f"{name} {bare}".strip()


def noun(tag: str, language: str) -> str:
    """Give the word of a language for an element; that of English where we know none."""
    names = _NOUNS.get(language, {})
    return names.get(tag) or _NOUNS["en"].get(tag, tag.capitalize())


def number(printed: str, language: str) -> str:
    """Give the number of a provision as keys have it, the same in every language; nothing where none is printed.

    >>> [number(text, "de") for text in ("Art. 1", "§ 12a", "Artikel 6bis", "Einziger Artikel", "Zweck")]
    ['1', '12-a', '6-bis', 'unico', '']
    >>> number("Article 1er.", "fr"), number("9 a §", "fi"), number("Article L. 121-1", "fr"), number("1 luku", "fi")
    ('1', '9-a', 'l-121-1', '1')
    >>> number("Artículo primero", "es"), number("Annexe IV", "fr")
    ('1', 'iv')
    """
    words = [word for word in number_words(printed) if word not in _NO_NUMBERS]
    if language == "es":
        words = [str(read_number(word) or word) if len(word) > 2 else word for word in words]
    first = next((place for place, word in enumerate(words) if _is_number(word)), None)
    if first is None:
        return "unico" if _SOLE & set(words) else ""
    more = takewhile(lambda word: _is_number(word) or word in _MORE, words[first + 1 :])
    return "-".join([words[first], *more])


def spanish(printed: str, language: str) -> tuple[ArticleKind, list[str]]:
    """Give kind and keys of a provision whose number names it as the laws of Spain do, whatever element it is.

    >>> spanish("Disposición transitoria primera", "es"), spanish("Artículo vigésimo primero.-", "es")
    (('transitional', ['dt-1']), ('article', ['art-21']))
    >>> spanish("Art. 1", "de"), spanish("Capítulo 1", "es")
    (('article', []), ('article', []))
    """
    found = classify_all(printed) if language in _AS_IN_SPAIN else ()
    named = [heading for heading in found if heading.kind not in ("other", "preamble", "annex", "appendix")]
    return (named[0].kind if named else "article"), [heading.key for heading in named]


def numbers(printed: str, language: str) -> list[str]:
    """Give the numbers of a provision that may be several at once ("Art. 5–7").

    >>> numbers("Art. 5–7", "de"), numbers("Art. 5", "de")
    (['5', '6', '7'], ['5'])
    """
    found = _RANGE.search(printed)
    if found is None or not 0 < int(found["last"]) - int(found["first"]) < _WIDEST_RANGE:
        one = number(printed, language)
        return [one] if one else []
    return [str(each) for each in range(int(found["first"]), int(found["last"]) + 1)]


def says_gone(text: str, language: str) -> bool:
    """Whether a text only says, in its language, that the provision is no more.

    >>> says_gone("Aufgehoben", "de"), says_gone("(abrogé)", "fr"), says_gone("7 § on kumottu L:lla 1.1.2020/1.", "fi")
    (True, True, True)
    >>> says_gone("Das Gesetz wird aufgehoben, sobald die Frist abläuft.", "de")
    False
    """
    pattern = _MARKERS.get(language)
    return bool(pattern and len(text) <= _LONGEST_MARKER and "\n" not in text.strip() and pattern.fullmatch(text))


def _is_number(word: str) -> bool:
    return word.isdigit() or len(word) == 1 or roman(word) is not None

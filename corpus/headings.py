"""Reads the titles of Spanish provisions, Catalan and Galician ones too: kind, citation key, label, and heading."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from corpus.designations import (
    Designation,
    plain_spaces,
    read_annex,
    read_designation,
    read_group,
    read_hyphened_range,
    read_letter,
)
from corpus.identifiers import slug
from corpus.records import ArticleKind

_DISPOSITIONS: dict[str, tuple[ArticleKind, str]] = {
    "adicional": ("additional", "da"),
    "transitoria": ("transitional", "dt"),
    "final": ("final", "df"),
    "derogatoria": ("repealing", "dd"),
}
_PREFIXES: dict[ArticleKind, str] = {"article": "art", "other": "apartado", **dict(_DISPOSITIONS.values())}
_LEVELS = {"parte": 1, "libro": 2, "titulo": 3, "capitulo": 4, "seccion": 5, "subseccion": 6}
_LEVELS |= {"llibre": 2, "titol": 3, "capitol": 4, "seccio": 5, "subseccio": 6}

_ARTICLE = re.compile(
    r"(?:(?:art[ií]culo|article|artigo)(?P<plural>s)?|art(?P<plurals>s)?\.)(?=[\s\d])\s*"
    r"(?:(?:n[uú]m(?:ero|\.)|n\.?\s?[ºo°])\s*(?=\d))?",
    re.IGNORECASE,
)
# By the first letters of each: Catalan and Galician name them alike, but for the Galician "derradeira", the last.
_KINDS = {"a": "adicional", "t": "transitoria", "f": "final", "derra": "final", "d": "derogatoria"}
_KIND = r"add?icional|adicionais|transit[oò]ri[ae]|final|finais|derradeira|derr?ogat[oò]ri[ae]"
# "Artículos 55. Infracciones" is a slip of the pen, "Artículos 4.2, 5.2 y 13 del Decreto" is none.
_SOLE_NUMBER = re.compile(r"\d+(?:\s\w+)?\.?(?:\s+[A-ZÁÉÍÓÚÑ]|\s*$)")
_DISPOSITION = re.compile(
    r"(?:disp(?:\.|osici(?:[oó]n|[oó])(?P<plural>e?s)?|osicions)\s*"
    rf"(?P<name>{_KIND}|adic|trans|fin|derog)(?:es|s)?(?:\s+(?P=name))?"
    r"|(?P<initials>D\.?\s?[ATFD])(?=[.\s\d]))\b\.?\s*",
    re.IGNORECASE,
)
_SECOND_KIND = re.compile(r"(?:y\s+)?(?:adicional|transitoria|final|derogatoria)\b", re.IGNORECASE)
_OTHER_DISPOSITION = re.compile(r"disposici[oó]n\s+(?P<name>[^\W\d_]+)\b\s*", re.IGNORECASE)
_ANNEX = re.compile(
    r"(?P<noun>anexo|anejo|annex|ap[eéè]ndi(?:ce|x))\b(?:\s+(?:n[uú]m(?:ero|\.)?|n\.?[ºo°])\s*)?\s*", re.IGNORECASE
)
_NUMBERED_NOUN = re.compile(
    r"(?P<noun>norma|regla|base|instrucci[oó]n|cl[aá]usula|apartado|criterio|punto|principio|declaraci[oó]n"
    r"|ley(?=\s\d+(?:\s\w+)?\W*$))\b\s*(?=[\d\w])",
    re.IGNORECASE,
)
_PREAMBLE = re.compile(r"\W*(?:pre[aáà]mbulo?|exposici[oó]n? de moti(?:vo|u)s)\b\W*", re.IGNORECASE)
_GROUP_HEADING = re.compile(rf"disposici[oó]ne?s\s+({_KIND})(?:es|s)?\W*", re.IGNORECASE)

_ROMAN_LETTER = re.compile(r"^\w+\.? (?P<letter>[IVXLCDM])$")
_ROMAN = re.compile(r"[IVXLCDM]+(?!\w)")
_SEPARATOR = re.compile(r"[\s.:;,)\u2013\u2014-]*")
_RUNS_ON = re.compile(r"\s+(?:de|del|que|quedan?|se|y|e|o|u|al?|en|por|con|para|ser[aá]n?)\b")


@dataclass(frozen=True)
class Heading:
    """What a title says: `key` is the unit of a citation id, `label` the name as printed, `heading` the rest.

    `offset` is where the rest begins in the title, its white space joined.
    """

    kind: ArticleKind
    key: str
    label: str
    heading: str = ""
    offset: int = field(default=0, compare=False, repr=False)


@lru_cache(maxsize=4096)
def classify_all(title: str, within: ArticleKind | None = None) -> tuple[Heading, ...]:
    """Read a title that names one provision or several at once; empty if it names none, as headings of a structure do.

    `within` is the kind of the section a bare ordinal stands in ("Primera." below "DISPOSICIONES ADICIONALES");
    without it a bare ordinal is no title.

    >>> classify_all("Artículo 16 A. Objeto.")
    (Heading(kind='article', key='art-16-a', label='Artículo 16 A', heading='Objeto'),)
    >>> [classify_all(one)[0].key for one in ("Disposición adicional décimo octava", "DISPOSICIÓN FINAL", "Anexo 2")]
    ['da-18', 'df-unica', 'anexo-ii']
    >>> [classify_all(one)[0].key for one in ("Disposició transitòria segona", "Disposición derradeira terceira")]
    ['dt-2', 'df-3']
    >>> [heading.key for heading in classify_all("Artículos 35 a 38.")]
    ['art-35', 'art-36', 'art-37', 'art-38']
    """
    text = " ".join(re.split(r"[ \t\r\n]+", unicodedata.normalize("NFC", title))).strip(" ")
    for read in (_articles, _dispositions, _annex, _numbered_noun, _other_disposition, _preamble):
        found = read(text)
        if found:
            return found
    return _bare_ordinal(text, within) if within else ()


def section_level(title: str) -> int | None:
    """Give the depth of a heading of the structure, from part and book down to subsection; None if it is none.

    >>> section_level("TÍTULO PRELIMINAR"), section_level("Sección 1.ª"), section_level("Titulación exigida")
    (3, 5, None)
    """
    word = re.match(r"[^\W\d_]+", title.strip())
    return _LEVELS.get(slug(word[0])) if word else None


def group_kind(title: str) -> ArticleKind | None:
    """Give the kind of the provisions below a heading such as "DISPOSICIONES ADICIONALES"; None for any other."""
    found = _GROUP_HEADING.fullmatch(title.strip())
    return _DISPOSITIONS[_kind_named(found[1])][0] if found else None


def lettered(heading: Heading) -> Heading:
    """Give the heading of "Artículo I" in a law whose articles go by letters: `art-i`, not `art-1`.

    >>> [lettered(heading).key for title in ("Artículo I. Fin", "Artículo II") for heading in classify_all(title)]
    ['art-i', 'art-2']
    """
    letter = _ROMAN_LETTER.search(heading.label) if heading.kind == "article" else None
    return replace(heading, key=f"art-{letter['letter'].lower()}") if letter else heading


def _kind_named(name: str) -> str:
    return next(kind for start, kind in _KINDS.items() if name.lower().startswith(start))


def _articles(text: str) -> tuple[Heading, ...]:
    view = plain_spaces(text)
    noun = _ARTICLE.match(view)
    if noun is None:
        return ()
    is_plural = bool(noun["plural"] or noun["plurals"])
    several = read_hyphened_range(view, noun.end()) if is_plural else []
    if several:
        return _named(text, noun.end(), several, "article", "art")
    found = _numbered(text, noun.end(), "article", "art")
    is_list = bool(noun["plural"] and len(found) == 1 and not _SOLE_NUMBER.match(text, noun.end()))
    return () if is_list else found


def _dispositions(text: str) -> tuple[Heading, ...]:
    noun = _DISPOSITION.match(plain_spaces(text))
    if noun is None:
        return ()
    initials = re.sub(r"\W", "", noun["initials"] or "").lower()
    kind, prefix = _DISPOSITIONS[_kind_named(noun["name"] or initials[1:])]
    found = _numbered(text, noun.end(), kind, prefix)
    if found or noun["plural"] or initials:
        return found
    return _unnumbered(text, noun.end(), kind, f"{prefix}-unica")


def _unnumbered(text: str, end: int, kind: ArticleKind, key: str) -> tuple[Heading, ...]:
    """Name the sole provision of a kind; one that mixes two kinds ("final derogatoria") goes by its own words."""
    second = _SECOND_KIND.match(plain_spaces(text), end)
    if second:
        end = second.end()
        key, kind = slug(text[:end]), "repealing" if "derogatoria" in text[:end].lower() else kind
    return () if _RUNS_ON.match(f" {plain_spaces(text)[end:]}") else (_heading(text, end, kind, key),)


def _annex(text: str) -> tuple[Heading, ...]:
    view = plain_spaces(text)
    noun = _ANNEX.match(view)
    if noun is None:
        return ()
    is_appendix = noun["noun"].lower().startswith("ap")
    kind: ArticleKind = "appendix" if is_appendix else "annex"
    name = "apendice" if is_appendix else "anexo"
    number = read_annex(view, noun.end())
    if number is None:
        return (_heading(text, len(noun["noun"]), kind, name),)
    return (_heading(text, number.end, kind, f"{name}-{number.key}"),)


def _numbered_noun(text: str) -> tuple[Heading, ...]:
    noun = _NUMBERED_NOUN.match(plain_spaces(text))
    return _numbered(text, noun.end(), "other", slug(noun["noun"])) if noun else ()


def _other_disposition(text: str) -> tuple[Heading, ...]:
    view = plain_spaces(text)
    noun = _OTHER_DISPOSITION.match(view)
    if noun is None:
        return ()
    prefix, end = f"disposicion-{slug(noun['name'])}", len(noun[0].rstrip())
    found = _numbered(text, noun.end(), "other", prefix)
    return found or (() if _RUNS_ON.match(view, end) else (_heading(text, end, "other", prefix),))


def _preamble(text: str) -> tuple[Heading, ...]:
    if not _PREAMBLE.fullmatch(text):
        return ()
    return (Heading("preamble", "preambulo", "Preámbulo" if text.startswith("[") else text.strip(". ")),)


def _bare_ordinal(text: str, within: ArticleKind) -> tuple[Heading, ...]:
    prefix = _PREFIXES.get(within)
    return _numbered(text, 0, within, prefix) if prefix and not _ROMAN.match(text) else ()


def _numbered(text: str, start: int, kind: ArticleKind, prefix: str) -> tuple[Heading, ...]:
    """Read one number, or the several of a group, after the noun that ends at `start`."""
    view = plain_spaces(text)
    first = read_designation(view, start)
    if first is None:
        letter = read_letter(view, start) if kind != "other" and start else None
        return (_heading(text, letter.end, kind, f"{prefix}-{letter.key}"),) if letter else ()
    return _named(text, start, read_group(view, first), kind, prefix)


def _named(
    text: str, start: int, numbers: Sequence[Designation], kind: ArticleKind, prefix: str
) -> tuple[Heading, ...]:
    view, first = plain_spaces(text), numbers[0]
    if len(numbers) > 1 and not _RUNS_ON.match(view, numbers[-1].end):
        rest, offset = _rest(text, numbers[-1].end)
        noun = _singular(view[:start])
        labels = [f"{noun} {number.key.replace('-', ' ')}".strip() for number in numbers]
        keys = [f"{prefix}-{number.key}" for number in numbers]
        return tuple(Heading(kind, key, label, rest, offset) for key, label in zip(keys, labels, strict=True))
    return () if _RUNS_ON.match(view, first.end) else (_heading(text, first.end, kind, f"{prefix}-{first.key}"),)


def _heading(text: str, end: int, kind: ArticleKind, key: str) -> Heading:
    rest, offset = _rest(text, end)
    return Heading(kind, key, plain_spaces(text[:end]).strip().rstrip("."), rest, offset)


def _rest(text: str, end: int) -> tuple[str, int]:
    """Give what follows the label, without its final stop, and where it begins."""
    separator = _SEPARATOR.match(text, end)
    offset = separator.end() if separator else end
    rest = text[offset:].strip(" ")
    return rest[:-1] if rest.endswith(".") and not rest.endswith("..") else rest, offset


def _singular(noun: str) -> str:
    noun = re.sub(r"(?i)^(art[ií]culo|article|artigo)s\b", r"\1", noun.strip())
    return re.sub(r"(?i)^disposiciones (adicional|transitoria|derogatoria|final)(?:es|s)\b", r"Disposición \1", noun)

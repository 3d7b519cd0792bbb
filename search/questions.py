"""What was asked: a question cleaned of what no text holds, and read into words, phrases and conditions."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from search.errors import BlankQuery, QueryTooLong

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHARACTERS = 2_000

_UNREADABLE = {"Cc", "Cs", "Co", "Cn"}
_INVISIBLE = {"Cf"}
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»＂", '"'))
_CLAUSE = re.compile(
    r"""(?:(?<!\S)(?P<sign>[-−])(?=["\w]))?
    (?:(?<![^\s−-])(?P<field>heading|r[uú]brica):\s?(?=["\w]))?
    (?:"(?P<phrase>[^"]*)"|(?P<word>[^\s"]+))""",
    re.VERBOSE | re.IGNORECASE,
)
_SPACE = re.compile(r"\s+")
# What has more words outside quotation marks than this is prose, whose quotation marks and dashes ask for nothing.
MOST_WORDS_WITH_OPERATORS = 15


@dataclass(frozen=True)
class Question:
    """A question in parts: free `words` to rank by, and what a text must or must not hold.

    `phrases` are the quoted ones; `headings` are words or phrases that the heading must hold; `excluded` are words
    or phrases that no text found may hold. `plain` is the question as a sentence, without its operators.
    """

    text: str
    words: str
    phrases: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    @property
    def has_conditions(self) -> bool:
        """Whether something must, or must not, be in a text for it to be found."""
        return bool(self.phrases or self.headings or self.excluded)

    @property
    def plain(self) -> str:
        """What is looked for, without what is excluded."""
        return " ".join(part for part in (self.words, *self.phrases, *self.headings) if part)


def clean(text: str, *, parameter: str = "q") -> str:
    r"""Give a question in NFC, without control characters or surrogates, its white space single.

    Raise `BlankQuery` if nothing is left, `QueryTooLong` if more is than is read.

    >>> clean("  iva\0 \udc80 reducido\u00a0\u200b")
    'iva reducido'
    """
    if len(text) > 4 * MAX_CHARACTERS:
        raise _too_long(parameter)
    readable = "".join(_readable(character) for character in text)
    cleaned = _SPACE.sub(" ", unicodedata.normalize("NFC", readable)).strip()
    if not cleaned:
        raise BlankQuery(_("Escriba qué busca: la consulta está vacía."), parameter=parameter)
    if len(cleaned) > MAX_CHARACTERS:
        raise _too_long(parameter)
    return cleaned


def read(text: str) -> Question:
    """Read a cleaned question; whatever is no operator is words, so that nothing typed is an error.

    A paragraph that was pasted quotes and puts between dashes as prose does: it has no operators.

    >>> read('alquiler "no residentes" -local heading:prórroga')
    Question(text='alquiler "no residentes" -local heading:prórroga', words='alquiler', phrases=('no residentes',), \
headings=('prórroga',), excluded=('local',))
    >>> read('modelo -347 o "sin cerrar').words
    'modelo -347 o sin cerrar'
    """
    clauses = list(_CLAUSE.finditer(_quoted(text)))
    if sum(clause["word"] is not None for clause in clauses) > MOST_WORDS_WITH_OPERATORS:
        return Question(text, _SPACE.sub(" ", _quoted(text).replace('"', " ")).strip())
    words: list[str] = []
    phrases: list[str] = []
    headings: list[str] = []
    excluded: list[str] = []
    for clause in clauses:
        is_phrase = clause["phrase"] is not None
        said = clause["phrase"].strip() if is_phrase else clause["word"]
        if clause["sign"] and (is_phrase or not said[0].isdigit()):
            excluded.append(said)
        elif clause["field"]:
            headings.append(said)
        elif is_phrase:
            phrases.append(said)
        else:
            words.append(clause[0])
    return Question(text, " ".join(words), _kept(phrases), _kept(headings), _kept(excluded))


def _quoted(text: str) -> str:
    """Make every quotation mark a straight one, and drop the one that is left open."""
    straight = text.translate(_QUOTES)
    if straight.count('"') % 2:
        before, _mark, after = straight.rpartition('"')
        return f"{before} {after}"
    return straight


def _kept(parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(part for part in parts if part))


def _too_long(parameter: str) -> QueryTooLong:
    detail = _("La consulta tiene más de %(limit)d caracteres.") % {"limit": MAX_CHARACTERS}
    return QueryTooLong(detail, parameter=parameter, limit=MAX_CHARACTERS)


def _readable(character: str) -> str:
    category = unicodedata.category(character)
    if category in _UNREADABLE:
        return " "
    return "" if category in _INVISIBLE else character

"""Sub-units of a provision as they are cited: apartados, números, letras, their lists, and párrafos."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from corpus.identifiers import SUFFIX_SPELLINGS
from search.citations.folding import Folded
from search.citations.spanish.counting import number_in_words
from search.citations.spanish.lexicon import (
    AND,
    BLANK,
    COUNTS,
    GAP,
    NUMBER_MARK,
    ORDINAL_WORD,
    SIGN,
    SUFFIX,
    THROUGH,
)

# A letra is one letter, the same one twice, "ab" and so on behind z, or a small roman numeral; never a short word.
LETTER = r"(?P<letter>(?P<one>[a-zñ])(?P=one)?|ch|[ivx]{2,6}|a[a-zñ](?=[ ]?'{0,2}[ ]?\)))"
LEVEL = (
    r"(?P<level>(?:apartados?|sub-?apartados?|letras?|sub-?letras?|numeros?|ordinal(?:es)?|numeral(?:es)?|puntos?|reglas?"
    r"|normas?|epigrafes?|casos?|supuestos?|parrafos?|incisos?|guion(?:es)?|frases?"
    r"|paragraphs?|sections?|letters?|points?)(?![a-zñ.])"
    r"|(?:ap(?:t?dos?|s|art)?|lets?|nums?|ords?|ptos?|n\.?[ºª]|parrs?|pfos?)(?![a-zñ])\.?|n\.(?=[ ]?\d)|§+(?=[ ]?\d))"
)
_TAIL_LEVELS = ("parr", "pfo", "inciso", "guion", "frase")

_CHAIN = re.compile(
    r"(?:[ ]?\.|:)(?P<number>\d{1,3})(?P<sign>\.?[ºª]|\.o(?![a-z0-9ñ)]))?"
    rf"(?:[ .-]?(?P<suffix>{SUFFIX}))?(?![\d/%]|,\d|\.\d{{3}})"
    rf"|(?:\.|(?<=[\dºª]),)?[ ]?{LETTER}(?:[ -](?P<letter_suffix>{SUFFIX}))?[ ]?'{{0,2}}\)"
    rf"(?:[ ](?P<late_suffix>{SUFFIX}))?"
    r"|\.(?P<dotted>[a-zñ])(?:'{1,2}|(?![a-z0-9ñ']))(?![a-z0-9ñ])"
    r"|\.(?P<roman>[ivx]{2,6})(?![a-z0-9ñ])"
    r"|[ ](?P<signed>\d{1,2})(?P<signed_sign>\.?[ºª])(?![a-z0-9ñ])"
    r"|(?<=\))\.?(?P<inner>\d{1,3})(?P<inner_sign>\.?[ºª])?(?![\d/%])"
    r"|(?:\.|[ ]?)\((?P<bracketed>[a-zñ]|[ivx]{2,5})\)"
    r"|(?<=[\dºª)])\((?P<enclosed>\d{1,2})\)"
)
_AFTER_SUFFIX = re.compile(rf"[ .](?P<number>\d{{1,2}})(?P<sign>{SIGN})?(?![\d/%]|,\d|[ ](?:de|por)[ ])")
_LOOSE = re.compile(r"(?:[ ]?\.[ ]?|[ ])(?P<bracket>\()?(?P<number>\d{1,3})(?P<sign>\.?[ºª])?(?(bracket)\))(?![\d/%])")
_LOOSE_LETTER = re.compile(r"[ ]?(?P<letter>[a-zñ])(?![a-zñ0-9ºª.)(])(?![ ]\d)")
_CAPITAL_WORD = re.compile(
    r"\.[ ]?(?=[a-z]{3})|[ ](?=(?:uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez)(?![a-z]))"
)
_ITEM = re.compile(
    rf"{NUMBER_MARK}(?:(?P<number>\d{{1,3}})(?P<sign>{SIGN})?(?![\d/%]|,\d)"
    rf"|{LETTER}(?![a-z0-9ñ]))"
    rf"(?:[ -]?(?P<suffix>{SUFFIX}))?(?P<bracket>[ ]?'{{0,2}}\))?(?:[ ](?P<late>{SUFFIX}))?"
)
_FAR = 10
"""How far behind the last part a number of a list is no further part, but an article."""
_WORD_SUFFIX = re.compile(rf"[ ](?P<suffix>{SUFFIX})")
_LEVEL = re.compile(LEVEL + GAP)
# Behind a comma "número" is a level of its own, not the mark of the next one: "apartado 1, número 2.º".
_NUMBER_LEVEL = re.compile(r"(?:numeros?|nums?)(?![a-z])")
_AND = re.compile(rf"{AND}(?:(?:el|la|los|las|del|de|en{BLANK}(?:el|la)){BLANK})?")
_THROUGH = re.compile(rf"{THROUGH}|[ ]?-[ ]?")
_ENDS_LETTER = re.compile(
    r"[^a-zñ0-9]*$|[,.;:)\]»\"']|[ \n]+(?:del?|y|e|o|u|al?|anterior|siguiente|precedente)(?![a-zñ])"
)
_LAW_BEHIND = re.compile(r"[ ](?:[A-Z]\.?[A-Z]|Ley )")

_ORDINALS = rf"{ORDINAL_WORD}(?:(?:,[ ]|{BLANK}[yea]{BLANK}){ORDINAL_WORD})*"
_DIGITS = rf"\d{{1,2}}{SIGN}?(?!\d)(?:(?:,[ ]|{BLANK}[yea]{BLANK})\d{{1,2}}{SIGN}(?!\d))*"
_TAIL = re.compile(
    rf"(?:parrafos?|parrs?\.?|pars?\.|pfos?\.?|incisos?|guion(?:es)?|frases?){BLANK}(?:{_ORDINALS}|finale?s?|unicos?|{_DIGITS})"
    rf"|(?:dos{BLANK}|tres{BLANK})?{ORDINAL_WORD}s?{BLANK}(?:parrafos?|incisos?|frases?|guion(?:es)?)(?![a-zñ])"
    rf"|(?:parrafos?|incisos?){BLANK}(?:anterior|siguiente)(?:es)?"
    rf"|in{BLANK}fine|et{BLANK}seq\.?|y{BLANK}s\.|(?:y|e)t?{BLANK}(?:siguientes|sigs?\.|s?gtes?\.|stes\.|ss\.?|concordantes|conc(?:ord)?s?\.?|cc\.)(?![a-zñ])"
    r"|(?:ss|sigs|sgtes)(?:\.(?![ ]?[a-z]\.)|(?![a-zñ.]))"
)


_OF_PARAGRAPHS = re.compile(rf"{_ORDINALS}s?{BLANK}(?:parrafos?|incisos?|frases?)(?![a-z])")


class Part(NamedTuple):
    """One level of a path: what an id calls it, and where it is written."""

    segment: str
    start: int
    end: int
    is_signed: bool = False


class Span(NamedTuple):
    """A path below a provision, or every path from it through `last`."""

    parts: tuple[Part, ...]
    last: tuple[Part, ...] = ()


class Group(NamedTuple):
    """A level with what it lists: "apartados 1 y 2", "letra a)", "párrafo segundo"."""

    level: str
    spans: tuple[Span, ...]
    tail: str
    start: int
    end: int


def read_chain(
    text: Folded, start: int, *, is_loose: bool = False, has_suffix: bool = False
) -> tuple[tuple[Part, ...], int]:
    """Read the levels written right behind a number: ".2.a)", ".Uno.1.º", " a)", nothing at all."""
    parts: list[Part] = []
    end = start
    if has_suffix and (match := _AFTER_SUFFIX.match(text.lower, end)):
        parts.append(_numbered(match))
        end = match.end()
    while len(parts) < 8 and (found := _link(text, end, is_loose) or _small_letter(text, parts, is_loose)):
        parts.append(found)
        end = found.end
    return tuple(parts), end


def read_group(text: Folded, start: int, *, is_loose: bool = False) -> Group | None:
    """Read a level word with all it lists; párrafos and their kin are a tail, unless lettered."""
    tail = _TAIL.match(text.lower, start)
    if tail:
        return Group("parrafo", (), text.slice(start, tail.end()), start, tail.end())
    level = _LEVEL.match(text.lower, start)
    if level is None:
        return None
    name = level["level"]
    first = read_item(text, level.end(), name, is_loose=is_loose)
    if first is None or (name.startswith(_TAIL_LEVELS) and not text.lower.startswith(")", first[1] - 1)):
        return None
    spans, end = _listed(text, first, name, is_loose)
    return Group(name, tuple(spans), "", start, end)


def read_tail(text: Folded, start: int) -> tuple[str, int] | None:
    """Read what is no unit behind one: "párrafo segundo", "in fine", "y siguientes"."""
    match = _TAIL.match(text.lower, start)
    return (text.slice(start, match.end()), match.end()) if match else None


def read_item(text: Folded, start: int, level: str, *, is_loose: bool = False) -> tuple[tuple[Part, ...], int] | None:
    """Read one thing listed behind a level word, with the levels written right behind it."""
    match = _ITEM.match(text.lower, start)
    if match is None or (
        match["letter"] and not match["bracket"] and not _may_stand_bare(text, match, level, is_loose)
    ):
        return _worded(text, start)
    part = _lettered(match) if match["letter"] else _numbered(match)
    deeper, end = read_chain(text, match.end(), is_loose=is_loose)
    return (part, *deeper), end


def _listed(text: Folded, first: tuple[tuple[Part, ...], int], level: str, is_loose: bool) -> tuple[list[Span], int]:
    parts, end = first
    spans = [Span(parts)]
    while len(spans) < 50:
        through, joint = _THROUGH.match(text.lower, end), _AND.match(text.lower, end)
        match = through if through and not spans[-1].last else joint
        found = read_item(text, match.end(), level, is_loose=is_loose) if match else None
        if (
            match is None
            or found is None
            or not _is_alike(text, spans[-1].parts, found[0][0])
            or (not level.endswith("s") and _is_article(text, match, found, spans[-1].parts[0], level))
            or COUNTS.match(text.lower, found[1])
            or _OF_PARAGRAPHS.match(text.lower, match.end())
            or (match is joint and "," in joint[0] and _NUMBER_LEVEL.match(text.lower, match.end()))
        ):
            break
        parts = _below_same(spans[-1].parts, found[0])
        spans[-1:] = [Span(spans[-1].parts, parts)] if match is through else [spans[-1], Span(parts)]
        end = found[1]
    return spans, end


def _below_same(before: tuple[Part, ...], found: tuple[Part, ...]) -> tuple[Part, ...]:
    """Put "b)" of "apartado 2.a) y b)" below the 2; a full path of its own stays as it is."""
    if len(before) > 1 and before[0].segment.isdigit() and not found[0].segment[0].isdigit():
        return (*before[:-1], *found)
    return found


def _is_alike(text: Folded, before: tuple[Part, ...], found: Part) -> bool:
    """Tell "a) y b)", "2.a) y 3" from "a) y 3 años", "2 y segundo párrafo": a list goes on in a kind that it has."""
    return _script(text, found) in {_script(text, before[0]), _script(text, before[-1])}


def _is_article(
    text: Folded, joint: re.Match[str], found: tuple[tuple[Part, ...], int], before: Part, level: str
) -> bool:
    """Whether a number is no further part but an article, as it has levels of its own: "número 2, y 12, número 3".

    So is the 22 of "artículo 21, apartado 2, y el 22.1", and one far behind: "artículos 23, número 5, y 30".
    """
    parts, end = found
    if not parts[0].segment.isdigit():
        return False
    is_far = before.segment.isdigit() and int(parts[0].segment) > int(before.segment) + _FAR
    if is_far and "," in joint[0] and _script(text, parts[0]) == "digit":
        return True
    again = _LEVEL.match(text.lower, end + 2) if text.lower.startswith(", ", end) else None
    return bool(again and again["level"][:3] == level[:3]) or (len(parts) > 1 and joint[0].endswith(" el "))


def _script(text: Folded, part: Part) -> str:
    if not part.segment[0].isdigit():
        return "letter"
    return "digit" if text.lower[part.start].isdigit() else "word"


def _may_stand_bare(text: Folded, match: re.Match[str], level: str, is_loose: bool) -> bool:
    """Whether a letter without its bracket is a letra: "letra a", "apartado A", not "apartado a que se refiere"."""
    is_capital = text.plain[match.start("letter")].isupper()
    is_letra = level.startswith("let")
    if is_letra and (_LAW_BEHIND.match(text.plain, match.end()) or (is_loose and match["letter"] not in "yeou")):
        return True
    return bool((is_loose or is_capital or is_letra) and _ENDS_LETTER.match(text.lower, match.end()))


def _link(text: Folded, at: int, is_loose: bool) -> Part | None:
    match = _CHAIN.match(text.lower, at)
    if match is None:
        return _worded_link(text, at) or (_loose_link(text, at) if is_loose else None)
    if match["number"]:
        return _numbered(match)
    if match["enclosed"]:
        return Part(match["enclosed"].lstrip("0") or "0", match.start("enclosed"), match.end())
    number = "signed" if match["signed"] else "inner" if match["inner"] else ""
    if number:
        is_signed = bool(match[f"{number}_sign"])
        return Part(match[number].lstrip("0") or "0", match.start(number), match.end(), is_signed)
    if _is_sibling(text, match):
        return None
    if match["roman"] and not text.plain[match.start("roman") : match.end()].isupper():
        return None
    name = next(name for name in ("dotted", "roman", "bracketed", "letter") if match[name])
    return Part(match[name] + suffix_of(match["letter_suffix"] or match["late_suffix"]), match.start(name), match.end())


def _small_letter(text: Folded, parts: Sequence[Part], is_loose: bool) -> Part | None:
    """Read the letter written without dot or bracket behind an apartado: "53.1b", "53.1 b LPAC"."""
    is_numbered = bool(parts) and parts[-1].segment.isdigit() and text.lower[parts[-1].end - 1].isdigit()
    match = _LOOSE_LETTER.match(text.lower, parts[-1].end) if is_numbered else None
    if match is None or match["letter"] in ("yeou" if match[0].startswith(" ") else "o"):
        return None
    if not (is_loose or not match[0].startswith(" ") or _LAW_BEHIND.match(text.plain, match.end())):
        return None
    return Part(match["letter"], match.start("letter"), match.end())


def with_sign(text: Folded, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Give levels that end in "18a" or "18.a" as if their a were the sign of the 18.ª; none where it cannot be."""
    if len(parts) < 2 or parts[-1].segment != "a" or text.lower[parts[-1].end - 1] != "a":
        return ()
    *above, number, letter = parts
    if not number.segment.isdigit() or number.is_signed or letter.start - number.end > 1:
        return ()
    return (*above, number._replace(end=letter.end, is_signed=True))


def _is_sibling(text: Folded, match: re.Match[str]) -> bool:
    """Tell "a) b)", one beside the other, from "a).b)" and "a) ii)", one below the other."""
    is_behind_bracket = text.lower.startswith(")", match.start() - 1) and not match[0].startswith(".")
    return is_behind_bracket and bool(match["letter"]) and not set(match["letter"]) <= set("ivx")


def suffix_of(word: str | None) -> str:
    """Give what a Latin suffix adds to a segment: "-bis", or nothing for none."""
    return f"-{SUFFIX_SPELLINGS[word]}" if word else ""


def _worded_link(text: Folded, at: int) -> Part | None:
    """Read ".Uno" or " Uno" behind a number: a word there is a level only in capitals or right behind the dot."""
    match = _CAPITAL_WORD.match(text.lower, at)
    if match is None or (match[0] != "." and not text.plain[match.end()].isupper()):
        return None
    words = number_in_words(text.lower, match.end())
    return Part(str(words.value), match.end(), words.end) if words else None


def _loose_link(text: Folded, at: int) -> Part | None:
    match = _LOOSE.match(text.lower, at)
    return _numbered(match) if match else None


def _worded(text: Folded, start: int) -> tuple[tuple[Part, ...], int] | None:
    words = number_in_words(text.lower, start)
    if words is None:
        return None
    suffix = _WORD_SUFFIX.match(text.lower, words.end)
    end = suffix.end() if suffix else words.end
    segment = f"{words.value}{suffix_of(suffix['suffix'] if suffix else None)}"
    deeper, end_of_chain = read_chain(text, end)
    return (Part(segment, start, end), *deeper), end_of_chain


def _numbered(match: re.Match[str]) -> Part:
    groups = match.groupdict()
    segment = (match["number"].lstrip("0") or "0") + suffix_of(groups.get("suffix") or groups.get("late"))
    return Part(segment, match.start("number"), match.end(), is_signed=bool(match["sign"]))


def _lettered(match: re.Match[str]) -> Part:
    return Part(match["letter"] + suffix_of(match["suffix"] or match["late"]), match.start("letter"), match.end())

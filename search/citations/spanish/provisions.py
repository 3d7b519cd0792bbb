"""Provisions as they are cited: articles, disposiciones, annexes, the preamble, their lists and ranges."""

from __future__ import annotations

import re

from corpus.ordinals import roman
from search.citations.folding import Folded
from search.citations.spanish.annexes import annex_number
from search.citations.spanish.counting import number_in_words
from search.citations.spanish.levels import Part, read_chain, suffix_of, with_sign
from search.citations.spanish.lexicon import BLANK, GAP, NUMBER_MARK, SIGN, SUFFIX, spaced
from search.citations.spanish.unit_values import Kind, Through, Unit
from search.citations.spanish.unnumbered import unnumbered

_DISPOSITIONS = {"a": "da", "t": "dt", "f": "df", "d": "dd"}
_NAMED_TYPE = (
    r"(?P<type>(?:add?icional(?:e?s)?|transitori(?:as?|es)|final(?:e?s)?|derogatori(?:as?|es))(?![a-zñ])"
    r"|(?:adic|ad|transit|transis|trans|trs?|fin|derog|der)(?![a-zñ])\.?)"
)
_SHORT_TYPE = _NAMED_TYPE.replace("type", "short")
KIND = re.compile(
    spaced(
        r"(?P<article>(?:articulos?|articles?|artigos?)(?![a-zñ])|art(?:ics?|s)?(?:\.?º)?(?![a-zñ])~\.?)_"
        rf"|disp(?:osicio(?:n(?:e?s)?)?|osic|s)?\.?_{_NAMED_TYPE}_"
        r"|dd\.?~(?P<doubled>aa|tt|ff|dd)(?:\.|(?![a-zñ]))(?:ªs?)?_"
        rf"|d(?P<dotted>\.)?~(?:(?P<initial>[atfd])(?:\.|(?![a-zñ])|(?=u(?![a-zñ])))ª?|{_SHORT_TYPE})_"
        r"|(?P<annex>anexos?|anejos?)(?![a-zñ])_|(?P<appendix>apendices?)(?![a-zñ])_"
        r"|(?P<preamble>preambulo|exposicion de motivos)(?![a-zñ])"
    )
)
# Alone "tr", "ad", "fin" and "der" are other words: "TR de la LRHL" is a texto refundido.
_LOOSE_TYPE = re.compile(rf"(?!(?:trs?|ad|fin|der)(?![a-zñ])){_NAMED_TYPE}{GAP}")
_NUMBER = re.compile(
    rf"{NUMBER_MARK}(?P<number>\d{{1,3}}\.\d{{3}}(?!\d)|\d{{1,4}})(?!\d)(?P<sign>{SIGN})?(?P<suffix_gap>{GAP}(?:[-.]?{GAP}|(?P<quoted>[(«\"']))(?P<suffix>{SUFFIX})(?(quoted)[)»\"']))?"
)
_TRANSITORY = re.compile(r"[ ]transitori[oa](?![a-zñ])")
# Where there is no "ª" on the keyboard: "disposición adicional 1a", and "artículo 1o" unless it has a letra o).
_FEMININE = re.compile(r"a(?![a-z0-9ñ)])")
_MASCULINE = re.compile(r"(?<=[^0-9.][1-9])o(?![a-z0-9ñ)])")
_SUFFIX = re.compile(rf"{BLANK}(?P<suffix>{SUFFIX})")
_LETTER = re.compile(r"[ -](?P<letter>[a-z])(?![a-z0-9ñ)ºª'])(?!\.[a-z](?!\)))(?!\.[ ](?:[a-z]\.|org))")
_TIGHT_LETTER = re.compile(r"[a-np-z](?![a-z0-9ñ)ºª.'])")
_OF_NUMBER = re.compile(r"n\.?[ ]?\d|[LD][ ]?\d{1,3}/\d")
_ENDS_KEY = re.compile(r"[^a-z0-9]*$|[.,;:)\]»\"/]|[ \n]+(?:(?:del?|y|o|u|en|al?[ ]\d|bis)(?![a-z])|[A-Z])")
_LAW_BEHIND = re.compile(r"[ \n](?:[A-Z]{2}|Ley )")
# What some laws go on from "bis" with, or instead of it: nothing else may stand between it and the law.
_WORD_SUFFIX = re.compile(
    r"[ ](?P<word>(?:decimo)?(?:segund|tercer|cuart|quint|sext|septim|octav|noven)[oa]|(?:un|duo)?decim[oa]"
    r"|[a-z]{3,}decies|[a-z]{3,}gies)(?=[ \n](?:del?(?: la| el)? (?:[A-Z]|R\.)|[A-Z]{2}|Ley )|[.,;)]*$)"
)
_CODE = re.compile(r"c\.[ ]?(?:civil|penal|com)(?![a-z]{3})")
_VOWELS = "aeouy"
_RANGE_ON = re.compile(rf"{BLANK}(?:\d|la[ ]|el[ ])")
_ANNEX_PARTS = re.compile(r"(?:\.(?:\d{1,2}(?!\d)|[a-z](?![a-z0-9ñ]))|[ ]?[-/][ ]?(?:\d{1,2}|[a-z])(?![a-z0-9ñ]))+")
_ANNEX_PART = re.compile(
    spaced(r"_,?_(?P<noun>parte|seccion) (?P<part>[a-z]|[ivx]{1,5}|\d{1,2})(?![a-z0-9ñ])(?:\)|\.?[ºª])?")
)
_JOINT = re.compile(rf"(?P<joint>[-/])(?P<second>\d{{1,4}})(?:[ ](?P<suffix>{SUFFIX}))?(?![\d/])")
_DASHED = re.compile(r"-(?:(?P<number>\d{1,2})|(?P<letter>[a-zñ])\)?)(?![a-z0-9ñ/])")
_ROMAN = re.compile(r"(?P<roman>[ivxlcdm]+)(?![a-z0-9ñ])")


def read_kind(text: Folded, start: int, *, is_loose: bool = False) -> Kind | None:
    """Read "artículos", "D.A.", "disposición final", "anexo"; initials must be capitals in running text."""
    match = KIND.match(text.lower, start)
    if match is None:
        return read_other_disposition(text, start) if is_loose else None
    if match["article"]:
        noun = match["article"]
        return Kind("art", is_plural=noun.startswith(("articulos", "articles", "artigos", "arts")), end=match.end())
    named = match["type"] or match["short"] or match["initial"] or match["doubled"]
    if named:
        return _disposition(text, match, named, is_loose)
    prefix = "anexo" if match["annex"] else "apendice" if match["appendix"] else "preambulo"
    return Kind(prefix, is_plural=match[0].rstrip(" .").endswith("s"), end=match.end())


def read_other_disposition(text: Folded, start: int) -> Kind | None:
    """Read the bare adjective that goes on a list: "disposiciones adicional primera y transitoria segunda"."""
    match = _LOOSE_TYPE.match(text.lower, start)
    return Kind(_DISPOSITIONS[match["type"][0]], is_plural=False, end=match.end()) if match else None


def read_unit(text: Folded, start: int, kind: Kind, *, is_loose: bool = False) -> Unit | None:
    """Read one number behind the noun of a provision, with the levels written right behind it."""
    if kind.prefix == "preambulo":
        return Unit("preambulo", (), start, kind.end)
    is_loose = is_loose and not kind.is_plural
    if kind.prefix in {"anexo", "apendice"}:
        return _annex(text, start, kind.prefix, is_loose)
    match = _NUMBER.match(text.lower, start)
    if match:
        return _numbered(text, match, kind.prefix, is_loose)
    return _worded(text, start, kind.prefix, is_loose) or _unnumbered(text, start, kind.prefix, is_loose)


def _disposition(text: Folded, match: re.Match[str], named: str, is_loose: bool) -> Kind | None:
    initial = "doubled" if match["doubled"] else "initial"
    is_short = bool(match["short"] or match[initial])
    is_capital = text.plain[match.start()].isupper() and text.plain[match.start(initial)].isupper()
    if is_short and not (is_loose or (match["dotted"] and match["short"]) or (match[initial] and is_capital)):
        return None
    is_plural = bool(match["doubled"]) or (named.endswith("s") and named != "transis")
    return Kind(_DISPOSITIONS[named[0]], is_plural, match.end())


def _numbered(text: Folded, match: re.Match[str], prefix: str, is_loose: bool) -> Unit:
    key = f"{prefix}-{int(match['number'].replace('.', ''))}{suffix_of(match['suffix'])}"
    key, end = _transitory(text, key, match.end())
    is_signed = bool(match["sign"])
    if text.lower[end - 1].isdigit() and (signed := _without_sign(text, end, prefix)):
        end, is_signed = signed, True
    ends = _ENDS_KEY.match(text.lower, end + 2) or _LAW_BEHIND.match(text.plain, end + 2)
    may_be_small = is_loose or bool(match["suffix"] and ends)
    letter = _own_letter(text, end, may_be_small)
    if letter is None and prefix == "art" and text.lower[end - 1].isdigit() and _TIGHT_LETTER.match(text.lower, end):
        letter = end
    if letter is not None:
        return _lettered(text, match, key, letter, is_loose)
    if prefix == "art" and _MASCULINE.match(text.lower, end):
        return _with_o(text, key, match.start(), end, is_loose)
    worded = _WORD_SUFFIX.match(text.plain, end) if not match["suffix"] else None
    if worded:
        return _with_word(text, match, key, worded)
    joint = _JOINT.match(text.lower, end)
    if joint:
        return _joined(text, match, joint, prefix, is_loose)
    parts, last = read_chain(text, end, is_loose=is_loose, has_suffix=bool(match["suffix"]))
    dashed = _DASHED.match(text.lower, last) if parts and parts[-1].segment.isdigit() else None
    if dashed and dashed["letter"]:
        more, last = _dashed(text, last)
        parts = (*parts, *more)
    others = _readings(text, key, match, parts, last)
    return Unit(key, parts, match.start(), last, others=others, is_signed=is_signed)


def _without_sign(text: Folded, end: int, prefix: str) -> int | None:
    """Find the end of the "1a" of a disposición, which is its 1.ª."""
    match = _FEMININE.match(text.lower, end) if prefix in {"da", "dt", "df", "dd"} else None
    return match.end() if match else None


def _with_o(text: Folded, key: str, start: int, end: int, is_loose: bool) -> Unit:
    """Read "artículo 1o": the letra o) of the 1 where it has one, else its 1.º."""
    parts, last = read_chain(text, end + 1, is_loose=is_loose)
    signed = Unit(key, parts, start, last, is_signed=True)
    return signed._replace(parts=(Part("o", end, end + 1), *parts), others=(signed,))


def _readings(
    text: Folded, key: str, match: re.Match[str], parts: tuple[Part, ...], end: int
) -> tuple[Unit | Through, ...]:
    """Give what else a number may be: "1.902" the 902 of the 1, "1.2" and "16.A" a key of its own."""
    prefix = key.split("-")[0]
    if "." in match["number"]:
        whole, rest = match["number"].split(".")
        part = Part(rest.lstrip("0") or "0", match.start("number") + len(whole) + 1, match.end())
        return (Unit(f"{prefix}-{whole}", (part, *parts), match.start(), end),)
    is_named = bool(parts) and (
        parts[0].segment[0].isdigit() or bool(match["suffix"]) or text.plain[parts[0].start : end].isupper()
    )
    is_key = is_named and not parts[0].is_signed
    keyed = (Unit(f"{key}-{parts[0].segment}", parts[1:], match.start(), end),) if is_key else ()
    signed = with_sign(text, parts)
    return (*keyed, Unit(key, signed, match.start(), end)) if signed else keyed


def _with_word(text: Folded, match: re.Match[str], key: str, worded: re.Match[str]) -> Unit:
    """Read "artículo 64 quinto": a key of its own in some laws, the apartado of the 64 in others."""
    word, number = worded["word"].lower(), number_in_words(text.lower, worded.start("word"))
    parts, end = read_chain(text, worded.end())
    own = Part(str(number.value), worded.start("word"), worded.end()) if number else None
    others = (Unit(key, (own, *parts), match.start(), end),) if own else ()
    return Unit(f"{key}-{word}", parts, match.start(), end, others=others)


def _own_letter(text: Folded, at: int, may_be_small: bool) -> int | None:
    """Find the letter that belongs to an article's number ("16 A", "588 ter a"), not a word of one letter."""
    match = _LETTER.match(text.lower, at)
    if match is None:
        return None
    place, letter = match.start("letter"), match["letter"]
    if _CODE.match(text.lower, place) or _OF_NUMBER.match(text.plain, place):
        return None
    if not text.plain[place].isupper():
        is_word = letter in "yeou" or (letter == "a" and _RANGE_ON.match(text.lower, match.end()))
        return place if may_be_small and not is_word else None
    if letter in _VOWELS and not _ENDS_KEY.match(text.plain, match.end()):
        return None
    return place


def _lettered(text: Folded, match: re.Match[str], key: str, letter: int, is_loose: bool) -> Unit:
    """Read "16 A"; typed without a capital it may also be the letra a) of the 16."""
    parts, end = read_chain(text, letter + 1, is_loose=is_loose)
    below = Unit(key, (Part(text.lower[letter], letter, letter + 1), *parts), match.start(), end)
    others = () if text.plain[letter].isupper() else (below,)
    return Unit(f"{key}-{text.lower[letter]}", parts, match.start(), end, others=others)


def _joined(text: Folded, match: re.Match[str], joint: re.Match[str], prefix: str, is_loose: bool) -> Unit:
    """Read "111-1": the law's own key before a range, and a range before a sub-unit; "10/1" is only a key."""
    first = f"{prefix}-{match['number'].replace('.', '')}{suffix_of(match['suffix'])}"
    second = joint["second"] + suffix_of(joint["suffix"])
    dashed, end = _dashed(text, joint.end())
    chain, end = read_chain(text, end, is_loose=is_loose)
    parts = (*dashed, *chain)
    others: tuple[Unit | Through, ...] = ()
    if joint["joint"] == "-":
        bounds = (
            Unit(first, (), match.start(), match.end()),
            Unit(f"{prefix}-{second}", parts, joint.start("second"), end),
        )
        below = Unit(first, (Part(second, joint.start("second"), joint.end()), *parts), match.start(), end)
        numbers = int(match["number"].replace(".", "")), int(joint["second"])
        is_ascending = numbers[0] < numbers[1] or (numbers[0] == numbers[1] and bool(joint["suffix"]))
        others = (Through(*bounds),) if is_ascending and not dashed else (below,)
    return Unit(f"{first}-{second}", parts, match.start(), end, others=others)


def _dashed(text: Folded, end: int) -> tuple[tuple[Part, ...], int]:
    """Read the further levels of "21-1-a"."""
    parts: list[Part] = []
    while not (parts and parts[-1].segment.isalpha()) and (match := _DASHED.match(text.lower, end)):
        name = "number" if match["number"] else "letter"
        parts.append(Part(match[name].lstrip("0") or "0", match.start(name), match.end()))
        end = match.end()
    return tuple(parts), end


def _unnumbered(text: Folded, start: int, prefix: str, is_loose: bool) -> Unit | None:
    """Read "único", "preliminar" or a letter; one that is a roman numeral may be a number before it is a letter."""
    numbered = _roman_numbered(text, start, prefix)
    name = unnumbered(text, start, prefix, is_loose=is_loose)
    if name is None:
        return numbered
    parts, end = read_chain(text, name[1])
    named = Unit(f"{prefix}-{name[0]}", parts, start, end)
    return numbered._replace(others=(named,)) if numbered else named


def _worded(text: Folded, start: int, prefix: str, is_loose: bool) -> Unit | None:
    words = number_in_words(text.lower, start)
    if words is None:
        return None
    suffix = _SUFFIX.match(text.lower, words.end)
    key = f"{prefix}-{words.value}{suffix_of(suffix['suffix'] if suffix else None)}"
    key, end = _transitory(text, key, suffix.end() if suffix else words.end)
    parts, last = read_chain(text, end, is_loose=is_loose, has_suffix=bool(suffix))
    return Unit(key, parts, start, last)


def _transitory(text: Folded, key: str, end: int) -> tuple[str, int]:
    """Read on to "artículo 1 transitorio", whose key is not that of the 1."""
    match = _TRANSITORY.match(text.lower, end) if key.startswith("art-") else None
    return (f"{key}-transitorio", match.end()) if match else (key, end)


def _roman_numbered(text: Folded, start: int, prefix: str) -> Unit | None:
    """Read "artículo XIV": such numbers are kept as digits."""
    match = _ROMAN.match(text.lower, start)
    value = roman(match["roman"]) if match and text.plain[start : match.end()].isupper() else None
    if match is None or value is None:
        return None
    key, end = _transitory(text, f"{prefix}-{value}", match.end())
    parts, end = read_chain(text, end)
    return Unit(key, parts, start, end)


def _annex(text: Folded, start: int, noun: str, is_loose: bool) -> Unit | None:
    """Read an annex's number, in roman or arabic digits, a letter or words; an annex may also have none."""
    found = annex_number(text, start, is_loose=is_loose)
    if found is None:
        return _annex_part(text, noun, start, start) or Unit(noun, (), start, start)
    number, end = found
    if part := _annex_part(text, f"{noun}-{number}", start, end):
        return part
    own = _ANNEX_PARTS.match(text.lower, end)
    parts, last = read_chain(text, end, is_loose=is_loose)
    others: tuple[Unit | Through, ...] = (Unit(noun, (), start, last),) if number == "unico" else ()
    if own:
        deeper, last_of_key = read_chain(text, own.end(), is_loose=is_loose)
        longer = "-".join([f"{noun}-{number}", *re.findall(r"\d+|[a-z]", own[0])])
        others = (Unit(longer, deeper, start, last_of_key),)
        last = max(last, last_of_key)
    return Unit(f"{noun}-{number}", parts, start, last, others=others)


def _annex_part(text: Folded, annex: str, start: int, end: int) -> Unit | None:
    """Read the part of an annex, "anexo I, parte B": a provision of its own, or else some words of the annex."""
    match = _ANNEX_PART.match(text.lower, end)
    if match is None:
        return None
    parts, last = read_chain(text, match.end())
    whole = Unit(annex, parts, start, last, tail=text.slice(match.start("noun"), match.end()))
    return Unit(f"{annex}.{match['noun']}-{match['part']}", parts, start, last, others=(whole,))

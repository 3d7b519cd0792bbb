"""Laws by name or abbreviation: the curated list, and names that only their capitals give away."""

from __future__ import annotations

import re
from dataclasses import replace

from search.citations.folding import Folded, fold_name
from search.citations.model import LawMention
from search.citations.spanish.curated import FILLERS, abbreviation_key, curated
from search.citations.spanish.lexicon import BLANK, GAP, MONTH
from search.citations.spanish.numbers import RANK_NAMES, read_numbered
from search.citations.spanish.regions import region_after

_RANK_WORDS = {"ley": ("ley",), "lo": ("ley", "organica")}
_ARTICLES = {"la", "las", "los", "el"}
_HEADS = {"ley", "organica", "decreto", "orden", "reglamento", "codigo", "estatuto", "texto", "refundido"}
_WORD = re.compile(r"[\s,«»\"'(/-]{0,3}([a-zñ0-9]+)")
_NOUN = re.compile(
    rf"(?:{RANK_NAMES}|reglamentos?|codigos?|texto{BLANK}(?:refundido|articulado|unico)|estatutos?|compilacion|fuero"
    rf"|constitucion|ordenanzas?)(?![a-zñ])"
)
_NAMED_NOUN = re.compile(
    rf"(?:ley(?:{BLANK}(?:organica|foral))?|reglamento|codigo|texto{BLANK}(?:refundido|articulado|unico)|estatuto"
    rf"|compilacion|fuero)(?![a-zñ])(?!{BLANK}[yeo]{BLANK})"
)
_CONNECTOR = rf"(?:de|del|la|las|los|el|y|e|en|sobre|para|a|al|con|por|contra|{GAP},)"
_VAGUE = {"general", "reguladora", "basica", "especial", "autonomica", "estatal", "articulada", "organica"}
_FIRST = re.compile(rf"{BLANK}(?:(?:del?|sobre|para|por)(?:{BLANK}(?:la|las|los|el))?{BLANK})?[A-ZÑ]")
_CAPITALISED = re.compile(rf"(?:{BLANK}{_CONNECTOR}){{0,4}}{BLANK}(?P<word>[A-ZÑ][A-Za-zñÑ-]*)")
_GOES_ON = re.compile(
    rf"{BLANK}(?:(?:de|del)(?:{BLANK}l[ao]s?)?{BLANK})?[A-ZÑ](?=[a-zñ])|{BLANK}(?:foral|militar)(?![a-z])"
)
_OF_YEAR = re.compile(
    rf"{GAP},?{GAP}(?:de(?:l?{BLANK}(?:a[nñ]o{BLANK})?|{BLANK}\d{{1,2}}{BLANK}de{BLANK}{MONTH}{BLANK}del?{BLANK})|/)(?P<year>1[89]\d\d|20\d\d)(?!\d)"
)
# "LEC 1881": behind a name a year not after its law's own is the law's, not that of a text or a tax.
_BARE_YEAR = re.compile(rf"{BLANK}(?P<year>1[89]\d\d|20\d\d)(?![\d/])")
_ABBREVIATION = re.compile(r"(?:[A-Za-z]\.[ ]?){0,7}[A-Za-z]{1,16}(?:-[A-Z][A-Za-z]{0,8}){0,2}")
_CONSOLIDATED = re.compile(rf"(?:t\.?[ ]?r\.?|texto{BLANK}refundido)(?:{BLANK}(?:de{BLANK}la|del|de))?{BLANK}(?=[a-z])")
_LETTERS = re.compile(r"[A-Za-z]+")
# Lower-case abbreviations that are words, and so none beside a provision: "el artículo 5 les concede".
_WORDS = {"et", "lar", "les", "lie", "rie", "ris", "rite"}
_OWN_NUMBER = re.compile(r"[ ]?/?(?P<number>\d{1,4}/\d{4})(?!\d)")


def read_abbreviation(
    text: Folded, start: int, *, is_loose: bool = False, is_beside: bool = False
) -> LawMention | None:
    """Read a curated abbreviation, dotted or not.

    It may be of any case in a text that is all one citation, and right behind a provision (`is_beside`).
    """
    match = _ABBREVIATION.match(text.plain, start)
    ends = [found.end() for found in _LETTERS.finditer(match[0])] if match else []
    for length in reversed(ends):
        written = text.plain[start : start + length]
        ids = curated().abbreviations.get(abbreviation_key(written))
        if ids and (is_loose or _is_written_so(written) or (is_beside and _is_in_lower_case(text, start, length))):
            return _dated(
                text, _mention(text, start, _end_of(text, start + length, written), ids, abbreviation_key(written))
            )
    return None


def read_consolidated(text: Folded, start: int) -> LawMention | None:
    """Read a texto refundido by the abbreviation of its law: "TR de la LRHL", "texto refundido de la LPI"."""
    head = _CONSOLIDATED.match(text.lower, start)
    is_short = head and not head[0].startswith("texto")
    if head and is_short and (named := _consolidated_name(text, start, head.end())):
        return named
    match = _ABBREVIATION.match(text.plain, head.end()) if head else None
    if match is None or not text.plain[match.start() : match.end()].isupper():
        return None
    key = abbreviation_key(match[0])
    known = curated().abbreviations
    ids = known.get(f"tr{key}") or tuple(law for law in known.get(key, ()) if law.startswith("rdleg-"))
    return _dated(text, _mention(text, start, _end_of(text, match.end(), match[0]), ids, f"tr{key}")) if ids else None


def _consolidated_name(text: Folded, start: int, at: int) -> LawMention | None:
    """Read a texto refundido by the name of its law: "TR de la Ley Reguladora de las Haciendas Locales"."""
    node: object = curated().tree
    for word in ("texto", "refundido"):
        node = node.get(word) if isinstance(node, dict) else None
    found = _walk(text, at, node, 2) if isinstance(node, dict) and is_law_noun(text, at) else None
    return _dated(text, _mention(text, start, found[1], found[0], found[2])) if found else None


def read_name(text: Folded, start: int, *, is_loose: bool = False, is_linked: bool = False) -> LawMention | None:
    """Read a curated name, the longest there is; a name that goes on beyond what the list knows is another law's."""
    found = _longest_name(text, start)
    if found is None or not (is_loose or is_linked or _looks_like_a_name(text, start, found[1])):
        return None
    ids, end, key = found
    region = None if "estatuto autonomia" in key else region_after(text.lower, end)
    if region:
        return _of_region(text, start, *region)
    if not is_loose and not text.plain[start:end].isupper() and _GOES_ON.match(text.plain, end):
        return None
    return _dated(text, _mention(text, start, end, ids, key))


def read_unlisted_name(text: Folded, start: int) -> LawMention | None:
    """Read a name that only its capitals mark: "Ley de Contratos de las Administraciones Públicas"."""
    noun = _NAMED_NOUN.match(text.lower, start)
    if noun is None or not text.plain[start].isupper() or text.plain[start : noun.end()].isupper():
        return None
    end, words = noun.end(), 0
    if not _FIRST.match(text.plain, end):
        return None
    while words < 24 and (match := _CAPITALISED.match(text.plain, end)):
        inner = _NOUN.match(text.lower, match.start("word"))
        if inner and not _is_within(text, match):
            break
        numbered = read_numbered(text, match.start("word")) if inner else None
        end, words = numbered.end if numbered else match.end(), words + 1
    if text.lower[noun.end() : end].strip() in _VAGUE:
        return None
    region = region_after(text.lower, end)
    end = region[1] if region else end
    return _dated(
        text, LawMention(text.slice(start, end), name=fold_name(text.slice(start, end)), start=start, end=end)
    )


def _of_region(text: Folded, start: int, jurisdiction: str, end: int) -> LawMention:
    """Make the mention of a region's law that shares a name of the list: "Código Civil de Cataluña"."""
    written = text.slice(start, end)
    return LawMention(
        written, name=fold_name(written), jurisdiction=jurisdiction, explicit_region=True, start=start, end=end
    )


def is_abbreviation(key: str) -> bool:
    """Whether letters, lower case and without dots, are a curated abbreviation."""
    return key in curated().abbreviations


def is_unlisted(mention: LawMention) -> bool:
    """Whether a name is known by its capitals alone: "Reglamento Interno" may be one, or none."""
    is_known = mention.ids or mention.number or mention.enacted or mention.boe_id or mention.eli
    return not is_known and not mention.explicit_region


def is_law_noun(text: Folded, start: int) -> bool:
    """Whether the word at `start` is one that laws' names begin with."""
    return _NOUN.match(text.lower, start) is not None


def _is_within(text: Folded, match: re.Match[str]) -> bool:
    """Whether a law's noun belongs to the name: "Reglamento de la Ley de Costas", not "... y Ley de Aguas"."""
    return " y " not in text.lower[match.start() : match.start("word")].replace("\n", " ")


def title_end(text: Folded, mention: LawMention) -> int:
    """Give where the title behind a law's number ends, if the list knows it; else where the mention ends."""
    node: object = curated().tree
    for word in _RANK_WORDS.get(mention.rank, ()):
        node = node.get(word) if isinstance(node, dict) else None
    found = _walk(text, mention.end, node, 1) if isinstance(node, dict) and node is not curated().tree else None
    return found[1] if found and mention.ids and mention.ids[0] in found[0] else mention.end


def _longest_name(text: Folded, start: int) -> tuple[tuple[str, ...], int, str] | None:
    return _walk(text, start, curated().tree, 0)


def _walk(text: Folded, at: int, node: dict[str, object], depth: int) -> tuple[tuple[str, ...], int, str] | None:
    """Follow the words of a text down the tree of names as far as they go; `depth` words were followed before."""
    words: list[str] = []
    found: tuple[tuple[str, ...], int, str] | None = None
    word = ""
    while match := _WORD.match(text.lower, at):
        before, word = word, match[1].replace("ñ", "n")
        at = match.end()
        if word in _ARTICLES and before in _HEADS:
            break
        if word in FILLERS and (words or depth):
            continue
        following = node.get(word)
        if not isinstance(following, dict):
            break
        node = following
        words.append(word)
        ids = node.get("")
        if isinstance(ids, tuple):
            found = ids, at, " ".join(words)
    return found


def _looks_like_a_name(text: Folded, start: int, end: int) -> bool:
    """Whether words of running text name a law: capitals, or so many words that nothing else is meant."""
    if text.plain[start].isupper():
        return text.lower.find(" ", start, end) > 0 or text.lower[max(0, start - 3) : start].strip() in {"la", "a", "y"}
    return text.lower.count(" ", start, end) >= 3


def _mention(text: Folded, start: int, end: int, ids: tuple[str, ...], key: str) -> LawMention:
    known = curated()
    return LawMention(
        text.slice(start, end),
        ids=ids,
        boe_id=known.boe_ids[ids[0]] if len(ids) == 1 else "",
        name=fold_name(text.slice(start, end)),
        is_ambiguous=len(ids) > 1 and key not in known.first_only,
        start=start,
        end=end,
    )


def _dated(text: Folded, mention: LawMention) -> LawMention:
    """Read the year or the number a name is told apart by: "Ley de Aguas de 1985" is not today's."""
    own = _OWN_NUMBER.match(text.lower, mention.end)
    if own:
        suffix = "-" + own["number"].replace("/", "-")
        return _narrowed(text, mention, [law for law in mention.ids if law.endswith(suffix)], own.end())
    year = _OF_YEAR.match(text.lower, mention.end)
    if year:
        return _narrowed(text, mention, [law for law in mention.ids if _year_of(law) == year["year"]], year.end())
    bare = _BARE_YEAR.match(text.lower, mention.end)
    if bare and not mention.text.islower() and all(bare["year"] <= _year_of(law) for law in mention.ids):
        return _narrowed(text, mention, [law for law in mention.ids if _year_of(law) == bare["year"]], bare.end())
    return mention


def _narrowed(text: Folded, mention: LawMention, ids: list[str], end: int) -> LawMention:
    """Keep of what a name may mean only what its year or number leaves."""
    return replace(
        mention,
        text=text.slice(mention.start, end),
        ids=tuple(ids),
        boe_id=curated().boe_ids[ids[0]] if len(ids) == 1 else "",
        name=fold_name(text.slice(mention.start, end)),
        is_ambiguous=len(ids) > 1,
        end=end,
    )


def _year_of(law: str) -> str:
    """Give the year of a law: that of its id, or of its official journal where the id has none."""
    last = law.rsplit("-", 1)[-1]
    return last if last.isdigit() else curated().boe_ids[law].split("-")[2]


def _end_of(text: Folded, end: int, written: str) -> int:
    """Take in the dot that ends a dotted abbreviation ("C.E."), not the one that ends the sentence ("LGT.")."""
    return end + 1 if "." in written and text.plain.startswith(".", end) else end


def _is_in_lower_case(text: Folded, start: int, length: int) -> bool:
    """Whether an abbreviation is written small and whole, and is no word: "art. 27 lgt"."""
    written = text.plain[start : start + length]
    is_whole = not text.plain[start + length : start + length + 1].isalnum()
    return is_whole and written.isalpha() and written.islower() and written not in _WORDS


def _is_written_so(written: str) -> bool:
    """Whether an abbreviation has the capitals that set it apart from a word."""
    letters = [character for character in written if character.isalpha()]
    return letters[0].isupper() and (sum(map(str.isupper, letters)) >= 2 or "." in written)

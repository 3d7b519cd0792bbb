"""Walks an Akoma Ntoso document once: which elements are provisions, under which headings, and what stands beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lxml import etree

from corpus.identifiers import slug
from corpus.importers import akn_labels
from corpus.importers.akn_text import HIERARCHY, QUOTING, characters, identifier, line_text
from corpus.importers.boe_text import text_of
from corpus.records import ArticleKind

# What is cited: the first of these that a law has; below it are its parts, above it the structure.
CITED = ("article", "section", "rule", "paragraph", "clause", "level", "point")
_ANNEXES = {"attachment", "annex", "component"}
_ANNEX_NAMES = {"attachment", "annex", "annexe", "schedule", "appendix", "liite"}
_ASIDES = {"preface", "coverPage", "conclusions", "interstitial"}
_BODIES = {"body", "mainBody", "components", "attachments", "doc"}
_PREAMBLES = {"preamble"}
_HEADS = ("num", "heading", "subheading")
_TITLED = ("heading", "docTitle", "shortTitle")
_LONGEST_SLUG, _SLUG_WORDS, _LABEL = 60, 6, 80


@dataclass(frozen=True)
class Provision:
    """One element that is cited, under the keys its number gives it, with its heading and those above it."""

    element: etree._Element
    kind: ArticleKind
    keys: tuple[str, ...]
    label: str
    heading: str = ""
    path: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    annex: str = ""
    block: str = ""


@dataclass
class Outline:
    """The provisions in order, and the elements that belong to the law as a whole."""

    provisions: list[Provision] = field(default_factory=list)
    asides: list[etree._Element] = field(default_factory=list)
    titles: int = 0


@dataclass(frozen=True)
class _Place:
    """Where the walk is: titles above, numbered containers above, and the annex it is in."""

    path: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    annex: str = ""


def outline(document: etree._Element, language: str) -> Outline:
    """Find the provisions of a document, all keys distinct where their numbers and places are."""
    walk = _Walk(language, _cited_tag(document))
    for child in document:
        if child.tag != "meta":
            walk.visit(child, _Place())
    found = walk.result
    found.provisions = list(_scoped(found.provisions))
    return found


def _cited_tag(document: etree._Element) -> str:
    tags = {str(element.tag) for element in document.iter(*CITED) if not _is_quoted(element)}
    return next((tag for tag in CITED if tag in tags), "")


def _is_quoted(element: etree._Element) -> bool:
    return any(above.tag in QUOTING for above in element.iterancestors())


def _scoped(provisions: list[Provision]) -> Iterator[Provision]:
    """Put the containers' numbers before keys whose numbering restarts in each ("chp-1.sec-1"), and the annex's first.

    A number that is merely repeated is no restart, which begins at one.
    """
    depths = {
        annex: _depth([one for one in provisions if one.annex == annex]) for annex in {p.annex for p in provisions}
    }
    for one in provisions:
        above = one.scope[-depths[one.annex] :] if one.kind == "article" and depths[one.annex] else ()
        keys = tuple(".".join(filter(None, (one.annex, *above, key))) for key in one.keys)
        yield replace(one, keys=keys)


def _depth(provisions: list[Provision]) -> int:
    """Give how many containers it takes to tell apart the provisions that are number one."""
    cited = [one for one in provisions if one.kind == "article" and not one.element.get("period")]
    firsts = [one for one in cited if one.keys[0].endswith("-1")]
    deepest = max((len(one.scope) for one in firsts), default=0)
    told = [len({(one.scope[-depth:] if depth else (), one.keys[0]) for one in firsts}) for depth in range(deepest + 1)]
    return told.index(max(told)) if firsts else 0


@dataclass(frozen=True)
class _Name:
    """The key, label and heading of something that is cited."""

    key: str
    label: str
    heading: str = ""


class _Walk:
    """Visits elements in order and decides what each is."""

    def __init__(self, language: str, cited: str) -> None:
        self.language, self.cited = language, cited
        self.result = Outline()

    def visit(self, element: etree._Element, place: _Place) -> None:
        """Take an element as a provision, a container of provisions, or something beside them."""
        tag = str(element.tag)
        if not characters(element) and element.find(".//img") is None:
            return
        if tag in _ASIDES and not self._holds_provision(element):
            self.result.asides.append(element)
        elif tag in _PREAMBLES:
            self._keep(element, "preamble", _Name("preambulo", akn_labels.noun("preamble", self.language)), place.path)
        elif self._is_annex(element):
            self._annex(element, place)
        elif tag == self.cited:
            self._cite(element, place)
        elif self._holds_provision(element) or tag in ("components", "attachments"):
            self._descend(element, place)
        elif tag == "component" or element.get("name") in _ASIDES:
            self.result.asides.append(element)
        else:
            self._other(element, place)

    def _holds_provision(self, element: etree._Element) -> bool:
        names = (self.cited, *_PREAMBLES) if self.cited else tuple(_PREAMBLES)
        inside = any(not _is_quoted(one) for one in element.iter(*names) if one is not element)
        return inside or any(self._is_annex(one) for one in element.iter("hcontainer", *_ANNEXES) if one is not element)

    def _is_annex(self, element: etree._Element) -> bool:
        if element.tag in _ANNEXES:
            return element.tag != "component" or element.find(".//doc") is not None
        parent = element.getparent()
        if parent is not None and parent.tag in _ANNEXES:
            return False
        named = (element.get("name") or "").lower() in _ANNEX_NAMES
        return named and element.tag in ("hcontainer", "doc", "container") and not _is_quoted(element)

    def _descend(self, element: etree._Element, place: _Place) -> None:
        """Walk a container; its title becomes part of the path, and words of its own are a provision."""
        inner = self._within(element, place)
        own: list[etree._Element] = []
        for child in element:
            if child.tag in _HEADS:
                continue
            is_structure = child.tag in HIERARCHY | _ASIDES | _PREAMBLES | _ANNEXES or self._holds_provision(child)
            if is_structure or (len(child) and child.tag in _BODIES):
                self.visit(child, inner)
            elif characters(child):
                own.append(child)
        for child in own:
            self._other(child, inner)

    def _within(self, element: etree._Element, place: _Place) -> _Place:
        printed, heading = line_text(element.find("num")), line_text(element.find("heading"))
        title = _title(printed, heading)
        self.result.titles += sum(characters(child) for child in element if child.tag in _HEADS)
        number = akn_labels.number(printed, self.language)
        prefix = akn_labels.PREFIXES.get(str(element.tag), "")
        scope = (*place.scope, f"{prefix}-{number}") if prefix and number else place.scope
        return replace(place, path=(*place.path, title) if title else place.path, scope=scope)

    def _cite(self, element: etree._Element, place: _Place) -> None:
        printed, heading = line_text(element.find("num")), line_text(element.find("heading"))
        found = akn_labels.numbers(printed, self.language)
        if not found and heading and akn_labels.number(heading, self.language) == "unico":
            printed, heading, found = f"{printed} {heading}", "", ["unico"]
        tag = str(element.tag)
        prefix = akn_labels.PREFIXES[tag]
        kind, named = akn_labels.spanish(printed, self.language)
        keys = named or [f"{prefix}-{number}" for number in found] or [self._unnumbered(element, prefix, heading)]
        label = akn_labels.label(printed, tag, self.language) or heading or keys[0]
        block = identifier(element)[:80]
        self.result.provisions.append(
            Provision(element, kind, tuple(keys), label, heading, place.path, place.scope, place.annex, block)
        )

    def _unnumbered(self, element: etree._Element, prefix: str, heading: str) -> str:
        """Name what has no number after its eId, else its heading, else its first words."""
        last = slug(identifier(element).replace("__", "/").rsplit("/", 1)[-1])
        words = last.split("-")
        if len(words) > 1 and words[0] == prefix and len(last) <= _LONGEST_SLUG:
            return last
        return _short(heading or text_of(element), prefix)

    def _annex(self, element: etree._Element, place: _Place) -> None:
        printed = line_text(element.find("num"))
        title = self._annex_title(element)
        is_named = bool(akn_labels.number(printed or title, self.language)) and (printed or len(title.split()) <= 3)
        number = akn_labels.number(printed or title, self.language) if is_named else ""
        key = ".".join(filter(None, (place.annex, f"anexo-{number}" if number else "anexo")))
        name = printed or title or akn_labels.noun("annex", self.language)
        if self._holds_provision(element):
            is_titled = any(child.tag in _HEADS for child in element)
            self._descend(element, _Place(() if is_titled else (name,), (), key))
            return
        self._keep(element, "annex", _Name(key, name, title if printed else ""), ())

    def _annex_title(self, element: etree._Element) -> str:
        """Give the title of an annex, or what stands before its body; the heading of an article in it is none."""
        for tag in (*_TITLED, "preface"):
            for one in element.iter(tag):
                words = " ".join(text_of(one).split())
                if words and not any(above.tag == self.cited for above in one.iterancestors()):
                    return words
        return ""

    def _other(self, element: etree._Element, place: _Place) -> None:
        """Keep what is no provision of a known kind under its own number, heading or first words."""
        printed, heading = line_text(element.find("num")), line_text(element.find("heading"))
        prefix = akn_labels.PREFIXES.get(str(element.tag), slug(str(element.tag)))
        number = akn_labels.number(printed, self.language)
        words = " ".join(text_of(element).split())
        key = f"{prefix}-{number}" if number else _short(heading or words, prefix)
        label = akn_labels.label(printed, str(element.tag), self.language) or heading or words[:_LABEL].rstrip()
        kind, named = akn_labels.spanish(printed or heading, self.language)
        if len(named) == 1 and kind != "article":
            key = ".".join(filter(None, (place.annex, named[0])))
            return self._keep(element, kind, _Name(key, label, heading if printed else ""), place.path)
        key = ".".join(filter(None, (place.annex, *(place.scope if number else ()), key)))
        return self._keep(element, "other", _Name(key, label, heading if printed else ""), place.path)

    def _keep(self, element: etree._Element, kind: ArticleKind, name: _Name, path: tuple[str, ...]) -> None:
        block = identifier(element)[:80]
        self.result.provisions.append(
            Provision(element, kind, (name.key,), name.label, name.heading, path, block=block)
        )


def _title(printed: str, heading: str) -> str:
    number = printed.strip().rstrip(".")
    return ". ".join(filter(None, (number, heading.strip())))


def _short(text: str, prefix: str) -> str:
    """Make a key of the first words of a text, long enough not to be taken for a part of a provision."""
    key = "-".join(slug(text).split("-")[:_SLUG_WORDS])[:_LONGEST_SLUG].strip("-")
    return key if len(key) > 6 else f"{prefix}-{key}".rstrip("-")

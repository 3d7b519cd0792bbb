"""Parts of a norm that are numbered on their own: the norm itself, the texts annexed to it, annexes with articles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from corpus.headings import Heading
from corpus.identifiers import slug

OWN_NAME = "norma"

_FIRST_KEYS = {"art-1", "art-unico"}
_ANNEXED = re.compile(
    r"(?:texto|reglamento|estatutos?|c[oó]digo|ordenanzas?|normas?|carta|convenio|plan|instrucci[oó]n|bases|ley|"
    r"condiciones|pliego|programa|tratado|protocolo|acuerdo|disposiciones reguladoras)\b",
    re.IGNORECASE,
)
_APPROVES = re.compile(r"\b(?:aprueban?|aprobaci[oó]n|aprobando|se publica|promulga)\b", re.IGNORECASE)
_STOP_WORDS = {"el", "la", "los", "las", "de", "del", "y", "e", "o", "para", "por", "en", "que", "a", "al", "se", "su"}
_SHORTEST_NAME, _LONGEST_NAME = 3, 3
_NAMELESS = "texto"


@dataclass(eq=False)
class Section:
    """One run of provisions whose numbers are unique among themselves; `prefix` goes before their keys."""

    kind: Literal["own", "annexed", "annex"]
    title: str = ""
    name: str = ""
    outer: Section | None = None
    keys: set[str] = field(default_factory=set)
    articles: int = 0
    is_signed: bool = False
    prefix: str = ""

    @property
    def is_begun(self) -> bool:
        """Whether it holds more than a preamble, or has been signed."""
        return self.is_signed or bool(self.keys - {"preambulo"})


def opens_text(heading: Heading, current: Section, title: str, law_title: str) -> bool:
    """Whether an annexed text begins with this provision: after its title, or where numbering restarts."""
    is_first = heading.key in _FIRST_KEYS
    if is_first and (heading.key in current.keys or "art-unico" in current.keys):
        return True
    if not title or not current.is_begun:
        return False
    is_annexed = current.kind == "own" and current.is_signed and _approves(law_title) and _ANNEXED.match(title)
    return is_first or bool(is_annexed)


def is_text(annex: Heading, title: str, law_title: str, current: Section) -> bool:
    """Whether an annex with provisions is the text that the norm approves, and not a mere annex with articles."""
    if not (_approves(law_title) or current.is_signed):
        return False
    return bool(_ANNEXED.match(title)) or (not title and annex.key == "anexo" and _approves(law_title))


def name_sections(sections: Sequence[Section], law_title: str) -> None:
    """Give every section its prefix: none for the one text that is cited without, `norma` for the one approving it."""
    own, annexed = sections[0], [section for section in sections if section.kind == "annexed"]
    is_approving = _approves(law_title) or _articles(own) == {"art-unico"} or not own.articles
    is_text_itself = not is_approving and bool(_ANNEXED.match(own.title))
    texts = [own, *annexed] if is_text_itself else annexed
    if len(texts) > 1 or (annexed and not is_approving):
        for section, name in zip(texts, _part_names(texts), strict=True):
            section.prefix = name
    if annexed and is_approving:
        own.prefix = OWN_NAME
    for section in sections:
        if section.kind == "annex":
            above = section.outer.prefix if section.outer else ""
            section.prefix = f"{above}.{section.name}" if above else section.name


def _approves(law_title: str) -> bool:
    return bool(_APPROVES.search(law_title))


def _articles(section: Section) -> set[str]:
    return {key for key in section.keys if key.startswith("art-")}


def _part_names(texts: Sequence[Section]) -> list[str]:
    """Name each text by as few of its title's own words as tell it from the others; by its number where none do."""
    words = [_words(text.title) or [_NAMELESS] for text in texts]
    names: list[str] = []
    for index, own in enumerate(words):
        others = words[:index] + words[index + 1 :]
        depth = next((n for n in range(1, len(own) + 1) if all(other[:n] != own[:n] for other in others)), 1)
        short = [own[0], *own[depth - 2 : depth]] if depth > _LONGEST_NAME else own[:depth]
        name = "-".join(short)
        names.append(f"{name}-{index + 1}" if name in names or len(name) < _SHORTEST_NAME else name)
    return names


def _words(title: str) -> list[str]:
    return [word for word in slug(title).split("-") if word and word not in _STOP_WORDS]

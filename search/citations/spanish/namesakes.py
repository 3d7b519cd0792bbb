"""Tells the law that a name means where a text gives it to another one: "Ley 39/1988, reguladora de ..."."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property

from search.citations.folding import Folded
from search.citations.model import LawMention
from search.citations.spanish.curated import FILLERS, curated
from search.citations.spanish.numbers import RANK_NAMES, read_numbered

_LONGEST_RANK = 40
_LONGEST_TITLE = 160
_NUMBER = re.compile(r"(?<=[a-z][ \n])\d{1,5}/\d{4}")
_RANK_BEFORE = re.compile(rf"(?<![a-z]){RANK_NAMES}[ \n]$")
_WORDS = re.compile(r"[a-zñ]+")
_GAP = re.compile(r",?[ \n]{1,2}")


class Namesakes:
    """The titles that one text gives to the laws it cites by number."""

    def __init__(self, text: Folded) -> None:
        self._text = text
        self._known: dict[str, str] = {}

    def meant(self, mention: LawMention) -> LawMention:
        """Give a law named by a title that the text has used for just one numbered law the number's id."""
        if mention.number or not mention.ids or not mention.name:
            return mention
        if mention.name not in self._known:
            self._known[mention.name] = self._titled(mention)
        law = self._known[mention.name]
        return (
            replace(mention, ids=(law,), boe_id=curated().boe_ids.get(law, ""), is_ambiguous=False) if law else mention
        )

    def _titled(self, mention: LawMention) -> str:
        """Give the one numbered law, other than those a name stands for, whose title begins with the name."""
        words = _content(mention.name)[1:]
        laws = {law for title, law in self._titles if title[: len(words)] == words} if len(words) > 1 else set()
        return laws.pop() if len(laws) == 1 and not laws & set(mention.ids) else ""

    @cached_property
    def _titles(self) -> set[tuple[tuple[str, ...], str]]:
        """The words behind each numbered law, with its id."""
        text, found = self._text, set()
        for number in _NUMBER.finditer(text.lower):
            rank = _RANK_BEFORE.search(text.lower, max(0, number.start() - _LONGEST_RANK), number.start())
            mention = read_numbered(text, rank.start()) if rank else None
            gap = _GAP.match(text.lower, mention.end) if mention else None
            if mention and gap and len(mention.ids) == 1:
                found.add((_content(text.lower[gap.end() : gap.end() + _LONGEST_TITLE]), mention.ids[0]))
        return found


def _content(title: str) -> tuple[str, ...]:
    return tuple(word for word in _WORDS.findall(title) if word not in FILLERS)

"""Reads one line of Markdown: its words without the marks of links, images, emphasis and escaped characters."""

from __future__ import annotations

import html
import re

from corpus.importers.flow import MARKS, Line
from corpus.records import Mark

# Bounded: what opens and never closes would be read to its end from each place where it opens.
IMAGE = re.compile(r"!\[(?P<alt>[^\]]{0,1000})\]\((?P<source>[^)\s]{0,1000})\)")
_LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]{1,1000})\]\([^)\s]{1,1000}\)")
_EMPHASIS = re.compile(
    r"(?<![*\w\\])(?P<mark>\*{1,3})(?=[^\s*])(?P<text>[^*]+?)(?<=[^\s*\\])(?P=mark)(?![*\w])"
    r"|<(?P<tag>sub|sup|b|i|em|strong)>(?P<marked>[^<>]{1,1000})</(?P=tag)>"
)
_MARKED = {"*": ("em",), "**": ("strong",), "***": ("strong", "em")}
_CHARACTER = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8}\d{0,2});")
BREAK = re.compile(r"<br ?/?>")


def read_line(text: str) -> Line:
    """Give a line's text without its Markdown, with emphasis as marks.

    >>> line = read_line("Según la **Ley** *58/2003*.")
    >>> line.text, [(mark.tag, line.text[mark.start : mark.end]) for mark in line.marks]
    ('Según la Ley 58/2003.', [('strong', 'Ley'), ('em', '58/2003')])
    >>> line = read_line("***Oxígeno***: O<sub>2</sub>, informaci&#243;n &amp; notas")
    >>> line.text, [(mark.tag, line.text[mark.start : mark.end]) for mark in line.marks]
    ('Oxígeno: O2, información & notas', [('strong', 'Oxígeno'), ('em', 'Oxígeno'), ('sub', '2')])
    """
    added = 0
    if "](" in text:
        added = sum(len("".join(_image_text(found).split())) for found in IMAGE.finditer(text))
        text = _LINK.sub(lambda found: found["text"], IMAGE.sub(_image_text, text))
    if "*" not in text and "<" not in text:
        return Line(_plain(text), (), added)
    parts, marks, last, length = [], [], 0, 0
    for found in _EMPHASIS.finditer(text):
        before, marked = _plain(text[last : found.start()]), _plain(found["text"] or found["marked"])
        length += len(before)
        tags = _MARKED[found["mark"]] if found["mark"] else (MARKS[found["tag"]],)
        marks += [Mark(length, length + len(marked), tag) for tag in tags]
        parts += [before, marked]
        length += len(marked)
        last = found.end()
    return Line("".join([*parts, _plain(text[last:])]), tuple(marks), added)


def _plain(text: str) -> str:
    """Give text with its backslashes off, its characters that are written by number or name, and its breaks."""
    if "<" in text:
        text = BREAK.sub("\n", text)
    if "\\" in text:
        text = text.replace("\\", "")
    return _CHARACTER.sub(lambda found: html.unescape(found[0]), text) if "&" in text else text


def _image_text(image: re.Match[str]) -> str:
    return f"[Imagen: {image['alt'].strip()}]" if image["alt"].strip() else "[Imagen]"

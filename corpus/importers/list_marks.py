"""Marks of the items of lists, which sources only describe and who shows them must write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENUMERATOR = re.compile(r"\d+|[A-Za-z]+")
_STYLE = re.compile(r"list-style(?:-type)?\s*:\s*([a-z-]+)")
_SYMBOLS = {
    "1": "1.", "decimal": "1.",
    "a": "a)", "lower-alpha": "a)", "lower-latin": "a)",
    "A": "A)", "upper-alpha": "A)", "upper-latin": "A)",
    "i": "i)", "lower-roman": "i)",
    "I": "I.", "upper-roman": "I.",
    "none": "",
}  # fmt: skip
_ROMAN = ((100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_ALPHABET = 26
_MOST_ROMAN = 399


def list_mark(symbol: str, number: int) -> str:
    """Write the mark of a list's item as its first is described.

    >>> list_mark("1°", 12), list_mark("a)", 3), list_mark("i)", 49), list_mark("A)", 28), list_mark("", 1)
    ('12°', 'c)', 'xlix)', 'AB)', '')
    """
    found = _ENUMERATOR.search(symbol)
    if found is None:
        return ""
    written = str(number)
    if found[0].lower() == "i" and 0 < number <= _MOST_ROMAN:
        written = _roman(number)
    elif found[0].isalpha() and found[0].lower() != "i" and number > 0:
        written = _letters(number)
    written = written.upper() if found[0].isupper() else written
    return symbol[: found.start()] + written + symbol[found.end() :]


def html_marks(listed: etree._Element) -> Iterator[str]:
    """Give the marks of the items of an element, as browsers count them and laws print them; none but those of `<ol>`.

    >>> [*html_marks(etree.fromstring('<ol type="a" start="2"><li/><li value="5"/><li/></ol>'))]
    ['b)', 'e)', 'f)']
    """
    style = _STYLE.search(listed.get("style", ""))
    symbol = _SYMBOLS.get(style[1] if style else listed.get("type", "1"), "1.") if listed.tag == "ol" else ""
    number = _number(listed.get("start"), 1) - 1
    for item in listed.iterchildren("li"):
        number = _number(item.get("value"), number + 1)
        yield list_mark(symbol, number)


def is_written(mark: str, text: str) -> bool:
    """Whether a text begins with the number of a mark itself, whatever its points.

    >>> is_written("1.", "1.º Suyo"), is_written("1.", "1.000 euros"), is_written("a)", "a la vez")
    (True, False, False)
    """
    own = _ENUMERATOR.search(mark)
    return bool(own and re.match(rf"\(?{own[0]}[.)ºª-](?!\d)", text))


def _number(written: str | None, otherwise: int) -> int:
    return int(written) if written and written.isascii() and written.isdigit() and len(written) < 6 else otherwise


def _letters(number: int) -> str:
    before, letter = divmod(number - 1, _ALPHABET)
    return (_letters(before) if before else "") + chr(ord("a") + letter)


def _roman(number: int) -> str:
    written = ""
    for value, sign in _ROMAN:
        count, number = divmod(number, value)
        written += sign * count
    return written

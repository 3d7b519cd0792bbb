"""What changed between two texts: the words a reader would mark, both texts whole, and work that grows with length."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.text_diff import changes

if TYPE_CHECKING:
    from types import FrameType

    from _typeshed import TraceFunction

WORDS = st.lists(st.sampled_from(["la", "gran", " ", "\n", "\t", "ley", "1.", "ñu", "%", "a)", "10,5", "\U0001f600"]))


def marked(before: str, after: str) -> str:
    """Write a comparison as [-gone-] and {+come+}."""
    written = ""
    for one in changes(before, after):
        if one.op == "equal":
            written += before[one.from_start : one.from_end]
            continue
        gone, come = before[one.from_start : one.from_end], after[one.to_start : one.to_end]
        written += (f"[-{gone}-]" if gone else "") + (f"{{+{come}+}}" if come else "")
    return written


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("", "", ""),
        ("igual", "igual", "igual"),
        ("", "nuevo", "{+nuevo+}"),
        ("viejo", "", "[-viejo-]"),
        ("la gran invalidez.", "la gran incapacidad.", "la gran[- invalidez-]{+ incapacidad+}."),
        ("Será del 9 %.", "Será del 10 %.", "Será del[- 9-]{+ 10+} %."),
        ("Será del 9,5 %.", "Será del 9,25 %.", "Será del[- 9,5-]{+ 9,25+} %."),
        ("la cuota", "la cuota íntegra", "la cuota{+ íntegra+}"),
        ("1. Uno.\n2. Dos.", "1. Uno.\n1 bis. Más.\n2. Dos.", "1. Uno.\n{+1 bis. Más.\n+}2. Dos."),
        ("9 %\t3 meses", "9 %\t6 meses", "9 %\t[-3-]{+6+} meses"),
        ("Uno. Dos.", "Uno.\nDos.", "Uno.[- Dos-]{+\nDos+}."),
        ("por un plazo de tres días", "en el término de cinco meses",
         "[-por un plazo de tres días-]{+en el término de cinco meses+}"),
    ],
)  # fmt: skip
def test_marks_the_words_that_changed(before: str, after: str, expected: str) -> None:
    assert marked(before, after) == expected


@given(before=WORDS.map("".join), after=WORDS.map("".join))
def test_changes_cover_both_texts(before: str, after: str) -> None:
    found = changes(before, after)
    assert "".join(before[one.from_start : one.from_end] for one in found) == before
    assert "".join(after[one.to_start : one.to_end] for one in found) == after
    for one in found:
        gone, come = before[one.from_start : one.from_end], after[one.to_start : one.to_end]
        assert (gone == come) == (one.op == "equal")
        assert (bool(gone), bool(come)) == (one.op != "insert", one.op != "delete")


def article(words: int, every: int) -> tuple[str, str]:
    """Make two texts of so many words, few of them distinct, in which one of every so many differs."""
    before = [f"palabra{place * place % 97}" for place in range(words)]
    after = [f"otra{place}" if place % every == 0 else word for place, word in enumerate(before)]
    return " ".join(before), " ".join(after)


def work(before: str, after: str) -> int:
    """Count the lines of code that run for a comparison."""
    lines = 0

    def count(frame: FrameType, event: str, _argument: object) -> TraceFunction:
        nonlocal lines
        lines += event == "line"
        return count

    tracing = sys.gettrace()
    sys.settrace(count)
    try:
        changes(before, after)
    finally:
        sys.settrace(tracing)
    return lines


@pytest.mark.parametrize("every", [1, 7, 1_000])
def test_work_grows_with_length_on_a_text_of_a_hundred_kilobytes(every: int) -> None:
    short, long = article(2_500, every), article(10_000, every)
    assert len(long[0]) > 95_000
    assert work(*long) < 6 * work(*short)

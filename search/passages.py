"""Chooses what of a text is shown and where it speaks of what was asked: offsets into the original, never markup."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

MOST_PASSAGES = 3
LONGEST_PASSAGE = 700
# What a list shows of a passage, and what of a long sentence it shows before a word that was looked for.
LONGEST_EXCERPT = 380
BEFORE_WORD = 100
# Beyond this a text is not searched for words to mark, so that one endless annex cannot hold up an answer.
MOST_READ = 200_000

_WORD = re.compile(r"[^\W_ºª]+")
_SIGNS = ".,;:()«»-/ºª"
# A sign with the white space after it, or line ends: begun by one of few characters, it is found five times as fast.
_BREAK = re.compile(r"[.;:!?\n](?:(?<=\n)\n*|\n+|\s+)")
_LABEL = re.compile(r"(?:\w{1,4}(?:\s+(?:bis|ter|qu[aá]ter))?[.)ºª]+)+")

Stems = tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class LookedFor:
    """What to mark: `words` by stem with their worth, and `phrases` as stems with their place in the phrase."""

    words: Mapping[str, float] = field(default_factory=dict)
    phrases: tuple[Stems, ...] = ()


class Span(NamedTuple):
    """A passage of a version's text: `text[start:end]`, and the path of the sub-unit that holds it."""

    start: int
    end: int
    sub_unit: str


class Match(NamedTuple):
    """A word or phrase of the text that was looked for."""

    start: int
    end: int
    stem: str
    worth: float


class Shown(NamedTuple):
    """A passage to show: `text[start:end]`, its sub-unit, and what is marked in it, counted from its start."""

    start: int
    end: int
    sub_unit: str
    highlights: list[tuple[int, int]]


class Chosen(NamedTuple):
    """The passages to show, best first, and how many were found in all."""

    shown: list[Shown]
    found: int


def matches(text: str, looked_for: LookedFor, stems: Mapping[str, str]) -> list[Match]:
    """Find what was looked for, by the `stems` of its words, in order; words of a phrase count only together.

    >>> stems = {"Los": "", "recargos": "recarg", "El": "", "recargo": "recarg", "único": "unic"}
    >>> found = matches("Los recargos. El recargo único.", LookedFor({"recarg": 1.0}), stems)
    >>> [(match.start, match.end) for match in found]
    [(4, 12), (17, 24)]
    """
    worths = looked_for.words
    if not looked_for.phrases:
        read = text[:MOST_READ]
        wanted = [(word, stem) for word in _words(read) if (stem := stems[word]) in worths]
        return sorted(
            Match(start, start + len(word), stem, worths[stem])
            for word, stem in wanted
            for start in _places(word, read)
        )
    words = [(word.start(), word.end(), stems[word[0]]) for word in _WORD.finditer(text, 0, MOST_READ)]
    found = [Match(start, end, stem, worths[stem]) for start, end, stem in words if stem in worths]
    for phrase in looked_for.phrases:
        found += _phrases(words, phrase)
    return sorted(found)


def _words(text: str) -> set[str]:
    """Give the different words of a text; parted by signs as by spaces, they are found in a third of the time.

    >>> sorted(_words("El art. 27.2, 1.º y «no_no»… o 15%"))
    ['1', '15', '2', '27', 'El', 'art', 'no', 'o', 'y']
    """
    for sign in _SIGNS:
        text = text.replace(sign, " ")
    parts = set(text.split())
    joined = [part for part in parts if not part.isalnum()]
    return parts.difference(joined).union(*map(_WORD.findall, joined))


def _places(word: str, text: str) -> Iterator[int]:
    """Give where a word stands by itself in a text: a few are found so sooner than by a look at all of them.

    >>> list(_places("no", "No, no. Uno, 4.º no º no_no"))
    [4, 17, 22, 25]
    """
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not (_is_of_word(text[start - 1 : start]) or _is_of_word(text[end : end + 1])):
            yield start
        start = text.find(word, end)


def _is_of_word(character: str) -> bool:
    return character.isalnum() and character not in "ºª"


def choose(
    text: str,
    spans: Sequence[Span],
    found: Sequence[Match],
    *,
    preferred: Iterable[tuple[int, int]] = (),
    parts: Sequence[Span] = (),
) -> Chosen:
    """Choose the passages to show, best first: those an arm `preferred`, and those that hold most of what was asked.

    Where neither says anything, the beginning. `parts` that were cited are shown instead, whole.
    """
    if parts:
        return Chosen([_marked(span, span.start, span.end, found) for span in parts[:MOST_PASSAGES]], len(parts))
    by_place = {(span.start, span.end): span for span in spans}
    wanted = [by_place[place] for place in preferred if place in by_place]
    best = sorted(((-_worth(found, span), span) for span in spans), key=lambda pair: pair[0])
    by_words = [span for worth, span in best if worth]
    chosen = list(dict.fromkeys([*wanted[:1], *by_words[:1], *wanted[1:], *by_words[1:]])) or list(spans[:1])
    shown = [_marked(span, *_window(text, span, found), found) for span in chosen[:MOST_PASSAGES]]
    return Chosen(shown, len(chosen))


def _phrases(words: Sequence[tuple[int, int, str]], phrase: Stems) -> Iterator[Match]:
    length = phrase[-1][0]
    for place in range(len(words) - length):
        if all(words[place + offset][2] == stem for offset, stem in phrase):
            first, last = words[place], words[place + length]
            yield Match(first[0], last[1], " ".join(stem for _offset, stem in phrase), float(len(phrase)))


def _within(found: Sequence[Match], start: int, end: int) -> Sequence[Match]:
    first = bisect_left(found, (start,))
    last = bisect_left(found, (end,))
    return [match for match in found[first:last] if match.end <= end]


def _worth(found: Sequence[Match], span: Span) -> float:
    """Weigh a passage: what of the question it speaks of, and a little for how often."""
    inside = _within(found, span.start, span.end)
    different = {match.stem: match.worth for match in inside}
    return sum(different.values()) + 0.01 * len(inside)


def _marked(span: Span, start: int, end: int, found: Sequence[Match]) -> Shown:
    highlights = _apart([(match.start - start, match.end - start) for match in _within(found, start, end)])
    return Shown(start, end, span.sub_unit, highlights)


def excerpt(text: str, highlights: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Give the stretch of a passage that a list shows: what speaks most of what was asked, for a glance.

    >>> text = "Sin nada. " * 60 + "El recargo será del 15 por ciento. " + "Sin más. " * 60
    >>> start, end = excerpt(text, [(603, 610)])
    >>> text[start : start + 34], end - start <= LONGEST_EXCERPT
    ('El recargo será del 15 por ciento.', True)
    """
    found = [Match(start, end, text[start:end].casefold(), 1.0) for start, end in highlights]
    whole = Span(0, len(text), "")
    within = [text.rfind(" ", 0, max(0, start - BEFORE_WORD)) + 1 for start, _end in highlights]
    start, end = _window(text, whole, found, LONGEST_EXCERPT, within)
    marked = _within(found, start, end)
    if end - start == len(text) or not marked:
        return start, end
    starts = list(_starts(text, whole))
    start = max(start, *(sentence for sentence in starts if sentence <= marked[0].start))
    return start, start + len(text[start : _last_break(text, starts, start, len(text), LONGEST_EXCERPT)].rstrip())


def _window(
    text: str, span: Span, found: Sequence[Match], longest: int = LONGEST_PASSAGE, within: Sequence[int] = ()
) -> tuple[int, int]:
    """Cut a long passage to the sentences that hold most of what was asked; or where one is too long, from `within`."""
    if span.end - span.start <= longest:
        return span.start, span.end
    starts = list(_starts(text, span))
    windows = [(start, _last_break(text, starts, start, span.end, longest)) for start in [*starts, *within]]
    worths = [len({match.stem for match in _within(found, *window)}) for window in windows]
    start, end = windows[worths.index(max(worths))]
    return start, start + len(text[start:end].rstrip())


def _starts(text: str, span: Span) -> Iterator[int]:
    r"""Give where the sentences of a passage begin; a label ("4.") is the beginning of what it numbers, not the end.

    >>> list(_starts("1. Se paga. 2. No se cobra.", Span(0, 27, "")))
    [0, 12]
    >>> list(_starts("Un 1.5.  \n No.\n\n2) Sí:\n fin", Span(0, 27, "")))
    [0, 11, 23]
    """
    start = span.start
    yield start
    for found in _BREAK.finditer(text, span.start, span.end):
        said = found.start() if found[0][0] == "\n" else found.start() + 1
        if not _LABEL.fullmatch(text, start, said):
            start = found.end()
            yield start


def _last_break(text: str, starts: Sequence[int], start: int, end: int, longest: int) -> int:
    """Give where a passage from `start` ends: at the last sentence that fits, or word if one alone does not."""
    if end - start <= longest:
        return end
    place = bisect_left(starts, start + longest + 1) - 1
    if starts[place] > start:
        return starts[place]
    space = text.rfind(" ", start + 1, start + longest)
    return space if space > start else start + longest


def _apart(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Join highlights that overlap, in order.

    >>> _apart([(0, 4), (2, 6), (8, 9)])
    [(0, 6), (8, 9)]
    """
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined

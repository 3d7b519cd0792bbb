"""Tells whether citations are all that a text consists of: "art. 27 LGT y art. 7 LIRPF"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from search.citations.folding import Folded
from search.citations.spanish.days import read_pinned, said_days, without_days
from search.citations.spanish.lexicon import spaced
from search.citations.spanish.linking import JOINT
from search.citations.spanish.whole import END, OPENING

_BETWEEN = re.compile(
    rf"{JOINT.pattern}|"
    + spaced(r"(?:_;_(?:(?:y|e|i) )?| i )(?:(?:en|a|por|con|de) )?(?:(?:els?|l[ao]s?|les|del|al) )?")
)


def lists(between: Sequence[Folded]) -> bool:
    """Whether texts before, between and behind citations only join them, or tell days."""
    before, *joints, behind = map(_without_days, between)
    is_row = all(_BETWEEN.fullmatch(joint) for joint in joints)
    return bool(is_row and OPENING.fullmatch(before) and END.match(behind))


def _without_days(text: Folded) -> str:
    pinned = read_pinned(text, 0)
    return without_days(text, [*said_days(text), *([pinned] if pinned else [])]).lower

"""The reviewed list of Spanish laws: what names and abbreviations stand for which."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from search.citations.folding import fold_name

LAWS_FILE = Path(__file__).with_name("laws.toml")
FILLERS = {"de", "del", "la", "las", "los", "el"}
"""Words of names that do not count: "Ley de Enjuiciamiento Civil" is "ley enjuiciamiento civil"."""


class Curated(NamedTuple):
    """What the reviewed list knows: laws by folded abbreviation, and a tree of the words of their names.

    `developing` are the reglamentos of a law, `names` its names as they are listed.
    """

    abbreviations: dict[str, tuple[str, ...]]
    first_only: frozenset[str]
    tree: dict[str, object]
    boe_ids: dict[str, str]
    developing: dict[str, tuple[str, ...]]
    names: dict[str, tuple[str, ...]]


@cache
def curated() -> Curated:
    """Load the reviewed list of laws once."""
    laws = tomllib.loads(LAWS_FILE.read_text(encoding="utf-8"))
    abbreviations: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    led: set[str] = set()
    for law, entry in laws.items():
        for abbreviation in entry.get("abbreviations", ()):
            abbreviations.setdefault(abbreviation_key(abbreviation), []).append(law)
        for name in entry.get("names", ()):
            names.setdefault(_content(name), []).append(law)
    for law, entry in laws.items():
        for form in entry.get("also", ()):
            table, key = (names, _content(form)) if " " in form else (abbreviations, abbreviation_key(form))
            table.setdefault(key, []).append(law)
            led.add(key)
    tree: dict[str, object] = {}
    for name, ids in names.items():
        _plant(tree, name.split(), tuple(dict.fromkeys(ids)))
    return Curated(
        {key: tuple(dict.fromkeys(ids)) for key, ids in abbreviations.items()},
        frozenset(led),
        tree,
        {law: entry["boe_id"] for law, entry in laws.items()},
        _developing({law: entry["develops"] for law, entry in laws.items() if "develops" in entry}),
        {law: tuple(entry.get("names", ())) for law, entry in laws.items()},
    )


def abbreviation_key(abbreviation: str) -> str:
    """Fold an abbreviation for comparison: lower case, letters and digits alone."""
    return "".join(character for character in abbreviation.lower() if character.isalnum())


def _developing(developed: dict[str, str]) -> dict[str, tuple[str, ...]]:
    """Turn what each reglamento develops into the reglamentos of each law."""
    return {law: tuple(own for own, of in developed.items() if of == law) for law in developed.values()}


def _content(name: str) -> str:
    words = re.findall(r"[a-z0-9]+", fold_name(name))
    return " ".join(word for index, word in enumerate(words) if not index or word not in FILLERS)


def _plant(tree: dict[str, object], words: list[str], ids: tuple[str, ...]) -> None:
    node = tree
    for word in words:
        following = node.setdefault(word, {})
        if isinstance(following, dict):
            node = following
    node[""] = ids

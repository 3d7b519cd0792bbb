"""Measures how well citations are found and resolved, against those marked by hand in tests/labelled/.

    python -m bench.citation_quality [--differences]

Reads the nine real laws in SHARED_DIR (by default ../shared). Needs no corpus and no database. The rules of the
marks are in docs/labelling.md.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.labelled_citations import LABELS, Cited, Labelled, labelled  # noqa: E402
from corpus.identifiers import CitationId  # noqa: E402
from corpus.importers import load  # noqa: E402
from corpus.records import ArticleRecord, LawRecord, VersionRecord  # noqa: E402
from corpus.structure import SubUnit, sub_units  # noqa: E402
from search.citations import Reference, UnitMention, UnitRange, extract  # noqa: E402
from search.citations.hosting import Host, place  # noqa: E402
from search.developing import developed_law, developing_norms  # noqa: E402

_LEADING_ARTICLE = re.compile(r"(?:el|la|los|las|lo)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Difference:
    """A citation that was marked and found differently; one of the two is None where only the other is there."""

    provision: str
    text: str
    marked: Cited | None
    found: Cited | None


@dataclass
class Score:
    """Counts over all labelled texts, by kind where a mark gives the kind."""

    texts: int = 0
    changed: list[str] = field(default_factory=list)
    marked: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)
    overlapping: Counter[str] = field(default_factory=Counter)
    resolved: Counter[str] = field(default_factory=Counter)
    found: int = 0
    found_overlapping: int = 0
    wrong_found: list[Difference] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share of what was found that has exactly the place of a mark."""
        return self.exact.total() / max(self.found, 1)

    @property
    def recall(self) -> float:
        """Share of the marks whose exact place was found."""
        return self.exact.total() / max(self.marked.total(), 1)

    @property
    def accuracy(self) -> float:
        """Share of the citations in their exact place that denote what was marked."""
        return self.resolved.total() / max(self.exact.total(), 1)


def main() -> None:
    """Print the figures and a table by kind, and with `--differences` each difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--differences", action="store_true", help="list every difference")
    wanted = parser.parse_args()
    shared = Path(os.environ.get("SHARED_DIR", ROOT.parent / "shared"))
    score = measure(LABELS, read_laws(shared))
    if wanted.differences:
        for one in [*score.differences, *score.wrong_found]:
            print(_shown(one))
        print()
    print(f"{'kind':18} {'marked':>6} {'found':>7} {'overlap':>7} {'resolved':>8}")
    for kind, marked in sorted(score.marked.items(), key=lambda item: -item[1]):
        exact = score.exact[kind]
        overlap = score.overlapping[kind] / marked
        print(f"{kind:18} {marked:6} {exact / marked:7.3f} {overlap:7.3f} {score.resolved[kind] / max(exact, 1):8.3f}")
    print(f"\ntexts {score.texts}, changed since they were labelled {len(score.changed)}")
    print(f"marked {score.marked.total()}, found {score.found}")
    print(f"precision   {score.precision:.4f}   overlapping {score.found_overlapping / max(score.found, 1):.4f}")
    print(
        f"recall      {score.recall:.4f}   overlapping {score.overlapping.total() / max(score.marked.total(), 1):.4f}"
    )
    print(f"accuracy    {score.accuracy:.4f}")
    print(f"wrong found {len(score.wrong_found)}")


def read_laws(shared: Path) -> dict[str, LawRecord]:
    """Read the real laws of the shared data, by id."""
    files = sorted((shared / "data" / "boe-xml").glob("*/full.xml"))
    return {law.id: law for file in files for law in load(file)}


def measure(labels: Path, laws: dict[str, LawRecord]) -> Score:
    """Find the citations of every labelled text and compare them with its marks."""
    score = Score()
    for label in labelled(labels):
        version = _version(laws, label)
        if version is None:
            score.changed.append(label.name)
            continue
        everywhere = citations_of(laws[label.law], label.unit, version, laws)
        found = [one for one in everywhere if label.covers(one.start)]
        score.texts += 1
        _compare(score, label, version.text, found)
        score.wrong_found += _wrongly_found(laws, label, version.text, found)
    return score


def citations_of(law: LawRecord, unit: str, version: VersionRecord, laws: dict[str, LawRecord]) -> list[Cited]:
    """Find the citations of one version of a provision, placed in its law and resolved in all of them."""
    host = Host(
        law.id,
        unit,
        tuple(article.key for article in law.articles if _stood(article, version)),
        _parts(version),
        developed_law(law, law.id),
        developing_norms(law.id),
    )
    extraction = place(extract(version.text), host)
    found = [Cited(one.start, one.end, _ids(one, laws)) for one in extraction.references]
    found += [Cited(one.start, one.end, unsupported=one.type) for one in extraction.unsupported]
    return sorted((_trimmed(one, version.text) for one in found), key=lambda one: one.start)


def _stood(article: ArticleRecord, then: VersionRecord) -> bool:
    """Tell whether a provision had text when a version began: what came between later is not the one before."""
    first = [version.valid_from for version in article.versions]
    return then.valid_from is None or any(day is None or day <= then.valid_from for day in first)


def _version(laws: dict[str, LawRecord], label: Labelled) -> VersionRecord | None:
    articles: Iterable[ArticleRecord] = laws[label.law].articles if label.law in laws else ()
    versions = (version for article in articles if article.key == label.unit for version in article.versions)
    return next((version for version in versions if version.sha256 == label.sha256), None)


def _ids(reference: Reference, laws: dict[str, LawRecord]) -> tuple[str, ...]:
    """Give what a reference denotes; of a unit's readings the first that is held, as a lookup would."""
    if reference.law is None or not reference.law.ids:
        return ()
    law = reference.law.ids[0]
    return tuple(_held_reading(law, unit, laws) for unit in reference.units) or (law,)


def _held_reading(law: str, unit: UnitMention | UnitRange, laws: dict[str, LawRecord]) -> str:
    first = f"{law}:{_unit(unit)}"
    others = () if isinstance(unit, UnitRange) else unit.alternatives
    readings = [first, *(f"{law}:{_unit(other)}" for other in others)]
    return next((cited for cited in readings if _exists(laws, cited)), first)


def _unit(unit: UnitMention | UnitRange) -> str:
    if isinstance(unit, UnitRange):
        return f"{_unit(unit.first)}..{_unit(unit.last)}"
    return ".".join((unit.key, *unit.path))


def _trimmed(one: Cited, text: str) -> Cited:
    """Take the leading article off a citation: "la presente Ley" and "presente Ley" are the same mark."""
    leading = _LEADING_ARTICLE.match(text, one.start, one.end)
    return Cited(leading.end(), one.end, one.ids, one.unsupported) if leading else one


def _compare(score: Score, label: Labelled, text: str, found: list[Cited]) -> None:
    places = {(one.start, one.end): one for one in found}
    score.found += len(found)
    score.found_overlapping += sum(any(one.overlaps(mark) for mark in label.marks) for one in found)
    for mark in label.marks:
        score.marked[mark.kind] += 1
        score.overlapping[mark.kind] += any(mark.overlaps(one) for one in found)
        same = places.pop((mark.start, mark.end), None)
        agrees = same is not None and same.denotes == mark.denotes
        score.exact[mark.kind] += same is not None
        score.resolved[mark.kind] += agrees
        if not agrees:
            score.differences.append(Difference(label.name, text, mark, same))
    score.differences += [Difference(label.name, text, None, one) for one in places.values()]


def _wrongly_found(laws: dict[str, LawRecord], label: Labelled, text: str, found: list[Cited]) -> Iterator[Difference]:
    """Give what was found in the real laws though no mark in its place denotes it."""
    for one in found:
        there = [mark for mark in label.marks if mark.overlaps(one)]
        meant = {cited for mark in there for cited in mark.ids}
        if any(cited not in meant and _exists(laws, cited) for cited in one.ids):
            yield Difference(label.name, text, there[0] if there else None, one)


def _exists(laws: dict[str, LawRecord], cited: str) -> bool:
    """Tell whether a lookup would find what is cited, whole, in any redaction."""
    law, _, unit = cited.partition(":")
    if law not in laws or not unit:
        return law in laws
    wanted = CitationId.parse(cited.split("..")[0])
    versions = [version for article in laws[law].articles if article.key == wanted.unit for version in article.versions]
    return bool(versions) and (not wanted.path or any(wanted.path in _paths(version) for version in versions))


@cache
def _paths(version: VersionRecord) -> frozenset[tuple[str, ...]]:
    return frozenset(part.path for part in _parts(version))


def _parts(version: VersionRecord) -> tuple[SubUnit, ...]:
    return sub_units(version.text, [vars(block) for block in version.blocks])


def _shown(one: Difference) -> str:
    lines = [one.provision]
    for word, cited in (("marked", one.marked), ("found ", one.found)):
        if cited is not None:
            said = cited.unsupported or " ".join(cited.ids) or "open"
            lines.append(f"    {word} {one.text[cited.start : cited.end]!r} -> {said}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

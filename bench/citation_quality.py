"""Measures how well citations are found and resolved, against those marked by hand in tests/labelled/.

    python -m bench.citation_quality [--differences]

Reads the nine real laws in SHARED_DIR (by default ../shared). Needs no corpus and no database. The rules of the
marks are in docs/labelling.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from corpus.importers import load  # noqa: E402
from corpus.records import ArticleRecord, LawRecord, VersionRecord  # noqa: E402
from corpus.structure import sub_units  # noqa: E402
from search.citations import Reference, UnitMention, UnitRange, extract  # noqa: E402
from search.citations.hosting import Host, place  # noqa: E402

LABELS = ROOT / "tests" / "labelled" / "citations.jsonl"
_LEADING_ARTICLE = re.compile(r"(?:el|la|los|las|lo)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Cited:
    """One citation of a text, as marked or as found: its place, and the ids or the unsupported type it denotes."""

    start: int
    end: int
    ids: tuple[str, ...] = ()
    unsupported: str = ""
    kind: str = ""

    @property
    def denotes(self) -> tuple[tuple[str, ...], str]:
        """What the citation says, whatever its place."""
        return self.ids, self.unsupported

    def overlaps(self, other: Cited) -> bool:
        """Tell whether two citations share a character."""
        return self.start < other.end and other.start < self.end


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
    for line in labels.read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        name = f"{label['law']}:{label['unit']}"
        held = _version(laws, label["law"], label["unit"], label["sha256"])
        if held is None:
            score.changed.append(name)
            continue
        law, version = held
        marked = [_marked(one) for one in label["citations"]]
        within = label.get("within", [[0, len(version.text)]])
        found = [
            one
            for one in citations_of(law, label["unit"], version)
            if any(start <= one.start < end for start, end in within)
        ]
        score.texts += 1
        _compare(score, name, version.text, marked, found)
        score.wrong_found += _wrongly_found(laws, name, version.text, marked, found)
    return score


def citations_of(law: LawRecord, unit: str, version: VersionRecord) -> list[Cited]:
    """Find the citations of one version of a provision, placed in its law."""
    host = Host(
        law.id,
        unit,
        tuple(article.key for article in law.articles if _stood(article, version)),
        sub_units(version.text, [vars(block) for block in version.blocks]),
        _developed(law),
    )
    extraction = place(extract(version.text), host)
    found = [Cited(one.start, one.end, _ids(one)) for one in extraction.references]
    found += [Cited(one.start, one.end, unsupported=one.type) for one in extraction.unsupported]
    return sorted((_trimmed(one, version.text) for one in found), key=lambda one: one.start)


def _stood(article: ArticleRecord, then: VersionRecord) -> bool:
    """Tell whether a provision had text when a version began: what came between later is not the one before."""
    first = [version.valid_from for version in article.versions]
    return then.valid_from is None or any(day is None or day <= then.valid_from for day in first)


def _version(laws: dict[str, LawRecord], law: str, unit: str, sha256: str) -> tuple[LawRecord, VersionRecord] | None:
    articles: Iterable[ArticleRecord] = laws[law].articles if law in laws else ()
    versions = (version for article in articles if article.key == unit for version in article.versions)
    return next(((laws[law], version) for version in versions if version.sha256 == sha256), None)


def _marked(one: dict[str, object]) -> Cited:
    ids = one.get("ids", ())
    assert isinstance(ids, Sequence)
    return Cited(
        int(str(one["start"])), int(str(one["end"])), tuple(ids), str(one.get("unsupported", "")), str(one["kind"])
    )


def _developed(law: LawRecord) -> str:
    """Give the law that a reglamento says it develops, by its title."""
    if law.rank != "rd":
        return ""
    named = (one.law for one in extract(law.title).references if one.law and one.law.rank == "ley")
    return next((mention.ids[0] for mention in named if mention.ids), "")


def _ids(reference: Reference) -> tuple[str, ...]:
    if reference.law is None or not reference.law.ids:
        return ()
    law = reference.law.ids[0]
    return tuple(f"{law}:{_unit(unit)}" for unit in reference.units) or (law,)


def _unit(unit: UnitMention | UnitRange) -> str:
    if isinstance(unit, UnitRange):
        return f"{_unit(unit.first)}..{_unit(unit.last)}"
    return ".".join((unit.key, *unit.path))


def _trimmed(one: Cited, text: str) -> Cited:
    """Take the leading article off a citation: "la presente Ley" and "presente Ley" are the same mark."""
    leading = _LEADING_ARTICLE.match(text, one.start, one.end)
    return Cited(leading.end(), one.end, one.ids, one.unsupported) if leading else one


def _compare(score: Score, name: str, text: str, marked: list[Cited], found: list[Cited]) -> None:
    places = {(one.start, one.end): one for one in found}
    score.found += len(found)
    score.found_overlapping += sum(any(one.overlaps(mark) for mark in marked) for one in found)
    for mark in marked:
        score.marked[mark.kind] += 1
        score.overlapping[mark.kind] += any(mark.overlaps(one) for one in found)
        same = places.pop((mark.start, mark.end), None)
        score.exact[mark.kind] += same is not None
        agrees = same is not None and same.denotes == mark.denotes
        score.resolved[mark.kind] += agrees
        if not agrees:
            score.differences.append(Difference(name, text, mark, same))
    score.differences += [Difference(name, text, None, one) for one in places.values()]


def _wrongly_found(
    laws: dict[str, LawRecord], name: str, text: str, marked: list[Cited], found: list[Cited]
) -> Iterator[Difference]:
    """Give what was found in the real laws though no mark in its place denotes it."""
    for one in found:
        there = [mark for mark in marked if mark.overlaps(one)]
        meant = {cited for mark in there for cited in mark.ids}
        if any(cited not in meant and _exists(laws, cited) for cited in one.ids):
            yield Difference(name, text, there[0] if there else None, one)


def _exists(laws: dict[str, LawRecord], cited: str) -> bool:
    law, _, unit = cited.partition(":")
    key = unit.split("..")[0]
    return law in laws and (
        not key or any(key == article.key or key.startswith(f"{article.key}.") for article in laws[law].articles)
    )


def _shown(one: Difference) -> str:
    lines = [one.provision]
    for word, cited in (("marked", one.marked), ("found ", one.found)):
        if cited is not None:
            said = cited.unsupported or " ".join(cited.ids) or "open"
            lines.append(f"    {word} {one.text[cited.start : cited.end]!r} -> {said}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()

"""Makes the articles of a BOE law: one for each citation key, with its redactions by validity, and what was lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from corpus.headings import Heading, classify_all
from corpus.importers.boe_blocks import Redaction, SourceBlock
from corpus.importers.boe_outline import Outline, Provision
from corpus.importers.boe_text import Item, compose, visible
from corpus.records import ArticleRecord, Note, SourceWarning, VersionRecord
from corpus.rubrics import heading_length
from corpus.validity import ONE_DAY, ended, in_order, marker_status

NEVER_IN_FORCE = "redacción que no llegó a regir"
UNDATED = "redacción de fecha desconocida"
_SAMPLE = 120
_PLAIN_NUMBER = re.compile(r"art-(\d+)")
_SUFFIXED_NUMBER = re.compile(r"art-(\d+)-.+")


@dataclass
class Ledger:
    """Counts the visible characters of the source and of what is kept, and names every loss."""

    source: int = 0
    kept: int = 0
    warnings: list[SourceWarning] = field(default_factory=list)

    def enter(self, block: str, redaction: Redaction, kept: int) -> None:
        """Account for one redaction."""
        self.source += redaction.characters
        self.kept += min(kept, redaction.characters)
        missing = redaction.characters - kept
        if missing > 0:
            what = (redaction.full_title or redaction.first_line)[:_SAMPLE]
            detail = f"{missing} characters of the redaction of {redaction.valid_from}: {what!r}"
            self.warnings.append(SourceWarning("text-not-kept", block, detail))


@dataclass
class _Draft:
    """An article while its redactions are gathered; a block that names several provisions only lends it theirs."""

    provision: Provision
    heading: Heading
    versions: list[VersionRecord]

    @property
    def is_lent(self) -> bool:
        return len(self.provision.headings) > 1

    @property
    def expires(self) -> date | None:
        return self.provision.block.expires

    @property
    def begins(self) -> date:
        """The first day of its first redaction."""
        return min((one.valid_from or date.min for one in self.versions), default=date.min)

    def with_life_of(self, other: _Draft) -> _Draft | None:
        """Join the redactions of another block of the same name; None if that one is another provision.

        It is the same one where a group only lends its marker, or where one block is at an end (it expires, or all
        that is left of it is that it was repealed) and the other goes on.
        """
        if self.is_lent or other.is_lent:
            return replace(other if self.is_lent else self, versions=[*self.versions, *other.versions])
        earlier, later = (self, other) if self.begins <= other.begins else (other, self)
        if earlier.begins == later.begins:
            return None
        ordered, overtaken = in_order(earlier.versions)
        if earlier.expires:
            ordered = ended(ordered, earlier.expires - ONE_DAY)
        elif ordered[-1].status == "in_force" or (ordered[-1].valid_from or date.min) > later.begins:
            return None
        return replace(later, versions=[*ordered, *overtaken, *later.versions])


def make_articles(outline: Outline, ledger: Ledger, law: str = "") -> list[ArticleRecord]:
    """Give one article per key, in order; a key that the source repeats becomes `key~2`.

    `law` is the BOE id of the law itself, whose own redactions are the oldest even where no day of theirs is told.
    """
    drafts: dict[str, _Draft] = {}
    groups: dict[str, _Draft] = {}
    for provision, heading, key in outline.keyed():
        draft = _Draft(provision, heading, list(_versions(provision, heading, ledger)))
        known = drafts.get(key)
        if draft.is_lent:
            groups.setdefault(provision.block.id, draft)
        joined = known.with_life_of(draft) if known else draft
        if joined is None:
            drafts[_free(key, drafts)] = draft
            continue
        if known is not None and known.is_lent:
            del drafts[key]
        drafts[key] = joined
    for group in groups.values():
        _extend(group, drafts)
    return [_settled(key, draft, number, ledger, law) for number, (key, draft) in enumerate(drafts.items(), start=1)]


def _extend(group: _Draft, drafts: dict[str, _Draft]) -> None:
    """Give what is told of "Artículos 4 a 6" to an expired 5 bis too."""
    found = [_PLAIN_NUMBER.fullmatch(heading.key) for heading in group.provision.headings]
    numbers = [int(number[1]) for number in found if number]
    for key, draft in drafts.items():
        suffixed = _SUFFIXED_NUMBER.fullmatch(draft.heading.key)
        is_between = suffixed and numbers and min(numbers) <= int(suffixed[1]) < max(numbers)
        if is_between and draft.expires and draft.provision.section is group.provision.section:
            drafts[key] = replace(draft, versions=[*draft.versions, *group.versions])


def law_notes(outline: Outline, ledger: Ledger, on: date | None) -> Iterator[Note]:
    """Give the notes that belong to no provision: the initial one, those below headings, and the signature."""
    for block in outline.asides:
        for redaction in block.redactions:
            text = compose((*redaction.titles, *redaction.body)).text
            notes = [Note(text, about="firma")] if block.type == "firma" else [Note(text)] if text else []
            notes += redaction.notes
            ledger.enter(block.id, redaction, sum(visible(note.text) for note in notes))
            yield from (note for note in notes if note.text)
    placed = {id(provision.block) for provision in outline.provisions}
    paths = {text for provision in outline.provisions for text in provision.path}
    for block in outline.titles:
        if id(block) not in placed:
            yield from _heading_notes(block, ledger, paths, on)


def _heading_notes(block: SourceBlock, ledger: Ledger, paths: set[str], on: date | None) -> Iterator[Note]:
    current = block.current(on).full_title
    for redaction in block.redactions:
        lines = sum(visible(item.line.text) for item in redaction.titles)
        is_shown = redaction.full_title == current and (current in paths or redaction.title.rstrip(".") in paths)
        notes = [replace(note, about=redaction.full_title) for note in redaction.notes]
        if not is_shown and redaction.full_title:
            notes.insert(0, Note(redaction.full_title, about=current))
            lines = sum(visible(item.line.text) for item in redaction.titles)
        ledger.enter(block.id, redaction, lines + sum(visible(note.text) for note in redaction.notes))
        yield from notes


def _versions(provision: Provision, heading: Heading, ledger: Ledger) -> Iterator[VersionRecord]:
    for redaction in provision.block.redactions:
        title, body = _headed(redaction, heading)
        flow = compose(body)
        if heading is provision.headings[0]:
            stored = " ".join([*(one.label for one in provision.headings), title, *(i.line.text for i in body[:1])])
            ledger.enter(provision.block.id, redaction, _kept(redaction, stored))
        yield VersionRecord(
            text=flow.text, heading=title, blocks=tuple(flow.blocks), notes=redaction.notes,
            valid_from=redaction.valid_from, published=redaction.published, amended_by=redaction.norm,
            status=marker_status(flow.text) or "in_force",
        )  # fmt: skip


def _kept(redaction: Redaction, stored: str) -> int:
    """Count what is kept of a redaction: all it reads, less the letters of its title lines that `stored` has not."""
    read = sum(map(_visible, (*redaction.titles, *redaction.body)))
    notes = sum(visible(note.text) for note in redaction.notes)
    lead = " ".join(item.line.text for item in redaction.titles or redaction.body[:1])
    missing = sum(max(0, count - stored.count(letter)) for letter, count in Counter(lead).items() if letter.isalnum())
    return read + notes - missing


def _visible(item: Item) -> int:
    """Count the visible characters of a paragraph or a table that are the source's own."""
    lines = [line for row in item.rows for line, _ in row] if item.rows else [item.line]
    return sum(visible(line.text) - line.added for line in lines if line.text)


def _settled(key: str, draft: _Draft, position: int, ledger: Ledger, law: str) -> ArticleRecord:
    """Order the redactions, end each, and say which never had force for a day or cannot be placed."""
    block = draft.provision.block.id
    placed, undated = _placed(draft.versions, law)
    versions, overtaken = in_order(placed)
    for version in undated:
        detail = f"{key}: no day is told of the redaction by {version.amended_by or 'an unnamed norm'}"
        ledger.warnings.append(SourceWarning("undated-version", block, detail))
        versions = [*versions[:-1], _noting(versions[-1], version, UNDATED)]
    for version in overtaken:
        detail = f"{key}: the redaction by {version.amended_by} of {version.valid_from} never had force for a day"
        ledger.warnings.append(SourceWarning("overtaken-version", block, detail))
        versions = _with_note(versions, version)
    if not versions[-1].text and any(version.text for version in versions):
        detail = f"{key}: the redaction by {versions[-1].amended_by} of {versions[-1].valid_from} has no text"
        ledger.warnings.append(SourceWarning("empty-version", block, detail))
    if not _in_publication_order(versions):
        detail = f"{key}: a redaction that was published earlier begins later than one published after it"
        ledger.warnings.append(SourceWarning("publication-order", block, detail))
    if draft.expires is not None and all(version.status == "in_force" for version in versions):
        versions = ended(versions, draft.expires - ONE_DAY)
    return ArticleRecord(
        key=key, kind=draft.heading.kind, label=draft.heading.label, position=position, path=draft.provision.path,
        source_block=block, versions=tuple(versions),
    )  # fmt: skip


def _with_note(versions: Sequence[VersionRecord], overtaken: VersionRecord) -> list[VersionRecord]:
    """Keep a redaction that never had force as a note of the one that ran from the day it would have begun."""
    begun = [one for one in versions if (one.valid_from or date.min) <= (overtaken.valid_from or date.min)]
    at = max(len(begun) - 1, 0)
    return [_noting(one, overtaken, NEVER_IN_FORCE) if number == at else one for number, one in enumerate(versions)]


def _noting(version: VersionRecord, other: VersionRecord, about: str) -> VersionRecord:
    """Give a redaction with another as a note, unless that says the same or nothing."""
    if not other.text or (other.heading, other.text, other.notes) == (version.heading, version.text, version.notes):
        return version
    heading = (other.heading,) if other.heading else ()
    text = "\n".join((*heading, other.text, *(note.text for note in other.notes)))
    note = Note(text, (other.amended_by,) if other.amended_by else (), about=about)
    return replace(version, notes=(*version.notes, note))


def _placed(versions: Sequence[VersionRecord], law: str) -> tuple[list[VersionRecord], list[VersionRecord]]:
    """Part the redactions that can be put in order from those of which no day is told, and which are not the first."""
    undated = [one for one in versions if one.valid_from is None and one.amended_by != law]
    placed = [one for one in versions if one not in undated]
    return (placed, undated) if any(one.valid_from for one in versions) else (list(versions), [])


def _in_publication_order(versions: Sequence[VersionRecord]) -> bool:
    days = [version.published for version in versions if version.published]
    return days == sorted(days)


def _headed(redaction: Redaction, heading: Heading) -> tuple[str, tuple[Item, ...]]:
    """Part the heading of one redaction from its body, which may begin on the title line itself."""
    if not redaction.titles:
        return _headed_by_first_line(redaction, heading)
    first, *others = redaction.titles
    named = classify_all(first.line.text) or classify_all(first.line.text, heading.kind)
    rest = named[0].heading if named else first.line.text
    if others or not named:
        return " ".join([rest, *(item.line.text for item in others)]).strip().rstrip("."), redaction.body
    length = heading_length(rest)
    if length == len(rest) and not redaction.body:
        length = 0
    return _split(first, named[0], length, redaction.body)


def _split(line: Item, named: Heading, length: int, body: tuple[Item, ...]) -> tuple[str, tuple[Item, ...]]:
    """Give the first `length` characters after a label to the heading and what follows to the body."""
    title = named.heading[:length].rstrip(" .")
    if length == len(named.heading):
        return title, body
    rest = line.line.after(named.offset + length)
    lead = len(rest.text) - len(rest.text.lstrip(" .:"))
    return title, (replace(line, line=rest.after(lead), kind="paragraph"), *body)


def _headed_by_first_line(redaction: Redaction, heading: Heading) -> tuple[str, tuple[Item, ...]]:
    """Take the label off a body whose first paragraph carries it because the source marks no title."""
    if not redaction.body or redaction.body[0].rows:
        return "", redaction.body
    first, *others = redaction.body
    named = next((one for one in classify_all(first.line.text) if one.key == heading.key), None)
    if named is None:
        return "", redaction.body
    length = heading_length(named.heading) if others else 0
    return _split(first, named, length, tuple(others))


def _free(key: str, taken: dict[str, _Draft]) -> str:
    """Give the next `key~n` that no other provision has."""
    number = 2
    while f"{key}~{number}" in taken:
        number += 1
    return f"{key}~{number}"

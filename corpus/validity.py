"""When each redaction of a provision ran: from the days they begin, in whatever order the source lists them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from corpus.records import Status, VersionRecord

FIRST_YEAR, LAST_YEAR = 1000, 2199
ONE_DAY = timedelta(days=1)

_GONE = (
    r"derogad[oa]s?|suprimid[oa]s?|sin contenido|sin efectos?|dejad[oa]s? sin (?:contenido|efectos?)|anulad[oa]s?"
    r"|(?:declarad[oa]s? )?inconstitucional(?:es)?(?: y nul[oa]s?)?|nul[oa]s?|eliminad[oa]s?|vacantes?"
)
_MARKER_LINE = re.compile(
    rf"(?:[\w.ºª]{{1,6}}[.)ºª]*[\s\u00a0]+)?[(\[]?\s*(?P<gone>{_GONE})\b[^()\[\]\n]{{0,200}}?[)\]]?\s*\.?",
    re.IGNORECASE,
)
_AUTHOR = r"por (?:el|la|los|las|ley|real|sentencia|stc)\b(?!.*\w\wr[áa]n?\b).{0,150}"
_BARE_MARKER = re.compile(rf"(?:queda )?(?P<gone>{_GONE})(?: {_AUTHOR})?\s*\.?", re.IGNORECASE)
_MAX_MARKER = 200


def read_day(text: str) -> date | None:
    """Read a day written YYYYMMDD; None for a sentinel, an impossible day or a year no law has.

    >>> read_day("20031218"), read_day("99999999"), read_day("20230230"), read_day("29291119")
    (datetime.date(2003, 12, 18), None, None, None)
    """
    digits = text.strip()
    if not re.fullmatch(r"\d{8}", digits):
        return None
    try:
        day = date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


def read_instant(text: str) -> datetime | None:
    """Read an instant written YYYYMMDDTHHMMSSZ; None for anything else.

    >>> read_instant("20260102T233000Z")
    datetime.datetime(2026, 1, 2, 23, 30, tzinfo=datetime.timezone.utc)
    """
    try:
        return datetime.strptime(text.strip(), "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        return None


def marker_status(text: str) -> Status | None:
    r"""Give the status that a redaction of only "(Derogado)", "(Anulado)" or the like tells; None if it is real text.

    >>> marker_status("(Derogado)"), marker_status("(Anulada)."), marker_status("1. (Derogado)\\n2. Texto.")
    ('repealed', 'annulled', None)
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if not lines or len(text) > _MAX_MARKER * len(lines):
        return None
    found = [_marker(line) for line in lines]
    if not all(found):
        return None
    words = [match["gone"].lower() for match in found if match]
    return "annulled" if all(re.search(r"anulad|nul[oa]|inconst", word) for word in words) else "repealed"


def _marker(line: str) -> re.Match[str] | None:
    """Match a line in brackets that says the text is gone, or one that is nothing but the word."""
    bracketed = _MARKER_LINE.fullmatch(line)
    if bracketed and re.search(r"[(\[]", line):
        return bracketed
    return _BARE_MARKER.fullmatch(line)


def in_order(versions: Sequence[VersionRecord]) -> tuple[list[VersionRecord], list[VersionRecord]]:
    """Order redactions by the day they begin and end each the day before the next, if it does not end sooner.

    On every day the one published last counts among those that have begun: the source writes each redaction on top of
    the one published before it, though that may begin later. The second list holds those that were overtaken before
    they had force for a day; of several of one day the one listed last counts. A repeal that was published before an
    amendment and begins after it still ends the text.
    """
    ranked = sorted(versions, key=lambda version: (version.valid_from or date.min, version.published or date.min))
    kept: list[VersionRecord] = []
    overtaken: list[VersionRecord] = []
    for version in ranked:
        if any(_overtakes(earlier, version) for earlier in kept):
            overtaken.append(version)
            continue
        if kept and kept[-1].valid_from == version.valid_from:
            overtaken.append(kept.pop())
        kept.append(version)
    limits = [*(following.valid_from for following in kept[1:]), None]
    return [
        replace(version, valid_to=_end(version, limit)) for version, limit in zip(kept, limits, strict=True)
    ], overtaken


def _overtakes(earlier: VersionRecord, later: VersionRecord) -> bool:
    """Whether a redaction that begins earlier was published after another, and still runs when that one begins."""
    if later.status != "in_force" or earlier.published is None or later.published is None:
        return False
    still_runs = earlier.valid_to is None or earlier.valid_to >= (later.valid_from or date.min)
    return earlier.published > later.published and still_runs


def _end(version: VersionRecord, limit: date | None) -> date | None:
    """Give the day before `limit`, or the end a redaction has already if that is sooner."""
    before = limit - ONE_DAY if limit else None
    return min(filter(None, (version.valid_to, before)), default=None)


def ended(versions: Sequence[VersionRecord], last_day: date) -> list[VersionRecord]:
    """Close the text that runs beyond `last_day`; a redaction that begins later is left as it is."""
    return [
        replace(version, valid_to=last_day)
        if version.status == "in_force"
        and (version.valid_to is None or version.valid_to > last_day)
        and (version.valid_from or date.min) <= last_day
        else version
        for version in versions
    ]

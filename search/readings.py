"""What a citation names, apart from where it stands and how it is worded: a value to store, hash and read again."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING, Any

from search.citations import LawMention, UnitMention, UnitRange
from search.law_names import fold_title, names_of
from search.law_resolution import eli_path

if TYPE_CHECKING:
    from corpus.models import Law

Unit = UnitMention | UnitRange

_REGION = re.compile(r"es-[a-z]{2}-")


@dataclass(frozen=True)
class Reading:
    """A law as it was named, and one unit or range of it; without a unit the whole law.

    >>> from search.citations import parse
    >>> reading = Reading(parse("Ley 39/2015").law, UnitMention("art-5", ("2",)))
    >>> reading.value
    {'law': {'ids': ['ley-39-2015'], 'rank': 'ley', 'number': '39/2015'}, 'unit': {'key': 'art-5', 'path': ['2']}}
    >>> Reading.of(reading.value).digest == reading.digest
    True
    """

    law: LawMention
    unit: Unit | None = None

    @classmethod
    def of(cls, value: dict[str, Any]) -> Reading:
        """Read a stored value again."""
        law = dict(value["law"])
        law["ids"] = tuple(law.get("ids", ()))
        if "enacted" in law:
            law["enacted"] = date.fromisoformat(law["enacted"])
        return cls(LawMention("", **law), _unit(value["unit"]) if "unit" in value else None)

    @cached_property
    def value(self) -> dict[str, Any]:
        """The reading as JSON holds it: what is empty is left out."""
        return {"law": _law_value(self.law)} | ({"unit": _unit_value(self.unit)} if self.unit else {})

    @cached_property
    def digest(self) -> str:
        """Hash of the value, the same for all citations that name the same in the same way."""
        return hashlib.sha256(json.dumps(self.value, sort_keys=True).encode()).hexdigest()


def names_given(mention: LawMention) -> list[str]:
    """Give everything by which a law of the corpus might turn out to be the one that is mentioned."""
    return sorted(
        {
            *mention.ids,
            *filter(None, (mention.boe_id, mention.eli and eli_path(mention.eli))),
            *({f"name {fold_title(mention.name)}"} if mention.name and not mention.ids else ()),
            *({_issue(mention.rank, mention.number or mention.enacted)} if not mention.ids else ()),
        }
        - {""}
    )


def names_borne(law: Law) -> list[str]:
    """Give everything by which a mention may mean a law."""
    return sorted(
        {
            law.key,
            _REGION.sub("", law.key),
            *filter(None, (law.boe_id, law.eli and eli_path(law.eli))),
            *(f"name {name}" for name in names_of(law.title, law.short_title)),
            *(_issue(law.rank, sign) for sign in (law.number, law.enacted)),
        }
        - {""}
    )


def _issue(rank: str, sign: str | date | None) -> str:
    return f"issue {rank} {sign}" if rank and sign else ""


def _law_value(law: LawMention) -> dict[str, Any]:
    """Keep what choosing among laws goes by: a name only where there is no id, a day only where it may tell."""
    held: dict[str, Any] = {
        "ids": list(law.ids),
        "boe_id": law.boe_id,
        "eli": law.eli,
        "name": "" if law.ids else fold_title(law.name),
        "jurisdiction": law.jurisdiction,
        "explicit_region": law.explicit_region,
        "is_ambiguous": law.is_ambiguous,
        "rank": law.rank if law.number or law.enacted else "",
        "number": law.number,
        "enacted": law.enacted.isoformat() if law.enacted else "",
    }
    return {name: value for name, value in held.items() if value}


def _unit_value(unit: Unit) -> dict[str, Any]:
    if isinstance(unit, UnitRange):
        return {"first": _unit_value(unit.first), "last": _unit_value(unit.last)}
    others = [_unit_value(other) for other in unit.alternatives]
    return {"key": unit.key, "path": list(unit.path)} | ({"others": others} if others else {})


def _unit(value: dict[str, Any]) -> Unit:
    if "first" in value:
        return UnitRange(_mention(value["first"]), _mention(value["last"]))
    return _mention(value)


def _mention(value: dict[str, Any]) -> UnitMention:
    return UnitMention(
        value["key"], tuple(value["path"]), alternatives=tuple(_unit(other) for other in value.get("others", ()))
    )

"""What a reader asks of the search page: read from an address, written back into one."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from search.errors import BlankQuery, InputError, InvalidDate, InvalidLimit, InvalidOffset, UnknownValue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import QueryDict

PAGE_SIZE = 10
NAMES = {
    "laws": "law",
    "ranks": "law_rank",
    "jurisdictions": "jurisdiction",
    "kinds": "kind",
    "statuses": "status",
    "valid_from": "from",
    "valid_to": "to",
}
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
ALL_PARTS = "all"
TRUE, FALSE = {"true", "1", "on"}, {"false", "0", ""}


@dataclass(frozen=True)
class Asked:
    """A question with its conditions and place in the list, under the API's parameter names."""

    q: str = ""
    laws: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()
    jurisdictions: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    statuses: tuple[str, ...] = ()
    as_of: date | None = None
    valid_from: date | None = None
    valid_to: date | None = None
    include_repealed: bool = False
    mode: str = "auto"
    sort: str = "relevance"
    limit: int = PAGE_SIZE
    offset: int = 0

    @classmethod
    def read(cls, params: QueryDict) -> Asked:
        """Read an address's parameters; raise an `InputError` that names the one that is wrong."""
        return cls(
            q=without_controls(params.get("q", "")),
            laws=_values(params, "law"),
            ranks=_values(params, "law_rank"),
            jurisdictions=_values(params, "jurisdiction"),
            kinds=_values(params, "kind"),
            statuses=_values(params, "status"),
            as_of=read_day(params, "as_of"),
            valid_from=read_day(params, "from"),
            valid_to=read_day(params, "to"),
            include_repealed=_flag(params, "include_repealed"),
            mode=read_text(params, "mode") or "auto",
            sort=read_text(params, "sort") or "relevance",
            limit=_number(params, "limit", PAGE_SIZE, InvalidLimit),
            offset=read_offset(params),
        )

    @property
    def url(self) -> str:
        """The address that asks this again; what has its default is left out."""
        params = urlencode(self.pairs)
        return f"{reverse('search')}{'?' if params else ''}{params}"

    @property
    def without_filters(self) -> Asked:
        """The same question of the whole corpus today."""
        return Asked(q=self.q, mode=self.mode, sort=self.sort, limit=self.limit)

    @property
    def kept_in_form(self) -> list[tuple[str, str]]:
        """The parameters that the search form carries along unseen."""
        shown = {"q", "as_of", "include_repealed", "sort", "offset"}
        return [(name, value) for name, value in self.pairs if name not in shown]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The parameters that differ from their defaults, by their names in an address."""
        return list(self._pairs())

    def but(self, **changes: object) -> Asked:
        """Give the same question with something changed, from its first page on."""
        return replace(self, **({"offset": 0} | changes))  # type: ignore[arg-type]

    def _pairs(self) -> Iterator[tuple[str, str]]:
        for field in fields(self):
            value = getattr(self, field.name)
            if value == field.default:
                continue
            for one in value if isinstance(value, tuple) else (value,):
                yield NAMES.get(field.name, field.name), _written(one)


def without_controls(text: str) -> str:
    r"""Give `text` with control characters, which no law and no index holds, turned into spaces, ends trimmed.

    >>> without_controls("iva\0 general\n")
    'iva  general'
    """
    return "".join(" " if unicodedata.category(c) in ("Cc", "Cs") else c for c in text).strip()


def read_text(params: QueryDict, name: str) -> str:
    """Read a text without control characters; nothing or blank is empty; raise `UnknownValue` for them alone."""
    return readable(params.get(name, ""), name)


def readable(written: str, name: str) -> str:
    """Give a value without control characters; raise as `unreadable` says for one that is nothing else."""
    text = without_controls(written)
    if not text and written.strip():
        raise unreadable(name)
    return text


def unreadable(name: str) -> InputError:
    """Give the error of a value in which nothing can be read: taken for none, it would widen what is asked."""
    error = BlankQuery if name == "q" else UnknownValue
    return error(_("%(name)s no dice nada que se pueda leer.") % {"name": name}, parameter=name)


def read_day(params: QueryDict, name: str) -> date | None:
    """Read a day like 2019-06-30; nothing or blank is None; raise `InvalidDate` for anything else."""
    written = read_text(params, name)
    if not written:
        return None
    try:
        return parse_day(written)
    except ValueError:
        detail = _("«%(written)s» no es un día: se escribe como 2019-06-30.") % {"written": written[:40]}
        raise InvalidDate(detail, parameter=name) from None


def parse_day(written: str) -> date:
    """Read a day as this product writes it, and no other ISO form; raise `ValueError` for anything else.

    >>> parse_day("2019-06-30")
    datetime.date(2019, 6, 30)
    """
    if not _DAY.fullmatch(written):
        raise ValueError(written)
    return date.fromisoformat(written)


def read_offset(params: QueryDict) -> int:
    """Read how many are skipped; raise `InvalidOffset` for what is no number or is less than none."""
    offset = _number(params, "offset", 0, InvalidOffset)
    if offset < 0:
        raise InvalidOffset(_("No se puede empezar antes del primero."), parameter="offset", limit=0)
    return offset


def read_part(params: QueryDict) -> int:
    """Read which window of a long text is asked for, from 1 on; 0 for `all`; raise `UnknownValue` for anything else."""
    if read_text(params, "part") == ALL_PARTS:
        return 0
    part = _number(params, "part", 1, UnknownValue)
    if part < 1:
        raise UnknownValue(_("Las partes se cuentan desde 1."), parameter="part", limit=1)
    return part


def _values(params: QueryDict, name: str) -> tuple[str, ...]:
    texts = (readable(written, name) for written in params.getlist(name))
    return tuple(dict.fromkeys(text for text in texts if text))


def _flag(params: QueryDict, name: str) -> bool:
    written = params.get(name, "").lower()
    if written in TRUE | FALSE:
        return written in TRUE
    raise UnknownValue(_("Se espera true o false."), parameter=name)


def _number(params: QueryDict, name: str, default: int, error: type[InputError]) -> int:
    written = params.get(name, "").strip()
    if not written:
        return default
    if not written.isascii() or not written.removeprefix("-").isdigit() or len(written) > 9:
        raise error(_("«%(written)s» no es un número.") % {"written": written[:40]}, parameter=name)
    return int(written)


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)

"""Ranks of Spanish law and the canonical id of a law: from its official number, its rank and its ELI."""

from __future__ import annotations

import re
from dataclasses import dataclass

BOE_ID = re.compile(r"[A-Z]{2,6}-[A-Za-z]-\d{4}-\d{1,7}")
"""An id of the BOE or of the journal of a region, as the BOE's open data have it."""
UNKNOWN = "desconocido"
STATE = "es"

# The vocabulary of the BOE's consolidated legislation (datos-auxiliares/rangos).
RANK_BY_BOE_CODE = {
    "1020": "acuerdo",
    "1070": "constitucion",
    "1180": "acuerdo-internacional",
    "1220": "reglamento",
    "1290": "lo",
    "1300": "ley",
    "1310": "rdleg",
    "1320": "rdl",
    "1325": "dl-foral",
    "1340": "rd",
    "1350": "orden",
    "1370": "resolucion",
    "1390": "circular",
    "1410": "instruccion",
    "1450": "ley-foral",
    "1470": "dleg",
    "1480": "dleg-foral",
    "1500": "dl",
    "1510": "decreto",
}
# The types of document of the Spanish ELI (BOE, technical specification of ELI in Spain).
RANK_BY_ELI_TYPE = {
    "a": "acuerdo",
    "ai": "acuerdo-internacional",
    "c": "constitucion",
    "cir": "circular",
    "d": "decreto",
    "dflg": "dleg-foral",
    "dl": "dl",
    "dlf": "dl-foral",
    "dlg": "dleg",
    "ins": "instruccion",
    "l": "ley",
    "lf": "ley-foral",
    "lo": "lo",
    "o": "orden",
    "rd": "rd",
    "rdl": "rdl",
    "rdlg": "rdleg",
    "reg": "reglamento",
    "res": "resolucion",
}
NUMBERED_RANKS = {"ley", "lo", "rdl", "rdleg", "rd", "decreto", "dl", "dleg", "ley-foral", "orden"}
CURATED_IDS = {
    "BOE-A-1978-31229": "ce",
    "BOE-A-1889-4763": "cc",
    "BOE-A-1885-6627": "ccom",
    "BOE-A-1882-6036": "lecrim",
    "BOE-A-1946-2453": "lh",
    "BOE-A-1947-3843": "rh",
    "BOE-A-1862-4073": "ln",
    "BOE-A-1954-15431": "lef",
    "BOE-A-1944-6578": "rn",
}
# Departments of the BOE that are governments of a region, under their old and their present codes.
_REGION_BY_DEPARTMENT = {
    "8010": "es-an", "8020": "es-ar", "8030": "es-cn", "8040": "es-cb", "8060": "es-cm", "8070": "es-ct",
    "8080": "es-ex", "8090": "es-ga", "8100": "es-mc", "8110": "es-ri", "8120": "es-ib", "8121": "es-ib",
    "8131": "es-md", "8140": "es-pv", "8150": "es-as", "8161": "es-vc", "8162": "es-vc", "8170": "es-nc",
    "9531": "es-cl",
}  # fmt: skip
_REGION_BY_JOURNAL = {
    "BOJA": "es-an", "BOA": "es-ar", "BOPA": "es-as", "BOIB": "es-ib", "BOC": "es-cn", "BOCT": "es-cb",
    "DOCM": "es-cm", "BOCL": "es-cl", "DOGC": "es-ct", "DOE": "es-ex", "DOG": "es-ga", "BOCM": "es-md",
    "BORM": "es-mc", "BON": "es-nc", "BOPV": "es-pv", "BOR": "es-ri", "DOGV": "es-vc",
}  # fmt: skip

_ELI = re.compile(
    r"/eli/(?P<jurisdiction>es(?:-[a-z]{2})?)/(?P<type>[a-z]+)/(?P<year>\d{4})/\d{2}/\d{2}/(?P<number>[^/?#]+)"
)
_ELI_NUMBER = re.compile(r"(?P<letters>[a-z]{2,4})?(?P<number>[0-9]+)")
_OFFICIAL_NUMBER = re.compile(
    r"(?:(?P<letters>[A-Za-z]{2,4})\s*[/ -]\s*)?(?P<number>\d{1,3}(?:\.\d{3})+|\d+)\s*[/-]\s*(?P<year>\d{4}|\d{2})"
)


@dataclass(frozen=True)
class Eli:
    """What the European Legislation Identifier of a Spanish law says of it."""

    jurisdiction: str
    rank: str
    number: str


def read_eli(url: str) -> Eli | None:
    """Read jurisdiction, rank and official number (empty where the law has none) out of an ELI address.

    >>> read_eli("https://www.boe.es/eli/es-ct/l/2002/06/14/12")
    Eli(jurisdiction='es-ct', rank='ley', number='12/2002')
    >>> read_eli("https://www.boe.es/eli/es/o/2024/11/28/hac1347").number
    'HAC/1347/2024'
    >>> read_eli("https://www.boe.es/eli/es/c/1978/12/27/(1)")
    Eli(jurisdiction='es', rank='constitucion', number='')
    """
    found = _ELI.search(url)
    if found is None:
        return None
    number = _ELI_NUMBER.fullmatch(found["number"])
    letters = f"{number['letters'].upper()}/" if number and number["letters"] else ""
    official = f"{letters}{int(number['number'])}/{found['year']}" if number else ""
    return Eli(found["jurisdiction"], RANK_BY_ELI_TYPE.get(found["type"], UNKNOWN), official)


def rank_of_code(code: str) -> str:
    """Give the slug of a BOE rank code; a code outside the vocabulary is unknown, never its neighbour.

    >>> rank_of_code("1370"), rank_of_code("1371")
    ('resolucion', 'desconocido')
    """
    return RANK_BY_BOE_CODE.get(code.strip(), UNKNOWN)


def jurisdiction(*, eli: str = "", is_regional: bool = False, department_code: str = "", boe_id: str = "") -> str:
    """Give the ELI jurisdiction of a law: that of its ELI, else of its department or its journal; empty if unknown.

    >>> jurisdiction(eli="https://www.boe.es/eli/es-ga/l/2003/12/26/9"), jurisdiction()
    ('es-ga', 'es')
    >>> jurisdiction(is_regional=True, boe_id="DOGC-f-2002-90012")
    'es-ct'
    """
    known = read_eli(eli)
    if known is not None:
        return known.jurisdiction
    by_journal = _REGION_BY_JOURNAL.get(boe_id.split("-")[0].upper(), "")
    if is_regional:
        return _REGION_BY_DEPARTMENT.get(department_code, by_journal)
    return by_journal or STATE


def law_id(*, rank: str, number: str, jurisdiction: str, boe_id: str, eli: str = "") -> str:
    """Derive the canonical id of a law; raise `ValueError` if there is nothing to derive it from.

    >>> law_id(rank="rd", number="1.065/2007", jurisdiction="es", boe_id="BOE-A-2007-15984")
    'rd-1065-2007'
    >>> law_id(rank="orden", number="HAC/1347/2024", jurisdiction="es", boe_id="BOE-A-2024-24989")
    'orden-hac-1347-2024'
    >>> law_id(rank="ley", number="5/2002", jurisdiction="es-ct", boe_id="BOE-A-2002-9041")
    'es-ct-ley-5-2002'
    >>> law_id(rank="resolucion", number="", jurisdiction="es", boe_id="BOE-A-2017-5970")
    'boe-a-2017-5970'
    """
    if boe_id in CURATED_IDS:
        return CURATED_IDS[boe_id]
    numbered = _numbered_id(rank, number, eli) if jurisdiction else ""
    if numbered:
        return numbered if jurisdiction == STATE else f"{jurisdiction}-{numbered}"
    if not boe_id:
        raise ValueError(f"a law of rank {rank!r} has neither an official number nor a BOE id")
    return boe_id.lower()


def _numbered_id(rank: str, number: str, eli: str) -> str:
    """Give `rank-number-year`, or nothing where the rank goes by no number or the law has none."""
    known = read_eli(eli)
    found = _OFFICIAL_NUMBER.fullmatch(number.strip() or (known.number if known else ""))
    if rank not in NUMBERED_RANKS or found is None:
        return ""
    letters = (found["letters"] or "").lower()
    if bool(letters) != (rank == "orden"):
        return ""
    digits = int(found["number"].replace(".", ""))
    return "-".join(part for part in (rank, letters, str(digits), _full_year(found["year"], known, eli)) if part)


def _full_year(year: str, known: Eli | None, eli: str) -> str:
    """Give four digits; a year of two belongs to the century of the ELI, or to the twentieth."""
    if len(year) == 4:
        return year
    found = _ELI.search(eli) if known else None
    return f"{found['year'][:2] if found else '19'}{year}"

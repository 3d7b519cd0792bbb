"""Canonical law ids from BOE rank codes, official numbers and ELI."""

from __future__ import annotations

import pytest

from corpus import ranks
from corpus.ranks import Eli, law_id, read_eli

BOE = "https://www.boe.es/eli/"


@pytest.mark.parametrize(
    ("code", "rank"),
    [
        ("1300", "ley"), ("1290", "lo"), ("1320", "rdl"), ("1310", "rdleg"), ("1340", "rd"), ("1350", "orden"),
        ("1370", "resolucion"), ("1510", "decreto"), ("1500", "dl"), ("1470", "dleg"), ("1450", "ley-foral"),
        ("1070", "constitucion"), (" 1300 ", "ley"),
    ],
)  # fmt: skip
def test_rank_code_is_read_by_the_table(code: str, rank: str) -> None:
    assert ranks.rank_of_code(code) == rank


@pytest.mark.parametrize("code", ["1371", "1369", "1301", "", "9999", "ley"])
def test_code_outside_the_table_is_unknown_and_never_a_neighbour(code: str) -> None:
    assert ranks.rank_of_code(code) == "desconocido"


@pytest.mark.parametrize(
    ("url", "eli"),
    [
        (BOE + "es/l/2003/12/17/58", Eli("es", "ley", "58/2003")),
        (BOE + "es-nc/lf/2002/12/03/28", Eli("es-nc", "ley-foral", "28/2002")),
        (BOE + "es/o/2024/11/28/hac1347", Eli("es", "orden", "HAC/1347/2024")),
        (BOE + "es/c/1978/12/27/(1)", Eli("es", "constitucion", "")),
        (BOE + "es/zz/2020/01/01/1", Eli("es", "desconocido", "1/2020")),
        (BOE + "es-ct/l/2002/06/14/12/con", Eli("es-ct", "ley", "12/2002")),
    ],
)
def test_eli_tells_jurisdiction_rank_and_number(url: str, eli: Eli) -> None:
    assert read_eli(url) == eli


@pytest.mark.parametrize("url", ["", "https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186", BOE + "fr/l/2003/1/1/1"])
def test_what_is_no_spanish_eli_is_not_read(url: str) -> None:
    assert read_eli(url) is None


@pytest.mark.parametrize(
    ("rank", "number", "jurisdiction", "boe_id", "expected"),
    [
        ("ley", "58/2003", "es", "BOE-A-2003-23186", "ley-58-2003"),
        ("rd", "1.065/2007", "es", "BOE-A-2007-15984", "rd-1065-2007"),
        ("rdl", "7/2024", "es", "BOE-A-2024-1", "rdl-7-2024"),
        ("rdleg", "2/2004", "es", "BOE-A-2004-4214", "rdleg-2-2004"),
        ("orden", "HAC/1347/2024", "es", "BOE-A-2024-1", "orden-hac-1347-2024"),
        ("orden", "HAC/1.347/2024", "es", "BOE-A-2024-1", "orden-hac-1347-2024"),
        ("orden", "EHA 3434/2007", "es", "BOE-A-2007-1", "orden-eha-3434-2007"),
        ("ley", "5/2002", "es-ct", "BOE-A-2002-1", "es-ct-ley-5-2002"),
        ("ley-foral", "28/2002", "es-nc", "BOE-A-2002-1", "es-nc-ley-foral-28-2002"),
        ("decreto", "2414/61", "es", "BOE-A-1961-1", "decreto-2414-1961"),
        ("ley", "", "es", "BOE-A-1946-2453", "lh"),
        ("constitucion", "", "es", "BOE-A-1978-31229", "ce"),
        ("ley", "", "es", "BOE-A-1945-1", "boe-a-1945-1"),
        ("orden", "600/38077/2004", "es", "BOE-A-2004-1", "boe-a-2004-1"),
        ("orden", "12/2020", "es-an", "BOJA-b-2020-9", "boja-b-2020-9"),
        ("resolucion", "3/2020", "es", "BOE-A-2020-3", "boe-a-2020-3"),
        ("circular", "1/2024", "es", "BOE-A-2024-4", "boe-a-2024-4"),
        ("dl-foral", "1/2020", "es-nc", "BOE-A-2020-5", "boe-a-2020-5"),
        ("desconocido", "5/2020", "es", "BOE-A-2020-6", "boe-a-2020-6"),
        ("ley", "5/2020", "", "BOE-A-2020-7", "boe-a-2020-7"),
    ],
)
def test_law_id_is_derived_from_rank_and_number(
    rank: str, number: str, jurisdiction: str, boe_id: str, expected: str
) -> None:
    assert law_id(rank=rank, number=number, jurisdiction=jurisdiction, boe_id=boe_id) == expected


def test_missing_number_is_taken_from_the_eli() -> None:
    eli = BOE + "es-ga/l/2003/12/26/9"
    assert law_id(rank="ley", number="", jurisdiction="es-ga", boe_id="BOE-A-2004-1", eli=eli) == "es-ga-ley-9-2003"


def test_year_of_two_digits_belongs_to_the_century_of_the_eli() -> None:
    eli = BOE + "es/l/2005/01/01/3"
    assert law_id(rank="ley", number="3/05", jurisdiction="es", boe_id="BOE-A-2005-1", eli=eli) == "ley-3-2005"


def test_law_without_number_or_boe_id_has_no_id() -> None:
    with pytest.raises(ValueError, match="'ley'"):
        law_id(rank="ley", number="", jurisdiction="es", boe_id="")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"eli": BOE + "es-pv/l/2012/5/1/5"}, "es"),
        ({"eli": BOE + "es-pv/l/2012/05/01/5"}, "es-pv"),
        ({"is_regional": True, "department_code": "8070", "boe_id": "BOE-A-2002-1"}, "es-ct"),
        ({"is_regional": True, "department_code": "1", "boe_id": "DOGV-r-2002-1"}, "es-vc"),
        ({"is_regional": True, "department_code": "1", "boe_id": "BOE-A-2002-1"}, ""),
        ({"boe_id": "BOE-A-2002-1"}, "es"),
    ],
)
def test_jurisdiction_is_that_of_eli_department_or_journal(arguments: dict[str, object], expected: str) -> None:
    assert ranks.jurisdiction(**arguments) == expected  # type: ignore[arg-type]

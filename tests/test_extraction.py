"""Citations found in running text, with what they only point back at."""

import itertools
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.structure import sub_units
from search.citations import Extraction, Host, Reference, UnitMention, UnitRange, extract, parse, place


def shown(unit: UnitMention | UnitRange) -> str:
    """Write a unit as an id does, a range with its two ends, a tail in brackets."""
    if isinstance(unit, UnitRange):
        return f"{shown(unit.first)}..{shown(unit.last)}"
    return ".".join([unit.key, *unit.path]) + (f" [{unit.tail}]" if unit.tail else "")


def law_of(reference: Reference) -> str:
    """Write a reference's law: its first id, its name, the words that point at it, or what it is relative to."""
    if reference.law:
        return (*reference.law.ids, reference.law.name, f"?{reference.law.text}")[0] or f"?{reference.law.text}"
    return f"{reference.relative.to}{reference.relative.step:+d}" if reference.relative else ""


def found(text: str) -> list[tuple[str, str, str]]:
    """Extract every reference as its words, its law and its units."""
    return [
        (reference.text, law_of(reference), " ".join(map(shown, reference.units)))
        for reference in extract(text).references
    ]


LGT = "ley-58-2003"

CASES = {
    # A provision and its law, in either order
    "según el artículo 27.2.a) de la Ley 58/2003.": [("artículo 27.2.a) de la Ley 58/2003", LGT, "art-27.2.a")],
    "según la letra a) del apartado 2 del artículo 27 LGT.": [
        ("letra a) del apartado 2 del artículo 27 LGT", LGT, "art-27.2.a")
    ],
    "la LGT, art. 27, dice": [("LGT, art. 27", LGT, "art-27")],
    "la Ley 58/2003 (art. 27) dice": [("Ley 58/2003 (art. 27", LGT, "art-27")],
    "la Ley 58/2003, de 17 de diciembre, General Tributaria, en su artículo 27, dice": [
        ("Ley 58/2003, de 17 de diciembre, General Tributaria, en su artículo 27", LGT, "art-27")
    ],
    "el artículo 21 LPAC, apartado 2, letra a), y el 22.1.d) LPAC": [
        ("artículo 21 LPAC, apartado 2, letra a)", "ley-39-2015", "art-21.2.a"),
        ("22.1.d) LPAC", "ley-39-2015", "art-22.1.d"),
    ],
    "desde el artículo 21.5 hasta el artículo 22.1 LPAC": [
        ("artículo 21.5 hasta el artículo 22.1 LPAC", "ley-39-2015", "art-21.5..art-22.1")
    ],
    "según los aps. 1 y 2 del art. 21 LPAC": [("aps. 1 y 2 del art. 21 LPAC", "ley-39-2015", "art-21.1 art-21.2")],
    "según la let. a), apart. 1, del art. 21 LPAC": [
        ("let. a), apart. 1, del art. 21 LPAC", "ley-39-2015", "art-21.1.a")
    ],
    "el núm. 2.º del art. 21 LPAC (BOE núm. 236)": [("núm. 2.º del art. 21 LPAC", "ley-39-2015", "art-21.2")],
    "subapartado i) de la letra b) del apartado 1 del artículo 5 LGT": [
        ("subapartado i) de la letra b) del apartado 1 del artículo 5 LGT", LGT, "art-5.1.b.i")
    ],
    "artículos 10, número 2; 11, número 2, y 12, número 3, de la LGT": [
        ("artículos 10, número 2; 11, número 2, y 12, número 3, de la LGT", LGT, "art-10.2 art-11.2 art-12.3")
    ],
    "los artículos 23, número 5, y 30 y siguientes de la LGT": [
        ("artículos 23, número 5, y 30 y siguientes de la LGT", LGT, "art-23.5 art-30 [y siguientes]")
    ],
    "artículos 17, apartado 2, y 18, apartados 2 y 3, de la CE": [
        ("artículos 17, apartado 2, y 18, apartados 2 y 3, de la CE", "ce", "art-17.2 art-18.2 art-18.3")
    ],
    "artículo 148, apartado 1, número 22.ª, de la Constitución": [
        ("artículo 148, apartado 1, número 22.ª, de la Constitución", "ce", "art-148.1.22")
    ],
    "los números 2 y siguientes del artículo 118 LGT": [
        ("números 2 y siguientes del artículo 118 LGT", LGT, "art-118.2 [y siguientes]")
    ],
    "artículo 2.º, III, del Real Decreto 2135/1980": [
        ("artículo 2.º, III, del Real Decreto 2135/1980", "rd-2135-1980", "art-2 [III]")
    ],
    "el artículo 48 quinto de la Ley 12/2002": [
        ("artículo 48 quinto de la Ley 12/2002", "ley-12-2002", "art-48-quinto")
    ],
    "artículo 21, en relación con el artículo 20.c) de la LGT": [
        ("artículo 21", LGT, "art-21"),
        ("artículo 20.c) de la LGT", LGT, "art-20.c"),
    ],
    "disposición final sexta, letra d), apartado segundo, de la Ley 18/2022": [
        ("disposición final sexta, letra d), apartado segundo, de la Ley 18/2022", "ley-18-2022", "df-6.d.2")
    ],
    "el artículo 21 de la Ley 39/2015, apartados 2 y 3, dice": [
        ("artículo 21 de la Ley 39/2015, apartados 2 y 3", "ley-39-2015", "art-21.2 art-21.3")
    ],
    "el artículo 21 de la Ley 39/2015, apartado 2 del artículo 5 de la LGT": [
        ("artículo 21 de la Ley 39/2015", "ley-39-2015", "art-21"),
        ("apartado 2 del artículo 5 de la LGT", LGT, "art-5.2"),
    ],
    "arts. 23 a 25 y 27 LGT": [("arts. 23 a 25 y 27 LGT", LGT, "art-23..art-25 art-27")],
    "artículos 5 y 6, ambos inclusive, de la Ley 39/2015": [
        ("artículos 5 y 6, ambos inclusive, de la Ley 39/2015", "ley-39-2015", "art-5 art-6")
    ],
    "la disposición derogatoria de la Ley 39/2015": [
        ("disposición derogatoria de la Ley 39/2015", "ley-39-2015", "dd-unica")
    ],
    "el artículo 5 de la Ley 5/2002, de Cataluña,": [
        ("artículo 5 de la Ley 5/2002, de Cataluña", "es-ct-ley-5-2002", "art-5")
    ],
    "las Leyes 39 y 40/2015, de 1 de octubre,": [
        ("Leyes 39", "ley-39-2015", ""),
        ("40/2015, de 1 de octubre", "ley-40-2015", ""),
    ],
    "las Leyes 30/1992, 39 y 40/2015": [
        ("Leyes 30/1992", "ley-30-1992", ""),
        ("39", "ley-39-2015", ""),
        ("40/2015", "ley-40-2015", ""),
    ],
    "los Reales Decretos 1065/2007 y 1066/2007": [
        ("Reales Decretos 1065/2007", "rd-1065-2007", ""),
        ("1066/2007", "rd-1066-2007", ""),
    ],
    "las Órdenes HAC/1/2020 y EHA/2/2020": [
        ("Órdenes HAC/1/2020", "orden-hac-1-2020", ""),
        ("EHA/2/2020", "orden-eha-2-2020", ""),
    ],
    "los RR.DD. 1 y 2 de 2020": [("RR.DD. 1", "rd-1-2020", ""), ("2 de 2020", "rd-2-2020", "")],
    "las Leyes 5 y 6/2002, de Cataluña,": [
        ("Leyes 5", "es-ct-ley-5-2002", ""),
        ("6/2002, de Cataluña", "es-ct-ley-6-2002", ""),
    ],
    "las Leyes catalanas 5/2002 y 6/2002": [
        ("Leyes catalanas 5/2002", "es-ct-ley-5-2002", ""),
        ("6/2002", "es-ct-ley-6-2002", ""),
    ],
    "les Lleis 39 i 40/2015": [("Lleis 39", "ley-39-2015", ""), ("40/2015", "ley-40-2015", "")],
    "el artículo 5 de las Leyes 39 y 40/2015 y el 7 de la LGT": [
        ("artículo 5 de las Leyes 39", "ley-39-2015", "art-5"),
        ("40/2015", "ley-40-2015", "art-5"),
        ("7 de la LGT", LGT, "art-7"),
    ],
    "el artículo 5 de la Ley 39/2015 y 40/2015": [
        ("artículo 5 de la Ley 39/2015", "ley-39-2015", "art-5"),
        ("40/2015", "ley-40-2015", ""),
    ],
    "los artículos 5 y 7 de las Leyes 39/2015 y 40/2015, respectivamente": [
        ("artículos 5 y 7 de las Leyes 39/2015", "ley-39-2015", "art-5"),
        ("40/2015", "ley-40-2015", "art-7"),
    ],
    # Nothing tells the year of these
    "las Leyes 39 y 40, y las Leyes 39 a 41/2015": [],
    "la Ley 39 y 40/2015": [],
    "Leyes 3 de mayo y 40/2015": [],
    "artículo 5 del Reglamento General de Recaudación, aprobado por el Real Decreto 939/2005, de 29 de julio, y": [
        (
            "artículo 5 del Reglamento General de Recaudación, aprobado por el Real Decreto 939/2005, de 29 de julio",
            "rd-939-2005",
            "art-5",
        )
    ],
    "el art. 53.1.a y b de la Ley 39/2015, y": [
        ("art. 53.1.a y b de la Ley 39/2015", "ley-39-2015", "art-53.1.a art-53.1.b")
    ],
    "el art. 21(4)(a) de la Ley 39/2015, y": [("art. 21(4)(a) de la Ley 39/2015", "ley-39-2015", "art-21.4.a")],
    "el art. 53.1 b Ley 39/2015, y": [("art. 53.1 b Ley 39/2015", "ley-39-2015", "art-53.1.b")],
    "el art. 53.1b de la Ley 39/2015, y": [("art. 53.1b de la Ley 39/2015", "ley-39-2015", "art-53.1.b")],
    "el artículo 21 .4 de la Ley 39/2015": [("artículo 21 .4 de la Ley 39/2015", "ley-39-2015", "art-21.4")],
    "el art. 149, 1, 18.ª CE": [("art. 149, 1, 18.ª CE", "ce", "art-149.1.18")],
    "la Ley 39/2015 – artículo 21.4": [("Ley 39/2015 – artículo 21.4", "ley-39-2015", "art-21.4")],
    "la disposic. adic. tercera Ley 39/2015": [("disposic. adic. tercera Ley 39/2015", "ley-39-2015", "da-3")],
    "el artículo 7.2.a, b, c y d.": [("artículo 7.2.a, b, c y d", "", "art-7.2.a art-7.2.b art-7.2.c art-7.2.d")],
    "el anexo II, sección 1.ª, letra b)": [("anexo II, sección 1.ª, letra b)", "", "anexo-ii.seccion-1.b")],
    "el artículo 24 de nuestra Constitución": [("artículo 24 de nuestra Constitución", "ce", "art-24")],
    "pasa del artículo 4 al artículo 7 de la Ley 39/2015": [
        ("artículo 4", "", "art-4"),
        ("artículo 7 de la Ley 39/2015", "ley-39-2015", "art-7"),
    ],
    "el anexo I, parte B, de la Ley 39/2015": [
        ("anexo I, parte B, de la Ley 39/2015", "ley-39-2015", "anexo-i.parte-b")
    ],
    "under paragraph 4 of Article 21 of Law 39/2015, and Organic Law 3/2018": [
        ("paragraph 4 of Article 21 of Law 39/2015", "ley-39-2015", "art-21.4"),
        ("Organic Law 3/2018", "lo-3-2018", ""),
    ],
    "l'article 5 du traité; article 7 of this Treaty": [],
    "el artículo 53.1.a y a la Ley 39/2015": [
        ("artículo 53.1.a", "", "art-53.1.a"),
        ("Ley 39/2015", "ley-39-2015", ""),
    ],
    "ARTÍCULO 5 DE LA LEY 39/2015": [("ARTÍCULO 5 DE LA LEY 39/2015", "ley-39-2015", "art-5")],
    "art\u00ed\u00adculo\u00a05 de la Ley 39/2015": [
        ("art\u00ed\u00adculo\u00a05 de la Ley 39/2015", "ley-39-2015", "art-5")
    ],
    "artículo\n5 de la\nLey 39/2015": [("artículo\n5 de la\nLey 39/2015", "ley-39-2015", "art-5")],
    # Whole laws
    "Leyes 39/2015 y 40/2015, de 1 de octubre, y Real Decreto 1/2000": [
        ("Leyes 39/2015", "ley-39-2015", ""),
        ("40/2015, de 1 de octubre", "ley-40-2015", ""),
        ("Real Decreto 1/2000", "rd-1-2000", ""),
    ],
    "la Ley de 26 de diciembre de 1958": [("Ley de 26 de diciembre de 1958", "ley de 26 de diciembre de 1958", "")],
    "la Ley de Contratos de las Administraciones Públicas y la Ley de Aguas": [
        (
            "Ley de Contratos de las Administraciones Públicas",
            "ley de contratos de las administraciones publicas",
            "",
        ),
        ("Ley de Aguas", "rdleg-1-2001", ""),
    ],
    "véase https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186#a27.": [
        ("https://www.boe.es/buscar/act.php?id=BOE-A-2003-23186#a27", LGT, "")
    ],
    "véanse ley-58-2003:art-27.2, ce:art-14 y BOE-A-2015-10565.": [
        ("ley-58-2003:art-27.2", LGT, "art-27.2"),
        ("ce:art-14", "ce", "art-14"),
        ("BOE-A-2015-10565", "ley-39-2015", ""),
    ],
    # Several laws in one sentence
    "los artículos 5 y 6 de la Ley 39/2015, 7 de la Ley 40/2015 y la disposición final primera de la Ley 9/2017": [
        ("artículos 5 y 6 de la Ley 39/2015", "ley-39-2015", "art-5 art-6"),
        ("7 de la Ley 40/2015", "ley-40-2015", "art-7"),
        ("disposición final primera de la Ley 9/2017", "ley-9-2017", "df-1"),
    ],
    "el artículo 5 y la disposición final primera de la Ley 9/2017": [
        ("artículo 5", "ley-9-2017", "art-5"),
        ("disposición final primera de la Ley 9/2017", "ley-9-2017", "df-1"),
    ],
    "la Ley 58/2003, y el artículo 5 de la Ley 40/2015": [
        ("Ley 58/2003", LGT, ""),
        ("artículo 5 de la Ley 40/2015", "ley-40-2015", "art-5"),
    ],
    # Context carried on
    "La Ley 58/2003 lo regula: el artículo 26 de dicha Ley y el 27 de la misma.": [
        ("Ley 58/2003", LGT, ""),
        ("artículo 26 de dicha Ley", LGT, "art-26"),
        ("27 de la misma", LGT, "art-27"),
    ],
    "el artículo 27 de la Ley 58/2003, de 17 de diciembre, General Tributaria, y en el 28 de la misma": [
        ("artículo 27 de la Ley 58/2003, de 17 de diciembre", LGT, "art-27"),
        ("28 de la misma", LGT, "art-28"),
    ],
    "El Real Decreto 939/2005 y la Ley 58/2003. El artículo 5 del citado Real Decreto y el 6 de la citada Ley.": [
        ("Real Decreto 939/2005", "rd-939-2005", ""),
        ("Ley 58/2003", LGT, ""),
        ("artículo 5 del citado Real Decreto", "rd-939-2005", "art-5"),
        ("6 de la citada Ley", LGT, "art-6"),
    ],
    "La Ley 58/2003 y el Real Decreto 939/2005; el artículo 5 de aquella y el 6 del mismo.": [
        ("Ley 58/2003", LGT, ""),
        ("Real Decreto 939/2005", "rd-939-2005", ""),
        ("artículo 5 de aquella", LGT, "art-5"),
        ("6 del mismo", "rd-939-2005", "art-6"),
    ],
    "El artículo 26 LGT. El apartado 2 de dicho artículo y el apartado 3 del mismo.": [
        ("artículo 26 LGT", LGT, "art-26"),
        ("apartado 2 de dicho artículo", LGT, "art-26.2"),
        ("apartado 3 del mismo", LGT, "art-26.3"),
    ],
    "la Ley 39/2015, con sus artículos 13 y 14": [
        ("Ley 39/2015", "ley-39-2015", ""),
        ("artículos 13 y 14", "ley-39-2015", "art-13 art-14"),
    ],
    "La Ley 7/2010 (en adelante, LGAX). El artículo 5 de la LGAX": [
        ("Ley 7/2010", "ley-7-2010", ""),
        ("LGAX", "ley-7-2010", ""),
        ("artículo 5 de la LGAX", "ley-7-2010", "art-5"),
    ],
    "la Ley 50/2007, de 26 de diciembre, de modificación de la Ley 43/1998, de 15 de diciembre. Dicha Ley": [
        ("Ley 50/2007, de 26 de diciembre", "ley-50-2007", ""),
        ("Ley 43/1998, de 15 de diciembre", "ley-43-1998", ""),
        ("Dicha Ley", "ley-50-2007", ""),
    ],
    "el apartado 1 del artículo 8 de la Ley 39/2015; el citado apartado y el artículo 9": [
        ("apartado 1 del artículo 8 de la Ley 39/2015", "ley-39-2015", "art-8.1"),
        ("el citado apartado", "ley-39-2015", "art-8.1"),
        ("artículo 9", "", "art-9"),
    ],
    "el apartado 3 del artículo 8 LGT y el artículo 4 de la Ley 39/2015; dicho apartado 3": [
        ("apartado 3 del artículo 8 LGT", LGT, "art-8.3"),
        ("artículo 4 de la Ley 39/2015", "ley-39-2015", "art-4"),
        ("apartado 3", LGT, "art-8.3"),
    ],
    "las infracciones del artículo 107 tipificadas en el apartado 30": [
        ("artículo 107", "", "art-107"),
        ("apartado 30", "", "art-107.30"),
    ],
    # A law named once in the sentence, for what is excepted from it, led by it or singled out in it
    "la Ley 39/1988, excepto las disposiciones adicionales primera y octava y el artículo 5": [
        ("Ley 39/1988", "ley-39-1988", ""),
        ("disposiciones adicionales primera y octava", "ley-39-1988", "da-1 da-8"),
        ("artículo 5", "ley-39-1988", "art-5"),
    ],
    "a) Del Real Decreto 2188/1995, de 28 de diciembre, el artículo 34, el apartado 6 del artículo 36": [
        ("Real Decreto 2188/1995, de 28 de diciembre", "rd-2188-1995", ""),
        ("artículo 34", "rd-2188-1995", "art-34"),
        ("apartado 6 del artículo 36", "rd-2188-1995", "art-36.6"),
    ],
    "se rigen por la Ley 39/2015, y en particular el artículo 22": [
        ("Ley 39/2015", "ley-39-2015", ""),
        ("artículo 22", "ley-39-2015", "art-22"),
    ],
    # A name within another law's title is no citation; a title is the numbered law that bears it
    "la Ley 7/2007, de 12 de abril, del Estatuto Básico del Empleado Público": [
        ("Ley 7/2007, de 12 de abril", "ley-7-2007", "")
    ],
    "artículo 64 de la Ley reguladora de Haciendas Locales; la Ley 39/1988, reguladora de las Haciendas Locales": [
        ("artículo 64 de la Ley reguladora de Haciendas Locales", "ley-39-1988", "art-64"),
        ("Ley 39/1988", "ley-39-1988", ""),
    ],
    "con la presente Ley el Gobierno dispondrá": [("la presente Ley", "law+0", "")],
    "de la Ley 39/2015, de 1 de octubre, de la Ley General Tributaria y de la Constitución": [
        ("Ley 39/2015, de 1 de octubre", "ley-39-2015", ""),
        ("Ley General Tributaria", LGT, ""),
        ("Constitución", "ce", ""),
    ],
    # Lists that go on, whatever follows
    "las disposiciones transitorias cuarta y décima entrarán": [
        ("disposiciones transitorias cuarta y décima", "", "dt-4 dt-10")
    ],
    "el artículo 14.2 y 14.3 presenta": [("artículo 14.2 y 14.3", "", "art-14.2 art-14.3")],
    "artículos 20.2, 32.2, 29 y 30 de la LGT": [
        ("artículos 20.2, 32.2, 29 y 30 de la LGT", LGT, "art-20.2 art-32.2 art-29 art-30")
    ],
    "los números 2, apartados a) y b), y 3 del artículo 33": [
        ("números 2, apartados a) y b), y 3 del artículo 33", "", "art-33.2.a art-33.2.b art-33.3")
    ],
    "el artículo 5.2 de la disposición adicional segunda de la Ley 7/2007": [
        ("artículo 5.2 de la disposición adicional segunda de la Ley 7/2007", "ley-7-2007", "da-2.art-5.2")
    ],
    # The reglamento of the law that the sentence names
    "según el artículo 101 de la LIRPF y el artículo 58.2 de su Reglamento": [
        ("artículo 101 de la LIRPF", "ley-35-2006", "art-101"),
        ("artículo 58.2 de su Reglamento", "rd-439-2007", "art-58.2"),
    ],
    "la Ley 38/2003 y en el artículo 9 de su reglamento de desarrollo": [
        ("Ley 38/2003", "ley-38-2003", ""),
        ("artículo 9 de su reglamento de desarrollo", "rd-887-2006", "art-9"),
    ],
    "el artículo 75 del Reglamento de la LIRPF": [("artículo 75 del Reglamento de la LIRPF", "rd-439-2007", "art-75")],
    "la Ley 3/2009 y el artículo 9 de su Reglamento": [
        ("Ley 3/2009", "ley-3-2009", ""),
        ("artículo 9 de su Reglamento", "?su Reglamento", "art-9"),
    ],
    "esta Ley y el artículo 9 de su Reglamento": [
        ("esta Ley", "law+0", ""),
        ("artículo 9 de su Reglamento", "regulation+0", "art-9"),
    ],
    # Levels of every shape
    "la letra ab) del artículo 7 y el artículo 20.Uno.ac) de la LIVA": [
        ("letra ab) del artículo 7", "ley-37-1992", "art-7.ab"),
        ("artículo 20.Uno.ac) de la LIVA", "ley-37-1992", "art-20.1.ac"),
    ],
    "las letras z) a ad) del artículo 7 LIRPF": [
        ("letras z) a ad) del artículo 7 LIRPF", "ley-35-2006", "art-7.z..art-7.ad")
    ],
    "el artículo 19.2.II de la Ley 27/2014": [("artículo 19.2.II de la Ley 27/2014", "ley-27-2014", "art-19.2.ii")],
    "el artículo 5.1.a').2.º de la Ley 27/2014": [
        ("artículo 5.1.a').2.º de la Ley 27/2014", "ley-27-2014", "art-5.1.a.2")
    ],
    "la letra al artículo 5": [("artículo 5", "", "art-5")],
    # Initials written small, right behind a provision and nowhere else
    "segun el articulo 27 lgt y el art. 1 ce": [
        ("articulo 27 lgt", LGT, "art-27"),
        ("art. 1 ce", "ce", "art-1"),
    ],
    "el artículo 5 les concede, y lgt no es nada; el artículo 6 et seq.": [
        ("artículo 5", "", "art-5"),
        ("artículo 6 et seq.", "", "art-6 [et seq.]"),
    ],
    # Pointers that name nothing known stay open
    "el artículo 26 de dicha Ley": [("artículo 26 de dicha Ley", "?dicha Ley", "art-26")],
    "La Ley 39/2015 y la Ley 40/2015. El artículo 3 de la Ley": [
        ("Ley 39/2015", "ley-39-2015", ""),
        ("Ley 40/2015", "ley-40-2015", ""),
        ("artículo 3 de la Ley", "?Ley", "art-3"),
    ],
    "el artículo 70 del texto refundido de las disposiciones legales": [
        ("artículo 70 del texto refundido", "?texto refundido", "art-70")
    ],
    # What hangs on where it stands
    "este artículo, la presente Ley y el artículo 5 de esta ley": [
        ("este artículo", "provision+0", ""),
        ("la presente Ley", "law+0", ""),
        ("artículo 5 de esta ley", "law+0", "art-5"),
    ],
    "el apartado anterior, el artículo siguiente y la letra a) del apartado 2": [
        ("apartado anterior", "sub_unit-1", ""),
        ("artículo siguiente", "provision+1", ""),
        ("letra a) del apartado 2", "provision+0", ".2.a"),
    ],
    "el artículo 5": [("artículo 5", "", "art-5")],
    # What is no citation, or less of one than it seems
    "el 27.2 % de la LGT": [("LGT", LGT, "")],
    "en 2003, el 25 por 100 de los 30 artículos": [],
    "el artículo 5 y 10 euros": [("artículo 5", "", "art-5")],
    "el artículo 5 y 3 de mayo": [("artículo 5", "", "art-5")],
    "los artículos 5 y 6, 20 días después": [("artículos 5 y 6", "", "art-5 art-6")],
    "artículo 4.1, uno de los cuales": [("artículo 4.1", "", "art-4.1")],
    "el artículo 27\na) Los primeros": [("artículo 27", "", "art-27")],
    "Artículo 27. Recargos.\n1. Los del artículo 26.": [("artículo 26", "", "art-26")],
    "el CP, el CC y la CE": [],
    "la constitución de la sociedad": [],
    "apartado a que se refiere": [],
    "el Código Civil de Cataluña": [("Código Civil de Cataluña", "codigo civil de cataluna", "")],
    "artículo 5 de la Ley de Aguas de 1985": [
        ("artículo 5 de la Ley de Aguas de 1985", "ley de aguas de 1985", "art-5")
    ],
    "el orden social y el reglamento interno": [],
    "la presente ley y sus normas, en particular dichas normas": [("la presente ley", "law+0", "")],
    "la mencionada Ley especial": [],
    # Initials carry the noun of the law that they stand for
    "El artículo 7 LIRPF y el 8 de dicha Ley": [
        ("artículo 7 LIRPF", "ley-35-2006", "art-7"),
        ("8 de dicha Ley", "ley-35-2006", "art-8"),
    ],
    "El artículo 15 del ET y el artículo 16 del mismo Estatuto": [
        ("artículo 15 del ET", "rdleg-2-2015", "art-15"),
        ("artículo 16 del mismo Estatuto", "rdleg-2-2015", "art-16"),
    ],
    "El artículo 1902 CC y el 1903 del mismo Código": [
        ("artículo 1902 CC", "cc", "art-1902"),
        ("1903 del mismo Código", "cc", "art-1903"),
    ],
    # Initials in brackets behind the full name
    "el Real Decreto 1065/2007, de 27 de julio (RGAT), arts. 87 a 90": [
        ("Real Decreto 1065/2007, de 27 de julio", "rd-1065-2007", ""),
        ("RGAT), arts. 87 a 90", "rd-1065-2007", "art-87..art-90"),
    ],
    "la Ley 39/2015 (en adelante, LPAC), artículo 21, y la Ley 40/2015 (LRJSP), artículo 3 LGT": [
        ("Ley 39/2015", "ley-39-2015", ""),
        ("LPAC), artículo 21", "ley-39-2015", "art-21"),
        ("Ley 40/2015", "ley-40-2015", ""),
        ("LRJSP", "ley-40-2015", ""),
        ("artículo 3 LGT", LGT, "art-3"),
    ],
    # As courts and practice write
    "Según la Ley 30/1.992, art. 42.3.a), y el R.D. 1.065/2.007": [
        ("Ley 30/1.992, art. 42.3.a)", "ley-30-1992", "art-42.3.a"),
        ("R.D. 1.065/2.007", "rd-1065-2007", ""),
    ],
    "las DDAA 3.ª y 4.ª LPAC y los arts. 27 ss. LGT": [
        ("DDAA 3.ª y 4.ª LPAC", "ley-39-2015", "da-3 da-4"),
        ("arts. 27 ss. LGT", LGT, "art-27 [ss.]"),
    ],
    "el RDLvo 1/1996 y el texto refundido de la LRHL": [
        ("RDLvo 1/1996", "rdleg-1-1996", ""),
        ("texto refundido de la LRHL", "rdleg-2-2004", ""),
    ],
}


@pytest.mark.parametrize("text", CASES)
def test_citations_are_found(text):
    assert found(text) == CASES[text]


@pytest.mark.parametrize(
    ("text", "kind", "cited"),
    [
        ("el Reglamento (UE) 2016/679, de 27 de abril", "eu_regulation", "Reglamento (UE) 2016/679, de 27 de abril"),
        ("artículo 6.1.f) del RGPD", "eu_regulation", "artículo 6.1.f) del RGPD"),
        ("Reglamento (CE) n.º 1083/2006 del Consejo", "eu_regulation", "Reglamento (CE) n.º 1083/2006 del Consejo"),
        ("la Directiva 2006/112/CE, artículo 5", "eu_directive", "Directiva 2006/112/CE, artículo 5"),
        ("la Directiva (UE) 2019/1023", "eu_directive", "Directiva (UE) 2019/1023"),
        ("Decisión 2010/87/UE", "eu_decision", "Decisión 2010/87/UE"),
        ("artículo 107 TFUE", "eu_treaty", "artículo 107 TFUE"),
        ("STC 31/2010, de 28 de junio", "constitutional_case_law", "STC 31/2010, de 28 de junio"),
        ("SSTC 31/2010 y 32/2010", "constitutional_case_law", "SSTC 31/2010 y 32/2010"),
        ("STS 1234/2019, de 3 de mayo", "case_law", "STS 1234/2019, de 3 de mayo"),
        ("STSJ de Madrid de 3 de mayo de 2019", "case_law", "STSJ de Madrid de 3 de mayo de 2019"),
        ("ECLI:ES:TS:2019:1234", "case_law", "ECLI:ES:TS:2019:1234"),
        ("STJUE de 26 de enero de 2017, C-421/14", "eu_case_law", "STJUE de 26 de enero de 2017, C-421/14"),
        ("consulta vinculante V1234-20", "administrative_doctrine", "consulta vinculante V1234-20"),
        ("artículo 8 CEDH", "international_treaty", "artículo 8 CEDH"),
        ("anexo VI del Código Europeo de Comunicaciones Electrónicas", "eu_directive", None),
    ],
)
def test_what_is_not_held_is_listed_by_its_kind(text, kind, cited):
    extraction = extract(text)
    assert extraction.references == ()
    assert [(unsupported.type, unsupported.text) for unsupported in extraction.unsupported] == [(kind, cited or text)]


def test_provisions_of_several_laws_may_be_of_any():
    (reference,) = extract("Los artículos 5 y 7 de las Leyes 39/2015 y 40/2015 rigen.").references
    assert reference.law
    assert (reference.law.ids, reference.law.is_ambiguous) == (("ley-39-2015", "ley-40-2015"), True)
    assert reference.text == "artículos 5 y 7 de las Leyes 39/2015 y 40/2015"


def test_the_day_behind_several_laws_is_that_of_each():
    found = extract("El artículo 5 de las Leyes 39 y 40/2015, en su redacción vigente a 1/1/2017, rige.")
    assert [str(one.citation) for one in found.references] == [
        "ley-39-2015:art-5@2017-01-01",
        "ley-40-2015:art-5@2017-01-01",
    ]


def test_a_ruling_is_of_the_court_spoken_of_last():
    text = "El Tribunal Constitucional señaló en su Sentencia 94/1998, de 4 de mayo, y el Tribunal Supremo"
    rulings = extract(f"{text} en la Sentencia 5/2000, de 3 de mayo.").unsupported
    assert [each.type for each in rulings] == ["constitutional_case_law", "case_law"]


def test_european_law_is_pointed_back_at():
    extraction = extract("El Reglamento (UE) 2016/679 y la Ley 58/2003. El citado reglamento y dicha norma.")
    assert [each.text for each in extraction.unsupported] == ["Reglamento (UE) 2016/679", "El citado reglamento"]


def test_a_pointer_at_european_law_is_not_taken_for_a_spanish_one():
    extraction = extract("La Ley 58/2003 y el Reglamento (UE) 2016/679. El artículo 5 de dicho Reglamento.")
    assert [reference.text for reference in extraction.references] == ["Ley 58/2003"]
    assert [unsupported.text for unsupported in extraction.unsupported] == [
        "Reglamento (UE) 2016/679",
        "artículo 5 de dicho Reglamento",
    ]


def test_addresses_of_any_country_are_found_beside_its_own_citations():
    text = "Ley 58/2003 y http://data.legilux.public.lu/eli/etat/leg/loi/2019/07/16/a514/jo#art_3."
    luxembourg = extract(text).references[1]
    assert luxembourg.text == "http://data.legilux.public.lu/eli/etat/leg/loi/2019/07/16/a514/jo#art_3"
    assert luxembourg.law is not None
    assert luxembourg.law.eli == "http://data.legilux.public.lu/eli/etat/leg/loi/2019/07/16/a514/jo"
    assert luxembourg.law.block == "art_3"


# Where relative references stand

TEXT = """1. Lo dicho en el artículo 5 y en esta Ley:
a) En la letra b).
b) En la letra anterior y en el apartado 2.
2. La letra a) del apartado anterior; este apartado; el artículo anterior, apartado 3; el artículo siguiente."""


def placed(host: Host) -> list[str]:
    return [str(reference.citation) for reference in place(extract(TEXT), host).references]


def test_a_host_gives_relative_references_their_place():
    host = Host("ley-900-2019", "art-7", ("preambulo", "art-6", "art-7", "art-7-bis", "da-1"), sub_units(TEXT))
    assert placed(host) == [
        "ley-900-2019:art-5",
        "ley-900-2019",
        "ley-900-2019:art-7.1.b",
        "ley-900-2019:art-7.1.a",
        "ley-900-2019:art-7.2",
        "ley-900-2019:art-7.1.a",
        "ley-900-2019:art-7.2",
        "ley-900-2019:art-6.3",
        "ley-900-2019:art-7-bis",
    ]


def test_what_points_outside_the_host_stays_relative():
    extraction = place(extract("el artículo anterior"), Host("ley-900-2019", "art-1", ("art-1", "art-2")))
    assert extraction.references[0].law is None
    assert extraction.references[0].relative is not None


def test_a_worded_part_is_not_that_of_a_host_that_counts_in_digits():
    text = "1. Según los apartados Uno y Siete.\n2. Nada."
    found_there = place(extract(text), Host("ley-900-2019", "art-7", (), sub_units(text))).references
    assert [each.law for each in found_there] == [None]


def test_a_letter_belongs_to_the_list_it_stands_in():
    text = "1. Uno.\n2. Dos:\na) Primero.\nb) Según la letra a). También el apartado 1."
    found_there = place(extract(text), Host("ley-900-2019", "art-7", (), sub_units(text))).references
    assert [str(reference.citation) for reference in found_there] == ["ley-900-2019:art-7.2.a", "ley-900-2019:art-7.1"]


SEVERAL = "1. Uno.\n2. Dos:\na) A.\nb) B.\nc) Las letras anteriores.\n3. Los {} anteriores.\n4. Cuatro."


@pytest.mark.parametrize(
    ("words", "units"),
    [
        ("apartados", ["art-7.1", "art-7.2"]),
        ("dos apartados", ["art-7.1", "art-7.2"]),
        ("tres apartados", []),
        ("dos artículos", ["art-5", "art-6"]),
        ("tres artículos", []),
        ("artículos", []),
    ],
)
def test_several_that_come_before_are_each_of_them_or_nothing(words, units):
    text = SEVERAL.format(words)
    host = Host("ley-900-2019", "art-7", ("art-5", "art-6", "art-7"), sub_units(text))
    letters, several = place(extract(text), host).references
    assert [shown(unit) for unit in letters.units] == ["art-7.2.a", "art-7.2.b"]
    assert [shown(unit) for unit in several.units] == units
    assert (several.law is None) == (not units)


def test_several_that_come_after_are_counted_on():
    text = "1. Los dos apartados siguientes.\n2. Dos.\n3. Tres.\n4. Cuatro."
    (reference,) = place(extract(text), Host("ley-900-2019", "art-7", (), sub_units(text))).references
    assert [shown(unit) for unit in reference.units] == ["art-7.2", "art-7.3"]


def test_a_law_calls_the_norm_that_develops_it_its_reglamento():
    text = "el artículo 5 de su Reglamento"
    one = place(extract(text), Host("ley-38-2003", "art-3", developed_by=("rd-887-2006",))).references[0]
    several = place(extract(text), Host("ley-58-2003", "art-3", developed_by=("rd-1-2005", "rd-2-2005"))).references[0]
    none = place(extract(text), Host("ley-900-2019", "art-3")).references[0]
    assert (str(one.citation), none.law) == ("rd-887-2006:art-5", None)
    assert several.law is not None
    assert (several.law.ids, several.law.is_ambiguous) == (("rd-1-2005", "rd-2-2005"), True)


def test_a_reglamento_calls_the_law_it_develops_the_law():
    host = Host("rd-900-2020", "art-3", develops="ley-900-2019")
    assert [str(each.citation) for each in place(extract("el artículo 5 de la Ley"), host).references] == [
        "ley-900-2019:art-5"
    ]


AMENDING = """La Ley 7/2010, de 31 de marzo, queda modificada como sigue:
Uno. El apartado 3 del artículo 39 queda redactado así:
«3. Según el artículo 5 y este artículo de esta Ley.»
Dos. Se añade un artículo 6 bis. Conforme al artículo 8 de esta Ley."""


def test_what_is_amended_belongs_to_the_amended_law():
    assert found(AMENDING) == [
        ("Ley 7/2010, de 31 de marzo", "ley-7-2010", ""),
        ("apartado 3 del artículo 39", "ley-7-2010", "art-39.3"),
        ("artículo 5", "ley-7-2010", "art-5"),
        ("este artículo", "amended+0", ""),
        ("esta Ley", "ley-7-2010", ""),
        ("artículo 6 bis", "ley-7-2010", "art-6-bis"),
        ("artículo 8 de esta Ley", "law+0", "art-8"),
    ]


def test_the_heading_of_new_wording_is_no_citation():
    text = "La Ley 7/2010 queda modificada:\nUno. Se añade un artículo 6 bis:\n«Artículo 6 bis. Registro.\nTexto.»"
    assert [each.text for each in extract(text).references] == ["Ley 7/2010", "artículo 6 bis"]


def test_an_amended_law_that_is_not_named_is_not_the_hosts():
    extraction = place(extract("El artículo 5 queda redactado como sigue:"), Host("ley-900-2019", "df-1"))
    assert [each.relative.to for each in extraction.references if each.relative] == ["amended"]


# Any text


def assert_sound(text: str, extraction: Extraction) -> None:
    """Check that every citation quotes the text and that none overlaps the next."""
    cited = [(each.start, each.end, each.text) for each in extraction.references]
    cited += [(each.start, each.end, each.text) for each in extraction.unsupported]
    assert all(words and words == text[start:end] for start, end, words in cited)
    spans = sorted(cited)
    assert all(before[1] <= after[0] for before, after in itertools.pairwise(spans))


PIECES = [
    "artículo ", "arts. ", "27", ".2", "a)", " y ", " a ", ", ", "el ", "de la ", "del ", "Ley 58/2003", "dicha Ley",
    "la misma", "apartado ", "letra ", "párrafo segundo ", "esta Ley", "LGT", "STC 31/2010", ". ", "\n",
    "Reglamento (UE) 2016/679", "\u00ad", "\u0301", "anexo II", "DA 3.ª ", "(", ")", "anterior", "su ",
    "(en adelante, LX)", "LX", "de 3 de mayo de 2000",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(max_examples=300, deadline=None)
def test_citations_quote_their_text_in_order(text):
    assert_sound(text, extract(text))


@given(st.text())
@settings(deadline=None)
def test_no_text_raises(text):
    assert_sound(text, extract(text))


@pytest.mark.parametrize("oddity", ["\0", "\ud800", "\ufeff", "\u0301" * 50, "\U0001f600", "\x1f"])
def test_oddities_of_text_are_survived(oddity):
    text = f"{oddity}art.{oddity}27{oddity} LGT{oddity}"
    assert_sound(text, extract(text))


@pytest.mark.parametrize(
    "piece",
    [
        "artículo 1, ", "artículos 1 a 2 y ", "apartado 1, letra a), ", "letra a) del apartado 1 y ", "Ley 1/2000, ",
        "dicha Ley ", "el 5 de la misma ", "en su artículo 1 ", "L.G.T. ", "LGT-", "A.B.", "Reglamento general de ",
        "Reglamento aprobado por ", "ciento ", "1.1.", "a).", "(", " ", "\n", "\u0301", "\u00ad", "https://www.boe.es/",
        "STC 1/2000, ", "(en adelante, AB) ", "Ley De La ", "primero y ", "respectivamente, ", "el 5 artículo 1 y ",
        "«artículo 5» ", "art. 5 «", ": «art. 5 ", "Ley 1/2000, http://x/eli/a ",
        "«", "art. 1 de su Reglamento y ", "los apartados anteriores y ", "art. 1 lgt ", "aa) ab) ", "a') ", ".II.III",
    ],
)  # fmt: skip
def test_time_grows_with_the_length_of_a_text_and_no_faster(piece):
    short, long = (_seconds(piece * (size // len(piece))) for size in (10_000, 80_000))
    assert long < max(24 * short, 1.0)


@pytest.mark.parametrize("piece", [" ", "\n", "\u00a0", "@", "«", ")", ". ", "art. 1 LGT "])
def test_a_whole_text_is_no_citation_in_time_that_grows_no_faster(piece):
    short, long = (_seconds(piece * (size // len(piece)), parse) for size in (10_000, 80_000))
    assert long < max(24 * short, 1.0)


def test_a_text_is_read_no_further_than_it_may_cite():
    assert len(extract("art. 5 LGT, " * 100, most=7).references) == 8
    assert len(extract("http://x/eli/a " * 100, most=7).references) == 8
    assert len(extract("art. 5 LGT, " * 5, most=7).references) == 5


def _seconds(text: str, read: Callable[[str], object] = extract) -> float:
    begin = time.process_time()
    read(text)
    return time.process_time() - begin


@pytest.mark.parametrize(
    ("text", "types"),
    [
        ("el art. 6 del Reg. (UE) 2016/679", ["eu_regulation"]),
        ("la Dir. 93/13/CEE y la Dir. (UE) 2015/2366", ["eu_directive", "eu_directive"]),
        ("la SAN de 3/4/2019 y la STS de 12-05-2020", ["case_law", "case_law"]),
    ],
)
def test_foreign_law_in_short_is_not_dropped(text: str, types: list[str]) -> None:
    found = extract(text)
    assert ([one.type for one in found.unsupported], found.references) == (types, ())

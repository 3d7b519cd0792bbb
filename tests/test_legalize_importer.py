"""The Markdown importer: headings or plain lines, quoted text, groups, notes, tables, and files that are refused."""

from pathlib import Path

import pytest

from corpus.importers import ImportRefused, legalize

MATTER = """---
title: "Ley 900/2019, de 10 de enero, de Recargos Inventados"
identifier: "BOE-A-2019-90001"
country: "es"
rank: "ley"
publication_date: "2019-01-11"
last_updated: "2024-05-06"
status: "in_force"
source: "https://www.boe.es/eli/es/l/2019/01/10/900"
department: "Jefatura del Estado"
official_number: "900/2019"
enactment_date: "2019-01-10"
---
# Ley 900/2019, de 10 de enero, de Recargos Inventados

"""

DAYS = ("publication_date", "last_updated", "enactment_date")
ONE_ARTICLE = "##### Artículo 1. Objeto.\n\nEsta ley es inventada.\n"

WITH_HEADINGS = """Incluye la corrección de errores publicada en BOE núm. 20. Ref. BOE-A-2019-90009

PREÁMBULO

Esta ley es inventada.

## TÍTULO I. De los recargos

### CAPÍTULO I. Disposiciones generales

##### **Artículo 1.** Objeto.

1. Esta ley regula los *recargos*.

2. El artículo 5 de la Ley 7/1900 queda redactado así:

###### «Artículo 5. Nuevo.

Texto citado.»

| Retraso | Recargo |
| --- | --- |
| 13 meses | 15 % |

> <small>Se añade el apartado 2 por la Ley 901/2020. [Ref. BOE-A-2020-90002](https://www.boe.es/x)</small>

##### Artículos 2 a 4.

**(Derogados)**

##### Artículo 3. Antiguo.

Texto de antes.

##### Artículo 588 bis a. Garantías.

Uno.

Subsección 2.ª Del pago

##### Artículo 6. Pago.

Se pagará.

##### Disposición final única. Entrada en vigor.

Entrará en vigor mañana.

Por tanto,

Mando a todos los españoles que la guarden.

## ANEXO II. Tipos

Los tipos son tres.
"""


def law(body: str, matter: str = MATTER):
    return legalize.read(Path("ley.md"), (matter + body).encode())


def texts(record):
    return {article.key: article.versions[-1].text for article in record.articles}


def test_headings_become_provisions():
    record = law(WITH_HEADINGS)
    assert texts(record) == {
        "preambulo": "Esta ley es inventada.",
        "art-1": "1. Esta ley regula los recargos.\n2. El artículo 5 de la Ley 7/1900 queda redactado así:\n"
        "«Artículo 5. Nuevo.\nTexto citado.»\nRetraso\tRecargo\n13 meses\t15 %",
        "art-2": "(Derogados)",
        "art-3": "(Derogados)",
        "art-4": "(Derogados)",
        "art-588-bis-a": "Uno.",
        "art-6": "Se pagará.",
        "df-unica": "Entrará en vigor mañana.",
        "anexo-ii": "Los tipos son tres.",
    }
    assert record.id == "ley-900-2019"
    assert record.history == "current_only"
    assert record.characters_in_source - record.characters_kept <= len("PREÁMBULO")


def test_former_text_of_a_repealed_group_becomes_a_note_of_it():
    group = next(article for article in law(WITH_HEADINGS).articles if article.key == "art-3")
    assert group.versions[0].status == "repealed"
    assert [note.text for note in group.versions[0].notes] == ["Artículo 3. Antiguo.\nTexto de antes."]


def test_structure_is_the_path_and_plain_lines_continue_it():
    paths = {article.key: article.path for article in law(WITH_HEADINGS).articles}
    assert paths["art-1"] == ("TÍTULO I. De los recargos", "CAPÍTULO I. Disposiciones generales")
    assert paths["art-6"][-1] == "Subsección 2.ª Del pago"
    assert paths["df-unica"] == ()


def test_editorial_remarks_are_notes_with_their_references():
    record = law(WITH_HEADINGS)
    first = next(article for article in record.articles if article.key == "art-1")
    assert first.versions[0].notes[0].references == ("BOE-A-2020-90002",)
    assert any("corrección de errores" in note.text for note in record.notes)


def test_a_table_keeps_its_cells_and_header_apart():
    first = next(article for article in law(WITH_HEADINGS).articles if article.key == "art-1")
    (table,) = [block for block in first.versions[0].blocks if block.kind == "table"]
    text = first.versions[0].text
    assert [[text[cell.start : cell.end] for cell in row] for row in table.rows] == [
        ["Retraso", "Recargo"],
        ["13 meses", "15 %"],
    ]
    assert [cell.is_header for row in table.rows for cell in row] == [True, True, False, False]


HTML_TABLE = """##### Artículo 1. Tarifa.

Recargos:
<table class="tabla">
<thead><tr><th colspan="2">Retraso &amp; recargo</th></tr></thead>

<tr><td>13 meses</td>
<td>15&nbsp;% <b>más</b><br>la cuota</td></tr>
</table>
Fin.

##### Artículo 2. Otro.

Texto.
"""


def test_a_table_in_html_is_a_table():
    record = law(HTML_TABLE)
    first = record.articles[0].versions[0]
    assert first.text == "Recargos:\nRetraso & recargo\n13 meses\t15\xa0% más la cuota\nFin."
    table = first.blocks[1]
    assert [[(first.text[one.start : one.end], one.is_header, one.colspan) for one in row] for row in table.rows] == [
        [("Retraso & recargo", True, 2)],
        [("13 meses", False, 1), ("15\xa0% más la cuota", False, 1)],
    ]
    assert [article.key for article in record.articles] == ["art-1", "art-2"]
    assert (record.warnings, record.characters_kept) == ((), record.characters_in_source)


@pytest.mark.parametrize("written", ["<table>\n<tr><td>abierta", "<table>" * 300 + "honda" + "</table>" * 300])
def test_a_table_in_html_that_cannot_be_read_stays_text(written: str):
    record = law(f"##### Artículo 1. Tarifa.\n\n{written}\n\n##### Artículo 2. Otro.\n\nTexto.\n")
    assert [(article.key, article.versions[0].text) for article in record.articles] == [
        ("art-1", written),
        ("art-2", "Texto."),
    ]


def test_an_image_in_a_cell_is_no_loss():
    record = law("##### Artículo 1. Tarifa.\n\n| a | ![b](c.png) |\n|---|---|\n| 1 | 2 |\n")
    assert record.articles[0].versions[0].text == "a\t[Imagen: b]\n1\t2"
    assert (record.warnings, record.characters_kept) == ((), record.characters_in_source)


def test_words_are_composed_wherever_they_stand():
    record = law("##### Arti\u0301culo 1. Co\u0301digo.\n\nAn\u0303o.\n\n| a\u0301 |\n")
    first = record.articles[0]
    assert (first.key, first.versions[0].heading, first.versions[0].text) == ("art-1", "Código", "Año.\ná")


PLAIN = """EL PRESIDENTE DE LA GENERALIDAD

PREÁMBULO

Se dicta esta ley.

CAPÍTULO I

7. De los cánones y otros. Ingresos

Artículo 111-1. Objeto.

1. Esta ley regula los cánones.

Se modifica el artículo 4, que queda así:

«Artículo 4. Citado.

No es de esta ley.»

Artículo 111-2. A los efectos de esta ley se entiende por canon el que se paga.

Disposición adicional segunda. Plazos.

Diez días.
"""


def test_plain_lines_are_read_where_no_heading_marks_an_article():
    record = law(PLAIN, MATTER.replace("/es/l/2019", "/es-ct/l/2019"))
    assert record.id == "es-ct-ley-900-2019"
    assert list(texts(record)) == ["preambulo", "art-111-1", "art-111-2", "da-2"]
    assert texts(record)["art-111-2"] == "A los efectos de esta ley se entiende por canon el que se paga."
    assert record.articles[1].path == ("CAPÍTULO I. 7. De los cánones y otros. Ingresos",)


@pytest.mark.parametrize(
    ("title", "rank", "expected"),
    [
        ("Decreto Legislativo 3/2008, de 25 de junio, de tasas", "ley", "es-ct-dleg-3-2008"),
        ("Decreto-ley 3/2008, de 25 de junio, de tasas", "ley", "es-ct-dl-3-2008"),
        ("Ley 3/2008, de 25 de junio, de tasas", "ley", "es-ct-ley-3-2008"),
    ],
)
def test_regional_rank_is_that_of_the_title(title, rank, expected):
    matter = (
        f'---\ntitle: "{title}"\nidentifier: "DOGC-f-2008-90017"\nrank: "{rank}"\nstatus: "in_force"\n'
        'source: "https://www.boe.es/buscar/act.php?id=DOGC-f-2008-90017"\njurisdiction: "es-ct"\n---\n'
    )
    assert law(PLAIN, matter).id == expected


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no front matter"),
        (b"# Ley sin cabecera\n\nTexto.", "no front matter"),
        (b"---\ntitle: [\n---\nTexto.", "front matter is not YAML"),
        (b'---\ntitle: "Ley"\n---\nTexto.', "no 'identifier'"),
        (MATTER.encode(), "no text after the front matter"),
        (MATTER.replace("BOE-A-2019-90001", "../x").encode() + b"Texto.", "'../x' is no id such as BOE-A-2003-23186"),
        (MATTER.replace('"BOE-A-2019-90001"', "{a: 1}").encode() + b"Texto.", "no 'identifier'"),
        (MATTER.encode() + b"Te\0xto.", r"holds NUL \(0x00\)"),
    ],
)
def test_what_is_no_law_is_refused_with_file_and_reason(data, reason):
    with pytest.raises(ImportRefused, match=reason) as refused:
        legalize.read(Path("ley.md"), data)
    assert refused.value.file == "ley.md"


def test_repealed_law_ends_the_day_before_its_repeal():
    record = law(WITH_HEADINGS, MATTER.replace('status: "in_force"', 'status: "repealed"\nrepeal_date: "2023-01-01"'))
    assert (record.status, str(record.valid_to)) == ("repealed", "2022-12-31")


def test_front_matter_is_read_as_text_whatever_yaml_would_make_of_it():
    matter = MATTER.replace('"2019-01-11"', "2019-02-31").replace('"2024-05-06"', "[2024]").replace('"in_force"', "~")
    record = law(ONE_ARTICLE, matter)
    assert (record.published, record.source_updated_at, record.status) == (None, None, "in_force")
    assert [(warning.kind, warning.detail) for warning in record.warnings] == [
        ("unknown-status", "status ''"),
        ("impossible-date", "publication_date is '2019-02-31'"),
        ("odd-field", "last_updated is no text"),
    ]


def test_a_law_without_any_day_is_read():
    kept = [line for line in MATTER.splitlines(keepends=True) if not any(name in line for name in DAYS)]
    record = law(ONE_ARTICLE, "".join(kept))
    assert (record.published, record.enacted, record.valid_to, record.source_updated_at) == (None, None, None, None)
    assert record.warnings == ()


def test_links_that_never_close_are_read_as_the_text_that_they_are():
    (article,) = law(f"##### Artículo 1. Objeto.\n\nEsta ley es inventada. {'[a](![b](' * 20_000}\n").articles
    assert article.versions[0].text.endswith("[a](![b](")


def text_of(body):
    return legalize.read(Path("law.md"), (MATTER + body).encode()).articles[0].versions[0]


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("| Tipo | Plazo |\n| :-- | --: |\n| 9 % | 3<br>meses |", "Tipo\tPlazo\n9 %\t3 meses"),
        ("Uno\n\n---\n\nDos", "Uno\nDos"),
        ("```\nx = 2\n```", "x = 2"),
        ("informaci&#211;n &amp; más &nbsp", "informaciÓn & más &nbsp"),
        ("Un \\*asterisco\\* y *cursiva*", "Un *asterisco* y cursiva"),
        ("El ***Director*** y 2*3*4", "El Director y 2*3*4"),
    ],
)
def test_markdown_is_no_text(written, text):
    assert text_of(f"##### Artículo 1. Objeto.\n\n{written}\n").text == text


def test_small_letters_above_and_below_are_marks():
    version = text_of("##### Artículo 1. Objeto.\n\nEmisiones de CO<sub>2</sub> en m<sup>2</sup>.\n")
    assert version.text == "Emisiones de CO2 en m2."
    assert [(mark.tag, version.text[mark.start : mark.end]) for mark in version.blocks[0].marks] == [
        ("sub", "2"),
        ("sup", "2"),
    ]


def test_articles_that_go_by_letters_or_have_a_suffix_joined_have_keys_of_their_own():
    names = ("1", "9bis", "A", "B", "I")
    body = "".join(f"##### Artículo {name}.\n\nTexto.\n\n" for name in names)
    keys = [one.key for one in legalize.read(Path("law.md"), (MATTER + body).encode()).articles]
    assert keys == ["art-1", "art-9-bis", "art-a", "art-b", "art-i"]


def test_lines_of_windows_and_a_byte_order_mark_change_nothing():
    body = "##### Artículo 1. Objeto.\n\n1. Uno.\n\n2. Dos.\n"
    data = ("\ufeff" + MATTER + body).replace("\n", "\r\n").encode()
    found = legalize.read(Path("law.md"), data).articles[0].versions[0]
    assert (found.heading, found.text) == ("Objeto", "1. Uno.\n2. Dos.")

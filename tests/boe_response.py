"""Writes responses of the BOE's open data with invented law, for tests of what reads them."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr
from zlib import crc32

HEADER = '<?xml version="1.0" encoding="utf-8"?>'
DEFAULTS = {
    "fecha_actualizacion": "20260101T090000Z",
    "identificador": "BOE-A-2019-900",
    "ambito": ("1", "Estatal"),
    "departamento": ("7723", "Jefatura del Estado"),
    "rango": ("1300", "Ley"),
    "fecha_disposicion": "20190109",
    "numero_oficial": "900/2019",
    "titulo": "Ley 900/2019, de 9 de enero, de Pruebas.",
    "fecha_publicacion": "20190110",
    "fecha_vigencia": "20190201",
    "estatus_derogacion": "N",
    "estatus_anulacion": "N",
    "vigencia_agotada": "N",
}


def paragraph(text: str, style: str = "parrafo") -> str:
    """Write a paragraph; `text` is markup."""
    return f'<p class="{style}">{text}</p>'


def version(*body: str, norm: str = "BOE-A-2019-900", published: str = "20190110", starts: str = "20190201") -> str:
    """Write a redaction."""
    days = f'fecha_publicacion="{published}" fecha_vigencia="{starts}"'
    return f'<version id_norma="{norm}" {days}>{"".join(body)}</version>'


def block(title: str | None, *versions: str, type_: str = "precepto", **attributes: str) -> str:
    """Write a block whose id tells nothing."""
    named = {"id": f"x{crc32((title or '').encode()):x}", "tipo": type_} | (
        {"titulo": title} if title is not None else {}
    )
    more = "".join(f" {name}={quoteattr(value)}" for name, value in (named | attributes).items())
    return f"<bloque{more}>{''.join(versions)}</bloque>"


def article(title: str, *texts: str, heading: str = "") -> str:
    """Write the block of an article with one redaction of plain paragraphs."""
    label = paragraph(f"{title}.{f' {heading}.' if heading else ''}", "articulo")
    return block(title, version(label, *map(paragraph, texts)))


def title(*lines: tuple[str, str], type_: str = "encabezado") -> str:
    """Write a heading block of (class, text) lines."""
    return block(lines[0][1], version(*(paragraph(text, style) for style, text in lines)), type_=type_)


def response(*blocks: str, **metadata: object) -> bytes:
    """Write a whole response; a metadatum of None is left out."""
    fields = "".join(_field(name, value) for name, value in (DEFAULTS | metadata).items() if value is not None)
    text = f"<metadatos>{fields}</metadatos><texto>{''.join(blocks)}</texto>"
    status = "<status><code>200</code><text>ok</text></status>"
    return f"{HEADER}\n<response>{status}<data>{text}</data></response>".encode()


def write(folder: Path, *blocks: str, name: str = "law.xml", **metadata: object) -> Path:
    """Write a response to a file."""
    path = folder / name
    path.write_bytes(response(*blocks, **metadata))
    return path


def _field(name: str, value: object) -> str:
    if isinstance(value, tuple):
        return f'<{name} codigo="{value[0]}">{escape(str(value[1]))}</{name}>'
    return f"<{name}>{escape(str(value))}</{name}>"

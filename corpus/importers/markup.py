"""Reads markup from untrusted bytes: mends its encoding, refuses what could harm, and parses it in isolation."""

from __future__ import annotations

import codecs
import re
import unicodedata
from dataclasses import dataclass, field
from html.entities import html5
from pathlib import Path

from lxml import etree

from corpus.records import SourceWarning

MAX_BYTES = 256 * 1024 * 1024
# What tells the encoding of a file by itself: a mark, or how its first "<" is written (XML 1.0, appendix F).
BEGINNINGS = (
    (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
    (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"),
)  # fmt: skip

_MARK = "\ufeff"
_DECLARATION = re.compile(r"\s*<\?xml\b[^>]*\?>")
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]*\bencoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")
_MOJIBAKE = re.compile(
    "[\u00c2\u00c3][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]"
)
_DOCTYPE = re.compile(r"<!DOCTYPE\b", re.IGNORECASE)
_ENTITY = re.compile(r"<!ENTITY\b[^>]*", re.IGNORECASE)
_HTML = re.compile(r"\s*(?:<!DOCTYPE\s+html\b|<html\b)", re.IGNORECASE)
# What stands in CDATA is text already.
_NAMED = re.compile(r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?P<name>[A-Za-z][A-Za-z0-9]*);", re.DOTALL)
_XML_NAMES = {"amp", "lt", "gt", "quot", "apos"}
# C1 controls in a text are bytes of Windows-1252 that were taken for ISO-8859-1.
_C1_REFERENCE = re.compile(r"&#(?:(?P<decimal>12[89]|1[3-5]\d)|[xX](?P<hex>[89][0-9a-fA-F]));")
_C1 = {code: bytes([code]).decode("cp1252") for code in range(0x80, 0xA0) if code not in {0x81, 0x8D, 0x8F, 0x90, 0x9D}}


_AS_THEY_ARE = "bytes-as-they-are"


def _byte_as_it_is(error: UnicodeError) -> tuple[bytes, int]:
    """Give the five bytes that Windows-1252 leaves without a character; raise the error for anything else."""
    if isinstance(error, UnicodeEncodeError) and ord(error.object[error.start]) < 0x100:
        return bytes([ord(error.object[error.start])]), error.start + 1
    raise error


codecs.register_error(_AS_THEY_ARE, _byte_as_it_is)


def name_of(path: Path | str) -> str:
    r"""Name a file as it can be kept and shown: the bytes of its name that are no UTF-8 by their numbers.

    >>> print(name_of("ley-\udcff.xml"))
    ley-\xff.xml
    """
    return str(path).encode(errors="surrogateescape").decode(errors="backslashreplace")


class ImportRefused(ValueError):
    """A source that is refused whole; the message names file, line and reason."""

    def __init__(self, file: Path | str, reason: str, line: int | None = None) -> None:
        self.file, self.reason, self.line = name_of(file), reason, line
        super().__init__(f"{self.file}{f', line {line}' if line else ''}: {reason}")


@dataclass(frozen=True)
class Markup:
    """A parsed file with the repairs its encoding needed."""

    root: etree._Element
    warnings: tuple[SourceWarning, ...] = field(default=())


def parse(data: bytes, file: Path | str) -> Markup:
    """Parse the bytes of an XML file; raise `ImportRefused` for anything that is not one sound, harmless document."""
    if len(data) > MAX_BYTES:
        raise ImportRefused(file, f"the file has {len(data)} bytes, more than the {MAX_BYTES} that are read")
    if not data.strip():
        raise ImportRefused(file, "the file is empty")
    text, warnings = decode(data, file)
    _refuse_harm(text, file)
    blanked = _DECLARATION.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text, count=1)
    numbered = with_numbers(blanked)
    if numbered != blanked:
        warnings = [*warnings, SourceWarning("named-characters", "", "characters by their HTML names (&nbsp;)")]
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(numbered.encode(), parser)
    except etree.XMLSyntaxError as error:
        raise ImportRefused(file, _fault(error), error.lineno) from error
    return Markup(root, tuple(warnings))


def with_numbers(text: str) -> str:
    """Write by number what XML does not know by name and HTML does; other names stay, for the parser to refuse.

    >>> with_numbers("2&nbsp;&euro; &amp; <![CDATA[&nbsp;]]> &mine;")
    '2&#160;&#8364; &amp; <![CDATA[&nbsp;]]> &mine;'
    """
    return _NAMED.sub(_numbered, text) if "&" in text else text


def _numbered(found: re.Match[str]) -> str:
    name = found["name"]
    if name is None or name in _XML_NAMES or f"{name};" not in html5:
        return found[0]
    return "".join(f"&#{ord(character)};" for character in html5[f"{name};"])


def _fault(error: etree.XMLSyntaxError) -> str:
    """Say what the parser found; its limits hold against files that are made to exhaust memory."""
    told = " ".join((error.msg or "it cannot be parsed").split())
    if "XML_PARSE_HUGE" not in told:
        return f"not well-formed XML: {told}"
    return f"beyond what is read of one file ({told.partition(',')[0].removeprefix('Resource limit exceeded: ')})"


def decode(data: bytes, file: Path | str) -> tuple[str, list[SourceWarning]]:
    """Decode by what the bytes are, not by what the header says; raise `ImportRefused` naming a byte that fits nothing.

    >>> decode('<?xml version="1.0" encoding="ISO-8859-1"?><a>única</a>'.encode(), "a.xml")[0][-10:]
    '>única</a>'
    """
    text, warnings = _decoded(data, file)
    text = text.lstrip(_MARK)
    if "\0" in text:
        raise ImportRefused(file, "it holds NUL (0x00), as no text does", text.count("\n", 0, text.index("\0")) + 1)
    return text, warnings


def _decoded(data: bytes, file: Path | str) -> tuple[str, list[SourceWarning]]:
    for beginning, encoding in BEGINNINGS:
        if data.startswith(beginning):
            return _strict(data, encoding, file), []
    found = _DECLARED.match(data)
    declared = found[1].decode().lower() if found else "utf-8"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _decode_single_bytes(data, declared, error, file)
    warnings = [] if declared in {"utf-8", "utf8", "us-ascii"} or data.isascii() else [_lie(declared, "UTF-8")]
    return _mend(text, warnings)


def _decode_single_bytes(
    data: bytes, declared: str, error: UnicodeDecodeError, file: Path | str
) -> tuple[str, list[SourceWarning]]:
    encoding = declared if declared.startswith("iso-8859-") and declared != "iso-8859-1" else "cp1252"
    text = _strict(data, encoding, file)
    if _MOJIBAKE.search(text):
        line = data.count(b"\n", 0, error.start) + 1
        reason = f"byte 0x{data[error.start]:02x} at offset {error.start} is not UTF-8, and the rest of the file is"
        raise ImportRefused(file, reason, line)
    lies = declared not in {encoding, "iso-8859-1", "windows-1252"}
    return text, [_lie(declared, encoding)] if lies else []


def _strict(data: bytes, encoding: str, file: Path | str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        reason = f"byte 0x{data[error.start]:02x} at offset {error.start} is no {encoding}"
        raise ImportRefused(file, reason, line) from error


def _mend(text: str, warnings: list[SourceWarning]) -> tuple[str, list[SourceWarning]]:
    """Undo UTF-8 that was read as Windows-1252 and written as UTF-8 again, and stray C1 controls."""
    if _MOJIBAKE.search(text):
        try:
            text = text.translate(_C1).encode("cp1252", _AS_THEY_ARE).decode("utf-8")
            warnings = [*warnings, SourceWarning("encoding", "", "UTF-8 encoded twice")]
        except UnicodeError:
            warnings = [*warnings, SourceWarning("encoding", "", "some text looks like UTF-8 encoded twice")]
    text = _C1_REFERENCE.sub(lambda found: chr(int(found["decimal"] or f"0x{found['hex']}", 0)), text)
    if any(code in text for code in map(chr, _C1)):
        text = text.translate(_C1)
        warnings = [*warnings, SourceWarning("encoding", "", "Windows-1252 characters written as control codes")]
    return text, warnings


def _lie(declared: str, actual: str) -> SourceWarning:
    return SourceWarning("encoding", "", f"the header says {declared}, the bytes are {actual}")


def _refuse_harm(text: str, file: Path | str) -> None:
    if _HTML.match(_DECLARATION.sub("", text, count=1)):
        raise ImportRefused(file, "an HTML page instead of XML", 1)
    if not text.lstrip().startswith("<"):
        raise ImportRefused(file, "not XML: it does not begin with an element", 1)
    doctype = _DOCTYPE.search(text)
    if doctype is None:
        return
    line = text.count("\n", 0, doctype.start()) + 1
    entities = _ENTITY.findall(text)
    if any(re.search(r"\b(?:SYSTEM|PUBLIC)\b", entity) for entity in entities):
        raise ImportRefused(file, "it declares an external entity (XXE)", line)
    if entities:
        raise ImportRefused(file, "it declares entities (entity bomb)", line)
    raise ImportRefused(file, "it has a document type declaration, which is not read", line)


def plain_tags(root: etree._Element) -> None:
    """Give every element its local name in small letters: `<TABLE>` and `<h:table>` are tables too."""
    for element in root.iter():
        name = element.tag.rpartition("}")[2].lower()
        if name != element.tag:
            element.tag = name


def line_number(element: etree._Element) -> int | None:
    """Give the line of the file on which an element begins."""
    line = element.sourceline
    return line if isinstance(line, int) else None


def normalised(text: str) -> str:
    """Give the text in NFC."""
    return text if unicodedata.is_normalized("NFC", text) else unicodedata.normalize("NFC", text)

"""The English catalogue: complete, compiled, and faithful to the placeholders of its Spanish sources."""

from __future__ import annotations

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template import engines
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.utils.translation.template import templatize

ROOT = Path(__file__).parent.parent
CATALOGUE = ROOT / "locale/en/LC_MESSAGES/django"
FUNCTIONS = {"_", "gettext", "gettext_lazy", "ngettext"}
IN_TEMPLATES = re.compile(r"\bn?gettext\(u?(?P<text>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")")
PLACEHOLDER = re.compile(r"%\(\w+\)[\d.]*\w|%[sd]|\{\w*\}|</?\w+>")


def in_python() -> Iterator[str]:
    """Give every message of the code."""
    for package in ("config", "corpus", "search"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
                    yield from (str(arg.value) for arg in node.args[:1] if isinstance(arg, ast.Constant))


def in_templates() -> Iterator[str]:
    """Give every message of the templates."""
    folders = [Path(folder) for folder in engines["django"].template_dirs if ROOT in Path(folder).parents]
    for path in (path for folder in folders for path in folder.rglob("*.html") if ".venv" not in path.parts):
        for found in IN_TEMPLATES.finditer(templatize(path.read_text())):
            yield ast.literal_eval(found["text"])


def compiled() -> dict[str, list[str]]:
    """Give the compiled catalogue: each message with its translations, one or one a plural form."""
    with CATALOGUE.with_suffix(".mo").open("rb") as file:
        catalogue = vars(gettext.GNUTranslations(file))["_catalog"]
    found: dict[str, list[str]] = {}
    for message, translated in catalogue.items():
        found.setdefault(message[0] if isinstance(message, tuple) else message, []).append(translated)
    return found


def written() -> dict[str, list[str]]:
    """Give the catalogue as it is written."""
    found = {}
    source = re.sub(r'"POT-Creation-Date:.*\n', "", CATALOGUE.with_suffix(".po").read_text())  # msgfmt leaves it out
    for entry in source.split("\n\n"):
        texts: list[tuple[str, str]] = []
        for keyword, quoted in re.findall(r'^(?:(msg\S+) )?(".*")$', entry, re.MULTILINE):
            if keyword:
                texts.append((keyword, ""))
            texts[-1] = (texts[-1][0], texts[-1][1] + ast.literal_eval(quoted))
        found[dict(texts)["msgid"]] = [text for keyword, text in texts if keyword.startswith("msgstr")]
    return found


@pytest.mark.parametrize("messages", [in_python, in_templates])
def test_every_message_is_translated(messages):
    assert {message for message in messages() if not all(compiled().get(message, [""]))} == set()


def test_the_compiled_catalogue_is_the_written_one():
    assert compiled() == written()


def test_translations_keep_the_placeholders():
    for message, translations in compiled().items():
        if message:
            wanted = sorted(PLACEHOLDER.findall(message))
            assert all(sorted(PLACEHOLDER.findall(translated)) == wanted for translated in translations), message


def test_english_is_spoken():
    with override("en"):
        assert _("Sin resultados") == "No results"
    with override("es"):
        assert _("Sin resultados") == "Sin resultados"

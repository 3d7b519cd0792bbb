"""What the lexical index holds of one version of an article, and how each field is analysed."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.metadata import version
from typing import TYPE_CHECKING

from tantivy import Index, Schema, SchemaBuilder

from search.analysis import MAIN_LANGUAGE, STOP_WORDS, analyzer, unfolded

if TYPE_CHECKING:
    from pathlib import Path

STEMS, WORDS, WRITTEN = "stems", "words", "written"

# Text: what a reader sees as the provision. Words: that and where it stands, unstemmed, which rewards the very word.
TEXT_FIELDS = {"text": (STEMS, "position"), "heading": (STEMS, "position"), "law": (STEMS, "position"),
               "words": (WORDS, "freq")}  # fmt: skip
# In which texts a word is written how: with which accents and capitals.
WRITTEN_FIELD = "written"
KEYWORD_FIELDS = ("law_key", "rank", "jurisdiction", "kind", "ended_as", "language", "meta")
# The days on which a text has force, and those after on which it is the last that had any.
DAY_FIELDS = ("in_force", "last_text")
ID_FIELDS = ("law_id", "article_id", "version_id")
NUMBER_FIELDS = ("first_day", "digest", "revision", "changed_at")

# One document says which revision of the corpus the index has come to; it has none of the other fields.
META = "state"


@cache
def schema() -> Schema:
    """Give the schema of the index."""
    builder = SchemaBuilder()
    for name, (tokenizer, option) in TEXT_FIELDS.items():
        builder.add_text_field(name, tokenizer_name=tokenizer, index_option=option)
    builder.add_text_field(WRITTEN_FIELD, tokenizer_name=WRITTEN, index_option="basic")
    for name in KEYWORD_FIELDS:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ID_FIELDS:
        builder.add_integer_field(name, indexed=True, fast=True)
    for name in DAY_FIELDS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="basic")
    for name in NUMBER_FIELDS:
        builder.add_integer_field(name, fast=True)
    return builder.build()


def layout() -> str:
    """Name the schema, the analysis and the engine's version: an index made under another name is not read."""
    fields = (TEXT_FIELDS, WRITTEN_FIELD, KEYWORD_FIELDS, DAY_FIELDS, ID_FIELDS, NUMBER_FIELDS)
    described = repr((fields, sorted(STOP_WORDS), MAIN_LANGUAGE, version("tantivy")))
    return hashlib.sha256(described.encode()).hexdigest()[:10]


def open_index(folder: Path) -> Index:
    """Open the index in a folder, or make an empty one there."""
    index = Index(schema(), str(folder))
    index.register_tokenizer(STEMS, analyzer(MAIN_LANGUAGE).stems)
    index.register_tokenizer(WORDS, analyzer(MAIN_LANGUAGE).words)
    index.register_tokenizer(WRITTEN, unfolded())
    index.config_reader(reload_policy="manual")
    return index

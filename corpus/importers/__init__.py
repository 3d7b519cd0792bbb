"""Importers: each turns the files of one kind of source into `LawRecord`s."""

from corpus.importers.markup import ImportRefused
from corpus.importers.sources import load

__all__ = ["ImportRefused", "load"]

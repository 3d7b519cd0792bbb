"""The grammar of Spanish legal citations."""

from search.citations.spanish.running import extract
from search.citations.spanish.several import lists
from search.citations.spanish.whole import parse

__all__ = ["extract", "lists", "parse"]

"""The corpus in the admin: what came from a source is looked at, searched and filtered, never typed over."""

from corpus.admin.jobs import JobAdmin
from corpus.admin.laws import LawAdmin
from corpus.admin.runs import CorpusChangeAdmin, EmbeddingModelAdmin, ImportEntryAdmin, ImportRunAdmin
from corpus.admin.source import ReadOnly, SourceAdmin
from corpus.admin.texts import ArticleAdmin, ArticleVersionAdmin, ChunkAdmin

__all__ = [
    "ArticleAdmin",
    "ArticleVersionAdmin",
    "ChunkAdmin",
    "CorpusChangeAdmin",
    "EmbeddingModelAdmin",
    "ImportEntryAdmin",
    "ImportRunAdmin",
    "JobAdmin",
    "LawAdmin",
    "ReadOnly",
    "SourceAdmin",
]

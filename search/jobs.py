"""The jobs that build what search derives from the texts: indexes and citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procrastinate.contrib.django import app

from corpus import jobs
from corpus.jobs import Running, Task
from search import citation_linking, indexing, semantic

if TYPE_CHECKING:
    from procrastinate import JobContext


@app.task(name=Task.REBUILD_INDEXES.value, pass_context=True, retry=jobs.RESUMED)
def rebuild_indexes(context: JobContext, job_id: int) -> None:
    """Build both indexes anew."""
    jobs.carry_out(job_id, _rebuild_indexes, context)


@app.task(name=Task.LINK_CITATIONS.value, pass_context=True, retry=jobs.RESUMED)
def link_citations(context: JobContext, job_id: int) -> None:
    """Read what the texts cite."""
    jobs.carry_out(job_id, _link_citations, context)


def _rebuild_indexes(running: Running) -> None:
    """Build the indexes of words and of vectors aside; each serves once it is whole."""
    running.expect(indexing.count_versions())
    indexing.rebuild(advance=running.advance)
    semantic.refresh(rebuild=True)


def _link_citations(running: Running) -> None:
    """Read what changed, or every text if asked."""
    anew = bool(running.arguments.get("anew"))
    running.expect(citation_linking.backlog(rebuild=anew))
    citation_linking.link(rebuild=anew, advance=running.advance)

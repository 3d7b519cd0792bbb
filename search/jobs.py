"""The jobs that work out what search derives from the texts: vectors, indexes and citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from procrastinate.contrib.django import app

from corpus import jobs, vectors
from corpus.embedding import get_embedder
from corpus.jobs import Running, Task
from corpus.jobs_of_vectors import batches
from search import citation_linking, indexing, semantic
from search.embedding_order import most_cited_first

if TYPE_CHECKING:
    from procrastinate import JobContext

# What is chosen at once to be embedded: after it, what has come meanwhile and is worth more goes first.
ROUND = 5_000


@app.task(name=Task.EMBED.value, pass_context=True, retry=jobs.RESUMED)
def embed(context: JobContext, job_id: int) -> None:
    """Make the vectors that are missing."""
    jobs.carry_out(job_id, _embed, context)


@app.task(name=Task.REBUILD_INDEXES.value, pass_context=True, retry=jobs.RESUMED)
def rebuild_indexes(context: JobContext, job_id: int) -> None:
    """Build both indexes anew."""
    jobs.carry_out(job_id, _rebuild_indexes, context)


@app.task(name=Task.LINK_CITATIONS.value, pass_context=True, retry=jobs.RESUMED)
def link_citations(context: JobContext, job_id: int) -> None:
    """Read what the texts cite."""
    jobs.carry_out(job_id, _link_citations, context)


def _embed(running: Running) -> None:
    """Make the missing vectors, those worth most first, and let the model answer when none is missing."""
    embedder = get_embedder()
    model = vectors.register(embedder)
    running.expect(vectors.count_missing(model))
    while waiting := vectors.worth_most(model, ROUND, among_equals=most_cited_first()):
        made = 0
        for batch in batches(waiting):
            done = vectors.embed(model, embedder, batch)
            running.advance(done)
            made += done
        if not made:
            break
    vectors.activate_if_complete(model)


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

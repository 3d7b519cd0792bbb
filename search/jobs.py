"""The jobs that work out what search derives from the texts: vectors, indexes and citations."""

from __future__ import annotations

from corpus import jobs, vectors
from corpus.embedding import get_embedder
from corpus.jobs import Running, Task
from corpus.jobs_of_vectors import batches
from search import citation_linking, indexing, semantic
from search.embedding_order import most_cited_first

# What is chosen at once to be embedded: after it, what has come meanwhile and is worth more goes first.
ROUND = 5_000


@jobs.carries_out(Task.EMBED)
def embed(running: Running) -> None:
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


@jobs.carries_out(Task.REBUILD_INDEXES)
def rebuild_indexes(running: Running) -> None:
    """Build the indexes of words and of vectors aside; each serves once it is whole."""
    running.expect(indexing.count_versions())
    indexing.rebuild(advance=running.advance)
    semantic.refresh(rebuild=True)


@jobs.carries_out(Task.LINK_CITATIONS)
def link_citations(running: Running) -> None:
    """Read what changed, or every text if asked."""
    anew = bool(running.arguments.get("anew"))
    running.expect(citation_linking.backlog(rebuild=anew))
    citation_linking.link(rebuild=anew, advance=running.advance)

"""Background jobs: asked for in a request, carried out by the worker."""

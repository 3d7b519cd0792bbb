"""The questions: citations, lookup, retrieval, and the pages and API over them."""

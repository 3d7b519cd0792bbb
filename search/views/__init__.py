"""The pages: each reads what is asked, calls retrieval or lookup, and renders the answer."""

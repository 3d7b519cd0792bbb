"""The pages: each view reads what is asked, calls retrieval or lookup, and renders the answer."""

"""The grammar of Spanish legal citations."""

"""The texts: identifiers, records, importers, models and what is derived per law."""

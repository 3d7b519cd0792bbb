"""Settings, URLs and the embedded database of the whole site."""

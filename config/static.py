"""How static files are named: by their contents once `serve` has collected them, plainly before that."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Give collected files addresses that browsers may keep for ever, and other files their plain ones."""

    def stored_name(self, name: str) -> str:
        """Give the name that holds a hash of the contents; the plain name if the file was not collected."""
        try:
            return str(super().stored_name(name))
        except ValueError:
            return name

"""The settings under which tests run: a data directory and an embedder of their own."""

import os
from pathlib import Path

os.environ.setdefault("DATA_DIR", str(Path(__file__).resolve().parent.parent / "var" / "test"))

from config.settings import *  # noqa: F403 (the variable must be set first)

EMBEDDER = "tests.embedders.HashingEmbedder"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ANONYMOUS_PER_MINUTE = KEY_PER_MINUTE = 0
# Tests change rows behind the change log's back; those of the cache turn it on.
RESPONSE_CACHE_ENTRIES = 0

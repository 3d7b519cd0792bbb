"""A Milvus Lite of its own for tests of what runs against any Milvus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from search.milvus_server import Milvus
from tests.conftest import go_without


@contextmanager
def milvus_lite(folder: Path) -> Iterator[Milvus]:
    """Open a file of Milvus Lite until the block ends."""
    if find_spec("pymilvus") is None or find_spec("milvus_lite") is None:
        go_without("pymilvus and milvus-lite")
    file = str(folder / "milvus.db")
    try:
        with closing(Milvus(file, "", "test", 60.0)) as server:
            yield server
    finally:
        # pymilvus keeps the file open until the process ends.
        import_module("milvus_lite").server_manager_instance.release_server(file)

"""A Milvus server: a cluster, or Milvus Lite in a file. Its collections of rows, and which of them answers."""

from __future__ import annotations

import json
import logging
import threading
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from django.conf import settings

from corpus.circuit import Circuit, CircuitOpen
from search.candidates import ArmUnavailable
from search.vector_horizon import Anchors, Horizon

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corpus.embedding import Vectors

NUMBERS = (
    "article", "version", "digest", "law_pk", "first_day", "last_day", "shown_until", "text_start", "text_end",
)  # fmt: skip
WORDS = ("law", "rank", "jurisdiction", "kind", "ended_as")
# Milvus gives no more than this in one answer.
MOST_ROWS = 16_384
LONGEST_WORD = 200
LONGEST_MANIFEST = 4_000
SHOWN = ["article", "version", "text_start", "text_end", "digest"]
_METRIC = "COSINE"
_GRAPH = {"M": 32, "efConstruction": 400}
_LEAST_EF = 800


@dataclass(frozen=True)
class Manifest:
    """A collection that is whole, how far it goes, and what the database said of its last change and vector."""

    collection: str
    horizon: Horizon
    anchors: Anchors
    last_vector: int


class Milvus:
    """A server, as far as this installation uses it: collections whose names begin with MILVUS_COLLECTION.

    It is reached when it is first asked, and not for a while after it has failed again and again.
    """

    def __init__(self, uri: str, token: str, collection: str, seconds: float) -> None:
        try:
            self._pymilvus = import_module("pymilvus")
        except ImportError as error:
            raise ArmUnavailable("VECTOR_INDEX=milvus needs the package pymilvus, the extra milvus") from error
        # It logs what it raises too.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        self._uri, self._token, self._prefix, self._seconds = uri, token, collection, seconds
        self._states = f"{collection}_states"
        self._circuit, self._connecting = Circuit(), threading.Lock()
        self._connected: Any = None

    def close(self) -> None:
        """Close the connection."""
        with self._connecting:
            if self._connected is not None:
                self._connected.close()
                self._connected = None

    def manifest(self, horizon: Horizon) -> Manifest | None:
        """Read what is published for the model of a horizon."""
        with self._asked() as client:
            found = client.get(self._states, ids=[_model(horizon)], output_fields=["manifest"])
        if not found:
            return None
        said = json.loads(found[0]["manifest"])
        at, sha256 = said["anchors"]
        return Manifest(said["collection"], Horizon(**said["horizon"]), (at, sha256), said["last_vector"])

    def publish(self, manifest: Manifest) -> None:
        """Let questions be answered by a collection, and drop all others of this installation."""
        model = _model(manifest.horizon)
        row = {"model": model, "manifest": json.dumps(asdict(manifest)), "vector": [0.0, 1.0]}
        with self._asked() as client:
            client.upsert(self._states, [row])
            client.delete(self._states, filter=f"model != {json.dumps(model)}")
            for name in client.list_collections():
                if name.startswith(f"{self._prefix}_rows_") and name != manifest.collection:
                    client.drop_collection(name)

    def create(self, name: str, dimensions: int) -> str:
        """Make an empty collection of rows; give its whole name."""
        kinds, name = self._pymilvus.DataType, f"{self._prefix}_rows_{name}"
        with self._asked() as client:
            schema = client.create_schema(auto_id=True, enable_dynamic_field=False)
            schema.add_field("id", kinds.INT64, is_primary=True)
            schema.add_field("vector", kinds.FLOAT_VECTOR, dim=dimensions)
            for column in NUMBERS:
                schema.add_field(column, kinds.INT64)
            for column in WORDS:
                schema.add_field(column, kinds.VARCHAR, max_length=LONGEST_WORD)
            index = client.prepare_index_params()
            index.add_index("vector", index_type="HNSW", metric_type=_METRIC, params=_GRAPH)
            client.create_collection(name, schema=schema, index_params=index, consistency_level="Bounded")
        return name

    def replace(self, collection: str, rows: Sequence[dict[str, Any]], *, where: str) -> None:
        """Delete the rows that meet an expression, and write others."""
        with self._asked() as client:
            client.delete(collection, filter=where)
            if rows:
                client.insert(collection, rows)

    def nearest(self, collection: str, vector: Vectors, where: str, count: int) -> list[dict[str, Any]]:
        """Give the `count` rows nearest to a vector, among those that meet an expression."""
        search = {"metric_type": _METRIC, "params": {"ef": max(_LEAST_EF, 2 * count)}}
        with self._asked() as client:
            (found,) = client.search(
                collection, data=[vector.tolist()], filter=where, limit=count, output_fields=SHOWN,
                search_params=search, timeout=self._seconds,
            )  # fmt: skip
            return list(found)

    def count(self, collection: str, where: str) -> int:
        """Count the rows that meet an expression."""
        with self._asked() as client:
            (found,) = client.query(collection, filter=where, output_fields=["count(*)"], timeout=self._seconds)
            return int(found["count(*)"])

    def compared(self, collection: str, vector: Vectors, where: str) -> list[dict[str, Any]]:
        """Give the rows that meet an expression, `MOST_ROWS` at most, each compared with a vector here, in no order."""
        with self._asked() as client:
            rows = client.query(
                collection, filter=where, limit=MOST_ROWS, output_fields=[*SHOWN, "vector"], timeout=self._seconds
            )
            held = np.array([row["vector"] for row in rows], np.float32).reshape(-1, len(vector))
            cosines = np.vecdot(held, vector) / np.linalg.norm(held, axis=1)
            return [{"entity": row, "distance": cosine} for row, cosine in zip(rows, cosines.tolist(), strict=True)]

    @contextmanager
    def _asked(self) -> Iterator[Any]:
        """Give the client, and turn what it cannot do into what people read about it."""
        try:
            self._circuit.check()
            yield self._client()
        except CircuitOpen as error:
            raise ArmUnavailable(f"Milvus does not answer: {error}") from error
        except (self._pymilvus.MilvusException, OSError) as error:
            self._circuit.failed()
            raise ArmUnavailable(f"Milvus does not answer: {' '.join(str(error).split())[:300]}") from error
        self._circuit.succeeded()

    def _client(self) -> Any:
        with self._connecting:
            if self._connected is None:
                client = self._pymilvus.MilvusClient(uri=self._uri, token=self._token, timeout=self._seconds)
                # Milvus Lite opens a file with its collections put away.
                for name in client.list_collections():
                    if name.startswith((self._states, f"{self._prefix}_rows_")):
                        client.load_collection(name)
                if not client.has_collection(self._states):
                    self._create_states(client)
                self._connected = client
            return self._connected

    def _create_states(self, client: Any) -> None:
        kinds = self._pymilvus.DataType
        schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field("model", kinds.VARCHAR, is_primary=True, max_length=LONGEST_WORD)
        schema.add_field("manifest", kinds.VARCHAR, max_length=LONGEST_MANIFEST)
        # No collection can be without vectors.
        schema.add_field("vector", kinds.FLOAT_VECTOR, dim=2)
        index = client.prepare_index_params()
        index.add_index("vector", index_type="FLAT", metric_type=_METRIC)
        client.create_collection(self._states, schema=schema, index_params=index, consistency_level="Strong")


def _model(horizon: Horizon) -> str:
    return f"{horizon.created_at} {horizon.fingerprint}"[:LONGEST_WORD]


def milvus() -> Milvus:
    """Give this process's one connection to the server that the settings MILVUS_* name. Raise `ArmUnavailable`."""
    return _connected(**settings.MILVUS)


@cache
def _connected(uri: str, token: str, collection: str, seconds: float) -> Milvus:
    return Milvus(uri, token, collection, seconds)

"""Shows what is counted in Prometheus' text format, with how index and vectors stand at that moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from search import question_vectors
from search.health import look

if TYPE_CHECKING:
    from collections.abc import Iterator

    from prometheus_client.metrics_core import Metric


class State:
    """What is looked at when somebody asks: kept vectors of questions, and how far the indexes have followed."""

    def collect(self) -> Iterator[Metric]:
        """Give the figures of now."""
        kept = CounterMetricFamily("fundamento_question_vectors", "Vectors of questions.", labels=["found"])
        kept.add_metric(["kept"], question_vectors.counts.hits)
        kept.add_metric(["made"], question_vectors.counts.misses)
        yield kept
        checks = look().checks
        figures = {
            "corpus_revision": checks.corpus.revision,
            "corpus_laws": checks.corpus.laws,
            "lexical_index_lag": checks.lexical_index.lag,
            "chunks": checks.vectors.chunks,
            "chunks_with_vector": checks.vectors.chunks_with_vector,
        }
        for name, value in figures.items():
            if value is not None:
                yield GaugeMetricFamily(f"fundamento_{name}", name.replace("_", " ").capitalize() + ".", value)
        states = GaugeMetricFamily("fundamento_check", "Checks: 1 ok, 0.5 degraded, 0 failed.", labels=["check"])
        for name in type(checks).model_fields:
            states.add_metric([name], {"ok": 1, "degraded": 0.5}.get(getattr(checks, name).status, 0))
        yield states


def exposition(multiprocess_dir: str = "") -> bytes:
    """Give everything in Prometheus' text format; of all processes, where they share `multiprocess_dir`."""
    state = CollectorRegistry()
    state.register(State())
    if multiprocess_dir:
        together = CollectorRegistry()
        MultiProcessCollector(together, multiprocess_dir)  # type: ignore[no-untyped-call]
        return generate_latest(together) + generate_latest(state)
    return generate_latest(REGISTRY) + generate_latest(state)

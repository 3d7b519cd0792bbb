"""What is counted and timed for Prometheus, in few series: no question, citation, address or key is in a label."""

from __future__ import annotations

from collections import Counter as Tally
from typing import TYPE_CHECKING

from prometheus_client import Counter, Histogram

if TYPE_CHECKING:
    from collections.abc import Iterable

    from search.responses import Resolution, RetrievalResponse

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS = Histogram(
    "fundamento_request_seconds",
    "Requests by the pattern of their address.",
    ["method", "route", "status"],
    buckets=SECONDS,
)
RETRIEVALS = Histogram("fundamento_retrieval_seconds", "Questions answered, by mode.", ["mode"], buckets=SECONDS)
ANSWERS = Counter(
    "fundamento_answers", "Questions answered, by mode, by the arm that was missing, and by what came.",
    ["mode", "missing", "result"],
)  # fmt: skip
LOOKUPS = Counter("fundamento_lookups", "Citations resolved, by outcome.", ["outcome"])
REFUSALS = Counter("fundamento_refusals", "Callers not let in, by reason.", ["code"])
TOOL_CALLS = Histogram("fundamento_mcp_call_seconds", "Calls of MCP tools.", ["tool", "result"], buckets=SECONDS)


def note_answer(answer: RetrievalResponse) -> None:
    """Count an answer of retrieval."""
    RETRIEVALS.labels(answer.mode).observe(answer.took_ms / 1000)
    missing = answer.degraded.missing if answer.degraded else "none"
    ANSWERS.labels(answer.mode, missing, "hits" if answer.total else "nothing").inc()


def note_lookups(resolutions: Iterable[Resolution]) -> None:
    """Count what citations resolved to."""
    for outcome, count in Tally(resolution.outcome for resolution in resolutions).items():
        LOOKUPS.labels(outcome).inc(count)

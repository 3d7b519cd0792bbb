"""Times the JSON API over real questions and citations, one client, one connection, against a running server.

    python bench/serving.py http://127.0.0.1:8000 [--questions 200]

Every question is asked once in each mode, the modes by turns, so that none is the first to meet a cold machine.
"""

import argparse
import json
import os
import time
from http.client import HTTPConnection
from pathlib import Path
from statistics import quantiles
from urllib.parse import quote, urlsplit

MODES = ("lexical", "semantic", "hybrid")
SHARED = Path(os.environ.get("SHARED_DIR", Path(__file__).resolve().parents[2] / "shared"))


def questions(wanted: int) -> list[str]:
    """Give the first questions of the labelled sets."""
    lines = [
        line
        for name in ("corpus92-dev", "constitucion-dev")
        for line in (SHARED / "eval" / name / "queries.jsonl").read_text().splitlines()
    ]
    return [json.loads(line)["text"] for line in lines[:wanted]]


def timed(connection: HTTPConnection, path: str) -> float:
    """Give the milliseconds of one request; fail on anything but an answer."""
    started = time.perf_counter()
    connection.request("GET", path)
    response = connection.getresponse()
    response.read()
    elapsed = 1000 * (time.perf_counter() - started)
    if response.status != 200:
        raise SystemExit(f"{response.status} for {path}")
    return elapsed


def told(name: str, times: list[float]) -> str:
    """Give one row of the table."""
    cuts = quantiles(times, n=20)
    return f"{name:<18} p50 {cuts[9]:7.1f} ms  p95 {cuts[18]:7.1f} ms  over {len(times)}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--questions", type=int, default=200)
    arguments = parser.parse_args()
    connection = HTTPConnection(urlsplit(arguments.url).netloc)
    print(f"load average {os.getloadavg()[0]:.1f}")
    times: dict[str, list[float]] = {mode: [] for mode in MODES}
    for question in questions(arguments.questions):
        for mode in MODES:
            times[mode].append(timed(connection, f"/api/v1/search?mode={mode}&q={quote(question)}"))
    for mode in MODES:
        print(told(f"search {mode}", times[mode]))
    connection.request("GET", "/api/v1/laws?limit=1")
    law = json.load(connection.getresponse())["items"][0]["id"]
    connection.request("GET", f"/api/v1/laws/{law}/articles?limit=100")
    cited = [item["citation"] for item in json.load(connection.getresponse())["items"]]
    print(told("citation", [timed(connection, f"/api/v1/citations/{quote(one)}") for one in cited for _ in range(3)]))


if __name__ == "__main__":
    main()

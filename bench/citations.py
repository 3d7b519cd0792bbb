"""Measures the reading of citations: megabytes a second of running text, and microseconds for one typed citation.

    python bench/citations.py [FILE ...]

Without files it reads the nine real laws in SHARED_DIR (by default ../shared). Needs no corpus and no database.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from lxml import etree

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from search.citations import extract, parse  # noqa: E402

ROUNDS = 3
TYPED = [
    "art. 27.2.a) LGT",
    "letra a) del apartado 2 del artículo 27 de la Ley 58/2003",
    "Ley 58/2003, de 17 de diciembre, General Tributaria, artículo 27",
    "arts. 163 undecies a 163 terdecies LIVA",
    "ley-58-2003:art-27.2@2019-06-30",
    "¿qué recargo se paga por declarar tarde?",
]


def main() -> None:
    """Print a table of throughput by text, and of time by typed citation."""
    shared = Path(os.environ.get("SHARED_DIR", ROOT.parent / "shared"))
    files = [Path(name) for name in sys.argv[1:]] or sorted((shared / "data" / "boe-xml").glob("*/full.xml"))
    print(f"{'text':32} {'MB':>6} {'MB/s':>6} {'citations':>9} {'unsupported':>11}")
    total = [measure(file) for file in files]
    size, seconds = sum(size for size, _ in total), sum(seconds for _, seconds in total)
    print(f"{'all':32} {size:6.2f} {size / seconds:6.2f}\n")
    for text in TYPED:
        print(f"{typed_microseconds(text):7.0f} µs  {text}")


def measure(file: Path) -> tuple[float, float]:
    """Print one text's line; give its megabytes and the seconds of CPU it took."""
    text = text_of(file)
    megabytes = len(text.encode()) / 1e6
    seconds = []
    for _ in range(ROUNDS):
        begin = time.process_time()
        found = extract(text)
        seconds.append(time.process_time() - begin)
    name = file.parent.name if file.suffix == ".xml" else file.name
    counts = f"{len(found.references):9} {len(found.unsupported):11}"
    print(f"{name:32} {megabytes:6.2f} {megabytes / min(seconds):6.2f} {counts}")
    return megabytes, min(seconds)


def text_of(file: Path) -> str:
    """Give the paragraphs of a BOE file, or the text of any other."""
    if file.suffix != ".xml":
        return file.read_text(encoding="utf-8")
    paragraphs = etree.parse(file).iterfind(".//texto//p")
    return "\n".join("".join(paragraph.itertext()) for paragraph in paragraphs)


def typed_microseconds(text: str) -> float:
    """Measure the parsing of one citation."""
    count = 500
    begin = time.process_time()
    for _ in range(count):
        parse(text)
    return (time.process_time() - begin) / count * 1e6


if __name__ == "__main__":
    main()

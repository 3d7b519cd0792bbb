"""Measures the pages in Chromium against a running site: bytes, requests, first byte, largest paint, layout shift.

    python bench/pages.py http://127.0.0.1:8000 [PATH ...]

Without paths: the front page, a question, the law with the most provisions, its history, its first provision and
what changed in that, the list of laws and the form that checks texts. Each page is opened five times in a fresh
profile (nothing cached); medians are shown. The last line is the time from the last key typed to the first results,
and to the fused list, of a question typed a key every 120 ms; a site without vectors has no fused list, and it says so.
"""

from __future__ import annotations

import shutil
import statistics
import sys
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROUNDS = 5
KEY_MILLISECONDS = 120
QUESTION = "recargo por presentar tarde la declaración"
FLAGS = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
OBSERVE = """
window.shift = 0; window.paint = 0;
new PerformanceObserver((l) => l.getEntries().forEach((e) => (window.shift += e.hadRecentInput ? 0 : e.value)))
  .observe({type: "layout-shift", buffered: true});
new PerformanceObserver((l) => l.getEntries().forEach((e) => (window.paint = e.startTime)))
  .observe({type: "largest-contentful-paint", buffered: true});
"""
# Of each list that comes: what it answers, in which mode, and the ms since the last key.
WATCH = """() => {
  window.lists = [];
  document.getElementById("q").addEventListener("input", ({ target }) => {
    window.typed = target.value; window.typedAt = performance.now();
  }, true);
  new MutationObserver(() => {
    const share = document.querySelector("#results .share");
    const asked = share && new URL(share.dataset.copy).searchParams.get("q");
    if (asked) window.lists.push([asked, document.querySelector("#results .mode").className,
                                  performance.now() - window.typedAt]);
  }).observe(document.getElementById("results"), { childList: true });
}"""
COLLECT = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const all = [page, ...performance.getEntriesByType("resource")];
  return [all.reduce((sum, e) => sum + e.transferSize, 0), all.length, page.responseStart, window.paint, window.shift];
}"""


def measure(browser: Browser, url: str) -> list[float]:
    """Give a page's bytes, requests, ms to first byte, ms to largest paint, layout shift and ms of work: medians.

    The work is processor time of the page's main thread, which a busy machine does not lengthen as it does the others.
    """
    rounds = []
    for _ in range(ROUNDS):
        context = browser.new_context()
        page = context.new_page()
        page.add_init_script(OBSERVE)
        session = context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(url, wait_until="networkidle")
        metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        rounds.append([*page.evaluate(COLLECT), metrics["TaskDuration"] * 1000])
        context.close()
    return [statistics.median(column) for column in zip(*rounds, strict=True)]


def typing(browser: Browser, site: str) -> tuple[float, float | None]:
    """Give the ms from the last key to the first results and to the fused list, both swapped in: medians.

    The fused list is None where the last one that came, after which none is waited for, is of another mode.
    """
    rounds: list[tuple[float, float | None]] = []
    last_list = f"#results:not(:has([data-follow-up])) .share[data-copy$='?{urlencode({'q': QUESTION})}']"
    for _ in range(ROUNDS):
        context = browser.new_context()
        page = context.new_page()
        page.goto(site, wait_until="networkidle")
        page.evaluate(WATCH)
        page.locator("#q").press_sequentially(QUESTION, delay=KEY_MILLISECONDS)
        page.locator(last_list).wait_for()
        lists = page.evaluate("window.lists.filter(([asked]) => asked === window.typed)")
        (_, _, first), (_, mode, last) = lists[0], lists[-1]
        rounds.append((first, last if "mode-hybrid" in mode else None))
        context.close()
    fused = [last for _, last in rounds if last is not None]
    return statistics.median(first for first, _ in rounds), statistics.median(fused) if fused else None


def paths_of(browser: Browser, site: str) -> list[str]:
    """Give a path of each kind that this site has."""
    page = browser.new_page()
    page.goto(f"{site}/coverage?sort=-articles")
    law = page.locator("tbody a").first.get_attribute("href") or "/"
    page.goto(site + law)
    provision = page.locator(".articles a").first.get_attribute("href") or "/"
    page.close()
    question = f"/?q={QUESTION.replace(' ', '+')}"
    return ["/", question, law, f"{law}/history", provision, f"{provision}/diff", "/coverage", "/verify"]


def main(site: str, paths: list[str]) -> None:
    """Print the table."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        print(f"{'page':<48} {'bytes':>7} {'requests':>8} {'ttfb ms':>8} {'lcp ms':>7} {'cls':>6} {'work ms':>7}")
        for path in paths or paths_of(browser, site):
            size, requests, first_byte, paint, shift, work = measure(browser, site + path)
            times = f"{first_byte:>8.1f} {paint:>7.0f} {shift:>6.3f} {work:>7.0f}"
            print(f"{path[:48]:<48} {size:>7.0f} {requests:>8.0f} {times}", flush=True)
        first, fused = typing(browser, site)
        told = "there was no fused list" if fused is None else f"to the fused list {fused:.0f} ms"
        print(f"last key to first results {first:.0f} ms, {told}")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), sys.argv[2:])

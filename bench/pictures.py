"""Takes pictures of a running site's pages, light, dark and narrow, to be looked at.

    python bench/pictures.py http://127.0.0.1:8000 FOLDER [NAME=PATH ...]

With a site that has only the examples loaded, `--docs` as FOLDER renews the pictures in docs/.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent.parent / "docs"
LOOKS = {"light": ("light", 1280), "dark": ("dark", 1280), "narrow": ("light", 390), "narrow-dark": ("dark", 390)}
PAGES = {
    "home": "/",
    "search": "/?q=recargo+por+declarar+tarde+sin+requerimiento",
    "no-results": "/?q=xyzzyqwfp&mode=lexical",
    "candidates": "/?q=RDL+1/2020,+art.+1",
    "law": "/ley-990-2019",
    "provision": "/ley-990-2019:art-11",
    "part": "/ley-990-2019:art-11.4.b",
    "old-version": "/ley-990-2019:art-11@2023-01-01",
    "repealed": "/ley-990-2019:art-6",
    "table": "/ley-990-2019:art-8",
    "not-found": "/ley-990-2019:art-99",
    "coverage": "/coverage",
    "history": "/ley-990-2019/history",
    "why": "/why?q=recargo+por+declarar+tarde+sin+requerimiento&hit=ley-990-2019:art-11",
}
IN_DOCS = {"search": "search.png", "provision": "provision.png"}


def main(site: str, folder: str, pages: dict[str, str]) -> None:
    """Take each page in each look; only the two of the README, as a reader first sees them, for `--docs`."""
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        if folder == "--docs":
            for name, file in IN_DOCS.items():
                page = browser.new_page(viewport={"width": 1200, "height": 860}, locale="es-ES")
                page.goto(site + PAGES[name], wait_until="networkidle")
                page.screenshot(path=DOCS / file)
            return
        Path(folder).mkdir(parents=True, exist_ok=True)
        for look, (scheme, width) in LOOKS.items():
            page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, locale="es-ES")
            for name, path in pages.items():
                page.goto(site + path, wait_until="networkidle")
                page.screenshot(path=Path(folder) / f"{name}-{look}.png", full_page=True)


if __name__ == "__main__":
    named = dict(argument.split("=", 1) for argument in sys.argv[3:])
    main(sys.argv[1].rstrip("/"), sys.argv[2], named or PAGES)

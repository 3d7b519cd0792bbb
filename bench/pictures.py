"""Takes pictures of a running site's pages, light, dark and narrow, to be looked at.

    python bench/pictures.py http://127.0.0.1:8000 FOLDER [NAME=PATH ...]

Each page is also taken as printed, in forced colours, and with more contrast. With a site that has only the examples
loaded, `--docs` as FOLDER renews the pictures in docs/.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent.parent / "docs"
WIDE, NARROW, PAPER = {"width": 1280, "height": 900}, {"width": 360, "height": 780}, {"width": 794, "height": 1123}
LOOKS: dict[str, dict[str, Any]] = {
    "light": {"viewport": WIDE},
    "dark": {"viewport": WIDE, "color_scheme": "dark"},
    "narrow": {"viewport": NARROW},
    "narrow-dark": {"viewport": NARROW, "color_scheme": "dark"},
    "print": {"viewport": PAPER},
    "forced": {"viewport": WIDE, "forced_colors": "active"},
    "contrast": {"viewport": WIDE, "contrast": "more"},
}
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
    "diff": "/ley-990-2019:art-11/diff",
    "verify": "/verify",
    "why": "/why?q=recargo+por+declarar+tarde+sin+requerimiento&hit=ley-990-2019:art-11",
}
TEXT = (
    "El art. 11.4 de la Ley 990/2019 dice «b) Se ha ingresado ya toda la deuda». Véase el art. 99 de la Ley 990/2019."
)
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
        for look, options in LOOKS.items():
            page = browser.new_page(locale="es-ES", **options)
            for name, path in pages.items():
                page.emulate_media(media="screen")
                page.goto(site + path, wait_until="networkidle")
                if name == "verify":
                    page.locator("#text").fill(TEXT)
                    page.get_by_role("button", name="Comprobar", exact=True).click()
                    page.locator("#checked").wait_for()
                page.emulate_media(media="print" if look == "print" else "screen")
                page.screenshot(path=Path(folder) / f"{name}-{look}.png", full_page=True)


if __name__ == "__main__":
    named = dict(argument.split("=", 1) for argument in sys.argv[3:])
    main(sys.argv[1].rstrip("/"), sys.argv[2], named or PAGES)

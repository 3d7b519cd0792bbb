"""The API's documentation page in a real browser: no console complaint, accessible, and its forms ask the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_the_page_is_accessible(page: Page) -> None:
    page.goto("/api/v1/docs")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_a_form_asks_the_api(page: Page) -> None:
    page.goto("/api/v1/docs")
    form = page.locator("#search form")
    form.get_by_label("limit").fill("1")
    form.get_by_role("button", name="Try").click()
    page.wait_for_url("**/api/v1/search?*")
    assert '"citation": "ley-990-2019:art-11"' in page.inner_text("body")


def test_a_path_is_tried_with_its_example(page: Page) -> None:
    page.goto("/api/v1/docs")
    page.locator("#get_citation").get_by_role("button", name="Try").click()
    page.wait_for_url("**/api/v1/citations/ley-990-2019:art-11.4.b?*")
    assert '"outcome": "found"' in page.inner_text("body")

"""The API's documentation page in a real browser: no console complaint, accessible, and its forms ask the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(page: Page, scheme: Literal["light", "dark"]) -> None:
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto("/api/v1/docs")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce", contrast="more")
    found = Axe().run(page, options={"runOnly": ["color-contrast-enhanced"]})
    assert found.violations_count == 0, found.generate_report()


def test_forced_colours_leave_its_buttons_and_fields_to_be_seen(page: Page) -> None:
    page.emulate_media(forced_colors="active")
    page.goto("/api/v1/docs")
    for seen in ("#search form button", "#search form input"):
        expect(page.locator(seen).first).to_have_css("border-top-style", "solid")


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

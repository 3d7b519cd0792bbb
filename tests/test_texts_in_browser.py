"""Checking a text and comparing two versions in a real browser: by keyboard, without JavaScript, light and dark."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

DIFF = "/ley-990-2019:art-11/diff"
TEXT = (
    "El artículo 11.4.b) de la Ley 990/2019 dice: «Se ha ingresado ya toda la deuda que resulte de la "
    "autoliquidación». Y el artículo 999 de la misma, y el artículo 6 del Reglamento (UE) 2016/679."
)


@pytest.fixture
def plain_page(browser: Browser, site: str) -> Iterator[Page]:
    """A page without JavaScript."""
    context = browser.new_context(base_url=site, locale="es-ES", java_script_enabled=False)
    yield context.new_page()
    context.close()


def check(page: Page) -> None:
    """Paste the text and have it checked."""
    page.goto("/verify")
    page.get_by_label("Texto", exact=True).fill(TEXT)
    with page.expect_event("load"):
        page.get_by_role("button", name="Comprobar", exact=True).click()


def faults(page: Page) -> list[tuple[str, str, str]]:
    """Give what axe finds wrong in both colour schemes."""
    found = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        violations = Axe().run(page).response["violations"]
        found += [(scheme, fault["id"], fault["nodes"][0]["html"]) for fault in violations]
    return found


def too_wide(page: Page) -> list[str]:
    """Give what reaches beyond a narrow screen, where the page does."""
    page.set_viewport_size({"width": 320, "height": 640})
    found: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= 320 ? [] : [...document.querySelectorAll("main *")]
            .filter((element) => element.getBoundingClientRect().right > 320)
            .map((element) => element.outerHTML.slice(0, 120))"""
    )
    return found


def test_a_text_is_checked_and_told(page: Page) -> None:
    check(page)
    expect(page.locator("#checked-heading")).to_have_text("3 citas y 1 texto entre comillas")
    rows = page.locator("#checked tbody tr")
    expect(rows.nth(0)).to_contain_text("Artículo 11.4.b)")
    expect(page.locator(".checked-text .quoted.good")).to_be_visible()
    expect(page.locator(".checked-text .bad").first).to_contain_text("artículo 999")


def test_a_mark_and_its_line_lead_to_each_other(page: Page) -> None:
    check(page)
    page.locator(".mark-number").nth(1).click()
    expect(page).to_have_url(re.compile("#line-2$"))
    page.locator("#line-2 td a").first.click()
    expect(page).to_have_url(re.compile("#mark-2$"))


def test_a_text_is_checked_by_keyboard_and_without_javascript(plain_page: Page) -> None:
    page = plain_page
    page.goto("/verify")
    page.get_by_label("Texto", exact=True).focus()
    page.keyboard.insert_text(TEXT)
    page.get_by_role("button", name="Comprobar", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator("#checked tbody tr")).to_have_count(4)


def test_a_file_dropped_on_the_form_is_checked(page: Page) -> None:
    page.goto("/verify")
    dropped = page.evaluate_handle(
        """(text) => {
            const held = new DataTransfer();
            held.items.add(new File([text], "demanda.txt", {type: "text/plain"}));
            return held;
        }""",
        TEXT,
    )
    page.dispatch_event("#text", "drop", {"dataTransfer": dropped})
    assert page.evaluate("document.getElementById('file').files[0].name") == "demanda.txt"
    expect(page.locator("#announcement")).to_have_text("demanda.txt")
    page.get_by_role("button", name="Comprobar", exact=True).click()
    expect(page.locator("#checked tbody tr")).to_have_count(4)


def test_a_checked_text_is_taken_away_as_a_file(page: Page) -> None:
    page.goto("/verify")
    page.get_by_label("Texto", exact=True).fill(TEXT)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV").click()
    assert waiting.value.suggested_filename.endswith(".csv")


def test_two_versions_are_reached_and_compared_without_javascript(plain_page: Page) -> None:
    page = plain_page
    page.goto("/ley-990-2019:art-11")
    page.get_by_role("link", name=re.compile("^qué cambió")).first.click()
    expect(page).to_have_url(re.compile(r"/ley-990-2019:art-11/diff\?from="))
    expect(page.locator(".diff-text del").first).to_be_visible()
    expect(page.locator(".diff-text ins").first).to_be_visible()
    page.get_by_label("De la redacción").select_option(index=0)
    page.get_by_label("a la redacción").select_option(index=0)
    page.get_by_role("button", name="Comparar").click()
    expect(page.locator("body")).to_contain_text("Nada: el texto es el mismo.")


def test_what_goes_and_comes_is_told_by_more_than_colour(page: Page) -> None:
    page.goto(DIFF)
    gone, come = page.locator(".diff-text del").first, page.locator(".diff-text ins").first
    expect(gone).to_have_css("text-decoration-line", "line-through")
    expect(come).to_have_css("text-decoration-line", "underline")
    told = gone.evaluate("element => getComputedStyle(element, '::before').content")
    assert "se va" in told


def test_neither_page_has_an_accessibility_fault_or_is_too_wide(page: Page) -> None:
    page.goto(DIFF)
    assert faults(page) == []
    assert too_wide(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    check(page)
    assert faults(page) == []
    assert too_wide(page) == []

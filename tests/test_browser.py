"""The pages in a real browser: typing, keyboard, history, no JavaScript, strict policy, accessibility, weight."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Literal
from urllib.parse import parse_qsl, quote_plus, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, expect

from tests.conftest import PATIENCE_MILLISECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Locator, Page, Route

pytestmark = pytest.mark.browser

QUESTION = "recargos por presentar fuera de plazo"
PAGES = {
    "home": "/",
    "results": "/?q=recargos+fuera+de+plazo&include_repealed=true",
    "no results": "/?q=xyzzyqwfp&mode=lexical",
    "candidates": "/?q=RDL+1/2020,+art.+1",
    "wrong value": "/?q=iva&limit=0",
    "law": "/ley-990-2019",
    "provision": "/ley-990-2019:art-11",
    "old version": "/ley-990-2019:art-11?as_of=2020-01-01",
    "repealed": "/ley-990-2019:art-6",
    "table": "/ley-990-2019:art-8",
    "part": "/ley-990-2019:art-11.1",
    "no such provision": "/ley-990-2019:art-99",
    "no such law": "/ley-28-2014:art-1",
    "no such page": "/a/b",
    "coverage": "/coverage",
    "history": "/ley-990-2019/history",
    "why": "/why?q=recargos+fuera+de+plazo&hit=ley-990-2019:art-11",
    "why not": "/why?q=recargos+fuera+de+plazo&hit=ley-990-2019:art-6",
    "cited by": "/ley-990-2019:art-11/cited_by",
    "diff": "/ley-990-2019:art-11/diff",
    "verify": "/verify",
    "verified": "/verify",
}
TEXT = (
    "El art. 11.4 de la Ley 990/2019 dice «b) Se ha ingresado ya toda la deuda». Véase el art. 99 de la Ley 990/2019."
)


@pytest.fixture
def plain_page(browser: Browser, site: str) -> Iterator[Page]:
    """A page without JavaScript."""
    context = browser.new_context(base_url=site, locale="es-ES", java_script_enabled=False)
    yield context.new_page()
    context.close()


def shows_ten_hits(page: Page) -> None:
    """Wait until a full page of hits is shown."""
    expect(page.locator("#results .hit")).to_have_count(10)


def type_in(page: Page, question: str = QUESTION) -> None:
    """Type a question where the focus is and wait for the whole answer to all of it."""
    page.keyboard.type(question, delay=15)
    page.wait_for_url(f"**/?q={quote_plus(question)}")
    expect(page.locator("#results .badge.mode")).to_have_text("híbrido")


def ask(page: Page, question: str = QUESTION) -> None:
    """Ask a question on a fresh search page by typing it."""
    page.goto("/")
    page.locator("#q").focus()
    type_in(page, question)


def open_page(page: Page, name: str) -> None:
    """Open one of PAGES; the one that shows a checked text is reached by its form."""
    page.goto(PAGES[name])
    if name == "verified":
        page.locator("#text").fill(TEXT)
        with page.expect_event("load"):
            page.get_by_role("button", name="Comprobar", exact=True).click()
        page.locator("#checked").wait_for()


# Typing


def test_br_66_typing_shows_words_first_then_both_without_leaving_the_box(page: Page):
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "?q=" in request.url else None)
    ask(page)
    assert ["stage=first" in url for url in asked[-2:]] == [True, False]
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value(QUESTION)
    expect(page.locator("#results-status")).to_have_text(re.compile(r"resultados$"))
    shows_ten_hits(page)


def test_br_66_the_live_region_is_the_same_node_throughout(page: Page):
    ask(page)
    page.evaluate("window.region = document.getElementById('results-status')")
    page.locator("#q").fill("tarifa reducida")
    page.wait_for_url("**/?q=tarifa+reducida")
    assert page.evaluate("window.region === document.getElementById('results-status') && window.region.role")


class Held:
    """Requests of the search page that wait until the test lets them through."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.routes: list[Route] = []
        page.route(re.compile(address), lambda route: self.routes.append(route))

    def questions(self) -> list[str]:
        """Give what was asked, in order."""
        return [asked_in(route.request.url)["q"] for route in self.routes]

    def wait(self, question: str) -> None:
        """Wait until a question was asked; who types slowly has its beginnings asked before."""
        for _ in range(PATIENCE_MILLISECONDS // 25):
            if question in self.questions():
                return
            self.page.wait_for_timeout(25)
        raise AssertionError(self.questions())

    def release(self) -> None:
        """Let everything through, what was held and what comes."""
        self.page.unroute_all()
        for route in self.routes:
            with suppress(Error):  # the page may have given a request up
                route.continue_()


FOLLOW_UPS, FIRST_ANSWERS = r"\?q=[^&]*$", r"stage=first"
# Of every list that is swapped in: the question that it answers, and what the box says by then.
WATCH = """() => {
    window.swapped = [];
    new MutationObserver(() => {
        const share = document.querySelector("#results .share");
        const box = document.getElementById("q");
        if (share) window.swapped.push([new URL(share.dataset.copy).searchParams.get("q"), box.value]);
    }).observe(document.getElementById("results"), { childList: true });
}"""


def watched_box(page: Page) -> Locator:
    """Open the front page, note each list that is swapped in with what the box then says, and give the box."""
    page.goto("/")
    page.evaluate(WATCH)
    return page.locator("#q")


def shown_list(page: Page) -> list[str]:
    """Give the citations of the hits shown."""
    return page.locator("#results .hit-facts code").all_inner_texts()


def test_typing_on_while_answers_are_slow_never_shows_an_old_list(page: Page):
    box = watched_box(page)
    fused = Held(page, FOLLOW_UPS)
    box.press_sequentially("tarifa", delay=5)
    fused.wait("tarifa")
    expect(page.locator("#results .badge.mode")).to_have_text("léxico")
    asked = fused.questions()
    words = Held(page, FIRST_ANSWERS)
    box.press_sequentially(" reducida", delay=5)
    words.wait("tarifa ")
    page.wait_for_timeout(500)  # longer than a follow-up waits before it asks
    assert fused.questions() == asked, "a list for what the box no longer says was asked for"
    fused.release()
    words.release()
    page.wait_for_url("**/?q=tarifa+reducida")
    expect(page.locator("#results .badge.mode")).to_have_text("híbrido")
    swapped = page.evaluate("window.swapped")
    assert swapped[-1] == ["tarifa reducida", "tarifa reducida"]
    assert [pair for pair in swapped if pair[0] != pair[1]] == []


def test_keys_typed_while_an_answer_is_under_way_ask_once_for_all_of_them(page: Page):
    box = watched_box(page)
    words = Held(page, FIRST_ANSWERS)
    box.press("i")
    words.wait("i")
    box.press_sequentially("va general", delay=5)
    page.wait_for_timeout(300)
    assert words.questions() == ["i"]
    with page.expect_request(re.compile(FIRST_ANSWERS)) as waiting:
        words.release()
    assert asked_in(waiting.value.url)["q"] == "iva general"
    page.wait_for_url("**/?q=iva+general")
    assert page.evaluate("window.swapped.every(([asked, box]) => asked === box)")


def test_an_answer_that_comes_after_more_was_typed_is_dropped(page: Page):
    box = watched_box(page)
    words = Held(page, FIRST_ANSWERS)
    box.press_sequentially("recargo", delay=5)
    words.wait("r")
    box.press_sequentially(" fuera de plazo", delay=5)
    words.release()
    page.wait_for_url("**/?q=recargo+fuera+de+plazo")
    expect(page.locator("#results .badge.mode")).to_have_text("híbrido")
    assert {question for question, _ in page.evaluate("window.swapped")} == {"recargo fuera de plazo"}


def test_a_list_that_is_pointed_at_is_not_pulled_away(page: Page):
    page.goto("/")
    fused = Held(page, FOLLOW_UPS)
    page.locator("#q").press_sequentially(QUESTION, delay=5)
    fused.wait(QUESTION)
    expect(page.locator("#results .badge.mode")).to_have_text("léxico")
    page.locator("#results .hit").nth(1).hover()
    fused.release()
    offered = page.locator("a.waiting")
    expect(offered).to_be_visible()
    expect(page.locator("#results .badge.mode")).to_have_text("léxico")
    offered.click()
    expect(page.locator("#results .badge.mode")).to_have_text("híbrido")


def test_the_focused_hit_stays_where_it_is_when_the_fused_list_comes(page: Page):
    page.goto("/")
    fused = Held(page, FOLLOW_UPS)
    page.locator("#q").press_sequentially(QUESTION, delay=5)
    fused.wait(QUESTION)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    focused = page.locator(".hit h3 a").nth(1)
    before, box = shown_list(page), focused.bounding_box()
    fused.release()
    expect(page.locator("a.waiting")).to_be_visible()
    expect(page.locator("#announcement")).to_have_text("Ver la lista completa, también por significado")
    expect(focused).to_be_focused()
    assert (shown_list(page), focused.bounding_box()) == (before, box)


def test_a_pointer_that_rests_on_a_slow_list_keeps_its_hit(page: Page):
    page.goto("/")
    page.mouse.move(300, 500)
    fused = Held(page, FOLLOW_UPS)
    page.locator("#q").press_sequentially(QUESTION, delay=5)
    fused.wait(QUESTION)
    page.wait_for_timeout(700)
    expect(page.locator("#results .hits:hover")).to_be_visible()
    before = shown_list(page)
    fused.release()
    expect(page.locator("a.waiting")).to_be_visible()
    assert shown_list(page) == before


def test_br_66_submitting_moves_to_the_results_heading(page: Page):
    page.goto("/")
    page.locator("#q").fill(QUESTION)
    page.locator("#q").press("Enter")
    expect(page.locator("#results-heading")).to_be_focused()


def test_a_citation_goes_on_to_its_page_on_enter(page: Page):
    page.goto("/")
    page.locator("#q").press_sequentially("art. 11 Ley 990/2019", delay=10)
    expect(page.locator("#results .hit")).to_have_count(1)
    page.locator("#q").press("Enter")
    page.wait_for_url("**/ley-990-2019:art-11")
    expect(page.locator("h1")).to_contain_text("Artículo 11")


def test_filters_and_pages_keep_the_question(page: Page):
    ask(page)
    page.locator(".facet").first.click()
    expect(page.locator(".chip")).to_have_count(1)
    page.locator("#include-repealed").check()
    expect(page.locator(".chip")).to_have_count(2)
    expect(page).to_have_url(re.compile("include_repealed=true"))
    page.locator(".chip").first.click()
    expect(page.locator(".chip")).to_have_count(1)
    first = page.locator(".hit h3").first.inner_text()
    page.get_by_role("link", name="Siguientes").click()
    expect(page.locator(".hit h3").first).not_to_have_text(first)
    expect(page.locator("#results-heading")).to_be_focused()
    expect(page.locator("#q")).to_have_value(QUESTION)


def asked_in(address: str) -> dict[str, str]:
    """Give what an address asks."""
    return dict(parse_qsl(urlsplit(address).query))


def test_filters_day_order_and_page_keep_each_other_and_the_shared_address_gives_the_same(page: Page):
    ask(page)
    page.locator("#sort").select_option("newest")
    page.wait_for_url("**sort=newest**")
    page.locator("#include-repealed").check()
    page.wait_for_url("**include_repealed=true**")
    page.locator("#as-of").fill("2025-06-01")
    page.get_by_role("button", name="Aplicar").click()
    page.wait_for_url("**as_of=2025-06-01**")
    page.locator(".facet").first.click()
    expect(page.locator(".chip")).to_have_count(3)
    page.get_by_role("link", name="Siguientes").click()
    page.wait_for_url("**offset=10**")
    told = asked_in(page.url)
    law = told.pop("law")
    assert told == {
        "q": QUESTION, "sort": "newest", "include_repealed": "true", "as_of": "2025-06-01", "offset": "10",
    }  # fmt: skip
    shared, found, chips = page.locator(".share").get_attribute("data-copy"), shown_list(page), page.locator(".chip")
    assert shared == page.url
    names = chips.all_inner_texts()
    page.goto("/")
    page.goto(shared)
    assert (shown_list(page), chips.all_inner_texts()) == (found, names)
    expect(page.locator("#sort")).to_have_value("newest")
    expect(page.locator("#as-of")).to_have_value("2025-06-01")
    expect(page.locator("#include-repealed")).to_be_checked()
    page.locator(".chip", has_text="01/06/2025").click()
    expect(chips).to_have_count(2)
    assert asked_in(page.url) == {"q": QUESTION, "sort": "newest", "include_repealed": "true", "law": law}
    expect(page.locator("#results-heading")).to_be_focused()  # which would take the box's focus if it came later
    page.mouse.move(0, 0)  # a list that comes under the pointer is not pulled away
    page.locator("#q").select_text()
    page.keyboard.type("cuota", delay=15)
    page.wait_for_url("**q=cuota**")
    assert asked_in(page.url) == {"q": "cuota", "sort": "newest", "include_repealed": "true", "law": law}


@pytest.mark.parametrize("path", ["/ley-990-2019:art-11", "/ley-990-2019:art-11@2023-01-01", "/ley-990-2019"])
def test_a_text_is_read_on_another_day_without_javascript(plain_page: Page, path: str):
    plain_page.goto(path)
    plain_page.get_by_label("Texto vigente el día").fill("2020-01-01")
    plain_page.get_by_role("button", name="Ver", exact=True).click()
    expect(plain_page).to_have_url(re.compile(re.escape(f"{path.partition('@')[0]}?as_of=2020-01-01") + "$"))
    expect(plain_page.locator(".notice.past").first).to_be_visible()


def test_a_day_is_applied_with_its_button(page: Page):
    ask(page)
    page.locator("#as-of").fill("2020-01-01")
    page.get_by_role("button", name="Aplicar").click()
    expect(page.locator(".chip")).to_have_text(re.compile("01/01/2020"))
    expect(page).to_have_url(re.compile("as_of=2020-01-01"))


# Keyboard


def test_the_whole_flow_by_keyboard(page: Page):
    page.goto("/coverage")
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.goto("/")
    page.keyboard.press("/")
    type_in(page)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".hit h3 a").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    second = page.locator(".hit h3 a").nth(1)
    expect(second).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#q")).to_have_value("")
    expect(page.locator("#held")).to_be_visible()
    type_in(page)
    target = page.locator(".hit h3 a").first.get_attribute("href")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{target}")


def test_the_first_tab_skips_to_the_content(page: Page):
    page.goto("/ley-990-2019:art-11")
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


# History


def test_br_64_back_and_forward_give_whole_pages(page: Page):
    ask(page)
    page.locator("#q").fill("tarifa reducida")
    page.wait_for_url("**/?q=tarifa+reducida")
    opened = page.locator(".hit h3 a").first
    target = opened.get_attribute("href")
    opened.click()
    page.wait_for_url(f"**{target}")
    for expected in ("tarifa reducida", QUESTION):
        with page.expect_event("load"):  # htmx keeps no page: it loads again what is gone back to
            page.evaluate("void setTimeout(() => history.back())")
        expect(page.locator("#q")).to_have_value(expected)
        expect(page.locator("header .brand")).to_be_visible()
        expect(page.locator("#results .hit").first).to_be_visible()
    with page.expect_event("load"):
        page.evaluate("void setTimeout(() => history.forward())")
    expect(page.locator("#q")).to_have_value("tarifa reducida")
    expect(page.locator("header .brand")).to_be_visible()


def test_back_leads_past_the_beginnings_of_a_question_to_what_was_there_before(page: Page):
    page.goto("/")
    before = page.evaluate("history.length")
    page.locator("#q").focus()
    for typed, shown in (
        ("recargo", "recargo"),
        ("s fuera", "recargos+fuera"),
        (" de plazo", "recargos+fuera+de+plazo"),
    ):
        page.keyboard.type(typed)
        page.wait_for_url(f"**/?q={shown}")
        expect(page.locator("#results .badge.mode")).to_have_text("híbrido")
    assert page.evaluate("history.length") == before + 1
    page.keyboard.press("Enter")
    expect(page.locator("#results-heading")).to_be_focused()
    page.locator("#q").press("End")
    page.keyboard.type(" declarado")
    page.wait_for_url("**declarado")
    for address in (f"/?q={quote_plus('recargos fuera de plazo')}", "/"):
        with page.expect_event("load"):  # htmx keeps no page: it loads again what is gone back to
            page.evaluate("void setTimeout(() => history.back())")
        page.wait_for_url(f"**{address}")
        expect(page.locator(".brand")).to_be_visible()


def test_who_goes_back_while_a_page_still_loads_sees_what_the_address_says(page: Page):
    ask(page)
    page.locator("#q").fill("tarifa reducida")
    page.wait_for_url("**/?q=tarifa+reducida")
    library = Held(page, r"/htmx[^/]*\.js$")
    page.reload(wait_until="commit")
    expect(page.locator("#q")).to_have_value("tarifa reducida")
    page.evaluate("void setTimeout(() => history.back())")
    expect(page).to_have_url(re.compile(re.escape(f"/?q={quote_plus(QUESTION)}") + "$"))
    library.release()
    expect(page.locator("#q")).to_have_value(QUESTION)
    page.wait_for_load_state()
    expect(page.locator(".share")).to_have_attribute("data-copy", page.url)


@pytest.mark.parametrize("path", ["/?q=recargo", "/?q=%27iva%27+(a)+ñ&sort=newest#filters", "/?q=a%2Fb"])
def test_a_page_that_is_where_it_says_is_loaded_once(page: Page, path: str):
    page.goto(path)
    page.evaluate("history.replaceState({htmx: true}, '')")  # as the history has what was swapped in
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url) if request.is_navigation_request() else None)
    page.reload(wait_until="networkidle")
    assert len(loaded) == 1


# Copying


def test_citation_and_text_are_copied_exactly(page: Page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/ley-990-2019:art-8")
    page.get_by_role("button", name="Copiar la cita ley-990-2019:art-8").click()
    expect(page.locator("#announcement")).to_have_text("Copiado")
    assert page.evaluate("navigator.clipboard.readText()") == "ley-990-2019:art-8"
    page.get_by_role("button", name="Copiar el texto con su fuente").click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text.includes('redacción vigente'))")
    copied = page.evaluate("navigator.clipboard.readText()")
    verbatim = page.request.get("/api/v1/citations/ley-990-2019:art-8").json()["text"]
    assert copied.startswith(f"«{verbatim}»\n\nart. 8 de la Ley 990/2019, de 14 de marzo, ")
    assert re.search(r"redacción vigente de.*\d{4}\.\n.*/ley-990-2019:art-8@\d{4}-\d\d-\d\d$", copied)


@pytest.mark.parametrize("path", ["/ley-990-2019", "/ley-990-2019:art-8"])
def test_every_form_of_citing_is_copied(page: Page, path: str):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(path)
    page.locator(".forms summary").click()
    for line in page.locator(".forms dd").all():
        line.get_by_role("button").click()
        form = line.locator(".form").inner_text()
        page.wait_for_function("(form) => navigator.clipboard.readText().then((text) => text === form)", arg=form)


def test_the_address_of_an_answer_is_shared(page: Page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page)
    page.get_by_role("button", name="Copiar enlace").click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text === location.href)")


# Recent searches


def test_recent_searches_are_kept_here_until_cleared_or_unwanted(page: Page):
    page.goto("/")
    expect(page.locator("#recent")).to_be_hidden()
    page.locator("#q").fill(QUESTION)
    page.locator("#q").press("Enter")
    expect(page.locator("#results-heading")).to_be_focused()
    page.goto("/?q=tarifa+reducida")
    page.goto("/")
    kept = page.locator("#recent li")
    expect(kept).to_have_text(["tarifa reducida", QUESTION])
    with page.expect_event("load"):
        kept.nth(1).get_by_role("link").click()
    expect(page.locator("#q")).to_have_value(QUESTION)
    page.locator("#q").press("Escape")
    expect(kept).to_have_text([QUESTION, "tarifa reducida"])
    page.get_by_role("button", name="Borrarlas").click()
    expect(page.locator("#recent")).to_be_hidden()
    page.goto("/?q=tarifa+reducida")
    page.goto("/")
    page.get_by_role("button", name="Guardar las búsquedas").click()
    expect(page.get_by_role("button", name="Guardar las búsquedas")).to_have_attribute("aria-pressed", "false")
    page.goto("/?q=tarifa+reducida")
    page.goto("/")
    expect(kept).to_have_count(0)
    assert page.context.cookies() == []


def test_a_kept_search_leads_nowhere_else(page: Page):
    page.goto("/")
    page.evaluate(
        """localStorage.setItem("recent-searches", JSON.stringify({searches: [
            {q: "<b>x</b>", url: "/?q=x"}, {q: "y", url: "javascript:alert(1)"}, {q: "z", url: "https://example.org/"}]}))"""
    )
    page.reload()
    expect(page.locator("#recent li")).to_have_text(["<b>x</b>"])


# Explaining


def test_a_hit_explains_itself_where_it_stands(page: Page):
    ask(page)
    address = page.url
    for place in (0, 1):
        hit = page.locator(".hit").nth(place)
        hit.locator(".why summary").click()
        expect(hit.locator(".why-told dd").first).to_have_text(str(place + 1))
    assert page.url == address
    found = Axe().run(page)
    assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found.response["violations"]] == []


def test_a_hit_explains_itself_without_javascript(plain_page: Page):
    plain_page.goto("/?q=recargos+fuera+de+plazo")
    plain_page.locator(".hit .why summary").first.click()
    plain_page.get_by_role("link", name="Ver la explicación").first.click()
    expect(plain_page.locator(".why-told")).to_contain_text("Puesto en la respuesta")


# Without JavaScript


def test_everything_works_without_javascript(plain_page: Page):
    page = plain_page
    page.goto("/")
    page.locator("#q").fill(QUESTION)
    page.get_by_role("button", name="Buscar").click()
    shows_ten_hits(page)
    page.get_by_role("link", name="Siguientes").click()
    page.wait_for_url("**offset=10**")
    page.locator(".facet").first.click()
    page.wait_for_url("**law=**")
    page.locator("#as-of").fill("2024-01-01")
    page.locator("#include-repealed").check()
    page.get_by_role("button", name="Aplicar").click()
    page.wait_for_url(re.compile("law=.*as_of=2024-01-01.*include_repealed=true|as_of=2024-01-01.*law="))
    page.locator(".hit h3 a").first.click()
    expect(page.locator(".law-text")).to_be_visible()
    page.locator("#q").fill("art. 5 Ley 990/2019")
    page.get_by_role("button", name="Buscar").click()
    page.wait_for_url("**/ley-990-2019:art-5")
    page.get_by_text("Citar y enlazar").click()
    expect(page.locator(".forms .form").nth(1)).to_contain_text("art. 5 de la Ley 990/2019")
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page).to_have_url(re.compile("/ley-990-2019:art-5$"))


# Policy, accessibility, weight


@pytest.mark.parametrize("name", PAGES)
def test_no_page_has_an_accessibility_fault(page: Page, name: str):
    open_page(page, name)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page)
        assert [(fault["id"], fault["nodes"][0]["html"]) for fault in found.response["violations"]] == [], scheme


@pytest.mark.parametrize(
    "name",
    [
        "home", "results", "law", "history", "provision", "old version", "repealed", "diff", "verified", "coverage",
        "no such provision", "why", "cited by", "verify", "candidates", "no results",
    ],
)  # fmt: skip
def test_who_wants_more_contrast_reads_at_seven_to_one(page: Page, name: str):
    open_page(page, name)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, contrast="more", reduced_motion="reduce")
        found = Axe().run(page, options={"runOnly": ["color-contrast-enhanced"]})
        assert [fault["html"] for one in found.response["violations"] for fault in one["nodes"]] == [], scheme


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_a_field_is_for_is_legible(page: Page, scheme: Literal["light", "dark"]):
    page.emulate_media(color_scheme=scheme)
    page.goto(PAGES["coverage"])
    ratio = page.locator("#name").evaluate(
        """(field) => {
            const luminance = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((one) => one / 255)
                .map((one) => (one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
                .reduce((sum, one, at) => sum + one * [0.2126, 0.7152, 0.0722][at], 0);
            const colours = [getComputedStyle(field, "::placeholder").color, getComputedStyle(field).backgroundColor];
            const [dark, light] = colours.map(luminance).sort((one, other) => one - other);
            return (light + 0.05) / (dark + 0.05);
        }"""
    )
    assert ratio >= 4.5


def test_a_printed_list_says_what_was_asked_and_what_can_be_pressed_is_gone(page: Page):
    page.goto(PAGES["results"])
    page.emulate_media(media="print")
    expect(page.locator("#q")).to_be_visible()
    expect(page.locator("#q")).to_have_value("recargos fuera de plazo")
    expect(page.locator("button:visible, .filters:visible, .why:visible")).to_have_count(0)


@pytest.mark.parametrize("name", ["typed", "law", "provision", "diff", "verified"])
def test_who_wants_no_motion_sees_none(page: Page, name: str):
    page.emulate_media(reduced_motion="reduce")
    if name == "typed":
        ask(page)
    else:
        open_page(page, name)
    moving = page.evaluate(
        """() => [...document.querySelectorAll("*")].filter((element) => {
            const style = getComputedStyle(element);
            return style.animationName !== "none" || style.transitionDuration.split(", ").some((one) => one !== "0s");
        }).map((element) => element.outerHTML.slice(0, 100))"""
    )
    assert moving == []
    expect(page.locator("html")).not_to_have_css("scroll-behavior", "smooth")


def test_forced_colours_leave_borders_and_the_focus_to_be_seen(page: Page):
    page.emulate_media(forced_colors="active")
    page.goto(PAGES["results"])
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator(".search-box")).to_have_css("outline-style", "solid")
    expect(page.locator("#search .button")).to_have_css("border-top-style", "solid")
    expect(page.locator("#results .badge").first).to_have_css("border-top-style", "solid")


@pytest.mark.parametrize(
    ("name", "selector", "style", "value"),
    [
        ("law", ".head-facts .badge", "border-top-style", "solid"),
        ("old version", ".head-facts .badge", "border-top-style", "solid"),
        ("old version", ".notice", "border-top-style", "solid"),
        ("old version", ".law-text", "border-left-width", "4px"),
        ("repealed", ".notice", "border-top-style", "solid"),
        ("diff", ".diff-text .gone", "text-decoration-line", "line-through"),
        ("diff", ".diff-text .come", "text-decoration-line", "underline"),
        ("verified", ".checked-text .cites", "border-bottom-style", "solid"),
        ("verified", ".checked-text .quoted", "border-bottom-style", "dashed"),
        ("verified", ".checked-text .bad", "text-decoration-style", "wavy"),
        ("verified", ".listing .verdict", "border-top-style", "solid"),
    ],
)
def test_forced_colours_leave_what_colours_say(page: Page, name: str, selector: str, style: str, value: str):
    page.emulate_media(forced_colors="active")
    open_page(page, name)
    expect(page.locator(selector).first).to_have_css(style, value)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_fits_a_narrow_screen(page: Page, name: str):
    page.set_viewport_size({"width": 320, "height": 640})
    open_page(page, name)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize(
    "name", ["coverage", "results", "law", "provision", "history", "diff", "why", "candidates", "cited by", "verified"]
)
def test_the_longest_title_does_not_widen_a_page(page: Page, name: str):
    page.set_viewport_size({"width": 320, "height": 640})
    open_page(page, name)
    changed = page.evaluate(
        """(title) => {
            const places = "h1, .of-law, .of-law a, .hit-law, .hit h3 a, .listing th a, .listing td a, .crumbs a,"
                + ".crumbs li, .facet span:first-child, .timeline a, .candidates a, .candidates span, .cited-lines a,"
                + ".why-told a";
            const found = [...document.querySelectorAll(places)].filter((one) => !one.children.length);
            for (const one of found) one.textContent = title;
            return found.length;
        }""",
        "Ley " + "por la que se aprueba el texto refundido de las leyes " * 8 + "a" * 150,
    )
    assert changed
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("name", PAGES)
def test_targets_are_large_enough_to_hit(page: Page, name: str):
    open_page(page, name)
    small = page.evaluate(
        """() => [...document.querySelectorAll("button, input:not([type=hidden], [type=checkbox]), select, .facet")]
            .filter((element) => element.offsetParent)
            .map((element) => [element.getBoundingClientRect(), element.outerHTML])
            .filter(([box]) => box.height < 24 || box.width < 24)
            .map(([, html]) => html)"""
    )
    assert small == []


@pytest.mark.parametrize("name", ["home", "results", "law", "provision"])
def test_pages_are_light_and_stand_still(browser: Browser, site: str, name: str):
    context = browser.new_context(base_url=site, locale="es-ES")
    page = context.new_page()
    page.add_init_script(
        """window.shifted = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => (window.shifted += entry.value)))
          .observe({type: "layout-shift", buffered: true});"""
    )
    page.goto(PAGES[name], wait_until="networkidle")
    entries = page.evaluate(
        """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
            .map((entry) => [entry.name, entry.transferSize])"""
    )
    assert sum(size for _, size in entries) < 60_000, entries
    assert page.evaluate("window.shifted") < 0.01
    assert all(address.startswith(site) for address, _ in entries)
    context.close()


def test_br_65_the_policy_forbids_what_is_inline_or_foreign(page: Page):
    answer = page.goto("/")
    assert answer
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "nonce" not in policy

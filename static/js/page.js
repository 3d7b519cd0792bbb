// Keyboard, copy buttons and focus. Every page works without this file.
"use strict";

const root = document.documentElement;
const query = () => document.getElementById("q");
const results = () => document.getElementById("results");
root.classList.add("js");

function announce(text) {
  const region = document.getElementById("announcement");
  region.textContent = "";
  requestAnimationFrame(() => (region.textContent = text));
}

// Copying: a line of text to a line, cells apart
function verbatim(element) {
  const lines = [...element.querySelectorAll("p:not(.lead-in), tr")];
  return lines
    .map((line) => (line.cells ? [...line.cells].map((cell) => cell.textContent).join("\t") : line.textContent))
    .join("\n");
}

async function copy(button) {
  const region = document.getElementById("announcement");
  const source = button.dataset.copyText && document.getElementById(button.dataset.copyText);
  try {
    await navigator.clipboard.writeText(source ? `«${verbatim(source)}»\n\n${button.dataset.copy}` : button.dataset.copy);
  } catch {
    announce(region.dataset.failed);
    return;
  }
  announce(region.dataset.copied);
  button.classList.add("copied");
  setTimeout(() => button.classList.remove("copied"), 1500);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});

// A text file dropped on the form that checks texts is as one chosen there
function holdsFiles(event) {
  return event.target instanceof Element && event.target.closest(".check-form") && event.dataTransfer?.types.includes("Files");
}

document.addEventListener("dragover", (event) => {
  if (holdsFiles(event)) event.preventDefault();
});
document.addEventListener("drop", (event) => {
  if (!holdsFiles(event)) return;
  event.preventDefault();
  const [file] = event.dataTransfer.files;
  if (!file) return;
  const chosen = new DataTransfer();
  chosen.items.add(file);
  const field = document.getElementById("file");
  field.files = chosen.files;
  field.focus();
  announce(file.name);
});

// Keyboard: "/" goes to the box, arrows walk the results, Escape clears
function isTyping(element) {
  return element.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(element.tagName);
}

function walk(step) {
  const links = [...document.querySelectorAll("#results .go, #results .hit h3 a")];
  const at = links.indexOf(document.activeElement);
  if (!links.length || (at < 0 && document.activeElement !== query())) return false;
  const next = at < 0 ? (step > 0 ? 0 : -1) : at + step;
  const target = next < 0 ? query() : links[Math.min(next, links.length - 1)];
  target.focus();
  return true;
}

const keys = {
  "/": (event) => {
    if (isTyping(event.target) || !query()) return false;
    query().focus();
    query().select();
    return true;
  },
  ArrowDown: () => walk(1),
  ArrowUp: (event) => event.target !== query() && walk(-1),
  Escape: (event) => {
    if (!results() || !(event.target === query() || results().contains(event.target))) return false;
    if (event.target === query() && query().value) {
      query().value = "";
      query().dispatchEvent(new Event("input", { bubbles: true }));
    }
    query().focus();
    return true;
  },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (keys[event.key]?.(event)) event.preventDefault();
});

// Recent searches: this browser alone keeps them, until they are cleared or the reader wants none kept
const RECENT = "recent-searches";
const MOST_RECENT = 8;

function recent() {
  try {
    const held = JSON.parse(localStorage.getItem(RECENT)) ?? {};
    const searches = Array.isArray(held.searches) ? held.searches : [];
    return { isKept: held.isKept !== false, searches: searches.filter(({ q, url }) => q && String(url).startsWith("/")) };
  } catch {
    return null;
  }
}

function keepRecent(state) {
  try {
    localStorage.setItem(RECENT, JSON.stringify(state));
  } catch {
    return;
  }
  showRecent();
}

function noteSearch(q, url) {
  const state = recent();
  if (!state?.isKept || !q.trim()) return;
  const others = state.searches.filter((one) => one.q !== q);
  keepRecent({ isKept: true, searches: [{ q, url }, ...others].slice(0, MOST_RECENT) });
}

function noteShown() {
  if (query()?.value && document.getElementById("results-heading")) {
    noteSearch(query().value, location.pathname + location.search);
  }
}

function showRecent() {
  const section = document.getElementById("recent");
  const state = recent();
  if (!section || !state) return;
  section.querySelector("ul").replaceChildren(
    ...state.searches.map(({ q, url }) => {
      const item = document.createElement("li");
      const link = item.appendChild(document.createElement("a"));
      link.href = url;
      link.textContent = q;
      return item;
    }),
  );
  document.getElementById("recent-kept").setAttribute("aria-pressed", String(state.isKept));
  section.hidden = state.isKept && !state.searches.length;
}

document.addEventListener("click", ({ target }) => {
  if (target.id === "recent-clear") keepRecent({ ...recent(), searches: [] });
  else if (target.id === "recent-kept") keepRecent({ isKept: target.ariaPressed !== "true", searches: [] });
  else if (target.closest("#results .hit a")) noteShown();
});
document.addEventListener("submit", ({ target }) => {
  const asked = new FormData(target);
  if (!asked.get("q") || target.method !== "get") return;
  const said = [...asked].filter(([, value]) => value && value !== "relevance");
  noteSearch(asked.get("q"), `${new URL(target.action).pathname}?${new URLSearchParams(said)}`);
});
document.addEventListener("htmx:afterSettle", showRecent);
noteShown();
showRecent();

// Swaps: only the newest answer counts, and none to what the box no longer says; a list that somebody is reading or
// pointing at is not pulled away
const AIMING_MILLISECONDS = 600;
let newest = 0;
let shownAt = 0;
let isInUse = false;
let isSubmitted = false;
let beingTyped = "";

// While the event is on its way down: htmx asks as soon as it arrives, and its request is newer than what was shown.
document.addEventListener(
  "input",
  ({ target }) => {
    isInUse = false;
    isSubmitted = false;
    if (target !== query()) return;
    newest += 1;
    document.querySelector("[data-follow-up]")?.remove();
  },
  { capture: true },
);
document.addEventListener("submit", () => {
  isSubmitted = true;
  beingTyped = "";
});
document.addEventListener("pointermove", (event) => {
  if (event.target instanceof Element && event.target.closest("#results .hits")) isInUse = true;
});

// What was typed just before it was submitted needs no answer of its own.
document.addEventListener("htmx:confirm", (event) => {
  if (event.detail.elt === query() && isSubmitted) event.preventDefault();
});

// Back leads to the question before, not through the beginnings of this one: what is typed on takes the entry over.
function goesOnFrom(before, now) {
  let alike = 0;
  while (alike < before.length && before[alike] === now[alike]) alike += 1;
  return 2 * alike >= Math.min(before.length, now.length) && alike > 0;
}

// Who goes back again while a page still loads is where htmx, not listening yet, would leave that page standing.
document.addEventListener("DOMContentLoaded", () => {
  const [came] = performance.getEntriesByType("navigation");
  const address = ({ origin, pathname, search }) => origin + pathname + search;
  if (results() && history.state?.htmx && came && address(new URL(came.name)) !== address(location)) location.reload();
});

document.addEventListener("htmx:beforeHistoryUpdate", (event) => {
  if (event.detail.target !== results()) return;
  const asked = isSubmitted ? "" : query().value;
  if (goesOnFrom(beingTyped, asked)) event.detail.history.type = "replace";
  beingTyped = asked;
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target !== results()) return;
  event.detail.xhr.place = ++newest;
  if (event.detail.requestConfig.triggeringEvent?.type === "click") isSubmitted = true;
});

// A pointer that rests on a list which has just come was not brought there to choose from it.
function isAimedAt(list) {
  if (isInUse || list.contains(document.activeElement)) return true;
  return Boolean(list.querySelector(".hits:hover")) && performance.now() - shownAt > AIMING_MILLISECONDS;
}

function offer(link) {
  results().querySelector(".pending")?.classList.add("over");
  link.removeAttribute("hidden");
  announce(link.textContent);
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target !== results()) return;
  const asker = event.detail.requestConfig.elt;
  if (event.detail.xhr.place !== newest) event.detail.shouldSwap = false;
  else if (asker.hasAttribute("data-follow-up") && isAimedAt(results())) {
    event.detail.shouldSwap = false;
    offer(asker.querySelector("a"));
  }
});

// Submitting, a filter or a page moves on to the results.
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target !== results()) return;
  shownAt = performance.now();
  if (isSubmitted) document.getElementById("results-heading")?.focus();
});

for (const failure of ["htmx:sendError", "htmx:responseError"]) {
  document.addEventListener(failure, () => announce(document.getElementById("announcement").dataset.offline));
}

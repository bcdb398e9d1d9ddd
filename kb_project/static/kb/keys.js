// Single keys, on every page: what has `data-key` is pressed, or has the focus if it is typed in. Off while typing, with a
// modifier, while a dialog is open, and for whoever has switched them off in the list that `?` opens.
"use strict";

const kbKeys = (() => {
  const KEYS_ON = "kb-keys";
  const TYPED = new Set(["text", "date", "search", "email", "url", "number", "password"]);
  const PLACES = {
    steps: "main :is(.hits h3 > a, .list .t, .citing > li > a, tbody th[scope=row] > a:first-of-type, [data-step])",
    search: "#search-box, [data-key='/'], .site-search :is(input, button)",
    back: ".crumbs a:last-of-type",
    changes: ".change[id]",
  };
  const isOn = () => localStorage.getItem(KEYS_ON) !== "off";
  const told = document.getElementById("keys");
  const toggle = told.querySelector("[data-keys-on]");
  toggle.addEventListener("change", () => localStorage.setItem(KEYS_ON, toggle.checked ? "on" : "off"));

  // Only what works here is told. A key that the page itself has comes before that of every page.
  function tell() {
    toggle.checked = isOn();
    const said = new Set();
    for (const row of told.querySelectorAll("[data-works]")) {
      const { works } = row.dataset;
      const keys = row.querySelector("dt").textContent;
      row.hidden = said.has(keys) || !document.querySelector(PLACES[works] || works);
      if (!row.hidden) said.add(keys);
    }
    if (!told.open) told.showModal();
  }
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-opens=keys]")) tell();
  }, true);

  function isTyped(element) {
    if (!element) return false;
    return element.tagName === "TEXTAREA" || element.tagName === "SELECT" || element.isContentEditable
      || (element.tagName === "INPUT" && TYPED.has(element.type));
  }

  // On a Hebrew layout the key named j gives another letter: then its place on the keyboard counts.
  function keyOf(event) {
    if (/^[a-z0-9?/]$/i.test(event.key)) return event.key.toLowerCase();
    if (event.code === "Slash") return event.shiftKey ? "?" : "/";
    const place = /^(?:Key([A-Z])|Digit([0-9])|Numpad([0-9]))$/.exec(event.code);
    return place ? (place[1] || place[2] || place[3]).toLowerCase() : event.key;
  }

  function press(key) {
    const action = document.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
    if (action && isTyped(action)) {
      action.focus();
      action.select?.();
    } else if (action) action.click();
    return Boolean(action);
  }

  // --- lists -------------------------------------------------------------------------------------------------------
  const isShown = (element) => element.offsetParent !== null;
  const boxIn = (row, which = "") => row?.querySelector(`.tick input${which}`);

  function step(by, extends_) {
    const stops = [...document.querySelectorAll(PLACES.steps)].filter(isShown);
    const row = document.activeElement.closest("tbody tr, main li");
    const here = stops.findIndex((stop) => stop === document.activeElement || row?.contains(stop));
    const next = stops[here < 0 ? (by > 0 ? 0 : stops.length - 1) : here + by];
    if (!next) return stops.length > 0;
    next.focus();
    if (extends_) {
      for (const one of [row, next.closest("tr")]) boxIn(one, ":not(:checked, [data-alone])")?.click();
    }
    return true;
  }

  function turn(by) {
    const changes = [...document.querySelectorAll(PLACES.changes)];
    const focused = changes.findIndex((one) => one.contains(document.activeElement));
    const here = focused < 0 ? changes.findLastIndex((one) => one.getBoundingClientRect().top < 0) : focused;
    const next = changes[here + by];
    if (!next) return false;
    next.tabIndex = -1;
    next.scrollIntoView();
    next.focus({ preventScroll: true });
    return true;
  }

  const ofEveryPage = {
    "?": () => { tell(); return true; },
    "/": () => {
      const box = [...document.querySelectorAll(PLACES.search)].find(isShown);
      box?.focus();
      box?.select?.();
      return Boolean(box);
    },
    j: ({ shiftKey }) => step(1, shiftKey),
    k: ({ shiftKey }) => step(-1, shiftKey),
    n: ({ shiftKey }) => turn(shiftKey ? -1 : 1),
    a: () => { const all = document.querySelector("[data-all]:not(:disabled)"); all?.click(); return Boolean(all); },
    u: () => {
      const back = document.querySelector("[data-results]:not([hidden])") || document.querySelector(PLACES.back);
      back?.click();
      return Boolean(back);
    },
    e: ({ target }) => {
      const edit = target.closest("tbody tr, main li")?.querySelector("[data-edit]");
      edit?.click();
      return Boolean(edit);
    },
    " ": ({ target }) => {
      const box = !target.matches("input, button, summary") && boxIn(target.closest("tbody tr"));
      if (box) box.click();
      return Boolean(box);
    },
  };

  // `handle` is given the key and the event, and says whether it did something with it.
  let handle = () => false;
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      press("Ctrl+Enter");
    }
    if (event.key === "Escape" && isTyped(event.target)) return void event.target.blur();
    if (event.ctrlKey || event.altKey || event.metaKey || isTyped(event.target)) return;
    const key = keyOf(event);
    if (!isOn() && key !== "?") return;
    if (handle(key, event) || press(key) || (ofEveryPage[key] || (() => false))(event)) event.preventDefault();
  });

  return { listen: (own) => { handle = own; } };
})();

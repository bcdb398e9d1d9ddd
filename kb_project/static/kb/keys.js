// Single keys of the pages of review and library: what has `data-key` is pressed, or has the focus if it is typed in. Off while
// typing, with a modifier, while a dialog is open, and for whoever has switched them off there.
"use strict";

const kbKeys = (() => {
  const KEYS_ON = "kb-keys";
  const TYPED = new Set(["text", "date", "search", "email", "url", "number", "password"]);
  const toggle = document.querySelector("[data-keys-on]");
  toggle.checked = localStorage.getItem(KEYS_ON) !== "off";
  toggle.addEventListener("change", () => localStorage.setItem(KEYS_ON, toggle.checked ? "on" : "off"));

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
    if (action && isTyped(action)) action.focus();
    else if (action) action.click();
    return Boolean(action);
  }

  // `handle` is given the key and the event, and says whether it did something with it.
  function listen(handle) {
    document.addEventListener("keydown", (event) => {
      if (event.isComposing || event.defaultPrevented || document.querySelector("dialog[open]")) return;
      if (event.key === "Escape" && isTyped(event.target)) return void event.target.blur();
      if (event.ctrlKey || event.altKey || event.metaKey || isTyped(event.target)) return;
      const key = keyOf(event);
      if (!toggle.checked && key !== "?") return;
      if (handle(key, event) || press(key)) event.preventDefault();
    });
  }

  return { listen };
})();

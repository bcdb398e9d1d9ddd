// A box that offers choices as one types: the ARIA pattern of a combobox with a list of options.
// https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
// The box names its list in `aria-controls`. Boxes may come and go with parts of the page.
"use strict";

(() => {
  const WAIT_MS = 150; // after a key, for the next one
  const kinds = []; // {selector, fill, take, …} of each use
  const states = new WeakMap(); // of boxes: what is under way, and whether the arrows were used since the last key

  const kindOf = (input) => kinds.find(({ selector }) => input.matches && input.matches(selector));
  const listOf = (input) => document.getElementById(input.getAttribute("aria-controls"));
  const options = (input) => [...listOf(input).querySelectorAll('[role="option"]:not([aria-disabled])')];
  const active = (input) => listOf(input).querySelector('[aria-selected="true"]');
  function stateOf(input) {
    if (!states.has(input)) states.set(input, { timer: 0, request: null, moved: false });
    return states.get(input);
  }

  function dress() {
    for (const { selector, dressed } of kinds) {
      for (const input of document.querySelectorAll(`:is(${selector}):not([role])`)) {
        for (const [name, value] of Object.entries({
          "role": "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
        })) input.setAttribute(name, value);
        dressed?.(input);
      }
    }
  }

  function stop(input) {
    const state = stateOf(input);
    clearTimeout(state.timer);
    state.request?.abort();
    state.request = null;
  }

  function close(input) {
    stop(input);
    listOf(input).hidden = true;
    listOf(input).replaceChildren();
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }

  function select(input, option) {
    for (const other of options(input)) other.setAttribute("aria-selected", String(other === option));
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  }

  async function ask(input) {
    const kind = kindOf(input);
    const state = stateOf(input);
    stop(input);
    const { signal } = (state.request = new AbortController());
    const content = await kind.fill(input, input.value.trim(), signal).catch(() => null);
    if (signal.aborted || document.activeElement !== input) return;
    const chosen = state.moved ? active(input) : null; // what the arrows reached outlasts an answer that came late
    const list = listOf(input);
    list.replaceChildren(...(content ? [content] : []));
    const found = options(input);
    list.hidden = !list.children.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    const again = chosen && found.find((option) => kind.same(option, chosen));
    select(input, again || kind.first?.(input, found) || null);
  }

  function take(input, option) {
    kindOf(input).take(input, option);
  }

  document.addEventListener("input", (event) => {
    const input = event.target;
    const kind = kindOf(input);
    if (!kind) return;
    kind.typed?.(input);
    const state = stateOf(input);
    state.moved = false;
    select(input, null); // what is listed is of what was typed before
    clearTimeout(state.timer);
    state.timer = setTimeout(() => ask(input), WAIT_MS);
  });
  document.addEventListener("keydown", (event) => {
    const input = event.target;
    const kind = kindOf(input);
    if (!kind || event.isComposing) return;
    const chosen = active(input);
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (listOf(input).hidden) return void ask(input);
      const stops = kind.leaves ? [null, ...options(input)] : options(input); // null: back in the box
      if (!stops.length) return;
      stateOf(input).moved = true;
      const at = stops.indexOf(chosen);
      const step = event.key === "ArrowDown" ? 1 : stops.length - 1 + (at < 0);
      select(input, stops[(at + step) % stops.length]);
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      if (chosen) {
        event.preventDefault();
        event.stopImmediatePropagation();
        take(input, chosen);
      } else if (kind.keeps?.(input)) event.preventDefault();
      else close(input);
    } else if (event.key === "Escape" && !listOf(input).hidden) {
      event.preventDefault();
      event.stopPropagation();
      close(input);
    }
  }, true);
  document.addEventListener("mousedown", (event) => {
    const option = event.target.closest('[role="listbox"] [role="option"]');
    const list = option && option.closest('[role="listbox"]');
    const input = list && document.querySelector(`[role="combobox"][aria-controls="${CSS.escape(list.id)}"]`);
    if (!input || !kindOf(input) || event.button) return;
    event.preventDefault(); // the box keeps the focus
    if (!option.hasAttribute("aria-disabled")) take(input, option);
  });
  document.addEventListener("focusout", (event) => {
    if (kindOf(event.target) && listOf(event.target)) close(event.target); // it may be on its way out of the page
  });
  document.addEventListener("htmx:afterSettle", dress);

  /**
   * Make comboboxes of what the selector finds, now and later. `fill(input, typed, signal)` resolves to the content of
   * the list, or to null; `take(input, option)` acts on a choice; `same(option, other)` knows a choice again. If given:
   * `dressed(input)` prepares a box, `typed(input)` hears of each change, `first(input, options)` is what is chosen
   * without an arrow, `keeps(input)` says that Enter without a choice does nothing, and `leaves` that arrows lead back
   * to the box.
   */
  window.kbCombobox = (selector, behaviour) => {
    kinds.push({ selector, ...behaviour });
    dress();
    return { ask, close };
  };
})();

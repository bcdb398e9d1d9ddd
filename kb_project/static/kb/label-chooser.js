// The label chooser: a combobox that finds existing labels as one types.
// In `data-label-chooser="many"` what is chosen becomes a chip, and creating a label is offered last; in "one" it is
// the single label that the form is about, and choosing it sends the form.
"use strict";

(() => {
  let timer = 0;
  let asked = 0;
  let moved = false; // by the arrows, since the last key that was typed

  const chooserOf = (element) => element.closest && element.closest("[data-label-chooser]");
  const boxOf = (element) => (element.matches && element.matches("[data-options]") && chooserOf(element) ? element : null);
  const many = (chooser) => chooser.dataset.labelChooser === "many";
  const listOf = (input) => document.getElementById(input.getAttribute("aria-controls"));
  const options = (input) => [...listOf(input).querySelectorAll('[role="option"]:not([aria-disabled])')];
  const active = (input) => listOf(input).querySelector('[aria-selected="true"]');

  // With the chooser the box for many is no field of its own: what is chosen becomes a chip.
  function dress() {
    for (const input of document.querySelectorAll("[data-label-chooser] [data-options]:not([role])")) {
      if (many(chooserOf(input))) input.removeAttribute("name");
      for (const [name, value] of Object.entries({
        "role": "combobox", "aria-autocomplete": "list", "aria-expanded": "false",
      })) input.setAttribute(name, value);
    }
  }

  function close(input) {
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
    const typed = input.value.trim();
    const turn = ++asked;
    const answer = await fetch(`${input.dataset.options}?q=${encodeURIComponent(typed)}`, {
      headers: { "HX-Request": "true" },
    }).catch(() => null);
    if (turn !== asked || !answer || !answer.ok || document.activeElement !== input) return;
    const html = await answer.text();
    const chosen = moved ? active(input) : null; // what the arrows reached outlasts an answer that came late
    const list = listOf(input);
    list.innerHTML = html;
    if (!many(chooserOf(input))) list.querySelector(".create")?.remove();
    const found = options(input);
    const again = chosen && (found.find((option) => option.dataset.value === chosen.dataset.value)
      || (chosen.classList.contains("create") && found.find((option) => option.classList.contains("create"))));
    list.hidden = !list.children.length;
    input.setAttribute("aria-expanded", String(!list.hidden));
    // The first existing label is one Enter away; creating one is always chosen on purpose.
    select(input, again || (typed && found.length && !found[0].classList.contains("create") ? found[0] : null));
  }

  function take(input, option) {
    const chooser = chooserOf(input);
    const { value, name, count } = option.dataset;
    if (many(chooser)) {
      kbAddChip({ value, name, count }, chooser);
      input.value = "";
      help(chooser, "");
      close(input);
      chooser.dispatchEvent(new Event("input", { bubbles: true }));
      return;
    }
    input.value = name;
    chooser.querySelector("[data-chosen]").value = value.replace(/^slug:/, "");
    close(input);
    input.form.requestSubmit();
  }

  window.kbAddChip = ({ value, name, count, checked = true }, chooser = document.querySelector("[data-label-chooser]")) => {
    const chips = chooser.querySelector("[data-chips]");
    let box = [...chips.querySelectorAll("input")].find((other) => other.value === value);
    if (!box) {
      const chip = chooser.querySelector("template[data-chip]").content.firstElementChild.cloneNode(true);
      const note = chip.querySelector("[data-note]");
      box = chip.querySelector("input");
      box.defaultChecked = false;
      box.value = value;
      chip.querySelector('[dir="auto"]').textContent = name;
      note.textContent = value.startsWith("name:") ? note.dataset.note : count || "";
      chip.classList.toggle("new", value.startsWith("name:"));
      chips.append(chip);
    }
    box.checked = checked;
  };

  function help(chooser, text) {
    const place = chooser.querySelector("[data-help]");
    if (place) place.textContent = text;
  }

  document.addEventListener("input", (event) => {
    const input = boxOf(event.target);
    if (!input) return;
    const chosen = chooserOf(input).querySelector("[data-chosen]");
    const was = chosen && chosen.value;
    if (chosen) chosen.value = "";
    if (was && !input.value) input.form.requestSubmit(); // the one label was taken out again
    moved = false;
    clearTimeout(timer);
    timer = setTimeout(() => ask(input), 120);
  });
  document.addEventListener("keydown", (event) => {
    const input = boxOf(event.target);
    if (!input || event.isComposing) return;
    const all = options(input);
    const at = all.indexOf(active(input));
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (listOf(input).hidden) ask(input);
      else if (all.length) {
        moved = true;
        select(input, all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1 + (at < 0))) % all.length]);
      }
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      // A label is being chosen: only a box for one label that is chosen, or empty, sends its form.
      if (active(input)) {
        event.preventDefault();
        take(input, active(input));
      } else if (many(chooserOf(input))) event.preventDefault();
    } else if (event.key === "Escape" && !listOf(input).hidden) {
      event.preventDefault();
      event.stopPropagation();
      close(input);
    }
  });
  document.addEventListener("mousedown", (event) => {
    const option = event.target.closest('[role="listbox"] [role="option"]');
    const input = option && chooserOf(option)?.querySelector("[data-options]");
    if (!input) return;
    event.preventDefault(); // the box keeps the focus
    if (!option.hasAttribute("aria-disabled")) take(input, option);
  });
  document.addEventListener("focusout", (event) => {
    const input = boxOf(event.target);
    if (input && listOf(input)) close(input); // it may be on its way out of the page
  });

  // A name half typed is neither dropped nor made a label by accident.
  document.addEventListener("submit", (event) => {
    const chooser = event.target.querySelector('[data-label-chooser="many"]')
      || (event.target.matches('[data-label-chooser="many"]') ? event.target : null);
    const input = chooser && chooser.querySelector("[data-options]");
    if (!input || !input.value.trim() || event.submitter?.hasAttribute("formnovalidate")) return;
    event.preventDefault();
    event.stopPropagation();
    help(chooser, input.dataset.pending);
    input.focus();
    ask(input);
  }, true);

  document.addEventListener("htmx:afterSettle", dress);
  dress();
})();

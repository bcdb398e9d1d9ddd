// The label chooser: a combobox that finds existing labels as one types, and offers to create one last.
"use strict";

(() => {
  const form = document.getElementById("decision-form");
  if (!form) return;
  let timer = 0;
  let asked = 0;
  let moved = false; // by the arrows, since the last key that was typed

  const input = () => document.getElementById("more-labels");
  const list = () => document.getElementById("label-options");
  const options = () => [...list().querySelectorAll('[role="option"]:not([aria-disabled])')];
  const active = () => list().querySelector('[aria-selected="true"]');

  // With the chooser the box is no field of its own: what is chosen becomes a chip. A proposal may bring a new box.
  function dress() {
    const box = input();
    if (!box || box.getAttribute("role") === "combobox") return;
    box.removeAttribute("name");
    for (const [name, value] of Object.entries({
      "role": "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "label-options",
    })) box.setAttribute(name, value);
  }

  function close() {
    list().hidden = true;
    list().replaceChildren();
    input().setAttribute("aria-expanded", "false");
    input().removeAttribute("aria-activedescendant");
  }

  function select(option) {
    for (const other of options()) other.setAttribute("aria-selected", String(other === option));
    if (option) {
      input().setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else input().removeAttribute("aria-activedescendant");
  }

  async function ask() {
    const typed = input().value.trim();
    const turn = ++asked;
    const answer = await fetch(`${input().dataset.options}?q=${encodeURIComponent(typed)}`, {
      headers: { "HX-Request": "true" },
    }).catch(() => null);
    if (turn !== asked || !answer || !answer.ok || document.activeElement !== input()) return;
    const html = await answer.text();
    const chosen = moved ? active() : null; // what the arrows reached outlasts an answer that came late
    list().innerHTML = html;
    const found = options();
    const again = chosen && (found.find((option) => option.dataset.value === chosen.dataset.value)
      || (chosen.classList.contains("create") && found.find((option) => option.classList.contains("create"))));
    list().hidden = !list().children.length;
    input().setAttribute("aria-expanded", String(!list().hidden));
    // The first existing label is one Enter away; creating one is always chosen on purpose.
    select(again || (typed && found.length && !found[0].classList.contains("create") ? found[0] : null));
  }

  function take(option) {
    const { value, name, count } = option.dataset;
    kbAddChip({ value, name, count });
    input().value = "";
    help("");
    close();
    form.dispatchEvent(new Event("input", { bubbles: true }));
  }

  window.kbAddChip = ({ value, name, count, checked = true }) => {
    const chips = form.querySelector("[data-chips]");
    let box = [...chips.querySelectorAll("input")].find((other) => other.value === value);
    if (!box) {
      const chip = form.querySelector("template[data-chip]").content.firstElementChild.cloneNode(true);
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

  function help(text) {
    form.querySelector("[data-help]").textContent = text;
  }

  form.addEventListener("input", (event) => {
    if (event.target !== input()) return;
    moved = false;
    clearTimeout(timer);
    timer = setTimeout(ask, 120);
  });
  form.addEventListener("keydown", (event) => {
    if (event.target !== input() || event.isComposing) return;
    const all = options();
    const at = all.indexOf(active());
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list().hidden) ask();
      else if (all.length) {
        moved = true;
        select(all[(at + (event.key === "ArrowDown" ? 1 : all.length - 1 + (at < 0))) % all.length]);
      }
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      event.preventDefault(); // a label is being chosen; Ctrl+Enter confirms the file
      if (active()) take(active());
    } else if (event.key === "Escape" && !list().hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  form.addEventListener("mousedown", (event) => {
    const option = event.target.closest('#label-options [role="option"]');
    if (!option) return;
    event.preventDefault(); // the box keeps the focus
    if (!option.hasAttribute("aria-disabled")) take(option);
  });
  form.addEventListener("focusout", (event) => {
    if (event.target === input()) close();
  });

  // A name half typed is neither dropped nor made a label by accident.
  form.addEventListener("submit", (event) => {
    if (!input() || !input().value.trim() || (event.submitter && event.submitter.value === "discard")) return;
    event.preventDefault();
    help(input().dataset.pending);
    input().focus();
    ask();
  }, true);

  document.addEventListener("htmx:afterSettle", dress);
  dress();
})();

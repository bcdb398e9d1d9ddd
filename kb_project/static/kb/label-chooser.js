// The label chooser: a combobox (combobox.js) that finds existing labels as one types.
// In `data-label-chooser="many"` what is chosen becomes a chip, and creating a label is offered last; in "one" it is
// the single label that the form is about, and choosing it sends the form.
"use strict";

(() => {
  const chooserOf = (input) => input.closest("[data-label-chooser]");
  const many = (chooser) => chooser.dataset.labelChooser === "many";
  const creates = (option) => option.classList.contains("create");

  const { ask, close } = kbCombobox("[data-label-chooser] [data-options]", {
    // With the chooser the box for many is no field of its own: what is chosen becomes a chip.
    dressed(input) {
      if (many(chooserOf(input))) input.removeAttribute("name");
    },
    typed(input) {
      const chosen = chooserOf(input).querySelector("[data-chosen]");
      const was = chosen && chosen.value;
      if (chosen) chosen.value = "";
      if (was && !input.value) input.form.requestSubmit(); // the one label was taken out again
    },
    async fill(input, typed, signal) {
      const answer = await kbFetch(`${input.dataset.options}?${new URLSearchParams({ q: typed })}`, { signal });
      if (!answer.ok) return null;
      const holder = document.createElement("template");
      holder.innerHTML = await answer.text(); // the server escaped the names
      if (!many(chooserOf(input))) holder.content.querySelector(".create")?.remove();
      return holder.content;
    },
    same: (option, other) => option.dataset.value === other.dataset.value || (creates(option) && creates(other)),
    // The first existing label is one Enter away, and where there is none like it, a new one of that name.
    first: (input, found) => (input.value.trim() && found[0]) || null,
    keeps: (input) => many(chooserOf(input)), // a label is being chosen, the form is not done
    take,
  });

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
})();

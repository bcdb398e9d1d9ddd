// What is typed into a form is kept in the browser until it is saved: `<form data-draft="source-12">`. A note in the form
// (`data-draft-note`) says when it was put back, and its button drops it. If the form has `was`, what it was made for, the
// note says whether that is another by now.
"use strict";

for (const form of document.querySelectorAll("form[data-draft]")) {
  const NAME = form.dataset.draft;
  const note = form.querySelector("[data-draft-note]");

  function typed() {
    const pairs = [...new FormData(form)].filter(([name, value]) => name !== "csrfmiddlewaretoken" && typeof value === "string");
    const labels = [...form.querySelectorAll("[data-chips] .chip")].map((chip) => {
      const box = chip.querySelector("input");
      return { value: box.value, name: chip.querySelector('[dir="auto"]').textContent, checked: box.checked };
    });
    return { pairs: pairs.map(([name, value]) => [name, value.replace(/\r\n/g, "\n").trim()]), labels };
  }

  const served = JSON.stringify(typed().pairs);

  function keep() {
    const now = typed();
    if (JSON.stringify(now.pairs) === served && !("bound" in form.dataset)) kbDrafts.drop(NAME);
    else kbDrafts.keep(NAME, now);
  }

  function put(draft) {
    draft.labels.forEach((label) => kbAddChip(label, form));
    for (const [name, value] of draft.pairs) {
      const control = form.elements.namedItem(name);
      if (!control || name === "labels") continue;
      if (control instanceof RadioNodeList || control.type !== "checkbox") control.value = value;
      else control.checked = control.value === value;
    }
  }

  // A form that the server gives back holds what was typed, and the newest of it.
  if ("bound" in form.dataset) keep();
  else {
    const draft = kbDrafts.read(NAME);
    if (draft && JSON.stringify(draft.pairs) !== served) {
      const was = form.elements.was?.value;
      put(draft);
      if (note) note.hidden = false;
      const overtaken = note && note.querySelector("[data-draft-overtaken]");
      if (overtaken) overtaken.hidden = form.elements.was.value === was;
    }
  }

  form.addEventListener("input", keep);
  form.addEventListener("change", keep);
  form.addEventListener("submit", () => kbDrafts.sent(NAME));
  if (note) {
    note.querySelector("button").addEventListener("click", () => {
      kbDrafts.drop(NAME);
      location.reload();
    });
  }
}

// The library and label pages: refusals shown in the dialog, ticking many rows, and filters without a button.
"use strict";

// An address says only what is set.
document.addEventListener("htmx:configRequest", (event) => {
  const { verb, elt, parameters } = event.detail;
  if (verb !== "get" || !elt.matches(".filters")) return;
  for (const name of Object.keys(parameters)) if (parameters[name] === "") delete parameters[name];
});

// Ticking many rows; the table is replaced when a filter changes.
(() => {
  const boxesOf = (form) => [...form.querySelectorAll(".tick input:not([data-all])")];
  const inBulk = (boxes) => boxes.filter((box) => !box.hasAttribute("data-alone")); // the others one by one
  const formOf = (element) => element.closest("[data-ticks]");
  let last = null;

  function count(form) {
    const ticked = boxesOf(form).filter((box) => box.checked).length;
    const place = form.querySelector("[data-count]");
    const all = form.querySelector("[data-all]");
    if (place) place.textContent = ticked ? `(${ticked})` : "";
    if (!all) return;
    all.checked = ticked > 0 && ticked === boxesOf(form).length;
    all.indeterminate = ticked > 0 && !all.checked;
  }

  document.addEventListener("click", (event) => {
    const box = event.target;
    if (!box.matches(".tick input:not([data-all])") || !formOf(box)) return;
    if (event.shiftKey && last) {
      const all = boxesOf(formOf(box));
      const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b);
      if (from >= 0) inBulk(all.slice(from, to + 1)).forEach((between) => { between.checked = box.checked; });
    }
    last = box;
  });
  document.addEventListener("change", (event) => {
    const form = formOf(event.target);
    if (!form) return;
    if (event.target.hasAttribute("data-all")) {
      inBulk(boxesOf(form)).forEach((box) => { box.checked = event.target.checked; });
    }
    count(form);
  });
  function countShown() {
    document.querySelectorAll("[data-ticks]").forEach(count);
  }
  document.addEventListener("htmx:afterSettle", countShown);
  addEventListener("pageshow", countShown);
})();

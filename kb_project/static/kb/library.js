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
  // What is ticked in a form with a name stays so for whoever ticked it when the page comes again, in rows that still say
  // the same. What is sent is not kept: if it is refused, the page comes with its ticks.
  const named = () => [...document.querySelectorAll("[data-ticks]")].filter((form) => form.dataset.ticks);
  const keptAs = (form) => `kb-ticks ${document.body.dataset.user} ${location.pathname} ${form.dataset.ticks}`;
  const saying = (box) => `${box.value} ${box.closest("tr").textContent}`;
  let sent = null;
  document.addEventListener("submit", ({ target }) => { sent = target; });
  addEventListener("pagehide", () => {
    for (const form of named()) {
      const ticked = form === sent ? [] : boxesOf(form).filter((box) => box.checked);
      sessionStorage.setItem(keptAs(form), JSON.stringify(ticked.map(saying)));
    }
  });
  for (const form of named()) {
    const kept = new Set(JSON.parse(sessionStorage.getItem(keptAs(form)) || "[]"));
    for (const box of boxesOf(form)) box.checked ||= kept.has(saying(box));
  }
  function countShown() {
    document.querySelectorAll("[data-ticks]").forEach(count);
  }
  document.addEventListener("htmx:afterSettle", countShown);
  addEventListener("pageshow", () => {
    sent = null; // a page that the browser kept
    countShown();
  });
})();

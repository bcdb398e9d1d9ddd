// The table of a batch: ticking many rows, keeping the ticks when rows are replaced, filtering without a button.
"use strict";

(() => {
  const form = document.getElementById("jobs-form");
  const all = form.querySelector("[data-all]"); // not there for who may only look
  const boxes = () => [...form.querySelectorAll('input[name="jobs"]')];
  let last = null;

  // "All" are those that the filter finds, on other pages too.
  function count() {
    if (!all) return;
    const ticked = boxes().filter((box) => box.checked).length;
    if (ticked < boxes().length) all.checked = false;
    all.indeterminate = ticked > 0 && !all.checked;
    form.querySelector("[data-chosen]").textContent = all.checked ? all.dataset.found : ticked;
    for (const button of form.querySelectorAll(".actions button")) button.disabled = !ticked && !all.checked;
  }

  form.addEventListener("click", (event) => {
    const box = event.target;
    if (box.name !== "jobs") return;
    if (event.shiftKey && last) {
      const rows = boxes();
      const [from, to] = [rows.indexOf(last), rows.indexOf(box)].sort((a, b) => a - b);
      if (from >= 0) rows.slice(from, to + 1).forEach((between) => { between.checked = box.checked; });
    }
    last = box;
  });
  form.addEventListener("change", (event) => {
    if (event.target === all) boxes().forEach((box) => { box.checked = all.checked; });
    count();
  });

  // --- rows and the whole table are replaced under the reader's hands --------------------------------------------------
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const old = event.detail.target && event.detail.target.querySelector('input[name="jobs"]');
    const fresh = event.detail.fragment.querySelector('input[name="jobs"]');
    if (!old || !fresh) return;
    fresh.toggleAttribute("checked", old.checked);
    if (event.detail.target.contains(document.activeElement)) focused = event.detail.target.id;
  });
  let focused = "";
  let kept = new Set();
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "jobs") kept = new Set(boxes().filter((box) => box.checked).map((box) => box.value));
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (kept.size) boxes().forEach((box) => { box.checked = box.checked || kept.has(box.value); });
    kept = new Set();
    if (focused) document.getElementById(focused)?.querySelector('th[scope="row"] > a').focus();
    focused = "";
    count();
  });

  // --- the filter: at once, and an address without what is not set -----------------------------------------------------
  const filters = document.querySelector(".filters");
  filters.addEventListener("change", () => filters.requestSubmit());
  filters.addEventListener("submit", () => {
    for (const control of filters.elements) control.disabled = control.name && !control.value;
  });
  addEventListener("pageshow", () => {
    for (const control of filters.elements) control.disabled = false;
    count();
  });
  count();
})();

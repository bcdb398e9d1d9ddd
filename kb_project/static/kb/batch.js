// The table of a batch: ticking many rows, keeping the ticks when rows are replaced, filtering without a button.
"use strict";

(() => {
  const form = document.getElementById("jobs-form");
  const boxes = () => [...form.querySelectorAll('input[name="jobs"]')];
  let last = null;

  function count() {
    const ticked = boxes().filter((box) => box.checked).length;
    form.querySelector("[data-chosen]").textContent = ticked ? `(${ticked})` : "";
    const all = form.querySelector("[data-all]");
    if (all) {
      all.checked = ticked > 0 && ticked === boxes().length;
      all.indeterminate = ticked > 0 && !all.checked;
    }
  }

  form.addEventListener("click", (event) => {
    const box = event.target;
    if (box.name !== "jobs") return;
    if (event.shiftKey && last) {
      const all = boxes();
      const [from, to] = [all.indexOf(last), all.indexOf(box)].sort((a, b) => a - b);
      if (from >= 0) all.slice(from, to + 1).forEach((between) => { between.checked = box.checked; });
    }
    last = box;
  });
  form.addEventListener("change", (event) => {
    if (event.target.hasAttribute("data-all")) boxes().forEach((box) => { box.checked = event.target.checked; });
    count();
  });

  // Rows and the whole table are replaced under the reader's hands.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const old = event.detail.target && event.detail.target.querySelector('input[name="jobs"]');
    const fresh = event.detail.fragment.querySelector('input[name="jobs"]');
    if (old && fresh) fresh.toggleAttribute("checked", old.checked);
  });
  let kept = new Set();
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id === "jobs") kept = new Set(boxes().filter((box) => box.checked).map((box) => box.value));
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (kept.size) boxes().forEach((box) => { box.checked = box.checked || kept.has(box.value); });
    kept = new Set();
    count();
  });

  document.querySelector(".filters").addEventListener("change", (event) => event.target.form.requestSubmit());
  count();
})();

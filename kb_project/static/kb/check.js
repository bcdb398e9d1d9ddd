// The report of a check: n goes to the next finding, p to the one before, as long as single keys are not switched off.
// The form: the name of the file that was chosen.
"use strict";

(() => {
  const KEYS = { KeyN: 1, KeyJ: 1, KeyP: -1, KeyK: -1 };

  const file = document.getElementById("check-file");
  if (file) {
    // The browser's own control speaks the browser's language, and looks like no other.
    file.hidden = true;
    document.getElementById("check-file-choose").addEventListener("click", () => file.click());
    file.addEventListener("change", () => {
      const shown = document.getElementById("check-file-name");
      if (file.files.length) shown.textContent = file.files[0].name;
    });
  }

  // On paper nothing is folded: a report without what was not judged would say more than was seen.
  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll(".sources > details")) folded.open = true;
  });

  document.addEventListener("keydown", (event) => {
    const step = KEYS[event.code];
    if (!step || event.ctrlKey || event.altKey || event.metaKey || localStorage.getItem("kb-keys") === "off") return;
    if (event.target.closest("input, textarea, select") || document.querySelector("dialog[open]")) return;
    const findings = [...document.querySelectorAll(".citations > li[id]")].filter((one) => one.checkVisibility());
    if (!findings.length) return;
    const at = findings.indexOf(document.activeElement.closest(".citations > li"));
    const next = findings[Math.min(Math.max(at + step, 0), findings.length - 1)];
    document.querySelector(`.cite[href="#${next.id}"]`)?.scrollIntoView({ block: "center" });
    next.focus();
    event.preventDefault();
  });
})();

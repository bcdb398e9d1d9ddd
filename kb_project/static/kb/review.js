// The screen of one job: single keys, what was edited, and nothing typed lost on the way to another page.
"use strict";

(() => {
  const screen = document.querySelector(".job");
  const form = document.getElementById("decision-form");
  const DRAFT = `job-${screen.dataset.job}`;
  const undecided = screen.dataset.undecided === "1";

  // --- keys --------------------------------------------------------------------------------------------------------
  let going = "";
  let goingTimer = 0;
  function go() {
    if (going.length > 1) kbDocument.showPage(going.slice(1));
    going = "";
  }

  kbKeys.listen((key) => {
    if (going && /^[0-9]$/.test(key)) {
      going += key;
      clearTimeout(goingTimer);
      goingTimer = setTimeout(go, 600);
      return true;
    }
    going = key === "g" ? "g" : "";
    if (/^[1-9]$/.test(key)) return chooseKind(Number(key));
    const target = key === "e" ? firstField() : key === "l" ? document.getElementById("more-labels") : null;
    if (target) target.focus();
    return Boolean(target);
  });

  function chooseKind(number) {
    const choice = form && form.querySelectorAll('input[name="kind"]')[number - 1];
    if (choice && !choice.checked) choice.click();
    return Boolean(choice);
  }

  function firstField() {
    return form && (form.querySelector('input[name="kind"]:checked') || form.querySelector('input[name="kind"]'));
  }

  // --- who comes back to the page is told at once. Not who leaves it: that would renew what is given back. -----------
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) htmx.trigger("#job-state", "kb:seen");
  });

  // --- given back on leaving, so that the next reviewer need not wait -----------------------------------------------
  if (screen.dataset.hold) {
    addEventListener("pagehide", () => {
      const left = new FormData();
      left.append("leave", "1");
      left.append("page", screen.dataset.pageId);
      left.append("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value);
      navigator.sendBeacon(screen.dataset.hold, left);
    });
  }

  if (!form) {
    kbDrafts.drop(DRAFT);
    return;
  }

  // --- where a value came from -----------------------------------------------------------------------------------
  function isEdited(field) {
    const name = field.dataset.field;
    if (name === "labels") {
      return [...field.querySelectorAll("[data-chips] input")].some((box) => box.checked !== box.defaultChecked);
    }
    const value = new FormData(form).get(name) || "";
    return value.replace(/\r\n/g, "\n").trim() !== field.dataset.proposed.trim();
  }

  function tell(field) {
    const edited = isEdited(field);
    field.classList.toggle("edited", edited);
    const mine = field.querySelector("[data-edited]");
    const theirs = field.querySelector("[data-unedited]");
    if (mine) mine.hidden = !edited;
    if (theirs) theirs.hidden = edited;
    const count = field.querySelector("[data-length]");
    if (count) {
      const length = [...field.querySelector("textarea").value.trim()].length;
      count.textContent = length;
      count.classList.toggle("off", length < 80 || length > 200);
    }
  }

  const fields = () => [...form.querySelectorAll("[data-field]")];
  const tellAll = () => fields().forEach(tell);

  // --- nothing typed is lost ---------------------------------------------------------------------------------------
  function save() {
    const kept = { values: {}, labels: [] };
    for (const field of fields().filter(isEdited)) {
      if (field.dataset.field !== "labels") {
        kept.values[field.dataset.field] = new FormData(form).get(field.dataset.field) || "";
        continue;
      }
      kept.labels = [...field.querySelectorAll(".chip")].map((chip) => {
        const box = chip.querySelector("input");
        return { value: box.value, name: chip.querySelector('[dir="auto"]').textContent, checked: box.checked };
      });
    }
    if (kept.labels.length || Object.keys(kept.values).length) kbDrafts.keep(DRAFT, kept);
    else kbDrafts.drop(DRAFT);
  }

  function restore() {
    const kept = !form.querySelector(".error") && kbDrafts.read(DRAFT);
    if (!kept) return;
    for (const [name, value] of Object.entries(kept.values)) {
      const element = form.elements.namedItem(name);
      if (element && element.type === "radio") element.checked = element.value === value; // the only one of its name
      else if (element) element.value = value;
    }
    kept.labels.forEach((label) => kbAddChip(label));
  }

  form.addEventListener("input", () => {
    tellAll();
    save();
  });
  form.addEventListener("change", () => {
    tellAll();
    save();
  });

  form.addEventListener("submit", ({ submitter }) => {
    if (submitter?.value !== "discard") kbDrafts.sent(DRAFT); // what is discarded may be taken back
  });

  // A proposal that comes while one types fills only what is untouched.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const field = event.detail.target;
    if (field && field.matches && field.matches("[data-field]") && (isEdited(field) || field.contains(document.activeElement))) {
      event.detail.shouldSwap = false;
    }
  });
  document.addEventListener("htmx:afterSettle", tellAll);

  if (undecided) restore();
  else kbDrafts.drop(DRAFT);
  tellAll();
})();

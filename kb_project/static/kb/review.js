// The screen of one job: single keys, what was edited, and nothing typed lost on the way to another page.
"use strict";

(() => {
  const screen = document.querySelector(".job");
  const form = document.getElementById("decision-form");
  const KEYS_ON = "kb-keys";
  const DRAFT = `kb-draft-${screen.dataset.job}`;
  const undecided = screen.dataset.undecided === "1";

  // --- single keys, off while typing -----------------------------------------------------------------------------
  const toggle = document.querySelector("[data-keys-on]");
  toggle.checked = localStorage.getItem(KEYS_ON) !== "off";
  toggle.addEventListener("change", () => localStorage.setItem(KEYS_ON, toggle.checked ? "on" : "off"));

  const TYPED = new Set(["text", "date", "search", "email", "url", "number", "password"]);
  function isTyping(element) {
    if (!element) return false;
    return element.tagName === "TEXTAREA" || element.tagName === "SELECT" || element.isContentEditable
      || (element.tagName === "INPUT" && TYPED.has(element.type));
  }

  // On a Hebrew layout the key named j gives another letter: then its place on the keyboard counts.
  function keyOf(event) {
    if (/^[a-z0-9?]$/i.test(event.key)) return event.key.toLowerCase();
    const place = /^(?:Key([A-Z])|Digit([0-9])|Numpad([0-9]))$/.exec(event.code);
    return place ? (place[1] || place[2] || place[3]).toLowerCase() : event.key;
  }

  let going = "";
  let goingTimer = 0;
  function go() {
    if (going.length > 1) kbDocument.showPage(going.slice(1));
    going = "";
  }

  document.addEventListener("keydown", (event) => {
    if (event.isComposing || document.querySelector("dialog[open]")) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      const confirm = document.getElementById("confirm");
      event.preventDefault();
      if (confirm && !confirm.disabled) confirm.click();
      return;
    }
    if (event.key === "Escape" && isTyping(event.target) && !event.defaultPrevented) {
      event.target.blur();
      return;
    }
    if (!toggle.checked && event.key !== "?") return;
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
    const key = keyOf(event);
    if (going && /^[0-9]$/.test(key)) {
      going += key;
      clearTimeout(goingTimer);
      goingTimer = setTimeout(go, 600);
      return;
    }
    going = key === "g" ? "g" : "";
    const target = key === "e" ? firstField() : key === "l" ? document.getElementById("more-labels") : null;
    if (target) {
      event.preventDefault();
      target.focus();
      return;
    }
    const action = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (action) {
      event.preventDefault();
      action.click();
    }
  });

  function firstField() {
    return form && (form.querySelector('input[name="kind"]:checked') || form.querySelector('input[name="kind"]'));
  }

  if (!form) {
    sessionStorage.removeItem(DRAFT);
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
    if (kept.labels.length || Object.keys(kept.values).length) sessionStorage.setItem(DRAFT, JSON.stringify(kept));
    else sessionStorage.removeItem(DRAFT);
  }

  function restore() {
    const text = undecided && !form.querySelector(".error") && sessionStorage.getItem(DRAFT);
    if (!text) return;
    const kept = JSON.parse(text);
    for (const [name, value] of Object.entries(kept.values)) {
      const element = form.elements.namedItem(name);
      if (element) element.value = value;
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

  // A proposal that comes while one types fills only what is untouched.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const field = event.detail.target;
    if (field && field.matches && field.matches("[data-field]") && (isEdited(field) || field.contains(document.activeElement))) {
      event.detail.shouldSwap = false;
    }
  });
  document.addEventListener("htmx:afterSettle", tellAll);

  if (undecided) restore();
  else sessionStorage.removeItem(DRAFT);
  tellAll();
})();

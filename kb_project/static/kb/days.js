// A day is typed and shown as people write it, the same in every browser, or picked in the calendar that browsers have. The
// box stays the field of its form: what stands in it is sent, a day as 2026-03-01, and what is none as it is, to be refused.
"use strict";

(() => {
  const template = document.getElementById("day-field");
  const MONTHS = new Map(template.dataset.months.split(" ").map((one) => one.split("=")));
  const SHORT = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short", timeZone: "UTC" });
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
  const monthOf = (word) => MONTHS.get(word) ?? MONTHS.get(word?.slice(1)); // Hebrew has a letter before it
  const fieldsOf = (form) => [...form.elements].filter((one) => one.matches(".day > input"));

  /** What was typed (2026-03-01, 1.3.2026, 1/3/2026, 1 March 2026, March 1, 2026) as 2026-03-01. Null for what is no day. */
  function read(typed) {
    let [day, month, year, ...more] = typed.toLowerCase().split(/[\s.,/\u200e\u200f-]+/).filter(Boolean);
    if (/^\d{4}$/.test(day)) [day, year] = [year, day];
    else if (monthOf(day)) [day, month] = [month, day];
    const said = [year, monthOf(month) ?? month, day, ...more].join("-");
    if (!/^[1-9]\d{3}-\d\d?-\d\d?$/.test(said)) return null;
    const [y, m, d] = said.split("-").map(Number);
    const at = new Date(Date.UTC(y, m - 1, d));
    return at.getUTCMonth() === m - 1 && at.getUTCDate() === d ? at.toISOString().slice(0, 10) : null;
  }

  const sent = ({ value }) => read(value) ?? value.trim();

  /** A day as the page writes days; what is none as it is. */
  function written(given) {
    const day = read(given);
    if (!day) return given;
    const [Y, n, j] = day.split("-").map(Number);
    const parts = { Y, n, j, M: SHORT.format(Date.UTC(Y, n - 1, j)) };
    return template.dataset.format.replace(/[YnjM]/g, (part) => parts[part]);
  }

  const WRONG = template.dataset.wrong.replace("{day}", () => written(`${new Date().getFullYear()}-12-31`));

  function check(field) {
    const calendar = field.parentElement.querySelector('[type="date"]');
    const day = read(field.value);
    calendar.value = day ?? "";
    field.setCustomValidity(field.value.trim() && !day ? WRONG : calendar.validationMessage); // which knows the first and last day
  }

  function show(field) {
    const box = template.content.firstElementChild.cloneNode(true);
    const [button, { firstElementChild: calendar }] = box.children;
    const name = field.ariaLabel ?? field.labels[0]?.textContent.trim();
    const served = field.getAttribute("value") ?? "";
    const now = field.value || served;
    const isFocused = field === document.activeElement;
    if (name) button.title += `: ${name}`;
    if (field.closest("label")) field.ariaLabel = name; // the button in it is no part of it
    button.disabled = field.disabled;
    for (const bound of ["min", "max"]) calendar[bound] = field[bound];
    field.before(box);
    box.prepend(field);
    Object.assign(field, { type: "text", autocomplete: "off", defaultValue: written(served) });
    // Other scripts put a day into the form too.
    Object.defineProperty(field, "value", { get, set(value) { set.call(this, written(value)); check(this); } });
    field.value = now;
    if (isFocused) field.focus();
    field.addEventListener("input", () => check(field));
    field.addEventListener("change", () => {
      field.value = field.value; // is written anew
      if (field.validity.customError) field.reportValidity();
    });
    button.addEventListener("click", () => calendar.showPicker());
    for (const type of ["input", "change"]) calendar.addEventListener(type, (event) => {
      event.stopPropagation();
      field.value = calendar.value;
      field.dispatchEvent(new Event(type, { bubbles: true }));
    });
  }

  function within(place) {
    for (const field of place.querySelectorAll('input[type="date"]:not(.day *)')) show(field);
  }

  within(document);
  document.addEventListener("htmx:load", ({ detail }) => within(detail.elt));
  document.addEventListener("reset", ({ target }) => setTimeout(() => fieldsOf(target).forEach(check)));
  document.addEventListener("formdata", ({ target, formData }) => {
    for (const field of fieldsOf(target)) if (formData.has(field.name)) formData.set(field.name, sent(field));
  }, true);
  // What HTMX takes without its form comes as it stands.
  document.addEventListener("htmx:configRequest", ({ detail: { parameters } }) => {
    for (const field of document.querySelectorAll(".day > input")) {
      if (parameters[field.name] === field.value) parameters[field.name] = sent(field);
    }
  });
})();

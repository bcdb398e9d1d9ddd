// A day is typed and shown as people write it, the same in every browser, or picked. What browsers have for it stays in the
// form, out of sight: it holds the day that is sent, opens the calendar, and is all there is without this script.
"use strict";

(() => {
  const template = document.getElementById("day-field");
  const months = (month) => Array.from({ length: 12 }, (_, at) => new Intl.DateTimeFormat(document.documentElement.lang, { month, timeZone: "UTC" }).format(Date.UTC(2001, at)).toLowerCase());
  const LONG = months("long");
  const SHORT = new Intl.DateTimeFormat(document.documentElement.lang, { month: "short", timeZone: "UTC" });
  const MOVED = ["aria-label", "aria-describedby", "aria-invalid", "title", "autofocus", "form"];
  const { get, set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");

  /** A day (2026-03-01) as the page writes days. */
  function written(day) {
    if (!day) return "";
    const [Y, n, j] = day.split("-").map(Number);
    const parts = { Y, n, j, M: SHORT.format(Date.UTC(Y, n - 1, j)) };
    return template.dataset.format.replace(/[YnjM]/g, (part) => parts[part]);
  }

  /** The day that was typed, as 2026-03-01, 1.3.2026, 1/3/2026 or 1 March 2026. Null for what is none. */
  function read(typed) {
    const [, iso, y, m, d] = /^((\d{4})-(\d\d?)-(\d\d?))$/.exec(typed) ?? [];
    if (iso) return day(y, m, d);
    const [said, first, middle, year] = /^(\d\d?)\s?[.\/\s-]\s?(\d\d?|\p{L}{3,})\.?[.\/\s-]\s?(\d{4})$/u.exec(typed) ?? [];
    if (!said) return null;
    const word = middle.toLowerCase();
    return day(year, Number(middle) || LONG.findIndex((name) => name.startsWith(word) || word.endsWith(name)) + 1, first);
  }

  function day(...numbers) {
    const [y, m, d] = numbers.map(Number);
    const at = new Date(Date.UTC(y, m - 1, d));
    return y > 999 && at.getUTCMonth() === m - 1 && at.getUTCDate() === d ? at.toISOString().slice(0, 10) : null;
  }

  function show(native) {
    const box = template.content.firstElementChild.cloneNode(true);
    const [text, button, hidden] = box.children;
    const wrong = template.dataset.wrong.replace("{day}", () => written(`${new Date().getFullYear()}-12-31`));
    const put = () => { native.type = "date"; text.value = written(get.call(native)); text.setCustomValidity(""); };
    for (const name of MOVED) if (native.hasAttribute(name)) text.setAttribute(name, native.getAttribute(name));
    for (const name of ["aria-label", "autofocus"]) native.removeAttribute(name);
    if (native.id) text.id = `${native.id}-typed`;
    for (const label of native.labels) if (label.htmlFor) label.htmlFor = text.id;
    native.before(box);
    hidden.append(native);
    native.tabIndex = -1;
    native.ariaHidden = "true";
    // Other scripts put a day into the form too.
    Object.defineProperty(native, "value", { get, set(value) { set.call(this, value); put(); }, configurable: true });
    const typed = (event) => {
      event.stopPropagation(); // what holds the day tells of it
      const given = text.value.trim() ? read(text.value.trim()) : "";
      text.setCustomValidity(given === null ? wrong : "");
      native.type = given === null ? "text" : "date"; // what is no day is sent as it is, and refused
      const sent = given ?? text.value;
      if (sent !== get.call(native)) {
        set.call(native, sent);
        for (const name of ["input", "change"]) native.dispatchEvent(new Event(name, { bubbles: true }));
      }
      if (event.type === "input") return;
      if (given === null) text.reportValidity();
      else put();
    };
    text.addEventListener("input", typed);
    text.addEventListener("change", typed);
    for (const name of ["input", "change"]) native.addEventListener(name, () => { if (document.activeElement !== text) put(); });
    button.addEventListener("click", () => native.showPicker());
    put();
    const refused = !text.value && native.getAttribute("value");
    if (refused) text.value = refused;
  }

  function within(place) {
    for (const native of place.querySelectorAll('input[type="date"]:not(.day *)')) show(native);
  }

  within(document);
  document.addEventListener("htmx:load", ({ detail }) => within(detail.elt));
  window.addEventListener("pageshow", () => { for (const native of document.querySelectorAll('.day [type="date"]')) native.value = get.call(native); });
})();

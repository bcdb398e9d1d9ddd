// The document beside the form: which page is seen, zoom, and the marks of the field that has the focus.
"use strict";

const kbDocument = (() => {
  const pages = document.getElementById("pages");
  const ZOOMS = 5;

  function scrollInto(container, element) {
    const frame = container.getBoundingClientRect();
    container.scrollTop += element.getBoundingClientRect().top - frame.top - frame.height / 3;
  }

  // The last page where there are not so many.
  function showPage(number) {
    const page = document.getElementById(`page-${number}`) || (Number(number) > 0 && pages?.querySelector(".page:last-of-type"));
    if (page) pages.scrollTop += page.getBoundingClientRect().top - pages.getBoundingClientRect().top;
  }

  function mark(field) {
    for (const old of document.querySelectorAll("[data-for].on")) old.classList.remove("on");
    if (!field) return;
    const found = [...document.querySelectorAll(`[data-for~="${field.dataset.field}"]`)];
    for (const element of found) element.classList.add("on");
    const drawn = found.find((element) => element.closest("#pages"));
    const read = found.find((element) => element.closest(".read-text"));
    if (drawn) scrollInto(pages, drawn);
    else if (pages && field.dataset.page) showPage(field.dataset.page);
    if (read) scrollInto(read.closest(".read-text"), read);
  }

  let focused = null;
  document.addEventListener("focusin", (event) => {
    const field = event.target.closest(".decision-form [data-field]");
    if (field && field !== focused) mark(field);
    if (field) focused = field;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.closest(".document")) {
      mark(focused);
      tellPage();
    }
  });

  function tellPage() {
    const out = document.querySelector("[data-page-number]");
    if (!out || !pages) return;
    const middle = pages.getBoundingClientRect().top + pages.clientHeight / 2;
    const all = [...pages.querySelectorAll(".page")];
    const seen = all.find((page) => page.getBoundingClientRect().bottom >= middle) || all[all.length - 1];
    if (seen) out.textContent = seen.querySelector("figcaption").textContent;
  }

  // A picture that comes, or does not, says so itself.
  for (const name of ["load", "error"]) {
    document.addEventListener(name, ({ target }) => target.closest?.(".page")?.removeAttribute("data-coming"), true);
  }

  if (pages) {
    let waiting = 0;
    pages.addEventListener("scroll", () => {
      clearTimeout(waiting);
      waiting = setTimeout(tellPage, 100);
    }, { passive: true });
    document.addEventListener("click", (event) => {
      const button = event.target.closest("[data-zoom]");
      if (!button) return;
      const next = Number(pages.dataset.zoomed) + (button.dataset.zoom === "in" ? 1 : -1);
      pages.dataset.zoomed = Math.min(ZOOMS, Math.max(1, next));
      mark(focused);
    });
  }
  return { showPage };
})();

// The search page: filters that apply themselves, results that say when they cannot come.
"use strict";

(() => {
  const byId = (id) => document.getElementById(id);
  const isShown = (selector) => Boolean(document.querySelector(selector));

  // Where one was: the search that one leaves.
  addEventListener("pagehide", () => {
    const asked = new URLSearchParams(location.search).get("q")?.trim();
    const where = byId("search-form").getAttribute("aria-label");
    if (asked) kbBeen.keep({ title: asked.slice(0, 200), path: location.pathname + location.search, where });
  });

  // --- the search form ---------------------------------------------------------------------------------------------
  // An address says only what is set; without a script the Ask button goes to a page of its own.
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, parameters } = event.detail;
    if (elt.id !== "search-form") return;
    event.detail.path = elt.getAttribute("action");
    for (const name of Object.keys(parameters)) if (parameters[name] === "") delete parameters[name];
  });

  const askButton = () => document.querySelector("#search-form [data-ask-button]");
  document.addEventListener("change", (event) => {
    const field = event.target;
    if (!field.form || field.form.id !== "search-form" || field.id === "search-box") return;
    // An answer costs time: it is asked for again by the button alone.
    if (!isShown("[data-ask]") && field.validity.valid) field.form.requestSubmit();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target.id === "search-box" && event.key === "Enter" && isShown("[data-ask]") && !event.isComposing) {
      event.preventDefault();
      askButton().click();
    }
  });

  // What the server says of a refused search is on the page that it sends; when nothing comes, the page says so.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr } = event.detail;
    if (!target || target.id !== "found" || !xhr.responseText.includes('id="found"')) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
  function failed({ detail }) {
    const results = byId("results");
    if (!results || (detail.xhr && detail.xhr.status === 401)) return;
    results.replaceChildren(document.querySelector("template[data-failed]").content.cloneNode(true));
  }
  for (const name of ["htmx:sendError", "htmx:responseError", "htmx:timeout"]) document.addEventListener(name, failed);
  document.addEventListener("htmx:historyCacheMissLoadError", () => location.reload());

  // The list of filters stays as open as it was, and the focus goes to the first of what is new.
  const FOLDED = ["filters", "moreLabels", "moreYears"];
  const open = {};
  let from = null;
  let isSent = false; // with Enter
  document.addEventListener("htmx:beforeRequest", (event) => {
    isSent = document.activeElement === byId("search-box") && event.detail.requestConfig.triggeringEvent?.type === "submit";
    from = event.detail.elt.dataset.more ? Number(event.detail.elt.dataset.more) : null;
  });
  document.addEventListener("toggle", (event) => {
    for (const name of FOLDED) if (name in event.target.dataset) open[name] = event.target.open;
  }, true);
  document.addEventListener("htmx:afterSettle", () => {
    for (const details of document.querySelectorAll("[data-filters], [data-more-labels], [data-more-years]")) {
      details.open = Boolean(open[FOLDED.find((name) => name in details.dataset)]);
    }
    const outcome = document.querySelector("[data-outcome]");
    if (outcome) document.querySelector("[data-announce]").textContent = outcome.textContent;
    if (isSent) byId("results")?.focus({ preventScroll: true }); // so that the keys of the list work
    isSent = false;
    if (from === null) return;
    const next = document.querySelectorAll(".hits h3 a")[from];
    if (next) next.focus();
    from = null;
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    const box = byId("search-box");
    if (!box?.value.trim()) return;
    document.querySelector("h1").classList.add("unseen");
    document.querySelector(".hero")?.classList.remove("hero");
  });

  // --- the way from result to result -------------------------------------------------------------------------------
  // The reading page leads to the result before and after, and back here.
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".hits h3 a")) return;
    const pages = new Map();
    for (const link of document.querySelectorAll(".hits h3 a")) {
      const href = link.getAttribute("href");
      const path = href.split(/[?#]/)[0];
      if (!pages.has(path)) pages.set(path, href);
    }
    try {
      sessionStorage.setItem("kb-results", JSON.stringify({ from: location.href, pages: [...pages.values()] }));
    } catch {
      sessionStorage.clear(); // full
    }
  });
})();

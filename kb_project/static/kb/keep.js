// *Keep*: its form opens over the page, and its address takes in what the page learns later.
"use strict";

(() => {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-keep]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    link.closest("dialog")?.close();
    htmx.ajax("GET", link.href, { target: "#dialog-body" });
  });

  // An answer has its id once it is written, a provision is known when its menu opens.
  document.addEventListener("kb:keeps", ({ target, detail }) => {
    for (const link of target.querySelectorAll("a[data-keep]")) {
      const named = new URLSearchParams(link.search);
      for (const [name, value] of Object.entries(detail)) if (value) named.set(name, value);
      link.search = named;
      link.hidden = false;
    }
  });

})();

// *Keep*: it is kept at once, in the notebook that was used last, and the toast that says so leads on. Its address takes in
// what the page learns later.
"use strict";

(() => {
  async function keep(address) {
    const sent = { method: "POST", headers: { "HX-Request": "true", "X-CSRFToken": kbToken() }, body: new URLSearchParams({ at_once: "1" }) };
    const answer = await fetch(address, sent).catch(() => null);
    if (!answer) return kbSay("offline");
    if (answer.status === 401) return kbSignedOut();
    if (!answer.ok) return htmx.ajax("GET", address, { target: "#dialog-body" }); // where it is said what to do
    const holder = document.createElement("template");
    holder.innerHTML = await answer.text(); // the server escaped it
    return kbToast(holder.content);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-keep]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    link.closest("dialog")?.close();
    keep(link.href);
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

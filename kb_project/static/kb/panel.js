// Beside the text of a document: who cites the provision in view, what it refers to, and its history.
"use strict";

(() => {
  const panel = document.querySelector("[data-panel]");
  const hasRoom = window.matchMedia("(min-width: 76rem)");
  const STILL_MS = 400; // in view for so long: whoever scrolls past asks for nothing
  const citing = new Map(); // address: promise of its HTML
  let shown = null;
  let timer = 0;

  function linesOf(head) {
    const lines = [];
    for (let line = head.nextElementSibling; line && !line.matches(".provision-head"); line = line.nextElementSibling) {
      lines.push(line);
    }
    return lines;
  }

  function refersTo(head) {
    const links = linesOf(head).flatMap((line) => [...line.querySelectorAll("a.reference")]);
    return [...new Map(links.map((link) => [link.href, link.textContent])).entries()];
  }

  async function citedBy(head) {
    const link = head.querySelector("[data-cited-by]");
    if (!link) return "";
    if (!citing.has(link.href)) {
      citing.set(link.href, kbFetch(link.href).then((response) => (response.ok ? response.text() : "")));
    }
    return citing.get(link.href); // the server escaped all text of documents
  }

  function part(name) {
    return panel.querySelector(`[data-${name}]`);
  }

  async function show(head) {
    const html = await citedBy(head);
    if (shown !== head) return; // gone on meanwhile
    part("name").textContent = head.dataset.cited;
    kbExport(panel, `provisions/${encodeURIComponent(head.id)}`);
    const frame = part("citing");
    frame.innerHTML = html;
    for (const one of frame.querySelectorAll("[id], [aria-labelledby]")) { // the dialog may hold the same
      one.removeAttribute("id");
      one.removeAttribute("aria-labelledby");
    }
    part("nobody").hidden = Boolean(html);
    const places = refersTo(head);
    part("refers").hidden = !places.length;
    part("places").replaceChildren(...places.map(([href, textContent]) => {
      const item = document.createElement("li");
      item.append(Object.assign(document.createElement("a"), { href, textContent }));
      return item;
    }));
    const past = part("past");
    if (past) past.href = `${past.pathname}?${new URLSearchParams({ eid: head.id })}`;
    const watch = part("watch");
    if (watch) watch.elements.eid.value = head.id;
    panel.hidden = false;
    if (alike.open) await showSimilar(head);
  }

  // Provisions that say nearly the same, once somebody wants them.
  const alike = panel.querySelector("[data-similar]");
  const similar = new Map(); // address: promise of what is found
  async function showSimilar(head) {
    const address = alike.dataset.similar.replace("/0", `/${encodeURIComponent(head.id)}`);
    if (!similar.has(address)) similar.set(address, kbFetch(address).then((response) => (response.ok ? response.json() : { results: [] })));
    const { results } = await similar.get(address);
    if (shown !== head) return;
    alike.querySelector("[data-none]").hidden = results.length > 0;
    alike.querySelector("ul").replaceChildren(...results.map(({ provision, source }) => {
      const item = document.createElement("li");
      const link = Object.assign(document.createElement("a"), { className: "t", href: `/documents/${source.id}/#${provision.eid}` });
      link.textContent = [provision.number, provision.heading].filter(Boolean).join(" ") || source.title;
      item.append(link, Object.assign(document.createElement("p"), { className: "row", textContent: source.title || source.identifier }));
      item.dir = "auto";
      return item;
    }));
  }
  alike.addEventListener("toggle", () => { if (alike.open && shown) showSimilar(shown).catch(() => {}); });

  // There and back with one key.
  document.addEventListener("kb:panel", ({ detail: head }) => {
    if (panel.hidden) return;
    (panel.contains(document.activeElement) ? head : panel)?.focus({ preventScroll: true });
  });

  document.addEventListener("kb:in-view", ({ detail: head }) => {
    if (!head || !hasRoom.matches) return;
    shown = head;
    clearTimeout(timer);
    timer = setTimeout(() => show(head).catch(() => {}), STILL_MS);
  });
})();

// What is copied from a text, an answer or a result takes along where it stands, which day it holds for, and its address.
"use strict";

(() => {
  const LEAST = 20; // characters: less is copied as it is
  const MOST = 20; // places that are named
  const NOT_COPIED = ".unseen, .cited-by, button, template, [hidden]";

  /** Whether something of an element is selected. */
  function holds(range, element) {
    const inside = document.createRange();
    inside.selectNodeContents(element);
    if (inside.compareBoundaryPoints(Range.START_TO_START, range) < 0) inside.setStart(range.startContainer, range.startOffset);
    if (inside.compareBoundaryPoints(Range.END_TO_END, range) > 0) inside.setEnd(range.endContainer, range.endOffset);
    return inside.toString().trim() !== "";
  }
  const selected = (range, selector) => [...document.querySelectorAll(selector)].filter((one) => range.intersectsNode(one) && holds(range, one));
  const named = (cited, day) => (day ? `${cited} (${day})` : cited);
  const absolute = (address) => new URL(address, location.href).href;

  /** The provisions of a document from the first to the last of which something is selected. */
  function ofDocument(range) {
    const heads = [...document.querySelectorAll(".document-text .provision-head")];
    const between = document.createRange();
    const isSaid = (from, to) => {
      between.setStart(...from);
      between.setEnd(...to);
      return between.toString().trim() !== "";
    };
    const begins = [range.startContainer, range.startOffset];
    const inside = heads.filter((head) => !range.comparePoint(head, 0) && isSaid([head, 0], [range.endContainer, range.endOffset]));
    const before = heads.filter((head) => range.comparePoint(head, 0) < 0).pop();
    const first = inside.length && !isSaid(begins, [inside[0], 0]) ? inside[0] : before;
    const page = location.origin + location.pathname;
    if (!first) return [{ words: document.querySelector("h1").textContent.trim(), href: page }];
    const last = inside[inside.length - 1] || first;
    const cited = first === last ? first.dataset.cited : `${first.dataset.cited} – ${last.dataset.cited}`;
    return [{ words: named(cited, first.dataset.holds), href: `${page}#${first.id}` }];
  }

  function ofQuote(item) {
    const parts = [...item.querySelectorAll(".citation-source, .citation-place, .days:not(.in_force, .undated)")].map((one) => one.textContent.trim());
    const words = `[${item.id.replace("citation-", "")}] ${parts.filter(Boolean).join(", ")}`;
    return { words, href: item.querySelector("a").href };
  }

  /** The quotes whose numbers are selected, or else that of the next number, which stands behind what it supports. */
  function ofAnswer(range, text) {
    const numbers = [...text.querySelectorAll(".cite")];
    const inside = numbers.filter((one) => range.intersectsNode(one));
    const next = numbers.find((one) => range.comparePoint(one, 0) > 0);
    return (inside.length ? inside : [next]).filter(Boolean).map((link) => {
      const item = !link.closest("[data-earlier]") && document.getElementById(`citation-${parseInt(link.textContent.slice(1), 10)}`);
      return item ? ofQuote(item) : { words: `${link.textContent} ${link.getAttribute("aria-label") || ""}`, href: link.href };
    });
  }

  function places(range) {
    const text = document.querySelector(".document-text");
    if (text && range.intersectsNode(text)) return ofDocument(range);
    const found = [
      ...selected(range, ".answer-text").flatMap((one) => ofAnswer(range, one)),
      ...selected(range, ".citations > li").map(ofQuote),
      ...selected(range, ".hit").map((hit) => ({ words: named(hit.dataset.cited, hit.dataset.holds), href: hit.querySelector("h3 a").href })),
    ];
    return [...new Map(found.map((one) => [one.words + one.href, one])).values()].slice(0, MOST);
  }

  /** What is selected, without what is there to be pressed. */
  function pieceOf(range) {
    const piece = document.createElement("div");
    const place = range.commonAncestorContainer;
    piece.dir = getComputedStyle(place.nodeType === Node.ELEMENT_NODE ? place : place.parentElement).direction;
    piece.append(range.cloneContents());
    for (const one of piece.querySelectorAll(NOT_COPIED)) one.remove();
    for (const one of piece.querySelectorAll("[class]")) one.removeAttribute("class"); // a number may float beside its heading
    for (const link of piece.querySelectorAll("a[href]")) link.setAttribute("href", absolute(link.getAttribute("href")));
    return piece;
  }

  function asText(piece, cited) {
    document.body.append(piece); // only what is in the page has lines
    const said = piece.innerText.trim();
    piece.remove();
    return [said, ...cited.map(({ words, href }) => `${words}\n${href}`)].join("\n\n");
  }

  function asHtml(piece, cited) {
    const names = cited.map(({ words, href }) => {
      const line = Object.assign(document.createElement("p"), { dir: "auto", textContent: words });
      line.append(document.createElement("br"), Object.assign(document.createElement("a"), { href, textContent: href }));
      return line.outerHTML;
    });
    return piece.outerHTML + names.join("");
  }

  document.addEventListener("copy", (event) => {
    const selection = getSelection();
    const target = event.target.closest ? event.target : event.target.parentElement;
    if (event.defaultPrevented || !selection.rangeCount || target?.closest("input, textarea, dialog")) return;
    if ([...selection.toString().trim()].length < LEAST) return;
    const range = selection.getRangeAt(0);
    const cited = places(range);
    if (!cited.length) return;
    const piece = pieceOf(range);
    event.clipboardData.setData("text/plain", asText(piece, cited));
    event.clipboardData.setData("text/html", asHtml(piece, cited));
    event.preventDefault();
  });
})();

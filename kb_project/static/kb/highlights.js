// Words that a person marked: shown in the text, listed beside it, made and changed by hand or by keys. They are drawn
// over the text where the browser can do that, so that links, definitions and numbers stay what they are.
"use strict";

(() => {
  const root = document.querySelector("[data-highlights-url]");
  if (!root) return;
  const said = root.dataset;
  const body = root.querySelector(".document-text");
  const find = (selector) => document.querySelector(selector);
  const COLOURS = ["yellow", "blue"];
  const AT_ONCE = 200;
  const MAX_WORDS_LENGTH = 2000;
  const MAX_LISTED_LENGTH = 160;

  let all = []; // as the API gives them
  let isOn = true;
  let inView = null; // the head of the provision

  async function send(method, address, sent) {
    const headers = { "X-CSRFToken": kbToken(), "KB-Screen-Language": document.documentElement.lang };
    if (sent) headers["Content-Type"] = "application/json";
    const answer = await fetch(address, { method, headers, body: sent && JSON.stringify(sent) }).catch(() => null);
    if (answer?.ok) return answer.status === 204 ? null : answer.json();
    if (answer?.status === 401) kbSignedOut();
    const problem = await answer?.json().catch(() => null);
    throw new Error(problem?.detail || said.saidFailed);
  }

  async function load() {
    const found = [], known = new Set(all);
    for (let count = 1; found.length < count;) {
      const query = new URLSearchParams({ source_id: said.document, limit: AT_ONCE, offset: found.length });
      const page = await send("GET", `${said.highlightsUrl}?${query}`);
      found.push(...page.results);
      count = page.results.length ? page.count : 0;
    }
    const isNew = (one) => !known.has(one) && found.every((other) => other.id !== one.id); // made while it loaded
    all = [...found, ...all.filter(isNew)];
    show();
  }

  // --- the text, by the characters of the document ---------------------------------------------------------------------
  const lengths = new WeakMap();
  const lengthOf = (text) => [...text].length;
  /** The lines that have come, in the order of the document: a number may be shown before its heading. */
  function linesNow() {
    const found = [...body.querySelectorAll("[data-loaded] [data-at]")].map((element) => {
      if (!lengths.has(element)) lengths.set(element, lengthOf(element.textContent));
      const at = Number(element.dataset.at);
      return { element, at, end: at + lengths.get(element) };
    });
    return found.sort((one, other) => one.at - other.at);
  }

  /** The node and the place in it of a character of a line. */
  function point(element, character) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let left = character;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const letters = [...node.data];
      if (left <= letters.length) return [node, letters.slice(0, left).join("").length];
      left -= letters.length;
    }
    return [element, element.childNodes.length];
  }

  function rangesOf({ place }, lines = linesNow()) {
    if (!place) return [];
    return lines.filter((line) => line.at < place.end && place.start < line.end).map((line) => {
      const range = document.createRange();
      range.setStart(...point(line.element, Math.max(place.start - line.at, 0)));
      range.setEnd(...point(line.element, Math.min(place.end, line.end) - line.at));
      return range;
    });
  }

  function paint() {
    const lines = isOn && all.length ? linesNow() : [];
    for (const colour of COLOURS) {
      const ranges = all.filter((one) => one.colour === colour).flatMap((one) => rangesOf(one, lines));
      if ("highlights" in CSS) CSS.highlights.set(`kb-${colour}`, new Highlight(...ranges));
    }
    if (!("highlights" in CSS)) paintElements(lines);
  }
  /** For browsers that draw nothing over a text: elements in it, which are taken out before they are made anew. */
  function paintElements(lines) {
    for (const old of body.querySelectorAll("mark[data-mark]")) {
      const line = old.parentElement;
      old.replaceWith(...old.childNodes);
      line.normalize();
    }
    for (const one of all) for (const range of rangesOf(one, lines)) wrap(range, one.colour);
  }
  function wrap(range, colour) {
    const walker = document.createTreeWalker(range.commonAncestorContainer.parentElement, NodeFilter.SHOW_TEXT);
    const nodes = [];
    while (walker.nextNode()) if (range.intersectsNode(walker.currentNode)) nodes.push(walker.currentNode);
    const { startContainer, startOffset, endContainer, endOffset } = range;
    for (const node of nodes) {
      const piece = document.createRange();
      piece.setStart(node, node === startContainer ? startOffset : 0);
      piece.setEnd(node, node === endContainer ? endOffset : node.length);
      if (piece.collapsed) continue;
      const mark = Object.assign(document.createElement("mark"), { className: colour });
      mark.dataset.mark = "";
      piece.surroundContents(mark);
    }
  }
  let isWaiting = false;
  function paintSoon() {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      paint();
    });
  }
  document.addEventListener("kb:text", paintSoon); // a part has come, or a definition is a link now

  // --- what is listed ----------------------------------------------------------------------------------------------------
  const list = find("[data-mark-list]");
  const beside = find("[data-marks-beside]");
  const opener = find("[data-key=l]");
  const byPlace = (one, other) => (one.place?.start ?? Infinity) - (other.place?.start ?? Infinity);
  const shorten = (text) => (text.length > MAX_LISTED_LENGTH ? `${text.slice(0, MAX_LISTED_LENGTH)} …` : text);

  function item(one) {
    const row = find("[data-mark-item]").content.firstElementChild.cloneNode(true);
    const link = row.querySelector("a");
    link.href = one.place ? `#${one.eid}` : `/documents/${one.source_id}/#${one.eid}`; // there the old words still are
    Object.assign(row.querySelector("mark"), { className: one.colour, textContent: shorten(one.exact) });
    row.querySelector("[data-mark-note]").textContent = one.note;
    row.querySelector("[data-mark-cited]").textContent = one.cited;
    const reason = row.querySelector("[data-mark-reason]");
    reason.textContent = one.reason;
    reason.hidden = one.status === "stands";
    const button = row.querySelector("button");
    button.setAttribute("aria-label", `${button.textContent}: ${shorten(one.exact)}`);
    button.addEventListener("click", () => edit(one));
    if (one.place) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        list.close();
        reach(one);
      });
    }
    return row;
  }
  async function reach({ place }) {
    await kbReading.reach(place.start);
    const line = linesNow().findLast(({ at }) => at <= place.start)?.element;
    if (!line) return;
    if (!line.matches("a")) line.tabIndex = -1;
    line.focus({ preventScroll: true });
  }
  function showBeside() {
    if (!beside) return;
    const isIn = (one) => one.place && inView && `${one.eid}__`.startsWith(`${inView.id}__`);
    const shown = [...all.filter(isIn), ...all.filter((one) => !one.place)];
    beside.querySelector("ul").replaceChildren(...shown.map(item));
    beside.hidden = !shown.length;
  }
  function show() {
    all.sort(byPlace);
    list.querySelector("ul").replaceChildren(...all.map(item));
    showBeside();
    opener.hidden = opener.disabled = !all.length;
    opener.querySelector(".count").textContent = all.length;
    const toggle = root.querySelector("[data-highlights]");
    if (all.length) toggle.hidden = false;
    paint();
  }
  opener.addEventListener("click", () => { if (!list.open) list.showModal(); });
  document.addEventListener("kb:in-view", ({ detail }) => {
    inView = detail;
    showBeside();
  });
  document.addEventListener("kb:highlights", ({ detail }) => {
    isOn = detail;
    paint();
  });
  // A print is the law as others have it.
  window.addEventListener("beforeprint", () => { for (const colour of COLOURS) CSS.highlights?.delete(`kb-${colour}`); });
  window.addEventListener("afterprint", paint);

  // --- choosing words ----------------------------------------------------------------------------------------------------
  /** Pieces of the text as one, with the character of the document that each of its places is. */
  function joined(pieces) {
    let text = "";
    const places = [];
    for (const { at, text: piece } of pieces) {
      const last = places.at(-1);
      if (last && last.end !== at) text += "\n";
      places.push({ from: text.length, at, end: at + lengthOf(piece) });
      text += piece;
    }
    const placeOf = (offset) => {
      const last = places.findLast(({ from }) => from <= offset);
      return last ? last.at + lengthOf(text.slice(last.from, offset)) : 0;
    };
    return { text, placeOf };
  }
  function cut({ element, at }, chosen) {
    const piece = document.createRange();
    piece.selectNodeContents(element);
    const before = piece.cloneRange();
    if (before.comparePoint(chosen.endContainer, chosen.endOffset) === 0) piece.setEnd(chosen.endContainer, chosen.endOffset);
    if (before.comparePoint(chosen.startContainer, chosen.startOffset) === 0) piece.setStart(chosen.startContainer, chosen.startOffset);
    before.setEnd(piece.startContainer, piece.startOffset);
    return { at: at + lengthOf(before.toString()), text: piece.toString() };
  }
  function selected() {
    const selection = getSelection();
    if (selection.isCollapsed || !selection.rangeCount) return null;
    const chosen = selection.getRangeAt(0);
    if (!chosen.intersectsNode(body)) return null;
    const pieces = linesNow().filter(({ element }) => chosen.intersectsNode(element)).map((line) => cut(line, chosen));
    const { text, placeOf } = joined(pieces.filter(({ text: piece }) => piece));
    return text.trim() ? { exact: text, start: placeOf(0) } : null;
  }
  /** The lines of a provision, or without one those that are in the window. */
  function linesOf(head) {
    const lines = linesNow();
    const first = head ? lines.findIndex(({ element }) => head.contains(element)) : -1;
    if (first < 0) {
      return lines.filter(({ element }) => {
        const { top, bottom } = element.getBoundingClientRect();
        return bottom > 0 && top < window.innerHeight;
      });
    }
    const isNext = ({ element }) => { const other = element.closest(".provision-head"); return other && other !== head; };
    const length = lines.slice(first).findIndex(isNext);
    return length < 0 ? lines.slice(first) : lines.slice(first, first + length);
  }

  const dialog = find("[data-mark-dialog]");
  const form = dialog.querySelector("form");
  const chooser = dialog.querySelector("textarea");
  const { colour: colours, note } = form.elements;
  let subject = null; // what is being made or changed
  let toChoose = null;

  function open(one) {
    subject = one;
    dialog.querySelector("[data-mark-error]").hidden = true;
    dialog.querySelector("[data-mark-words]").textContent = one.exact || "";
    dialog.querySelector("[data-mark-words]").hidden = !one.exact;
    dialog.querySelector("[data-mark-choose]").hidden = Boolean(one.exact);
    dialog.querySelector("[data-mark-remove]").hidden = !one.id;
    colours.value = one.colour || colours.value;
    note.value = kbDrafts.read(draftOf(one)) ?? one.note ?? "";
    list.close();
    if (!dialog.open) dialog.showModal();
    (one.exact ? note : chooser).focus();
  }
  const edit = (one) => open(one);
  const draftOf = (one) => `mark-${said.document}-${one.id ?? one.exact?.slice(0, 100) ?? ""}`; // of the note that is typed
  note.addEventListener("input", () => kbDrafts.keep(draftOf(subject), note.value));
  function choose(head) {
    toChoose = joined(linesOf(head).map(({ element, at }) => ({ at, text: element.textContent })));
    chooser.value = toChoose.text;
    open({});
    const { length } = chooser.value;
    chooser.setSelectionRange(0, length <= MAX_WORDS_LENGTH ? length : chooser.value.indexOf("\n"));
  }
  chooser.addEventListener("beforeinput", (event) => event.preventDefault()); // read, but with a caret

  const tip = find("[data-mark-tip]");
  tip.querySelector("button").addEventListener("click", () => {
    const words = selected();
    tip.hidden = true;
    if (words) open(words);
    else choose(inView);
  });
  tip.addEventListener("pointerdown", (event) => event.preventDefault()); // the selection stays
  let resting = 0;
  document.addEventListener("selectionchange", () => {
    clearTimeout(resting);
    resting = setTimeout(() => {
      const isOpen = find("dialog[open]");
      tip.hidden = Boolean(isOpen) || !selected();
      if (tip.hidden) return;
      Object.assign(tip.style, { width: "auto", padding: "0" });
      const { left, bottom } = getSelection().getRangeAt(0).getBoundingClientRect();
      const most = document.documentElement.clientWidth - tip.offsetWidth - 8;
      tip.style.left = `${Math.max(8, Math.min(left, most)) + window.scrollX}px`;
      tip.style.top = `${bottom + 8 + window.scrollY}px`;
    }, 200);
  });
  find("[data-mark-provision]")?.addEventListener("click", ({ target }) => {
    const menu = target.closest("dialog");
    menu.close();
    choose(document.getElementById(menu.dataset.eid));
  });
  body.addEventListener("click", (event) => {
    if (event.target.closest("a, button") || !getSelection().isCollapsed || !isOn) return;
    const lines = linesNow();
    const holds = ({ left, right, top, bottom }) =>
      left <= event.clientX && event.clientX <= right && top <= event.clientY && event.clientY <= bottom;
    const one = all.find((mark) => rangesOf(mark, lines).some((range) => [...range.getClientRects()].some(holds)));
    if (one) edit(one);
  });

  // --- keeping -----------------------------------------------------------------------------------------------------------
  const undo = root.querySelector("[data-mark-undo]");
  let removed = null;
  /** Offer to take a removal back, or not any more. */
  function offer(one) {
    removed = one;
    undo.hidden = undo.querySelector("button").disabled = !one;
  }
  const announce = (text) => { root.querySelector("[data-announce]").textContent = text; };

  async function attempt(action) {
    try {
      await action();
      dialog.close();
    } catch (error) {
      Object.assign(dialog.querySelector("[data-mark-error]"), { textContent: error.message, hidden: false });
    }
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const kept = { colour: colours.value, note: note.value };
    const draft = draftOf(subject);
    attempt(async () => {
      if (subject.id) Object.assign(subject, kept, await send("PATCH", `${said.highlightsUrl}/${subject.id}`, kept), { eid: subject.eid });
      else {
        const from = chooser.selectionStart;
        const words = subject.exact ? subject
          : { exact: chooser.value.slice(from, chooser.selectionEnd), start: toChoose.placeOf(from) };
        const made = await send("POST", said.highlightsUrl, { source_id: Number(said.document), ...words, ...kept });
        all.push(made);
      }
      kbDrafts.drop(draft);
      offer(null);
      show();
      announce(said.saidSaved);
    });
  });
  dialog.querySelector("[data-mark-remove]").addEventListener("click", () => attempt(async () => {
    await send("DELETE", `${said.highlightsUrl}/${subject.id}`);
    all = all.filter((one) => one !== subject);
    offer(subject);
    show();
  }));
  undo.querySelector("button").addEventListener("click", async () => {
    const { source_id, exact, prefix, suffix, colour, note: text } = removed;
    try {
      await send("POST", said.highlightsUrl, { source_id, exact, prefix, suffix, colour, note: text });
      offer(null);
      await load();
    } catch (error) {
      announce(error.message);
    }
  });

  load().catch((error) => announce(error.message));
})();

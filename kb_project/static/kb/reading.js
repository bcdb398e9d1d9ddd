// The reading page: a text whose parts come one after another, contents that follow, find, copy, pictures.
"use strict";

(() => {
  const root = document.querySelector("[data-document]");
  if (!root) return;
  const said = root.dataset;
  const body = root.querySelector(".document-text");
  const NEAR_PX = 1500; // parts this near to the window are fetched
  const LINE_CHARACTERS = 70;
  const LINE_PX = 27;

  const partNumber = (part) => Number(part.dataset.part);
  const partsNow = () => [...body.querySelectorAll("[data-part]")];
  const partOf = (number) => body.querySelector(`[data-part="${number}"]`);
  const tellOfText = () => document.dispatchEvent(new Event("kb:text"));
  const announce = (text) => { root.querySelector("[data-announce]").textContent = text; };

  // --- parts -------------------------------------------------------------------------------------------------------
  const coming = new Map(); // number: promise of the loaded part

  function address(parameters) {
    const query = new URLSearchParams(parameters);
    if (said.query) query.set("q", said.query);
    if (said.quote) query.set("quote", said.quote);
    return `${said.partUrl}?${query}`;
  }

  async function fetched(parameters) {
    const response = await kbFetch(address(parameters));
    if (!response.ok) throw new Error(response.status);
    return partsIn(await response.text());
  }
  function fetchedAtOnce(parameters) {
    const request = new XMLHttpRequest();
    request.open("GET", address(parameters), false);
    request.send();
    if (request.status !== 200) throw new Error(request.status);
    return partsIn(request.responseText);
  }
  function partsIn(html) {
    const holder = document.createElement("template");
    holder.innerHTML = html; // the server escaped all text of the document
    return [...holder.content.querySelectorAll("[data-part]")];
  }

  function put(part) {
    const place = partOf(part.dataset.part);
    if ("loaded" in place.dataset) return place;
    part.style.containIntrinsicBlockSize = `auto ${place.style.minBlockSize}`; // until it is drawn
    place.replaceWith(part);
    paint();
    tellOfText();
    return part;
  }

  function load(number) {
    const place = partOf(number);
    if (!place) return Promise.reject(new Error("no such part"));
    if ("loaded" in place.dataset) return Promise.resolve(place);
    if (!coming.has(number)) {
      coming.set(number, fetched({ part: number }).then(([part]) => put(part)).finally(() => coming.delete(number)));
    }
    return coming.get(number);
  }

  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      load(partNumber(target)).catch(() => near.observe(target));
    }
  }, { rootMargin: `${NEAR_PX}px 0px` });
  for (const part of partsNow()) {
    if ("loaded" in part.dataset) continue;
    const lines = (Number(part.dataset.end) - Number(part.dataset.at)) / LINE_CHARACTERS;
    part.style.minBlockSize = `${Math.round(lines * LINE_PX)}px`;
    near.observe(part);
  }

  // The browser's own find and its print see what is in the page: so all of it comes, if nobody scrolls that far either.
  const firstMissing = () => partsNow().find((part) => !("loaded" in part.dataset));
  const AT_ONCE = 8;
  const fromHere = (part) => ({ part: partNumber(part), to: Math.min(partNumber(part) + AT_ONCE - 1, partsNow().length) });
  const breath = () => new Promise((resolve) => { setTimeout(resolve); }); // who scrolls meanwhile comes first
  const rest = root.querySelector("[data-rest]");
  let whole = null;
  async function loadAll() {
    for (let part = firstMissing(); part; part = firstMissing()) {
      for (const one of await fetched(fromHere(part))) {
        put(one);
        await breath();
      }
    }
  }
  const wholeText = () => {
    const done = (error) => { rest.hidden = !error; if (error) whole = null; };
    whole ||= loadAll().then(() => done(), done);
    return whole;
  };
  // However it was asked for, a print waits for no promise. What does not come says so on the paper.
  window.addEventListener("beforeprint", () => {
    try {
      for (let part = firstMissing(); part; part = firstMissing()) fetchedAtOnce(fromHere(part)).forEach(put);
      rest.hidden = true;
    } catch {
      rest.hidden = false;
    }
  });

  // What one goes to stands below what stays in view: the bar, whose height depends on its lines, or only the name.
  const name = root.querySelector("[data-where]");
  const bars = [root.querySelector(".document-bar"), name, root.querySelector(".find")];
  const title = name.textContent; // until the first section
  const MARGIN_PX = 12;
  const isStuck = (bar) => getComputedStyle(bar).position === "sticky";
  const stuck = () => bars.filter(isStuck).reduce((height, bar) => height + bar.offsetHeight, 0);
  const leaveRoom = () => body.style.setProperty("--bar", `${stuck() + MARGIN_PX}px`);
  const resized = new ResizeObserver(leaveRoom);
  for (const bar of bars) resized.observe(bar);
  leaveRoom();

  // --- going to a place --------------------------------------------------------------------------------------------
  let chosen = null;
  function place(element) {
    const mark = said.quote && body.querySelector("mark");
    (mark || element).scrollIntoView({ block: mark ? "center" : "start" });
  }
  function show(element) {
    if (chosen) chosen.classList.remove("chosen");
    chosen = element.closest(".provision-head") || element;
    while (chosen.matches(".anchor") && chosen.nextElementSibling) chosen = chosen.nextElementSibling;
    chosen.classList.add("chosen");
    place(element);
    if (element.tabIndex === -1) element.focus({ preventScroll: true });
    follow();
    if (chosen.matches(".provision-head")) tellInView(chosen); // the last of a text cannot come to the top
  }

  async function goTo(eid) {
    root.querySelector("[data-gone]").hidden = true;
    let element = document.getElementById(eid);
    if (!element || !body.contains(element)) {
      try {
        const part = put((await fetched({ eid }))[0]);
        element = document.getElementById(eid) || part;
      } catch {
        const gone = root.querySelector("[data-gone]");
        gone.hidden = false;
        announce(gone.textContent);
        return;
      }
    }
    const before = element.closest("[data-part]").previousElementSibling;
    if (before) await load(partNumber(before)).catch(() => {}); // what comes above must not push it away
    show(element);
  }

  const hash = () => decodeURIComponent(location.hash.slice(1));
  async function arrive() {
    if (hash()) await goTo(hash());
    else if (said.page) {
      const page = document.getElementById(`page-${said.page}`);
      if (page) show(page);
    } else if (said.start) {
      const line = lineAt(Number(said.start));
      if (line) show(line);
    } else if (said.quote) {
      const mark = body.querySelector("mark");
      if (mark) mark.scrollIntoView({ block: "center" });
    }
  }
  window.addEventListener("hashchange", arrive);

  // --- contents ----------------------------------------------------------------------------------------------------
  const contents = root.querySelector("[data-contents]");
  const list = root.querySelector("[data-contents-list]");
  const wide = window.matchMedia("(min-width: 60rem)");
  const fold = () => { contents.open = wide.matches; contents.classList.add("folded"); };
  wide.addEventListener("change", fold);
  fold();

  root.querySelector("[data-to-contents]").addEventListener("click", () => {
    contents.open = true;
    contents.scrollIntoView();
    contents.querySelector("summary").focus({ preventScroll: true });
  });
  list.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-eid]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", `${location.pathname}${location.search}#${link.dataset.eid}`);
    if (!wide.matches) contents.open = false;
    load(Number(link.dataset.inPart)).catch(() => {}).then(() => goTo(link.dataset.eid));
  });
  root.querySelector("[data-filter-contents]").addEventListener("input", (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    for (const item of list.querySelectorAll("li")) item.hidden = !item.textContent.toLowerCase().includes(wanted);
  });

  let viewed = null; // the head of the section in view
  function tellInView(head) {
    viewed = head;
    document.dispatchEvent(new CustomEvent("kb:in-view", { detail: head }));
  }
  /** How many of some things, in order, are so: by halves, as a law may have thousands. */
  function countAbove(things, isSo) {
    let above = 0;
    for (let below = things.length; above < below;) {
      const middle = (above + below) >> 1;
      if (isSo(things[middle])) above = middle + 1;
      else below = middle;
    }
    return above;
  }

  let current = "";
  const heads = body.getElementsByClassName("provision-head"); // as they are at each moment, in order
  function follow() {
    const top = stuck() + MARGIN_PX + 1;
    // The part first: to ask for the place of a head has the browser lay out all of its part, in view or not.
    const isAbove = (element) => element.getBoundingClientRect().top <= top;
    const parts = [...body.children];
    let last = null;
    for (let at = countAbove(parts, isAbove) - 1, isFirst = true; at >= 0 && !last; at -= 1, isFirst = false) {
      const inside = parts[at].getElementsByClassName("provision-head");
      last = inside[(isFirst ? countAbove(inside, isAbove) : inside.length) - 1] || null;
    }
    const eid = last ? last.id : "";
    if (eid === current) return;
    current = eid;
    tellInView(last);
    name.textContent = last ? last.querySelector("h2, h3").textContent.trim() || last.dataset.cited : title;
    mark();
  }
  function mark() {
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const link = current && list.querySelector(`a[data-eid="${CSS.escape(current)}"]`);
    if (!link) return;
    link.setAttribute("aria-current", "location");
    const frame = contents.getBoundingClientRect();
    const { top, bottom } = link.getBoundingClientRect();
    if (wide.matches && (top < frame.top || bottom > frame.bottom)) contents.scrollTop += top - frame.top - frame.height / 3;
  }
  let waiting = false;
  document.addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      follow();
    });
  }, { passive: true });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target === list) mark();
  });

  // --- find --------------------------------------------------------------------------------------------------------
  const form = root.querySelector("[data-find]");
  let found = { text: "", places: [], length: 0, at: -1 };

  /** The range of some characters of the document, if its line is loaded. The server counts characters. */
  function rangeOf(at, length) {
    const line = lineAt(at);
    if (!line) return null;
    const range = document.createRange();
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    let left = at - Number(line.dataset.at);
    let started = false;
    while (walker.nextNode()) {
      const letters = [...walker.currentNode.data];
      while (!started && left <= letters.length) {
        range.setStart(walker.currentNode, letters.slice(0, left).join("").length);
        started = true;
        left += length;
      }
      if (started && left <= letters.length) {
        range.setEnd(walker.currentNode, letters.slice(0, left).join("").length);
        return range;
      }
      left -= letters.length;
    }
    return null;
  }
  function lineAt(at) {
    const part = partsNow().find((one) => Number(one.dataset.at) <= at && at < Number(one.dataset.end));
    if (!part || !("loaded" in part.dataset)) return null;
    return [...part.querySelectorAll("[data-at]")].filter((line) => Number(line.dataset.at) <= at).pop() || null;
  }
  function paint() {
    if (!("highlights" in CSS)) return;
    const ranges = found.places.map((at) => rangeOf(at, found.length)).filter(Boolean);
    CSS.highlights.set("kb-found", new Highlight(...ranges));
    const here = found.at >= 0 && rangeOf(found.places[found.at], found.length);
    CSS.highlights.set("kb-found-here", here ? new Highlight(here) : new Highlight());
  }

  // What the document defines is a link where a provision uses it first, once that is in view for a while.
  const STILL_MS = 400;
  const defined = new Set(); // addresses of provisions that were asked for
  let resting = 0;
  async function defineTerms(head) {
    if (!head || defined.has(head.id)) return;
    defined.add(head.id);
    const response = await fetch(`${said.definitionsUrl}?${new URLSearchParams({ eid: head.id })}`);
    if (!response.ok) return;
    const { uses } = await response.json();
    for (const { at, length, text, eid } of uses.reverse()) { // the last first: what comes before keeps its place
      const range = rangeOf(at, length);
      if (!range || range.startContainer !== range.endContainer || range.startContainer.parentElement.closest("a, dfn")) continue;
      const link = Object.assign(document.createElement("a"), { className: "term", href: `#${eid}` });
      link.dataset.told = text;
      range.surroundContents(link);
    }
    tellOfText();
  }
  document.addEventListener("kb:in-view", ({ detail: head }) => {
    clearTimeout(resting);
    resting = setTimeout(() => defineTerms(head).catch(() => {}), STILL_MS);
  });

  async function find(step) {
    const text = form.elements.text.value.trim();
    const count = root.querySelector("[data-found-count]");
    if (text !== found.text) {
      found = { text, places: [], length: 0, at: -1 };
      if (text) {
        const response = await kbFetch(`${said.findUrl}?${new URLSearchParams({ text })}`);
        if (!response.ok) {
          count.textContent = said.saidFailed;
          return;
        }
        found = { text, at: -1, ...(await response.json()) };
      }
      if (found.places.length && step > 0) {
        const top = lineInView();
        const after = found.places.findIndex((at) => at >= top);
        found.at = after < 0 ? -1 : after - 1;
      }
    }
    if (!found.places.length) {
      count.textContent = text ? said.saidNone : "";
      paint();
      return;
    }
    found.at = (found.at + step + found.places.length) % found.places.length;
    const at = found.places[found.at];
    await reach(at);
    paint();
    const many = found.more ? `${found.places.length}+` : found.places.length;
    count.textContent = said.saidFound.replace("{n}", found.at + 1).replace("{count}", many);
  }
  /** Bring a character of the document into view, with the part that has it, and the one above that would push it away. */
  async function reach(at) {
    const part = partsNow().find((one) => Number(one.dataset.at) <= at && at < Number(one.dataset.end));
    if (part) {
      const number = partNumber(part);
      await load(number).catch(() => {});
      if (number > 1) await load(number - 1).catch(() => {});
    }
    lineAt(at)?.scrollIntoView({ block: "center" });
  }
  window.kbReading = { reach };
  function lineInView() {
    const lines = [...body.querySelectorAll("[data-loaded] [data-at]")];
    const line = lines.find((one) => one.getBoundingClientRect().bottom > 0);
    return line ? Number(line.dataset.at) : 0;
  }
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    find(1);
  });
  form.querySelector("[data-previous]").addEventListener("click", () => find(-1));

  // --- copy --------------------------------------------------------------------------------------------------------
  const dialog = document.querySelector("[data-provision-dialog]");
  const [style, own] = dialog.querySelectorAll("[data-style], [data-own-style]");
  let subject = null;
  // The style is kept in this browser, and is that of the key too.
  const kept = JSON.parse(localStorage.getItem("kb-style") || "{}");
  style.value = kept.style ?? style.value;
  own.value = kept.own || own.value;
  own.hidden = Boolean(style.value);
  for (const field of [style, own]) field.addEventListener("change", () => {
    own.hidden = Boolean(style.value);
    localStorage.setItem("kb-style", JSON.stringify({ style: style.value, own: own.value }));
  });
  /** How a provision is cited in the style that was chosen. What the document does not have is left out with its comma. */
  function citedAs(head, link) {
    const { cited, place, holds } = head.dataset;
    const fields = { cited, place: place || cited, title: said.title, identifier: said.identifier, link };
    const filled = (style.value || own.value).replace(/(,? ?)(\(?)\{(\w+)\}(\)?)/g, (all, comma, open, name, close) =>
      (name in fields ? (fields[name] ? comma + open + fields[name] + close : "") : all));
    return holds ? `${filled} (${holds})` : filled; // whoever pastes an old text sees that it is one
  }
  body.addEventListener("click", (event) => {
    const menu = event.target.closest("[data-menu]");
    if (menu) {
      subject = menu.closest(".provision-head");
      dialog.dataset.eid = subject.id;
      dialog.querySelector("h2").textContent = subject.dataset.cited;
      kbExport(dialog, `provisions/${encodeURIComponent(subject.id)}`);
      const watch = dialog.querySelector("[data-watch]");
      if (watch) watch.elements.eid.value = subject.id;
      for (const link of dialog.querySelectorAll("[data-of-provision]")) {
        link.href = `${link.pathname}?${new URLSearchParams({ eid: subject.id })}`;
      }
      dialog.dispatchEvent(new CustomEvent("kb:keeps", { bubbles: true, detail: { eid: subject.id } }));
      dialog.showModal();
      return;
    }
    const picture = event.target.closest("[data-picture]");
    if (picture) togglePicture(picture);
  });
  dialog.addEventListener("click", async (event) => {
    const kind = event.target.dataset.copy;
    if (!kind) return;
    try {
      await navigator.clipboard.writeText(await copied(kind));
      dialog.close();
      kbToast(said.saidCopied);
    } catch {
      dialog.close();
      kbToast(said.saidFailed);
    }
  });
  async function copied(kind) {
    const link = `${location.origin}${location.pathname}#${subject.id}`;
    if (kind === "link") return link;
    const citation = citedAs(subject, link);
    if (kind === "citation") return citation;
    const query = new URLSearchParams({ as_of: said.today });
    const response = await fetch(`${said.textUrl}/${encodeURIComponent(subject.id)}?${query}`);
    if (!response.ok) throw new Error(response.status);
    return `${(await response.json()).text}\n\n${citation}\n${link}`;
  }

  // --- references --------------------------------------------------------------------------------------------------
  const citing = document.querySelector("[data-citing-dialog]");
  async function fragment(path) {
    const response = await kbFetch(path);
    if (!response.ok) throw new Error(response.status);
    return response.text(); // the server escaped all text of documents
  }
  body.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-cited-by]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    citing.querySelector("h2").textContent = link.closest(".provision-head").dataset.cited;
    const frame = citing.querySelector("[data-citing]");
    frame.textContent = "";
    citing.showModal();
    try {
      frame.innerHTML = await fragment(link.href);
    } catch {
      frame.textContent = said.saidFailed;
    }
  });
  citing.addEventListener("click", (event) => {
    if (event.target.closest("a")) citing.close();
  });

  const PREVIEW_DELAY_MS = 300;
  const preview = document.querySelector("[data-preview]");
  const previews = new Map(); // address: promise of its HTML
  let previewed = null;
  let timer = 0;
  function hidePreview() {
    clearTimeout(timer);
    preview.hidden = true;
    previewed?.removeAttribute("aria-describedby");
    previewed = null;
  }
  function soon(action) {
    clearTimeout(timer);
    timer = setTimeout(action, PREVIEW_DELAY_MS);
  }
  const told = (textContent) => Object.assign(document.createElement("p"), { className: "preview-text", dir: "auto", textContent });
  async function fetchPreview(path) {
    if (!previews.has(path)) previews.set(path, fragment(path));
    const wanted = previewed;
    try {
      const html = await previews.get(path);
      if (previewed === wanted) preview.innerHTML = html;
      return true;
    } catch {
      previews.delete(path);
      return false;
    }
  }
  async function showPreview(link) {
    const { pathname, hash: place } = new URL(link.href);
    const path = `${pathname}preview/?${new URLSearchParams({ eid: decodeURIComponent(place.slice(1)) })}`;
    hidePreview();
    previewed = link;
    if (link.dataset.told) preview.replaceChildren(told(link.dataset.told));
    else if (!await fetchPreview(path)) return;
    if (previewed !== link) return; // gone on meanwhile
    preview.hidden = false;
    link.setAttribute("aria-describedby", preview.id);
    const line = link.getBoundingClientRect();
    const { width, height } = preview.getBoundingClientRect();
    const left = Math.max(8, Math.min(line.left, document.documentElement.clientWidth - width - 8));
    const below = line.bottom + height + 8 < window.innerHeight;
    preview.style.left = `${left + window.scrollX}px`;
    preview.style.top = `${(below ? line.bottom + 4 : line.top - height - 4) + window.scrollY}px`;
  }
  const referenceOf = (event) => event.target.closest?.("a.reference, a.term");
  body.addEventListener("pointerover", (event) => {
    const link = event.pointerType === "mouse" && referenceOf(event);
    if (link && link !== previewed) soon(() => showPreview(link));
  });
  body.addEventListener("pointerout", (event) => { if (referenceOf(event)) soon(hidePreview); });
  preview.addEventListener("pointerenter", () => clearTimeout(timer));
  preview.addEventListener("pointerleave", () => soon(hidePreview));
  body.addEventListener("focusin", (event) => {
    const link = referenceOf(event);
    if (link) soon(() => showPreview(link));
  });
  body.addEventListener("focusout", (event) => { if (referenceOf(event)) hidePreview(); });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hidePreview(); });

  function togglePicture(button) {
    const open = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", String(!open));
    const line = button.closest(".page-break");
    if (open) {
      line.nextElementSibling.remove();
      return;
    }
    const image = document.createElement("img");
    image.className = "page-image";
    image.alt = line.querySelector("span").textContent;
    image.src = button.dataset.picture;
    image.addEventListener("error", () => { image.alt = said.saidFailed; });
    line.after(image);
  }

  // --- the size of type, and where one was: kept in this browser ---------------------------------------------------------
  const sizes = [...root.querySelectorAll("[data-type-size]")];
  function setSize(size) {
    document.documentElement.dataset.size = size;
    for (const one of sizes) one.setAttribute("aria-pressed", String(one.dataset.typeSize === size));
  }
  for (const one of sizes) {
    one.addEventListener("click", () => {
      localStorage.setItem("kb-type-size", one.dataset.typeSize);
      setSize(one.dataset.typeSize);
    });
  }
  setSize(document.documentElement.dataset.size);
  addEventListener("pagehide", () => kbBeen.keep({ title: document.querySelector("h1").textContent.trim(), path: location.pathname,
    eid: current, where: current ? name.textContent : "" }));

  // --- highlights, print, the other results ------------------------------------------------------------------------
  const highlights = root.querySelector("[data-highlights]");
  const toggleHighlights = () => {
    if (!highlights || highlights.hidden) return;
    const on = highlights.getAttribute("aria-pressed") !== "true";
    highlights.setAttribute("aria-pressed", String(on));
    body.classList.toggle("plain", !on);
    document.dispatchEvent(new CustomEvent("kb:highlights", { detail: on }));
  };
  highlights?.addEventListener("click", toggleHighlights);

  const RESULTS = "kb-results";
  try {
    const { from, pages } = JSON.parse(sessionStorage.getItem(RESULTS) || "{}");
    const place = (pages || []).findIndex((page) => page.split(/[?#]/)[0] === location.pathname);
    if (place >= 0) {
      const lead = (selector, href) => {
        const link = root.querySelector(selector);
        if (href) Object.assign(link, { href, hidden: false });
      };
      lead("[data-results]", from);
      lead("[data-previous-result]", pages[place - 1]);
      lead("[data-next-result]", pages[place + 1]);
    }
  } catch {
    sessionStorage.removeItem(RESULTS);
  }

  // --- keys --------------------------------------------------------------------------------------------------------
  function step(by) {
    const next = heads[[...heads].indexOf(viewed) + by];
    if (next) history.replaceState(null, "", `${location.pathname}${location.search}#${next.id}`);
    if (next) show(next);
  }
  // What one came for, as long as it is on the screen: in the middle of it the section before is still at the top.
  function inView() {
    const { top, bottom } = chosen?.matches(".provision-head") ? chosen.getBoundingClientRect() : {};
    return top < innerHeight && bottom > 0 ? chosen : viewed;
  }
  async function copyCitation() {
    subject = inView();
    if (!subject) return;
    const citation = await copied("citation");
    await navigator.clipboard.writeText(citation).then(() => kbToast(`${said.saidCopied} ${citation}`), () => kbToast(said.saidFailed));
  }
  function keep() {
    const link = inView() && dialog.querySelector("[data-keep]");
    if (!link) return;
    dialog.dispatchEvent(new CustomEvent("kb:keeps", { bubbles: true, detail: { eid: inView().id } }));
    link.click();
  }
  const keys = {
    "/": () => { form.elements.text.focus(); form.elements.text.select(); },
    n: ({ shiftKey }) => find(shiftKey ? -1 : 1),
    j: ({ shiftKey }) => step(shiftKey ? -1 : 1),
    k: keep,
    c: copyCitation,
    h: toggleHighlights,
    p: () => document.dispatchEvent(new CustomEvent("kb:panel", { detail: inView() })),
  };
  kbKeys.listen((key, event) => {
    keys[key]?.(event);
    return key in keys;
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.code !== "KeyF" || !firstMissing()) return;
    rest.hidden = false; // the browser finds in what is here
    wholeText();
  });

  // What was gone to comes first. The rest may move it, also as it is laid out, until its reader moves.
  const moved = new AbortController();
  for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) {
    window.addEventListener(name, () => moved.abort(), { signal: moved.signal, passive: true });
  }
  async function settle() {
    await wholeText();
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise(requestAnimationFrame);
      if (chosen && !moved.signal.aborted) place(chosen);
    }
  }
  arrive().finally(settle);
  follow();
})();

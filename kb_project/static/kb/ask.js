// An answer that grows while it is written, with numbers that show their quotes and lead to the page.
"use strict";

(() => {
  // --- the stream of an answer -------------------------------------------------------------------------------------
  const PATIENCE_MS = 30000; // the server gives a sign of life every ten seconds
  const EXCERPT = 400;
  const LEAD = 80;
  const MAX_QUOTE_LENGTH = 300; // characters of a quote in an address
  const KEPT = "kb-answers:";
  const MAX_TURNS = 10;
  const TODAY = ["in_force", "undated"];
  const HUNG = /^\s*\([^\s()]{1,5}\)\s/; // the number of a clause
  const MAX_ANSWER_LENGTH = 20000; // characters of an earlier answer
  let asking = null;

  const capitalised = (name) => name.charAt(0).toUpperCase() + name.slice(1);

  const stopAsking = () => {
    if (asking) asking.abort("left");
    asking = null;
  };

  async function* events(response, signOfLife) {
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      signOfLife();
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop();
      for (const block of blocks) {
        const lines = block.split("\n");
        const name = lines.find((line) => line.startsWith("event: "));
        const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
        if (name) yield [name.slice(7), JSON.parse(data)];
      }
    }
  }

  class Answer {
    constructor(section) {
      this.section = section;
      this.words = section.dataset;
      this.part = (name) => section.querySelector(`[data-${name}]`);
      this.text = this.part("text");
      this.citations = new Map();
      this.passages = [];
      this.whole = null;
      this.first = this.words.body; // what the page was opened to ask
      this.body = this.first;
      this.earlier = []; // on this page, as they are kept: the server remembers none
    }

    get question() {
      return JSON.parse(this.body).question;
    }

    say(sentence, { bad = false } = {}) {
      const status = this.part("status");
      status.textContent = sentence;
      status.classList.toggle("message", bad);
      status.classList.toggle("warning", bad);
    }

    offer(...names) {
      for (const name of ["stop", "copy", "again", "search-instead"]) this.part(name).hidden = !names.includes(name);
    }

    clear() {
      this.citations.clear();
      this.whole = null;
      this.text.replaceChildren();
      this.text.hidden = true;
      this.part("citations").replaceChildren();
      this.part("quotes").hidden = true;
      this.part("feedback").replaceChildren();
      if (this.part("keep")) this.part("keep").hidden = true;
      for (const name of ["notes", "understood", "further", "leaving", "lacking"]) this.part(name).hidden = true;
      document.querySelector("[data-nearest-passages]").hidden = true;
    }

    async ask() {
      stopAsking();
      this.clear();
      const control = asking = new AbortController();
      let timer;
      const signOfLife = () => {
        clearTimeout(timer);
        timer = setTimeout(() => control.abort("silent"), PATIENCE_MS);
      };
      this.section.setAttribute("aria-busy", "true");
      this.say(this.words.reading);
      this.offer("stop");
      let begun = false;
      try {
        signOfLife();
        const headers = {
          "Content-Type": "application/json", Accept: "text/event-stream", "KB-Screen-Language": document.documentElement.lang,
        };
        const response = await fetch(this.words.ask, {
          method: "POST", headers: { ...headers, "X-CSRFToken": kbToken() }, body: this.body, signal: control.signal,
        });
        if (!response.ok) {
          this.refuse(await response.json().catch(() => ({})), response.headers.get("Retry-After"));
          return;
        }
        begun = true;
        for await (const [name, data] of events(response, signOfLife)) this.take(name, data);
        if (!this.whole && !this.refused) this.break(this.words.lost);
      } catch (error) {
        if (control.signal.aborted && control.signal.reason !== "silent") {
          if (control.signal.reason === "stopped") this.break(this.words.stopped);
        } else {
          this.break(begun ? this.words.lost : this.words.offline);
        }
      } finally {
        clearTimeout(timer);
        this.section.removeAttribute("aria-busy");
        if (asking === control) asking = null;
      }
    }

    take(name, data) {
      if (name === "sources") {
        this.passages = data.results;
        this.say(this.words.writing);
      } else if (name === "citation") {
        this.cite(data);
      } else if (name === "delta") {
        this.write(data.text);
      } else if (name === "restart") {
        this.clear();
      } else if (name === "done") {
        this.finish(data);
        this.keep();
      } else if (name === "error") {
        this.refuse(data);
      }
    }

    write(text, unsupported = []) {
      this.text.hidden = false;
      const characters = [...text]; // as ranges are counted
      let at = 0;
      for (const [start, end] of unsupported) {
        this.link(characters.slice(at, start).join(""));
        const sentence = document.createElement("u");
        sentence.className = "unsupported";
        const note = Object.assign(document.createElement("span"), { className: "unseen", textContent: ` (${this.words.withoutQuote})` });
        sentence.append(characters.slice(start, end).join(""), note);
        this.text.append(sentence);
        at = end;
      }
      this.link(characters.slice(at).join(""));
    }

    // Each line by itself, with the number of a clause hung beside it: as `AnswerLine`.
    hang() {
      const lines = [document.createElement("div")];
      for (const node of [...this.text.childNodes]) {
        if (node.nodeType !== Node.TEXT_NODE) {
          lines[lines.length - 1].append(node);
          continue;
        }
        node.data.split(/(?<=\n)/).forEach((text) => {
          if (lines[lines.length - 1].textContent.endsWith("\n")) lines.push(document.createElement("div"));
          lines[lines.length - 1].append(text);
        });
      }
      for (const line of lines) line.classList.toggle("hung", HUNG.test(line.textContent));
      this.text.replaceChildren(...lines);
    }

    link(text) {
      text.split(/(\[\d{1,3}\])/).forEach((piece) => {
        const citation = this.citations.get(Number(piece.slice(1, -1)));
        if (!piece.startsWith("[") || !citation) {
          if (piece) this.text.append(piece);
          return;
        }
        const link = document.createElement("a");
        link.className = "cite";
        link.href = this.addressOf(citation);
        link.textContent = piece;
        link.dataset.cited = citation.n;
        link.setAttribute("aria-label", `${this.words.citation} ${citation.n}: ${citation.title || citation.identifier}`);
        this.text.append(link);
      });
    }

    cite(citation) {
      if (this.citations.has(citation.n)) return;
      this.citations.set(citation.n, citation);
      const item = document.querySelector("template[data-citation-form]").content.firstElementChild.cloneNode(true);
      item.id = `citation-${citation.n}`;
      item.value = citation.n;
      const link = item.querySelector("a");
      link.href = this.addressOf(citation);
      link.firstElementChild.textContent = citation.title || citation.identifier;
      put(item.querySelector(".citation-place"), this.placeOf(citation));
      item.querySelector("blockquote").textContent = citation.quote;
      const days = item.querySelector(".days");
      days.textContent = citation.holds;
      days.classList.add(citation.status);
      days.parentElement.hidden = !citation.holds;
      const keep = item.querySelector("[data-keep]");
      if (keep) {
        keep.search += `&n=${citation.n}`;
        keep.ariaLabel = `${keep.textContent}: [${citation.n}] ${link.textContent}`;
      }
      this.part("citations").append(item);
      this.part("quotes").hidden = false;
    }

    finish(whole) {
      this.whole = whole;
      if (whole.status !== "answered") {
        this.clear();
        this.whole = whole;
        const alone = this.passages.length ? "" : ` ${this.words.noneNear}`;
        this.say(whole.answer + alone, { bad: true });
        this.note(whole);
        this.offer("search-instead");
        this.part("further").hidden = false;
        this.showPassages(this.words.nearest, true);
        return;
      }
      this.text.replaceChildren(); // the same as has been said, and surely so
      whole.citations.forEach((citation) => this.cite(citation));
      this.write(whole.answer, whole.unsupported);
      this.hang();
      this.note(whole);
      this.part("further").hidden = false;
      this.say(whole.basis);
      this.offer("copy", "again");
      kbExport(this.part("leaving"), whole.id);
      this.part("leaving").hidden = false;
      const keeps = { answer: whole.id, day: whole.as_of };
      this.section.dispatchEvent(new CustomEvent("kb:keeps", { bubbles: true, detail: keeps }));
      this.part("again").textContent = this.words.askAgain;
      this.showPassages(this.words.answeredFrom, false);
      this.askForFeedback();
    }

    askForFeedback() {
      const place = this.part("feedback");
      place.replaceChildren(document.querySelector("template[data-feedback-form]").content.cloneNode(true));
      place.querySelector("[name=answer]").value = this.whole.id;
      htmx.process(place);
    }

    note({ question, truncated, unsupported, removed, meaning }) {
      this.part("lacking").hidden = !meaning || this.missing;
      this.part("lacking").textContent = meaning ? this.lacking(meaning) : "";
      const left = removed === 1 ? this.words.removedOne : this.words.removedMany.replace("{n}", removed);
      const notes = [truncated && this.words.truncated, unsupported.length && this.words.unsupported, removed && left];
      this.part("understood").hidden = !this.earlier.length || question === this.question;
      this.part("understood").lastElementChild.textContent = question;
      const items = notes.filter(Boolean).map((text) => Object.assign(document.createElement("li"), { textContent: text }));
      this.part("notes").replaceChildren(...items);
      this.part("notes").hidden = !items.length;
    }

    lacking({ passages, vectors }) {
      const shown = (number) => number.toLocaleString(document.documentElement.lang);
      const form = passages === null ? "lackingSome" : passages - vectors === 1 ? "lackingOne" : "lackingMany";
      return this.words[form].replace("{n}", shown(passages - vectors)).replace("{of}", shown(passages ?? 0));
    }

    refuse(problem, wait) {
      this.refused = true;
      const code = problem.code === "permission_denied" && problem.status === 403 ? "not_authenticated" : problem.code;
      if (code === "not_authenticated") kbSignedOut();
      const sentence = (this.words[code] || this.words.failed).replace("{n}", wait || "60");
      this.break(sentence);
    }

    break(sentence) {
      this.part("again").textContent = this.words.tryAgain;
      this.say(sentence, { bad: true });
      this.offer("again", "search-instead");
    }

    showPassages(title, open) {
      const place = document.querySelector("[data-nearest-passages]");
      place.hidden = !this.passages.length;
      place.open = open;
      place.querySelector("h2").textContent = title;
      place.querySelector("ol").replaceChildren(...this.passages.map((passage) => this.hit(passage)));
    }

    hit(passage) {
      const item = document.querySelector("template[data-hit-form]").content.firstElementChild.cloneNode(true);
      const { source } = passage;
      const title = source.title || source.identifier;
      const section = capitalised(passage.place);
      const number = item.querySelector(".no");
      if (section && passage.heading) Object.assign(number, { href: passage.url, textContent: passage.section });
      else number.remove();
      item.dataset.cited = [section, title].filter(Boolean).join(", ");
      item.dataset.holds = this.dayOf(source);
      item.querySelector("h3 .unseen").textContent = passage.heading && section ? `${section} ` : "";
      item.querySelector("h3 bdi").textContent = passage.heading || section || title;
      item.querySelector("h3 a").href = passage.url;
      const page = passage.page ? `${this.words.page} ${passage.page}` : "";
      const of = passage.heading || section ? title : "";
      put(item.querySelector(".hit-facts"), [of, source.identifier, page, source.holds], " ");
      item.querySelector(".hit-text").append(...excerpt(...below(passage), { whole: passage.match === "citation" }));
      item.querySelector("article").dir = directionOf(passage.text);
      return item;
    }

    placeOf({ place, page }) {
      return [capitalised(place), page ? `${this.words.page} ${page}` : ""];
    }

    /** What a copy says of the day: nothing of the law of today, as `ShownHit.holds`. */
    dayOf({ status, holds }) {
      return JSON.parse(this.body).as_of || !TODAY.includes(status) ? holds : "";
    }

    addressOf(citation) {
      const [page, at] = citation.url.split("#");
      const quote = [...citation.quote].slice(0, MAX_QUOTE_LENGTH).join("");
      return `${page}${page.includes("?") ? "&" : "?"}${new URLSearchParams({ quote })}${at ? `#${at}` : ""}`;
    }

    // --- a further question, with those before it ---
    further(question) {
      this.earlier.push(this.state());
      this.setAside();
      const conversation = this.earlier.slice(-MAX_TURNS).map(({ body, whole }) => (
        { question: JSON.parse(body).question, answer: whole.answer.slice(0, MAX_ANSWER_LENGTH) }
      ));
      this.body = JSON.stringify({ ...JSON.parse(this.first), question, conversation });
      this.part("asked").textContent = question;
      this.part("asked").focus();
      this.refused = false;
      this.ask();
    }

    setAside() {
      const item = document.querySelector("template[data-earlier-form]").content.firstElementChild.cloneNode(true);
      item.querySelector(".asked").textContent = this.question;
      const said = this.text.cloneNode(true);
      if (said.hidden) said.textContent = this.whole.answer;
      said.removeAttribute("data-text");
      said.hidden = false;
      for (const link of said.querySelectorAll(".cite")) delete link.dataset.cited; // the numbers are now another answer's
      item.append(said);
      this.part("earlier").append(item);
      this.part("earlier").hidden = false;
    }

    // --- kept for the way back: a question is not asked again because its reader looked at a document ---
    state() {
      const { body, passages, whole } = this;
      return { body, passages, whole };
    }

    keep() {
      try {
        sessionStorage.setItem(KEPT + this.first, JSON.stringify([...this.earlier, this.state()]));
      } catch {
        sessionStorage.clear(); // full
      }
    }

    begin() {
      if (byHand) this.forget();
      byHand = false;
      const kept = sessionStorage.getItem(KEPT + this.first);
      if (!kept) {
        this.ask();
        return;
      }
      JSON.parse(kept).forEach((state, place) => {
        if (place) {
          this.earlier.push(this.state());
          this.setAside();
        }
        Object.assign(this, state);
        this.clear();
        this.part("asked").textContent = this.question;
        this.finish(state.whole);
      });
    }

    forget() {
      sessionStorage.removeItem(KEPT + this.first);
    }

    copied() {
      const quotes = this.whole.citations.map((citation) => {
        const place = [citation.title, citation.identifier, ...this.placeOf(citation), this.dayOf(citation)].filter(Boolean).join(", ");
        const quote = this.whole.answer.includes(citation.quote) ? "" : `: ${this.words.quoted.replace("{text}", () => citation.quote)}`;
        return `[${citation.n}] ${place}${quote}\n${new URL(this.addressOf(citation), location.href)}`;
      });
      return [this.text.textContent, ...quotes].join("\n\n");
    }
  }

  // As the filter `direction` of the templates.
  function directionOf(text) {
    const letters = (script) => text.match(script)?.length || 0;
    return letters(/\p{Script=Hebrew}/gu) > letters(/\p{Script=Latin}/gu) ? "rtl" : "ltr";
  }

  function put(element, texts, between = "\u00a0· ") {
    texts.filter(Boolean).forEach((text, place) => {
      if (place) element.append(between);
      const part = document.createElement("bdi");
      part.textContent = text;
      element.append(part);
    });
  }

  /** A passage's text below its number and headings, which are shown above it, and the ranges there: as `heading_length`. */
  function below({ text, section, heading, path, highlights }) {
    const names = [heading, `${section} ${heading}`, section, ...path].map(wordsOf).filter(Boolean);
    const lines = text.split("\n");
    while (lines.length > 1 && names.includes(wordsOf(lines[0]))) lines.shift();
    let rest = lines.join("\n");
    const number = section && rest.startsWith(section) && /^(?:[.:)][\u00a0 ]*|[\u00a0 ]+)(?=[^\d\s])/.exec(rest.slice(section.length));
    if (number) rest = rest.slice(section.length + number[0].length);
    const above = [...text].length - [...rest].length;
    return [rest, highlights.filter(([begin]) => begin >= above).map((range) => range.map((at) => at - above))];
  }

  function wordsOf(text) {
    return text?.toLowerCase().match(/[\p{L}\p{N}\p{M}_]+/gu)?.join(" ") || "";
  }

  /** The telling part of a text with the ranges, counted in characters, marked. */
  function excerpt(text, ranges, { whole = false } = {}) {
    const characters = [...text];
    const first = ranges.length ? ranges[0][0] : 0;
    const beginsLine = characters[first - 1] === "\n"; // as a cited clause does, which is shown from its first word
    const latest = whole && !beginsLine ? 0 : beginsLine ? first : Math.min(first - LEAD, characters.length - EXCERPT);
    let start = characters.length > EXCERPT ? Math.max(0, latest) : 0;
    while (start && start < first && /\S/.test(characters[start - 1])) start += 1;
    let end = Math.min(characters.length, start + EXCERPT);
    for (let gap = end; end < characters.length && gap > end - LEAD; gap -= 1) {
      if (/\s/.test(characters[gap])) {
        end = gap;
        break;
      }
    }
    const nodes = start ? ["… "] : [];
    let at = start;
    for (const [begin, finish] of ranges) {
      if (begin < at || finish > end) continue;
      const mark = document.createElement("mark");
      mark.textContent = characters.slice(begin, finish).join("");
      nodes.push(characters.slice(at, begin).join(""), mark);
      at = finish;
    }
    nodes.push(characters.slice(at, end).join(""));
    return end < characters.length ? [...nodes, " …"] : nodes;
  }

  async function copy(text) {
    if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea"); // where the page did not come over TLS
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) throw new Error("not copied");
  }

  let answer = null;
  let byHand = false; // who sends the form wants a new answer, who comes back wants the one that was there
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.id !== "search-form") return;
    byHand = true;
    stopAsking();
  });
  function begin() {
    const section = document.querySelector("[data-ask]");
    if (answer && answer.section === section) return;
    stopAsking();
    answer = section ? new Answer(section) : null;
    if (answer) answer.begin();
  }
  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:afterSettle", begin);
  document.addEventListener("htmx:historyRestore", begin);
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.shouldSwap) hideTip();
  });

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-stop], [data-again], [data-copy]");
    if (!button || !answer) return;
    if ("stop" in button.dataset) {
      if (asking) asking.abort("stopped");
    } else if ("again" in button.dataset) {
      answer.forget();
      answer.refused = false;
      answer.ask();
      answer.part("stop").focus();
    } else {
      await copy(answer.copied()).then(() => answer.say(answer.words.copied), () => answer.say(answer.words.uncopied));
    }
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-further]") || !answer) return;
    event.preventDefault();
    const box = event.target.elements.question;
    const question = box.value.trim();
    if (!question || !answer.whole) return;
    box.value = "";
    answer.further(question);
  });

  // --- the quote behind a number -----------------------------------------------------------------------------------
  let hiding;
  const tip = () => document.querySelector("[data-tip]");
  function hideTip() {
    clearTimeout(hiding);
    if (tip()) tip().hidden = true;
    for (const link of document.querySelectorAll(".cite[aria-describedby]")) link.removeAttribute("aria-describedby");
  }
  function showTip(link) {
    clearTimeout(hiding);
    const citation = answer && answer.citations.get(Number(link.dataset.cited));
    if (!citation) return;
    hideTip();
    const box = tip();
    put(Object.assign(box.querySelector("p"), { textContent: "" }), [citation.title || citation.identifier, ...answer.placeOf(citation), citation.holds]);
    box.querySelector("blockquote").textContent = citation.quote;
    link.setAttribute("aria-describedby", box.id);
    box.hidden = false;
    const at = link.getBoundingClientRect();
    const room = document.documentElement.clientWidth - box.offsetWidth - 8;
    const above = at.bottom + box.offsetHeight + 8 > innerHeight && at.top > box.offsetHeight + 8;
    box.style.left = `${Math.max(8, Math.min(at.left + at.width / 2 - box.offsetWidth / 2, room)) + scrollX}px`;
    box.style.top = `${(above ? at.top - box.offsetHeight - 6 : at.bottom + 6) + scrollY}px`;
  }
  for (const name of ["mouseover", "focusin"]) {
    document.addEventListener(name, (event) => {
      const link = event.target.closest(".cite[data-cited]");
      if (link) showTip(link);
      else if (event.target.closest("[data-tip]")) clearTimeout(hiding);
    });
  }
  for (const name of ["mouseout", "focusout"]) {
    document.addEventListener(name, (event) => {
      if (!event.target.closest(".cite[data-cited], [data-tip]")) return;
      clearTimeout(hiding);
      hiding = setTimeout(hideTip, 200);
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hideTip();
  });
})();

// A box that finds a document, then one of its sections, and adds its address to the lines of a question.
"use strict";

(() => {
  const MOST = 20;
  const chosen = new WeakMap(); // of boxes: the document whose sections are offered
  const topicOf = (input) => input.form.elements.topic?.value || input.dataset.topic;

  async function read(url, signal) {
    const answer = await fetch(url, { signal });
    return answer.ok ? answer.json() : null;
  }

  function listed(input, rows) {
    const content = document.createDocumentFragment();
    for (const [at, { name, note = "", ...data }] of rows.entries()) {
      const item = input.parentElement.querySelector("template").content.firstElementChild.cloneNode(true);
      item.id = `provision-option-${at}`;
      Object.assign(item.dataset, data);
      item.querySelector("[data-name]").textContent = name;
      item.querySelector("[data-note]").textContent = note;
      content.append(item);
    }
    return content;
  }

  async function documents(input, typed, signal) {
    if (!typed) return null;
    const found = await read(`${input.dataset.suggest}?${new URLSearchParams({ q: typed, topic_id: topicOf(input) })}`, signal);
    return found && listed(input, [
      ...found.titles.map(({ title, source_id: source }) => ({ name: title, note: `${source}`, source })),
      ...found.provisions.map(({ number, heading, title, source_id: source, eid }) => (
        { name: `${number} ${heading}`, note: title, address: `${source}#${eid}` })),
    ]);
  }

  async function sections(input, typed, signal) {
    const { source, name } = chosen.get(input);
    const found = await read(input.dataset.sections.replace("/0/", `/${source}/`), signal);
    const fitting = found && found.results.filter(({ number, heading }) => (
      number.startsWith(typed) || heading.toLowerCase().includes(typed.toLowerCase())));
    return fitting && listed(input, [
      { name, note: input.dataset.whole, address: `${source}` },
      ...fitting.slice(0, MOST).map(({ number, heading, eid }) => (
        { name: `${number} ${heading}`, note: eid, address: `${source}#${eid}` })),
    ]);
  }

  const { ask, close } = kbCombobox("[data-provision-box]", {
    keeps: () => true, // Enter in the box does not send the form
    fill: (input, typed, signal) => (chosen.has(input) ? sections : documents)(input, typed, signal),
    same: (one, other) => one.dataset.source === other.dataset.source && one.dataset.address === other.dataset.address,
    take(input, { dataset, children }) {
      input.value = "";
      if (dataset.source) {
        chosen.set(input, { source: dataset.source, name: children[0].textContent });
        ask(input);
        return;
      }
      const lines = input.form.elements.provisions;
      lines.value = [...lines.value.split("\n").filter((line) => line.trim() && line !== dataset.address), dataset.address].join("\n");
      chosen.delete(input);
      close(input);
    },
  });
  document.addEventListener("focusout", ({ target }) => chosen.delete(target)); // the next time begins with a document
})();

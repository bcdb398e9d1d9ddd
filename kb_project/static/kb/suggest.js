// The search box offers what one may mean: documents and sections open, a label filters. Enter searches as ever.
"use strict";

(() => {
  const LONGEST = 200; // characters that the server looks at
  const DIVISIONS = ["part", "chapter", "schedule"];

  /** The form's state as an address, without what was typed. */
  function filtered(form, label) {
    const query = new URLSearchParams([...new FormData(form)].filter(([name, value]) => value && name !== "q"));
    query.set("label", label);
    return `${form.getAttribute("action")}?${query}`;
  }

  function option(form, name, note, url) {
    const item = form.content.querySelector("[data-option]").content.firstElementChild.cloneNode(true);
    item.dataset.url = url;
    item.querySelector("[data-name]").textContent = name;
    item.querySelector("[data-note]").textContent = note;
    return item;
  }

  function listed(input, { titles, provisions, labels }) {
    const form = document.querySelector("template[data-suggestions]");
    const content = form.content.querySelector("[data-groups]").content.cloneNode(true);
    const groups = {
      titles: titles.map(({ title, url }) => option(form, title, "", url)),
      provisions: provisions.map(({ kind, number, heading, title, url }) => {
        const numbered = number && !DIVISIONS.includes(kind); // a chapter's number is nothing without that word
        return option(form, numbered ? `${number}. ${heading}` : heading, title, url);
      }),
      labels: labels.map(({ name, slug }) => option(form, name, "", filtered(input.form, slug))),
    };
    for (const [name, items] of Object.entries(groups)) {
      const group = content.querySelector(`[data-group="${name}"]`);
      if (items.length) group.querySelector("ul").append(...items);
      else group.remove();
    }
    [...content.querySelectorAll('[role="option"]')].forEach((item, at) => { item.id = `suggestion-${at}`; });
    return content;
  }

  kbCombobox("#search-box", {
    leaves: true,
    async fill(input, typed, signal) {
      if (!typed || typed.length > LONGEST) return null;
      const query = new URLSearchParams({ q: typed });
      const topic = input.form.elements.topic.value;
      if (topic) query.set("topic_id", topic);
      const answer = await fetch(`${input.dataset.suggest}?${query}`, { signal });
      return answer.ok ? listed(input, await answer.json()) : null;
    },
    same: (one, other) => one.dataset.url === other.dataset.url,
    take: (input, chosen) => location.assign(chosen.dataset.url),
  });
})();

// Uploading: many small requests into one batch, a few at a time, each file with its own progress and its own retry.
"use strict";

(() => {
  const form = document.getElementById("upload");
  const drop = form.querySelector("[data-drop]");
  const section = document.querySelector("[data-uploads]");
  const list = section.querySelector("[data-list]");
  const words = document.querySelector("[data-words]").dataset;
  const NO_ID = "00000000-0000-0000-0000-000000000000";
  const AT_ONCE = 3;
  const items = [];
  let batch = form.dataset.batch;
  let running = 0;
  let opening = false; // the first request of a new batch is under way: the others need the id it brings

  // --- what was dropped or chosen ----------------------------------------------------------------------------------
  async function filesOf(entry) {
    if (entry.isFile) return [await new Promise((resolve, reject) => entry.file(resolve, reject))];
    const reader = entry.createReader();
    const found = [];
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return found;
      for (const inner of some) found.push(...await filesOf(inner));
    }
  }

  for (const name of ["dragenter", "dragover"]) {
    document.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.add("over");
    });
  }
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.classList.remove("over");
  });
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
    const plain = [...event.dataTransfer.files];
    if (!entries.some((entry) => entry && entry.isDirectory)) add(plain);
    else for (const entry of entries) if (entry) add(await filesOf(entry).catch(() => []));
  });
  for (const input of form.querySelectorAll('input[type="file"]')) {
    input.addEventListener("change", () => {
      add([...input.files]);
      input.value = "";
    });
  }
  form.addEventListener("submit", (event) => event.preventDefault());

  function add(files) {
    for (const file of files) {
      if (file.name.startsWith(".")) continue; // what folders hide is no document
      const element = document.querySelector("[data-item]").content.firstElementChild.cloneNode(true);
      const item = { file, element, state: "waiting" };
      element.querySelector(".upload-name bdi").textContent = file.name;
      element.querySelector("progress").setAttribute("aria-label", file.name);
      element.querySelector("[data-retry]").addEventListener("click", () => again([item]));
      list.append(element);
      items.push(item);
      say(item, "waiting", words.waiting);
    }
    section.hidden = !items.length;
    // One batch lies in one topic.
    form.elements.topic_id.disabled = items.length > 0 || Boolean(batch);
    if (form.elements.name) form.elements.name.disabled = form.elements.topic_id.disabled;
    work();
  }

  // --- sending -----------------------------------------------------------------------------------------------------
  function work() {
    while (running < AT_ONCE && !opening) {
      const item = items.find((one) => one.state === "waiting");
      if (!item) break;
      opening = !batch;
      send(item);
    }
    sum();
  }

  function send(item) {
    const body = new FormData();
    body.append("topic_id", form.elements.topic_id.value);
    if (form.elements.kind.value) body.append("kind", form.elements.kind.value);
    if (batch) body.append("batch_id", batch);
    else if (form.elements.name?.value.trim()) body.append("name", form.elements.name.value.trim());
    body.append("files", item.file, item.file.name);
    const request = new XMLHttpRequest();
    request.open("POST", form.dataset.api);
    request.setRequestHeader("X-CSRFToken", kbToken());
    request.responseType = "json";
    const bar = item.element.querySelector("progress");
    bar.value = 0;
    request.upload.addEventListener("progress", (event) => {
      if (event.lengthComputable) bar.value = 100 * event.loaded / event.total;
    });
    request.addEventListener("loadend", () => {
      running -= 1;
      opening = false;
      settle(item, request);
      work();
    });
    running += 1;
    say(item, "sending", words.sending);
    request.send(body);
  }

  function settle(item, request) {
    const answer = request.response || {};
    if (request.status === 202) {
      if (!batch) {
        batch = answer.batch_id;
        kbDrafts.drop(kbDrafts.nameOf(form));
        form.dataset.undrafted = ""; // the kind of files to come is no draft of another batch
        history.replaceState(null, "", `?batch=${batch}&topic=${form.elements.topic_id.value}`);
      }
      const [job] = answer.jobs;
      if (answer.jobs.length + answer.rejected.length > 1) several(item, answer);
      else if (job && job.duplicate_of) duplicate(item, job.duplicate_of);
      else if (job) say(item, "accepted", words.accepted);
      else say(item, "refused", `${words.refused} ${sentence(answer.rejected[0])}`);
      return;
    }
    const rejected = (answer.rejected || [])[0];
    const passing = request.status === 0 || request.status >= 500 || request.status === 429;
    if (request.status === 401) {
      say(item, "failed", words.login);
      kbSignedOut();
    } else if (passing) say(item, "failed", rejected || answer.detail ? sentence(rejected || answer) : words.lost);
    else say(item, "refused", `${words.refused} ${rejected || answer.detail ? sentence(rejected || answer) : request.status}`);
  }

  function sentence({ code, detail }) {
    const translated = document.querySelector("[data-refusals]").content.querySelector(`data[value="${CSS.escape(code)}"]`);
    return translated ? translated.textContent : detail;
  }

  // An archive, or a message with what is attached to it.
  function several(item, { jobs, rejected }) {
    const twins = jobs.filter((job) => job.duplicate_of).length;
    const said = [words.several.replace("{n}", jobs.length), twins && words.someDuplicates.replace("{n}", twins)];
    say(item, "accepted", said.filter(Boolean).join(", "));
    const list = document.createElement("ul");
    for (const refused of rejected) {
      const line = document.createElement("li");
      const name = document.createElement("bdi");
      name.textContent = refused.filename;
      line.append(`${words.refused} `, name, ` – ${sentence(refused)}`);
      list.append(line);
    }
    if (rejected.length) item.element.querySelector("[data-state]").append(list);
  }

  function duplicate(item, twin) {
    say(item, "duplicate", `${words.duplicate} `);
    const link = document.createElement("a");
    link.href = twin.source_id
      ? form.dataset.sourceFile.replace("/0/", `/${twin.source_id}/`)
      : form.dataset.jobPage.replace(NO_ID, twin.job_id);
    link.textContent = twin.source_id ? `${words.source} ${twin.source_id}` : words.job;
    item.element.querySelector("[data-state]").append(link);
  }

  function say(item, state, text) {
    item.state = state;
    item.element.dataset.state = state;
    item.element.querySelector("[data-state]").textContent = text;
    item.element.querySelector("[data-retry]").hidden = state !== "failed";
    if (["accepted", "duplicate"].includes(state)) item.element.querySelector("progress").value = 100;
    if (["refused", "failed"].includes(state)) list.prepend(item.element);
  }

  function again(some) {
    for (const item of some) if (item.state === "failed") say(item, "waiting", words.waiting);
    work();
  }

  function sum() {
    const of = (...states) => items.filter((item) => states.includes(item.state)).length;
    const numbers = {
      total: items.length, accepted: of("accepted", "duplicate"), duplicates: of("duplicate"),
      refused: of("refused"), failed: of("failed"),
    };
    section.querySelector("[data-sum]").textContent = words.sum.replace(/\{(\w+)\}/g, (_, name) => numbers[name]);
    section.querySelector("[data-retry-all]").hidden = !numbers.failed;
    const link = section.querySelector("[data-to-batch]");
    link.hidden = !batch;
    if (batch) link.href = form.dataset.batchPage.replace(NO_ID, batch);
  }

  section.querySelector("[data-retry-all]").addEventListener("click", () => again(items));
  addEventListener("online", () => again(items));
  document.addEventListener("kb:signed-in", () => again(items));
  addEventListener("beforeunload", (event) => {
    if (items.some((item) => ["waiting", "sending", "failed"].includes(item.state))) event.preventDefault();
  });
  if (batch) form.elements.topic_id.disabled = true;
})();

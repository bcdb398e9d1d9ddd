// What every page shares: the dialog that HTMX fills, saying what could not be done, and the token of every request.
"use strict";

// A question that is a page of its own is answered there: a dialog would hold the same form twice.
for (const form of document.querySelectorAll("[data-alone] [hx-post]")) form.removeAttribute("hx-post");

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "dialog-body") document.getElementById("dialog").showModal();
});

// To another place of the page that one is on, a browser would only scroll: what was changed comes with the page.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const to = event.detail.xhr.getResponseHeader("HX-Redirect");
  if (!to?.includes("#") || new URL(to, location.href).pathname !== location.pathname) return;
  event.preventDefault();
  history.replaceState(null, "", to);
  location.reload();
});

// A refused form comes back with its sentence: it is shown where the form was.
document.addEventListener("htmx:beforeSwap", (event) => {
  const { target, xhr } = event.detail;
  const isForm = xhr.status >= 400 && xhr.status < 500 && xhr.status !== 401 && !xhr.getResponseHeader("X-Notice");
  if (target.id === "dialog-body" && isForm) {
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  }
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) {
    event.preventDefault();
    const dialog = document.getElementById(opener.dataset.opens);
    if (!dialog.open) dialog.showModal();
    return;
  }
  const copier = event.target.closest("[data-copies]");
  if (copier) {
    const field = document.getElementById(copier.dataset.copies);
    const say = () => { copier.textContent = copier.dataset.said; };
    field.select();
    if (navigator.clipboard) navigator.clipboard.writeText(field.value).then(say);
    else if (document.execCommand("copy")) say(); // a page that came over plain HTTP has no clipboard
    return;
  }
  const closer = event.target.closest("dialog [data-close]");
  if (closer) {
    event.preventDefault();
    closer.closest("dialog").close();
  }
});

// The focus is never lost: what takes the place of what had it has it, unless a page has a better place.
(() => {
  let lost = "";
  document.addEventListener("htmx:beforeSwap", ({ target }) => {
    lost = target.id && target.contains(document.activeElement) ? target.id : "";
  });
  document.addEventListener("htmx:afterSettle", () => setTimeout(() => {
    const place = lost && document.activeElement === document.body && document.getElementById(lost);
    lost = "";
    if (!place) return;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }));
})();

// --- menus: one is open at a time, and it closes when one turns to something else -------------------------------------
(() => {
  const button = document.querySelector(".menu-button");

  function show(isOpen) {
    button.setAttribute("aria-expanded", isOpen);
    document.getElementById(button.getAttribute("aria-controls")).classList.toggle("open", isOpen);
  }

  button?.addEventListener("click", () => show(button.getAttribute("aria-expanded") === "false"));
  const closeBut = (kept) => {
    for (const menu of document.querySelectorAll(".menu[open]")) if (menu !== kept) menu.open = false;
  };
  const menuOf = (element) => element.closest?.(".menu");
  document.addEventListener("toggle", ({ target }) => { if (target.matches?.(".menu") && target.open) closeBut(target); }, true);
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    const menu = menuOf(target);
    // One that pushes what is below it stays: else that would move away under the finger that presses it.
    const floats = menu && getComputedStyle(menu.lastElementChild).position === "absolute";
    if (floats && relatedTarget && !menu.contains(relatedTarget)) closeBut(null);
  });
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && menuOf(event.target);
    if (!menu?.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector("summary").focus();
  }, true);
  document.addEventListener("click", ({ target }) => {
    closeBut(target.closest(".export :is(a, button)") ? null : menuOf(target));
    if (target.closest("[data-print]")) window.print();
  });

  /** Have the exports in a place be those of another thing: `name` is what their addresses call it. */
  window.kbExport = (place, name) => {
    for (const exports of place.querySelectorAll("[data-export]")) {
      for (const link of exports.querySelectorAll("a")) {
        link.dataset.of ||= link.getAttribute("href");
        link.href = link.dataset.of.replace(exports.dataset.export, () => name);
      }
    }
  };
})();

// One comes back to where one is: what was searched for since the page was loaded is in its address.
document.addEventListener("click", ({ target }) => {
  const link = target.closest("a.account");
  if (link) link.search = new URLSearchParams({ next: location.pathname + location.search + location.hash });
});

// --- what was just done, with the way back: until the next act, or ten seconds after one has left it ------------------------
(() => {
  const SHOWN_MS = 10_000;
  const toast = document.getElementById("toast");
  let timer = 0;
  const leave = () => { timer = setTimeout(() => toast.replaceChildren(), SHOWN_MS); };
  /** Say a sentence, or a piece of a page. A button in it with `data-undoes`, an address, deletes what that names. */
  window.kbToast = (content) => {
    clearTimeout(timer);
    toast.replaceChildren(content);
    htmx.process(toast);
    leave();
  };
  for (const name of ["pointerenter", "focusin"]) toast.addEventListener(name, () => clearTimeout(timer));
  for (const name of ["pointerleave", "focusout"]) toast.addEventListener(name, leave);
  toast.addEventListener("click", async ({ target }) => {
    const { undoes, said } = target.closest("[data-undoes]")?.dataset ?? {};
    if (!undoes) return;
    const answer = await kbFetch(undoes, { method: "DELETE", headers: { "X-CSRFToken": kbToken() } });
    if (answer.ok) kbToast(said);
  });
})();

// --- what could not be done is said where one is, and nothing that was typed is lost ----------------------------------
(() => {
  const notice = document.getElementById("notice");
  const signing = new BroadcastChannel("kb-signed-in");

  function say(content, key) {
    if (!notice.hidden && notice.dataset.said === key) return; // a page that polls would say it again and again
    notice.setAttribute("role", "alert");
    notice.replaceChildren(content);
    notice.dataset.said = key;
    notice.hidden = false;
    // Whatever lies outside an open dialog cannot be reached.
    (document.querySelector("dialog[open]") || document.getElementById("main")).prepend(notice);
  }

  function sayOf(key) {
    const words = document.getElementById("notices").content.querySelector(`[data-said="${key}"]`);
    say(words.cloneNode(true), key);
  }
  window.kbSay = sayOf;

  function unsay() {
    notice.hidden = true;
  }

  // `text` is the answer's, which is a sentence of the server's if it says so in a header.
  function refused(status, isNotice, text) {
    if (status === 401) return sayOf("signed-out");
    if (!isNotice) return sayOf(status ? "failed" : "offline");
    const holder = document.createElement("template");
    holder.innerHTML = text; // the server escaped it
    return say(holder.content, text);
  }

  // The search page says in the place of the results that there are none.
  const isSaid = (status) => status !== 401 && document.querySelector("template[data-failed]");
  document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
    if (!isSaid(xhr.status)) refused(xhr.status, xhr.getResponseHeader("X-Notice"), xhr.responseText);
  });
  document.addEventListener("htmx:sendError", () => { if (!isSaid(0)) sayOf("offline"); });
  // What a page asks by itself says only that one is signed in, and that the server is there.
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const isMended = ["offline", "signed-out"].includes(notice.dataset.said);
    if (detail.successful && (isMended || detail.requestConfig.triggeringEvent)) unsay();
  });
  // Signing in in another tab is enough: what failed can be done again here.
  signing.addEventListener("message", () => {
    unsay();
    document.dispatchEvent(new Event("kb:signed-in"));
  });
  // Browsers that do not know Clear-Site-Data keep what a tab has stored.
  if (document.querySelector("[data-signed-out]")) sessionStorage.clear();
  if (document.querySelector("[data-signed-in]")) signing.postMessage("signed in");

  // As `fetch`, for a piece of a page. A refusal is said, and the answer then given back all the same.
  window.kbFetch = async (address, options = {}) => {
    const answer = await fetch(address, { ...options, headers: { "HX-Request": "true", ...options.headers } });
    if (!answer.ok) refused(answer.status, answer.headers.get("X-Notice"), await answer.clone().text());
    return answer;
  };
  window.kbSignedOut = () => sayOf("signed-out");

  // Signing in, here or in another tab, changes the token. Another host can set the cookie without the prefix.
  window.kbToken = () => {
    const cookies = document.cookie.split("; ");
    const found = ["__Host-csrftoken=", "csrftoken="].flatMap((start) =>
      cookies.filter((one) => one.startsWith(start)).map((one) => one.slice(start.length)));
    return found[0] || JSON.parse(document.body.getAttribute("hx-headers"))["X-CSRFToken"];
  };
  document.addEventListener("htmx:configRequest", ({ detail }) => { detail.headers["X-CSRFToken"] = kbToken(); });
  document.addEventListener("submit", ({ target }) => {
    const token = target.elements.namedItem("csrfmiddlewaretoken");
    if (token) token.value = kbToken();
  }, true);
})();

// --- what is typed is kept in this browser until it is saved: for a week, and for nobody but who typed it --------------
(() => {
  const START = "kb-draft-", SENT = "kb-sent", WEEK_MS = 7 * 24 * 3600 * 1000, MOST = 100;
  const user = document.body.dataset.user; // empty on the way to signing in again, where all is still wanted
  const MINE = `${START}${user}-`;
  const read = (key) => JSON.parse(localStorage.getItem(key) || "null");

  window.kbDrafts = {
    nameOf: (form) => `form-${form.getAttribute("action") || location.pathname + location.search}`,
    read: (name) => read(MINE + name)?.draft,
    keep(name, draft) {
      try {
        localStorage.setItem(MINE + name, JSON.stringify({ at: Date.now(), draft }));
      } catch (error) {
        console.warn("The browser keeps no more drafts.", error); // what was typed is still in the form
      }
    },
    drop: (name) => localStorage.removeItem(MINE + name),
    // It is dropped if the next page of this tab says that it was saved.
    sent: (name) => sessionStorage.setItem(SENT, MINE + name),
  };

  // The server says that it took a form. A page that comes without that word, as after a lost connection, drops nothing.
  const taken = document.cookie.split("; ").find((one) => one.endsWith("kb_taken=1"));
  const isTaken = Boolean(taken);
  if (isTaken) document.cookie = `${taken}; path=/; max-age=0${taken.startsWith("__Host-") ? "; secure" : ""}`;
  const sent = sessionStorage.getItem(SENT);
  sessionStorage.removeItem(SENT);
  const isSaved = sent?.startsWith(`${MINE}form-`) ? !document.querySelector("main .error") : document.querySelector(".messages .success");
  if (sent && isTaken && isSaved) localStorage.removeItem(sent);

  const isSignedOut = document.querySelector("[data-signed-out]");
  const kept = Object.keys(localStorage).filter((key) => key.startsWith(START)).map((key) => ({ key, at: read(key)?.at ?? 0 }));
  kept.sort((one, other) => other.at - one.at);
  kept.forEach(({ key, at }, place) => {
    const isAnothers = user && !key.startsWith(MINE);
    if (isSignedOut || isAnothers || place >= MOST || at < Date.now() - WEEK_MS) localStorage.removeItem(key);
  });
})();

// --- a form that is left half filled, in a dialog or on a page, is as it was left when it is opened again ------------------
(() => {
  const TEXTS = "textarea, input:is([type=text], [type=search], [type=url], [type=email], :not([type]))";
  // What is ticked in a list is not typed: tomorrow the list may be another one.
  const FIELDS = "textarea, select:not([multiple]), input:not([type=hidden], [type=password], [type=file], .tick input)";
  const OTHERS = ".decision-form, [data-draft], [data-undrafted], :has([type=password], [autocomplete=one-time-code])";
  const formOf = (target) => {
    const form = target.closest?.("main form:is([method=post], [data-further]), #dialog form[method=post]");
    return form && form.querySelector(TEXTS) && !form.matches(OTHERS) ? form : null;
  };
  const { nameOf } = kbDrafts;
  const fieldsOf = (form) => [...form.querySelectorAll(FIELDS)].filter((field) => field.name);
  const isFaulty = (form) => form.querySelector(".error, [aria-invalid=true]");
  const isBox = ({ type }) => type === "checkbox" || type === "radio";
  function isChanged(field) {
    if (isBox(field)) return field.checked !== field.defaultChecked;
    if (field.type !== "select-one") return field.value !== field.defaultValue;
    return !([...field.options].find((one) => one.defaultSelected) ?? field.options[0])?.selected;
  }

  for (const name of ["input", "change"]) document.addEventListener(name, ({ target }) => {
    const form = target.matches(FIELDS) && formOf(target);
    if (!form) return;
    const changed = fieldsOf(form).filter(isChanged).map(({ name, value, checked }) => [name, value, checked]);
    if (changed.length) kbDrafts.keep(nameOf(form), changed);
    else kbDrafts.drop(nameOf(form));
  });
  function put(field, [, value, checked]) {
    if (isBox(field)) field.checked = checked;
    else field.value = value;
    const folded = field.closest("details");
    if (folded) folded.open = true;
  }
  function restore(form) {
    const draft = !isFaulty(form) && kbDrafts.read(nameOf(form));
    if (!draft) return;
    for (const one of draft) {
      for (const field of fieldsOf(form)) if (field.name === one[0] && (!isBox(field) || field.value === one[1])) put(field, one);
    }
    kbSay("restored");
    document.querySelector("#notice [data-drops-draft]").addEventListener("click", () => {
      kbDrafts.drop(nameOf(form));
      form.reset();
      document.getElementById("notice").hidden = true;
    });
  }
  const restoreIn = (place) => [...place.querySelectorAll("form")].filter((form) => formOf(form) === form).forEach(restore);
  restoreIn(document.getElementById("main"));
  document.addEventListener("htmx:afterSettle", ({ target }) => { if (target.id === "dialog-body") restoreIn(target); });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    const form = detail.successful && detail.requestConfig.verb === "post" && formOf(detail.elt);
    if (form) kbDrafts.drop(nameOf(form));
  });
  document.addEventListener("submit", ({ target }) => {
    if (!formOf(target) || target.hasAttribute("hx-post")) return;
    if (target.method === "post") kbDrafts.sent(nameOf(target));
    else kbDrafts.drop(nameOf(target)); // the page itself takes it
  });
})();

// --- where one was: the last documents and searches, kept in this browser, for nobody but whose they are ---------------
(() => {
  const START = "kb-been-", MINE = START + document.body.dataset.user, MOST = 6;
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(START) && (key !== MINE || document.querySelector("[data-signed-out]"))) localStorage.removeItem(key);
  }
  const read = () => JSON.parse(localStorage.getItem(MINE) || "[]");
  window.kbBeen = {
    keep(place) {
      localStorage.setItem(MINE, JSON.stringify([place, ...read().filter((one) => one.path !== place.path)].slice(0, MOST)));
    },
  };

  const part = document.querySelector("[data-been]");
  const places = part ? read() : [];
  if (!places.length) return;
  part.querySelector("ul").replaceChildren(...places.map(({ title, path, eid, where }) => {
    const item = document.createElement("li");
    const link = Object.assign(document.createElement("a"), { className: "t", href: eid ? `${path}#${eid}` : path });
    const [name, spot] = [title, where].map((text) => Object.assign(document.createElement("bdi"), { textContent: text }));
    link.append(name);
    const row = Object.assign(document.createElement("p"), { className: "row" });
    row.append(spot);
    item.append(link, row);
    return item;
  }));
  part.hidden = false;
})();

// Of a form that comes back with errors the first faulty field has the focus, and so its error is read out with it. A
// field is faulty by itself, or a group by the error that describes it.
(() => {
  const FAULTY = '[aria-invalid="true"], fieldset[aria-describedby]';
  const isFaulty = (field) => field.getAttribute("aria-invalid") === "true"
    || field.getAttribute("aria-describedby").split(" ").some((id) => document.getElementById(id)?.classList.contains("error"));

  function focusFaulty(within) {
    const field = [...within.querySelectorAll(FAULTY)].find(isFaulty);
    const control = field?.matches("fieldset") ? field.querySelector("input:checked, input, select, textarea") : field;
    control?.focus();
  }

  focusFaulty(document.getElementById("main"));
  document.addEventListener("htmx:afterSettle", ({ target }) => focusFaulty(target));
})();

// A form that is being sent is not sent twice; the browser's Back brings the page with its buttons working again.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post" || form.hasAttribute("data-api")) return;
  if (form.dataset.sent) event.preventDefault();
  else setTimeout(() => { form.dataset.sent = "1"; }, 0);
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

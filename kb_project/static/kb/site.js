// What every page shares: the dialog that HTMX fills, and saying it when the server does not answer.
"use strict";

document.documentElement.classList.add("js");

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.target.id === "dialog-body") document.getElementById("dialog").showModal();
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) {
    event.preventDefault();
    document.getElementById(opener.dataset.opens).showModal();
    return;
  }
  const closer = event.target.closest("dialog [data-close]");
  if (closer) {
    event.preventDefault();
    closer.closest("dialog").close();
  }
});

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

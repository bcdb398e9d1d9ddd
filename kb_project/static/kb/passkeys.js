// Asks the browser for a passkey when its form is sent, and sends the form with the answer.
"use strict";

const canUsePasskeys = Boolean(window.PublicKeyCredential?.parseCreationOptionsFromJSON);

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const field = form.elements.passkey;
  const button = form.querySelector("button");
  if (!canUsePasskeys) {
    form.querySelector("[data-passkey-missing]").hidden = false;
    button.disabled = true;
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const { publicKey } = JSON.parse(field.dataset.passkeyOptions);
      const answer =
        form.dataset.passkey === "create"
          ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(publicKey) })
          : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey) });
      field.value = JSON.stringify(answer.toJSON());
      form.submit();
    } catch {
      form.querySelector("[data-passkey-failed]").hidden = false;
      button.disabled = false;
    }
  });
}

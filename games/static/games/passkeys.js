// Passkeys: the device makes one, or shows that it has one, and the form takes its answer to the server.

const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
const text = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

/** Why this browser, at this address, has no passkeys; nothing where it has. */
function hindrance() {
  if (!window.isSecureContext) return "A passkey needs an address that begins with https.";
  if (/^[\d.]+$|:/.test(location.hostname)) return "A passkey belongs to a site with a name, and this address has only numbers.";
  if (!window.PublicKeyCredential) return "This browser knows no passkeys.";
  return "";
}

/** The options as the server writes them, with bytes where the browser wants bytes. */
function read(options) {
  const wanted = { ...options.publicKey, challenge: bytes(options.publicKey.challenge) };
  if (wanted.user) wanted.user = { ...wanted.user, id: bytes(wanted.user.id) };
  for (const list of ["allowCredentials", "excludeCredentials"]) {
    if (wanted[list]) wanted[list] = wanted[list].map((known) => ({ ...known, id: bytes(known.id) }));
  }
  return wanted;
}

/** What the device answered, as the server reads it. */
function written(credential) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) response[name] = text(credential.response[name]);
  }
  if (credential.response.getTransports) response.transports = credential.response.getTransports();
  return JSON.stringify({
    type: credential.type,
    id: credential.id,
    rawId: text(credential.rawId),
    authenticatorAttachment: credential.authenticatorAttachment,
    response,
    clientExtensionResults: credential.getClientExtensionResults(),
  });
}

async function optionsOf(form) {
  if (!form.dataset.optionsFrom) return JSON.parse(form.querySelector('script[type="application/json"]').textContent);
  const answer = await fetch(form.dataset.optionsFrom, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error("no options");
  return (await answer.json()).request_options;
}

async function ask(form) {
  const publicKey = read(await optionsOf(form));
  if (form.dataset.passkey === "get") return navigator.credentials.get({ publicKey });
  // It must know its owner by itself, since it shall do without e-mail and password.
  publicKey.authenticatorSelection = {
    ...publicKey.authenticatorSelection,
    residentKey: "required",
    requireResidentKey: true,
    userVerification: "required",
  };
  return navigator.credentials.create({ publicKey });
}

function noteOf(form) {
  let note = form.nextElementSibling;
  while (note && !note.matches("[data-passkey-note]")) note = note.nextElementSibling;
  note?.setAttribute("role", "status");
  return note;
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  const note = noteOf(form);
  const reason = hindrance();
  if (reason) {
    if (note) note.textContent = reason;
    continue;
  }
  form.hidden = false;
  if (note) note.textContent = "";
  let asking = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (asking) return;
    asking = true;
    try {
      form.elements.credential.value = written(await ask(form));
      form.submit();
    } catch {
      if (note) note.textContent = "Your device did not give a passkey. Nothing has changed; try again, or take another way.";
    } finally {
      asking = false;
    }
  });
}

// Forms that make something: a seed proposed by the browser, and nothing sent twice by a double press.

/** 32 random hex digits. */
function seed() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Propose a seed wherever one is asked for and none is written yet. */
export function proposeSeeds(root = document) {
  for (const field of root.querySelectorAll("input[data-seed]")) {
    if (!field.value) field.value = seed();
  }
}

proposeSeeds();
document.addEventListener("fresh", () => proposeSeeds());

// Whoever stopped it, so that no answer came, can send it again when one would long have been there.
const ANSWERED = 30_000;

document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || event.target.method !== "post") return;
  if (performance.now() - event.target.dataset.sent < ANSWERED) event.preventDefault();
  else event.target.dataset.sent = performance.now();
});

// Whoever comes back by the browser's own key finds forms that can be sent, and that make something new.
window.addEventListener("pageshow", (event) => {
  for (const form of document.forms) delete form.dataset.sent;
  if (!event.persisted) return;
  for (const field of document.querySelectorAll("input[data-once]")) field.value = seed();
});

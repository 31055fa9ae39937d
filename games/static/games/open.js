// A table before its match: who comes and goes shows by itself, and the link is copied with one press.

import { fetched, reload, show } from "./fresh.js";

const { events, version } = document.body.dataset;
let seen = Number(version);
let looking = false;
let again = false;

/** Look at the table anew; once the match has begun, the page is another one. */
async function look() {
  if (looking) {
    again = true;
    return;
  }
  looking = true;
  try {
    const { page, status } = await fetched();
    if (status === 404) over();
    else if (page && !show(page)) reload();
  } catch {
    // No connection: the stream comes back, and says so again.
  } finally {
    looking = false;
  }
  if (again) {
    again = false;
    look();
  }
}

/** The table is there no more, or no longer for us. */
function over() {
  source?.close();
  document.getElementById("news").textContent = "This table is closed.";
  document.querySelector("[data-news]").textContent = "This table is closed.";
  for (const key of document.querySelectorAll("main button")) key.disabled = true;
}

let source;
let slow;
function listen() {
  source = new EventSource(events);
  source.addEventListener("table", (event) => {
    const told = JSON.parse(event.data).version;
    if (told === seen) return;
    seen = told;
    look();
  });
  source.addEventListener("error", () => {
    // While it is connecting again the browser sees to it; refused for good, we look now and then.
    if (source.readyState !== EventSource.CLOSED) return;
    look();
    clearTimeout(slow);
    slow = setTimeout(listen, 30_000);
  });
}

function offerCopies() {
  for (const key of document.querySelectorAll("[data-copy]")) key.hidden = !navigator.clipboard;
}

document.addEventListener("click", async (event) => {
  const key = event.target.closest("[data-copy]");
  if (!key) return;
  const field = document.getElementById(key.dataset.copy);
  try {
    await navigator.clipboard.writeText(field.value);
    key.textContent = "Copied";
    document.getElementById("news").textContent = "The link is copied.";
  } catch {
    field.select();
  }
});

document.addEventListener("focusin", (event) => {
  if (event.target.matches("input[readonly]")) event.target.select();
});

document.addEventListener("fresh", offerCopies);
offerCopies();
listen();

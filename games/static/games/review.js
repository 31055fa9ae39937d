// Review: steps are fetched and put in place, by keys, by the slider and by the links that are there anyway.

const room = document.querySelector("[data-review]");
const spoken = document.querySelector("[data-spoken]");
const fetched = new Map();
let wanted = 0;

/** What changes for the step at this address, from memory or from the server. */
async function part(address) {
  if (!fetched.has(address)) {
    const asked = fetch(address, { headers: { "X-Part": "review" }, credentials: "same-origin" }).then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return answer.text();
    });
    fetched.set(address, asked);
    asked.catch(() => fetched.delete(address));
    if (fetched.size > 200) fetched.delete(fetched.keys().next().value);
  }
  const made = document.createElement("template");
  made.innerHTML = await fetched.get(address);
  return made.content;
}

/** Show the step at this address; `how` is what becomes of the browser's history. */
async function show(address, how = "replace") {
  const turn = ++wanted;
  let content;
  try {
    content = await part(address);
  } catch {
    if (turn === wanted) location.assign(address); // the browser says it better
    return;
  }
  if (turn !== wanted) return; // overtaken by a later wish
  const focused = document.activeElement;
  const [id, path, label] = [focused?.id, focused?.getAttribute?.("href"), focused?.closest?.("[data-part]")?.dataset.part];
  for (const old of room.querySelectorAll("[data-part]")) {
    const fresh = content.querySelector(`[data-part="${old.dataset.part}"]`);
    if (fresh) old.replaceWith(fresh);
  }
  const here = content.querySelector("[data-here]").dataset.here;
  room.querySelector("[data-here]").dataset.here = here;
  const slider = content.querySelector("[data-step]");
  Object.assign(range(), { max: slider.max, value: slider.getAttribute("value") });
  range().setAttribute("aria-valuetext", slider.getAttribute("aria-valuetext"));
  if (how === "push") history.pushState(null, "", here);
  if (how === "replace") history.replaceState(null, "", here);
  refocus(id, path, label);
  arrived();
}

function range() {
  return room.querySelector("[data-step]");
}

/** The focus stays where it was, on the new element in the old one's place. */
function refocus(id, path, label) {
  if (document.activeElement !== document.body) return;
  const again = (id && document.getElementById(id)) || label && room.querySelector(`[data-part="${label}"] a[aria-current]`);
  const kept = again || (path && room.querySelector(`[data-part="${label}"] a[href="${CSS.escape(path)}"]`));
  kept?.focus({ preventScroll: true });
}

/** What is there once a step is: its words, its tab in view, and its neighbours at hand. */
function arrived() {
  const words = room.querySelector("#step-words").textContent;
  if (spoken.textContent !== words && wanted) spoken.textContent = words;
  const title = document.title.replace(/, round \d+/, `, round ${room.querySelector(".rounds [aria-current]").textContent}`);
  document.title = title;
  const tab = room.querySelector(".rounds [aria-current]");
  const tabs = tab.closest(".rounds");
  tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
  for (const way of wanted ? ["way-on", "way-back"] : []) {
    const address = document.getElementById(way)?.getAttribute("href");
    if (address) part(address).catch(() => {});
  }
}

function stepAddress(move) {
  const here = new URL(room.querySelector("[data-here]").dataset.here, location.href);
  here.pathname = here.pathname.replace(/\d+$/, move);
  return here.pathname + here.search;
}

room.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  if (!link.closest("[data-part]") || link.closest("[data-away]") || link.origin !== location.origin) return;
  event.preventDefault();
  show(link.getAttribute("href"), link.closest(".rounds") ? "push" : "replace");
});

room.addEventListener("input", (event) => {
  if (event.target.matches("[data-step]")) show(stepAddress(event.target.value));
});

const KEYS = { ArrowLeft: "way-back", ArrowRight: "way-on", Home: "way-first", End: "way-last" };

document.addEventListener("keydown", (event) => {
  const way = KEYS[event.key];
  if (!way || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return;
  if (event.target.closest("input:not([data-step]), textarea, select, [contenteditable]")) return;
  event.preventDefault();
  const address = document.getElementById(way).getAttribute("href");
  if (address) show(address);
});

// Whoever comes back from elsewhere shall not send the key of a form again that was sent before.
window.addEventListener("pageshow", (event) => event.persisted && fetched.clear());

window.addEventListener("popstate", () => show(location.pathname + location.search, "keep"));

range().hidden = false;
arrived();

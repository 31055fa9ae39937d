// The page of a table: the picker, the keys, my dice hidden or not, and news that arrives by itself.

import { openCups } from "./reveal.js";

const scene = document.getElementById("scene");
const heard = document.getElementById("heard");
const line = document.getElementById("line");
const here = () => document.getElementById("now");

/* The picker. */

const find = (what) => scene.querySelector(what);

function raising() {
  const form = find("[data-raising]");
  if (!form) return null;
  const face = form.querySelector("[name=face]:checked");
  const field = form.querySelector("[name=quantity], [name=total]");
  const low = Number(face ? face.dataset.low : form.dataset.low) || null;
  return { form, face, field, low, high: Number(form.dataset.high), amount: Number(field.value) };
}

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");
const FACES = ["ones", "twos", "threes", "fours", "fives", "sixes"];
const word = (number) => NUMBERS[number] ?? String(number);
const faces = (face, number) => (number === 1 ? word(face) : FACES[face - 1]);

function bidWords(chosen) {
  if (!chosen.face) return `a total of ${chosen.amount}`;
  return `${word(chosen.amount)} ${faces(Number(chosen.face.value), chosen.amount)}`;
}

/** Why the bid as it stands is not allowed; nothing where it is. */
function refusal(chosen) {
  const said = chosen.face ? chosen.face.dataset : chosen.form.dataset;
  if (chosen.face && chosen.low === null) return said.why;
  if (!Number.isInteger(chosen.amount) || chosen.amount < 1) return chosen.face ? "Say how many: a whole number." : "Say a total: a whole number.";
  if (chosen.amount < chosen.low) return said.below;
  if (chosen.amount > chosen.high) {
    return chosen.face ? `Only ${word(chosen.high)} dice are in play.` : `All dice in play show ${chosen.high} at most.`;
  }
  return "";
}

function show() {
  const chosen = raising();
  if (!chosen) return;
  const why = refusal(chosen);
  const key = chosen.form.querySelector("[data-bid]");
  const said = chosen.face ? chosen.face.dataset : chosen.form.dataset;
  key.setAttribute("aria-disabled", why ? "true" : "false");
  key.replaceChildren(...(why ? keyWords("Bid", "not a raise") : keyWords(`Bid ${bidWords(chosen)}`)));
  find("#rule").textContent = why || said.rule;
  const [fewer, more] = chosen.form.querySelectorAll("[data-step]");
  fewer.disabled = chosen.low === null || chosen.amount <= chosen.low;
  more.disabled = chosen.low === null || chosen.amount >= chosen.high;
  const hold = find("[data-hold]");
  if (hold && chosen.face && said.hold) hold.replaceChildren(...stressed(said.hold));
  for (const die of scene.querySelectorAll("[data-hand] [data-face]")) {
    const wild = die.hasAttribute("data-wild") && chosen.face?.value !== "1";
    die.classList.toggle("match", Boolean(chosen.face) && (die.dataset.face === chosen.face.value || wild));
  }
  showOdds(chosen, why);
}

function keyWords(words, small) {
  const main = document.createElement("span");
  main.textContent = words;
  if (!small) return [main];
  const second = document.createElement("small");
  second.textContent = small;
  return [main, second];
}

/** “You hold three fours, …” with the number of dice in bold. */
function stressed(words) {
  const parts = /^(You hold )([^,.]+)(.*)$/.exec(words);
  if (!parts) return [words];
  const strong = document.createElement("b");
  strong.textContent = parts[2];
  return [parts[1], strong, parts[3]];
}

function showOdds(chosen, why) {
  const box = find(".odds");
  const all = document.getElementById("all-odds");
  if (!box || !all) return;
  const found = JSON.parse(all.textContent).find((odds) =>
    chosen.face
      ? odds.face === Number(chosen.face.value) && odds.quantity === chosen.amount
      : odds.total === chosen.amount,
  );
  box.hidden = Boolean(why) || !found;
  if (!found) return;
  for (const part of ["figure", "likely", "words"]) box.querySelector(`[data-odds=${part}]`).textContent = found[part];
  box.querySelector("[data-odds=bar]").setAttribute("width", `${found.percent}%`);
}

function step(by) {
  const chosen = raising();
  if (!chosen || chosen.low === null) return;
  const from = Number.isInteger(chosen.amount) && chosen.amount > 0 ? chosen.amount + by : chosen.low;
  chosen.field.value = Math.min(chosen.high, Math.max(chosen.low, from));
  show();
}

function choose(face) {
  const input = find(`[data-raising] [name=face][value="${face}"]`);
  if (!input) return false;
  input.checked = true;
  startAtLowest();
  show();
  return true;
}

function startAtLowest() {
  const chosen = raising();
  if (chosen?.low) chosen.field.value = chosen.low;
}

let repeating = 0;

function hold(button) {
  step(Number(button.dataset.step));
  const again = () => {
    if (button.disabled) return stopHolding();
    step(Number(button.dataset.step));
    repeating = setTimeout(again, 90);
  };
  repeating = setTimeout(again, 400);
}

function stopHolding() {
  clearTimeout(repeating);
}

scene.addEventListener("pointerdown", (event) => {
  const button = event.target.closest("[data-step]");
  if (button && event.button === 0) hold(button);
});
for (const end of ["pointerup", "pointercancel", "pointerleave", "blur"]) addEventListener(end, stopHolding);

scene.addEventListener("click", (event) => {
  // A click that no pointer made comes from a key or a reader.
  const button = event.target.closest("[data-step]");
  if (button && event.detail === 0) step(Number(button.dataset.step));
  if (event.target.closest("[data-hide-key]")) hideDice(!hidden());
  if (event.target.closest("[data-peek-key]")) peek();
});

scene.addEventListener("input", (event) => {
  if (event.target.name === "face") startAtLowest();
  show();
});

// A bid that is not allowed stays here, with its reason in focus.
addEventListener(
  "submit",
  (event) => {
    const chosen = raising();
    if (!chosen || event.target !== chosen.form || !refusal(chosen)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    show();
    chosen.field.focus();
  },
  true,
);

/* My dice: hidden on this device, or seen for a moment. */

const KEEP = "longbluff.hide";
let peeking = false;

function hidden() {
  const kept = localStorage.getItem(KEEP);
  return kept === null ? find(".hand[data-hide]") !== null : kept === "yes";
}

function hideDice(wanted) {
  localStorage.setItem(KEEP, wanted ? "yes" : "no");
  peeking = false;
  showDice();
}

function peek() {
  peeking = !peeking;
  showDice();
}

function showDice() {
  const hand = find(".hand");
  if (!hand) return;
  const away = hidden() && !peeking;
  find("[data-script]")?.removeAttribute("hidden");
  const key = find("[data-hide-key]");
  const peekKey = find("[data-peek-key]");
  if (key) key.textContent = hidden() ? "Show dice" : "Hide dice";
  key?.setAttribute("aria-pressed", String(hidden()));
  if (peekKey) peekKey.hidden = !hidden();
  peekKey?.setAttribute("aria-pressed", String(peeking));
  scene.classList.toggle("dice-away", away);
  for (const die of hand.querySelectorAll("[data-face]")) {
    const drawing = die.querySelector("svg");
    const use = drawing.querySelector("use");
    drawing.dataset.name ??= drawing.getAttribute("aria-label");
    use.dataset.drawn ??= use.getAttribute("href");
    use.setAttribute("href", away ? "#fx" : use.dataset.drawn);
    drawing.classList.toggle("hidden", away);
    drawing.setAttribute("aria-label", away ? "a hidden die" : drawing.dataset.name);
  }
}

/* Keys; never while typing. */

const pressed = {
  l: () => find("[data-call=liar]"),
  s: () => find("[data-call=exact]"),
  n: () => find("[data-next], [data-lift]"),
  Enter: () => find("[data-yes], [data-lift], [data-next]") ?? find("[data-bid]"),
  Escape: () => find("[data-back]"),
};

const steps = { ArrowUp: 1, "+": 1, "=": 1, ArrowDown: -1, "-": -1 };

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const typing = event.target.closest?.("input:not([type=radio]), textarea, select, [contenteditable]");
  if (typing) return;
  if (scene.classList.contains("is-opening")) return;
  if (event.key in steps && raising()) return handled(event, () => step(steps[event.key]));
  if (/^[1-6]$/.test(event.key)) return choose(event.key) && event.preventDefault();
  if (event.key === "ArrowLeft" || event.key === "ArrowRight") return along(event);
  if (event.key === "?") return showKeys(event);
  if (event.key === "Enter" && event.target.closest?.("a, button, summary")) return;
  const target = pressed[event.key]?.() ?? pressed[event.key.toLowerCase()]?.();
  if (target) handled(event, () => target.click());
});

function handled(event, act) {
  event.preventDefault();
  act();
}

function along(event) {
  const chosen = raising();
  if (!chosen?.face || event.target.name === "face") return;
  const by = event.key === "ArrowLeft" ? 5 : 1;
  handled(event, () => choose(((Number(chosen.face.value) - 1 + by) % 6) + 1));
}

function showKeys(event) {
  const keys = find("[data-keys]");
  if (!keys) return;
  event.preventDefault();
  keys.open = !keys.open;
  if (keys.open) keys.querySelector("summary").focus();
}

/* News. */

let stream = null;
let latest = 0;
let asking = null;
let lastHeard = Date.now();
let waiting = 0;

function listen() {
  if (stream || here().hasAttribute("data-finished")) return;
  stream = new EventSource(scene.dataset.events);
  stream.addEventListener("table", (event) => {
    connected();
    latest = JSON.parse(event.data).version;
    catchUp();
  });
  stream.addEventListener("open", connected);
  stream.addEventListener("error", () => {
    if (stream.readyState === EventSource.CLOSED) {
      stream = null;
      setTimeout(listen, 10_000);
    }
    // A stream that ends and comes back within moments is nothing to speak of.
    if (!waiting) waiting = setTimeout(() => lost(), 8000);
  });
}

function connected() {
  lastHeard = Date.now();
  clearTimeout(waiting);
  waiting = 0;
  if (!line.hidden) {
    line.hidden = true;
    scene.classList.remove("lost");
    refresh();
  }
}

function lost() {
  const at = new Date(lastHeard).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  line.textContent = `No connection. What you see is from ${at}. Nothing you press is sent twice.`;
  line.hidden = false;
  scene.classList.add("lost");
}

/** Fetch the table where it is newer than what is shown; an answer that is on its way is waited for. */
function catchUp() {
  const onItsWay = asking && asking.readyState !== XMLHttpRequest.DONE;
  if (!onItsWay && latest > Number(here().dataset.version)) refresh();
}

function refresh() {
  const typing = scene.contains(document.activeElement) && document.activeElement.matches("input[type=number]");
  if (scene.classList.contains("is-opening")) return setTimeout(refresh, 700);
  const kept = typing ? document.activeElement.name : null;
  htmx.ajax("GET", here().dataset.here, { target: "#scene", swap: "innerHTML" }).then(() => kept && find(`[name=${kept}]`)?.focus());
}

/* The masthead counts the tables that wait; of these only the one that is shown can change here. */
let waited = here().hasAttribute("data-waits");

function countTables(now) {
  const link = document.querySelector("[data-tables]");
  const waits = now.hasAttribute("data-waits");
  if (!link || waits === waited) return;
  waited = waits;
  const shown = link.querySelector(".count");
  const number = Number(shown?.textContent ?? 0) + (waits ? 1 : -1);
  if (number < 1) return link.replaceChildren("Tables");
  const count = document.createElement("span");
  count.className = "count";
  count.setAttribute("aria-label", `${number} waiting for you`);
  count.textContent = String(number);
  link.replaceChildren("Tables ", count);
}

/** Of a row of chairs that is wider than the window, the one that is looked through. */
function showChair() {
  const chair = find(".chairs [aria-current]");
  if (chair) chair.parentElement.scrollLeft += chair.getBoundingClientRect().left - chair.parentElement.getBoundingClientRect().left - 60;
}

function settled() {
  const now = here();
  showChair();
  countTables(now);
  document.title = document.title.replace(/^Your move · /, "");
  if (now.dataset.title) document.title = `${now.dataset.title} · ${document.title}`;
  if (heard.textContent !== now.dataset.said) heard.textContent = now.dataset.said;
  const where = document.querySelector(".masthead .where");
  if (where) where.textContent = now.dataset.where;
  showDice();
  show();
  find("#refused, #asked")?.focus();
  const fresh = find("[data-fresh]");
  if (fresh) openCups(fresh, scene);
  if (document.visibilityState === "visible") find("[data-lift-now]")?.click();
  if (now.hasAttribute("data-finished")) stream?.close();
  catchUp();
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") find("[data-lift-now]")?.click();
});

scene.addEventListener("htmx:afterSettle", settled);
scene.addEventListener("htmx:beforeRequest", (event) => (asking = event.detail.xhr));
// Of two chairs that are pressed at once the later is looked through, whichever answer comes first.
scene.addEventListener("htmx:beforeSwap", (event) => {
  const ofChair = event.detail.requestConfig.elt.matches("[data-chair]");
  if (ofChair && event.detail.xhr !== asking) event.detail.shouldSwap = false;
});
scene.addEventListener("htmx:sendError", () => lost());
scene.addEventListener("htmx:responseError", (event) => {
  line.textContent =
    event.detail.xhr.status === 404
      ? "This table is no longer here for you."
      : "That did not get through. What you see may be a moment old; press again.";
  line.hidden = false;
  setTimeout(refresh, 3000);
});
scene.addEventListener("htmx:afterRequest", (event) => event.detail.successful && connected());

settled();
heard.textContent = "";
listen();

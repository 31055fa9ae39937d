// Parts of a page that follow what happens: fetched anew and put in place without taking anybody's focus or words.

/** What somebody typed or chose in a part, and where the focus is. */
function held(part) {
  const fields = new Map();
  for (const field of part.querySelectorAll("input[id]:not([type=hidden], [readonly]), select[id]")) {
    fields.set(field.id, field.value);
  }
  const open = [...part.querySelectorAll("details[id][open]")].map((details) => details.id);
  const focus = part.contains(document.activeElement) ? document.activeElement : null;
  return { fields, open, focus: focus && { id: focus.id, href: focus.getAttribute("href"), text: focus.textContent } };
}

function restore(part, { fields, open, focus }) {
  for (const [id, value] of fields) {
    const field = part.querySelector(`#${CSS.escape(id)}`);
    if (field) field.value = value;
  }
  for (const id of open) part.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  if (!focus) return;
  const same = [...part.querySelectorAll("a, button, input, select, summary")].find((each) =>
    focus.id ? each.id === focus.id : each.getAttribute("href") === focus.href && each.textContent === focus.text,
  );
  same?.focus({ preventScroll: true });
}

// What the server wrote, without the token that is another one every time.
const written = (part) => part.innerHTML.replaceAll(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");
const last = new Map();
for (const part of document.querySelectorAll("[data-fresh]")) last.set(part.id, written(part));

/** Put the new text of every part in place; say what the new headline is. False where the page has other parts by now. */
export function show(page) {
  const parts = [...document.querySelectorAll("[data-fresh]")];
  const news = parts.map((part) => page.getElementById(part.id));
  if (news.includes(null) || page.querySelectorAll("[data-fresh]").length !== parts.length) return false;
  parts.forEach((part, at) => {
    if (written(news[at]) === last.get(part.id)) return;
    last.set(part.id, written(news[at]));
    const before = held(part);
    const headline = part.querySelector("[data-news]")?.textContent;
    part.replaceChildren(...document.importNode(news[at], true).childNodes);
    restore(part, before);
    const told = part.querySelector("[data-news]")?.textContent;
    if (told && told !== headline) document.getElementById("news").textContent = told;
  });
  document.title = page.title;
  const nav = page.querySelector(".masthead nav");
  const here = document.querySelector(".masthead nav");
  if (nav && here && nav.innerHTML !== here.innerHTML && !here.contains(document.activeElement)) {
    here.replaceChildren(...document.importNode(nav, true).childNodes);
  }
  document.dispatchEvent(new CustomEvent("fresh"));
  return true;
}

// A form that was sent has an answer on its way: another page, and for a new guest the cookie that knows them.
// None comes where somebody stops it, so that nobody waits for it longer than an answer may take.
const ANSWERED = 30_000;
let sent = -Infinity;
window.addEventListener("submit", (event) => {
  if (!event.defaultPrevented) sent = performance.now();
});
window.addEventListener("pageshow", () => (sent = -Infinity));

/** Load the whole page anew, unless another one is on its way already. */
export function reload() {
  const left = sent + ANSWERED - performance.now();
  if (left > 0) setTimeout(reload, left);
  else location.reload();
}

/** The page as it is now; null where it is not to be had. */
export async function fetched() {
  const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!answer.ok) return { status: answer.status, page: null };
  return { status: answer.status, page: new DOMParser().parseFromString(await answer.text(), "text/html") };
}

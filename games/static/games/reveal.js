// Cups that lift, once: one after another, what counts rises and is counted. Any key or tap ends it.

const still = matchMedia("(prefers-reduced-motion: reduce)");
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Play the opening of a reveal that stands in its final state, and end there. */
export async function openCups(sheet, scene) {
  delete sheet.dataset.fresh;
  const outcome = scene.querySelector(".outcome");
  if (still.matches || !outcome) return;
  const end = begin(sheet, scene, outcome);
  const rows = [...sheet.querySelectorAll("tbody tr")];
  const counted = sheet.querySelectorAll(".counted").length;
  const each = Math.min(120, 1800 / Math.max(1, counted));
  const run = { over: false };
  const stop = () => {
    run.over = true;
    end();
  };
  for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, stop, { once: true, signal: end.signal });
  await lift(rows, each, sheet, run);
  if (!run.over) stop();
}

function begin(sheet, scene, outcome) {
  const total = sheet.querySelector("[data-total]");
  const written = total.textContent;
  const leaving = new AbortController();
  sheet.classList.add("opening");
  scene.classList.add("is-opening");
  outcome.classList.add("held");
  total.textContent = "0";
  const end = () => {
    leaving.abort();
    total.textContent = written;
    sheet.classList.remove("opening");
    scene.classList.remove("is-opening");
    outcome.classList.remove("held");
  };
  end.signal = leaving.signal;
  return end;
}

async function lift(rows, each, sheet, run) {
  const total = sheet.querySelector("[data-total]");
  let counted = 0;
  await wait(300);
  for (const [index, row] of rows.entries()) {
    if (index === rows.length - 1) await wait(400);
    if (run.over) return;
    row.classList.add("tipped");
    await wait(220);
    for (const die of row.querySelectorAll(".counted")) {
      if (run.over) return;
      die.classList.add("risen");
      counted += 1;
      total.textContent = String(counted);
      await wait(each);
    }
    row.classList.add("summed");
  }
  await wait(250);
  if (run.over) return;
  sheet.querySelector(".stamp").classList.add("down");
  await wait(300);
  sheet.querySelector(".verdict").classList.add("down");
}

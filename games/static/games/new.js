// The form of a new table, while one chooses: what does not go together is off and says why.

const form = document.getElementById("new-table");
const presets = JSON.parse(form.dataset.presets);
const groups = ["mode", "preset", "bidding", "ones", "open_on_ones", "exact", "palifico", "first_opener", "seats", "starting_dice", "pace", "visibility"];
const words = ["no", "one", "two", "three", "four", "five", "six"];

const chosen = (name) => form.elements[name]?.value ?? "";

/** What holds: what was chosen by itself, or else by the preset. */
function effective(name) {
  const value = chosen(name);
  if (value || !(name in presets.standard)) return value;
  if (name === "ones" && effective("bidding") === "sum") return "straight";
  return (presets[chosen("preset")] ?? presets.standard)[name];
}

/** Why a choice is impossible now; nothing where it is possible. */
function whyNot(field) {
  const needs = JSON.parse(field.dataset.needs ?? "[]");
  return needs.find(([name, allowed]) => !allowed.includes(effective(name)))?.[2] ?? "";
}

function sayWhy(field, why) {
  const said = document.getElementById(`${field.id}-why`);
  if (!said) return;
  said.textContent = why;
  said.hidden = !why;
}

/** Switch every choice of a group on or off; what is chosen and impossible gives way, and why is returned. */
function settle(name) {
  const radios = [...form.querySelectorAll(`input[name="${name}"]`)];
  let gave = "";
  let last = "";
  for (const radio of radios.filter((each) => !("never" in each.dataset))) {
    const why = whyNot(radio);
    radio.disabled = Boolean(why);
    sayWhy(radio, why);
    last = why || last;
    if (why && radio.checked) gave = why;
  }
  const shared = document.getElementById(`${name}-why`);
  if (shared) [shared.textContent, shared.hidden] = [last, !last];
  if (gave || !radios.some((radio) => radio.checked)) {
    const first = radios.find((radio) => !radio.disabled);
    const usual = radios.find((radio) => !radio.disabled && radio.defaultChecked);
    (usual ?? first).checked = true;
  }
  return gave;
}

function labelOf(name, value) {
  return form.querySelector(`input[name="${name}"][value="${value}"]`)?.dataset.label ?? "";
}

/** Say what the preset has beside the choice to leave it so. */
function sayPreset() {
  for (const name of Object.keys(presets.standard)) {
    const effect = document.getElementById(`${name}-preset-effect`);
    const kept = form.querySelector(`#${name}-preset`).checked;
    const value = kept ? effective(name) : (presets[chosen("preset")] ?? presets.standard)[name];
    if (effect) effect.textContent = `${labelOf(name, value)}.`;
  }
}

/** One more row than computers are chosen, and none beyond the seats. */
function showComputers() {
  const ranked = chosen("mode") === "ranked";
  const seats = Number(chosen("seats"));
  let filled = 0;
  for (const row of form.querySelectorAll(".computer")) {
    const [level, character] = row.querySelectorAll("select");
    if (filled >= seats - 1 || ranked) level.value = "";
    row.hidden = Number(row.dataset.row) > Math.max(1, seats - 1) || (!level.value && filled + 1 < Number(row.dataset.row));
    level.disabled = ranked;
    character.disabled = ranked || !level.value;
    row.querySelector("use").setAttribute("href", `#tin-${(level.value && character.value) || "any"}`);
    if (level.value) filled += 1;
  }
  const why = document.getElementById("computers-why");
  why.textContent = ranked ? "Ranked tables have no computers." : "";
  why.hidden = !ranked;
  return filled;
}

/** What will happen once the table is open. */
function sayOutlook(computers) {
  const free = Number(chosen("seats")) - 1 - computers;
  const outlook = document.getElementById("outlook");
  outlook.hidden = false;
  if (chosen("mode") === "practice") {
    outlook.textContent = "The practice begins at once; every seat without a computer is yours.";
  } else if (free === 0) {
    outlook.textContent = "Every seat is taken: the match begins at once.";
  } else {
    const seats = free === 1 ? "One seat stays" : `${words[free][0].toUpperCase()}${words[free].slice(1)} seats stay`;
    outlook.textContent = `${seats} free. You get a link to send.`;
  }
}

function refresh() {
  let gave = "";
  // A choice that gives way may make another one possible or not: a few rounds settle it.
  for (let round = 0; round < 4; round += 1) {
    for (const name of groups) gave = settle(name) || gave;
  }
  if (gave) document.getElementById("news").textContent = gave;
  for (const part of form.querySelectorAll("[data-when]")) {
    const [name, value] = part.dataset.when.split("=");
    part.hidden = chosen(name) !== value;
  }
  const ranked = chosen("mode") === "ranked";
  form.elements.bank.disabled = ranked;
  form.elements.turn_unit.querySelector('[value="hours"]').disabled = ranked;
  if (ranked) form.elements.turn_unit.value = "days";
  if (ranked && Number(form.elements.turn.value) > 3) form.elements.turn.value = "2";
  sayPreset();
  sayOutlook(showComputers());
}

// In practice a row is one's own seat as soon as no computer sits there: nothing more to hide.
form.addEventListener("change", refresh);
refresh();
document.getElementById("wrong")?.focus();

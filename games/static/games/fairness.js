// Fair dice, checked in the browser: the chain of secrets, every die, the drawn opener, what was counted and lost.
// It reads what the API publishes about a match and sends nothing. The rules are the ones of `manage.py verify`.

const encoder = new TextEncoder();
const MOST_BLOCKS = 1000; // no honest stream of bytes needs so many for five dice

/** The first round in which something is not as it should be; `round` is null where it is the whole match. */
export class Unfair extends Error {
  constructor(round, message) {
    super(message);
    this.round = round;
  }
}

function bytesOf(hex, round, what) {
  if (typeof hex !== "string" || !/^[0-9a-f]{64}$/.test(hex)) throw new Unfair(round, `${what} is no 64 hex digits`);
  return Uint8Array.from(hex.match(/../g), (pair) => Number.parseInt(pair, 16));
}

function hexOf(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes that a secret gives for one purpose, without those that would favour some results. */
async function* stream(secret, purpose, seeds, below) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  for (let block = 0; block < MOST_BLOCKS; block++) {
    const message = encoder.encode([purpose, String(block), ...seeds].join("|"));
    for (const byte of new Uint8Array(await crypto.subtle.sign("HMAC", key, message))) {
      if (byte < below) yield byte;
    }
  }
}

async function rolled(secret, table, number, seat, count, seeds) {
  const dice = [];
  if (!count) return dice;
  for await (const byte of stream(secret, `${table}|${number}|${seat}`, seeds, 252)) {
    dice.push((byte % 6) + 1);
    if (dice.length === count) break;
  }
  return dice;
}

async function drawnOpener(secret, table, seats, seeds) {
  const most = seats.length * Math.floor(256 / seats.length);
  for await (const byte of stream(secret, `${table}|1|opener`, seeds, most)) return seats[byte % seats.length];
  return null;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function counted(rules, reveal) {
  const dice = Object.values(reveal.hands).flat();
  if (rules.bidding === "sum") return dice.reduce((sum, die) => sum + die, 0);
  const { face } = reveal.bid;
  const wild = ["aces", "wild", "low"].includes(rules.ones) && !reveal.palifico && face !== 1;
  return dice.filter((die) => die === face || (wild && die === 1)).length;
}

/** Who loses or gains a die by this call, as the rules say; seats as the document writes them. */
function changesOf(rules, reveal, dice) {
  const caller = String(reveal.call.seat);
  const bidder = String(reveal.bid.seat);
  if (!reveal.right) return { [caller]: -1 };
  if (reveal.call.type === "liar") return { [bidder]: -1 };
  if (rules.exact === "regain") return dice[caller] >= rules.starting_dice ? {} : { [caller]: 1 };
  return Object.fromEntries(Object.keys(dice).filter((seat) => seat !== caller).map((seat) => [seat, -1]));
}

function sorted(object) {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => one - other));
}

function checkOutcome(rules, reveal, dice) {
  const at = reveal.number;
  const { seat, at: _time, ...last } = reveal.bids.at(-1);
  if (!same({ seat, ...last }, { ...reveal.bid })) throw new Unfair(at, "the bid that was called is not the last one");
  const count = counted(rules, reveal);
  if (reveal.count !== count) throw new Unfair(at, `${reveal.count} were counted, and there are ${count}`);
  const amount = reveal.bid.total ?? reveal.bid.quantity;
  const right = reveal.call.type === "liar" ? count < amount : count === amount;
  if (reveal.right !== right) throw new Unfair(at, `the call was ${right ? "right" : "wrong"}, and the opposite is written`);
  if (!same(sorted(reveal.changes), sorted(changesOf(rules, reveal, dice)))) {
    throw new Unfair(at, "the dice lost or won are not those that the call costs or brings");
  }
  const out = Object.keys(dice).filter((of) => dice[of] + (reveal.changes[of] ?? 0) === 0).map(Number);
  if (!same([...reveal.out].sort(), out)) throw new Unfair(at, "who is out does not follow from the dice that are left");
}

function checkTurns(reveal, seatsIn) {
  const next = (seat) => seatsIn.find((other) => other > seat) ?? seatsIn[0];
  let turn = reveal.opener;
  for (const bid of reveal.bids) {
    if (bid.seat !== turn || !seatsIn.includes(turn)) throw new Unfair(reveal.number, `seat ${bid.seat} bid out of turn`);
    turn = next(turn);
  }
  if (reveal.call.seat !== turn) throw new Unfair(reveal.number, `seat ${reveal.call.seat} called out of turn`);
}

/**
 * Check a match from its table and its revealed rounds; return how many rounds were rolled again.
 * Throws `Unfair` at the first that does not follow.
 */
export async function check(table, rounds) {
  const seats = table.seats.map((seat) => seat.seat);
  const seeds = table.seats.map((seat) => seat.client_seed);
  if (table.given && table.mode !== "practice") throw new Unfair(null, "hands are given on practice tables only");
  if (seeds.some((seed) => typeof seed !== "string")) throw new Unfair(null, "a seed is missing");
  let before = table.commitment;
  let dice = table.given?.dice ?? Object.fromEntries(seats.map((seat) => [seat, table.rules.starting_dice]));
  let previous = null;
  for (const [index, reveal] of rounds.entries()) {
    const number = index + 1;
    if (reveal.number !== number) throw new Unfair(number, `round ${reveal.number} stands where round ${number} belongs`);
    const secret = bytesOf(reveal.secret, number, "its secret");
    if (hexOf(await crypto.subtle.digest("SHA-256", secret)) !== before) {
      throw new Unfair(number, `its secret does not hash to ${previous ? "the one before" : "the commitment"}`);
    }
    before = reveal.secret;
    const lengths = Object.fromEntries(Object.entries(reveal.hands).map(([seat, hand]) => [seat, hand.length]));
    if (!same(sorted(lengths), sorted(dice))) throw new Unfair(number, "somebody has another number of dice than was left");
    const given = number === 1 && table.given;
    for (const [seat, hand] of given ? [] : Object.entries(reveal.hands)) {
      const expected = await rolled(secret, table.id, number, seat, hand.length, seeds);
      if (!same(hand, expected)) {
        throw new Unfair(number, `seat ${seat} shows ${hand.join(" ")}, and ${expected.join(" ")} follows from the secret`);
      }
    }
    if (previous && (reveal.opener !== previous.next_opener || reveal.palifico !== previous.next_palifico)) {
      throw new Unfair(number, "it was opened otherwise than the round before says");
    }
    if (!previous && !given) await checkFirstOpener(table, reveal, secret, seats, seeds);
    checkTurns(reveal, Object.keys(dice).map(Number).sort());
    checkOutcome(table.rules, reveal, dice);
    dice = Object.fromEntries(
      Object.entries(dice)
        .map(([seat, count]) => [seat, count + (reveal.changes[seat] ?? 0)])
        .filter(([, count]) => count > 0),
    );
    previous = reveal;
  }
  return rounds.length;
}

async function checkFirstOpener(table, reveal, secret, seats, seeds) {
  const hosted = table.seats.filter((seat) => seat.player.kind !== "computer" && seat.player.id === table.host);
  const drawn = table.rules.first_opener === "host" && hosted.length
    ? Math.min(...hosted.map((seat) => seat.seat))
    : await drawnOpener(secret, table.id, seats, seeds);
  if (reveal.opener !== drawn) throw new Unfair(1, `seat ${reveal.opener} opened, and seat ${drawn} was drawn`);
  if (reveal.palifico) throw new Unfair(1, "a match does not begin with a palifico round");
}

/** What the check found, in a sentence. */
export function verdict(count, given = false, going = false) {
  const rolls = given ? count - 1 : count;
  const left = given ? " Round 1 is left out: its hands were given, not rolled." : "";
  const soFar = going ? " so far" : "";
  if (!rolls) return `No round was rolled${soFar}.${left}`;
  const which = rolls === 1 ? `The ${given ? "other " : ""}round${soFar} is fair` : `All ${rolls} ${given ? "other " : ""}rounds${soFar} are fair`;
  return `${which}: every die follows from the commitment that was public before anyone sat down.${left}`;
}

async function json(address) {
  const answer = await fetch(address, { credentials: "same-origin", headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}`);
  return answer.json();
}

async function everyRound(address) {
  const rounds = [];
  for (let next = address; next; ) {
    const page = await json(next);
    rounds.push(...page.results);
    next = page.next && new URL(page.next, location.href).pathname + new URL(page.next, location.href).search;
  }
  return rounds;
}

async function match(dataset) {
  if (dataset.archive) {
    const whole = await json(dataset.archive);
    return [whole.table, whole.rounds];
  }
  const rounds = await everyRound(dataset.rounds);
  return [await json(dataset.table), rounds];
}

async function run(section, button, finding) {
  button.setAttribute("aria-disabled", "true");
  finding.classList.remove("wrong");
  finding.textContent = "Rolling every die again …";
  try {
    const [table, rounds] = await match(section.dataset);
    finding.textContent = verdict(await check(table, rounds), Boolean(table.given), !section.dataset.archive);
  } catch (error) {
    finding.classList.add("wrong");
    finding.textContent = error instanceof Unfair
      ? `${error.round ? `Round ${error.round} is not fair` : "This match cannot be checked"}: ${error.message}.`
      : error instanceof TypeError && error.message.includes("fetch")
        ? "No connection: the match could not be read."
        : `The match could not be read: ${error.message}.`;
  }
  button.removeAttribute("aria-disabled");
}

function prepare(section) {
  const button = section.querySelector("[data-check]");
  const finding = section.querySelector("[data-finding]");
  if (!globalThis.crypto?.subtle) {
    finding.textContent = "This browser checks dice only on a page that came over HTTPS: check this match by hand or with manage.py verify.";
    return;
  }
  button.hidden = false;
  button.addEventListener("click", () => button.hasAttribute("aria-disabled") || run(section, button, finding));
}

for (const section of document.querySelectorAll("[data-fairness]")) prepare(section);

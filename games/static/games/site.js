// Every page: the browser's time zone, times in it, and how long is left.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`tz=${encodeURIComponent(zone)}`)) {
  document.cookie = `tz=${encodeURIComponent(zone)}; path=/; max-age=31536000; samesite=lax`;
}

/** What is left of a span of milliseconds, in the same steps and words as the server's. */
export function left(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  if (days) {
    const rest = hours % 24;
    return `${days} ${days === 1 ? "day" : "days"}${rest ? ` ${rest} h` : ""} left`;
  }
  if (hours) return minutes % 60 ? `${hours} h ${minutes % 60} min left` : `${hours} h left`;
  if (minutes) return `${minutes} min left`;
  return seconds ? `${seconds} s left` : "time is up";
}

// The server's clock counts: a telephone that is wrong by an hour shows the right time left all the same.
const ends = new WeakMap();

function remainingOf(element) {
  const { left: seconds, until } = element.dataset;
  if (!ends.has(element)) ends.set(element, seconds ? Date.now() + Number(seconds) * 1000 : Date.parse(until));
  return ends.get(element) - Date.now();
}

/** Count down everything that says until when: its words, and the ring of the postmark beside it. */
function countDown() {
  let soonest = Infinity;
  for (const element of document.querySelectorAll("[data-until]")) {
    const remaining = remainingOf(element);
    const words = left(remaining);
    if (element.textContent !== words) element.textContent = words;
    const whole = Number(element.dataset.whole) * 1000;
    const region = element.closest("[data-clock]");
    if (whole && region) {
      const share = Math.max(0, Math.min(1, remaining / whole));
      region.querySelector(".postmark .left")?.setAttribute("stroke-dasharray", `${(share * 100).toFixed(1)} 100`);
      region.classList.toggle("pressing", remaining < Math.min(whole / 10, 3 * 3600 * 1000));
    }
    soonest = Math.min(soonest, remaining);
  }
  const wait = soonest < 120_000 ? 1000 : 20_000;
  clearTimeout(countDown.timer);
  countDown.timer = setTimeout(countDown, wait);
}

navigator.serviceWorker?.register("/service-worker.js").catch(() => {});

countDown();
document.addEventListener("visibilitychange", () => document.hidden || countDown());
document.addEventListener("htmx:afterSettle", countDown);

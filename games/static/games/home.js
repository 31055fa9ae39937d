// Home looks again now and then while somebody looks at it, and when they come back to it.

import { fetched, reload, show } from "./fresh.js";

const EVERY = 40_000;
let looked = Date.now();
let timer;

async function look() {
  clearTimeout(timer);
  if (!document.hidden) {
    looked = Date.now();
    try {
      const { page } = await fetched();
      // Somebody who was new has tables by now, in another window: the whole page is another one.
      if (page && !show(page)) reload();
    } catch {
      // No connection: the next look will tell.
    }
  }
  timer = setTimeout(look, EVERY);
}

timer = setTimeout(look, EVERY);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && Date.now() - looked > 5000) look();
});

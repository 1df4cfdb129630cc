// Pictures of every page, on a phone and a desktop, in both themes, against the real server, to be looked at. The tests'
// code has to be compiled (clients/web/check), and CHICKENFOOT_SERVER_BIN to name the server's program.
// Usage: node e2e/pictures.mjs FOLDER [PART OF A NAME]
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { Chromium, DESKTOP, PHONE } from "../build/e2e/browser.js";
import { finished, Held, house } from "../build/e2e/held.js";
import { Server } from "../build/e2e/server.js";
import { houseMatch, tournament, world } from "../build/e2e/world.js";

const [folder, part = ""] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node e2e/pictures.mjs FOLDER [PART OF A NAME]");
  process.exit(2);
}
mkdirSync(folder, { recursive: true });

const ends = [];
const ending = { after: (end) => ends.unshift(end) };
try {
  const server = await Server.start(ending);
  const chromium = await Chromium.start(ending);
  const pages = await prepare(server.address);
  for (const [size, options] of [["phone", PHONE], ["desktop", DESKTOP]]) {
    for (const colorScheme of ["light", "dark"]) {
      const window = await chromium.window(ending, server.address, { ...options, colorScheme });
      for (const [name, path, ready] of pages) {
        const file = `${name}-${size}-${colorScheme}.png`;
        if (!file.includes(part)) {
          continue;
        }
        const page = await window.open(path);
        await page.locator(ready).first().waitFor();
        await page.waitForLoadState("networkidle", { timeout: 5_000 }).catch(() => undefined);
        // Of a match what is seen without scrolling; of lists everything.
        await page.screenshot({ path: join(folder, file), fullPage: !path.startsWith("/m/") || size === "phone" });
        console.log(file);
        await page.close();
      }
    }
  }
} finally {
  for (const end of ends) {
    await end();
  }
}

/** Fills the server; gives each page's name, its path, and what is there once it is loaded. */
async function prepare(address) {
  const filled = await world(address);
  const { ann } = filled;
  const running = await Held.start(ann, "ann", [house("greedy"), house("dead-foot"), house("lowest")], { rounds: 10 });
  await running.play(25);
  const small = await Held.start(ann, "ann", [house("greedy")], { maxPip: 12 });
  await small.play(6);
  const field = ["greedy", "dead-foot", "lowest", "random", "monte-carlo:20"];
  const live = await tournament(ann, "Winter league", { case: "roundRobin", value: { cycles: 300 } }, field, 4, 2);
  const eight = ["greedy", "dead-foot", "lowest", "random", "greedy", "dead-foot", "lowest", "random"];
  const crowded = await crowdedMoment(ann, await houseMatch(ann, eight, { rounds: 10 }, 3));
  const eighteen = await crowdedMoment(ann, await houseMatch(ann, eight, { maxPip: 18, rounds: 2 }, 5));
  const usual = await crowdedMoment(ann, filled.match);
  const moment = ".moves a[aria-current=step]";
  return [
    ["home", "/", ".card img"],
    ["tournament", `/t/${filled.roundRobin}`, ".standings tbody tr"],
    ["tournament-live", `/t/${live}`, ".standings tbody tr"],
    ["tournament-ab", `/t/${filled.abTest}`, ".ratio"],
    ["tournament-open", `/t/${filled.open}`, ".lines li"],
    ["agents", "/agents", ".standings tbody tr"],
    ["agent", "/agents/ann", ".results tbody tr"],
    ["match-live", `/m/${running.id}`, ".status .sign.on"],
    ["match", usual, moment],
    ["match-end", `/m/${filled.match}`, moment],
    ["match-crowded", crowded, moment],
    ["match-eighteen", eighteen, moment],
    ["match-embedded", `${usual}?embed=1`, ".status .sign"],
    ["match-missing", `/m/${"0".repeat(32)}`, "h1"],
  ];
}

/** The address of the moment of a match at which the most tiles lie. */
async function crowdedMoment(service, id) {
  await finished(service, id);
  let [tiles, most, moment] = [0, 0, 1];
  for await (const { what } of service.matches.watchMatch({ matchId: id })) {
    const event = what.case === "event" ? what.value : undefined;
    tiles = event?.what.case === "roundStarted" ? 0 : tiles + (event?.what.case === "played" ? 1 : 0);
    if (tiles > most) {
      [most, moment] = [tiles, event.seq];
    }
  }
  return `/m/${id}/${moment}`;
}

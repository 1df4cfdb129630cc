import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import type { Page } from "playwright-core";

import { Chromium } from "./browser.js";
import { finished } from "./held.js";
import { Server } from "./server.js";
import { agent } from "./service.js";
import { shown, showsAt, type Shown } from "./shown.js";
import { houseMatch } from "./world.js";

const PROGRAM = process.env["CHICKENFOOT_BIN"] ?? "";
const run = promisify(execFile);

test("a replay in one file shows what the server's page shows, and asks nobody", {
  skip: PROGRAM === "" && "CHICKENFOOT_BIN does not name the program chickenfoot",
}, async (context) => {
  const chromium = await Chromium.start({ after });
  const server = await Server.start({ after });
  const folder = await mkdtemp(join(tmpdir(), "chickenfoot-web-"));
  context.after(() => rm(folder, { recursive: true }));
  const ann = await agent(server.address, "ann");
  const id = await houseMatch(ann, ["greedy", "dead-foot", "lowest"], { rounds: 3 }, 7);
  const last = await finished(ann, id);
  const record = await run(PROGRAM, ["--server", server.address, "record", "get", id], { maxBuffer: 2 ** 26 });
  await writeFile(join(folder, "match.json"), record.stdout);
  await run(PROGRAM, ["replay", join(folder, "match.json"), "--html", "-o", join(folder, "match.html")]);
  const file = pathToFileURL(join(folder, "match.html")).href;

  const online = await (await chromium.window(context, server.address)).open(`/m/${id}/60`);
  const window = await chromium.window(context, "file://");
  await window.context.setOffline(true);
  const alone = await window.open(file);
  const ends = alone.locator(`.moves a[aria-current=step][href$="${String(last)}"]`);
  await ends.waitFor({ state: "attached" });
  const end = await shown(alone);
  await alone.goto(`${file}#60`);
  const at = await same(alone, online, 60);
  assert.notEqual(at.table, end.table);
  await alone.getByLabel("all", { exact: true }).check();
  await alone.locator(".hand li").first().waitFor();
  // The choice is a field, which keeps its keys.
  await alone.locator("main").focus();
  for (const page of [alone, online]) await page.keyboard.press("End");
  await ends.waitFor({ state: "attached" });
  await showsAt(online, last);
  assert.deepEqual(await shown(alone), await shown(online));
});

/** Waits until both show this event; gives what they show, which has to be the same. */
async function same(alone: Page, online: Page, seq: number): Promise<Shown> {
  await showsAt(online, seq);
  await alone.locator(`.moves a[aria-current=step][href$="${String(seq)}"]`).waitFor({ state: "attached" });
  const [one, other] = [await shown(alone), await shown(online)];
  assert.deepEqual(one, other);
  return one;
}

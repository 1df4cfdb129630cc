import assert from "node:assert/strict";
import { after, test } from "node:test";

import type { Page } from "playwright-core";

import { Chromium } from "./browser.js";
import { Held, house } from "./held.js";
import { Server } from "./server.js";
import { shown, showsAt, showsLive } from "./shown.js";
import { world } from "./world.js";

const chromium = await Chromium.start({ after });
const server = await Server.start({ after });
const filled = await world(server.address);
const running = await Held.start(filled.ann, "ann", [house("greedy"), house("lowest")], { rounds: 2 });
await running.play(4);

test("everything on every page can be reached by the keyboard, and shows that it has the focus", async (context) => {
  const window = await chromium.window(context, server.address);
  for (const [path, ready] of [
    ["/", ".card"],
    [`/t/${filled.abTest}`, ".standings tbody tr"],
    ["/agents", ".standings tbody tr"],
    ["/agents/ann", ".results tbody tr"],
    [`/m/${running.id}`, ".status .sign.on"],
    [`/m/${running.id}/20`, ".moves a[aria-current=step]"],
  ] as const) {
    const page = await window.open(path);
    await page.locator(ready).first().waitFor();
    await reachesAll(page, path);
    await page.close();
  }
});

test("a match is watched with the keyboard alone", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${filled.match}`);
  await showsAt(page, filled.events);
  const end = await shown(page);
  const press = async (key: string, status: string, isSame: boolean): Promise<void> => {
    await page.keyboard.press(key);
    await page.waitForFunction(
      ({ words, wanted }) => (document.querySelector(".status span")?.textContent.replace(/\s+/g, " ").trim() === words) === wanted,
      { words: status, wanted: isSame },
    );
  };
  await press("Home", end.status, false);
  const first = await shown(page);
  await press("ArrowRight", first.status, false);
  await press("ArrowLeft", first.status, true);
  for (const [key, round] of [["ArrowDown", 1], ["ArrowDown", 2], ["PageDown", 3], ["PageUp", 2], ["ArrowUp", 1]] as const) {
    await page.keyboard.press(key);
    await page.locator(".heading").getByText(`round ${String(round)} of 10`).waitFor();
  }
  await press("End", end.status, true);
  await press("Home", first.status, true);
  await press("Space", first.status, false);
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Play" }).waitFor();
  await page.keyboard.press("+");
  await page.locator("svg.table.zoomed").waitFor();
  await page.keyboard.press("0");
  await page.locator("svg.table.zoomed").waitFor({ state: "detached" });
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
});

test("L follows live, and a field keeps its keys", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${running.id}/12`);
  await showsAt(page, 12);
  // The whole match is there.
  await page.locator(`.moves a[href$="/${String(running.head)}"]`).waitFor({ state: "attached" });
  await page.getByLabel("Speed").focus();
  const before = page.url();
  for (const key of ["l", "Home", " ", "ArrowLeft"]) await page.keyboard.press(key);
  await page.keyboard.press("Escape");
  assert.equal(page.url(), before, "a field's key moved the match");
  await page.locator("main").focus();
  await page.keyboard.press("l");
  await showsLive(page, running.head);
});

test("a box that scrolls keeps its keys", async (context) => {
  const window = await chromium.window(context, server.address, { viewport: { width: 400, height: 900 } });
  const page = await window.open(`/m/${filled.match}/100`);
  await showsAt(page, 100);
  await page.getByText("The table as text", { exact: true }).click();
  const text = page.locator(".outline pre");
  await page.waitForFunction(() => {
    const box = document.querySelector(".outline pre");
    return box !== null && box.scrollWidth > box.clientWidth;
  });
  await text.focus();
  const before = page.url();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => (document.querySelector(".outline pre")?.scrollLeft ?? 0) > 0);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  assert.equal(page.url(), before, "the box's key moved the match");
});

test("what takes itself away leaves the focus nearby", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${filled.match}/100`);
  await showsAt(page, 100);
  await page.keyboard.press("+");
  await page.getByRole("button", { name: "Whole table" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("svg.table.zoomed").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.matches(".controls button") === true);
});

test("from the matches to a move and back without a mouse", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open("/");
  await page.locator(".results a").first().waitFor();
  await tabTo(page, ".results a");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/m/*");
  await page.locator(".moves a").first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.id), "main", "a new page takes the focus");
  await tabTo(page, ".moves a");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/m/*/*");
  await page.goBack();
  await page.waitForURL((url) => /^\/m\/[0-9a-f]+$/.test(url.pathname));
});

/** Presses Tab until something of this kind has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector)) return;
  }
  assert.fail(`Tab does not reach ${selector}`);
}

/** Presses Tab through the whole page: everything that can be worked has to get the focus, and to show it. */
async function reachesAll(page: Page, path: string): Promise<void> {
  const missing = await page.evaluate(() => {
    const kinds = "a[href], button:not(:disabled), select, summary, input:not([type=radio]), input[type=radio]:checked, [tabindex='0']";
    const all = [...document.querySelectorAll<HTMLElement>(kinds)].filter((it) => it.tabIndex >= 0 && it.checkVisibility());
    Object.assign(globalThis, { toReach: new Set(all), unseen: [] as string[] });
    return all.length;
  });
  assert(missing > 5, path);
  for (let tries = 0; tries < missing + 40; tries += 1) {
    await page.keyboard.press("Tab");
    const left = await page.evaluate(() => {
      const { toReach, unseen } = globalThis as unknown as { toReach: Set<Element>; unseen: string[] };
      const it = document.activeElement;
      if (it && it !== document.body) {
        toReach.delete(it);
        const { outlineStyle, outlineWidth } = getComputedStyle(it);
        if (outlineStyle === "none" || outlineWidth === "0px") unseen.push(it.outerHTML.slice(0, 200));
      }
      // What a poll has taken away need not be reached.
      for (const one of toReach) if (!one.isConnected) toReach.delete(one);
      return toReach.size;
    });
    if (left === 0) break;
  }
  const rest = await page.evaluate(() => {
    const { toReach, unseen } = globalThis as unknown as { toReach: Set<Element>; unseen: string[] };
    return { missed: [...toReach].map((it) => it.outerHTML.slice(0, 200)), unseen };
  });
  assert.deepEqual(rest, { missed: [], unseen: [] }, path);
}

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";

import type { FrameLocator, Page } from "playwright-core";

import { Chromium, DESKTOP, PHONE } from "./browser.js";
import { overflow, showsAt } from "./shown.js";
import { site } from "./site.js";

const chromium = await Chromium.start({ after });
const { server, filled, running, pages } = await site({ after });

test("no page is wider than the window, from 390 to 1,920 pixels", async (context) => {
  const window = await chromium.window(context, server.address, PHONE);
  for (const [path, ready] of pages) {
    const page = await window.open(path);
    await page.locator(ready).first().waitFor();
    for (const width of [390, 600, 768, 1024, 1366, 1920]) {
      await page.setViewportSize({ width, height: 844 });
      assert.equal(await overflow(page), 0, `${path} at ${String(width)} pixels`);
    }
    await page.close();
  }
});

test("headings are in order on every page, and there is one first", async (context) => {
  const window = await chromium.window(context, server.address);
  for (const [path, ready] of pages) {
    const page = await window.open(path);
    await page.locator(ready).first().waitFor();
    const levels = await page.locator("h1, h2, h3, h4").evaluateAll((all) => all.map(({ tagName }) => Number(tagName.slice(1))));
    assert.equal(levels[0], 1, path);
    assert.equal(levels.filter((level) => level === 1).length, 1, path);
    levels.forEach((level, at) => { assert(level - (levels[at - 1] ?? 0) <= 1, `${path}: ${String(levels)}`); });
    await page.close();
  }
});

test("the colours follow the system, and a choice is kept", async (context) => {
  const window = await chromium.window(context, server.address, { ...DESKTOP, colorScheme: "dark" });
  const page = await window.open("/");
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await ground();
  assert.notEqual(light, dark);
  const button = page.getByRole("button", { name: /Colours/ });
  while ((await button.textContent()) !== "Dark") await button.click();
  assert.equal(await ground(), dark);
  await page.reload();
  assert.equal(await ground(), dark);
});

test("with reduced motion nothing moves by itself", async (context) => {
  const window = await chromium.window(context, server.address, { ...DESKTOP, reducedMotion: "reduce" });
  const page = await window.open(`/m/${running.id}`);
  await page.locator(".status .sign.on").waitFor();
  const box = (): Promise<string | null> => page.locator("svg.table").getAttribute("viewBox");
  const boxes = new Set<string | null>();
  for (let move = 0; move < 8; move += 1) {
    await running.play();
    await page.locator(`.moves a[aria-current=step][href$="/${String(running.head)}"]`).waitFor({ state: "attached" });
    const [first, moving] = [await box(), await page.evaluate(() => document.getAnimations().length)];
    assert.equal(moving, 0);
    // An eased picture would be elsewhere with the next frames.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    assert.equal(await box(), first);
    boxes.add(first);
  }
  assert(boxes.size > 1, "the picture did not grow");
});

test("an embedded match is the table and its controls", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${filled.match}/100?embed=1`);
  await showsEmbedded(page);
  assert.equal(await page.locator("body > header").count(), 0);
  assert.equal(await page.locator(".moves").count(), 0);
  // As long as the match is loading, a key moves nothing.
  await until(page, () => page.keyboard.press("ArrowRight"), (url) => url.pathname !== `/m/${filled.match}/100`);
  assert.equal(new URL(page.url()).search, "?embed=1");
});

test("a page of another origin may frame an embedded match, and no other page", async (context) => {
  const window = await chromium.window(context, server.address);
  const framing = async (path: string): Promise<string> => {
    const other = createServer((_, answer) => {
      answer.setHeader("content-type", "text/html");
      answer.end(`<!doctype html><title>other</title><link rel="icon" href="data:,"><iframe src="${server.address}${path}" width="600" height="600"></iframe>`);
    });
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    context.after(() => other.close());
    const { port } = other.address() as AddressInfo;
    const origin = `http://127.0.0.1:${String(port)}`;
    window.complaints.others.add(origin);
    return origin;
  };
  const page = await window.open(await framing(`/m/${filled.match}/100?embed=1`));
  await showsEmbedded(page.frameLocator("iframe"));
  assert.deepEqual(window.complaints.all, []);

  const refusal = window.context.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  const refused = await window.open(await framing(`/m/${filled.match}/100`));
  await refusal;
  assert.equal(await refused.frameLocator("iframe").locator("svg.table").count(), 0);
  await refused.close();
  for (const complaint of window.complaints.all.splice(0)) assert.match(complaint, /frame-ancestors|ERR_BLOCKED_BY/);
});

/** Does something again and again until the page has such an address. */
async function until(page: Page, act: () => Promise<void>, is: (url: URL) => boolean): Promise<void> {
  while (!is(new URL(page.url()))) {
    await act();
    await page.waitForURL(is, { timeout: 1000 }).catch(() => undefined);
  }
}

async function showsEmbedded(page: Page | FrameLocator): Promise<void> {
  await page.locator("svg.table").waitFor();
  await page.locator(".status .sign").waitFor();
}

test("a tournament and the lists can be embedded", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/t/${filled.roundRobin}?embed=1`);
  await page.locator(".standings tbody tr").first().waitFor();
  assert.equal(await page.locator("body > header").count(), 0);
  await page.locator(".results a").first().click();
  await page.waitForURL("**/m/*?embed=1");
});

test("the picture and the outline of a move have addresses of their own", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${filled.match}/100`);
  await showsAt(page, 100);
  for (const [name, type] of [["100.svg", "image/svg+xml"], ["100.txt", "text/plain"], ["latest.svg", "image/svg+xml"]]) {
    const answer = await page.request.get(`/m/${filled.match}/${name ?? ""}`);
    assert.equal(answer.status(), 200, name);
    assert.match(answer.headers()["content-type"] ?? "", new RegExp((type ?? "").replace("+", "\\+")), name);
  }
});

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { fromBinary } from "@bufbuild/protobuf";
import type { Page, Request } from "playwright-core";

import { Chromium, PHONE } from "./browser.js";
import { WatchMatchRequestSchema } from "./gen/chickenfoot/v1/match_pb.js";
import { finished, Held, house, seatOf } from "./held.js";
import { lastFirst, Server } from "./server.js";
import { agent, type Service } from "./service.js";
import { setHidden, shown, showsAt, showsLive } from "./shown.js";
import { houseMatch } from "./world.js";

const chromium = await Chromium.start({ after });
const server = await Server.start({ after });
const ann = await agent(server.address, "ann");

/** A match at which the test sits, some moves in. */
async function held(service: Service = ann): Promise<Held> {
  const match = await Held.start(service, "ann", [house("greedy"), house("dead-foot"), house("lowest")], { rounds: 3 });
  await match.play(2);
  return match;
}

test("a match is followed live; stepping back stays there, counts what is new, and Live returns", async (context) => {
  const match = await held();
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${match.id}`);
  await showsLive(page, match.head);
  await match.play();
  await showsLive(page, match.head);
  assert.equal(new URL(page.url()).pathname, `/m/${match.id}`);

  const moves = await count(page);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  // The address follows a moment later.
  const at = page.locator(".moves a[aria-current=step]");
  await page.waitForFunction((value) => document.querySelector<HTMLInputElement>(".slider")?.value === value, String(moves - 2));
  await page.waitForURL(`**${(await at.getAttribute("href")) ?? ""}`);
  const [back, address] = [await shown(page), page.url()];
  await match.play(2);
  const live = page.locator("button.live");
  // Both in one look: more may come at any time.
  await page.waitForFunction((before) => {
    const fresh = Number(document.querySelector<HTMLInputElement>(".slider")?.max) - before;
    return fresh > 1 && document.querySelector("button.live")?.textContent.includes(`${String(fresh)} new moves`) === true;
  }, moves);
  assert.deepEqual([await shown(page), page.url()], [back, address], "what is new moved the reader");
  assert.equal(await live.getAttribute("aria-pressed"), "false");

  await live.click();
  await showsLive(page, match.head);
  assert.equal(await live.getAttribute("aria-pressed"), "true");
  assert.equal(new URL(page.url()).pathname, `/m/${match.id}`);
});

test("a link at a move shows that very state, and so does loading it anew", async (context) => {
  const id = await houseMatch(ann, ["greedy", "dead-foot", "lowest", "random"], { rounds: 3 }, 7);
  const last = await finished(ann, id);
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${id}`);
  await showsAt(page, last);
  const seq = Number(/\d+$/.exec((await page.locator(".moves a").nth(20).getAttribute("href")) ?? "")?.[0]);
  await page.locator(`.moves a[href$="/${String(seq)}"]`).click();
  await showsAt(page, seq);
  const clicked = await shown(page);
  assert.equal(new URL(page.url()).pathname, `/m/${id}/${String(seq)}`);
  assert.notEqual(clicked.table, "");

  const linked = await window.open(`/m/${id}/${String(seq)}`);
  await showsAt(linked, seq);
  assert.deepEqual(await shown(linked), clicked);
  await linked.reload();
  await showsAt(linked, seq);
  assert.deepEqual(await shown(linked), clicked);

  await page.goBack();
  await showsAt(page, last);
  await page.goForward();
  await showsAt(page, seq);
  assert.deepEqual(await shown(page), clicked);
});

test("dragging the slider is one step of the history, and the address has where it ended", async (context) => {
  const id = await houseMatch(ann, ["greedy", "lowest"], { rounds: 3 }, 7);
  const last = await finished(ann, id);
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${id}`);
  await showsAt(page, last);
  const [entries, box] = [await page.evaluate(() => history.length), await page.locator(".slider").boundingBox()];
  assert(box);
  const x = (share: number): number => box.x + box.width * share;
  await page.mouse.move(x(0.9), box.y + box.height / 2);
  await page.mouse.down();
  for (let share = 0.88; share > 0.3; share -= 0.02) await page.mouse.move(x(share), box.y + box.height / 2);
  await page.mouse.up();
  const at = await page.locator(".moves a[aria-current=step]").getAttribute("href");
  assert(at);
  await page.waitForURL(`**${at}`);
  assert.equal(await page.evaluate(() => history.length), entries + 1);
  await page.goBack();
  await showsAt(page, last);
});

test("a match that begins later is there when it begins", async (context) => {
  const { match } = await ann.matches.createMatch({ config: { seats: [seatOf("ann"), house("greedy")], rules: { rounds: 1 } } });
  const id = match?.id ?? "";
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${id}`);
  await page.getByText("Waiting for ann").waitFor();
  await ann.matches.joinMatch({ matchId: id });
  await page.locator(".status .sign.on").waitFor();
  await page.locator(".moves a[aria-current=step]").first().waitFor({ state: "attached" });
});

test("a match that is aborted before it begins says so", async (context) => {
  const { match } = await ann.matches.createMatch({ config: { seats: [seatOf("ann"), house("greedy")] } });
  const id = match?.id ?? "";
  const window = await chromium.window(context, server.address);
  const [page, home] = [await window.open(`/m/${id}`), await window.open("/")];
  await page.getByText("Waiting for ann").waitFor();
  await ann.matches.abortMatch({ matchId: id });
  await page.getByText("The match was aborted before it began").waitFor();
  await page.locator(".notice.lost").waitFor({ state: "detached" });
  await home.locator(".results tbody tr").filter({ hasText: id.slice(0, 8) }).filter({ hasText: "Ended without a result" }).waitFor();
});

test("a link at a move of a match that goes on stays there", async (context) => {
  const match = await held();
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${match.id}/${String(match.head)}`);
  await showsAt(page, match.head);
  const before = await shown(page);
  await match.play(2);
  await page.locator("button.live").filter({ hasText: "new move" }).waitFor();
  assert.deepEqual(await shown(page), before);
});

test("a page outlives a restart of the server, and has no gap", async (context) => {
  const ending = lastFirst(context);
  const own = await Server.start(ending);
  const match = await held(await agent(own.address, "ann"));
  const window = await chromium.window(ending, own.address);
  const page = await window.open(`/m/${match.id}`);
  await showsLive(page, match.head);
  window.complaints.expectLoss();
  await own.kill();
  await page.locator(".notice.lost").filter({ hasText: "Connection lost" }).waitFor();
  await own.restart();
  await match.play(3);
  await showsLive(page, match.head);
  await page.locator(".notice.lost").waitFor({ state: "detached" });
  window.complaints.endLoss();
  const fresh = await window.open(`/m/${match.id}`);
  await showsLive(fresh, match.head);
  assert.deepEqual(await moveList(page), await moveList(fresh));
  assert.deepEqual(await shown(page), await shown(fresh));
});

test("a hidden page holds no stream; seen again it goes on with the next event", async (context) => {
  const match = await held();
  const window = await chromium.window(context, server.address);
  const page = await window.context.newPage();
  const asked: bigint[] = [];
  page.on("request", (request) => {
    if (isWatch(request)) asked.push(afterSeq(request));
  });
  await page.goto(`/m/${match.id}`);
  await showsLive(page, match.head);
  const seen = match.head;
  const ended = page.waitForEvent("requestfailed", isWatch);
  await setHidden(page, true);
  await ended;
  await match.play(2);
  assert.equal(asked.length, 1, "a hidden page opened a stream");
  await setHidden(page, false);
  await showsLive(page, match.head);
  assert.deepEqual(asked, [0n, BigInt(seen)]);
});

test("eight tabs show a match over six connections, and the one that is looked at goes on", async (context) => {
  const match = await held();
  const window = await chromium.window(context, server.address);
  const pages: Page[] = [];
  for (let tab = 0; tab < 8; tab += 1) {
    const before = pages.at(-1);
    // As a browser does: one tab of a window is seen.
    if (before) await setHidden(before, true);
    const page = await window.open(`/m/${match.id}`);
    await showsLive(page, match.head);
    pages.push(page);
  }
  await match.play();
  const [first, last] = [pages[0], pages.at(-1)];
  assert(first && last);
  await showsLive(last, match.head);
  await setHidden(last, true);
  await setHidden(first, false);
  await showsLive(first, match.head);
  await match.play();
  await showsLive(first, match.head);
});

test("five windows side by side are all live, beside the lists", async (context) => {
  const match = await held();
  const window = await chromium.window(context, server.address);
  const pages = await Promise.all(Array.from({ length: 5 }, () => window.open(`/m/${match.id}`)));
  const home = await window.open("/");
  await home.locator(".card").first().waitFor();
  await match.play();
  for (const page of pages) await showsLive(page, match.head);
});

test("a phone follows, steps by touch, and zooms with two fingers", async (context) => {
  const match = await held();
  const window = await chromium.window(context, server.address, PHONE);
  const page = await window.open(`/m/${match.id}`);
  await showsLive(page, match.head);
  await page.getByRole("button", { name: "Previous move", exact: true }).tap();
  await page.waitForURL(`**/m/${match.id}/*`);
  await match.play();
  await page.locator("button.live").filter({ hasText: "new move" }).tap();
  await showsLive(page, match.head);

  await page.locator(".felt").scrollIntoViewIfNeeded();
  await pinch(page);
  await page.locator("svg.table.zoomed").waitFor();
  await page.getByRole("button", { name: "Whole table" }).tap();
  await page.locator("svg.table.zoomed").waitFor({ state: "detached" });
});

test("a match that is played to its end says who won, and its record can be had", async (context) => {
  const match = await held();
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/m/${match.id}`);
  await showsLive(page, match.head);
  await match.finish();
  await page.locator(".sign", { hasText: "FINAL" }).waitFor();
  assert.match((await page.locator(".seats").textContent()) ?? "", /1st/);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Record" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.json$/);
});

/** The number of moves that the page knows. */
async function count(page: Page): Promise<number> {
  return Number(await page.locator(".slider").getAttribute("max") ?? await page.locator(".slider").evaluate((it: HTMLInputElement) => it.max));
}

/** All moves as the page tells them. */
async function moveList(page: Page): Promise<string[]> {
  for (const round of await page.locator(".moves details:not([open]) summary").all()) await round.click();
  return page.locator(".moves li").allTextContents();
}

function isWatch(request: Request): boolean {
  return request.url().endsWith("/WatchMatch");
}

/** The number after which a watch begins, read out of its frame of gRPC-Web. */
function afterSeq(request: Request): bigint {
  const body = request.postDataBuffer();
  assert(body);
  return fromBinary(WatchMatchRequestSchema, body.subarray(5)).afterSeq;
}

/** Two fingers on the table that move apart. */
async function pinch(page: Page): Promise<void> {
  const box = await page.locator(".felt").boundingBox();
  assert(box);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const session = await page.context().newCDPSession(page);
  const touch = async (type: "touchStart" | "touchMove" | "touchEnd", apart?: number): Promise<void> => {
    const touchPoints = apart === undefined ? [] : [{ x: x - apart, y, id: 0 }, { x: x + apart, y, id: 1 }];
    await session.send("Input.dispatchTouchEvent", { type, touchPoints });
  };
  await touch("touchStart", 30);
  for (const apart of [45, 60, 80, 100]) await touch("touchMove", apart);
  await touch("touchEnd");
}


import assert from "node:assert/strict";
import { after, test } from "node:test";

import { fromBinary } from "@bufbuild/protobuf";
import type { Page } from "playwright-core";

import { Chromium } from "./browser.js";
import { WatchMatchResponseSchema, type WatchMatchResponse } from "./gen/chickenfoot/v1/match_pb.js";
import { Held, house } from "./held.js";
import { Server } from "./server.js";
import { agent } from "./service.js";
import { showsLive } from "./shown.js";

const chromium = await Chromium.start({ after });
const server = await Server.start({ after });

test("a page gets no tile of a hand before the end, and can show all hands afterwards", async (context) => {
  const ann = await agent(server.address, "ann");
  const match = await Held.start(ann, "ann", [house("greedy"), house("lowest"), house("dead-foot")], { rounds: 2 });
  const window = await chromium.window(context, server.address);
  const page = await window.context.newPage();
  const received = await receivedBytes(page);
  await page.goto(`/m/${match.id}`);
  await match.play(6);
  await showsLive(page, match.head);

  const before = messages(received());
  assert(before.length > 20, "the stream was not read");
  for (const { what } of before) {
    if (what.case !== "event") continue;
    const it = what.value.what;
    if (it.case === "handDealt") assert.deepEqual(it.value.tiles, []);
    if (it.case === "drew") assert.equal(it.value.tile, undefined);
    if (it.case === "passed") assert.equal(it.value.kept, false);
  }
  assert.equal(before.filter(({ what }) => what.case === "decision").length, 0);
  assert.equal(await page.locator(".hand, .hands").count(), 0);

  const times = page.locator("svg[aria-label^='Time for each decision']");
  await page.getByText("The times of the decisions are shown once the match is over").waitFor();
  assert.equal(await times.count(), 0);
  assert.equal(await page.getByLabel("Speed").locator("option", { hasText: "as played" }).isDisabled(), true);
  await match.finish();
  await page.locator(".sign", { hasText: "FINAL" }).waitFor();
  await times.waitFor();
  assert.equal(await page.getByLabel("Speed").locator("option", { hasText: "as played" }).isDisabled(), false);
  await page.locator(".hands").waitFor();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.locator(".hand li").count(), 0, "hands are hidden until they are asked for");
  await page.getByLabel("all", { exact: true }).check();
  await page.locator(".hand").nth(3).waitFor();
  const tiles = await page.locator(".seat").evaluateAll((seats) =>
    seats.map((seat) => [seat.querySelectorAll(".hand li").length, Number.parseInt(seat.querySelector(".tiles")?.textContent ?? "", 10)]));
  for (const [drawn, counted] of tiles) assert.equal(drawn, counted);
});

/** Keeps the bytes of the page's streams as they come; gives all that came by now. */
async function receivedBytes(page: Page): Promise<() => Buffer> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const parts: Buffer[] = [];
  const streams = new Set<string>();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (request.url.endsWith("/WatchMatch")) streams.add(requestId);
  });
  session.on("Network.responseReceived", ({ requestId }) => {
    if (!streams.has(requestId)) return;
    // Both what came before this and what comes from now on.
    void session.send("Network.streamResourceContent", { requestId }).then(({ bufferedData }) => {
      parts.unshift(Buffer.from(bufferedData, "base64"));
    }, () => {
      // It had ended already, as after the match it may.
    });
  });
  session.on("Network.dataReceived", ({ requestId, data }) => {
    if (streams.has(requestId) && data !== undefined) parts.push(Buffer.from(data, "base64"));
  });
  return () => Buffer.concat(parts);
}

/** The messages of a stream of gRPC-Web, as far as they are whole. */
function messages(bytes: Buffer): WatchMatchResponse[] {
  const all: WatchMatchResponse[] = [];
  for (let at = 0; at + 5 <= bytes.length;) {
    const [flags, length] = [bytes.readUInt8(at), bytes.readUInt32BE(at + 1)];
    if (at + 5 + length > bytes.length) break;
    if (flags === 0) all.push(fromBinary(WatchMatchResponseSchema, bytes.subarray(at + 5, at + 5 + length)));
    at += 5 + length;
  }
  return all;
}

import assert from "node:assert/strict";
import { after, test } from "node:test";

import type { Page } from "playwright-core";

import { Chromium, PHONE } from "./browser.js";
import { Held, house } from "./held.js";
import { lastFirst, Server } from "./server.js";
import { agent, service, session } from "./service.js";
import { setHidden } from "./shown.js";
import { created, LONG, TITLE, world } from "./world.js";

const chromium = await Chromium.start({ after });
const server = await Server.start({ after });
const filled = await world(server.address);

test("a server without anything says how to start something", async (context) => {
  const ending = lastFirst(context);
  const own = await Server.start(ending);
  const window = await chromium.window(ending, own.address);
  const page = await window.open("/");
  await page.getByText("chickenfoot match create").waitFor();
  await page.getByText("chickenfoot tournament run").waitFor();
  await page.getByRole("link", { name: "Agents" }).click();
  await page.waitForURL("**/agents");
  await page.getByText("chickenfoot agent register").waitFor();
  await page.getByText("chickenfoot match create --rated").waitFor();
});

test("a running match is a card with its table, round and points, and the card changes", async (context) => {
  const cid = await agent(server.address, "cid");
  const match = await Held.start(cid, "cid", [house("greedy"), house("lowest")], { rounds: 4 });
  const window = await chromium.window(context, server.address);
  const page = await window.open("/");
  const card = page.locator(".card").filter({ hasText: match.id.slice(0, 8) });
  await card.getByText("round 1 of 4").waitFor();
  await tableIsLoaded(page, match.id);
  // The leader is told by a word.
  while (!(await standsInRound(cid, match, 2))) await match.play();
  await card.getByText("round 2 of 4").waitFor();
  await card.getByText("leads").first().waitFor();
  await tableIsLoaded(page, match.id);
  await match.finish();
  await card.waitFor({ state: "detached" });
  await page.locator(".results tbody tr").filter({ hasText: match.id.slice(0, 8) }).filter({ hasText: "1st" }).waitFor();
});

test("a card, a result, a tournament and an agent lead to their pages without loading anew", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open("/");
  await page.evaluate(() => Object.assign(globalThis, { kept: true }));
  await page.locator(".results a").first().click();
  await page.waitForURL("**/m/*");
  await page.goBack();
  await page.getByRole("link", { name: TITLE }).click();
  await page.waitForURL(`**/t/${filled.roundRobin}`);
  await page.getByRole("heading", { level: 1, name: TITLE }).waitFor();
  await page.locator(".results a").first().click();
  await page.waitForURL("**/m/*");
  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await page.getByRole("link", { name: "ben", exact: true }).first().click();
  await page.waitForURL("**/agents/ben");
  await page.locator(".results a").first().click();
  await page.waitForURL("**/m/*");
  assert.equal(await page.evaluate(() => "kept" in globalThis), true, "the page was loaded anew");
});

test("the link to the tournaments leads to them, from the matches and from elsewhere", async (context) => {
  const window = await chromium.window(context, server.address, PHONE);
  const page = await window.open("/");
  const link = page.getByRole("link", { name: "Tournaments", exact: true });
  const isThere = (): Promise<unknown> => page.waitForFunction(() => {
    const top = document.getElementById("tournaments")?.getBoundingClientRect().top ?? -1;
    return location.hash === "#tournaments" && scrollY > 0 && top >= 0 && top < innerHeight;
  });
  await page.locator(".tournaments li").first().waitFor();
  const list = await page.locator(".tournaments").elementHandle();
  await link.click();
  await isThere();
  assert.equal(await list.evaluate((it) => it.isConnected), true, "the page was made anew");
  await page.goBack();
  await page.waitForURL("/");
  assert.equal(await list.evaluate((it) => it.isConnected), true, "the page was made anew");

  await page.getByRole("link", { name: "Agents", exact: true }).click();
  await page.waitForURL("**/agents");
  await page.evaluate(() => { scrollTo(0, 0); });
  await link.click();
  await isThere();
});

test("the standings of a tournament change while it goes on, and the page does not jump", async (context) => {
  const { ann } = filled;
  const field = ["greedy", "dead-foot", "lowest", "random", "monte-carlo:40"];
  const id = await created(ann, "Live", { case: "roundRobin", value: { cycles: 200 } }, field, 4, 2);
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/t/${id}`);
  await page.getByText("entry is open").waitFor();
  await ann.tournaments.startTournament({ tournamentId: id });
  const rows = page.locator(".standings tbody tr");
  await rows.nth(4).waitFor();
  const heading = page.getByRole("heading", { name: "Being played" });
  await heading.waitFor();
  const [before, place] = [await rows.allTextContents(), await heading.boundingBox()];
  await page.waitForFunction(
    (text) => [...document.querySelectorAll(".standings tbody tr")].map((row) => row.textContent).join() !== text,
    before.join(),
  );
  assert.equal((await heading.boundingBox())?.y, place?.y);
  await ann.tournaments.cancelTournament({ tournamentId: id });
  await page.getByText("cancelled").first().waitFor();
});

test("a tournament that is over shows intervals, and all of its matches and no others", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open(`/t/${filled.abTest}`);
  await page.getByText("Yes, it is better").waitFor();
  const intervals = await page.locator(".standings tbody tr td:nth-child(3)").allTextContents();
  assert.equal(intervals.length, 3);
  for (const text of intervals) assert.match(text, /[+−]\d+\.\d\s*[+−]\d+\.\d to [+−]\d+\.\d/);
  assert.equal(await page.locator(".standings svg.interval .range").count(), 3);

  const shown = new Set<string>();
  const more = page.getByRole("button", { name: "Show more matches" });
  if (await more.isVisible()) {
    const rows = await page.locator(".results tbody a").count();
    await more.click();
    await page.waitForFunction((least) => document.querySelectorAll(".results tbody a").length > least, rows);
  }
  for (const link of await page.locator(".results tbody th a").all()) shown.add((await link.getAttribute("href")) ?? "");
  const blocks = await filled.ann.tournaments.listBlocks({ tournamentId: filled.abTest, pageSize: 1000 });
  const all = blocks.blocks.flatMap((block) => block.matches.map((match) => `/m/${match.matchId}`));
  assert.deepEqual(all.filter((match) => !shown.has(match)), []);
  // When the test was decided some matches of later blocks were over, which count for nothing.
  for (const path of [...shown].filter((one) => !all.includes(one))) {
    const { match } = await filled.ann.matches.getMatch({ matchId: path.slice("/m/".length) });
    assert.equal(match?.tournamentId, filled.abTest);
  }
});

test("an agent's page has its ratings and matches; the pools of the leaderboard are chosen in words", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.open("/agents");
  await page.locator(".standings tbody tr").first().waitFor();
  await page.getByLabel("Rules").selectOption({ label: "double-nine, 3 players, 2 rounds (1 match)" });
  await page.locator(".standings tbody tr").filter({ hasText: LONG }).waitFor();
  assert.equal(await page.locator(".standings tbody tr").count(), 3);
  await page.locator(".standings").getByRole("link", { name: LONG }).click();
  await page.waitForURL(`**/agents/${LONG}`);
  await page.locator(".ratings tbody tr").filter({ hasText: "double-nine, 3 players" }).waitFor();
  assert.equal(await page.locator(".ratings tbody tr").count(), 1);
  assert.equal(await page.locator(".results tbody tr").count(), 1);
  await page.getByText("of 1 that ended; faults: none").waitFor();
});

test("an agent is online while it has a session", async (context) => {
  const window = await chromium.window(context, server.address);
  const { token } = await service(server.address).agents.registerAgent({ name: "dan" });
  const [page, all] = [await window.open("/agents/dan"), await window.open("/agents")];
  const line = all.locator("ul.agents li").filter({ hasText: "dan" });
  await page.getByText("○ offline").waitFor();
  await line.getByText("○ offline").waitFor();
  const end = await session(server.address, token);
  await page.getByText("● online").waitFor();
  await line.getByText("● online").waitFor();
  end();
  await page.getByText("○ offline").waitFor();
  await line.getByText("○ offline").waitFor();
});

test("what is not there is said to be not there", async (context) => {
  const window = await chromium.window(context, server.address);
  const nowhere = "0".repeat(32);
  for (const [path, words] of [
    [`/m/${nowhere}`, "No such match"],
    [`/m/${nowhere}/12`, "No such match"],
    [`/t/${nowhere}`, "No such tournament"],
    ["/agents/nobody", "No such agent"],
  ] as const) {
    const page = await window.open(path);
    await page.getByRole("heading", { level: 1, name: words }).waitFor();
    await page.close();
  }
});

test("lists say that the connection is lost, and come back", async (context) => {
  const ending = lastFirst(context);
  const own = await Server.start(ending);
  const { roundRobin } = await world(own.address);
  const window = await chromium.window(ending, own.address);
  const pages: Page[] = [];
  for (const path of ["/", `/agents`, `/agents/ann`]) pages.push(await window.open(path));
  const over = await window.open(`/t/${roundRobin}`);
  await over.locator(".standings tbody tr").first().waitFor();
  for (const page of pages) await page.locator("h2").first().waitFor();
  window.complaints.expectLoss();
  await own.kill();
  for (const page of pages) await page.getByText("Connection lost").waitFor();
  assert.equal(await over.getByText("Connection lost").count(), 0, "what is over is not asked for again");
  await own.restart();
  for (const page of pages) await page.getByText("Connection lost").waitFor({ state: "detached" });
  window.complaints.endLoss();
});

test("a hidden list asks for nothing", async (context) => {
  const window = await chromium.window(context, server.address);
  const page = await window.context.newPage();
  await page.clock.install();
  await page.goto("/");
  await page.locator(".results tbody tr").first().waitFor();
  await Promise.all([page.waitForRequest("**/ListMatches"), page.clock.runFor(5_000)]);
  await setHidden(page, true);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.clock.runFor(60_000);
  assert.deepEqual(asked, []);
  await Promise.all([page.waitForRequest("**/ListMatches"), setHidden(page, false)]);
});

/** Waits until the picture on a match's card is there. */
async function tableIsLoaded(page: Page, id: string): Promise<void> {
  await page.waitForFunction((part) => {
    const image = document.querySelector<HTMLImageElement>(`.card img[src*="${part}"]`);
    return image?.complete === true && image.naturalWidth > 0;
  }, id);
}

async function standsInRound(service: Awaited<ReturnType<typeof agent>>, match: Held, round: number): Promise<boolean> {
  const { match: now } = await service.matches.getMatch({ matchId: match.id });
  return (now?.round ?? 0) >= round;
}

import assert from "node:assert/strict";
import { test } from "node:test";

import { NotFoundError, PermissionError, PreconditionError, type TournamentConfig } from "chickenfoot";
import { EntrantState, ExportFormat, TournamentState, type WatchTournamentResponse } from "chickenfoot/v1";

import { Proxy } from "./proxy.js";
import { agent, all, client, playing, Service } from "./service.js";

const CONFIG: TournamentConfig = {
  name: "a test",
  format: { case: "roundRobin", value: { cycles: 2 } },
  tableSize: 2,
  rules: { rounds: 1 },
  entrants: [
    { name: "house", who: { case: "house", value: "random" } },
    { name: "other", who: { case: "house", value: "greedy" } },
  ],
};

test("a bot joins a tournament, plays it, and is in its standings", async (context) => {
  const service = await Service.start(context);
  const proxy = await Proxy.start(context, service.port);
  const { client: ann, token } = await agent(context, service.address, "ann");
  playing(context, { server: service.address, token });
  const requestId = "0123456789abcdef";
  const { id } = await ann.tournaments.create(CONFIG, { requestId });
  assert.equal((await ann.tournaments.create(CONFIG, { requestId })).id, id);
  assert.equal((await ann.tournaments.join(id)).state, EntrantState.ENTERED);
  assert.deepEqual((await all(ann.tournaments.entrants(id))).map(({ name }) => name), ["house", "other", "ann"]);
  assert.equal((await ann.tournaments.start(id)).state, TournamentState.RUNNING);

  let last: WatchTournamentResponse | undefined;
  let losses = 0;
  const watching = { standings: 3, onLost: () => (losses += 1) };
  for await (const message of client(context, proxy.address).tournaments.watch(id, watching)) {
    if (last === undefined) proxy.cut();
    last = message;
  }
  assert.equal(last?.tournament?.state, TournamentState.FINISHED);
  assert.deepEqual(last.standings.map(({ rank }) => rank), [1, 2, 3]);
  assert(losses <= 2);

  const { standings, pairings } = await ann.tournaments.standings(id, { pairings: true });
  assert.deepEqual(standings.map(({ name }) => name).toSorted(), ["ann", "house", "other"]);
  assert.equal(pairings.length, 3);
  assert.deepEqual((await ann.tournaments.standings(id)).pairings, []);
  const blocks = await all(ann.tournaments.blocks(id));
  assert.equal(blocks.length, last.tournament.progress?.finishedBlocks);
  const record = await ann.matches.record(blocks[0]?.matches[0]?.matchId ?? "");
  assert.equal(record.block.length, 2);
  const parts = await all(ann.tournaments.export(id, ExportFormat.JSON));
  assert.doesNotThrow(() => JSON.parse(Buffer.concat(parts).toString()) as unknown);
});

test("a tournament is paused, resumed, left and cancelled by its creator alone", async (context) => {
  const service = await Service.start(context);
  const { client: ann } = await agent(context, service.address, "ann");
  const { client: ben } = await agent(context, service.address, "ben");
  const ladder: TournamentConfig = { ...CONFIG, format: { case: "ladder", value: { blocks: 100_000 } }, concurrency: 1 };
  const { id } = await ann.tournaments.create(ladder);
  await ben.tournaments.join(id);
  assert.equal((await ann.tournaments.withdraw(id, "ben")).name, "ben");
  await assert.rejects(ben.tournaments.start(id), PermissionError);
  await ann.tournaments.start(id);
  assert.equal((await ann.tournaments.pause(id)).state, TournamentState.PAUSED);
  assert.equal((await ann.tournaments.resume(id)).state, TournamentState.RUNNING);
  assert.equal((await ann.tournaments.cancel(id)).state, TournamentState.CANCELLED);
  assert.equal((await ann.tournaments.get(id)).state, TournamentState.CANCELLED);
  await assert.rejects(ann.tournaments.start(id), PreconditionError);
  const listed = await all(ann.tournaments.list({ state: TournamentState.CANCELLED }));
  assert.deepEqual(listed.map((tournament) => tournament.id), [id]);
  await assert.rejects(ann.tournaments.get("0".repeat(32)), NotFoundError);
  const [only] = await all(ann.tournaments.watch(id));
  assert.equal(only?.tournament?.state, TournamentState.CANCELLED);
});

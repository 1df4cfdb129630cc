import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { test } from "node:test";

import {
  agentSeat,
  ConnectionError,
  houseSeat,
  NotFoundError,
  openSeat,
  UnavailableError,
  type Move,
  type Turn,
} from "chickenfoot";
import { MatchState, type Event } from "chickenfoot/v1";

import { turnOf } from "#dist/bot.js";

import { Proxy } from "./proxy.js";
import { agent, all, client, hex, highest, over, playing, Service, store } from "./service.js";

/** Events by number, from 1 without holes, to the end of the match. */
function whole(events: Event[], from = 1n): void {
  assert.deepEqual(events.map(({ seq }) => seq), events.map((_, index) => BigInt(index) + from));
  assert.equal(events.at(-1)?.what.case, "matchEnded");
}

test("a watch has every event once, in order, whatever happens to its connection", async (context) => {
  const service = await Service.start(context);
  const proxy = await Proxy.start(context, service.port);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const news = new EventEmitter();
  let watched = false;
  let turns = 0;
  // The match waits at the cut, so that there is something to lose.
  const cut = async () => {
    if (!watched) await once(news, "event");
    const lost = once(news, "lost");
    proxy.cut();
    await lost;
  };
  const choose = async (turn: Turn) => {
    turns += 1;
    if (turns % 8 === 0 && turns <= 24) await cut();
    return highest.choose(turn);
  };
  playing(context, { server: service.address, token }, () => ({ choose }));
  const seats = [agentSeat("ann"), houseSeat("random")];
  const { id } = await ann.matches.create({ seats, decisionTime: { seconds: 600n } });
  const losses: Error[] = [];
  const onLost = (error: Error) => {
    losses.push(error);
    watched = false;
    news.emit("lost");
  };
  const seen: Event[] = [];
  for await (const event of client(context, proxy.address).matches.watch(id, { onLost })) {
    seen.push(event);
    watched = true;
    news.emit("event");
  }
  whole(seen);
  assert(losses.length >= 3);
  assert(losses.every((error) => error instanceof ConnectionError));
  const hidden = ({ what }: Event) => what.case === "handDealt" || what.case === "drew" || what.case === "passed";
  const visible = (events: Event[]) => events.filter((event) => !hidden(event));
  assert.deepEqual(visible(seen), visible(await all(ann.matches.watch(id))));
});

test("a watch begins after the number that the reader has", async (context) => {
  const service = await Service.start(context);
  const { client: ann } = await agent(context, service.address, "ann");
  const { id } = await ann.matches.create({ seats: [houseSeat("random"), houseSeat("greedy")], rules: { rounds: 1 } });
  const events = await all(ann.matches.watch(id));
  whole(events);
  whole(await all(ann.matches.watch(id, { afterSeq: 7n })), 8n);
  assert.deepEqual(await all(ann.matches.watch(id, { afterSeq: events.at(-1)?.seq })), []);
});

test("a watch with scenes brings each event with what lies after it", async (context) => {
  const service = await Service.start(context);
  const { client: ann } = await agent(context, service.address, "ann");
  const { id } = await ann.matches.create({ seats: [houseSeat("random"), houseSeat("greedy")], rules: { rounds: 1 } });
  // Who watches while it goes on does not see all tiles.
  await over(ann, id);
  const scenes = await all(ann.matches.watchScenes(id, { outlines: true }));
  assert.deepEqual(scenes.map(({ event }) => event), await all(ann.matches.watch(id)));
  assert(scenes.every(({ event, scene }) => event.seq === scene.seq));
  const laid = scenes.flatMap(({ scene }) => scene.laid);
  assert.match(scenes.at(-1)?.scene.outline ?? "", /^\[\d+\|\d+\]\n/);
  const last = await all(ann.matches.watchScenes(id, { afterSeq: BigInt(scenes.length - 1) }));
  assert.equal(last.length, 1);
  assert(last[0]?.scene.clears);
  assert.equal(last[0].scene.outline, "");
  assert.deepEqual(last[0].scene.laid, laid);
});

test("a watch goes on over a restart of the service", async (context) => {
  const file = await store(context);
  let service = await Service.start(context, "--store", file);
  const proxy = await Proxy.start(context, service.port);
  const { client: ann, token } = await agent(context, proxy.address, "ann");
  const reader = new EventEmitter();
  const back = once(reader, "back");
  let turns = 0;
  const choose = async (turn: Turn) => {
    turns += 1;
    // The match waits meanwhile, so it is not over before the reader has lost the service twice.
    if (turns === 8 || turns === 16) {
      if (turns === 16) await back;
      await service.end(turns === 8 ? "SIGTERM" : "SIGKILL");
      service = await Service.start(context, "--store", file);
      proxy.aim(service.port);
    }
    return highest.choose(turn);
  };
  playing(context, { server: proxy.address, token }, () => ({ choose }));
  const seats = [agentSeat("ann"), houseSeat("random")];
  const { id } = await ann.matches.create({ seats, rules: { rounds: 3 } });
  const seen: Event[] = [];
  const losses: Error[] = [];
  for await (const event of ann.matches.watch(id, { onLost: (error) => losses.push(error) })) {
    seen.push(event);
    if (losses.length > 0) reader.emit("back");
  }
  whole(seen);
  assert(losses.length >= 2);
  assert(losses.some((error) => error instanceof UnavailableError && error.reason === "SHUTTING_DOWN"), "no farewell");
});

test("a reader that stops ends the call, and so does a signal", async (context) => {
  const service = await Service.start(context);
  const { client: ann } = await agent(context, service.address, "ann");
  const { id } = await ann.matches.create({ seats: [agentSeat("ann"), houseSeat("random")] });
  await ann.matches.join(id);
  for await (const { seq } of ann.matches.watch(id)) if (seq === 3n) break;
  const stop = new AbortController();
  const read = all(ann.matches.watch(id, { signal: stop.signal, afterSeq: 3n }));
  stop.abort();
  await assert.rejects(read, { name: "AbortError" });
  await assert.rejects(all(ann.matches.watch("0".repeat(32))), NotFoundError);
});

test("a player without a session follows its match and plays by single calls", async (context) => {
  const service = await Service.start(context);
  const proxy = await Proxy.start(context, service.port);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const { id } = await ann.matches.create({ seats: [openSeat(), houseSeat("greedy")], rules: { rounds: 2 } });
  assert.equal((await ann.matches.join(id, { seat: 0 })).seat, 0);
  const seqs: bigint[] = [];
  const made: Move[] = [];
  for await (const what of client(context, proxy.address, token).matches.follow(id)) {
    if (what.case === "event") {
      seqs.push(what.value.seq);
      continue;
    }
    const turn = turnOf(what.value, 0);
    const move = await highest.choose(turn);
    // By itself or by its position; the same answer again is taken again.
    const answers = [move, turn.options.indexOf(move)];
    if (made.length % 2 === 0) answers.reverse();
    for (const answer of answers) await ann.matches.play(id, what.value.number, answer);
    made.push(move);
    if (made.length % 10 === 0) proxy.cut();
  }
  assert.deepEqual(seqs, seqs.map((_, index) => BigInt(index + 1)));
  const match = await ann.matches.get(id);
  assert.equal(match.state, MatchState.FINISHED);
  assert.equal(match.seats[0]?.ledger?.strikes, 0);
  const record = await ann.matches.record(id);
  assert.equal(hex(record.digest), hex(match.digest));
  const plays = record.rounds.flatMap(({ moves }) => moves).filter(({ seat }) => seat === 0);
  assert(plays.length >= made.length && made.length > 5);
});

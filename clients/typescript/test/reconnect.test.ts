import assert from "node:assert/strict";
import { test } from "node:test";

import {
  agentSeat,
  ConnectionError,
  houseSeat,
  ReplacedError,
  Session,
  UnauthenticatedError,
  type Bot,
  type Client,
  type Turn,
} from "chickenfoot";
import { MatchState } from "chickenfoot/v1";

import { Proxy } from "./proxy.js";
import { agent, client, highest, online, over, playing, Service, store, type Playing } from "./service.js";

/** Calls something at every so many turns of a bot, while it has answered nothing yet. */
function atEvery(turns: number, act: (turn: Turn) => unknown): Bot {
  let count = 0;
  return {
    async choose(turn) {
      count += 1;
      if (count % turns === 0) await act(turn);
      return highest.choose(turn);
    },
  };
}

/** No answer was lost, refused or late. */
async function played(bot: Playing, client: Client, ids: string[]): Promise<void> {
  assert.equal((await bot.ended).refused, 0);
  for (const id of ids) {
    const match = await client.matches.get(id);
    assert.equal(match.state, MatchState.FINISHED);
    for (const { ledger } of match.seats) assert.deepEqual([ledger?.late, ledger?.gone, ledger?.illegal], [0, 0, 0]);
  }
}

test("connections that are cut cost nothing", async (context) => {
  const service = await Service.start(context);
  const proxy = await Proxy.start(context, service.port);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const bot = playing(context, { server: proxy.address, token, games: 3 }, () => atEvery(10, () => { proxy.cut(); }));
  const seats = [agentSeat("ann"), houseSeat("random")];
  const config = { seats, rules: { rounds: 2 }, grace: { seconds: 3600n } };
  const made = Array.from({ length: 3 }, () => ann.matches.create(config));
  const ids = (await Promise.all(made)).map(({ id }) => id);
  const stats = await bot.ended;
  assert(stats.reconnects >= 2, `${String(stats.reconnects)} reconnects`);
  await played(bot, ann, ids);
});

test("a service that is killed and started again goes on with every match", async (context) => {
  const file = await store(context);
  let service = await Service.start(context, "--store", file);
  const proxy = await Proxy.start(context, service.port);
  const { client: ann, token } = await agent(context, proxy.address, "ann");
  let kills = 0;
  const restart = async () => {
    if ((kills += 1) > 2) return;
    await service.end("SIGKILL");
    service = await Service.start(context, "--store", file);
    proxy.aim(service.port);
  };
  // One match alone kills: what it answers afterwards arrives by a new connection, so that each kill costs one.
  let killer: string | undefined;
  const bot = playing(context, { server: proxy.address, token, games: 2 }, (game) => {
    killer ??= game.matchId;
    return game.seat === 0 && game.matchId === killer ? atEvery(8, restart) : highest;
  });
  const seats = [agentSeat("ann"), agentSeat("ann"), houseSeat("greedy")];
  const config = { seats, rules: { rounds: 3 }, decisionTime: { seconds: 600n } };
  const ids = [await ann.matches.create(config), await ann.matches.create(config)].map(({ id }) => id);
  const stats = await bot.ended;
  assert(kills >= 2);
  assert(stats.reconnects >= 2);
  await played(bot, ann, ids);
});

test("a service that stops says goodbye, and the bot comes back to the next one", async (context) => {
  const file = await store(context);
  const service = await Service.start(context, "--store", file);
  const proxy = await Proxy.start(context, service.port);
  const { client: ann, token } = await agent(context, proxy.address, "ann");
  const bot = playing(context, { server: proxy.address, token, games: 1 });
  await online(ann, "ann");
  await service.end("SIGTERM");
  const next = await Service.start(context, "--store", file);
  proxy.aim(next.port);
  const seats = [agentSeat("ann"), houseSeat("random")];
  const { id } = await client(context, next.address, token).matches.create({ seats });
  assert((await bot.ended).reconnects >= 1);
  await played(bot, ann, [id]);
});

test("three heartbeats of silence are a lost connection", async (context) => {
  const service = await Service.start(context, "--heartbeat", "1");
  const proxy = await Proxy.start(context, service.port);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const bot = playing(context, { server: proxy.address, token, games: 2 });
  // A bot that has played was greeted, so it knows how often heartbeats come.
  const seats = [agentSeat("ann"), houseSeat("random")];
  const first = await ann.matches.create({ seats });
  await over(ann, first.id);
  const again = proxy.connected();
  const frozen = performance.now();
  proxy.freeze();
  await again;
  const silent = performance.now() - frozen;
  assert(silent > 1900 && silent < 60_000, `${String(silent)} ms`);
  assert.match(await bot.log.line("silent"), /silent for 3 s/);
  const second = await ann.matches.create({ seats });
  await played(bot, ann, [first.id, second.id]);
});

test("who is replaced does not come back", async (context) => {
  const service = await Service.start(context);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const first = playing(context, { server: service.address, token });
  await online(ann, "ann");
  const second = playing(context, { server: service.address, token, games: 1 });
  await assert.rejects(first.ended, ReplacedError);
  const { id } = await ann.matches.create({ seats: [agentSeat("ann"), houseSeat("random")] });
  await played(second, ann, [id]);
});

test("who has lost the token does not come back", async (context) => {
  const service = await Service.start(context, "--heartbeat", "1");
  const { client: ann, token } = await agent(context, service.address, "ann");
  const bot = playing(context, { server: service.address, token });
  await online(ann, "ann");
  await ann.agents.revokeToken();
  const final = (error: unknown) => error instanceof UnauthenticatedError && error.reason === "TOKEN_INVALID";
  await assert.rejects(bot.ended, final);
  await assert.rejects(playing(context, { server: service.address, token }).ended, final);
  await assert.rejects(playing(context, { server: service.address }).ended, UnauthenticatedError);
});

test("a match that ended while the bot was away is told to its end", async (context) => {
  const service = await Service.start(context);
  const proxy = await Proxy.start(context, service.port);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const ended: boolean[] = [];
  let id = "";
  const abort = async () => {
    proxy.cut();
    await ann.matches.abort(id);
  };
  const bot = playing(context, { server: proxy.address, token, games: 1 }, () => ({
    ...atEvery(3, abort),
    end: (_, end) => ended.push(end.finished),
  }));
  ({ id } = await ann.matches.create({ seats: [agentSeat("ann"), houseSeat("random")] }));
  assert.equal((await bot.ended).games, 1);
  assert.deepEqual(ended, [false]);
  assert.equal((await over(ann, id)).abortReason, "CREATOR");
});

test("a session may be held by hand, and ends when it is told to", async (context) => {
  const service = await Service.start(context);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const session = await Session.open({ server: service.address, token }, { client: "by hand" });
  assert.equal(session.hello.agent, "ann");
  await ann.matches.create({ seats: [agentSeat("ann"), houseSeat("random")] });
  const offer = await session.next();
  assert.equal(offer.case, "seatOffer");
  const next = session.next();
  session.close();
  await assert.rejects(next, ConnectionError);
  await assert.rejects(session.next(), ConnectionError);
});

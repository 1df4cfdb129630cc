import assert from "node:assert/strict";
import { test } from "node:test";

import { agentSeat, houseSeat, OtherAgentError, Runner, type Bot, type Game, type GameEnd, type Turn } from "chickenfoot";
import { ForcedMoves, MatchState, OutReason, Preset } from "chickenfoot/v1";

import { agent, client, hex, highest, online, over, playing, Service } from "./service.js";

/** A fixed seed: 0, 1, 2, and so on. */
const SEED = Uint8Array.from({ length: 32 }, (_, index) => index);

/** The digest of the match that "highest" makes of it in every language, alone at a table of three, as "bot". */
const HIGHEST = "fd9c4f1ca52ea91190e23f55d3e9d03fcd4e38644455403e118c5b6cb9d035d5";

test("a match against the house is played to its end", async (context) => {
  const service = await Service.start(context);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const bot = playing(context, { server: service.address, token, games: 1 });
  const { id } = await ann.matches.create({ seats: [agentSeat("ann"), houseSeat("greedy")] });
  const stats = await bot.ended;
  const match = await ann.matches.get(id);
  assert.equal(match.state, MatchState.FINISHED);
  assert.deepEqual([stats.games, stats.refused, stats.reconnects], [1, 0, 0]);
  assert(stats.choices > 10);
  const ledger = match.seats[0]?.ledger;
  assert.deepEqual([ledger?.late, ledger?.gone, ledger?.illegal, ledger?.out], [0, 0, 0, OutReason.UNSPECIFIED]);
});

test("a fixed seed gives the same match as in every other language, each time", async (context) => {
  const service = await Service.start(context);
  const { client: bot, token } = await agent(context, service.address, "bot");
  playing(context, { server: service.address, token });
  for (let run = 0; run < 2; run += 1) {
    const seats = [agentSeat("bot"), agentSeat("bot"), agentSeat("bot")];
    const { id } = await bot.matches.create({ seats, seed: SEED });
    assert.equal(hex((await over(bot, id)).digest), HIGHEST);
  }
});

test("many matches go on side by side, each seat with a bot of its own", async (context) => {
  const service = await Service.start(context);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const games: Game[] = [];
  const ends: [Game, GameEnd][] = [];
  let thinking = 0;
  let most = 0;
  const make = (game: Game): Bot => {
    games.push(game);
    return {
      async choose(turn: Turn) {
        assert.equal(turn.matchId, game.matchId);
        assert.equal(turn.view.seat, game.seat);
        most = Math.max(most, (thinking += 1));
        await new Promise((resolve) => setImmediate(resolve));
        thinking -= 1;
        return highest.choose(turn);
      },
      end: (_, end) => ends.push([game, end]),
    };
  };
  const bot = playing(context, { server: service.address, token, games: 20 }, make);
  const seats = [agentSeat("ann"), agentSeat("ann"), houseSeat("random")];
  const made = Array.from({ length: 20 }, () => ann.matches.create({ seats, rules: { rounds: 1 } }));
  const ids = (await Promise.all(made)).map(({ id }) => id);
  assert.equal((await bot.ended).games, 20);
  const places = games.map((game) => `${game.matchId} ${String(game.seat)}`);
  assert.deepEqual(places.toSorted(), ids.flatMap((id) => [`${id} 0`, `${id} 1`]).toSorted());
  assert(most > 1, "never two at once");
  assert.equal(ends.length, 40);
  for (const [game, end] of ends) {
    assert(end.finished);
    const match = await ann.matches.get(game.matchId);
    assert.deepEqual(end.totals, match.seats.map(({ total }) => total));
    assert.deepEqual(hex(end.digest), hex(match.digest));
    assert.deepEqual(game.names, ["ann", "ann", "house:random"]);
    assert.equal(game.commitment?.length, 32);
  }
});

test("a bot that throws plays the first option, and nothing else comes of it", async (context) => {
  const service = await Service.start(context);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const first: Bot = { choose: (turn) => turn.options[0] };
  const throws: Bot = { choose: () => { throw new Error("broken"); } };
  const bots = [first, throws];
  const bot = playing(context, { server: service.address, token, games: 2 }, () => bots.shift() ?? first);
  const digests: string[] = [];
  for (let run = 0; run < 2; run += 1) {
    const seats = [agentSeat("ann"), houseSeat("lowest")];
    const { id } = await ann.matches.create({ seats, seed: SEED, rules: { rounds: 3 } });
    const match = await over(ann, id);
    assert.equal(match.seats[0]?.ledger?.strikes, 0);
    digests.push(hex(match.digest));
  }
  assert.equal(digests[0], digests[1]);
  assert.equal((await bot.ended).games, 2);
  assert.match(bot.log.all.join("\n"), /the bot threw, so the first option is played: Error: broken/);
});

test("forced moves are asked, drawn tiles are kept, and the bot sees it all", async (context) => {
  const service = await Service.start(context);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const kinds = new Set<string>();
  const choose = (turn: Turn) => {
    for (const { kind } of turn.options) kinds.add(kind);
    for (const step of turn.view.history) kinds.add(`saw ${step.kind}`);
    if (turn.view.drawn) kinds.add("drawn");
    return turn.options.at(-1) ?? turn.options[0];
  };
  const bot = playing(context, { server: service.address, token, games: 1 }, () => ({ choose }));
  const seats = [agentSeat("ann"), agentSeat("ann")];
  const rules = { preset: Preset.CLASSIC, rounds: 3 };
  await ann.matches.create({ seats, rules, forcedMoves: ForcedMoves.ASKED, seed: SEED });
  await bot.ended;
  assert.deepEqual(
    [...kinds].toSorted(),
    ["draw", "drawn", "keep", "pass", "play", "saw draw", "saw pass", "saw play", "saw start"],
  );
});

test("a token of another agent is not played with", async (context) => {
  const service = await Service.start(context);
  const { token } = await agent(context, service.address, "ann");
  const run = new Runner({ server: service.address, token, agent: "ben" }).run(() => highest);
  await assert.rejects(run, (error) => {
    assert(error instanceof OtherAgentError);
    assert.deepEqual([error.wanted, error.found], ["ben", "ann"]);
    return true;
  });
});

test("what the maker of bots throws ends the run", async (context) => {
  const service = await Service.start(context);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const bot = playing(context, { server: service.address, token }, () => { throw new Error("no bot for you"); });
  await ann.matches.create({ seats: [agentSeat("ann"), houseSeat("random")] });
  await assert.rejects(bot.ended, /no bot for you/);
});

test("a stop is heard while nothing happens, and before the service is there", async (context) => {
  const service = await Service.start(context);
  const { token } = await agent(context, service.address, "ann");
  const idle = playing(context, { server: service.address, token });
  const watcher = client(context, service.address);
  await online(watcher, "ann");
  assert.equal((await idle.stop()).games, 0);
  await service.end("SIGTERM");
  const lost = playing(context, { server: service.address, token });
  await lost.log.line("trying again");
  assert.equal((await lost.stop()).games, 0);
  assert.equal((await new Runner({ server: service.address, token }).run(() => highest, AbortSignal.abort())).games, 0);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { create, fromBinary } from "@bufbuild/protobuf";
import {
  durationFromMs,
  MalformedError,
  ReplacedError,
  UnauthenticatedError,
  type Bot,
  type GameEnd,
  type Move,
  type Turn,
  type Up,
} from "chickenfoot";
import { GameEndedSchema, GoodbyeReason, MatchState, SessionResponseSchema } from "chickenfoot/v1";

import { Player, type MakeBot, type PlayerOptions } from "#dist/player.js";

import { decision, down, match } from "./messages.js";
import { Lines } from "./service.js";

/** A player without a service: what it is told, and what it sends. */
class Bench {
  readonly sent: Up[] = [];
  readonly log = new Lines();
  readonly player: Player;

  constructor(make: MakeBot, options: Partial<PlayerOptions> = {}) {
    this.player = new Player(make, { log: this.log, ...options });
    this.open();
  }

  open(): void {
    this.player.begin((what) => this.sent.push(what));
  }

  start(id: string, seats = [0]): void {
    this.player.receive(down({ case: "gameStarted", value: { match: match(id), seats } }));
  }

  ask(id: string, number: number, seat = 0): void {
    this.player.receive(down({ case: "decision", value: decision(id, number, seat) }));
  }

  end(id: string, seats = [0], state = MatchState.FINISHED): void {
    const value = create(GameEndedSchema, { match: match(id, state), seats });
    this.player.receive(down({ case: "gameEnded", value }));
  }

  /** The choices that went up, as match, decision and option; bots that need no time have thought. */
  async choices(): Promise<unknown[]> {
    await settled();
    return this.sent.flatMap(({ case: kind, value }) =>
      kind === "choice" ? [[value.matchId, value.decision, value.choice?.value]] : [],
    );
  }
}

/** Everything is done that waits for nothing. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A bot that answers when the test says so. */
class Slow implements Bot {
  readonly turns: Turn[] = [];
  readonly ends: GameEnd[] = [];
  answer: (move: Move) => void = () => undefined;

  choose(turn: Turn): Promise<Move> {
    this.turns.push(turn);
    return new Promise((resolve) => (this.answer = resolve));
  }

  end(_: unknown, end: GameEnd): void {
    this.ends.push(end);
  }
}

const second: Bot = { choose: (turn) => turn.options[1] ?? turn.options[0] };

test("an offered seat is taken with entropy of its own", () => {
  const bench = new Bench(() => second);
  bench.player.receive(down({ case: "seatOffer", value: { match: match("a"), seat: 0 } }));
  bench.player.receive(down({ case: "seatOffer", value: { match: match("b"), seat: 0 } }));
  const [a, b] = bench.sent;
  assert(a?.case === "offerReply" && b?.case === "offerReply");
  assert(a.value.accept && a.value.matchId === "a" && b.value.matchId === "b");
  assert.equal(a.value.entropy?.length, 32);
  assert.notDeepEqual(a.value.entropy, b.value.entropy);
});

test("a decision is answered with the position of the move", async () => {
  const bench = new Bench(() => second);
  bench.start("a");
  bench.ask("a", 6);
  assert.deepEqual(await bench.choices(), [["a", 6, 1]]);
});

test("a decision that comes again is answered again and in the same way, without asking the bot", async () => {
  let asked = 0;
  const bench = new Bench(() => ({ choose: (turn) => turn.options[asked++ % 2] ?? turn.options[0] }));
  bench.start("a");
  bench.ask("a", 6);
  await settled();
  bench.player.lost();
  bench.open();
  bench.start("a");
  bench.ask("a", 6);
  assert.deepEqual(await bench.choices(), [["a", 6, 0], ["a", 6, 0]]);
  assert.equal(asked, 1);
});

test("a bot that thinks while the connection is lost is asked once, and its answer goes to the new session", async () => {
  const bot = new Slow();
  const bench = new Bench(() => bot);
  bench.start("a");
  bench.ask("a", 6);
  bench.player.lost();
  bot.answer({ kind: "play", tile: { low: 2, high: 9 }, end: 9 });
  assert.deepEqual(await bench.choices(), []);
  bench.open();
  bench.ask("a", 6);
  assert.deepEqual(await bench.choices(), [["a", 6, 1]]);
  assert.equal(bot.turns.length, 1);
});

test("an answer that comes too late is not sent, and the bot is asked what is open now", async () => {
  const bot = new Slow();
  const bench = new Bench(() => bot);
  bench.start("a");
  bench.ask("a", 6);
  bench.ask("a", 9);
  assert.equal(bot.turns.length, 1, "asked twice at once");
  bot.answer({ kind: "pass" });
  await settled();
  assert.equal(bot.turns.length, 2);
  bot.answer({ kind: "play", tile: { low: 2, high: 9 }, end: 9 });
  assert.deepEqual(await bench.choices(), [["a", 9, 1]]);
});

test("matches go on side by side", async () => {
  const bots = new Map<string, Slow>();
  const bench = new Bench((game) => {
    const bot = new Slow();
    bots.set(`${game.matchId}${String(game.seat)}`, bot);
    return bot;
  });
  bench.start("a", [0, 1]);
  bench.start("b");
  bench.ask("a", 6);
  bench.ask("a", 7, 1);
  bench.ask("b", 8);
  assert.deepEqual([...bots.keys()], ["a0", "a1", "b0"]);
  for (const name of ["b0", "a1"]) bots.get(name)?.answer({ kind: "play", tile: { low: 2, high: 9 }, end: 9 });
  assert.deepEqual(await bench.choices(), [["b", 8, 1], ["a", 7, 1]]);
});

test("the first option is played for a bot that throws, rejects, or gives what is no option", async () => {
  const broken = () => { throw new Error("broken"); };
  const faults: ((turn: Turn) => Move | Promise<Move>)[] = [
    broken,
    () => Promise.reject(new Error("broken later")),
    () => ({ kind: "keep" }),
    () => undefined as unknown as Move,
  ];
  const bench = new Bench((game) => ({ choose: (turn) => (faults[game.seat] ?? broken)(turn) }));
  bench.start("a", [0, 1, 2, 3]);
  for (const seat of faults.keys()) bench.ask("a", 10 + seat, seat);
  const choices = await bench.choices();
  assert.equal(choices.length, faults.length);
  for (const choice of choices) assert.equal((choice as unknown[])[2], 0);
  assert.equal(bench.log.all.length, faults.length);
  assert.match(bench.log.all.join("\n"), /broken later/);
});

test("a bot that throws when it is told something goes on playing", async () => {
  const bench = new Bench(() => ({ ...second, start: () => { throw new Error("no start"); } }));
  bench.start("a");
  bench.ask("a", 6);
  assert.deepEqual(await bench.choices(), [["a", 6, 1]]);
  assert.match(bench.log.all[0] ?? "", /match a, seat 0: the bot threw: Error: no start/);
});

test("what the maker of bots throws is the runner's to tell", () => {
  const bench = new Bench(() => { throw new Error("no bot"); });
  assert.throws(() => { bench.start("a"); }, /no bot/);
});

test("a bot is told of the end, once it has thought", async () => {
  const bot = new Slow();
  let done = 0;
  const bench = new Bench(() => bot, { games: 1, onDone: () => (done += 1) });
  bench.start("a");
  bench.ask("a", 6);
  bench.end("a");
  assert.deepEqual([bot.ends.length, done, bench.player.stats.games], [0, 0, 1]);
  assert.deepEqual(bench.player.known, []);
  bot.answer({ kind: "pass" });
  await settled();
  assert.deepEqual(bot.ends, [
    { finished: true, totals: [12, 40], places: [1, 2], digest: new Uint8Array([1, 2, 3]) },
  ]);
  assert.equal(done, 1);
  assert.deepEqual(await bench.choices(), []);
});

test("a match counts once, whatever its seats, and one that was aborted says so", () => {
  const ends: GameEnd[] = [];
  const bench = new Bench(() => ({ ...second, end: (_, end) => ends.push(end) }));
  bench.start("a", [0, 1]);
  bench.end("a", [0, 1], MatchState.ABORTED);
  bench.end("a", [0, 1], MatchState.ABORTED);
  assert.deepEqual(ends.map((end) => end.finished), [false, false]);
  assert.equal(bench.player.stats.games, 1);
});

test("the matches that go on are known to the next session", () => {
  const bench = new Bench(() => second);
  bench.start("a", [0, 1]);
  bench.start("b");
  bench.start("c");
  bench.end("b");
  bench.player.lost();
  assert.deepEqual(bench.player.known, ["a", "c"]);
  assert.equal(bench.player.stats.reconnects, 1);
});

test("a session takes up a thousand matches at most", () => {
  const bench = new Bench(() => second);
  for (let number = 0; number < 1100; number += 1) bench.start(String(number));
  assert.equal(bench.player.known.length, 1000);
});

test("what is stored and what is refused is counted and told", () => {
  const accepted: unknown[] = [];
  const bench = new Bench(() => second, { onAccepted: (...told) => accepted.push(told) });
  const move = { kind: { case: "pass" as const, value: {} } };
  bench.player.receive(down({ case: "choiceAccepted", value: { matchId: "a", decision: 6, move } }));
  bench.player.receive(down({ case: "refusal", value: { matchId: "a", reason: "DECISION_ANSWERED", message: "too late" } }));
  assert.deepEqual(accepted, [["a", 6, { kind: "pass" }]]);
  assert.deepEqual(bench.player.stats, { games: 0, choices: 1, refused: 1, reconnects: 0 });
  assert.match(bench.log.all[0] ?? "", /too late \(DECISION_ANSWERED\)/);
});

test("a decision of a match that was not announced is passed over", async () => {
  const bench = new Bench(() => second);
  bench.ask("a", 6);
  assert.deepEqual(await bench.choices(), []);
});

test("a goodbye says whether to come back, and when", () => {
  const { player } = new Bench(() => second);
  const bye = (reason: GoodbyeReason, ms?: number) =>
    player.receive(
      down({ case: "goodbye", value: { reason, ...(ms !== undefined && { retryAfter: durationFromMs(ms) }) } }),
    );
  assert.throws(() => bye(GoodbyeReason.REPLACED), ReplacedError);
  assert.throws(
    () => bye(GoodbyeReason.UNAUTHENTICATED),
    (error) => error instanceof UnauthenticatedError && error.reason === "TOKEN_INVALID" && !error.passing,
  );
  assert.equal(bye(GoodbyeReason.SHUTDOWN, 2500), 2500);
  assert.equal(bye(GoodbyeReason.SHUTDOWN), 1000);
  assert.equal(bye(GoodbyeReason.UNSPECIFIED, 10), 10);
  const ofLaterVersion = fromBinary(SessionResponseSchema, new Uint8Array([0x52, 2, 0x08, 99])).what;
  assert(ofLaterVersion.case === "goodbye");
  assert.equal(player.receive(ofLaterVersion), 1000);
});

test("a message that means nothing is an error that names the field", () => {
  const { player } = new Bench(() => second);
  assert.throws(() => player.receive(down({ case: "gameEnded", value: {} })), MalformedError);
  assert.throws(
    () => player.receive(down({ case: "seatOffer", value: {} })),
    (error) => error instanceof MalformedError && error.field === "seat_offer.match",
  );
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { create } from "@bufbuild/protobuf";
import { MalformedError, pips, sameMove, type Move } from "chickenfoot";
import { DecisionSchema, MoveSchema } from "chickenfoot/v1";

import { turnOf } from "#dist/bot.js";
import { moveFromWire, moveToWire } from "#dist/game.js";

import { decision } from "./messages.js";

test("a blank is a number like any other", () => {
  const [first] = turnOf(decision("m", 1), 0).options;
  assert.deepEqual(first, { kind: "play", tile: { low: 0, high: 0 }, end: 0 });
});

test("a turn has all that its view says, and the time", () => {
  const turn = turnOf(decision("m", 1), 42);
  assert.equal(turn.matchId, "m");
  assert.equal(turn.timeLeft, 90_000);
  assert.equal(turn.bankLeft, 60_000);
  assert.equal(turn.received, 42);
  assert.deepEqual(turn.view.hand, [{ low: 0, high: 0 }, { low: 2, high: 9 }]);
  assert.equal(turn.view.rules.reserve, 0);
  assert.equal(turn.view.drawn, undefined);
  assert.deepEqual(turn.view.foot, { number: 9, missing: 2 });
  assert.deepEqual(turn.view.history, [
    { seat: 1, kind: "start" },
    { seat: 0, kind: "play", tile: { low: 0, high: 9 }, end: 9, line: 1 },
    { seat: 1, kind: "pass" },
  ]);
});

test("what must be there and is not, is named", () => {
  const breaks: [string, (broken: ReturnType<typeof decision>) => void][] = [
    ["decision.options", (broken) => { broken.options = []; }],
    ["move.kind", (broken) => { broken.options = [create(MoveSchema)]; }],
    ["view", (broken) => { broken.view = undefined; }],
    ["rules.reserve", (broken) => { delete broken.view?.rules?.reserve; }],
    ["tile.low", (broken) => { delete broken.view?.hand[0]?.low; }],
  ];
  for (const [field, spoil] of breaks) {
    const broken = decision("m", 1);
    spoil(broken);
    assert.throws(() => turnOf(broken, 0), (error) => error instanceof MalformedError && error.field === field, field);
  }
  assert.throws(() => turnOf(create(DecisionSchema), 0), MalformedError);
});

test("a move is the same on the wire and back", () => {
  const moves: Move[] = [
    { kind: "play", tile: { low: 0, high: 9 }, end: 0 },
    { kind: "draw" },
    { kind: "pass" },
    { kind: "keep" },
  ];
  for (const move of moves) {
    assert.deepEqual(moveFromWire(create(MoveSchema, moveToWire(move))), move);
    assert.equal(moves.filter((other) => sameMove(move, other)).length, 1);
  }
});

test("moves differ by tile and by end", () => {
  const play = (low: number, high: number, end: number): Move => ({ kind: "play", tile: { low, high }, end });
  assert(sameMove(play(2, 9, 9), play(2, 9, 9)));
  assert(!sameMove(play(2, 9, 9), play(2, 9, 2)));
  assert(!sameMove(play(2, 9, 9), play(3, 9, 9)));
  assert(!sameMove(play(2, 9, 9), play(2, 8, 9)));
  assert.equal(pips({ low: 2, high: 9 }), 11);
});

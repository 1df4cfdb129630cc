import assert from "node:assert/strict";
import { test } from "node:test";

import { create } from "@bufbuild/protobuf";

import type { Event } from "../gen/chickenfoot/v1/event_pb.js";
import { WatchMatchResponseSchema } from "../gen/chickenfoot/v1/match_pb.js";
import { areShown, chosen, handsAt } from "../src/match/hands.js";
import { lines } from "../src/match/moves.js";
import { status } from "../src/match/status.js";
import { tell } from "../src/match/tell.js";
import { thoughtsOf } from "../src/match/thinking.js";
import { totalsOf } from "../src/match/totals.js";
import { event, logOf, told, twoRounds } from "./told.js";

const NAMES = ["ann", "ben"];
const log = logOf(twoRounds());

test("draws and passes in a row are one line", () => {
  const [first] = log.rounds;
  assert.ok(first);
  assert.deepEqual(lines(log, first, NAMES), [
    { kind: "move", seq: 5, seat: 0, text: "has the starting double" },
    { kind: "move", seq: 6, seat: 0, text: "lays 9-4" },
    {
      kind: "forced",
      parts: [
        { seq: 7, seat: 1, text: "draws" },
        { seq: 8, seat: 1, text: "passes" },
      ],
    },
    { kind: "note", seq: 9, text: "The round is over: ann is out" },
  ]);
});

test("what happened is told in words", () => {
  assert.equal(tell(event(1, { case: "drew", value: { seat: 1, tile: { low: 0, high: 3 } } }), NAMES), "ben draws 0-3");
  assert.equal(tell(event(1, { case: "passed", value: { seat: 0, kept: true } }), NAMES), "ann keeps the tile");
  assert.equal(tell(event(1, { case: "played", value: { seat: 0, play: { tile: { low: 2, high: 2 }, end: 2 } } }), NAMES), "ann lays 2-2");
  assert.equal(tell(event(1, { case: "matchEnded", value: { totals: [7, 7], places: [1, 1] } }), NAMES), "ann and ben win with 7 points");
  assert.equal(tell(event(1, { case: "seatForfeited", value: { seat: 4 } }), NAMES), "seat 4 is taken out");
});

test("the status says what has to be laid, by whom, and what is left", () => {
  const scene = { round: 1, onTurn: 1, foot: { number: 2, missing: 1 }, boneyard: 11 };
  const played = logOf(told(1, { case: "played", value: { seat: 0, play: { tile: { low: 2, high: 5 }, end: 2 } } }, scene));
  assert.equal(status(played, 1, NAMES), "ann lays 2-5 · foot on 2: one toe missing · ben to move · yard 11");
  assert.equal(status(log, 9, NAMES), "The round is over: ann is out");
  assert.equal(status(log, 0, NAMES), "Nothing has happened yet");
});

test("a hand is what was dealt and drawn, without what was laid", () => {
  const tile = (low: number, high: number): { low: number; high: number } => ({ low, high });
  const open = logOf(twoRounds());
  const retell = (value: Event): void => {
    open.retell(create(WatchMatchResponseSchema, { what: { case: "event", value } }));
  };
  assert.equal(areShown(open), false);
  assert.deepEqual(handsAt(open, 8, 2), [undefined, undefined]);
  retell(event(3, { case: "handDealt", value: { seat: 0, count: 3, tiles: [tile(1, 2), tile(4, 9), tile(9, 9)] } }));
  assert.equal(areShown(open), false, "one hand is still hidden");
  retell(event(4, { case: "handDealt", value: { seat: 1, count: 2, tiles: [tile(0, 5), tile(6, 6)] } }));
  retell(event(7, { case: "drew", value: { seat: 1, tile: tile(3, 3) } }));
  assert.equal(areShown(open), true);
  const numbers = (seq: number): unknown => handsAt(open, seq, 2).map((hand) => hand?.map(({ low, high }) => [low, high]));
  assert.deepEqual(numbers(8), [[[1, 2]], [[0, 5], [3, 3], [6, 6]]]);
  assert.deepEqual(numbers(5), [[[1, 2], [4, 9]], [[0, 5], [6, 6]]]);
  assert.deepEqual(chosen(handsAt(open, 8, 2), 0).map((hand) => hand?.length), [1, undefined]);
  assert.deepEqual(chosen(handsAt(open, 8, 2), "public"), [undefined, undefined]);
});

test("graphs are made of the rounds' ends and of the decisions' times", () => {
  assert.deepEqual(
    totalsOf(log).map(({ round, seq, totals }) => [round, seq, totals]),
    [
      [1, 9, [0, 12]],
      [2, 12, [5, 15]],
    ],
  );
  assert.deepEqual(log.rounds.map((round) => thoughtsOf(log, round)), [[{ seq: 6, seat: 0, milliseconds: 1500 }], []]);
});

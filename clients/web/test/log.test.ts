import assert from "node:assert/strict";
import { test } from "node:test";

import { clone } from "@bufbuild/protobuf";

import { WatchMatchResponseSchema } from "../gen/chickenfoot/v1/match_pb.js";
import { Log } from "../src/match/log.js";
import { tableAt } from "../src/match/table.js";
import { heartbeat, logOf, told, twoRounds, upTo } from "./told.js";

/** What lies after an event: the tiles' numbers and the slots' ids. */
function lying(log: Log, seq: number): unknown {
  const { round, tiles, slots } = tableAt(log, seq);
  return [round, tiles.map(({ inner, outer }) => `${String(inner)}-${String(outer)}`), slots.map(({ id }) => id)];
}

test("the table of any moment follows from the scenes", () => {
  const log = logOf(twoRounds());
  assert.equal(log.head, 13);
  assert.equal(log.isOver, true);
  assert.deepEqual(lying(log, 1), [0, [], []]);
  assert.deepEqual(lying(log, 4), [1, [], []]);
  assert.deepEqual(lying(log, 5), [1, ["9-9"], [1]]);
  assert.deepEqual(lying(log, 6), [1, ["9-9", "9-4"], [2]]);
  assert.deepEqual(lying(log, 9), [1, ["9-9", "9-4"], [2]]);
  assert.deepEqual(lying(log, 11), [2, ["8-8"], [1]]);
});

test("a table knows how large its round becomes", () => {
  const table = tableAt(logOf(twoRounds()), 5);
  assert.equal(table.bounds?.right, 1000);
  assert.equal(table.finalBounds?.right, 5000);
});

test("an event counts once its scene is there, and never twice", () => {
  const log = new Log();
  const [first, scene] = told(1, { case: "matchStarted", value: {} });
  assert.ok(first && scene);
  assert.equal(log.add(first), false);
  assert.equal(log.head, 0);
  assert.equal(log.behind, 1);
  assert.equal(log.add(scene), true);
  assert.equal(log.add(first), false);
  assert.equal(log.add(scene), false);
  assert.equal(log.head, 1);
});

test("a stream that ended between an event and its scene tells both again", () => {
  const log = upTo(4);
  const [first, scene] = told(5, { case: "startLaid", value: { seat: 0 } }, { round: 1 });
  assert.ok(first && scene);
  log.add(first);
  log.cut();
  assert.equal(log.add(scene), false);
  log.add(first);
  assert.equal(log.add(scene), true);
});

test("a hole in the events is an error", () => {
  assert.throws(() => {
    logOf(told(2, { case: "roundStarted", value: { round: 1 } }));
  }, /event 2 came after 0/);
});

test("a watch that goes on within a round changes nothing but what is new", () => {
  const log = upTo(5);
  const all = twoRounds();
  // The first scene of the new stream tells everything that lies.
  const [event6, scene6] = [all[10], all[11]];
  assert.ok(event6 && scene6?.what.case === "scene");
  const laid = [...(all[9]?.what.case === "scene" ? all[9].what.value.laid : []), ...scene6.what.value.laid];
  log.add(event6);
  log.add({ ...scene6, what: { case: "scene", value: { ...scene6.what.value, clears: true, laid, closed: [] } } });
  assert.deepEqual(lying(log, 5), [1, ["9-9"], [1]]);
  assert.deepEqual(lying(log, 6), [1, ["9-9", "9-4"], [2]]);
});

test("heartbeats tell how far behind the page is", () => {
  const log = upTo(3);
  log.add(heartbeat(15));
  assert.equal(log.behind, 12);
  log.add(heartbeat(3));
  assert.equal(log.behind, 12);
});

test("the time that a seat has thought adds up from the decisions", () => {
  const log = logOf(twoRounds());
  assert.deepEqual(log.at(5)?.spent, []);
  assert.deepEqual(log.at(6)?.spent, [1500, 0]);
  assert.deepEqual(log.at(13)?.spent, [1500, 0]);
});

test("events may be told anew with what was hidden", () => {
  const log = logOf(twoRounds());
  told(7, { case: "drew", value: { seat: 1, tile: { low: 0, high: 1 } } }).forEach((response) => { log.retell(response); });
  assert.equal(log.version, 1);
  const what = log.at(7)?.event.what;
  assert.deepEqual(what?.case === "drew" && [what.value.tile?.low, what.value.tile?.high], [0, 1]);
  assert.equal(log.at(7)?.scene.round, 1, "the table stays as it was told first");
});

test("times that were hidden while the match was played come once everything is told", () => {
  const all = twoRounds();
  const log = logOf(all.map((response) => {
    const copy = clone(WatchMatchResponseSchema, response);
    if (copy.what.case === "scene") copy.what.value.think = undefined;
    return copy;
  }));
  assert.deepEqual(log.at(13)?.spent, []);
  all.forEach((response) => { log.retell(response); });
  assert.deepEqual(log.at(5)?.spent, []);
  assert.deepEqual(log.at(13)?.spent, [1500, 0]);
  assert.equal(log.head, 13);
});

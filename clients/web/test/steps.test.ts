import assert from "node:assert/strict";
import { test } from "node:test";

import { Cursor } from "../src/match/cursor.js";
import { pause } from "../src/match/pace.js";
import { countUpTo, next, nextRound, previous, previousRound, startOf } from "../src/match/steps.js";
import { logOf, twoRounds, upTo } from "./told.js";

const log = logOf(twoRounds());

test("steps go from move to move, and not over what prepares a round", () => {
  assert.deepEqual(log.stops, [1, 5, 6, 7, 8, 9, 11, 12, 13]);
  assert.equal(next(log, 1), 5);
  assert.equal(next(log, 3), 5);
  assert.equal(next(log, 13), undefined);
  assert.equal(previous(log, 11), 9);
  assert.equal(previous(log, 10), 9);
  assert.equal(previous(log, 1), undefined);
  assert.deepEqual([0, 1, 4, 5, 13, 99].map((seq) => countUpTo(log, seq)), [0, 1, 1, 2, 9, 9]);
});

test("rounds begin where their starting double lies", () => {
  assert.equal(startOf(log, 1), 5);
  assert.equal(startOf(log, 3), undefined);
  assert.equal(nextRound(log, 1), 5);
  assert.equal(nextRound(log, 6), 11);
  assert.equal(nextRound(log, 12), undefined);
  assert.equal(previousRound(log, 13), 11);
  assert.equal(previousRound(log, 11), 5);
  assert.equal(previousRound(log, 5), undefined);
});

test("who follows is taken along", () => {
  const live = upTo(6);
  const cursor = new Cursor(live, undefined);
  assert.equal(cursor.seq, 6);
  assert.equal(cursor.isLive, true);
  assert.equal(cursor.fresh, 0);
  twoRounds().slice(12, 16).forEach((response) => live.add(response));
  assert.equal(cursor.seq, 8);
});

test("who steps back stays, and is told how many moves are new", () => {
  const live = upTo(6);
  const cursor = new Cursor(live, undefined);
  cursor.goTo(5);
  assert.equal(cursor.fresh, 0);
  twoRounds().slice(12, 18).forEach((response) => live.add(response));
  assert.equal(cursor.seq, 5);
  assert.equal(cursor.fresh, 3);
  cursor.goTo(7);
  assert.equal(cursor.fresh, 2);
  cursor.follow();
  assert.equal(cursor.seq, 9);
  assert.equal(cursor.fresh, 0);
});

test("a move that was seen is not new again", () => {
  const live = upTo(6);
  const cursor = new Cursor(live, undefined);
  cursor.goTo(5);
  twoRounds().slice(12, 18).forEach((response) => live.add(response));
  cursor.goTo(8);
  cursor.goTo(5);
  assert.equal(cursor.fresh, 1);
});

test("what came while the page was loading is not new, wherever the reader went", () => {
  const live = upTo(3);
  const cursor = new Cursor(live, undefined);
  cursor.goTo(2);
  twoRounds().slice(6, 18).forEach((response) => live.add(response));
  cursor.settle();
  assert.equal(cursor.fresh, 0);
});

test("what was there when the page was opened is not new", () => {
  const live = upTo(8);
  const cursor = new Cursor(live, 5);
  assert.equal(cursor.fresh, 0);
  cursor.settle();
  assert.equal(cursor.fresh, 0);
  twoRounds().slice(16, 18).forEach((response) => live.add(response));
  assert.equal(cursor.fresh, 1);
});

test("an address of a move to come leads to the newest one", () => {
  const cursor = new Cursor(upTo(6), 500);
  assert.equal(cursor.isAhead, true);
  cursor.settle();
  assert.equal(cursor.isLive, true);
  const over = new Cursor(log, 500);
  over.settle();
  assert.equal(over.seq, 13);
});

test("playing goes to the end, follows a match that goes on, and begins again after the end", () => {
  const cursor = new Cursor(log, 12);
  cursor.play();
  cursor.advance();
  assert.equal(cursor.seq, 13);
  cursor.advance();
  assert.equal(cursor.mode, "stay");
  cursor.play();
  assert.equal(cursor.seq, 1);
  const live = new Cursor(upTo(6), 6);
  live.play();
  live.advance();
  assert.equal(live.isLive, true);
});

test("a move is shown as long as the speed says, or as long as it was thought about", () => {
  assert.equal(pause(log, 6, 0.5), 2000);
  assert.equal(pause(log, 6, 10), 100);
  assert.equal(pause(log, 6, "played"), 1500);
  assert.equal(pause(log, 7, "played"), 150);
});

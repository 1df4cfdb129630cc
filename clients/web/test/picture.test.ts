import assert from "node:assert/strict";
import { test } from "node:test";

import { attribute, between, exact, grown, moved, seen, WHOLE, zoomed } from "../src/match/frame.js";
import { logShare, spread, ticks } from "../src/match/scale.js";

test("a finished round is shown as large as it is", () => {
  assert.deepEqual(exact({ left: -1000, top: -2000, right: 9000, bottom: 8000 }), { x: -140, y: -240, width: 1080, height: 1080 });
});

test("a few tiles are not shown as large as the window", () => {
  assert.deepEqual(exact({ left: -1000, top: -500, right: 1000, bottom: 500 }), { x: -400, y: -400, width: 800, height: 800 });
});

test("a round that goes on grows by four half tiles, and does not shrink", () => {
  const first = grown({ left: -1000, top: -500, right: 1000, bottom: 500 }, undefined);
  assert.deepEqual(first, { x: -400, y: -400, width: 800, height: 800 });
  const second = grown({ left: -1000, top: -500, right: 4000, bottom: 500 }, first);
  assert.deepEqual(second, { x: -400, y: -400, width: 1200, height: 800 });
  assert.deepEqual(grown({ left: -10, top: -10, right: 10, bottom: 10 }, second), second);
});

test("a box that grows begins at the old one and ends at the new one", () => {
  const [from, to] = [{ x: 0, y: 0, width: 100, height: 100 }, { x: -100, y: 0, width: 300, height: 100 }];
  assert.deepEqual(between(from, to, 0), from);
  assert.deepEqual(between(from, to, 1), to);
  assert.deepEqual(between(from, to, 0.5), { x: -50, y: 0, width: 200, height: 100 });
});

test("zooming keeps the point below the finger, and never shows more than all", () => {
  const box = { x: 0, y: 0, width: 1000, height: 1000 };
  const near = zoomed(WHOLE, 2, 0.25, 0.25);
  assert.deepEqual(near, { scale: 2, x: 0.375, y: 0.375 });
  assert.equal(attribute(seen(box, near)), "125.0 125.0 500.0 500.0");
  assert.deepEqual(zoomed(near, 0.1, 0.9, 0.1), WHOLE);
  assert.deepEqual(moved(near, -5, 5), { scale: 2, x: 0.75, y: 0.25 });
  assert.deepEqual(moved(WHOLE, 1, 1), WHOLE);
});

test("a scale has few, round marks, the last not below the largest number", () => {
  assert.deepEqual(ticks(384), [0, 100, 200, 300, 400]);
  assert.deepEqual(ticks(12), [0, 5, 10, 15]);
  assert.deepEqual(ticks(0), [0, 1]);
  assert.deepEqual(ticks(3), [0, 1, 2, 3]);
});

test("labels are moved apart and stay in the picture", () => {
  assert.deepEqual(spread([10, 11, 50], 14, 100), [10, 24, 50]);
  assert.deepEqual(spread([95, 96, 97], 14, 100), [72, 86, 100]);
  assert.deepEqual(spread([], 14, 100), []);
});

test("bars show times by their order of magnitude", () => {
  assert.equal(logShare(1000, 1000), 1);
  assert.equal(logShare(0, 1000), 0);
  assert.equal(logShare(5, 0), 0);
  assert.ok(logShare(10, 1000) > 0.4 && logShare(10, 1000) < 0.6);
});

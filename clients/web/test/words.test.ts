import assert from "node:assert/strict";
import { test } from "node:test";

import { ago, clock, count, list, ordinal, span } from "../src/words.js";

test("numbers have their words", () => {
  assert.equal(count(1, "tile"), "1 tile");
  assert.equal(count(1200, "match", "matches"), "1,200 matches");
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 112].map(ordinal), ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th"]);
  assert.equal(list(["a", "b", "c"]), "a, b and c");
});

test("times are told in their unit", () => {
  assert.deepEqual([0, 7_999, 750_000, 3_723_000].map(clock), ["0:00", "0:07", "12:30", "1:02:03"]);
  assert.deepEqual([0.04, 35.4, 1_234, 185_000].map(span), ["0.0 ms", "35 ms", "1.2 s", "3:05 min"]);
});

test("what was long ago has a date", () => {
  const now = new Date("2026-05-10T12:00:00Z");
  assert.equal(ago(new Date("2026-05-10T11:59:30Z"), now), "just now");
  assert.equal(ago(new Date("2026-05-10T11:55:00Z"), now), "5 minutes ago");
  assert.equal(ago(new Date("2026-05-09T11:00:00Z"), now), "1 day ago");
  assert.equal(ago(new Date("2026-04-01T12:00:00Z"), now), "2026-04-01");
});

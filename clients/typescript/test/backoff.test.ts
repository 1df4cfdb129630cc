import assert from "node:assert/strict";
import { test } from "node:test";

import { Backoff, sleep } from "#dist/backoff.js";

test("pauses grow to a bound and start again after a success", () => {
  const backoff = new Backoff();
  for (const expected of [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    const pause = backoff.next();
    assert(pause > expected / 2 && pause <= expected, `${String(pause)} for ${String(expected)}`);
  }
  backoff.reset();
  assert(backoff.next() <= 250);
});

test("pauses never overflow, however long the service is away", () => {
  const backoff = new Backoff(() => 0);
  for (let failure = 0; failure < 3000; failure += 1) assert(backoff.next() <= 30_000);
});

test("chance shortens a pause by up to a half", () => {
  assert.equal(new Backoff(() => 0).next(), 250);
  assert.equal(new Backoff(() => 0.5).next(), 187.5);
});

test("a pause is never shorter than the service asked for", () => {
  assert.equal(new Backoff(() => 0).next(5000), 5000);
  assert.equal(new Backoff(() => 0.5).next(5000), 6250);
  assert.equal(new Backoff(() => 0.5).spread(1000), 1250);
});

test("a sleep ends early when it is told to stop, and says so", async () => {
  const stop = new AbortController();
  const slept = sleep(1_000_000, stop.signal);
  stop.abort();
  assert.equal(await slept, false);
  assert.equal(await sleep(1_000_000, AbortSignal.abort()), false);
  assert.equal(await sleep(0), true);
});

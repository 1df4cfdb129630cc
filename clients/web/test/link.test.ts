import assert from "node:assert/strict";
import { test } from "node:test";

import { Code, ConnectError } from "@connectrpc/connect";

import { backoff } from "../src/backoff.js";
import { isFinal } from "../src/faults.js";
import { Announcer } from "../src/match/announce.js";
import { patience, Silence } from "../src/match/silence.js";

test("pages come back later and later, and not all at once", () => {
  assert.equal(backoff(0, () => 0), 250);
  assert.equal(backoff(0, () => 1), 500);
  assert.equal(backoff(3, () => 1), 4_000);
  assert.equal(backoff(100, () => 1), 30_000);
});

test("what the server will never answer otherwise is not asked again", () => {
  assert.equal(isFinal(new ConnectError("no such match", Code.NotFound)), true);
  for (const code of [Code.Unavailable, Code.Unimplemented, Code.PermissionDenied]) {
    assert.equal(isFinal(new ConnectError("away", code)), false);
  }
  assert.equal(isFinal(new TypeError("Failed to fetch")), false);
});

test("a stream that misses three heartbeats is dead", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const silence = new Silence();
  let isDead = false;
  const dead = (): void => {
    isDead = true;
  };
  silence.heard(false, dead, 0);
  silence.heard(true, dead, 10_000);
  context.mock.timers.tick(34_999);
  assert.equal(isDead, false);
  context.mock.timers.tick(1);
  assert.equal(isDead, true);
});

test("a stream that does not open is given up", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let isDead = false;
  new Silence().wait(() => { isDead = true; });
  context.mock.timers.tick(44_999);
  assert.equal(isDead, false);
  context.mock.timers.tick(1);
  assert.equal(isDead, true);
});

test("while no heartbeat is known a stream may have the slowest, and fast ones do not make it nervous", () => {
  assert.equal(patience(undefined), 660_000);
  assert.equal(patience(10), 5_000);
});

test("many moves are one announcement", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const announcer = new Announcer(() => undefined);
  const tell = (count: number): void => {
    announcer.moves(count, () => `move ${String(count)}`);
  };
  tell(40);
  context.mock.timers.tick(10_000);
  assert.equal(announcer.text, "");
  tell(41);
  context.mock.timers.tick(300);
  assert.equal(announcer.text, "move 41");
  for (const count of [42, 43, 44]) {
    tell(count);
  }
  context.mock.timers.tick(3_999);
  assert.equal(announcer.text, "move 41");
  context.mock.timers.tick(1);
  assert.equal(announcer.text, "3 moves. move 44");
});

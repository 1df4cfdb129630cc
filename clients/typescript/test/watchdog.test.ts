import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";

import { Watchdog } from "#dist/watchdog.js";

/** A watchdog in paused time, and what it said. */
function watchdog(test: TestContext): { dog: Watchdog; said: string[]; tick: (ms: number) => void } {
  test.mock.timers.enable({ apis: ["setTimeout"] });
  const said: string[] = [];
  // By small steps: a timer that is set by another one begins with the step that it is set in.
  const tick = (ms: number) => {
    for (let step = 0; step < ms; step += 1) test.mock.timers.tick(1);
  };
  return { dog: new Watchdog((why) => said.push(why)), said, tick };
}

test("three intervals of silence are told once, and not before", (context) => {
  const { dog, said, tick } = watchdog(context);
  dog.watch(1000, 3);
  tick(2999);
  assert.deepEqual(said, []);
  tick(1);
  assert.deepEqual(said, ["silent for 3 s"]);
  tick(100_000);
  assert.equal(said.length, 1);
});

test("whatever is heard begins the count again", (context) => {
  const { dog, said, tick } = watchdog(context);
  dog.watch(1000, 3);
  for (let heard = 0; heard < 100; heard += 1) {
    tick(2999);
    dog.heard();
  }
  assert.deepEqual(said, []);
  tick(3000);
  assert.equal(said.length, 1);
});

test("after it was stopped nothing is told, whatever is still heard", (context) => {
  const { dog, said, tick } = watchdog(context);
  dog.watch(1000, 3);
  dog.stop();
  dog.heard();
  tick(100_000);
  assert.deepEqual(said, []);
});

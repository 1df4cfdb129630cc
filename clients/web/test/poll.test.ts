import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Code, ConnectError } from "@connectrpc/connect";

import { Poll } from "../src/poll.js";

beforeEach(() => {
  Object.assign(globalThis, { document: Object.assign(new EventTarget(), { hidden: false }), window: new EventTarget() });
  mock.timers.enable({ apis: ["setTimeout"] });
});

afterEach(() => {
  mock.timers.reset();
});

/** A poll whose calls the test answers. */
class World {
  readonly calls: { answer(value: string): void; fail(fault: unknown): void }[] = [];
  readonly poll = new Poll((signal) => this.load(signal), 5_000);
  #hears: () => void = () => undefined;

  constructor() {
    this.poll.start(() => {
      this.#hears();
    });
  }

  /** What the poll does after this was done. */
  async after(act: () => void): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      this.#hears = resolve;
    });
    act();
    await heard;
  }

  private load(signal: AbortSignal): Promise<string> {
    return new Promise((answer, fail) => {
      this.calls.push({ answer, fail });
      signal.addEventListener("abort", () => {
        fail(new ConnectError("aborted", Code.Canceled));
      });
    });
  }
}

test("a call without an answer is given up, and asked again", async () => {
  const world = new World();
  await world.after(() => world.calls[0]?.answer("first"));
  mock.timers.tick(5_000);
  assert.equal(world.calls.length, 2);
  mock.timers.tick(19_999);
  assert.equal(world.poll.lost, false);
  await world.after(() => {
    mock.timers.tick(1);
  });
  assert.deepEqual([world.poll.lost, world.poll.value], [true, "first"]);
  mock.timers.tick(1_000);
  assert.equal(world.calls.length, 3);
  await world.after(() => world.calls[2]?.answer("second"));
  assert.deepEqual([world.poll.lost, world.poll.value], [false, "second"]);
  // The time of a call that was answered does not run on.
  mock.timers.tick(4_999);
  assert.equal(world.calls.length, 3);
  world.poll.stop();
});

test("what is refused at first is not asked for again; later it is a loss, and the page stays", async () => {
  const gone = new ConnectError("there is no such match", Code.NotFound);
  const first = new World();
  await first.after(() => first.calls[0]?.fail(gone));
  assert.equal(first.poll.refused, "there is no such match");
  mock.timers.tick(100_000);
  assert.equal(first.calls.length, 1);

  const later = new World();
  await later.after(() => later.calls[0]?.answer("there"));
  mock.timers.tick(5_000);
  await later.after(() => later.calls[1]?.fail(gone));
  assert.deepEqual([later.poll.refused, later.poll.lost, later.poll.value], [undefined, true, "there"]);
  mock.timers.tick(1_000);
  assert.equal(later.calls.length, 3);
  first.poll.stop();
  later.poll.stop();
});

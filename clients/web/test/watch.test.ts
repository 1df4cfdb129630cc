import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { Code, ConnectError } from "@connectrpc/connect";

import type { WatchMatchResponse } from "../gen/chickenfoot/v1/match_pb.js";
import type { Api } from "../src/api.js";
import { Log } from "../src/match/log.js";
import { Watch } from "../src/match/watch.js";
import { Stream, Window } from "./stream.js";
import { heartbeat, twoRounds } from "./told.js";

/** A watch over streams that the test feeds, in a window that the test hides. */
class World {
  readonly streams: Stream[] = [];
  readonly log = new Log();
  readonly watch: Watch;
  #hears = new Set<() => void>();

  constructor() {
    const watchMatch = ({ afterSeq }: { afterSeq: bigint }, { signal, onHeader }: { signal: AbortSignal; onHeader: () => void }): AsyncIterable<WatchMatchResponse> => {
      const stream = new Stream(afterSeq, signal, onHeader);
      this.streams.push(stream);
      this.#told();
      return stream.read();
    };
    this.watch = new Watch({ watchMatch } as unknown as Api["matches"], "m", this.log, () => {
      this.#told();
    });
  }

  get last(): Stream {
    const stream = this.streams.at(-1);
    assert.ok(stream);
    return stream;
  }

  /** Waits until something is so; whatever the watch does wakes this. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      await new Promise<void>((resolve) => this.#hears.add(resolve));
    }
  }

  #told(): void {
    const hears = this.#hears;
    this.#hears = new Set();
    hears.forEach((wake) => {
      wake();
    });
  }
}

let shown = new Window();

beforeEach(() => {
  shown = new Window();
  Object.assign(globalThis, { document: shown, window: new EventTarget() });
  mock.timers.enable({ apis: ["setTimeout"] });
});

afterEach(() => {
  mock.timers.reset();
});

/** Some events of a match. */
function events(from: number, to: number): WatchMatchResponse[] {
  return twoRounds().slice(2 * (from - 1), 2 * to);
}

/** Each test begins with a watch that has six events. */
async function begun(): Promise<World> {
  const world = new World();
  world.watch.start();
  world.last.tell(...events(1, 6));
  await world.until(() => world.log.head === 6);
  return world;
}

test("after a failure the watch comes back later, and goes on after the last event that it has", async () => {
  const world = await begun();
  assert.equal(world.watch.link, "open");
  // An event whose scene is still to come does not count.
  world.last.tell(...events(7, 7).slice(0, 1), heartbeat(9), new TypeError("network error"));
  await world.until(() => world.watch.link === "lost");
  assert.equal(world.log.behind, 3);
  assert.equal(world.streams.length, 1);
  mock.timers.tick(500);
  await world.until(() => world.streams.length === 2);
  assert.equal(world.last.afterSeq, 6n);
  assert.equal(world.watch.link, "lost", "nothing has come yet");
  world.last.opens();
  assert.equal(world.watch.link, "open", "no message has to come for that");
  world.last.tell(...events(7, 9));
  await world.until(() => world.log.head === 9);
  assert.equal(world.watch.link, "open");
  assert.equal(world.log.behind, 0);
  world.watch.stop();
});

test("a match that is over is not asked for again", async () => {
  const world = await begun();
  world.last.tell(...events(7, 13), "end");
  await world.until(() => world.watch.link === "over");
  mock.timers.tick(100_000);
  shown.hide(true);
  shown.hide(false);
  assert.equal(world.streams.length, 1);
});

test("a hidden page has no stream, and seen again it goes on at once", async () => {
  const world = await begun();
  const first = world.last;
  shown.hide(true);
  assert.equal(first.isAborted, true);
  assert.equal(world.watch.link, "resting");
  mock.timers.tick(100_000);
  assert.equal(world.streams.length, 1);
  shown.hide(false);
  assert.equal(world.streams.length, 2);
  assert.equal(world.last.afterSeq, 6n);
  world.watch.stop();
});

test("a stream that is silent for too long is given up", async () => {
  const world = await begun();
  mock.timers.tick(659_999);
  assert.equal(world.last.isAborted, false);
  mock.timers.tick(1);
  assert.equal(world.last.isAborted, true);
  await world.until(() => world.watch.link === "lost");
  mock.timers.tick(500);
  await world.until(() => world.streams.length === 2);
  world.watch.stop();
});

test("a refusal after something was shown is a loss like others", async () => {
  const world = await begun();
  world.last.tell(new ConnectError("there is no such match", Code.NotFound));
  await world.until(() => world.watch.link === "lost");
  mock.timers.tick(500);
  await world.until(() => world.streams.length === 2);
  world.watch.stop();
});

test("messages that do not fit do not make the watch hurry", async () => {
  const world = await begun();
  const pauses: number[] = [];
  for (let tries = 0; tries < 4; tries += 1) {
    // A hole.
    world.last.tell(...events(9, 9));
    await world.until(() => world.watch.link === "lost");
    const streams = world.streams.length;
    let pause = 0;
    for (; world.streams.length === streams; pause += 50) mock.timers.tick(50);
    pauses.push(pause);
    world.last.opens();
  }
  assert((pauses[3] ?? 0) >= 2_000, String(pauses));
  world.watch.stop();
});

test("what is not there is not asked for again", async () => {
  const world = new World();
  world.watch.start();
  world.last.tell(new ConnectError("there is no such match", Code.NotFound));
  await world.until(() => world.watch.link === "refused");
  assert.equal(world.watch.refused, "there is no such match");
  mock.timers.tick(100_000);
  assert.equal(world.streams.length, 1);
});

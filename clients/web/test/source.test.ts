import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { clone, create } from "@bufbuild/protobuf";

import { type Match, MatchSchema, MatchState, type WatchMatchResponse, WatchMatchResponseSchema } from "../gen/chickenfoot/v1/match_pb.js";
import type { Api } from "../src/api.js";
import { Log } from "../src/match/log.js";
import { ServerSource } from "../src/match/source.js";
import { Stream, Window } from "./stream.js";
import { event, twoRounds } from "./told.js";

beforeEach(() => {
  Object.assign(globalThis, { document: new Window(), window: new EventTarget() });
  mock.timers.enable({ apis: ["setTimeout"] });
});

afterEach(() => {
  mock.timers.reset();
});

/** A match on a server whose answers the test gives. */
class World {
  readonly streams: Stream[] = [];
  readonly log = new Log();
  readonly source: ServerSource;
  /** How often the match was asked for. */
  asked = 0;
  #answers: ((answer: { match: Match }) => void)[] = [];
  #hears = new Set<() => void>();

  constructor() {
    const watchMatch = (
      { afterSeq }: { afterSeq: bigint },
      { signal, onHeader }: { signal: AbortSignal; onHeader?: () => void },
    ): AsyncIterable<WatchMatchResponse> => {
      const stream = new Stream(afterSeq, signal, onHeader ?? ((): void => undefined));
      this.streams.push(stream);
      this.#told();
      return stream.read();
    };
    const getMatch = (): Promise<{ match: Match }> => {
      this.asked += 1;
      this.#told();
      return new Promise((resolve) => this.#answers.push(resolve));
    };
    this.source = new ServerSource({ watchMatch, getMatch } as unknown as Api["matches"], "m", this.log);
    this.source.start(() => {
      this.#told();
    });
  }

  get last(): Stream {
    const stream = this.streams.at(-1);
    assert.ok(stream);
    return stream;
  }

  /** Answers what was asked for the match. */
  stands(headSeq: number, state: MatchState): void {
    const match = create(MatchSchema, { id: "m", headSeq: BigInt(headSeq), state });
    this.#answers.splice(0).forEach((answer) => {
      answer({ match });
    });
  }

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

/** What a spectator is told of some events before the end: no hands and no times. */
function hidden(from: number, to: number): WatchMatchResponse[] {
  return twoRounds().slice(2 * (from - 1), 2 * to).map((response) => {
    const copy = clone(WatchMatchResponseSchema, response);
    if (copy.what.case === "scene") {
      copy.what.value.think = undefined;
    }
    return copy;
  });
}

/** What everybody is told of all events in the end. */
function everything(): WatchMatchResponse[] {
  return twoRounds().map((response) => {
    const { what } = response;
    if (what.case !== "event" || what.value.what.case !== "handDealt") {
      return response;
    }
    const { seat } = what.value.what.value;
    const value = event(Number(what.value.seq), { case: "handDealt", value: { seat, count: 1, tiles: [{ low: 0, high: 1 }] } });
    return create(WatchMatchResponseSchema, { what: { case: "event", value } });
  });
}

test("after a loss the page says how far it is behind until it has all that it missed", async () => {
  const world = new World();
  world.stands(6, MatchState.RUNNING);
  world.last.tell(...hidden(1, 6));
  await world.until(() => world.source.match !== undefined && world.log.head === 6);
  assert.equal(world.source.link, "open");
  const asked = world.asked;
  world.last.tell(new TypeError("network error"));
  await world.until(() => world.source.link === "lost");
  mock.timers.tick(500);
  await world.until(() => world.streams.length === 2);
  world.last.opens();
  assert.equal(world.asked, asked + 1, "how far the match is was not asked at once");
  world.stands(9, MatchState.RUNNING);
  await world.until(() => world.log.behind === 3);
  assert.equal(world.source.link, "lost");
  world.last.tell(...hidden(7, 8));
  await world.until(() => world.log.behind === 1);
  assert.equal(world.source.link, "lost");
  world.last.tell(...hidden(9, 9));
  await world.until(() => world.source.link === "open");
  world.source.stop();
});

test("what is not told yet after the end is asked for again, and again after a failure", async () => {
  const world = new World();
  world.stands(13, MatchState.FINISHED);
  world.last.tell(...hidden(1, 13), "end");
  await world.until(() => world.streams.length === 2);
  assert.equal(world.last.afterSeq, 0n);
  assert.equal(world.source.tellsAll, undefined);
  world.last.tell(new TypeError("network error"));
  await new Promise(setImmediate);
  mock.timers.tick(1_000);
  await world.until(() => world.streams.length === 3);
  assert.equal(world.source.tellsAll, undefined, "nobody has said that they are hidden");
  world.last.tell(...hidden(1, 13), "end");
  await world.until(() => world.source.tellsAll === false);
  mock.timers.tick(60_000);
  await world.until(() => world.streams.length === 4);
  world.last.tell(...everything(), "end");
  await world.until(() => world.source.tellsAll === true);
  assert.deepEqual(world.log.at(13)?.spent, [1500, 0]);
  mock.timers.tick(600_000);
  assert.equal(world.streams.length, 4);
  world.source.stop();
});

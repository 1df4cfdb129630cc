import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";

import { type Event, EventSchema } from "../gen/chickenfoot/v1/event_pb.js";
import { type WatchMatchResponse, WatchMatchResponseSchema } from "../gen/chickenfoot/v1/match_pb.js";
import { type SceneSchema, SlotKind } from "../gen/chickenfoot/v1/scene_pb.js";
import { Log } from "../src/match/log.js";

export type What = NonNullable<MessageInitShape<typeof EventSchema>["what"]>;
export type SceneInit = MessageInitShape<typeof SceneSchema>;

/** An event and its scene, as a watch tells them. */
export function told(seq: number, what: What, scene: SceneInit = {}): WatchMatchResponse[] {
  const seats = [{ tiles: 7 }, { tiles: 7 }];
  return [
    create(WatchMatchResponseSchema, { what: { case: "event", value: { seq: BigInt(seq), what } } }),
    create(WatchMatchResponseSchema, { what: { case: "scene", value: { seq: BigInt(seq), seats, ...scene } } }),
  ];
}

export function event(seq: number, what: What): Event {
  return create(EventSchema, { seq: BigInt(seq), what });
}

export function heartbeat(headSeq: number): WatchMatchResponse {
  return create(WatchMatchResponseSchema, { what: { case: "heartbeat", value: { headSeq: BigInt(headSeq) } } });
}

/** A tile that lies flat. */
function lying(index: number, low: number, high: number): NonNullable<SceneInit["laid"]>[number] {
  return { index, tile: { low, high }, inner: low, outer: high, area: { x: index * 2000, halfLength: 1000, halfWidth: 500 } };
}

function slot(id: number, number: number): NonNullable<SceneInit["opened"]>[number] {
  return { id, number, kind: SlotKind.END, area: { halfLength: 1000, halfWidth: 500 } };
}

/** A match of two seats: two short rounds, in which seat 1 draws and passes. */
export function twoRounds(): WatchMatchResponse[] {
  const bounds = { left: -1000, top: -500, right: 1000, bottom: 500 };
  const wider = { ...bounds, right: 5000 };
  return [
    told(1, { case: "matchStarted", value: { seats: [{ name: "ann" }, { name: "ben" }] } }),
    told(2, { case: "roundStarted", value: { round: 1, startingDouble: 9 } }, { round: 1, clears: true }),
    told(3, { case: "handDealt", value: { seat: 0, count: 3 } }, { round: 1 }),
    told(4, { case: "handDealt", value: { seat: 1, count: 3 } }, { round: 1 }),
    told(5, { case: "startLaid", value: { seat: 0 } }, { round: 1, laid: [lying(0, 9, 9)], opened: [slot(1, 9)], bounds, onTurn: 0 }),
    told(
      6,
      { case: "played", value: { seat: 0, play: { tile: { low: 4, high: 9 }, end: 9 } } },
      { round: 1, laid: [lying(1, 9, 4)], closed: [1], opened: [slot(2, 4)], bounds: wider, think: durationFromMs(1500), onTurn: 1 },
    ),
    told(7, { case: "drew", value: { seat: 1 } }, { round: 1, bounds: wider, onTurn: 1 }),
    told(8, { case: "passed", value: { seat: 1 } }, { round: 1, bounds: wider, onTurn: 0 }),
    told(9, { case: "roundEnded", value: { end: { how: { case: "out", value: 0 } }, scores: [0, 12], totals: [0, 12] } }, { round: 1, bounds: wider }),
    told(10, { case: "roundStarted", value: { round: 2, startingDouble: 8 } }, { round: 2, clears: true }),
    told(11, { case: "startLaid", value: { seat: 1 } }, { round: 2, laid: [lying(0, 8, 8)], opened: [slot(1, 8)], bounds }),
    told(12, { case: "roundEnded", value: { end: { how: { case: "blocked", value: {} } }, scores: [5, 3], totals: [5, 15] } }, { round: 2, bounds }),
    told(13, { case: "matchEnded", value: { totals: [5, 15], places: [1, 2] } }, { round: 2, bounds }),
  ].flat();
}

/** A log that was told these. */
export function logOf(responses: readonly WatchMatchResponse[]): Log {
  const log = new Log();
  for (const response of responses) {
    log.add(response);
  }
  return log;
}

/** The first events of the match of two rounds. */
export function upTo(seq: number): Log {
  return logOf(twoRounds().slice(0, 2 * seq));
}

import type { Bounds, PlacedTile, Slot } from "../../gen/chickenfoot/v1/scene_pb.js";
import type { Log } from "./log.js";

/** What lies on the table after an event. */
export interface Table {
  readonly round: number;
  readonly tiles: readonly PlacedTile[];
  readonly slots: readonly Slot[];
  /** What the round covers so far. */
  readonly bounds: Bounds | undefined;
  /** What it covers at its end, or as far as it is known. */
  readonly finalBounds: Bounds | undefined;
}

/** The table after an event; empty before the first round. */
export function tableAt(log: Log, seq: number): Table {
  const round = log.roundAt(seq);
  if (!round) {
    return { round: 0, tiles: [], slots: [], bounds: undefined, finalBounds: undefined };
  }
  return {
    round: round.number,
    tiles: round.tiles.filter((laid) => laid.since <= seq).map((laid) => laid.tile),
    slots: round.slots.filter((opened) => opened.since <= seq && seq < opened.until).map((opened) => opened.slot),
    bounds: log.at(seq)?.scene.bounds,
    finalBounds: log.at(round.last)?.scene.bounds,
  };
}

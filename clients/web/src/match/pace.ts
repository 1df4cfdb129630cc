import { millis } from "../words.js";
import type { Log } from "./log.js";

/** How fast a match is shown: so many moves a second, or with the pauses that the players made. */
export type Speed = number | "played";

/** The speeds that can be chosen. */
export const SPEEDS: readonly Speed[] = [0.5, 1, 2, 5, 10, "played"];

/** Nobody wants to watch a player think for longer than that, in milliseconds. */
const LONGEST = 15_000;

/** What nobody thought about is shown for so long when the pauses are those of the players. */
const SHORTEST = 150;

/** How long the move before this one is shown, in milliseconds. */
export function pause(log: Log, seq: number, speed: Speed): number {
  if (speed !== "played") {
    return 1000 / speed;
  }
  return Math.min(LONGEST, Math.max(SHORTEST, millis(log.at(seq)?.scene.think)));
}

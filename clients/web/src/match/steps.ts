import type { Log } from "./log.js";

/** The next move after an event; none at the end. */
export function next(log: Log, seq: number): number | undefined {
  return log.stops[countUpTo(log, seq)];
}

/** The move before an event; none at the beginning. */
export function previous(log: Log, seq: number): number | undefined {
  return log.stops[countUpTo(log, seq - 1) - 1];
}

/** How many moves there are up to an event, that one included. */
export function countUpTo(log: Log, seq: number): number {
  let [low, high] = [0, log.stops.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log.stops[middle] ?? 0) <= seq) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Where a round is shown first: once its starting double lies. */
export function startOf(log: Log, number: number): number | undefined {
  const round = log.rounds.find((one) => one.number === number);
  return round && (round.tiles[0]?.since ?? round.first);
}

/** The start of the round after the one of an event. */
export function nextRound(log: Log, seq: number): number | undefined {
  return startOf(log, (log.roundAt(seq)?.number ?? 0) + 1);
}

/** The start of the round of an event, or of the one before if it is there already. */
export function previousRound(log: Log, seq: number): number | undefined {
  const number = log.roundAt(seq)?.number ?? 0;
  const start = startOf(log, number);
  return start !== undefined && start < seq ? start : startOf(log, number - 1);
}

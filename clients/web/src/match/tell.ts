import type { Event } from "../../gen/chickenfoot/v1/event_pb.js";
import type { Play, RoundEnd, Tile } from "../../gen/chickenfoot/v1/game_pb.js";
import { count, list } from "../words.js";

/** What happened, in a short sentence; `names` are those of the seats. */
export function tell({ what }: Event, names: readonly string[]): string {
  const name = (seat: number): string => names[seat] ?? `seat ${String(seat)}`;
  switch (what.case) {
    case "matchStarted":
      return "The match begins";
    case "roundStarted":
      return `Round ${String(what.value.round)} begins with ${pair(what.value.startingDouble, what.value.startingDouble)}`;
    case "handDealt":
      return `${name(what.value.seat)} is dealt ${count(what.value.count, "tile")}`;
    case "startLaid":
      return `${name(what.value.seat)} has the starting double`;
    case "played":
      return `${name(what.value.seat)} ${lays(what.value.play)}`;
    case "drew":
      return `${name(what.value.seat)} ${draws(what.value.tile)}`;
    case "passed":
      return `${name(what.value.seat)} ${passes(what.value.kept)}`;
    case "roundEnded":
      return ended(what.value.end, name);
    case "seatForfeited":
      return `${name(what.value.seat)} is taken out`;
    case "matchEnded":
      return result(what.value.places, what.value.totals, names);
    case "matchAborted":
      return "The match was aborted";
    case undefined:
      return "Something that this page does not know";
  }
}

/** `lays 3-4 on 3`: the number that it is laid on comes first. */
export function lays(play: Play | undefined): string {
  const { low = 0, high = 0 } = play?.tile ?? {};
  if (low === high) {
    return `lays ${pair(low, high)}`;
  }
  const end = play?.end ?? low;
  return `lays ${pair(end, end === low ? high : low)}`;
}

/** `draws`, and what, if everybody may know. */
export function draws(tile: Tile | undefined): string {
  return tile ? `draws ${tileName(tile)}` : "draws";
}

/** `passes`, or keeps what it drew. */
export function passes(kept: boolean): string {
  return kept ? "keeps the tile" : "passes";
}

/** `3-4`. */
export function tileName(tile: Tile): string {
  return pair(tile.low ?? 0, tile.high ?? 0);
}

/** Who won, in words. */
export function result(places: readonly number[], totals: readonly number[], names: readonly string[]): string {
  const winners = names.filter((_, seat) => places[seat] === 1);
  const points = totals[places.indexOf(1)];
  return `${list(winners)} ${winners.length === 1 ? "wins" : "win"} with ${count(points ?? 0, "point")}`;
}

function pair(one: number, other: number): string {
  return `${String(one)}-${String(other)}`;
}

function ended(end: RoundEnd | undefined, name: (seat: number) => string): string {
  return end?.how.case === "out" ? `The round is over: ${name(end.how.value)} is out` : "The round is over: nobody can go on";
}

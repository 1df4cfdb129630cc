import type { Event } from "../../gen/chickenfoot/v1/event_pb.js";
import type { Tile } from "../../gen/chickenfoot/v1/game_pb.js";
import type { Log } from "./log.js";

/** A seat's hand after an event, in ascending order; nothing if the server has not shown it. */
export type Hand = readonly Tile[] | undefined;

/** The seats' hands after an event, from what was dealt, drawn and laid in the round. */
export function handsAt(log: Log, seq: number, seats: number): Hand[] {
  const hands = Array.from({ length: seats }, (): Tile[] | undefined => undefined);
  const round = log.roundAt(seq);
  for (let at = round?.first ?? Infinity; at <= seq; at += 1) {
    const entry = log.at(at);
    if (entry) {
      apply(hands, entry.event, () => round?.tiles[0]?.tile.tile);
    }
  }
  return hands;
}

/** Whether the server has shown all hands: it does once a match, and every other with its deal, is over. */
export function areShown(log: Log): boolean {
  const dealt = log.entries.flatMap(({ event: { what } }) => (what.case === "handDealt" ? [what.value.tiles.length] : []));
  return dealt.length > 0 && !dealt.includes(0);
}

function apply(hands: (Tile[] | undefined)[], { what }: Event, start: () => Tile | undefined): void {
  switch (what.case) {
    case "handDealt":
      hands[what.value.seat] = what.value.tiles.length > 0 ? [...what.value.tiles] : undefined;
      break;
    case "drew":
      hands[what.value.seat] = taken(hands[what.value.seat], what.value.tile);
      break;
    case "startLaid":
      hands[what.value.seat] = without(hands[what.value.seat], start());
      break;
    case "played":
      hands[what.value.seat] = without(hands[what.value.seat], what.value.play?.tile);
      break;
    default:
      break;
  }
}

function taken(hand: Tile[] | undefined, tile: Tile | undefined): Tile[] | undefined {
  return hand && tile ? [...hand, tile].sort(byNumbers) : undefined;
}

function without(hand: Tile[] | undefined, tile: Tile | undefined): Tile[] | undefined {
  return hand?.filter((one) => one.low !== tile?.low || one.high !== tile?.high);
}

function byNumbers(a: Tile, b: Tile): number {
  return (a.low ?? 0) - (b.low ?? 0) || (a.high ?? 0) - (b.high ?? 0);
}

/** Whose hands are wanted: nobody's, everybody's, or those of a seat. */
export type Choice = "public" | "all" | number;

/** Leaves the hands that are wanted. */
export function chosen(hands: readonly Hand[], choice: Choice): Hand[] {
  return hands.map((hand, seat) => (choice === "all" || choice === seat ? hand : undefined));
}

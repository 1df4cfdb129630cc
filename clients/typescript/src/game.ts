import type { MessageInitShape } from "@bufbuild/protobuf";

import { MalformedError } from "./errors.js";
import type * as wire from "./gen/chickenfoot/v1/game_pb.js";

/** A tile. The number 0 is a blank, a number like any other. */
export interface Tile {
  /** The lower number, 0 to 18. */
  readonly low: number;
  /** The higher number, 0 to 18. */
  readonly high: number;
}

/** Something that a seat can do. */
export type Move =
  /** Lays a tile on an open end that shows `end`, one of its two numbers. */
  | { readonly kind: "play"; readonly tile: Tile; readonly end: number }
  /** Draws a tile, having no legal play. */
  | { readonly kind: "draw" }
  /** Passes, having no legal play and nothing to draw. */
  | { readonly kind: "pass" }
  /** Keeps a drawn tile that fits. */
  | { readonly kind: "keep" };

/** A turn of this round, or part of one, as everybody saw it. */
export type Step = { readonly seat: number } & (
  | { readonly kind: "start" | "draw" | "pass" }
  | { readonly kind: "play"; readonly tile: Tile; readonly end: number; readonly line: number }
);

/** The rules of a match, every option set; see the contract's `Rules` for what they mean. */
export type Rules = Readonly<Required<Omit<wire.Rules, "$typeName" | "$unknown">>>;

/** What one seat may know in its turn, and nothing else. Enough to decide without any memory. */
export interface View {
  readonly rules: Rules;
  /** The round, from 1. */
  readonly round: number;
  /** Whose view it is, from 0; this seat is on turn. */
  readonly seat: number;
  /** The number of the starting double. */
  readonly startingDouble: number;
  /** The seat's hand in ascending order, a drawn tile included. */
  readonly hand: readonly Tile[];
  /** The tile just drawn, while the seat decides what to do with it. */
  readonly drawn: Tile | undefined;
  /** The open ends, oldest first: `line` is the arm or toe, from 1, `number` is what it shows. */
  readonly ends: readonly { readonly line: number; readonly number: number }[];
  /** The unfinished chicken foot, if there is one: only its toes may be laid, and `missing` are still to come. */
  readonly foot: { readonly number: number; readonly missing: number } | undefined;
  /** Arms that the starting double still takes; while it is above 0 tiles can be laid on the starting double only. */
  readonly armsLeft: number;
  /** Tiles in the boneyard, the reserve included. */
  readonly boneyard: number;
  /** What is public of each seat, from seat 0: its tiles, its score so far, the numbers that it has shown not to have. */
  readonly seats: readonly { readonly tiles: number; readonly total: number; readonly lacks: readonly number[] }[];
  /** What happened in this round, oldest first. */
  readonly history: readonly Step[];
}

/** The sum of a tile's numbers. */
export function pips(tile: Tile): number {
  return tile.low + tile.high;
}

/** Whether two moves are the same. */
export function sameMove(a: Move, b: Move): boolean {
  if (a.kind !== "play" || b.kind !== "play") return a.kind === b.kind;
  return a.tile.low === b.tile.low && a.tile.high === b.tile.high && a.end === b.end;
}

/** A field that has to be there. */
export function required<T>(value: T | undefined, field: string): T {
  if (value === undefined) throw new MalformedError(field);
  return value;
}

/** A move as bots see it. */
export function moveFromWire(move: wire.Move): Move {
  switch (move.kind.case) {
    case "play": {
      const { tile, end } = move.kind.value;
      return { kind: "play", tile: tileFromWire(tile), end: required(end, "play.end") };
    }
    case "draw":
    case "pass":
    case "keep":
      return { kind: move.kind.case };
    case undefined:
      throw new MalformedError("move.kind");
  }
}

/** A move as the service takes it. */
export function moveToWire(move: Move): MessageInitShape<typeof wire.MoveSchema> {
  if (move.kind !== "play") return { kind: { case: move.kind, value: {} } };
  return { kind: { case: "play", value: { tile: { ...move.tile }, end: move.end } } };
}

/** Rules in which every option has to be set. */
export function rulesFromWire(rules: wire.Rules | undefined): Rules {
  const given = required(rules, "rules");
  const set = (name: Exclude<keyof Rules, "preset" | "starter" | "drawnTile">) => required(given[name], `rules.${name}`);
  return {
    preset: given.preset,
    players: set("players"),
    maxPip: set("maxPip"),
    handSize: set("handSize"),
    openingArms: set("openingArms"),
    starter: given.starter,
    drawnTile: given.drawnTile,
    reserve: set("reserve"),
    doubleBlank: set("doubleBlank"),
    rounds: set("rounds"),
  };
}

/** A view as bots see it. */
export function viewFromWire(view: wire.View | undefined): View {
  const { round, seat, startingDouble, armsLeft, boneyard, ...rest } = required(view, "view");
  return {
    rules: rulesFromWire(rest.rules),
    round,
    seat,
    startingDouble,
    hand: rest.hand.map(tileFromWire),
    drawn: rest.drawn && tileFromWire(rest.drawn),
    ends: rest.ends.map(({ line, number }) => ({ line, number })),
    foot: rest.foot && { number: rest.foot.number, missing: rest.foot.missing },
    armsLeft,
    boneyard,
    seats: rest.seats.map(({ tiles, total, lacks }) => ({ tiles, total, lacks })),
    history: rest.history.flatMap(stepFromWire),
  };
}

function tileFromWire(tile: wire.Tile | undefined): Tile {
  const { low, high } = required(tile, "tile");
  return { low: required(low, "tile.low"), high: required(high, "tile.high") };
}

/** No step for an act of a kind that this version does not know. */
function stepFromWire({ seat, act }: wire.Step): Step[] {
  if (act.case === undefined) return [];
  if (act.case !== "play") return [{ seat, kind: act.case }];
  const { tile, end, line } = act.value;
  return [{ seat, kind: "play", tile: tileFromWire(tile), end: required(end, "end"), line: required(line, "line") }];
}

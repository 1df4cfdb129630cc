import { durationMs } from "@bufbuild/protobuf/wkt";

import { MalformedError } from "./errors.js";
import { moveFromWire, required, rulesFromWire, viewFromWire, type Move, type Rules, type View } from "./game.js";
import { MatchState, type Decision, type Match } from "./gen/chickenfoot/v1/match_pb.js";

/** A player of one seat in one match, or of several if it keeps nothing between its turns. */
export interface Bot {
  /** The match begins, or goes on after a restart of the bot. */
  start?(game: Game): void;

  /**
   * The move to make: one of `turn.options`. For anything else, and if it throws, the first option is played.
   *
   * While it runs without awaiting anything, nothing else does: no other match goes on and no heartbeat is read. A long
   * search belongs into a worker thread.
   */
  choose(turn: Turn): Move | Promise<Move>;

  /** The match is over. */
  end?(game: Game, end: GameEnd): void;
}

/** The match that a bot sits in. */
export interface Game {
  /** The match's id: 32 hexadecimal digits. */
  readonly matchId: string;
  readonly rules: Rules;
  /** The bot's seat, from 0. */
  readonly seat: number;
  /** Who sits where, from seat 0. */
  readonly names: readonly string[];
  /**
   * 32 bytes that fix the deals: known to all, different in every match with a drawn seed. Undefined in a match of a
   * tournament, where other matches have the same deals.
   */
  readonly commitment: Uint8Array | undefined;
}

/** A decision to make. */
export interface Turn {
  /** The match's id. */
  readonly matchId: string;
  /** All legal moves in canonical order, at least one. */
  readonly options: readonly [Move, ...Move[]];
  /** Everything that the seat may know. */
  readonly view: View;
  /** Milliseconds left for the answer when the decision was sent, the bank included. */
  readonly timeLeft: number;
  /** Milliseconds of the seat's bank that are left for this match. */
  readonly bankLeft: number;
  /**
   * When the decision came, by `performance.now()`: what a bot has left is `timeLeft - (performance.now() - received)`. A
   * bot that many matches ask at once is called later, while its time runs.
   */
  readonly received: number;
}

/** How a match ended. */
export interface GameEnd {
  /** Whether it was played to its end; else it was aborted and the rest is of no account. */
  readonly finished: boolean;
  /** Each seat's score, from seat 0. The lowest wins. */
  readonly totals: readonly number[];
  /** Each seat's place, from 1. */
  readonly places: readonly number[];
  /** The digest of all that happened: 32 bytes; empty in a match of a tournament whose block goes on. */
  readonly digest: Uint8Array;
}

/** A decision as bots see it; `received` is when it came, by `performance.now()`. */
export function turnOf(decision: Decision, received: number): Turn {
  const [first, ...others] = decision.options.map(moveFromWire);
  if (first === undefined) throw new MalformedError("decision.options");
  return {
    matchId: decision.matchId,
    options: [first, ...others],
    view: viewFromWire(decision.view),
    timeLeft: decision.timeLeft ? durationMs(decision.timeLeft) : 0,
    bankLeft: decision.bankLeft ? durationMs(decision.bankLeft) : 0,
    received,
  };
}

/** A match as a bot in this seat sees it. */
export function gameOf(match: Match | undefined, seat: number): Game {
  const { id, rules, seats, commitment } = required(match, "match");
  return {
    matchId: id,
    rules: rulesFromWire(rules),
    seat,
    names: seats.map(({ name }) => name),
    commitment: commitment.length === 0 ? undefined : commitment,
  };
}

/** How a match ended, as bots see it. */
export function gameEndOf({ state, seats, digest }: Match): GameEnd {
  return {
    finished: state === MatchState.FINISHED,
    totals: seats.map(({ total }) => total),
    places: seats.map(({ place }) => place),
    digest,
  };
}

import type { MessageInitShape } from "@bufbuild/protobuf";
import { createClient, type Client as Calls, type Transport } from "@connectrpc/connect";

import { moveToWire, required, type Move } from "./game.js";
import type { Event } from "./gen/chickenfoot/v1/event_pb.js";
import {
  MatchService,
  type JoinMatchResponse,
  type Match,
  type MatchConfigSchema,
  type MatchState,
  type PlayResponse,
  type Record as MatchRecord,
  type WatchMatchResponse,
} from "./gen/chickenfoot/v1/match_pb.js";
import type { Scene } from "./gen/chickenfoot/v1/scene_pb.js";
import { entries } from "./pages.js";
import { resuming, type WatchOptions } from "./resuming.js";
import { entropy, identified, type CallOptions, type ChangeOptions } from "./transport.js";

/** How a match is made; only `seats` is needed, from seat 0: `openSeat()`, `agentSeat("ann")`, `houseSeat("greedy")`. */
export type MatchConfig = MessageInitShape<typeof MatchConfigSchema>;

type SeatSpec = NonNullable<MatchConfig["seats"]>[number];

/** A seat for any agent that joins. */
export function openSeat(): SeatSpec {
  return { who: { case: "open", value: {} } };
}

/** A seat for this agent, by name; it is offered to it. */
export function agentSeat(name: string): SeatSpec {
  return { who: { case: "agent", value: name } };
}

/** A seat for a player of the house: `random`, `lowest`, `greedy`, `dead-foot`, `monte-carlo` or `search`. */
export function houseSeat(strategy: string): SeatSpec {
  return { who: { case: "house", value: strategy } };
}

/** What a watch of a match may be told. */
export interface MatchWatchOptions extends WatchOptions {
  /** The number of the last event that the caller has; 0 unless given, for all. */
  readonly afterSeq?: bigint | undefined;
}

/** Something on a watch of a match: an event, or a decision of the caller's. */
export type Watched = Extract<WatchMatchResponse["what"], { case: "event" | "decision" }>;

/** What a watch with scenes may be told. */
export interface SceneWatchOptions extends MatchWatchOptions {
  /** Whether each scene has the table as lines of text too. */
  readonly outlines?: boolean | undefined;
}

/** An event, and what everybody may know after it. */
export interface EventScene {
  readonly event: Event;
  readonly scene: Scene;
}

/** Matches and their records. All calls fail with a `ChickenFootError`. */
export class Matches {
  readonly #calls: Calls<typeof MatchService>;

  constructor(transport: Transport) {
    this.#calls = createClient(MatchService, transport);
  }

  /**
   * Makes a match. It starts by itself when nobody is missing.
   *
   * @throws {InvalidError} with the wrong fields: `RULES_IMPOSSIBLE`, `SEAT_COUNT`, `STRATEGY_UNKNOWN`,
   *   `FIELD_OUT_OF_RANGE`.
   */
  async create(config: MatchConfig, options: ChangeOptions = {}): Promise<Match> {
    const request = { config, ...identified(options) };
    return required((await this.#calls.createMatch(request, options)).match, "match");
  }

  /**
   * Where a match stands.
   *
   * @throws {NotFoundError} `MATCH_NOT_FOUND`.
   */
  async get(matchId: string, options: CallOptions = {}): Promise<Match> {
    return required((await this.#calls.getMatch({ matchId }, options)).match, "match");
  }

  /** Matches, the newest first; all of them, or those in one state. */
  list(options: CallOptions & { readonly state?: MatchState } = {}): AsyncGenerator<Match, void> {
    return entries(async (pageToken) => {
      const request = { pageToken, ...(options.state !== undefined && { state: options.state }) };
      const page = await this.#calls.listMatches(request, options);
      return { entries: page.matches, next: page.nextPageToken };
    });
  }

  /**
   * Takes a seat: the given one, else the one that is reserved for the caller, else the first open one.
   *
   * @param options `entropy` is what the seat adds to the deals: 32 bytes, drawn unless given; none if it is empty.
   * @throws {PreconditionError} `SEAT_TAKEN`, `NO_FREE_SEAT`, `MATCH_NOT_OPEN`.
   * @throws {PermissionError} `SEAT_RESERVED`.
   */
  join(
    matchId: string,
    options: ChangeOptions & { readonly seat?: number; readonly entropy?: Uint8Array } = {},
  ): Promise<JoinMatchResponse> {
    const request = {
      matchId,
      entropy: options.entropy ?? entropy(),
      ...identified(options),
      ...(options.seat !== undefined && { seat: options.seat }),
    };
    return this.#calls.joinMatch(request, options);
  }

  /** Gives up the caller's seats; in a running match that forfeits them. */
  async leave(matchId: string, options: ChangeOptions = {}): Promise<Match> {
    const request = { matchId, ...identified(options) };
    return required((await this.#calls.leaveMatch(request, options)).match, "match");
  }

  /**
   * Ends a match without a result.
   *
   * @throws {PermissionError} `NOT_CREATOR`.
   */
  async abort(matchId: string, options: ChangeOptions = {}): Promise<Match> {
    const request = { matchId, ...identified(options) };
    return required((await this.#calls.abortMatch(request, options)).match, "match");
  }

  /**
   * Answers a decision without a session. Repeating the same answer is safe.
   *
   * @param decision The decision's number.
   * @param answer The position among the options, from 0, or the move itself.
   * @throws {PreconditionError} `DECISION_ANSWERED`, `DECISION_NOT_OPEN`.
   * @throws {InvalidError} `OPTION_OUT_OF_RANGE`, `MOVE_ILLEGAL`: a fault, and the clock runs on.
   */
  play(matchId: string, decision: number, answer: number | Move, options: CallOptions = {}): Promise<PlayResponse> {
    const option = { case: "option" as const, value: answer as number };
    const choice = typeof answer === "number" ? option : { case: "move" as const, value: moveToWire(answer) };
    return this.#calls.play({ choice: { matchId, decision, choice } }, options);
  }

  /**
   * The events of a match, the stored ones first, then live ones, to the end of the match. After a lost connection or a
   * restart of the service it goes on with the next event; nothing comes twice and nothing is missed.
   */
  async *watch(matchId: string, options: MatchWatchOptions = {}): AsyncGenerator<Event, void> {
    for await (const what of this.follow(matchId, options)) {
      if (what.case === "event") yield what.value;
    }
  }

  /**
   * As `watch`, with the decisions of the caller's seats between the events, to be answered with `play`: for a player
   * without a session. A decision may come twice; answer it again in the same way.
   */
  follow(matchId: string, options: MatchWatchOptions = {}): AsyncGenerator<Watched, void> {
    let afterSeq = options.afterSeq ?? 0n;
    const calls = this.#calls;
    return resuming(async function* (attempt) {
      for await (const { what } of calls.watchMatch({ matchId, afterSeq }, attempt)) {
        if (what.case === "event") afterSeq = what.value.seq;
        if (what.case === "event" || what.case === "decision") yield what;
      }
    }, options);
  }

  /**
   * As `watch`, each event with its scene: what everybody may know after it and what came to the table, which is enough to
   * draw it. After a lost connection a scene with `clears` tells all that lies.
   */
  watchScenes(matchId: string, options: SceneWatchOptions = {}): AsyncGenerator<EventScene, void> {
    let afterSeq = options.afterSeq ?? 0n;
    const calls = this.#calls;
    return resuming(async function* (attempt) {
      const request = { matchId, afterSeq, scenes: true, outlines: options.outlines ?? false };
      let event: Event | undefined;
      for await (const { what } of calls.watchMatch(request, attempt)) {
        if (what.case === "event") event = what.value;
        if (what.case !== "scene" || event === undefined) continue;
        afterSeq = what.value.seq;
        yield { event, scene: what.value };
        event = undefined;
      }
    }, options);
  }

  /**
   * The record of a match that is over, with everything to verify it offline.
   *
   * @throws {PreconditionError} `MATCH_NOT_OVER`, `RECORD_SEALED`.
   */
  async record(matchId: string, options: CallOptions = {}): Promise<MatchRecord> {
    return required((await this.#calls.getRecord({ matchId }, options)).record, "record");
  }
}

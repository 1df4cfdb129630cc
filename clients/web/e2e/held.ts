import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";

import type { RulesSchema } from "./gen/chickenfoot/v1/game_pb.js";
import { MatchState, type Decision, type SeatSpecSchema } from "./gen/chickenfoot/v1/match_pb.js";
import type { Service } from "./service.js";

/** Who may sit on a seat. */
export type Spec = MessageInitShape<typeof SeatSpecSchema>;
/** The rules of a match, as far as they are not the usual ones. */
export type RulesInit = MessageInitShape<typeof RulesSchema>;

/** A seat for a player of the house. */
export function house(strategy: string): Spec {
  return { who: { case: "house", value: strategy } };
}

/** A seat for this agent. */
export function seatOf(name: string): Spec {
  return { who: { case: "agent", value: name } };
}

/** A fixed seed, so that a test sees the same match each time. */
export function seed(number: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(32).fill(number);
}

/** Time enough that no clock runs out while a test thinks. */
const PATIENT = {
  decisionTime: durationFromMs(3_600_000),
  bank: durationFromMs(3_600_000),
  grace: durationFromMs(3_600_000),
};

/** A match in which the test makes the moves of one seat, so that it goes on when the test wants it to. */
export class Held {
  #after = 0n;
  #over = false;

  private constructor(
    private readonly service: Service,
    readonly id: string,
  ) {}

  /** Makes the match, with seat 0 for the agent `name`, whose calls these are. */
  static async start(
    service: Service,
    name: string,
    others: readonly Spec[],
    rules: RulesInit = {},
    config: { readonly seed?: Uint8Array<ArrayBuffer>; readonly spectatorDelay?: number } = {},
  ): Promise<Held> {
    const seats = [seatOf(name), ...others];
    const made = await service.matches.createMatch({ config: { ...PATIENT, seed: seed(7), ...config, rules, seats } });
    const id = made.match?.id ?? "";
    await service.matches.joinMatch({ matchId: id });
    return new Held(service, id);
  }

  /** The number of the last event. */
  get head(): number {
    return Number(this.#after);
  }

  get over(): boolean {
    return this.#over;
  }

  /** Waits until it is the seat's turn, or the match is over. */
  async decision(): Promise<Decision | undefined> {
    const stop = new AbortController();
    const request = { matchId: this.id, afterSeq: this.#after };
    try {
      for await (const { what } of this.service.matches.watchMatch(request, { signal: stop.signal })) {
        if (what.case === "event") this.#after = what.value.seq;
        if (what.case === "decision") return what.value;
      }
    } finally {
      stop.abort();
    }
    this.#over = true;
    return undefined;
  }

  /** Makes the seat's next moves, each the first option, and waits until it is its turn again or the match is over. */
  async play(moves = 1): Promise<void> {
    for (let move = 0; move < moves; move += 1) {
      const decision = await this.decision();
      if (!decision) return;
      const choice = { matchId: this.id, decision: decision.number, choice: { case: "option" as const, value: 0 } };
      await this.service.matches.play({ choice });
    }
    await this.decision();
  }

  /** Plays on to the end. */
  async finish(): Promise<void> {
    await playOut(this.service, this.id);
    this.#over = true;
  }
}

/** Plays a caller's seats to the end of the match, always the first option; gives the number of events. */
export async function playOut(service: Service, matchId: string): Promise<number> {
  let last = 0n;
  for await (const { what } of service.matches.watchMatch({ matchId })) {
    if (what.case === "event") last = what.value.seq;
    if (what.case === "decision") {
      const choice = { matchId, decision: what.value.number, choice: { case: "option" as const, value: 0 } };
      await service.matches.play({ choice });
    }
  }
  return Number(last);
}

/** Waits until a match is over; gives its number of events. */
export async function finished(service: Service, id: string): Promise<number> {
  const last = await playOut(service, id);
  const { match } = await service.matches.getMatch({ matchId: id });
  if (match?.state !== MatchState.FINISHED) throw new Error(`match ${id} was not played to its end`);
  return last;
}

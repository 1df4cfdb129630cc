import { type Match, MatchState } from "../../gen/chickenfoot/v1/match_pb.js";
import type { Api } from "../api.js";
import { Poll } from "../poll.js";
import { areShown } from "./hands.js";
import type { Log } from "./log.js";
import { type Link, Watch } from "./watch.js";

/** Where a match comes from. */
export interface Source {
  readonly match: Match | undefined;
  readonly link: Link;
  /** Why there is nothing to show; empty if there is. */
  readonly refused: string;
  /** Whether what was there when the page was opened is still coming. */
  readonly isLoading: boolean;
  /** Whether the hands may be shown. */
  readonly showsHands: boolean;
  start(changed: () => void): void;
  stop(): void;
}

/** How often to ask where a match stands, in milliseconds: who joins it, and afterwards the strikes, which no event tells. */
const WAITING = 3_000;
const RUNNING = 20_000;

/** A match on the server. */
export class ServerSource implements Source {
  isLoading = true;
  showsHands = false;

  private readonly poll: Poll<Match | undefined>;
  private readonly watch: Watch;
  private changed: () => void = () => undefined;
  /** The last event when the page was opened. */
  private target: number | undefined;
  private asksForAll = false;
  private readonly end = new AbortController();

  constructor(
    private readonly matches: Api["matches"],
    private readonly id: string,
    private readonly log: Log,
  ) {
    const load = async (signal: AbortSignal): Promise<Match | undefined> =>
      (await matches.getMatch({ matchId: id }, { signal })).match;
    this.poll = new Poll(load, pauseFor);
    this.watch = new Watch(matches, id, log, () => {
      this.look();
    });
  }

  get match(): Match | undefined {
    return this.poll.value;
  }

  get link(): Link {
    return this.watch.link;
  }

  get refused(): string {
    return this.poll.refused ?? this.watch.refused;
  }

  start(changed: () => void): void {
    this.changed = changed;
    this.poll.start(() => {
      this.look();
    });
    this.watch.start();
  }

  stop(): void {
    this.poll.stop();
    this.watch.stop();
    this.end.abort();
  }

  /** Looks at what is there now. */
  private look(): void {
    const { match } = this;
    if (match) {
      this.target ??= Number(match.headSeq);
      this.log.known = Math.max(this.log.known, Number(match.headSeq));
    }
    if (match && isOver(match) && !this.log.isOver && this.log.head >= Number(match.headSeq)) {
      this.watch.finish();
    }
    this.isLoading &&= this.target === undefined || this.log.head < this.target;
    if (this.log.isOver && !this.asksForAll) {
      this.asksForAll = true;
      void this.learnAll();
    }
    this.changed();
  }

  /** Once the match is over, gets its last state, and what was hidden in its events if they came while it was played. */
  private async learnAll(): Promise<void> {
    if (this.match?.endTime === undefined) {
      this.poll.again();
    }
    try {
      if (!areShown(this.log)) {
        const request = { matchId: this.id, afterSeq: 0n };
        for await (const { what } of this.matches.watchMatch(request, { signal: this.end.signal })) {
          if (what.case === "event") {
            this.log.retell(what.value);
          }
        }
      }
    } catch {
      // Then the hands stay hidden: everything else is there.
    }
    this.showsHands = areShown(this.log);
    this.changed();
  }
}

function isOver({ state }: Match): boolean {
  return state === MatchState.FINISHED || state === MatchState.ABORTED;
}

function pauseFor(match: Match | undefined): number | undefined {
  switch (match?.state) {
    case MatchState.OPEN:
      return WAITING;
    case MatchState.RUNNING:
      return RUNNING;
    default:
      return undefined;
  }
}

/** A match in a file. */
export class FileSource implements Source {
  readonly link = "over";
  readonly refused = "";
  readonly isLoading = false;
  readonly showsHands: boolean;

  constructor(
    readonly match: Match,
    log: Log,
  ) {
    this.showsHands = areShown(log);
  }

  start(): void {
    // All of it is there.
  }

  stop(): void {
    // As above.
  }
}

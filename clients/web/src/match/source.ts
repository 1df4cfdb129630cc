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
  /** Whether all was told: the hands, and the times of the decisions. Not known while that is asked. */
  readonly tellsAll: boolean | undefined;
  start(changed: () => void): void;
  stop(): void;
}

/** How often to ask where a match stands, in milliseconds: who joins it, and afterwards clocks and strikes, which no event tells. */
const WAITING = 3_000;
const RUNNING = 5_000;
/** How often to ask for all of a match that is over, while others with its deal are played. */
const HIDDEN = 60_000;

/** A match on the server. */
export class ServerSource implements Source {
  isLoading = true;

  private readonly poll: Poll<Match | undefined>;
  private readonly watch: Watch;
  private changed: () => void = () => undefined;
  /** The last event when the page was opened. */
  private target: number | undefined;
  /** What was hidden in the events that came while the match was played; whether it is told now. */
  private readonly all: Poll<boolean>;
  private asksForAll = false;
  /** After a loss: whether the server has been asked how far the match is, and has said it. */
  private late: "" | "lost" | "asking" | "told" = "";

  constructor(
    private readonly matches: Api["matches"],
    private readonly id: string,
    private readonly log: Log,
  ) {
    const load = async (signal: AbortSignal): Promise<Match | undefined> =>
      (await matches.getMatch({ matchId: id }, { signal })).match;
    this.poll = new Poll(load, pauseFor);
    this.all = new Poll((signal) => this.learnAll(signal), (isTold) => (isTold ? undefined : HIDDEN));
    this.watch = new Watch(matches, id, log, () => {
      this.look();
    });
  }

  get match(): Match | undefined {
    return this.poll.value;
  }

  get link(): Link {
    const { link } = this.watch;
    // Who has come back is behind until all that was missed is here.
    return link === "open" && this.late !== "" ? "lost" : link;
  }

  get refused(): string {
    return this.poll.refused ?? this.watch.refused;
  }

  get tellsAll(): boolean | undefined {
    return this.all.value;
  }

  start(changed: () => void): void {
    this.changed = changed;
    this.poll.start(() => {
      if (this.late === "asking" && !this.poll.lost) {
        this.late = "told";
      }
      this.look();
    });
    this.watch.start();
  }

  stop(): void {
    this.poll.stop();
    this.watch.stop();
    this.all.stop();
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
    this.catchUp();
    this.askForAll();
    this.changed();
  }

  private askForAll(): void {
    if (this.log.isOver && !this.asksForAll) {
      this.asksForAll = true;
      if (this.match?.endTime === undefined) {
        this.poll.again();
      }
      this.all.start(this.changed);
    }
  }

  /** Asks at once how far the match is when the stream is back, or has ended without a fault. */
  private catchUp(): void {
    const { link } = this.watch;
    if (link === "lost") {
      this.late = "lost";
      if (this.watch.hasEnded) {
        this.watch.hasEnded = false;
        this.poll.again();
      }
    } else if (link === "open" && this.late === "lost") {
      this.late = "asking";
      this.poll.again();
    } else if (this.late === "told" && this.log.behind === 0) {
      this.late = "";
    }
  }

  /** Once the match is over, gets all of it again if some was hidden; gives whether all is there. */
  private async learnAll(signal: AbortSignal): Promise<boolean> {
    if (!areShown(this.log)) {
      for await (const response of this.matches.watchMatch({ matchId: this.id, afterSeq: 0n, scenes: true }, { signal })) {
        this.log.retell(response);
      }
    }
    return areShown(this.log);
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
  readonly tellsAll: boolean;

  constructor(
    readonly match: Match,
    log: Log,
  ) {
    this.tellsAll = areShown(log);
  }

  start(): void {
    // All of it is there.
  }

  stop(): void {
    // As above.
  }
}

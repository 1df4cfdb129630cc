import type { Api } from "../api.js";
import { backoff } from "../backoff.js";
import { isFinal, messageOf } from "../faults.js";
import type { Log } from "./log.js";
import { Silence } from "./silence.js";

/** How the stream of a match is. */
export type Link = "connecting" | "open" | "resting" | "lost" | "over" | "refused";

/**
 * Follows a match into its log, by one stream at a time. It rests while the page is hidden, goes on after the last event
 * that is there, and comes back by itself after every failure; once the match is over it is not opened again.
 */
export class Watch {
  link: Link = "connecting";
  /** Why there is nothing to watch, if the server said so. */
  refused = "";
  /** Whether the server ended the stream without a fault. */
  hasEnded = false;

  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private call: AbortController | undefined;
  private readonly silence = new Silence();

  /** `changed` is called after every message and every change of the link. */
  constructor(
    private readonly matches: Api["matches"],
    private readonly id: string,
    private readonly log: Log,
    private readonly changed: () => void,
  ) {}

  start(): void {
    document.addEventListener("visibilitychange", this.wake);
    window.addEventListener("online", this.wake);
    this.wake();
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.wake);
    window.removeEventListener("online", this.wake);
    this.rest();
  }

  /** The match is over although no event says so: it never began. */
  finish(): void {
    if (!this.isDone) {
      this.rest();
      this.become("over");
    }
  }

  private readonly wake = (): void => {
    if (this.isDone) {
      return;
    }
    if (document.hidden) {
      this.rest();
      this.become("resting");
    } else if (!this.call) {
      clearTimeout(this.timer);
      void this.open();
    }
  };

  private get isDone(): boolean {
    return this.link === "over" || this.link === "refused";
  }

  private rest(): void {
    clearTimeout(this.timer);
    this.silence.stop();
    this.call?.abort();
    this.call = undefined;
  }

  private become(link: Link): void {
    this.link = link;
    this.changed();
  }

  /** Reads one stream to its end. */
  private async open(): Promise<void> {
    const call = new AbortController();
    this.call = call;
    if (this.link === "resting") {
      this.become("connecting");
    }
    try {
      await this.read(call);
      this.ended(call, undefined);
    } catch (fault) {
      this.ended(call, fault);
    }
  }

  private async read(call: AbortController): Promise<void> {
    const dead = (): void => {
      call.abort();
    };
    this.silence.wait(dead);
    this.log.cut();
    const request = { matchId: this.id, afterSeq: BigInt(this.log.head), scenes: true };
    const onHeader = (): void => {
      if (this.call === call) {
        this.silence.heard(false, dead);
        this.become("open");
      }
    };
    for await (const response of this.matches.watchMatch(request, { signal: call.signal, onHeader })) {
      if (this.call !== call) {
        return;
      }
      this.silence.heard(response.what.case === "heartbeat", dead);
      this.log.add(response);
      this.failures = 0;
      this.become("open");
    }
  }

  private ended(call: AbortController, fault: unknown): void {
    if (this.call !== call) {
      // It was ended from here.
      return;
    }
    this.rest();
    this.hasEnded = fault === undefined;
    if (this.log.isOver) {
      this.become("over");
    } else if (this.log.head === 0 && fault !== undefined && isFinal(fault)) {
      this.refused = messageOf(fault);
      this.become("refused");
    } else {
      this.timer = setTimeout(() => {
        void this.open();
      }, backoff(this.failures));
      this.failures += 1;
      this.become("lost");
    }
  }
}

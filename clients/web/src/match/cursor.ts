import type { Log } from "./log.js";
import { countUpTo, next } from "./steps.js";

/** What moves the position. */
export type Mode = "follow" | "stay" | "play";

/** Where in a match the reader is. A position holds; only who follows is taken along by what is new. */
export class Cursor {
  /** At the beginning: whether the reader asked for a position, or for what is newest. */
  mode: Mode;
  /** The number of the last event that was there when the reader stopped following, or has been seen since. */
  private left: number | undefined;

  constructor(
    private readonly log: Log,
    private wanted: number | undefined,
  ) {
    this.mode = wanted === undefined ? "follow" : "stay";
  }

  /** The number of the event that is shown; 0 while there is none. */
  get seq(): number {
    return this.mode === "follow" ? this.log.head : Math.min(this.wanted ?? 0, this.log.head);
  }

  /** Whether what is asked for has not come yet. */
  get isAhead(): boolean {
    return this.mode !== "follow" && (this.wanted ?? 0) > this.log.head && !this.log.isOver;
  }

  /** Whether the reader sees a match as it goes on. */
  get isLive(): boolean {
    return this.mode === "follow" && !this.log.isOver;
  }

  /** How many moves came since the reader stopped following. */
  get fresh(): number {
    if (this.mode === "follow" || this.left === undefined) {
      return 0;
    }
    const seen = Math.max(this.left, this.seq);
    return this.log.stops.length - countUpTo(this.log, seen);
  }

  /** What was there when the page was opened has come: from here on moves are new. */
  settle(): void {
    this.left = this.log.head;
    if (this.isAhead) {
      // The address names a move that is still to come.
      this.follow();
    }
  }

  /** Goes to an event, and stays there. */
  goTo(seq: number): void {
    this.leave("stay");
    this.wanted = Math.max(1, seq);
  }

  /** Goes to the newest event, and along with what comes. */
  follow(): void {
    this.mode = "follow";
    this.left = undefined;
  }

  /** Goes on by itself from here, and from the beginning if this is the end of a match that is over. */
  play(): void {
    const seq = this.log.isOver && next(this.log, this.seq) === undefined ? 1 : this.seq;
    this.leave("play");
    this.wanted = seq;
  }

  /** Stops going on by itself. */
  pause(): void {
    this.goTo(this.seq);
  }

  /** The next move while playing; at the newest one of a match that goes on, it is followed. */
  advance(): void {
    const seq = next(this.log, this.seq);
    if (seq !== undefined) {
      this.wanted = seq;
    } else if (this.log.isOver) {
      this.pause();
    } else {
      this.follow();
    }
  }

  private leave(mode: Mode): void {
    if (this.mode === "follow") {
      this.left = this.log.head;
    } else if (this.left !== undefined) {
      this.left = Math.max(this.left, this.seq);
    }
    this.mode = mode;
  }
}

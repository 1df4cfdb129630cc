import type { Cursor } from "./cursor.js";
import type { Log } from "./log.js";
import { pause, type Speed } from "./pace.js";
import { next } from "./steps.js";

/** Moves the position on by itself while it plays. */
export class Player {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private speed: Speed = 1;

  /** `moved` is called after each move. */
  constructor(
    private readonly log: Log,
    private readonly cursor: Cursor,
    private readonly moved: () => void,
  ) {}

  get pace(): Speed {
    return this.speed;
  }

  /** Takes another speed, from now on. */
  set pace(speed: Speed) {
    this.speed = speed;
    this.plan();
  }

  /** Plans the next move, if the position plays. */
  plan(): void {
    clearTimeout(this.timer);
    if (this.cursor.mode !== "play") {
      return;
    }
    const after = next(this.log, this.cursor.seq) ?? this.log.head;
    this.timer = setTimeout(
      () => {
        this.cursor.advance();
        this.moved();
        this.plan();
      },
      pause(this.log, after, this.speed),
    );
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

/** How long a stream may take to open, in milliseconds. */
const OPENING = 45_000;

/** Silence after which a stream is given up while nothing is known of its heartbeats: they are 10 minutes apart at most. */
const FIRST = 660_000;

/** Three heartbeats that did not come mean that the connection is dead; a little more, so that late ones count. */
const MISSED = 3.5;

/** How long a stream may be silent, from the distance of its heartbeats. */
export function patience(heartbeat: number | undefined): number {
  return heartbeat === undefined ? FIRST : Math.max(5_000, heartbeat * MISSED);
}

/** Notices when a stream has been silent for too long: a connection may die without a word. */
export class Silence {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last: number | undefined;
  private heartbeat: number | undefined;

  /** A stream is being opened; `dead` is called if it does not. */
  wait(dead: () => void): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(dead, OPENING);
  }

  /** A message came, or the stream was opened; `dead` is called if no other one comes in time. */
  heard(isHeartbeat: boolean, dead: () => void, now: number = performance.now()): void {
    if (isHeartbeat && this.last !== undefined) {
      // A heartbeat comes so long after whatever came before it.
      this.heartbeat = Math.max(this.heartbeat ?? 0, now - this.last);
    }
    this.last = now;
    clearTimeout(this.timer);
    this.timer = setTimeout(dead, patience(this.heartbeat));
  }

  stop(): void {
    clearTimeout(this.timer);
    this.last = undefined;
  }
}

import type { Address } from "./address.js";

/** Least time between two changes of the address, in milliseconds, and that while it plays: browsers refuse too many. */
const EVERY = 100;
const PLAYING_EVERY = 500;

/** Writes the position into the address: jumps at once, anything else not too often, and the last one at any rate. */
export class Writer {
  private wroteAt = -Infinity;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `position` gives what to write: the number of an event, or nothing while it is followed. */
  constructor(
    private readonly address: Address,
    private readonly position: () => { readonly seq: number | undefined; readonly isPlaying: boolean },
  ) {}

  /** Writes the position: as a new entry of the history if the reader jumped there, else in place. */
  write(jumped: boolean): void {
    clearTimeout(this.timer);
    const { seq, isPlaying } = this.position();
    const wait = this.wroteAt + (isPlaying ? PLAYING_EVERY : EVERY) - performance.now();
    if (!jumped && wait > 0) {
      this.timer = setTimeout(() => {
        this.write(false);
      }, wait);
      return;
    }
    this.wroteAt = performance.now();
    this.address.write(seq, jumped);
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

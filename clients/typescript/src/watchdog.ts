/**
 * Tells when nothing was heard for too long. It counts intervals and does not measure the time: a process that was held up
 * itself, by a bot that computes or by the system, misses one at most and then reads what has come.
 */
export class Watchdog {
  readonly #silent: (why: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #intervalMs = 0;
  #intervals = 0;
  #missed = 0;

  /** `silent` is called once, with the reason in words. */
  constructor(silent: (why: string) => void) {
    this.#silent = silent;
  }

  /** From now on so many intervals, of so many milliseconds each, may pass in silence. */
  watch(intervalMs: number, intervals: number): void {
    this.#intervalMs = intervalMs;
    this.#intervals = intervals;
    this.#missed = 0;
    this.#wait();
  }

  /** Something was heard. */
  heard(): void {
    this.#missed = 0;
    if (this.#timer !== undefined) this.#wait();
  }

  /** No silence is told any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#passed(); }, this.#intervalMs);
  }

  #passed(): void {
    this.#missed += 1;
    if (this.#missed < this.#intervals) {
      this.#wait();
      return;
    }
    this.stop();
    this.#silent(`silent for ${String((this.#intervalMs * this.#intervals) / 1000)} s`);
  }
}

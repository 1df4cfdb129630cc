/**
 * Tells when nothing was heard for too long. It counts intervals and does not measure the time: a process that was held up
 * itself, by a bot that computes or by the system, misses one at most and then reads what has come.
 */
export class Watchdog {
  readonly #silent: (why: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #missed = 0;

  /** `silent` is called once, with the reason in words. */
  constructor(silent: (why: string) => void) {
    this.#silent = silent;
  }

  /** From now on so many intervals, of so many milliseconds each, may pass in silence. */
  watch(intervalMs: number, intervals: number): void {
    this.stop();
    this.#missed = 0;
    const timer = setTimeout(() => {
      this.#missed += 1;
      if (this.#missed < intervals) timer.refresh();
      else this.#silent(`silent for ${String((intervalMs * intervals) / 1000)} s`);
    }, intervalMs);
    this.#timer = timer;
  }

  /** Something was heard. */
  heard(): void {
    this.#missed = 0;
    this.#timer?.refresh();
  }

  /** No silence is told any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

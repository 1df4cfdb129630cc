import { backoff } from "./backoff.js";
import { isFinal, messageOf } from "./faults.js";

/**
 * Asks again and again, one call at a time. It rests while the page is hidden, and asks at once when it is seen again or
 * the network is back. After a failure it waits longer each time, and keeps the value that it has.
 */
export class Poll<T> {
  /** The latest answer; none before the first. */
  value: T | undefined;
  /** Whether the latest call failed: what is shown may be old. */
  lost = false;
  /** Why there is nothing to show, if asking again is no use: there is no such thing. */
  refused: string | undefined;

  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private call: AbortController | undefined;
  private changed: () => void = () => undefined;

  /** `load` is called every so many milliseconds after its answer. */
  constructor(
    private readonly load: (signal: AbortSignal) => Promise<T>,
    private readonly every: number,
  ) {}

  /** Begins; `changed` is called after every answer and failure. */
  start(changed: () => void): void {
    this.changed = changed;
    document.addEventListener("visibilitychange", this.wake);
    window.addEventListener("online", this.wake);
    this.wake();
  }

  /** Ends, together with the call that is under way. */
  stop(): void {
    document.removeEventListener("visibilitychange", this.wake);
    window.removeEventListener("online", this.wake);
    this.rest();
  }

  /** Asks now; the answer to a call that is under way is dropped. */
  again(): void {
    this.rest();
    this.refused = undefined;
    void this.ask();
  }

  private readonly wake = (): void => {
    if (document.hidden) {
      this.rest();
    } else if (!this.call && this.refused === undefined) {
      this.again();
    }
  };

  private rest(): void {
    clearTimeout(this.timer);
    this.call?.abort();
    this.call = undefined;
  }

  private async ask(): Promise<void> {
    const call = new AbortController();
    this.call = call;
    try {
      const value = await this.load(call.signal);
      if (this.call !== call) {
        return;
      }
      this.value = value;
      this.lost = false;
      this.failures = 0;
    } catch (fault) {
      if (this.call !== call) {
        return;
      }
      this.failed(fault);
    }
    this.call = undefined;
    if (this.refused === undefined) {
      const wait = this.lost ? backoff(this.failures) : this.every;
      this.timer = setTimeout(() => {
        void this.ask();
      }, wait);
    }
    this.changed();
  }

  private failed(fault: unknown): void {
    if (isFinal(fault)) {
      this.refused = messageOf(fault);
    } else {
      this.lost = true;
      this.failures += 1;
    }
  }
}

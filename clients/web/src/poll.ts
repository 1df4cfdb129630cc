import { backoff } from "./backoff.js";
import { isFinal, messageOf } from "./faults.js";

/** How long a call may take, in milliseconds: a connection may die without a word. */
const LONGEST = 20_000;

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
  private isDone = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private call: AbortController | undefined;
  private changed: () => void = () => undefined;

  /** `load` is called so many milliseconds after its answer, which may depend on the answer; or not again. */
  constructor(
    private readonly load: (signal: AbortSignal) => Promise<T>,
    private readonly every: number | ((value: T) => number | undefined),
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
    this.isDone = false;
    this.refused = undefined;
    void this.ask();
  }

  private readonly wake = (): void => {
    if (document.hidden) {
      this.rest();
    } else if (!this.call && !this.isDone) {
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
    const late = setTimeout(() => {
      call.abort();
    }, LONGEST);
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
    } finally {
      clearTimeout(late);
    }
    this.call = undefined;
    const pause = this.pause();
    this.isDone = pause === undefined;
    if (pause !== undefined) {
      this.timer = setTimeout(() => {
        void this.ask();
      }, pause);
    }
    this.changed();
  }

  /** How long to wait now; nothing if it is no use to ask again. */
  private pause(): number | undefined {
    if (this.refused !== undefined) {
      return undefined;
    }
    if (this.lost || this.value === undefined) {
      return backoff(this.failures);
    }
    return typeof this.every === "number" ? this.every : this.every(this.value);
  }

  private failed(fault: unknown): void {
    if (isFinal(fault) && this.value === undefined) {
      this.refused = messageOf(fault);
    } else {
      this.lost = true;
      this.failures += 1;
    }
  }
}

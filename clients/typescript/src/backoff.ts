import { setTimeout as pause } from "node:timers/promises";

const FIRST_MS = 250;
const LONGEST_MS = 30_000;

/**
 * Pauses between attempts to connect: doubling from a quarter of a second to half a minute, each shortened by chance by
 * up to a half, so that clients that lost the same service do not come back all at once.
 */
export class Backoff {
  #failures = 0;
  readonly #random: () => number;

  /** `random` gives numbers from 0 to below 1. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
  }

  /** The pause after one more failure, in milliseconds; no shorter than what the service asked for, if it did. */
  next(asked = 0): number {
    const full = Math.min(FIRST_MS * 2 ** this.#failures, LONGEST_MS);
    this.#failures += 1;
    return Math.max(full * (1 - this.#random() / 2), this.spread(asked));
  }

  /** A pause that the service asked for, in milliseconds, lengthened by chance by up to a half. */
  spread(asked: number): number {
    return asked * (1 + this.#random() / 2);
  }

  /** An attempt succeeded. */
  reset(): void {
    this.#failures = 0;
  }
}

/** Waits for so many milliseconds, or until the signal; tells whether it was the time. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, signal === undefined ? {} : { signal });
    return true;
  } catch {
    return false;
  }
}

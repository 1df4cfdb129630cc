import { Backoff, sleep } from "./backoff.js";
import { isPassing, waitOf } from "./errors.js";
import { whileRead } from "./transport.js";

/** What a watch may be told. */
export interface WatchOptions {
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined;
  /** Is told of every loss of the connection, and of every attempt to come back that failed. */
  readonly onLost?: ((error: Error) => void) | undefined;
}

/** What each attempt is opened with. */
export interface Attempt {
  readonly signal: AbortSignal;
  readonly onHeader: () => void;
}

/**
 * A stream that is opened again, after growing pauses, as often as it is lost. `open` asks for what the reader does not
 * have yet. What does not pass by itself is thrown, and so is a first attempt that fails.
 */
export async function* resuming<T>(
  open: (attempt: Attempt) => AsyncIterable<T>,
  options: WatchOptions,
): AsyncGenerator<T, void> {
  const backoff = new Backoff();
  const state = { opened: false };
  const onHeader = () => {
    state.opened = true;
    backoff.reset();
  };
  for (;;) {
    try {
      yield* whileRead((signal) => open({ signal, onHeader }), options.signal);
      return;
    } catch (error) {
      if (!state.opened || !isPassing(error)) throw error;
      options.onLost?.(error);
      if (!(await sleep(backoff.next(waitOf(error)), options.signal))) throw options.signal?.reason;
    }
  }
}

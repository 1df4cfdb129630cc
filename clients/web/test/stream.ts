import { Code, ConnectError } from "@connectrpc/connect";

import type { WatchMatchResponse } from "../gen/chickenfoot/v1/match_pb.js";

/** A stream that the test feeds. */
export class Stream {
  readonly #waiting: (() => void)[] = [];
  readonly #queue: (WatchMatchResponse | Error | "end")[] = [];
  isAborted = false;

  constructor(
    readonly afterSeq: bigint,
    signal: AbortSignal,
    readonly opens: () => void,
  ) {
    signal.addEventListener("abort", () => {
      this.isAborted = true;
      this.tell(new ConnectError("aborted", Code.Canceled));
    });
  }

  tell(...what: (WatchMatchResponse | Error | "end")[]): void {
    this.#queue.push(...what);
    this.#waiting.splice(0).forEach((wake) => {
      wake();
    });
  }

  async *read(): AsyncGenerator<WatchMatchResponse> {
    for (;;) {
      const next = this.#queue.shift();
      if (next === undefined) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      } else if (next === "end") {
        return;
      } else if (next instanceof Error) {
        throw next;
      } else {
        yield next;
      }
    }
  }
}

/** What the page knows of its window. */
export class Window extends EventTarget {
  hidden = false;

  hide(hidden: boolean): void {
    this.hidden = hidden;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

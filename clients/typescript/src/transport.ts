import type { Interceptor, Transport } from "@connectrpc/connect";

import { errorOf } from "./errors.js";

/** How long a unary call may take, in milliseconds, unless the caller says otherwise. */
export const DEADLINE_MS = 15_000;

/** What every call may be told. */
export interface CallOptions {
  /** Gives the call up. */
  readonly signal?: AbortSignal;
  /** How long a unary call may take, in milliseconds; 15 seconds unless given. Streams go on while they are read. */
  readonly timeoutMs?: number;
}

/** A call that changes something. */
export interface ChangeOptions extends CallOptions {
  /** A text of the caller's, 16 to 64 characters, that makes repeating safe; one is made unless it is given. */
  readonly requestId?: string;
}

/** Sends the token with every call. */
export function bearer(token: string): Interceptor {
  return (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
}

/** A transport whose unary calls have a deadline, and that fails with this package's errors. */
export function guarded(inner: Transport): Transport {
  return {
    async unary(method, signal, timeoutMs = DEADLINE_MS, ...rest) {
      try {
        return await inner.unary(method, signal, timeoutMs, ...rest);
      } catch (error) {
        throw meant(error, signal);
      }
    },
    async stream(method, signal, ...rest) {
      try {
        const response = await inner.stream(method, signal, ...rest);
        return { ...response, message: messages(response.message, signal) };
      } catch (error) {
        throw meant(error, signal);
      }
    },
  };
}

async function* messages<T>(inner: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  try {
    yield* inner;
  } catch (error) {
    throw meant(error, signal);
  }
}

/** A stream whose call is ended when its reader stops reading: connect's own iterators do not tell. */
export async function* whileRead<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void> {
  const stop = new AbortController();
  try {
    yield* open(AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]));
  } finally {
    stop.abort();
  }
}

/** Who gave a call up gets the own reason back. */
function meant(error: unknown, signal: AbortSignal | undefined): unknown {
  return signal?.aborted === true ? (signal.reason as unknown) : errorOf(error);
}

/** The caller's request id, or a fresh one. */
export function identified(options: ChangeOptions): { requestId: string } {
  return { requestId: options.requestId ?? requestId() };
}

/** A text that no other request bears: 32 hexadecimal digits, 128 random bits. */
export function requestId(): string {
  return Array.from(random(16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Fresh entropy for the deals of a match or tournament: 32 random bytes. */
export function entropy(): Uint8Array {
  return random(32);
}

function random(bytes: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(bytes));
}

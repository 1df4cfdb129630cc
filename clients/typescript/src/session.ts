import type { MessageInitShape } from "@bufbuild/protobuf";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createWritableIterable } from "@connectrpc/connect/protocol";

import { connect, type ConnectOptions } from "./connection.js";
import { ConnectionError } from "./errors.js";
import {
  AgentService,
  type Hello,
  type OpenSchema,
  type SessionRequestSchema,
  type SessionResponse,
} from "./gen/chickenfoot/v1/agent_pb.js";
import { Watchdog } from "./watchdog.js";

/** How long the service may take to say Hello, in milliseconds. */
const HELLO_MS = 10_000;

/** Heartbeats that may be missed before the connection counts as dead. */
const MISSED = 3;

/** What goes up on a session. */
export type Up = NonNullable<MessageInitShape<typeof SessionRequestSchema>["what"]>;

/** What comes down on a session. */
export type Down = Exclude<SessionResponse["what"], { case: undefined }>;

/** Where messages are put that are to go up. */
type Outbox = ReturnType<typeof createWritableIterable<MessageInitShape<typeof SessionRequestSchema>>>;

/**
 * An open session on a connection of its own: what is sent up and what comes down. For a player that no `Bot` can be; a
 * `Runner` does all of this by itself.
 */
export class Session {
  readonly hello: Hello;
  readonly #up: Outbox;
  readonly #down: AsyncIterator<Down, undefined>;
  readonly #end: (reason: unknown) => void;

  private constructor(hello: Hello, up: Outbox, down: AsyncIterator<Down, undefined>, end: (reason: unknown) => void) {
    this.hello = hello;
    this.#up = up;
    this.#down = down;
    this.#end = end;
  }

  /**
   * Opens a session and waits for Hello. It takes over from any other session of the same agent. `open.resume` names the
   * matches that are known from an earlier session, so that nothing of them comes twice and their end is told.
   *
   * @throws {ConnectionError} if the service cannot be reached or does not greet within 10 seconds.
   * @throws {UnauthenticatedError} if the token is wrong.
   */
  static async open(
    options: ConnectOptions,
    open: MessageInitShape<typeof OpenSchema> = {},
    signal?: AbortSignal,
  ): Promise<Session> {
    signal?.throwIfAborted();
    // A new connection for every session: the old one may be dead without either end having been told.
    const connection = connect(options);
    const stop = new AbortController();
    const watchdog = new Watchdog((why) => { end(new ConnectionError(why)); });
    const aborted = () => { end(signal?.reason); };
    const end = (reason: unknown) => {
      watchdog.stop();
      signal?.removeEventListener("abort", aborted);
      stop.abort(reason);
      connection.close();
    };
    signal?.addEventListener("abort", aborted);
    try {
      watchdog.watch(HELLO_MS, 1);
      const up: Outbox = createWritableIterable();
      const agents = createClient(AgentService, connection.transport);
      const down = known(agents.session(up, { signal: stop.signal }), watchdog);
      const hello = await greeted(up.write({ what: { case: "open", value: open } }), down);
      watchdog.watch(hello.heartbeatInterval ? durationMs(hello.heartbeatInterval) : HELLO_MS, MISSED);
      return new Session(hello, up, down, end);
    } catch (error) {
      end(error);
      throw error;
    }
  }

  /**
   * The next message.
   *
   * @throws {ConnectionError} if the stream ended, broke, or was silent for three heartbeats. A new session gets sent again
   * what is still open.
   */
  async next(): Promise<Down> {
    const { done, value } = await this.#down.next();
    if (done === true) throw new ConnectionError("the service ended the stream");
    return value;
  }

  /** Sends a message, as soon as there is room for it. What is lost with the connection is told by `next`. */
  send(what: Up): void {
    this.#up.write({ what }).catch(() => undefined);
  }

  /** Ends the session and closes its connection; `next` fails with the reason. */
  close(reason: unknown = new ConnectionError("the session was closed")): void {
    this.#end(reason);
  }
}

/** The messages of kinds that this version knows. */
async function* known(messages: AsyncIterable<SessionResponse>, watchdog: Watchdog): AsyncGenerator<Down, undefined> {
  for await (const { what } of messages) {
    watchdog.heard();
    if (what.case !== undefined) yield what;
  }
  return undefined;
}

async function greeted(opened: Promise<void>, down: AsyncIterator<Down, undefined>): Promise<Hello> {
  opened.catch(() => undefined);
  const { value } = await down.next();
  if (value?.case !== "hello") throw new ConnectionError("the service did not begin with Hello");
  return value.value;
}

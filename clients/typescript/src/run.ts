import { Backoff, sleep } from "./backoff.js";
import type { Bot } from "./bot.js";
import { Client } from "./client.js";
import type { ConnectOptions } from "./connection.js";
import { isPassing, waitOf } from "./errors.js";
import type { Log, MakeBot, Stats } from "./player.js";
import { Runner, type RunnerOptions } from "./runner.js";
import { requestId } from "./transport.js";

/** Who plays, and how. */
export type RunOptions = Omit<RunnerOptions, "agent"> & {
  /** The agent's name: 1 to 40 letters, digits, `.`, `_` and `-`, the first a letter or digit. */
  readonly name: string;
  /** Stops the run, as SIGINT and SIGTERM do. */
  readonly signal?: AbortSignal | undefined;
} & (Bot | {
    /** Gives the bot for each seat of each match. Without it one bot plays them all. */
    readonly bot: MakeBot;
  });

/**
 * Runs a bot: takes all seats that it is offered, and answers every decision, until SIGINT, SIGTERM or the signal. A second
 * SIGINT or SIGTERM ends the process at once.
 *
 * The service is that of `server`, else of the environment's `CHICKENFOOT_SERVER`, else `http://127.0.0.1:7440`. The agent
 * is that of `token`, else of `CHICKENFOOT_TOKEN`; else it is registered, and its token shown this once, as a line
 * `CHICKENFOOT_TOKEN=...`.
 *
 * ```ts
 * await run({ name: "my-bot", choose: (turn) => turn.options[0] });
 * ```
 *
 * @throws {ExistsError} if there is no token and the name is taken.
 * @throws what `Runner.run` throws.
 */
export async function run(options: RunOptions): Promise<Stats> {
  const { name, log = console } = options;
  const stop = stopSignal(options.signal);
  try {
    const server = options.server ?? env("CHICKENFOOT_SERVER");
    const reached = { ...options, server };
    const token = options.token ?? env("CHICKENFOOT_TOKEN") ?? (await register(name, reached, log, stop.signal));
    const runner = new Runner({ ...reached, token, agent: name });
    return await runner.run("bot" in options ? options.bot : () => options, stop.signal);
  } finally {
    stop.release();
  }
}

function env(name: string): string | undefined {
  const value = process.env[name];
  return value === "" ? undefined : value;
}

/** Registers the agent, again and again if the service is not there yet; undefined if it is told to stop. */
async function register(
  name: string,
  options: ConnectOptions,
  log: Log,
  signal: AbortSignal,
): Promise<string | undefined> {
  const client = new Client({ ...options, token: undefined });
  const backoff = new Backoff();
  // One id for all attempts: if just the answer is lost, the next one gets the same token.
  const id = requestId();
  try {
    for (;;) {
      try {
        const token = await client.agents.register(name, { signal, requestId: id });
        log.info(`CHICKENFOOT_TOKEN=${token}`);
        return token;
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!isPassing(error)) throw error;
        const pause = backoff.next(waitOf(error));
        log.warn(`${name} is not registered yet, trying again in ${String(Math.round(pause))} ms: ${error.message}`);
        if (!(await sleep(pause, signal))) return undefined;
      }
    }
  } finally {
    client.close();
  }
}

/** A signal that is aborted when somebody asks the process to stop, once, or by the caller's own. */
function stopSignal(own: AbortSignal | undefined): { signal: AbortSignal; release: () => void } {
  const asked = new AbortController();
  const release = () => {
    process.off("SIGINT", stop);
    process.off("SIGTERM", stop);
  };
  const stop = () => {
    release();
    asked.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return { signal: own ? AbortSignal.any([asked.signal, own]) : asked.signal, release };
}

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";

import {
  Client,
  pips,
  Runner,
  type Bot,
  type Log,
  type MakeBot,
  type Move,
  type RunnerOptions,
  type Stats,
} from "chickenfoot";
import type { Match } from "chickenfoot/v1";

/** The token of the agent "admin" of every service under test. */
export const ADMIN = "an-admin-token-that-is-long-enough-for-the-service";

const PROGRAM = process.env["CHICKENFOOT_SERVER_BIN"] ?? "";

/** The real service as a process of its own, on a port that the system gave. */
export class Service {
  private constructor(
    private readonly process: ChildProcess,
    /** Where it listens. */
    readonly port: number,
  ) {}

  /** Starts it; it is killed when the test is over. */
  static async start(test: TestContext, ...options: string[]): Promise<Service> {
    if (PROGRAM === "") throw new Error("CHICKENFOOT_SERVER_BIN does not name the server's program");
    const given = ["serve", "--listen", "127.0.0.1:0", "--log-format", "json", ...options];
    const store = options.includes("--store") ? [] : ["--store", "memory"];
    const env = { ...process.env, CHICKENFOOT_ADMIN_TOKEN: ADMIN, RUST_LOG: "info" };
    const server = spawn(PROGRAM, [...given, ...store], { env, stdio: ["ignore", "ignore", "pipe"] });
    test.after(() => server.kill("SIGKILL"));
    return new Service(server, await portOf(server));
  }

  get address(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** Ends it by a signal and waits for that. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const ended = once(this.process, "exit");
    this.process.kill(signal);
    await ended;
  }
}

async function portOf(server: ChildProcess): Promise<number> {
  const lines = createInterface({ input: server.stderr ?? process.stdin });
  return new Promise((resolve, reject) => {
    let said = "";
    lines.on("line", (line) => {
      said += `${line}\n`;
      const port = /127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
    lines.on("close", () => { reject(new Error(`the server did not start:\n${said}`)); });
  });
}

/** A path for a store, deleted when the test is over. */
export async function store(test: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "chickenfoot-"));
  test.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "store.db");
}

/** A client, closed when the test is over. */
export function client(test: TestContext, server: string, token?: string): Client {
  const made = new Client({ server, token });
  test.after(() => { made.close(); });
  return made;
}

/** Registers an agent; gives its client and its token. */
export async function agent(test: TestContext, server: string, name: string): Promise<{ client: Client; token: string }> {
  const token = await client(test, server).agents.register(name);
  return { client: client(test, server, token), token };
}

/** Keeps what is logged, and lets a test wait for a line. */
export class Lines implements Log {
  readonly all: string[] = [];
  readonly #waiting: { part: string; found: (line: string) => void }[] = [];

  info(text: string): void {
    this.all.push(text);
    for (const { part, found } of this.#waiting) if (text.includes(part)) found(text);
  }

  warn(text: string): void {
    this.info(text);
  }

  /** The first line with this part, said already or still to come. */
  line(part: string): Promise<string> {
    const said = this.all.find((text) => text.includes(part));
    if (said !== undefined) return Promise.resolve(said);
    return new Promise((found) => this.#waiting.push({ part, found }));
  }
}

/** A text as hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** A bot's runner at work; it is stopped when the test is over. */
export interface Playing {
  readonly log: Lines;
  readonly ended: Promise<Stats>;
  stop(): Promise<Stats>;
}

/** Has an agent's bots play. */
export function playing(
  test: TestContext,
  options: RunnerOptions,
  make: MakeBot = () => highest,
): Playing {
  const log = new Lines();
  const stop = new AbortController();
  const ended = new Runner({ log, ...options }).run(make, stop.signal);
  ended.catch(() => undefined);
  test.after(() => { stop.abort(); });
  return {
    log,
    ended,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}

/** Of the options with the most pips the first. */
export const highest: Bot = {
  choose: (turn) => turn.options.reduce((best, move) => (worth(move) > worth(best) ? move : best)),
};

function worth(move: Move): number {
  return move.kind === "play" ? 1 + pips(move.tile) : 0;
}

/** The match once it is over: a watch ends then. */
export async function over(client: Client, matchId: string): Promise<Match> {
  await all(client.matches.watch(matchId));
  return client.matches.get(matchId);
}

/** Waits until an agent has a session. */
export async function online(client: Client, name: string): Promise<void> {
  while (!(await client.agents.get(name)).online);
}

/** All that comes. */
export async function all<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

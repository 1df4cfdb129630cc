import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** Whatever calls a function when it is over: a test, or a suite. */
export interface Ending {
  after(end: () => unknown): void;
}

/** What is begun last is ended first: a server that is a test's own outlives the pages that ask it. */
export function lastFirst(test: Ending): Ending {
  const ends: (() => unknown)[] = [];
  test.after(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return { after: (end) => { ends.push(end); } };
}

const PROGRAM = process.env["CHICKENFOOT_SERVER_BIN"] ?? "";

/** The real server as a process of its own, with a store of its own, on a port that the system gave. */
export class Server {
  readonly #store: string;
  readonly #options: readonly string[];
  #process: ChildProcess;
  #port: number;

  private constructor(store: string, options: readonly string[], process: ChildProcess, port: number) {
    this.#store = store;
    this.#options = options;
    this.#process = process;
    this.#port = port;
  }

  /** Starts it; it is killed and its store deleted at the end. */
  static async start(ending: Ending, ...options: string[]): Promise<Server> {
    if (PROGRAM === "") throw new Error("CHICKENFOOT_SERVER_BIN does not name the server's program");
    const folder = await mkdtemp(join(tmpdir(), "chickenfoot-web-"));
    const store = join(folder, "store.db");
    const process = run(store, 0, options);
    const server = new Server(store, options, process, await portOf(process));
    ending.after(async () => {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    });
    return server;
  }

  /** Where it listens, without a slash at the end. */
  get address(): string {
    return `http://127.0.0.1:${String(this.#port)}`;
  }

  /** Ends it at once, as a crash would. */
  async kill(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }

  /** Starts it again, with the same store on the same port. */
  async restart(): Promise<void> {
    this.#process = run(this.#store, this.#port, this.#options);
    this.#port = await portOf(this.#process);
  }
}

function run(store: string, port: number, options: readonly string[]): ChildProcess {
  const given = ["serve", "--listen", `127.0.0.1:${String(port)}`, "--store", store, "--log-format", "json", ...options];
  const env = { ...process.env, RUST_LOG: "info" };
  return spawn(PROGRAM, given, { env, stdio: ["ignore", "ignore", "pipe"] });
}

/** The port that its log tells. */
function portOf(server: ChildProcess): Promise<number> {
  if (!server.stderr) throw new Error("the server's log is not read");
  const lines = createInterface({ input: server.stderr });
  return new Promise((resolve, reject) => {
    let said = "";
    lines.on("line", (line) => {
      said += `${line}\n`;
      const port = line.includes('"serving"') ? /127\.0\.0\.1:(\d+)/.exec(line)?.[1] : undefined;
      if (port !== undefined) resolve(Number(port));
    });
    lines.on("close", () => {
      reject(new Error(`the server did not start:\n${said}`));
    });
  });
}

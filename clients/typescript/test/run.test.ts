import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import { agentSeat, ExistsError, houseSeat, run } from "chickenfoot";
import { MatchState } from "chickenfoot/v1";

import { Proxy } from "./proxy.js";
import { agent, client, highest, Lines, over, Service } from "./service.js";

/** The example as a process of its own. */
class Example {
  readonly log = new Lines();
  readonly exit: Promise<number | null>;
  readonly #process;

  constructor(test: TestContext, name: string, env: Record<string, string>) {
    const program = fileURLToPath(new URL("../examples/highest.js", import.meta.url));
    const clean = { ...process.env, CHICKENFOOT_TOKEN: "", ...env };
    this.#process = spawn(process.execPath, [program, name], { env: clean, stdio: ["ignore", "pipe", "pipe"] });
    test.after(() => this.#process.kill("SIGKILL"));
    this.exit = once(this.#process, "exit").then(([code]) => code as number | null);
    for (const input of [this.#process.stdout, this.#process.stderr]) {
      createInterface({ input }).on("line", (line) => { this.log.info(line); });
    }
  }

  end(signal: "SIGINT" | "SIGTERM"): Promise<number | null> {
    this.#process.kill(signal);
    return this.exit;
  }
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  test(`the example registers, plays all its seats, and stops cleanly on ${signal}`, async (context) => {
    const service = await Service.start(context);
    const { client: ann } = await agent(context, service.address, "ann");
    const example = new Example(context, "my-bot", { CHICKENFOOT_SERVER: service.address });
    const token = /^CHICKENFOOT_TOKEN=(\w{64})$/.exec(await example.log.line("CHICKENFOOT_TOKEN="))?.[1] ?? "";
    const seats = [agentSeat("my-bot"), houseSeat("greedy"), agentSeat("my-bot")];
    const { id } = await ann.matches.create({ seats, rules: { rounds: 1 } });
    assert.equal((await over(ann, id)).state, MatchState.FINISHED);
    assert.equal(await example.end(signal), 0);
    assert.equal(example.log.all.filter((line) => line.includes(token)).length, 1);

    const again = new Example(context, "my-bot", { CHICKENFOOT_SERVER: service.address, CHICKENFOOT_TOKEN: token });
    const next = await ann.matches.create({ seats, rules: { rounds: 1 } });
    assert.equal((await over(ann, next.id)).state, MatchState.FINISHED);
    assert.equal(await again.end(signal), 0);
    assert.deepEqual(again.log.all, []);
  });
}

test("the example tells why it cannot play, and exits with an error", async (context) => {
  const service = await Service.start(context);
  const { token } = await agent(context, service.address, "ann");
  const taken = new Example(context, "ann", { CHICKENFOOT_SERVER: service.address });
  assert.equal(await taken.exit, 1);
  await taken.log.line("AGENT_EXISTS");
  const other = new Example(context, "ben", { CHICKENFOOT_SERVER: service.address, CHICKENFOOT_TOKEN: token });
  assert.equal(await other.exit, 1);
  await other.log.line("OtherAgentError");
});

test("a run waits for a service that is not there yet, and ends by its signal", async (context) => {
  const gone = await Service.start(context);
  const proxy = await Proxy.start(context, gone.port);
  await gone.end("SIGKILL");
  const log = new Lines();
  const stop = new AbortController();
  const stats = run({ name: "early", server: proxy.address, token: undefined, log, signal: stop.signal, ...highest });
  await log.line("early is not registered yet");
  const service = await Service.start(context);
  proxy.aim(service.port);
  await log.line("CHICKENFOOT_TOKEN=");
  const { client: ann } = await agent(context, service.address, "ann");
  const { id } = await ann.matches.create({ seats: [agentSeat("early"), houseSeat("random")], rules: { rounds: 1 } });
  await over(ann, id);
  stop.abort();
  assert.equal((await stats).refused, 0);
  assert.deepEqual([process.listenerCount("SIGINT"), process.listenerCount("SIGTERM")], [0, 0]);
});

test("a run is told to stop before there is a service", async (context) => {
  const gone = await Service.start(context);
  await gone.end("SIGKILL");
  const log = new Lines();
  const stop = new AbortController();
  const stats = run({ name: "early", server: gone.address, log, signal: stop.signal, ...highest });
  await log.line("not registered yet");
  stop.abort();
  assert.equal((await stats).games, 0);
});

test("a name that is taken ends a run", async (context) => {
  const service = await Service.start(context);
  await client(context, service.address).agents.register("ann");
  await assert.rejects(run({ name: "ann", server: service.address, ...highest }), ExistsError);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  agentSeat,
  Code,
  ConnectionError,
  ExistsError,
  houseSeat,
  InvalidError,
  NotFoundError,
  openSeat,
  Client,
  PermissionError,
  PreconditionError,
  RefusedError,
  requestId,
  timestampDate,
  UnauthenticatedError,
} from "chickenfoot";
import { MatchState, Role } from "chickenfoot/v1";

import { ADMIN, agent, all, client, over, playing, Service } from "./service.js";

/** Whether an error is a refusal of this class with this reason. */
function because(Class: typeof RefusedError, reason: string): (error: unknown) => boolean {
  return (error) => {
    assert(error instanceof Class, String(error));
    assert.equal(error.reason, reason);
    return true;
  };
}

test("agents are registered once, listed, and their tokens changed", async (context) => {
  const service = await Service.start(context);
  const anyone = client(context, service.address);
  const id = requestId();
  const token = await anyone.agents.register("ann", { requestId: id });
  assert.equal(await anyone.agents.register("ann", { requestId: id }), token);
  await assert.rejects(anyone.agents.register("ann"), because(ExistsError, "AGENT_EXISTS"));
  await assert.rejects(anyone.agents.register("-"), (error) => {
    assert(error instanceof InvalidError && error.reason === "AGENT_NAME_INVALID");
    assert.deepEqual(error.violations.map(({ field }) => field), ["name"]);
    assert.equal(error.code, Code.InvalidArgument);
    assert(!error.passing);
    return true;
  });
  const ann = await anyone.agents.get("ann");
  assert.deepEqual([ann.name, ann.online, ann.role], ["ann", false, Role.AGENT]);
  assert(ann.createTime !== undefined && Math.abs(timestampDate(ann.createTime).getTime() - Date.now()) < 600_000);
  await assert.rejects(anyone.agents.get("nobody"), because(NotFoundError, "AGENT_NOT_FOUND"));
  const fresh = await client(context, service.address, token).agents.rotateToken();
  assert.notEqual(fresh, token);
  const old = client(context, service.address, token).matches.create({ seats: [] });
  await assert.rejects(old, because(UnauthenticatedError, "TOKEN_INVALID"));
  await assert.rejects(anyone.matches.create({ seats: [] }), because(UnauthenticatedError, "TOKEN_MISSING"));
});

test("an admin sets roles and takes tokens away", async (context) => {
  const service = await Service.start(context);
  const { client: ann } = await agent(context, service.address, "ann");
  const admin = client(context, service.address, ADMIN);
  await assert.rejects(ann.agents.setRole("ann", Role.ADMIN), (error) => {
    assert(because(PermissionError, "ROLE_REQUIRED")(error));
    assert.equal((error as RefusedError).metadata["role"], "admin");
    return true;
  });
  assert.equal((await admin.agents.setRole("ann", Role.ORGANISER)).role, Role.ORGANISER);
  assert((await admin.agents.revokeToken("ann")).revoked);
  await assert.rejects(ann.agents.rotateToken(), because(UnauthenticatedError, "TOKEN_INVALID"));
  assert.equal((await admin.agents.rotateToken("ann")).length, 64);
});

test("lists go over all their pages", async (context) => {
  const service = await Service.start(context);
  const { client: ann } = await agent(context, service.address, "a");
  const names = Array.from({ length: 120 }, (_, index) => `agent-${String(index).padStart(3, "0")}`);
  await Promise.all(names.map((name) => ann.agents.register(name)));
  const found = (await all(ann.agents.list())).map(({ name }) => name).filter((name) => name.startsWith("agent-"));
  assert.deepEqual(found, names);
  const seats = [openSeat(), openSeat()];
  await Promise.all(Array.from({ length: 105 }, () => ann.matches.create({ seats })));
  const open = await all(ann.matches.list({ state: MatchState.OPEN }));
  assert.equal(new Set(open.map(({ id }) => id)).size, 105);
  assert.deepEqual(await all(ann.matches.list({ state: MatchState.FINISHED })), []);
});

test("a match is made once, joined, left and aborted", async (context) => {
  const service = await Service.start(context);
  const { client: ann } = await agent(context, service.address, "ann");
  const { client: ben } = await agent(context, service.address, "ben");
  const config = { seats: [agentSeat("ann"), openSeat()], rules: { rounds: 3 } };
  const requestId = "0123456789abcdef";
  const { id } = await ann.matches.create(config, { requestId });
  assert.equal((await ann.matches.create(config, { requestId })).id, id);
  await assert.rejects(ben.matches.join(id, { seat: 0 }), because(PermissionError, "SEAT_RESERVED"));
  assert.equal((await ben.matches.join(id)).seat, 1);
  assert.equal((await ben.matches.leave(id)).seats[1]?.name, "");
  assert.equal((await ben.matches.join(id, { entropy: new Uint8Array() })).match?.state, MatchState.OPEN);
  await assert.rejects(ben.matches.abort(id), because(PermissionError, "NOT_CREATOR"));
  await assert.rejects(ann.matches.record(id), because(PreconditionError, "MATCH_NOT_OVER"));
  assert.equal((await ann.matches.abort(id)).abortReason, "CREATOR");
  assert.equal((await ann.matches.get(id)).state, MatchState.ABORTED);
});

test("a match that cannot be is refused with the field that is wrong", async (context) => {
  const service = await Service.start(context);
  const { client: ann } = await agent(context, service.address, "ann");
  const wrong = async (config: Parameters<typeof ann.matches.create>[0]) => {
    const error: unknown = await ann.matches.create(config).catch((error: unknown) => error);
    assert(error instanceof InvalidError);
    return [error.reason, ...error.violations.map(({ field }) => field)];
  };
  const seats = [houseSeat("random"), houseSeat("random")];
  assert.deepEqual(await wrong({ seats, rules: { rounds: 99 } }), ["RULES_IMPOSSIBLE", "config.rules.rounds"]);
  assert.deepEqual(await wrong({ seats: [houseSeat("random"), houseSeat("oracle")] }), [
    "STRATEGY_UNKNOWN",
    "config.seats",
  ]);
});

test("rated matches make a leaderboard", async (context) => {
  const service = await Service.start(context);
  const { client: ann, token } = await agent(context, service.address, "ann");
  const { token: ben } = await agent(context, service.address, "ben");
  playing(context, { server: service.address, token });
  playing(context, { server: service.address, token: ben });
  const seats = [agentSeat("ann"), agentSeat("ben")];
  const { id } = await ann.matches.create({ seats, rules: { rounds: 1 }, rated: true });
  const match = await over(ann, id);
  const board = await all(ann.agents.leaderboard());
  assert.deepEqual(board.map(({ rank }) => rank), [1, 2]);
  if (match.seats[0]?.place !== match.seats[1]?.place) {
    const winner = match.seats.find(({ place }) => place === 1);
    assert.equal(board[0]?.agent, winner?.name);
  }
  const [pool] = await ann.agents.pools();
  assert.deepEqual([pool?.matches, pool?.agents], [1n, 2]);
});

test("a service that is not there is a lost connection", async (context) => {
  const service = await Service.start(context);
  await service.end("SIGKILL");
  const call = client(context, service.address).agents.get("ann");
  await assert.rejects(call, (error) => error instanceof ConnectionError && error.code === Code.Unavailable);
});

test("a service that does not answer in time is given up, and so is a call by its signal", async (context) => {
  const service = await Service.start(context);
  const { client: ann } = await agent(context, service.address, "ann");
  const late = ann.agents.get("ann", { timeoutMs: 0.001 });
  await assert.rejects(late, (error) => error instanceof ConnectionError && error.code === Code.DeadlineExceeded);
  const reason = new Error("changed my mind");
  await assert.rejects(ann.agents.get("ann", { signal: AbortSignal.abort(reason) }), (error) => error === reason);
});

test("options that cannot be right are refused before anything is sent", () => {
  const wrong: [ConstructorParameters<typeof Client>[0], RegExp][] = [
    [{ server: "ftp://127.0.0.1" }, /server/],
    [{ server: "http://" }, /server/],
    [{ server: "http://127.0.0.1:7440/path" }, /server/],
    [{ server: "http://127.0.0.1:7440", tls: {} }, /https/],
    [{ token: "line\nbreak" }, /token/],
    [{ token: "" }, /token/],
  ];
  for (const [options, message] of wrong) {
    assert.throws(() => new Client(options), { name: "OptionsError", message });
  }
  new Client({ server: "127.0.0.1:7440" }).close();
});

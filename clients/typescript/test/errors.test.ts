import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import {
  ChickenFootError,
  ConnectionError,
  InvalidError,
  isPassing,
  LimitError,
  NotFoundError,
  REASONS,
  RefusedError,
  UnauthenticatedError,
} from "chickenfoot";

import { errorOf, refused } from "#dist/errors.js";
import { BadRequestSchema, ErrorInfoSchema, RetryInfoSchema } from "#dist/gen/google/rpc/error_details_pb.js";

/** An error as the transport gives it, its details as they came over the wire. */
function incoming(code: Code, ...details: ReturnType<typeof detail>[]): ConnectError {
  return new ConnectError("what people read", code, undefined, details);
}

function detail<T extends DescMessage>(desc: T, value: MessageInitShape<T>): { desc: T; value: MessageInitShape<T> } {
  return { desc, value: create(desc, value) };
}

test("a refusal keeps code, reason, metadata, fields and delay", () => {
  const error = errorOf(
    incoming(
      Code.ResourceExhausted,
      detail(ErrorInfoSchema, { reason: "LIMIT_REACHED", metadata: { limit: "limits.max_matches", value: "7" } }),
      detail(RetryInfoSchema, { retryDelay: { seconds: 2n, nanos: 500_000_000 } }),
      detail(BadRequestSchema, { fieldViolations: [{ field: "config.seats", description: "too many" }] }),
    ),
  );
  assert(error instanceof LimitError);
  assert.equal(error.name, "LimitError");
  assert.equal(error.code, Code.ResourceExhausted);
  assert.equal(error.reason, "LIMIT_REACHED");
  assert.deepEqual({ ...error.metadata }, { limit: "limits.max_matches", value: "7" });
  assert.equal(error.violations[0]?.field, "config.seats");
  assert.equal(error.violations[0].description, "too many");
  assert.equal(error.retryAfter, 2500);
  assert.equal(error.message, "what people read (LIMIT_REACHED)");
  assert(error.passing);
});

test("the code chooses the class", () => {
  const of = (code: Code) => refused({ code, reason: "R", message: "m" });
  assert(of(Code.NotFound) instanceof NotFoundError);
  assert(of(Code.InvalidArgument) instanceof InvalidError);
  assert(of(Code.Unauthenticated) instanceof UnauthenticatedError);
  assert.equal(of(Code.Unimplemented).constructor, RefusedError);
});

test("what has no reason did not come from the service, and passes", () => {
  for (const cause of [incoming(Code.Unknown), new TypeError("fetch failed"), "thrown text"]) {
    const error = errorOf(cause);
    assert(error instanceof ConnectionError);
    assert(isPassing(error));
  }
});

test("only what waiting helps is passing", () => {
  const passing = [Code.Unavailable, Code.ResourceExhausted, Code.Canceled, Code.Internal];
  const codes = Object.values(Code).filter((code) => typeof code === "number");
  assert.equal(codes.length, 16);
  for (const code of codes) {
    assert.equal(isPassing(refused({ code, reason: "R", message: "m" })), passing.includes(code), Code[code]);
  }
  assert(!isPassing(new Error("of somebody else")));
});

test("an error of this package stays as it is", () => {
  const error = new NotFoundError({ code: Code.NotFound, reason: "MATCH_NOT_FOUND", message: "no match" });
  assert.equal(errorOf(error), error);
  assert(error instanceof ChickenFootError);
});

test("the reasons are those of the guide to the protocol", async () => {
  const guide = await readFile(new URL("../../../../proto/README.md", import.meta.url), "utf8");
  const rows = [...guide.matchAll(/^\| `([A-Z_]+)` \| `[A-Z_]+` \(\d+\)/gm)].map(([, reason]) => reason);
  assert(rows.length > 50);
  assert.deepEqual([...REASONS], rows);
});

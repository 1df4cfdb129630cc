import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

import { create, toBinary } from "@bufbuild/protobuf";
import { sizeDelimitedEncode } from "@bufbuild/protobuf/wire";

import { MatchSchema, WatchMatchResponseSchema } from "../gen/chickenfoot/v1/match_pb.js";
import { seqOfHash } from "../src/match/address.js";
import { decode, read } from "../src/match/replay.js";
import { twoRounds } from "./told.js";

const match = create(MatchSchema, { id: "0".repeat(32), rules: { rounds: 2 } });

function file(): Buffer {
  const messages = twoRounds().map((response) => sizeDelimitedEncode(WatchMatchResponseSchema, response));
  return Buffer.concat([sizeDelimitedEncode(MatchSchema, match), ...messages]);
}

test("a match comes out of a file as it went in", async () => {
  const { match: out, log } = await decode(`\n${gzipSync(file()).toString("base64")}\n`);
  assert.deepEqual(toBinary(MatchSchema, out), toBinary(MatchSchema, match));
  assert.equal(log.head, 13);
  assert.equal(log.isOver, true);
  assert.equal(log.rounds.length, 2);
});

test("a file that is cut off, empty or no file is refused", async () => {
  assert.throws(() => read(file().subarray(0, -3)), /cut off/);
  assert.throws(() => read(new Uint8Array()), /no match/);
  await assert.rejects(decode("%%%"));
  await assert.rejects(decode(Buffer.from("no gzip").toString("base64")));
});

test("the position stands behind the sign of a place in the document", () => {
  assert.equal(seqOfHash("#17"), 17);
  assert.equal(seqOfHash(""), undefined);
  assert.equal(seqOfHash("#main"), undefined);
});

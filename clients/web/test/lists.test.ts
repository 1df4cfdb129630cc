import assert from "node:assert/strict";
import { test } from "node:test";

import { create } from "@bufbuild/protobuf";

import { OutReason, SeatLedgerSchema } from "../gen/chickenfoot/v1/match_pb.js";
import { scaleOf } from "../src/pages/interval.js";
import { faults, percent, plain, signed, visible } from "../src/pages/parts.js";
import { rulesTextInWords } from "../src/pages/rules.js";
import { take } from "../src/pages/take.js";

test("numbers have a real minus, and a sign where they are wanted with one", () => {
  assert.deepEqual([plain(-1.25, 1), plain(-0.04, 1), plain(3, 0)], ["−1.3", "0.0", "3"]);
  assert.deepEqual([signed(2, 1), signed(-2, 1), signed(0.01, 1), signed(-0.01, 1)], ["+2.0", "−2.0", "0.0", "0.0"]);
  assert.equal(percent(0.125, 1), "12.5 %");
});

test("the rules of a pool are told in words, and as they are if they cannot be read", () => {
  const text = "max_pip=12;players=3;hand_size=14;opening_arms=1;starter=lot;drawn_tile=may_play;reserve=0;double_blank=50;rounds=1";
  assert.deepEqual(rulesTextInWords(text), {
    short: "double-twelve, 3 players, 1 round",
    details: "14 tiles each, 1 opening arm, the start by lot, a drawn tile that fits may be kept, all tiles are drawn, the double blank counts 50",
  });
  for (const other of ["", "max_pip=9", text.replace("12", "twelve")]) {
    assert.deepEqual(rulesTextInWords(other), { short: other, details: "" });
  }
});

test("a scale has round ends that hold everything, and the middle", () => {
  assert.deepEqual(scaleOf([{ estimate: 3, low: -11.4, high: 37.2 }, undefined, { estimate: 1 }], 0), { low: -20, high: 40 });
  assert.deepEqual(scaleOf([{ estimate: 30 }], 25), { low: 24, high: 30 });
  assert.deepEqual(scaleOf([], 25), { low: 24, high: 26 });
});

test("faults are told in words", () => {
  const ledger = create(SeatLedgerSchema, { late: 2, illegal: 1, strikes: 2, out: OutReason.STRIKES });
  assert.equal(faults(ledger), "2 late, 1 illegal, 2 strikes and taken out for its strikes");
  assert.deepEqual([faults(create(SeatLedgerSchema)), faults(undefined)], ["none", "none"]);
});

test("in a name every character can be seen", () => {
  assert.equal(visible("a\u202eb\u0000c\u200bd é 日本"), "a\ufffdb\ufffdc\ufffdd é 日本");
});

test("a list is read page by page, up to what is wanted", async () => {
  const all = Array.from({ length: 2500 }, (_, number) => number);
  const asked: number[] = [];
  const page = (size: number, token: string): Promise<{ entries: number[]; next: string }> => {
    asked.push(size);
    const from = Number(token);
    const next = from + size < all.length ? String(from + size) : "";
    return Promise.resolve({ entries: all.slice(from, from + size), next });
  };
  assert.deepEqual(await take(1200, page), { entries: all.slice(0, 1200), isMore: true });
  assert.deepEqual(asked, [1000, 200]);
  assert.deepEqual(await take(3000, page), { entries: all, isMore: false });
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { actionOf, type Focus, type Press } from "../src/match/keys.js";

function press(key: string, focus: Focus = "nothing", held: Partial<Press> = {}): string | undefined {
  return actionOf({ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...held }, focus);
}

test("each key does what the help says", () => {
  const keys = ["ArrowRight", "ArrowLeft", "ArrowUp", "PageDown", "Home", "End", " ", "l", "+", "-", "0", "s", "?"];
  const does = ["next", "previous", "previousRound", "nextRound", "first", "last", "play", "live", "in", "out", "whole", "share", "help"];
  assert.deepEqual(keys.map((key) => press(key)), does);
});

test("a field takes every key, and a button the space bar", () => {
  assert.equal(press("ArrowRight", "field"), undefined);
  assert.equal(press("l", "field"), undefined);
  assert.equal(press(" ", "button"), undefined);
  assert.equal(press("ArrowRight", "button"), "next");
});

test("keys that are held with others belong to the browser", () => {
  for (const held of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }]) {
    assert.equal(press("ArrowLeft", "nothing", held), undefined);
    assert.equal(press("s", "nothing", held), undefined);
  }
  assert.equal(press("S", "nothing", { shiftKey: true }), undefined);
  assert.equal(press(" ", "nothing", { shiftKey: true }), undefined);
  // These need it on some keyboards.
  assert.equal(press("?", "nothing", { shiftKey: true }), "help");
  assert.equal(press("+", "nothing", { shiftKey: true }), "in");
});

test("other keys do nothing, whatever they are called", () => {
  for (const key of ["x", "Enter", "Tab", "constructor", "toString", "__proto__"]) {
    assert.equal(press(key), undefined);
  }
});

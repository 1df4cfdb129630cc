import assert from "node:assert/strict";
import { test } from "node:test";

import { parse, paths } from "../src/routes.js";

const ID = "0123456789abcdef0123456789abcdef";

test("a path names its page", () => {
  assert.deepEqual(parse("/"), { page: "home" });
  assert.deepEqual(parse(`/t/${ID}`), { page: "tournament", id: ID });
  assert.deepEqual(parse("/agents"), { page: "agents" });
  assert.deepEqual(parse("/agents/"), { page: "agents" });
  assert.deepEqual(parse("/agents/zoe-py"), { page: "agent", name: "zoe-py" });
  assert.deepEqual(parse(`/m/${ID}`), { page: "match", id: ID, seq: undefined });
  assert.deepEqual(parse(`/m/${ID}/17`), { page: "match", id: ID, seq: 17 });
});

test("other paths name none", () => {
  const none = ["/x", "/m", "/m/", "/m/17", `/m/${ID}/x`, `/m/${ID}/1/2`, `/m/${ID}/-1`, `/m/${ID.toUpperCase()}`, "/t", "/agents/%"];
  for (const path of none) {
    assert.equal(parse(path), undefined, path);
  }
});

test("a path that was made is read again", () => {
  const name = "a/b ?#%";
  assert.deepEqual(parse(paths.agent(name)), { page: "agent", name });
  assert.deepEqual(parse(paths.match(ID, 3)), { page: "match", id: ID, seq: 3 });
});

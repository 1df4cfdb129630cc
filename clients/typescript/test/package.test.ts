import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import ts from "typescript";

import { VERSION } from "chickenfoot";

const HERE = fileURLToPath(new URL("../../", import.meta.url));

/** Code that only compiles if the types are there and right. */
const CONSUMER = `
import { run, Client, type Move, type Turn } from "chickenfoot";
import { MatchState, MatchConfigSchema } from "chickenfoot/v1";
export const first = (turn: Turn): Move => turn.options[0];
export const start = (): Promise<unknown> => run({ name: "first", choose: first });
export const state = async (id: string): Promise<MatchState> => (await new Client().matches.get(id)).state;
export const name: string = MatchConfigSchema.typeName;
// @ts-expect-error: a bot must choose.
export const nothing = (): Promise<unknown> => run({ name: "first" });
`;

/** Code that says what an import did: nothing may be opened, and nothing may hold the process. */
const QUIET = `
import net from "node:net";
import dns from "node:dns";
const forbid = (what) => () => { throw new Error("the import used " + what); };
net.Socket.prototype.connect = forbid("a socket");
dns.lookup = forbid("the resolver");
await import("chickenfoot");
await import("chickenfoot/v1");
console.log(JSON.stringify(process.getActiveResourcesInfo().filter((name) => /TCP|UDP|Addr|Timeout/.test(name))));
`;

/** Packs the package and unpacks it as an installation would; gives the folder of its consumer and its files. */
function installed(): { consumer: string; files: string[] } {
  const consumer = `${HERE}build/consumer/`;
  const place = `${consumer}node_modules/chickenfoot/`;
  rmSync(consumer, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  const told = execFileSync("npm", ["pack", "--json", "--pack-destination", consumer], { cwd: HERE, encoding: "utf8" });
  const [{ filename, files }] = JSON.parse(told) as [{ filename: string; files: { path: string }[] }];
  execFileSync("tar", ["-xzf", consumer + filename, "--strip-components=1", "-C", place]);
  writeFileSync(`${consumer}package.json`, '{ "type": "module" }');
  return { consumer, files: files.map(({ path }) => path) };
}

test("the package that is packed has all it needs, nothing else, and works", () => {
  const { consumer, files } = installed();
  for (const file of ["LICENSE", "README.md", "package.json", "dist/index.js", "dist/index.d.ts", "dist/v1.d.ts"]) {
    assert(files.includes(file), `${file} is missing`);
  }
  const strange = files.filter((file) => !/^(LICENSE|README\.md|package\.json|dist\/.*\.(js|d\.ts))$/.test(file));
  assert.deepEqual(strange, []);

  writeFileSync(`${consumer}quiet.js`, QUIET);
  const said = execFileSync(process.execPath, ["quiet.js"], { cwd: consumer, encoding: "utf8", timeout: 60_000 });
  assert.deepEqual(JSON.parse(said), []);

  const file = `${consumer}consumer.ts`;
  writeFileSync(file, CONSUMER);
  const { NodeNext } = ts.ModuleKind;
  const options = { strict: true, noEmit: true, module: NodeNext, target: ts.ScriptTarget.ES2022, skipLibCheck: false };
  const problems = ts.getPreEmitDiagnostics(ts.createProgram([file], { ...options, types: ["node"] }));
  assert.deepEqual(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")), []);
});

test("the wire types can be used by a page: they need nothing of Node", () => {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, from = ""] of readFileSync(file, "utf8").matchAll(/^(?:import|export) .* from "(.*)";$/gm)) {
      assert.match(from, /^(\.|@bufbuild\/protobuf)/, `${file} imports ${from}`);
      if (from.startsWith(".")) visit(fileURLToPath(new URL(from, `file://${file}`)));
    }
  };
  visit(`${HERE}dist/v1.js`);
  assert(seen.size > 5);
});

test("version, licence and contract are those of the project", () => {
  const { version, dependencies } = JSON.parse(readFileSync(`${HERE}package.json`, "utf8")) as {
    version: string;
    dependencies: Record<string, string>;
  };
  assert.equal(VERSION, version);
  assert.equal(dependencies["@connectrpc/connect"], dependencies["@connectrpc/connect-node"]);
  assert.equal(readFileSync(`${HERE}LICENSE`, "utf8"), readFileSync(`${HERE}../../LICENSE`, "utf8"));
  assert(!readFileSync(`${HERE}package-lock.json`, "utf8").includes('"resolved"'), "the lock file names a registry");
  const made = readdirSync(`${HERE}dist/gen/chickenfoot/v1`).filter((file) => file.endsWith(".js"));
  const contract = readdirSync(`${HERE}../../proto/chickenfoot/v1`).map((file) => file.replace(".proto", "_pb.js"));
  assert.deepEqual(made.toSorted(), contract.toSorted());
});

import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import ts from "typescript";

const HERE = fileURLToPath(new URL("../../", import.meta.url));
const README = readFileSync(`${HERE}README.md`, "utf8");
const BLOCKS = [...README.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);

test("every piece of code in the README compiles, strictly", () => {
  const folder = `${HERE}build/readme/`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = BLOCKS.map((code, number) => {
    const file = `${folder}${String(number)}.ts`;
    writeFileSync(file, `${code}\nexport {};\n`);
    return file;
  });
  assert(files.length >= 5);
  const config = ts.readConfigFile(`${HERE}tsconfig.base.json`, (file) => ts.sys.readFile(file)).config as object;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, HERE);
  const problems = ts.getPreEmitDiagnostics(ts.createProgram(files, { ...options, noEmit: true }));
  const told = problems.map(({ file, messageText }) => [file?.fileName, ts.flattenDiagnosticMessageText(messageText, "\n")]);
  assert.deepEqual(told, []);
});

test("the README shows the example whole", () => {
  assert(BLOCKS.includes(readFileSync(`${HERE}examples/highest.ts`, "utf8")), "examples/highest.ts is not in the README");
});

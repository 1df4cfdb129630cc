// Builds the page: one script, one style sheet, one document, and the hash of the sources. The same sources give the
// same bytes. Usage: node build.mjs FOLDER
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");

/** Most that everything may have together, compressed. */
const MOST_BYTES = 64 * 1024;

const folder = process.argv[2];
if (folder === undefined || process.argv.length > 3) {
  console.error("usage: node build.mjs FOLDER");
  process.exit(2);
}

/** The page speaks binary messages only: what reads and writes them as JSON would be a tenth of the script. */
const binaryOnly = {
  name: "binary-only",
  setup({ onLoad }) {
    onLoad({ filter: /@bufbuild\/protobuf\/dist\/esm\/(from|to)-json\.js$/ }, (args) => {
      const names = readFileSync(args.path, "utf8").matchAll(/^export function (\w+)/gm);
      const refuse = ([, name]) => `export function ${name}() { throw new Error("the page speaks no JSON"); }`;
      return { contents: [...names].map(refuse).join("\n"), loader: "js" };
    });
  },
};

/**
 * What a contract may say of itself beyond its messages is not read: options and where things stand in the source. The
 * descriptions of those are emptied; they stay in their places, by which they are found.
 */
const noOptions = {
  name: "no-options",
  setup({ onLoad }) {
    onLoad({ filter: /@bufbuild\/protobuf\/dist\/esm\/wkt\/gen\/google\/protobuf\/descriptor_pb\.js$/ }, (args) => {
      const text = readFileSync(args.path, "utf8");
      const [call, description] = text.match(/boot\((\{ "name": "google\/protobuf\/descriptor\.proto".*\})\)/) ?? [];
      if (call === undefined) {
        throw new Error("the description of descriptions is not where it was");
      }
      const file = JSON.parse(description);
      for (const message of file.messageType.filter(({ name }) => /(Options|Info|Option)$/.test(name))) {
        empty(message);
      }
      return { contents: text.replace(call, () => `boot(${JSON.stringify(file)})`), loader: "js" };
    });
  },
};

/**
 * The generated code has descriptions of messages as base64, in which no two parts are alike: as the bytes that they are,
 * they compress to two thirds.
 */
const plainBytes = {
  name: "plain-bytes",
  setup({ onLoad }) {
    onLoad({ filter: /\/clients\/web\/gen\/.*\.ts$/ }, (args) => {
      const text = readFileSync(args.path, "utf8");
      const plain = (_, base64) => `fileDesc(btoa(${JSON.stringify(Buffer.from(base64, "base64").toString("latin1"))})`;
      return { contents: text.replace(/fileDesc\("([^"]*)"/, plain), loader: "ts" };
    });
  },
};

function empty(message) {
  delete message.field;
  delete message.extensionRange;
  message.nestedType?.forEach(empty);
}

/** The indentation of templates is no part of the page, and of the rest of a source it means nothing. */
const flat = {
  name: "flat",
  setup({ onLoad }) {
    onLoad({ filter: /\/clients\/web\/src\/.*\.ts$/ }, (args) => {
      return { contents: readFileSync(args.path, "utf8").replace(/\n[ \t]+/g, "\n"), loader: "ts" };
    });
  },
};

const { outputFiles } = await build({
  absWorkingDir: here,
  entryPoints: { app: "src/main.ts" },
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  // The production build of lit-html, without its warnings.
  conditions: ["production"],
  plugins: [binaryOnly, noOptions, plainBytes, flat],
  outdir: "out",
  write: false,
  logLevel: "warning",
});
const files = new Map(outputFiles.map((file) => [file.path.replace(/^.*\//, ""), Buffer.from(file.contents)]));
files.set("favicon.svg", readFileSync(join(here, "favicon.svg")));
const page = readFileSync(join(here, "index.html"), "utf8");
files.set("index.html", Buffer.from(page.replace(/(\/assets\/([a-z.]+)\?v=)HASH/g, (_, start, name) => start + hash(name))));

const size = [...files.values()].reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0);
console.log(`${[...files].map(([name, bytes]) => `${name} ${bytes.length}`).join(", ")}; ${size} bytes compressed`);
if (size > MOST_BYTES) {
  console.error(`the page has ${size} bytes compressed, and may have ${MOST_BYTES}`);
  process.exit(1);
}
files.set("sources.sha256", Buffer.from(`${sources()}\n`));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, bytes] of files) {
  writeFileSync(join(folder, name), bytes);
}

/** The first 12 hexadecimal digits of a built file's SHA-256: a changed file has another address. */
function hash(name) {
  const bytes = files.get(name);
  if (!bytes) {
    throw new Error(`index.html names ${name}, which is not built`);
  }
  return createHash("sha256").update(bytes).digest("hex").slice(0, 12);
}

/** SHA-256 over everything that sources.txt lists, by the rule in README.md. */
function sources() {
  const lines = readFileSync(join(here, "sources.txt"), "utf8").split("\n").map((line) => line.trim());
  const paths = new Set(lines.filter((line) => line !== "").flatMap(filesAt));
  const digest = createHash("sha256");
  // The names are ASCII, so that this is the order of their bytes.
  for (const path of [...paths].sort()) {
    const bytes = readFileSync(join(root, path));
    digest.update(`${path}\n${bytes.length}\n`).update(bytes);
  }
  return digest.digest("hex");
}

/** The file of that path, or all files below it if it ends in a slash. */
function filesAt(path) {
  if (!path.endsWith("/")) {
    return [path];
  }
  const entries = readdirSync(join(root, path), { withFileTypes: true });
  return entries.flatMap((entry) => filesAt(path + entry.name + (entry.isDirectory() ? "/" : "")));
}

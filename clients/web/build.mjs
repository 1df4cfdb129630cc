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

/**
 * What makes the script smaller. The page speaks the binary form alone: the library's modules for JSON would never run, and
 * functions that fail stand in their place. Descriptors of messages come as base64, in which no compression finds the words
 * that they have in common; they become strings with a character for each byte.
 */
const smaller = {
  name: "smaller",
  setup({ onLoad }) {
    onLoad({ filter: /@bufbuild\/protobuf\/dist\/esm\/(from-json|to-json)\.js$/ }, ({ path }) => {
      const names = [...text(path).matchAll(/^export function (\w+)/gm)].map(([, name]) => `fail as ${name}`);
      const fail = `const fail = () => { throw new Error("messages have no JSON form here"); };`;
      return { contents: `${fail}\nexport { ${names.join(", ")} };\n` };
    });
    onLoad({ filter: /_pb\.(ts|js)$/ }, ({ path }) => ({
      contents: text(path).replace(/fileDesc\(\s*"([\w+/]+=*)"/, (_, base64) => {
        return `fileDesc(${JSON.stringify(Buffer.from(base64, "base64").toString("latin1"))}`;
      }),
      loader: path.endsWith(".ts") ? "ts" : "js",
    }));
    onLoad({ filter: /@bufbuild\/protobuf\/dist\/esm\/codegenv2\/file\.js$/ }, ({ path }) => {
      const decode = "base64Decode(b64)";
      const source = text(path);
      if (!source.includes(decode)) {
        throw new Error(`${path} does not say ${decode}`);
      }
      return { contents: source.replace(decode, "Uint8Array.from(b64, (byte) => byte.charCodeAt(0))") };
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
  plugins: [smaller],
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

function text(path) {
  return readFileSync(path, "utf8");
}

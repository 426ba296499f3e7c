// npm run docs               a page for each node into docs/, made of its help text and the pictures of its dialog
// npm run docs -- --check    writes nothing, and fails when a page is not what it would write
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildWhenNeeded } from "./built.mjs";
import { pages } from "./docs/pages.mjs";
import { refuse, root } from "./preconditions.mjs";

buildWhenNeeded();
const wanted = pages(root);
const written = new Set(
  ["docs/README.md", ...list("docs/nodes").map((name) => `docs/nodes/${name}`)].filter((file) => existsSync(at(file))),
);
const stale = [...new Set([...wanted.keys(), ...written])].filter((file) => wanted.get(file) !== textOf(file));

if (process.argv.includes("--check")) {
  if (stale.length > 0) refuse(`Not current: ${stale.join(", ")}; run \`npm run docs\`.`);
} else {
  for (const file of stale) write(file, wanted.get(file));
  process.stdout.write(`${wanted.size} pages, ${stale.length} of them changed\n`);
}

function at(file) {
  return join(root, file);
}

function list(folder) {
  return existsSync(at(folder)) ? readdirSync(at(folder)) : [];
}

function textOf(file) {
  return written.has(file) ? readFileSync(at(file), "utf8") : undefined;
}

function write(file, text) {
  if (text === undefined) return rmSync(at(file));
  mkdirSync(dirname(at(file)), { recursive: true });
  writeFileSync(at(file), text);
}

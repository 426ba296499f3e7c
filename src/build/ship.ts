import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { buildSync } from "esbuild";
import { json } from "./files";

/** The one file that holds the runtime of all nodes. */
const RUNTIME = "dist/runtime.js";

/** What npm takes along whatever `files` says. */
const ALWAYS = ["package.json", "README.md", "LICENSE"];

interface Manifest {
  readonly files: readonly string[];
  readonly engines: { readonly node: string };
  readonly "node-red": { readonly nodes: Readonly<Record<string, string>> };
  readonly bin: Readonly<Record<string, string>>;
}

/**
 * Turns a build into what users get: the runtime as one file without blanks and long names, which a small machine loads
 * faster than forty. It is one for all nodes, since an error that one node throws is known by its class in another. The
 * price is that stack traces say little.
 * @param root the package's folder, with its sources, of which the runtime is made, and with dialogs and texts as built
 * @param to the folder that is to have it, the package's own or an empty one
 */
export function ship(root: string, to: string): void {
  const manifest = json<Manifest>(join(root, "package.json"));
  if (to !== root) {
    const pieces = [...ALWAYS, ...manifest.files].filter((piece) => existsSync(join(root, piece)));
    for (const piece of pieces) cpSync(join(root, piece), join(to, piece), { recursive: true });
  }
  // TypeScript would take the files replaced here for its own, and leave them there.
  rmSync(join(to, "dist", ".product.tsbuildinfo"), { force: true });
  const commands = Object.values(manifest.bin);
  const entries = [...Object.values(manifest["node-red"].nodes), ...commands];
  writeFileSync(join(to, RUNTIME), runtime(root, entries, manifest));
  for (const entry of entries) {
    const shebang = commands.includes(entry) ? "#!/usr/bin/env node\n" : "";
    const path = relative(dirname(entry), RUNTIME).replaceAll("\\", "/");
    const file = join(to, entry);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${shebang}module.exports = require("${path}")["${entry}"]();\n`);
  }
}

/** Ships into an empty folder where it can run at once, on the dependencies that the project has. */
export function shipToRun(root: string, to: string): void {
  ship(root, to);
  symlinkSync(join(root, "node_modules"), join(to, "node_modules"), "junction");
}

/** One function for each entry, so that nothing is run before it is wanted. */
function runtime(root: string, entries: readonly string[], { engines }: Manifest): string {
  const sources = entries.map((entry) => [entry, entry.replace(/^dist/, ".").replace(/\.js$/, "")]);
  const loaders = sources.map(([entry, source]) => `"${entry}": () => require("${source}")`);
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    stdin: { contents: `module.exports = { ${loaders.join(", ")} };`, resolveDir: root },
    bundle: true,
    packages: "external",
    platform: "node",
    target: engines.node.replace(/^\D+/, "node"),
    minify: true,
    // Said once for all, and not by each of a hundred modules.
    banner: { js: '"use strict";' },
    tsconfigRaw: { compilerOptions: { alwaysStrict: false, strict: false } },
    charset: "utf8",
    write: false,
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("\n");
}

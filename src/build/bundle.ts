import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { relative } from "node:path";

/**
 * Joins the compiled modules of the editor, and what they share with the runtime, into one script with one global. They
 * are CommonJS already, so a function around each and a `require` of six words are all it takes.
 * @param entry absolute path of the module that becomes the global
 */
export function bundle(entry: string, root: string, global: string): string {
  const modules = new Map<string, string>();
  collect(entry);
  const bodies = [...modules].map(
    ([name, code]) => `${JSON.stringify(name)}: function (exports, require) {\n${code}\n}`,
  );
  return [
    `var ${global} = (function () {`,
    `var modules = {\n${bodies.join(",\n")}\n};`,
    "var loaded = {};",
    "function load(name) {",
    "  if (!loaded[name]) modules[name]((loaded[name] = {}), load);",
    "  return loaded[name];",
    "}",
    `return load(${JSON.stringify(nameOf(entry))});`,
    "})();",
  ].join("\n");

  function collect(file: string): void {
    const name = nameOf(file);
    if (modules.has(name)) return;
    modules.set(name, "");
    const { resolve } = createRequire(file);
    const source = readFileSync(file, "utf8");
    const code = source.replace(/\brequire\("([^"]+)"\)/g, (_, wanted: string) => {
      const found = resolve(wanted);
      collect(found);
      return `require(${JSON.stringify(nameOf(found))})`;
    });
    modules.set(name, plain(code));
  }

  function nameOf(file: string): string {
    return relative(root, file).replace(/\\/g, "/").replace(/\.js$/, "");
  }
}

/** Leaves out what only Node's own loader needs. */
function plain(code: string): string {
  return code
    .replace(/^"use strict";\n/, "")
    .replace(/^Object\.defineProperty\(exports, "__esModule".*\n/m, "")
    .replace(/^exports(\.\w+ = exports)*\.\w+ = void 0;\n/gm, "")
    .trim();
}

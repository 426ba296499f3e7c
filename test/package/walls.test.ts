import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "../support/root";

/** On the ground: every room may import them, and they import none. */
const GROUND = ["src/json", "src/texts", "src/texts.ts"];
/** The rooms that a room may import besides itself and the ground. A room that is missing here may import everything. */
const WALLS: Readonly<Record<string, readonly string[]>> = {
  "src/hours": [],
  "src/fields": ["src/hours"],
  "src/backlog": [],
  "src/client": ["src/backlog", "src/hours", "src/fields"],
  "src/speech.ts": [],
  "src/page": [],
  "src/sandbox": ["src/speech.ts", "src/page"],
  "src/runtime": ["src/backlog", "src/hours", "src/fields", "src/client", "src/sandbox"],
  "src/workshop": ["src/backlog", "src/hours", "src/fields", "src/client", "src/sandbox", "src/runtime", "src/page"],
  "src/cli": ["src/fields", "src/sandbox", "src/workshop", "src/page", "nodes"],
  "src/editor": ["src/hours", "src/fields", "src/client", "src/build", "src/speech.ts", "src/page"],
  "src/build": ["src/hours", "src/fields", "src/client", "src/runtime", "nodes"],
  nodes: ["src/hours", "src/fields", "src/client", "src/runtime", "src/workshop"],
};
/** Folders and the rooms of which they may import types, by `import type`, beside those above. */
const TYPE_WALLS: Readonly<Record<string, readonly string[]>> = {
  "src/editor": ["src/runtime", "src/workshop"],
  "src/editor/tab": ["src/sandbox"],
};
/**
 * Rooms within a room, highest first: an import goes to the same room or to a lower one, never back up. `*.ts`: the files beside the
 * folders, which all of these may import.
 */
const RANKS: Readonly<Record<string, readonly string[]>> = {
  "src/runtime": ["nodes", "tenants", "schedules", "delivery", "metrics", "node-red"],
  "src/workshop": ["admin", "report", "rehearsal", "lint"],
  "src/sandbox": ["page", "http", "inspect", "phone", "service"],
  "src/client": ["queue", "guard", "transport", "*.ts"],
  "src/backlog": ["redis", "file", "trouble", "*.ts"],
};
const NODE_RED_FREE = ["src/page", "src/hours", "src/fields", "src/backlog", "src/client", "src/sandbox"];
const TYPE_IMPORT = /\bimport type [^"';]*\bfrom\s*["'][^"']+["']/g;
const SPECIFIER = /(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["']([^"']+)["']/g;

const files = globSync(
  ["src", "nodes", "test", "bench"].map((folder) => `${folder}/**/*.ts`),
  { cwd: root },
)
  .map((file) => file.replaceAll("\\", "/"))
  .sort();
/** The room of a file: `src/hours`, `nodes`, `test` … */
const roomOf = (file: string) => file.split("/", file.startsWith("src/") ? 2 : 1).join("/");

const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
/** Every import, type-only and lazy ones included. */
const imports = new Map([...texts].map(([file, text]) => [file, importsIn(file, text)]));

function importsIn(file: string, text: string): string[] {
  const specifiers = [...text.matchAll(SPECIFIER)].map(([, specifier = ""]) => specifier);
  return specifiers.map((specifier) => (specifier.startsWith(".") ? resolve(file, specifier) : specifier));
}

/** The imports that may stay in the compiled file: all but those by `import type`. */
const withoutTypes = (file: string) => importsIn(file, (texts.get(file) ?? "").replace(TYPE_IMPORT, ""));

function isAllowedType(file: string, to: string): boolean {
  const isOpen = Object.entries(TYPE_WALLS).some(
    ([folder, rooms]) => file.startsWith(`${folder}/`) && rooms.includes(roomOf(to)),
  );
  return isOpen && !withoutTypes(file).includes(to);
}

function resolve(from: string, specifier: string): string {
  const path = posix.join(posix.dirname(from), specifier);
  const candidates = [`${path}.ts`, `${path}/index.ts`, `${path}.d.ts`, path];
  return candidates.find((candidate) => existsSync(join(root, candidate))) ?? path;
}

describe("the walls between rooms", () => {
  it("reads the imports", () => assert.ok([...imports.values()].flat().length > 500));

  for (const [room, allowed] of [...Object.entries(WALLS), ...GROUND.map((room) => [room, []] as const)]) {
    const own = files.filter((file) => roomOf(file) === room);
    it(`${room} imports ${allowed.join(", ") || "no other room"}`, () => {
      const breaches = own.flatMap((file) =>
        (imports.get(file) ?? [])
          .filter((to) => /^(src|nodes|test|bench|scripts)\//.test(to))
          .filter((to) => ![room, ...allowed, ...GROUND].includes(roomOf(to)) && !isAllowedType(file, to))
          .map((to) => `${file} imports ${to}`),
      );
      assert.deepEqual(breaches, []);
    });
    if (!NODE_RED_FREE.includes(room)) continue;
    it(`${room} does not use Node-RED`, () => {
      const breaches = own.filter((file) => imports.get(file)?.some((to) => /^@?node-red(\/|$)/.test(to)));
      assert.deepEqual(breaches, []);
    });
  }

  for (const [room, ranks] of Object.entries(RANKS)) {
    const rankOf = (file: string) => {
      const [folder = "", name] = file.slice(room.length + 1).split("/");
      return ranks.indexOf(name === undefined ? "*.ts" : folder);
    };
    const inside = files.filter((file) => file.startsWith(`${room}/`) && file.slice(room.length + 1).includes("/"));
    it(`${room} has no folder without a rank`, () =>
      assert.deepEqual(
        inside.filter((file) => rankOf(file) < 0),
        [],
      ));
    it(`nothing in ${room} imports from a higher rank: ${ranks.join(" → ")}`, () => {
      const breaches = inside.flatMap((file) =>
        (imports.get(file) ?? [])
          .filter((to) => to.startsWith(`${room}/`) && rankOf(to) < rankOf(file))
          .map((to) => `${file} imports ${to}`),
      );
      assert.deepEqual(breaches, []);
    });
  }

  it("holds state at module level in one registry, src/runtime/node-red/node-state.ts", () => {
    const state =
      /^(?:export )?(?:const|let) (?!.*: Readonly(?:Map|Set)).*\bnew (?:Weak)?(?:Map|Set)\b|^\s+static .*\bnew (?:Weak)?(?:Map|Set)\b/m;
    const constant = /^(?:export )?const [A-Z_]+\b/;
    const rooms = ["nodes", ...Object.keys(WALLS).filter((room) => !["src/editor", "src/build"].includes(room))];
    const own = files.filter((file) => rooms.includes(roomOf(file)) && !file.startsWith("src/sandbox/page/"));
    const holding = own.filter((file) =>
      readFileSync(join(root, file), "utf8")
        .split("\n")
        .some((line) => state.test(line) && !constant.test(line)),
    );
    assert.deepEqual(holding, ["src/runtime/node-red/node-state.ts"]);
  });

  it("has no import circles", () => {
    const circles: string[] = [];
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): void => {
      const start = path.indexOf(file);
      if (start >= 0) circles.push([...path.slice(start), file].join(" → "));
      if (start >= 0 || done.has(file)) return;
      for (const to of imports.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    assert.deepEqual(circles, []);
  });
});

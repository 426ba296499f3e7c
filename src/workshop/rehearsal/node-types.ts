import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { manifestOf } from "./find-node-red";
import type { FlowNode } from "./node-names";

/** Core nodes that reach outside, or that read and write files. */
const WITH_EFFECTS = "10-file 10-mqtt 21-httprequest 22-websocket 23-watch 31-tcpin 32-udp 90-exec".split(" ");
/** Their files. */
export const CORE_WITH_EFFECTS = WITH_EFFECTS.map((name) => `${name}.js`);

/** Packages whose nodes only compute, or wait. */
const PURE_PACKAGES = [
  "node-red-contrib-bigtimer",
  "node-red-contrib-calc",
  "node-red-contrib-chronos",
  "node-red-contrib-cron-plus",
  "node-red-contrib-loop-processing",
  "node-red-contrib-moment",
  "node-red-contrib-queue-gate",
  "node-red-contrib-string",
  "node-red-node-base64",
  "node-red-node-random",
  "node-red-node-smooth",
  "node-red-node-suncalc",
];

/** No types of their own: Node-RED has them built in. */
const BUILT_IN = /^(tab|group|subflow|subflow:.*|global-config|junction|comment|unknown)$/;

interface NodeTypes {
  /** Types in the flows that are not run. */
  readonly outside: readonly string[];
  /** Of these, the ones that are nowhere installed. */
  readonly missing: readonly string[];
  /** Folders of third-party packages that are run. */
  readonly packages: readonly string[];
}

/**
 * Sorts the types of the flows into those that are run and those that are not.
 * @param own types of this package
 * @param folders folders whose `node_modules` may have third-party nodes
 */
export function nodeTypes(
  flows: readonly FlowNode[],
  coreNodes: string,
  own: readonly string[],
  folders: readonly string[],
): NodeTypes {
  const core = htmlFiles(join(coreNodes, "core"));
  const isEffect = (file: string) => WITH_EFFECTS.some((name) => file.endsWith(`${name}.html`));
  const run = new Set([...own, ...core.filter((file) => !isEffect(file)).flatMap(typesIn)]);
  const known = new Set([...run, ...core.filter(isEffect).flatMap(typesIn)]);
  const packages: string[] = [];
  const used = [...new Set(flows.map(({ type }) => String(type)))].filter((type) => !BUILT_IN.test(type));
  const modules = [...new Set(folders)].map((folder) => join(folder, "node_modules"));
  for (const folder of used.every((type) => known.has(type)) ? [] : modules.flatMap(packagesIn)) {
    const types = typesOf(folder);
    for (const type of types) known.add(type);
    const isPure = PURE_PACKAGES.some((name) => folder.endsWith(join("node_modules", name)));
    if (!isPure || !types.some((type) => used.includes(type))) continue;
    packages.push(folder);
    for (const type of types) run.add(type);
  }
  const outside = used.filter((type) => !run.has(type));
  return { outside, missing: outside.filter((type) => !known.has(type)), packages };
}

function htmlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".html") && !/(^|[\\/])(locales|lib|icons)[\\/]/.test(file))
    .map((file) => join(folder, file));
}

function typesIn(file: string): string[] {
  const html = readFileSync(file, "utf8");
  const found = html.matchAll(/registerType\(\s*["'`]([^"'`]+)["'`]|data-template-name=["']([^"']+)["']/g);
  return [...found].map(([, registered, template]) => registered ?? template ?? "");
}

/** The folders of packages with nodes in a `node_modules`. */
function packagesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    if (name.startsWith("@")) return packagesIn(join(folder, name));
    return manifestOf(join(folder, name))?.["node-red"] ? [realpathSync(join(folder, name))] : [];
  });
}

function typesOf(folder: string): string[] {
  const nodes = Object(manifestOf(folder)?.["node-red"]).nodes;
  return Object.values(Object(nodes)).flatMap((file) => {
    const html = join(folder, String(file).replace(/\.[cm]?js$/, ".html"));
    return existsSync(html) ? typesIn(html) : [];
  });
}

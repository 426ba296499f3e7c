import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../json/rules";
import { distance } from "./unknown-properties";

/** Core nodes of Node-RED 4.1 and 5, and what a flow file has besides nodes. */
export const CORE_TYPES: readonly string[] = [
  ...["tab", "subflow", "group", "comment", "junction", "unknown", "global-config", "inject", "debug", "complete"],
  ...["catch", "status", "link in", "link out", "link call", "function", "switch", "change", "range", "template"],
  ...["delay", "trigger", "exec", "rbe", "tls-config", "http proxy", "mqtt in", "mqtt out", "mqtt-broker", "http in"],
  ...["http response", "http request", "websocket in", "websocket out", "websocket-listener", "websocket-client"],
  ...["tcp in", "tcp out", "tcp request", "udp in", "udp out", "split", "join", "sort", "batch", "csv", "html"],
  ...["json", "xml", "yaml", "file", "file in", "watch"],
];

/**
 * Finds types that are not ours: what is written nearly as one of ours, and what the user folder does not have.
 * @param userDir of Node-RED, if it is known
 */
export function typeCheck(ours: readonly string[], userDir?: string) {
  const known = new Set([...ours, ...CORE_TYPES, ...(userDir === undefined ? [] : typesIn(userDir))]);
  return (type: string): { readonly isMisspelt: boolean; readonly message: string } | undefined => {
    if (known.has(type) || type.startsWith("subflow:")) return undefined;
    const meant = ours.find((each) => distance(type.toLowerCase(), each) <= 2);
    if (meant !== undefined)
      return { isMisspelt: true, message: `Unknown type "${type}": no node has it. Write ${meant}.` };
    if (userDir === undefined) return undefined;
    return {
      isMisspelt: false,
      message: `Unknown type "${type}": neither Node-RED nor ${userDir} has it. Install its package there, or correct the type.`,
    };
  };
}

/** A type where the page of a node registers it, or has its dialog. */
const REGISTERED = /registerType\(\s*["'`]([^"'`]+)|data-template-name\s*=\s*["']([^"']+)/g;

/** The types of the packages and nodes in a user folder, and of those that Node-RED has found there. */
function typesIn(userDir: string): string[] {
  const modules = join(userDir, "node_modules");
  const packages = namesIn(modules).flatMap((name) =>
    name.startsWith("@") ? namesIn(join(modules, name)).map((inner) => join(name, inner)) : name,
  );
  const pages = packages.flatMap((name) => {
    const { nodes } = Object(Object(jsonIn(join(modules, name, "package.json")))["node-red"]);
    return Object.values(Object(nodes)).map((file) => join(modules, name, String(file).replace(/\.[cm]?js$/, ".html")));
  });
  const own = attempt(() => readdirSync(join(userDir, "nodes"), { recursive: true, encoding: "utf8" })) ?? [];
  const texts = [...pages, ...own.filter((file) => file.endsWith(".html")).map((file) => join(userDir, "nodes", file))];
  const registered = texts.flatMap((file) =>
    [...textIn(file).matchAll(REGISTERED)].map(([, type, dialog]) => type ?? dialog ?? ""),
  );
  const found = Object.values(Object(jsonIn(join(userDir, ".config.nodes.json")))).flatMap((module) =>
    Object.values(Object(Object(module).nodes)).flatMap((set): string[] => Object(set).types ?? []),
  );
  return [...registered, ...found];
}

function namesIn(folder: string): string[] {
  return attempt(() => readdirSync(folder)) ?? [];
}

function textIn(file: string): string {
  return attempt(() => readFileSync(file, "utf8")) ?? "";
}

function jsonIn(file: string): unknown {
  return attempt(() => JSON.parse(textIn(file)));
}

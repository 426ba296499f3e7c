import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeLabel } from "./node-label";
import type { Config } from "./sources/property";

/** The English texts that Node-RED shows, for what runs without it. */
export function englishTexts() {
  const file = join(__dirname, "..", "..", "nodes", "locales", "en-US", "index.json");
  const texts: unknown = JSON.parse(readFileSync(file, "utf8"));
  return (key: string, params: Readonly<Record<string, unknown>> = {}) => {
    const found = key.split(".").reduce((at, step) => Object(at)[step], texts);
    if (typeof found !== "string") return undefined;
    return found.replace(/__(\w+?)__/g, (gap, name) => String(params[name] ?? gap));
  };
}

/**
 * The labels of nodes on the canvas of an English editor.
 * @param find a node of the same flows
 */
export function englishLabels(find: (id: string) => Config | undefined): (node: Config) => string {
  const text = englishTexts();
  return (node) => {
    const [, subflow = ""] = /^subflow:(.*)$/.exec(String(node["type"])) ?? [];
    const named = (!node["name"] && find(subflow)) || node;
    return nodeLabel(named, (key, values) => text(`${String(node["type"])}.${key}`, values));
  };
}

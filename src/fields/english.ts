import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Catalogue, filled, textAt } from "../texts/catalogue";
import { nodeLabel } from "./node-label";
import type { Config } from "./sources/property";

const LOCALES = join(__dirname, "..", "..", "nodes", "locales");
const ENGLISH = "en-US";

/** A text with its placeholders filled; `undefined` if there is none. */
export type ShippedTexts = (key: string, params?: Readonly<Record<string, unknown>>) => string | undefined;

/** The folder with the texts of a language, as they ship: the English one for a language without texts. */
export function folderOf(language: string): string {
  return readdirSync(LOCALES).find((shipped) => language.startsWith(shipped)) ?? ENGLISH;
}

/** The texts that Node-RED shows, from such a folder, for what runs without it or speaks another language. */
export function shippedTexts(folder = ENGLISH): ShippedTexts {
  const texts = JSON.parse(readFileSync(join(LOCALES, folder, "index.json"), "utf8")) as Catalogue;
  return (key, params = {}) => {
    const text = textAt(texts, key);
    return text === undefined ? undefined : filled(text, params);
  };
}

/**
 * The labels of nodes on the canvas of an English editor.
 * @param find a node of the same flows
 */
export function englishLabels(find: (id: string) => Config | undefined): (node: Config) => string {
  const text = shippedTexts();
  return (node) => {
    const [, subflow = ""] = /^subflow:(.*)$/.exec(String(node["type"])) ?? [];
    const named = (!node["name"] && find(subflow)) || node;
    return nodeLabel(named, (key, values) => text(`${String(node["type"])}.${key}`, values));
  };
}
